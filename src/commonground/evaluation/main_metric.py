"""The metric that systems are ranked by, and that reports look into."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.errors import UsageError
from commonground.evaluation.result import System
from commonground.metrics.names import resolved

__all__ = ["chosen_metric", "likeliest"]

_PREFERRED = (
    *(
        "las",
        "parseval_f1",
        "tedeval",
        "relations_f1",
        *("mrp_f1", "smatch", "sdp_f1", "edm_all"),
        "common_attached",
        "multiple_labelled",
        "multiple_unlabelled",
    ),
    *("uas", "elas", "clas", "single_labelled"),
)
"""The first of these that was computed."""


def likeliest(names: Sequence[str]) -> str:
    """Return the one of some metrics that is looked into when none is asked for.

    >>> likeliest(["uas", "las"])
    'las'
    """
    return next((name for name in _PREFERRED if name in names), names[0])


def chosen_metric(systems: Sequence[System], path: str, wanted: str = "") -> str:
    """Return the name of the metric that a report looks into: the wanted one, or the likeliest.

    A score without a single item says nothing; such a metric is not chosen if there is another.
    """
    scores = systems[0].scores
    if wanted:
        name = resolved(wanted, {each: score.metric for each, score in scores.items()})
        if name is None:
            raise UsageError(f"{path} has no scores of {wanted}; it has {', '.join(scores)}")
        return name
    known = [name for name in scores if not any(system[name].undefined for system in systems)]
    usual = [name for name in known or scores if scores[name].metric.higher_is_better]
    return likeliest(usual or list(scores))
