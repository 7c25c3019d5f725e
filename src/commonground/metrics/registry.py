"""All metrics by name, for each kind of corpus."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from commonground.errors import UsageError, nearest, setting
from commonground.metrics.metric import Metric
from commonground.metrics.names import resolved

__all__ = ["DEFAULT", "PARTIAL", "comparison_for", "explained", "find_metrics", "metrics_for"]

_TEDEVAL = ("functions.tedeval", "functions.tedeval_2011")

_MODULES = {
    "dependencies": (
        *("dependencies.segmentation", "dependencies.morphology", "dependencies.attachment"),
        *(
            "dependencies.neutral",
            "dependencies.disputed",
            "dependencies.content",
            "dependencies.enhanced",
        ),
        *_TEDEVAL,
    ),
    "constituents": ("constituents.parseval", "constituents.leaf_ancestor", *_TEDEVAL),
    "relations": ("relations",),
    "functions": _TEDEVAL,
    "alignments": ("alignments",),
}
"""Where the metrics of each kind of corpus live, in the order in which tables show them."""

_COMPARISONS = {
    "dependencies": "dependencies.prepare",
    "constituents": "constituents.prepare",
    "relations": "relations",
    "functions": "functions.comparison",
    "alignments": "alignments",
}
"""Where the function `compared` of each kind of corpus lives: it makes what its metrics look at."""

DEFAULT = {
    "dependencies": ("uas", "las", "la", "undirected", "ned"),
    "constituents": (
        *("parseval_precision", "parseval_recall", "parseval_f1", "parseval_exact_match"),
        *("crossing_brackets", "tagging"),
    ),
    "relations": ("relations_precision", "relations_recall", "relations_f1"),
    "functions": ("tedeval", "tedeval_unlabelled"),
    "alignments": ("alignment_precision", "alignment_recall", "alignment_f1", "aer"),
}
"""The metrics that are computed when none is asked for."""


PARTIAL = ("coverage", "uas_precision", "uas_recall", "uas", "las_precision", "las_recall", "las")
"""The metrics of dependencies that are computed where words may be without a head."""


@cache
def metrics_for(kind: str) -> dict[str, Metric]:
    """Return the metrics for a kind of corpus, by name."""
    return {metric.name: metric for metrics in _modules(kind) for metric in metrics}


def _modules(kind: str) -> Iterator[tuple[Metric, ...]]:
    """Return the metrics of each module in turn; those that are not asked for are not imported."""
    if kind not in _MODULES:
        raise UsageError(f"there are no metrics for {kind}; there are for {', '.join(_MODULES)}")
    for module in _MODULES[kind]:
        yield importlib.import_module(f"commonground.metrics.{module}").METRICS


def comparison_for(kind: str) -> Callable[..., tuple[Any, tuple[str, ...]]]:
    """Return the function that compares a gold standard and a parse, both of this kind.

    It takes the two and the settings, and returns what metrics look at, and the ids of sentences
    that were skipped.
    """
    module = importlib.import_module(f"commonground.metrics.{_COMPARISONS[kind]}")
    found: Callable[..., tuple[Any, tuple[str, ...]]] = module.compared
    return found


def find_metrics(kind: str, names: tuple[str, ...]) -> list[Metric]:
    """Return metrics by their names or titles, in any case.

    ``all`` is all, ``feats.NAME`` is one feature.

    >>> [metric.name for metric in find_metrics("dependencies", ("UAS", "las"))]
    ['uas', 'las']
    """
    if len(names) == 1 and names[0].casefold() == "all":
        return list(metrics_for(kind).values())
    modules = _modules(kind)
    wanted = names or DEFAULT.get(kind, ())
    known: dict[str, Metric] = {}
    while not all(resolved(name, known) for name in wanted) or not known:
        metrics = next(modules, None)
        if metrics is None:
            break
        known |= {metric.name: metric for metric in metrics}
    found = [_find(kind, name, known) for name in wanted]
    return list({metric.name: metric for metric in found}.values())


def _find(kind: str, name: str, known: dict[str, Metric]) -> Metric:
    if full := resolved(name, known):
        return known[full]
    if kind == "dependencies" and name.startswith("feats."):
        from commonground.metrics.dependencies.morphology import feature  # noqa: PLC0415  # loaded with its kind

        return feature(name.removeprefix("feats."))
    near = nearest(name, known)
    raise UsageError(f"there is no metric {name!r} for {kind}; there are {', '.join(known)}{near}")


def explained(name: str) -> dict[str, list[Metric]]:
    """Return the metrics with this name, or ``all``, for each kind of corpus that has any."""
    if name.partition(".")[0] == "phenomena":
        from commonground.metrics.phenomena import recall_of  # noqa: PLC0415  # seldom asked for

        return {"phenomena": [recall_of(name)]}
    found: dict[str, list[Metric]] = {}
    for kind in _MODULES:
        metrics = list(metrics_for(kind).values())
        feature = kind == "dependencies" and name.startswith("feats.")
        if name.casefold() == "all":
            found[kind] = metrics
        elif feature or resolved(name, metrics_for(kind)):
            found[kind] = [_find(kind, name, metrics_for(kind))]
    if not found:
        near = nearest(name, [each for kind in _MODULES for each in metrics_for(kind)])
        listed = setting("explain", "all")
        raise UsageError(f"there is no metric {name!r}; {listed} lists them{near}")
    return found
