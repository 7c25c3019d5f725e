r"""Compare syntactic parsers across treebanks, schemes and frameworks.

Everything a program needs is an attribute of this module; each is loaded when it is first used, so
that ``import commonground`` costs nothing. They are named, with their homes, in ``__init__.pyi``.

>>> import commonground as cg
>>> treebank = cg.read_text("1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n")
>>> treebank.deprel.tolist()
['root']
"""

from __future__ import annotations

import re
import sys
import warnings
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.1.0"

ACTS = {
    "baseline_parses": "parsers.baselines",
    "chapter": "report.page",
    "draw": "report.drawing",
    "grids": "report.views",
    "html": "report.views",
    "plot": "report.plots.kinds",
    "review": "report.page",
    "tables": "report.views",
    "test": "statistics.testing",
    "verdict": "statistics.verdict",
}
"""Where each act on treebanks and results lives; see :mod:`commonground.dispatch`."""

RESULTS = {
    "evaluation": "Evaluation",
    "comparison": "CompareResult",
    "agreement": "Agreement",
    "conventions": "Conventions",
    "conventions_by_system": "ConventionsBySystem",
    "claims": "Claims",
    "runs": "RunClaims",
    "phenomena": "Phenomena",
    "projection": "Projection",
    "validation": "Validation",
    "changes": "TreebankChanges",
    "trial": "Trial",
    "disagreement": "Disagreement",
    "decision": "Decision",
    "errors": "AnnotationErrors",
    "search": "SearchResult",
    "overlap": "Overlap",
}
"""The classes of the kinds of results, by the name that JSON has for the kind."""


FORMER = {
    "Aligned": "AlignedBitext",
    "Asked": "TestPlan",
    "Checked": "CheckResult",
    "Fixed": "FixResult",
    "Recognised": "Recognition",
    "Trained": "TrainedParser",
    "claims_of": "significance_tests",
    "functions_of": "to_functions",
    "recognised": "recognise_scheme",
    "relations_of": "to_relations",
    "stripped": "strip",
}
"""Names of 0.1 that still work, with a warning; the next version has only the new ones."""


@cache
def _homes() -> dict[str, str]:
    """Return the module of each public name, as the stub beside this file has them."""
    stub = Path(__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
    matches = re.finditer(r"^from (\S+) import (?:\(([^)]*)\)|(.*))$", stub, re.MULTILINE)
    return {
        name: module
        for module, several, one in (match.groups() for match in matches)
        for name in re.findall(r"(\w+) as ", several or one)
    }


def __getattr__(name: str) -> Any:
    homes = _homes()
    if name == "__all__":
        return sorted(["__version__", *homes])
    if name in FORMER:
        message = f"commonground.{name} is now commonground.{FORMER[name]}; the old name will go"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[__name__], FORMER[name])
    if name == "report":  # a room that can be called, so that it is the function, too
        return import_module(f"{__name__}.report")
    if name not in homes:
        # With these, Python says which known name was meant.
        message = f"module 'commonground' has no attribute {name!r}"
        raise AttributeError(message, name=name, obj=sys.modules[__name__])
    value = globals()[name] = getattr(import_module(homes[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(["__version__", *_homes()])
