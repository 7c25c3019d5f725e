"""The rows of the original programs: what they tell about each sentence of each system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from commonground.errors import UsageError
from commonground.evaluation.prepared_trees import PreparedTrees, dependencies_only
from commonground.evaluation.protocols import PROTOCOLS, ComparisonTerms
from commonground.metrics.functions import tedeval_original
from commonground.metrics.settings import Settings

__all__ = ["original_rows_of"]


def original_rows_of(
    systems: Mapping[str, tuple[Any, Any]], preset: str, *, labelled: bool = True
) -> dict[str, list[tedeval_original.OriginalRow]]:
    """Return what the original program tells about each sentence of each system.

    `preset` names its version: ``tedeval-2.1`` or ``tedeval-2.2``.
    """
    if preset not in PROTOCOLS or not PROTOCOLS[preset].original:
        raise UsageError("only the presets tedeval-2.1 and tedeval-2.2 have rows")
    study = PreparedTrees(systems, Settings(), ComparisonTerms(preset))
    version = cast("tedeval_original.Version", preset.removeprefix("tedeval-"))
    rows = {}
    for name in study.names:
        own = study.gold_of[name]
        others = [study.corpora[other][0] for other in study.own_golds if other != own]
        sides = [study.corpora[name][1], study.corpora[name][0], *others]
        words = dependencies_only(sides)
        rows[name] = tedeval_original.original_rows(*words, labelled=labelled, version=version)
    return rows
