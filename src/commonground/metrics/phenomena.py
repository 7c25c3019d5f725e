"""The recall of phenomena, by the names that results have for it: ``phenomena.ned.mod``.

``phenomena`` is the recall of all targets together, ``phenomena.ned`` that of a phenomenon,
``phenomena.ned.mod`` that of a kind of dependency; ``phenomena.macro`` is the mean over phenomena.
What is counted is counted by the room ``phenomena``.
"""

from __future__ import annotations

from typing import Any

from commonground.errors import UsageError
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric, Totals, ratio, recall

__all__ = ["ALL", "MACRO", "recall_of"]

ALL = "phenomena"
MACRO = "phenomena.macro"

_EXPLANATION = """Recall of phenomena: recalled targets / targets. A target is a dependency that an
analysis must have, and is recalled if the analysis has it; or one that it must not have, and is
recalled if the analysis does not have it (Bender, Flickinger, Oepen & Zhang 2011)."""


def recall_of(name: str) -> Metric:
    """Return the metric of a name.

    >>> recall_of("phenomena.ned.mod").title
    'ned mod'
    """
    formula = _macro if name == MACRO else recall
    title = {ALL: "all", MACRO: "macro"}.get(name) or name.removeprefix("phenomena.").replace(
        ".", " "
    )
    return Metric(name, title, _no_items, _EXPLANATION, formula)


def _macro(totals: Totals) -> Any:
    """Return the mean recall over the phenomena that have targets.

    >>> _macro({"correct:a": 1, "gold:a": 2, "correct:b": 3, "gold:b": 3, "gold": 5})
    0.75
    """
    names = [name.partition(":")[2] for name in totals if name.startswith("gold:")]
    shares = sum(ratio(totals[f"correct:{n}"], totals[f"gold:{n}"], empty=0.0) for n in names)
    counted = sum((totals[f"gold:{n}"] > 0) * 1 for n in names)
    return ratio(shares, counted)


def _no_items(_: Any) -> Items:
    raise UsageError("phenomena are scored by 'phenomena score', not by 'evaluate'")
