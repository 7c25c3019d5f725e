"""All metrics by name, for each kind of corpus."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from commonground.errors import UsageError, nearest, setting
from commonground.metrics.metric import Metric
from commonground.metrics.names import resolved
from commonground.plugins import Plugin, plugins

__all__ = [
    "DEFAULT",
    "PARTIAL",
    "comparison_for",
    "explained",
    "find_metrics",
    "metric_names",
    "metric_plugins",
    "metrics_for",
    "packages_of",
]

_TEDEVAL = ("functions.tedeval", "functions.tedeval_2011")

_MODULES = {
    "dependencies": (
        *("dependencies.segmentation", "dependencies.morphology", "dependencies.attachment"),
        *(
            "dependencies.neutral",
            "dependencies.disputed",
            "dependencies.content",
            "dependencies.enhanced",
            "dependencies.predicates",
            "dependencies.morphosyntax",
            "dependencies.multiword",
        ),
        *_TEDEVAL,
    ),
    "constituents": ("constituents.parseval", "constituents.leaf_ancestor", *_TEDEVAL),
    "relations": ("relations",),
    "functions": _TEDEVAL,
    "alignments": ("alignments",),
    "graphs": ("graphs.matched", "graphs.semantic_dependencies", "graphs.anchored"),
}
"""Where the metrics of each kind of corpus live, in the order in which tables show them."""

_COMPARISONS = {
    "dependencies": "dependencies.prepare",
    "constituents": "constituents.prepare",
    "relations": "relations",
    "functions": "functions.comparison",
    "alignments": "alignments",
    "graphs": "graphs.comparison",
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
    "graphs": (
        *("mrp_precision", "mrp_recall", "mrp_f1", "mrp_tops", "mrp_labels", "mrp_properties"),
        *("mrp_anchors", "mrp_edges", "mrp_attributes"),
    ),
}
"""The metrics that are computed when none is asked for."""


PARTIAL = ("coverage", "uas_precision", "uas_recall", "uas", "las_precision", "las_recall", "las")
"""The metrics of dependencies that are computed where words may be without a head."""


def metric_names(kind: str | None = None) -> list[str]:
    """Return the names of the metrics for a kind of corpus, or of all.

    >>> metric_names("functions")[:2]
    ['tedeval', 'tedeval_unlabelled']
    """
    kinds = [kind] if kind else list(_MODULES)
    return list(dict.fromkeys(name for each in kinds for name in metrics_for(each)))


def metrics_for(kind: str) -> dict[str, Metric]:
    """Return the metrics for a kind of corpus, by name; those of other packages come last."""
    return {metric.name: metric for metrics in _modules(kind) for metric in metrics}


def _modules(kind: str) -> Iterator[Sequence[Metric]]:
    """Return the metrics of each module in turn; those that are not asked for are not imported."""
    yield from _own(kind)
    yield [plugin.value for plugin in metric_plugins() if kind in plugin.value.of]


def _own(kind: str) -> Iterator[Sequence[Metric]]:
    if kind not in _MODULES:
        raise UsageError(f"there are no metrics for {kind}; there are for {', '.join(_MODULES)}")
    for module in _MODULES[kind]:
        yield importlib.import_module(f"commonground.metrics.{module}").METRICS


def metric_plugins() -> tuple[Plugin, ...]:
    """Return the metrics of other packages."""
    return plugins("metrics", _refusal)


def _refusal(plugin: Plugin) -> str:
    """Say why something is no metric that can be added."""
    metric = plugin.value
    if not isinstance(metric, Metric):
        return f"it is of the type {type(metric).__name__}, not Metric"
    unknown = [kind for kind in metric.of if kind not in _MODULES]
    if unknown or not metric.of:
        said = f"of is {', '.join(unknown) or 'empty'}"
        return f"{said}; it must name kinds of corpora ({', '.join(_MODULES)})"
    if any(metric.name in _own_names(kind) for kind in metric.of):
        return "commonground has one of that name"
    return ""


def _own_names(kind: str) -> set[str]:
    return {metric.name for metric in chain.from_iterable(_own(kind))}


def packages_of(metrics: Iterable[Metric]) -> tuple[str, ...]:
    """Return where metrics come from that are not defined here: packages, or modules."""
    known = {plugin.value: plugin.package for plugin in metric_plugins()}
    places = {known.get(metric) or _module_of(metric) for metric in metrics}
    return tuple(sorted(places - {"commonground"}))


def _module_of(metric: Metric) -> str:
    """Return the first part of the name of the module that counts the items of a metric."""
    items: Any = metric.items
    while isinstance(items, partial):
        items = items.func
    return str(getattr(items, "__module__", "an unknown module")).partition(".")[0]


def comparison_for(kind: str) -> Callable[..., tuple[Any, tuple[str, ...]]]:
    """Return the function that compares a gold standard and a parse, both of this kind.

    It takes the two and the settings, and returns what metrics look at, and the ids of sentences
    that were skipped.
    """
    if kind not in _COMPARISONS:
        raise UsageError(f"{kind} cannot be evaluated")
    module = importlib.import_module(f"commonground.metrics.{_COMPARISONS[kind]}")
    compared: Callable[..., tuple[Any, tuple[str, ...]]] = module.compared
    return compared


def find_metrics(kind: str, wanted: Sequence[str | Metric]) -> list[Metric]:
    """Return metrics by their names or titles, in any case; metrics themselves stay as they are.

    ``all`` is all, ``feats.NAME`` is one feature.

    >>> [metric.name for metric in find_metrics("dependencies", ("UAS", "las"))]
    ['uas', 'las']
    """
    if len(wanted) == 1 and isinstance(wanted[0], str) and wanted[0].casefold() == "all":
        return list(metrics_for(kind).values())
    wanted = wanted or DEFAULT.get(kind, ())
    names = [each for each in wanted if isinstance(each, str)]
    known = _known(kind, names) if names else {}
    chosen: dict[str, Metric] = {}
    for each in wanted:
        metric = _find(kind, each, known) if isinstance(each, str) else _fitting(kind, each)
        if chosen.setdefault(metric.name, metric) != metric:
            raise UsageError(f"two metrics are called {metric.name}; rename one")
    return list(chosen.values())


def _known(kind: str, names: Sequence[str]) -> dict[str, Metric]:
    """Return as many metrics by name as have to be imported for these names."""
    known: dict[str, Metric] = {}
    for metrics in _modules(kind):
        known |= {metric.name: metric for metric in metrics}
        if all(resolved(name, known) for name in names):
            break
    return known


def _fitting(kind: str, metric: Any) -> Metric:
    """Return a metric that somebody has made, unless it is for another kind of corpus."""
    if not isinstance(metric, Metric):
        raise UsageError(f"a metric is a name or a Metric, not of the type {type(metric).__name__}")
    if metric.of and kind not in metric.of:
        raise UsageError(f"{metric.name} is a metric of {' and '.join(metric.of)}, not of {kind}")
    if metric not in metrics_for(kind).values() and resolved(metric.name, metrics_for(kind)):
        raise UsageError(f"there is already a metric {metric.name} for {kind}; rename yours")
    return metric


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
    by_kind: dict[str, list[Metric]] = {}
    for kind in _MODULES:
        metrics = list(metrics_for(kind).values())
        feature = kind == "dependencies" and name.startswith("feats.")
        if name.casefold() == "all":
            by_kind[kind] = metrics
        elif feature or resolved(name, metrics_for(kind)):
            by_kind[kind] = [_find(kind, name, metrics_for(kind))]
    if not by_kind:
        near = nearest(name, [each for kind in _MODULES for each in metrics_for(kind)])
        listed = setting("explain", "all")
        raise UsageError(f"there is no metric {name!r}; {listed} lists them{near}")
    return by_kind
