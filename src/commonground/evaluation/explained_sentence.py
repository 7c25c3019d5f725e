"""One sentence of a comparison, explained: its trees, the edits, and what is forgiven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from commonground.corpus import Functions
from commonground.evaluation.compared_sets import ComparedSets
from commonground.evaluation.explanation import Block, explained_blocks
from commonground.evaluation.prepared_trees import PreparedTrees
from commonground.evaluation.protocols import comparison_terms
from commonground.ground.costs import Costs
from commonground.ground.label_map import LabelMap
from commonground.ground.related_yields import relation_text
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

    `blocks` explain the labelled and the unlabelled MULTIPLE, `relations` those of relations, if
    these are compared.
    """

    name: str
    parse: Functions
    gold: Functions
    general: Functions
    explanation: Explanation
    blocks: tuple[Block, ...]
    relations: tuple[Block, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        related = {block.kind: block.to_json() for block in self.relations}
        return {
            "name": self.name,
            **{block.kind: block.to_json() for block in self.blocks},
            **({"relations": related} if related else {}),
        }


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
    relations: bool | None = None,
) -> list[Explained]:
    """Return for each system the trees of a sentence, the edit scripts and what is forgiven."""
    terms = comparison_terms(protocol, functions, costs, enhanced=enhanced)
    study = PreparedTrees(
        systems, settings or Settings(), terms, labels, label_maps, related=relations
    )
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
    relations: bool | None = None,
) -> dict[str, list[Explained]]:
    """Return the same for the first so many sentences that are compared, by their ids."""
    terms = comparison_terms(protocol, functions, costs, enhanced=enhanced)
    study = PreparedTrees(
        systems, settings or Settings(), terms, labels, label_maps, related=relations
    )
    ids = study.sentences.ids[:count]
    return {sent_id: _explained(study, place, costs) for place, sent_id in enumerate(ids)}


def _explained(study: PreparedTrees, place: int, costs: Costs | None) -> list[Explained]:
    relabel = study.protocol.relabel
    explained = []
    for name in study.names:
        parse, gold, general = _of_sentence(study, name, place)
        (explanation,) = explain(parse, gold, general, relabel=relabel, costs=costs)
        blocks = _blocks(study, name, place, costs)
        related = study.relations
        length = len(parse[0].column("form", "words"))
        relations = (
            tuple(each.shown_as(partial(relation_text, length=length)) for each in both)
            if related and (both := _blocks(related, name, place, costs))
            else ()
        )
        explained.append(Explained(name, parse, gold, general, explanation, blocks, relations))
    return explained


def _of_sentence(
    study: ComparedSets, name: str, place: int
) -> tuple[Functions, Functions, Functions]:
    """Return the parse of a sentence, its own gold standard, and what all of these agree on."""
    sides = study.parses[name], study.golds[name], study.generalized(study.own_golds)
    parse, gold, general = (side[place : place + 1] for side in sides)
    return parse, gold, general


def _blocks(study: ComparedSets, name: str, place: int, costs: Costs | None) -> tuple[Block, Block]:
    golds = {own: study.golds[own][place : place + 1] for own in study.own_golds}
    sides = _of_sentence(study, name, place)
    return explained_blocks(*sides, golds, relabel=study.protocol.relabel, costs=costs)
