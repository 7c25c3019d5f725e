r"""Compare syntactic parsers across treebanks, schemes and frameworks.

Everything a program needs is an attribute of this module; each is loaded when it is first used, so
that ``import commonground`` costs nothing.

>>> import commonground as cg
>>> treebank = cg.read_text("1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n")
>>> treebank.deprel.tolist()
['root']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from commonground.corpus import (
        Alignments,
        Constituents,
        Corpus,
        Dependencies,
        Functions,
        Relations,
        Sentence,
        Strings,
        Table,
    )
    from commonground.corpus.graph import relations_of
    from commonground.corpus.summary import Summary, sample, summary
    from commonground.errors import (
        CommonGroundError,
        InputError,
        MissingExtraError,
        Problem,
        UsageError,
    )
    from commonground.formats import (
        detect,
        find_format,
        format_names,
        read,
        read_chunks,
        read_text,
        write,
        write_text,
    )
    from commonground.formats.check import Checked, check
    from commonground.formats.describe import Description, describe
    from commonground.ground import (
        CrossingError,
        functions_of,
        generalize,
        label_unify,
        subsumes,
        unify,
    )
    from commonground.ground.convert import convert
    from commonground.metrics.batch import Evaluation, evaluate_files, find_pairs
    from commonground.metrics.compare import CompareResult, compare
    from commonground.metrics.evaluate import evaluate
    from commonground.metrics.result import Result, Score, System
    from commonground.metrics.settings import Settings, preset

__version__ = "0.1.0"

__all__ = [
    "Alignments",
    "Checked",
    "CommonGroundError",
    "CompareResult",
    "Constituents",
    "Corpus",
    "CrossingError",
    "Dependencies",
    "Description",
    "Evaluation",
    "Functions",
    "InputError",
    "MissingExtraError",
    "Problem",
    "Relations",
    "Result",
    "Score",
    "Sentence",
    "Settings",
    "Strings",
    "Summary",
    "System",
    "Table",
    "UsageError",
    "__version__",
    "check",
    "compare",
    "convert",
    "describe",
    "detect",
    "evaluate",
    "evaluate_files",
    "find_format",
    "find_pairs",
    "format_names",
    "functions_of",
    "generalize",
    "label_unify",
    "preset",
    "read",
    "read_chunks",
    "read_text",
    "relations_of",
    "sample",
    "subsumes",
    "summary",
    "unify",
    "write",
    "write_text",
]

_HOMES = {
    "corpus": "Alignments Constituents Corpus Dependencies Functions Relations Sentence Strings "
    "Table",
    "corpus.graph": "relations_of",
    "corpus.summary": "Summary sample summary",
    "errors": "CommonGroundError InputError MissingExtraError Problem UsageError",
    "formats": "detect find_format format_names read read_chunks read_text write write_text",
    "formats.check": "Checked check",
    "formats.describe": "Description describe",
    "ground": "CrossingError functions_of generalize label_unify subsumes unify",
    "ground.convert": "convert",
    "metrics.batch": "Evaluation evaluate_files find_pairs",
    "metrics.compare": "CompareResult compare",
    "metrics.evaluate": "evaluate",
    "metrics.result": "Result Score System",
    "metrics.settings": "Settings preset",
}
"""Where each attribute lives."""


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names.split():
            value = globals()[name] = getattr(import_module(f"commonground.{home}"), name)
            return value
    raise AttributeError(f"module 'commonground' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
