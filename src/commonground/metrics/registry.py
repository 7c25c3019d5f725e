"""All metrics by name, for each kind of corpus."""

from __future__ import annotations

import importlib
from functools import cache

from commonground.errors import UsageError
from commonground.metrics.metric import Metric

__all__ = ["DEFAULT", "find_metrics", "metrics_for"]

_MODULES = {
    "dependencies": (
        *("segmentation", "morphology", "attachment", "neutral", "content", "enhanced"),
    ),
    "constituents": (),
    "relations": (),
}
"""Where the metrics of each kind of corpus live, in the order in which tables show them."""

DEFAULT = {"dependencies": ("uas", "las", "la", "undirected", "ned")}
"""The metrics that are computed when none is asked for."""


@cache
def metrics_for(kind: str) -> dict[str, Metric]:
    """Return the metrics for a kind of corpus, by name."""
    found = (importlib.import_module(f"commonground.metrics.{m}").METRICS for m in _MODULES[kind])
    return {metric.name: metric for metrics in found for metric in metrics}


def find_metrics(kind: str, names: tuple[str, ...]) -> list[Metric]:
    """Return metrics by their names; ``all`` is all, ``feats.NAME`` is one feature."""
    known = metrics_for(kind)
    if names == ("all",):
        return list(known.values())
    return [_find(kind, name, known) for name in names or DEFAULT[kind]]


def _find(kind: str, name: str, known: dict[str, Metric]) -> Metric:
    if name in known:
        return known[name]
    if kind == "dependencies" and name.startswith("feats."):
        from commonground.metrics.morphology import feature  # noqa: PLC0415  # loaded with its kind

        return feature(name.removeprefix("feats."))
    raise UsageError(f"there is no metric {name!r} for {kind}; there are {', '.join(known)}")
