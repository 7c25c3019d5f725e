"""The versions of the protocol by which parsers are compared across schemes, and its terms."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import get_args

from commonground.corpus import Functions
from commonground.corpus.functions import canonical
from commonground.errors import UsageError
from commonground.evaluation.signature import signed
from commonground.ground import generalize
from commonground.ground.costs import Costs
from commonground.ground.features import expanded
from commonground.metrics.functions import (
    common_phrases,
    common_relations,
    tedeval,
    tedeval_2011,
    tedeval_original,
)
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric

__all__ = [
    "FAIR",
    "PROTOCOLS",
    "ComparisonTerms",
    "Protocol",
    "comparison_terms",
    "named_metrics",
]


@dataclass(frozen=True, slots=True)
class Protocol:
    """A version of the protocol: what it does to trees, golds and parses, and its two metrics.

    `trees` makes the trees that are compared, with labels as they are compared; `common` is what
    gold trees agree on; `scoring` makes what compares the nodes of parses with gold trees, given
    what edits cost (it may remember trees, and is made once for a study). An `original` one is that
    of a program, which compares dependencies, word by word, with their own labels.
    """

    name: str
    metrics: tuple[Metric, ...]
    trees: Callable[[Functions, Callable[[str], str]], Functions]
    common: Callable[..., Functions]
    scoring: Callable[[Costs | None], Callable[..., Items]]
    relabel: bool = False
    original: bool = False


def _relabelled(tree: Functions, label: Callable[[str], str]) -> Functions:
    nodes = canonical(tree.nodes.replace(label=tree.label.map(label)))
    return expanded(Functions({**tree.tables, "nodes": nodes}), marked=False)


def _common(*golds: Functions) -> Functions:
    return expanded(generalize(*golds), marked=False)


def _scoring_original(
    version: tedeval_original.Version, costs: Costs | None
) -> Callable[..., Items]:
    if costs:
        raise UsageError(f"in TedEval {version} every edit costs 1")
    return partial(tedeval_original.original_nodes, version=version)


PROTOCOLS = {
    "2012": Protocol("tedeval-2012", tedeval.METRICS, _relabelled, _common, tedeval.NodeScoring),
    "2011": Protocol(
        "tedeval-2011",
        tedeval_2011.METRICS,
        tedeval_2011.functional,
        tedeval_2011.common_gold,
        tedeval_2011.Scoring,
        relabel=True,
    ),
    **{
        f"tedeval-{version}": Protocol(
            f"tedeval-{version}",
            tedeval.METRICS,
            lambda tree, _: tree,
            tedeval_original.original_common,
            partial(_scoring_original, version),
            original=True,
        )
        for version in get_args(tedeval_original.Version)
    },
}
"""Multi-function trees with additions and deletions (2012), or wildcards and relabelling (2011);
and what the original programs compute on dependencies."""


@signed
@dataclass(frozen=True, slots=True)
class ComparisonTerms:
    """How trees are compared across schemes: by which `protocol`, and what of them counts.

    `functions` are the dash tags of constituents that count, all without any; with `enhanced`,
    dependencies are their enhanced graphs. `labels` are their ``own``, or those of the ``hub``;
    `maps` are the systems whose labels were mapped, with a checksum of the map. `costs` are those
    of edits, where they are not all 1.
    """

    protocol: str = "2012"
    functions: tuple[str, ...] | None = field(default=None, metadata={"key": "function-tags"})
    enhanced: bool = False
    labels: str = "own"
    maps: tuple[str, ...] = field(default=(), metadata={"key": "label-maps"})
    costs: Costs | None = None

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            known = ", ".join(PROTOCOLS)
            raise UsageError(f"there is no protocol {self.protocol!r}; there are {known}")


FAIR = (
    *("common_attached", "common_unlabelled", "common_labelled"),
    *("multiple_labelled", "multiple_unlabelled"),
    *("relations_unlabelled", "relations_labelled"),
)
"""The scores of a comparison that can be tested between systems of different gold standards."""


def named_metrics(columns: Container[str]) -> dict[tuple[str, str], Metric]:
    """Return the metrics of a comparison, by the way of scoring and the kind of labels.

    What was counted tells the protocol: only that of 2011 has costs.

    >>> named_metrics(["cost"])["multiple", "labelled"].name
    'multiple_labelled'
    """
    protocol = PROTOCOLS["2011" if "cost" in columns else "2012"]
    return {
        **{("common", kind): metric for kind, metric in common_phrases.METRICS.items()},
        **{
            (way, kind): replace(
                metric, name=f"{way}_{kind}", title=f"TedEval {way.upper()} ({kind})"
            )
            for way in ("single", "multiple")
            for kind, metric in zip(("labelled", "unlabelled"), protocol.metrics, strict=True)
        },
        **{("relations", kind): metric for kind, metric in common_relations.METRICS.items()},
        **{
            (f"relations_{way}", kind): replace(
                metric,
                name=f"relations_{way}_{kind}",
                title=f"Relations, {way.upper()} ({kind})",
            )
            for way in ("single", "multiple")
            for kind, metric in zip(("labelled", "unlabelled"), tedeval.METRICS, strict=True)
        },
        **{
            ("relation_overlap", kind): replace(
                metric, name=f"relation_overlap_{kind}", title=f"Relations ({kind})"
            )
            for kind, metric in zip(("labelled", "unlabelled"), tedeval.METRICS, strict=True)
        },
    }


def comparison_terms(
    protocol: str, functions: Sequence[str] | None, costs: Costs | None, *, enhanced: bool
) -> ComparisonTerms:
    """Return the terms of a protocol; an error tells what it cannot do."""
    counted = None if functions is None else tuple(sorted(functions))
    terms = ComparisonTerms(protocol, counted, enhanced, costs=costs)
    if costs and costs.relabels and not PROTOCOLS[protocol].relabel:
        raise UsageError(
            f"the protocol of {protocol} has no relabelling; relabel and pairs have an effect "
            "only in that of 2011"
        )
    return terms
