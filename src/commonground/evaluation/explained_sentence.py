"""One sentence of a comparison, explained: its trees, the edits, and what is forgiven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from commonground.corpus import Functions
from commonground.evaluation.explanation import Block, explained_blocks
from commonground.evaluation.prepared_trees import PreparedTrees
from commonground.evaluation.protocols import comparison_terms
from commonground.ground.costs import Costs
from commonground.ground.label_map import LabelMap
from commonground.ground.scripts import Explanation, explain
from commonground.metrics.settings import Settings

__all__ = [
    "Explained",
    "explain_first",
    "explain_sentence",
]


@dataclass(frozen=True, slots=True)
class Explained:
    """A sentence of one system: its function trees, and the edits behind its scores.

    `blocks` explain the labelled and the unlabelled MULTIPLE.
    """

    name: str
    parse: Functions
    gold: Functions
    general: Functions
    explanation: Explanation
    blocks: tuple[Block, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"name": self.name, **{block.kind: block.to_json() for block in self.blocks}}


def explain_sentence(
    systems: Mapping[str, tuple[Any, Any]],
    sent_id: str,
    *,
    settings: Settings | None = None,
    functions: Sequence[str] | None = None,
    enhanced: bool = False,
    protocol: str = "2012",
    labels: str = "auto",
    label_maps: Mapping[str, LabelMap] | None = None,
    costs: Costs | None = None,
) -> list[Explained]:
    """Return for each system the trees of a sentence, the edit scripts and what is forgiven."""
    terms = comparison_terms(protocol, functions, costs, enhanced=enhanced)
    study = PreparedTrees(systems, settings or Settings(), terms, labels, label_maps)
    return _explained(study, study.place(sent_id), costs)


def explain_first(
    systems: Mapping[str, tuple[Any, Any]],
    count: int = 10,
    *,
    settings: Settings | None = None,
    functions: Sequence[str] | None = None,
    enhanced: bool = False,
    protocol: str = "2012",
    labels: str = "auto",
    label_maps: Mapping[str, LabelMap] | None = None,
    costs: Costs | None = None,
) -> dict[str, list[Explained]]:
    """Return the same for the first so many sentences that are compared, by their ids."""
    terms = comparison_terms(protocol, functions, costs, enhanced=enhanced)
    study = PreparedTrees(systems, settings or Settings(), terms, labels, label_maps)
    ids = study.sentences.ids[:count]
    return {sent_id: _explained(study, place, costs) for place, sent_id in enumerate(ids)}


def _explained(study: PreparedTrees, place: int, costs: Costs | None) -> list[Explained]:
    general = study.generalized(study.own_golds)[place : place + 1]
    golds = {name: study.golds[name][place : place + 1] for name in study.own_golds}
    relabel = study.protocol.relabel
    explained = []
    for name in study.names:
        parse, gold = (side[name][place : place + 1] for side in (study.parses, study.golds))
        (explanation,) = explain(parse, gold, general, relabel=relabel, costs=costs)
        blocks = explained_blocks(parse, gold, general, golds, relabel=relabel, costs=costs)
        explained.append(Explained(name, parse, gold, general, explanation, blocks))
    return explained
