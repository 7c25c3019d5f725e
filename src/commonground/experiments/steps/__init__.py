"""What a step can do: one function per kind, from files to files.

A kind of step takes its values (those named in `taken` are folders of other outcomes, or paths of
inputs) and writes into an empty folder: ``treebank.…``, ``model``, or ``result.json`` with
``grids.json``, the tables of the result. The functions are pure: the same values make the same
bytes; they import what they use when they are called.
"""

from __future__ import annotations

from commonground.errors import UsageError, nearest
from commonground.experiments.steps import (
    comparisons,
    grammars,
    parsers,
    phenomena,
    projections,
    rankings,
    treebanks,
    validations,
)
from commonground.experiments.steps.kind import StepKind

__all__ = ["KINDS", "find_kind"]

_MODULES = (
    treebanks,
    projections,
    parsers,
    grammars,
    comparisons,
    validations,
    rankings,
    phenomena,
)

KINDS: dict[str, StepKind] = {kind.name: kind for module in _MODULES for kind in module.KINDS}
"""All kinds of steps by name."""


def find_kind(name: str) -> StepKind:
    """Return a kind of step by its name."""
    if name not in KINDS:
        near = nearest(name, KINDS)
        raise UsageError(f"no step does {name!r}; there are {', '.join(KINDS)}{near}")
    return KINDS[name]
