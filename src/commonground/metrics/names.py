"""Metrics by the names that people have read: in options and JSON, or above a column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from commonground.metrics.metric import Metric

__all__ = ["resolved"]


def resolved(name: str, metrics: Mapping[str, Metric] | Iterable[Metric]) -> str | None:
    """Return the name of the metric that is called so, in any case; None where none is.

    >>> from commonground.metrics.dependencies.attachment import METRICS
    >>> resolved("LAS", METRICS), resolved("Exact match", METRICS), resolved("x", METRICS)
    ('las', 'exact_match', None)
    """
    known = metrics if isinstance(metrics, Mapping) else {each.name: each for each in metrics}
    if name in known:
        return name
    plain = _plain(name)
    by_name = (each for each in known if _plain(each) == plain)
    by_title = (each for each, metric in known.items() if _plain(metric.title) == plain)
    return next(by_name, None) or next(by_title, None)


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")
