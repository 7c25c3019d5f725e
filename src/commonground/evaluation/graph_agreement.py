"""How far graphs of meaning agree: in one framework piece by piece, else in what they share.

Two annotations in one framework are scored as a gold standard and a parse are, by MRP's pieces
(tops, labels, properties, anchors, edges, attributes); where they differ, the construction, the
component or any other property of a piece tells. Different frameworks, and graphs and trees, have
no piece in common; what they agree on are yields and relations between them, over the words that
both have nodes for, as in a comparison (:mod:`commonground.evaluation.compare`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from commonground.corpus import Corpus, Graphs
from commonground.errors import UsageError, setting
from commonground.evaluation.metric_score import Score
from commonground.evaluation.prepared_trees import PreparedTrees
from commonground.evaluation.protocols import ComparisonTerms, named_metrics
from commonground.evaluation.result import System
from commonground.metrics.breakdown import Bucket
from commonground.metrics.settings import Settings

__all__ = [
    "OF_GRAPHS",
    "PieceAgreement",
    "differing",
    "one_framework",
    "overlaps",
    "piece_agreement",
    "refuse_across",
    "refuse_for_graphs",
]

OF_GRAPHS = (
    "mrp_f1",
    *(f"mrp_{c}" for c in ("tops", "labels", "properties", "anchors", "edges", "attributes")),
)
"""The metrics of graphs that are computed when none is asked for."""


@dataclass(frozen=True, slots=True)
class PieceAgreement:
    """How many pieces two analyses have of each value of a property, and how many are in both."""

    one: str
    other: str
    by: str
    rows: tuple[Bucket, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as JSON has them."""
        rows = [{"value": row.values[0], "counts": row.counts} for row in self.rows]
        return {"one": self.one, "other": self.other, "by": self.by, "rows": rows}


def one_framework(corpora: Iterable[Corpus]) -> bool:
    """Tell whether all treebanks are graphs of the same framework."""
    frameworks = set()
    for corpus in corpora:
        if not isinstance(corpus, Graphs):
            return False
        frameworks |= set(corpus.metadata("framework").tolist())
    return len(frameworks - {""}) < 2


def piece_agreement(one: str, other: str, system: System, by: str) -> PieceAgreement:
    """Return the pieces of two analyses by a property, where most differ first.

    >>> from commonground import evaluate
    >>> [scored] = evaluate("example:eds", "example:eds-parse", metrics=["mrp_f1"]).systems
    >>> found = piece_agreement("a", "b", scored, "component").rows[0]
    >>> found.values, found.counts["gold"], found.counts["system"], found.counts["correct"]
    (('edges',), 36, 35, 32)
    """
    metric = next(iter(system.scores))
    rows = system.breakdown(metric, by)
    rows.sort(key=lambda row: (row.values == ("–",), -differing(row), row.values))
    return PieceAgreement(one, other, by, tuple(rows))


def differing(row: Bucket) -> int:
    """Return how many pieces only one of two analyses has."""
    counts = row.counts
    return counts["gold"] + counts["system"] - counts["correct"] - counts["system_correct"]


def overlaps(
    pair: Mapping[str, Corpus], settings: Settings
) -> tuple[dict[str, Score], tuple[str, ...]]:
    """Return what two treebanks agree on, and the ids of the sentences that are left out.

    >>> from commonground import read
    >>> both = {name: read(f"example:{name}") for name in ("dm", "eds")}
    >>> {name: round(score.value, 2) for name, score in overlaps(both, Settings())[0].items()}
    {'tedeval': 0.88, 'tedeval_unlabelled': 0.97, 'relation_overlap_labelled': 0.95, \
'relation_overlap_unlabelled': 0.98}
    """
    systems = {name: (corpus, corpus) for name, corpus in pair.items()}
    study = PreparedTrees(systems, settings, ComparisonTerms())
    one, other = study.names
    scores = {score.metric.name: score for score in study.overlap(one, other).both.values()}
    if study.relations:
        metrics = named_metrics(())
        for kind, score in study.relations.overlap(one, other).both.items():
            metric = metrics["relation_overlap", kind]
            scores[metric.name] = Score(metric, score.counts, reason=score.undefined)
    return scores, tuple(study.ids[place] for place in study.units.skipped)


def refuse_for_graphs(*, alpha: bool, confusion: bool, columns: bool) -> None:
    """Refuse what can be told only about words with a head."""
    asked = {"alpha": alpha, "label_pairs": confusion, "by_column": columns}
    for name, is_asked in asked.items():
        if is_asked:
            raise UsageError(f"{setting(name)} needs dependencies, not graphs")


def refuse_across(metrics: Sequence[object] | None, by: Sequence[str]) -> None:
    """Refuse what can be told only about graphs of one framework."""
    if metrics or by:
        name = setting("metrics") if metrics else setting("by")
        raise UsageError(
            f"{name} needs analyses of one framework; others are compared by their yields and "
            "relations"
        )
