"""Relations: how many of the gold standard are found, and how many of the parse are right?

A relation is (label, head, dependent, subtype, value); let G and P be the multisets of relations:

    precision  |G ∩ P| / |P|
    recall     |G ∩ P| / |G|
    F1         2 |G ∩ P| / (|G| + |P|)

Heads and dependents are the same when they stand for the same words. One that stands for no word,
such as the predicate of an f-structure, is compared by its text; and so are all where one side does
not tell positions at all. Unlabelled, a relation is its head and its dependent. Where the settings
leave subtypes out, subtype and value do not matter either, and the label is cut at a colon.

A relation with a value in place of a dependent is an attribute (``num(cat, sg)``). Attributes count
when the settings say so; their value is compared like a dependent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Relations
from commonground.corpus.strings import Vocabulary
from commonground.metrics.items import Items, Side
from commonground.metrics.matching import match
from commonground.metrics.metric import Metric, f1, precision, recall
from commonground.metrics.mismatch import equally_many
from commonground.metrics.settings import Settings

__all__ = ["METRICS", "RelationComparison", "compared", "labelled", "unlabelled"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def compared(
    gold: Relations, system: Relations, settings: Settings
) -> tuple[RelationComparison, tuple[str, ...]]:
    """Return the comparison of two banks of relations; no sentence is ever skipped."""
    equally_many(gold, system)
    return RelationComparison(gold, system, settings), ()


class RelationComparison:
    """A gold standard and a parse in relations, whose sentences are paired by their order."""

    def __init__(self, gold: Relations, system: Relations, settings: Settings) -> None:
        self.gold = gold
        self.system = system
        self.settings = settings

    @cached_property
    def arguments(self) -> tuple[Numbers, Numbers]:
        """For each relation of both sides a number; it is the same for the same arguments."""
        return _numbered(self._ends(self.gold), self._ends(self.system))

    @cached_property
    def names(self) -> tuple[Numbers, Numbers]:
        """For each relation of both sides a number; it is the same for the same name."""
        return _numbered(self._names(self.gold), self._names(self.system))

    def _ends(self, side: Relations) -> list[Numbers]:
        table = side.relations
        value = side.relations.strings("value").codes_in(self._texts).astype(np.int64)
        attribute = _attributes(side)
        return [
            table.sentence_of_row(),
            *(self._nodes(side, table.numbers(end)) for end in ("head", "dependent")),
            np.where(attribute, value, -1),
        ]

    def _names(self, side: Relations) -> list[Numbers]:
        columns = [side.label.map(self.settings.label)]
        if self.settings.subtypes:
            columns += [side.relations.strings(name) for name in ("subtype", "value")]
        return [column.codes_in(self._texts).astype(np.int64) for column in columns]

    def _nodes(self, side: Relations, node: NDArray[np.integer]) -> Numbers:
        """Return for each relation the number of one of its nodes, -1 where it has none."""
        if not len(node) or not side.nodes.rows:
            return np.full(len(node), -1, np.int64)
        rows = side.nodes.offsets[side.relations.sentence_of_row()] + np.maximum(node, 0)
        known = self._node_numbers[0 if side is self.gold else 1]
        return np.where(node < 0, -1, known[np.minimum(rows, len(known) - 1)])

    @cached_property
    def _node_numbers(self) -> tuple[Numbers, Numbers]:
        sides = (self.gold, self.system)
        told = all(
            (side.nodes.numbers("first") >= 0).any() or not side.nodes.rows for side in sides
        )
        one, two = ([*_places(side, self._texts, told=told)] for side in sides)
        return _numbered(one, two)

    @cached_property
    def _texts(self) -> Vocabulary:
        return Vocabulary()

    def items(self, *keys: tuple[Numbers, Numbers]) -> Items:
        """Return the relations as items, which are the same when all `keys` are."""
        one, two = _numbered(*([pair[side] for pair in keys] for side in (0, 1)))
        matched = match(one, two)
        gold, system = (
            _side(side, correct, self.settings)
            for side, correct in zip((self.gold, self.system), matched, strict=True)
        )
        return Items(gold, system, len(self.gold), table="relations")


def _side(side: Relations, correct: Flags, settings: Settings) -> Side:
    rows = np.arange(side.relations.rows)
    every = Side(rows, side.relations.sentence_of_row(), correct, np.ones(len(rows), np.bool_))
    return every if settings.attributes else every.where(~_attributes(side))


def _attributes(side: Relations) -> Flags:
    """Tell which relations have a value in place of a dependent."""
    nothing = side.relations.strings("value").where(lambda text: text == "_")
    return np.asarray((side.dependent < 0) & ~nothing)


def _places(side: Relations, texts: Vocabulary, *, told: bool) -> Sequence[Numbers]:
    """Return first word, last word and text of each node; what does not matter is -1."""
    nodes = side.nodes
    text = nodes.strings("text").codes_in(texts).astype(np.int64)
    first, last = nodes.numbers("first").astype(np.int64), nodes.numbers("last").astype(np.int64)
    known = (first >= 0) & told
    return np.where(known, first, -1), np.where(known, last, -1), np.where(known, -1, text)


def _numbered(one: Sequence[Numbers], two: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
    """Return a number for each row of two sets of columns, the same for rows that are equal.

    >>> columns = [np.array([1, 1])], [np.array([2, 1, 2])]
    >>> [numbers.tolist() for numbers in _numbered(*columns)]
    [[0, 0], [1, 0, 1]]
    """
    numbers = np.zeros(len(one[0]) + len(two[0]), np.int64)
    for ours, theirs in zip(one, two, strict=True):
        _, number = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
        _, numbers = np.unique(numbers * (number.max(initial=0) + 1) + number, return_inverse=True)
    return numbers[: len(one[0])], numbers[len(one[0]) :]


def labelled(pair: RelationComparison) -> Items:
    r"""Count the relations that both sides have.

    >>> from commonground import read_text
    >>> gold = read_text("nsubj(sleeps-3, cat-2)\ndet(cat-2, the-1)\n", format="stanford")
    >>> parse = read_text("dobj(sleeps-3, cat-2)\ndet(cat-2, the-1)\n", format="stanford")
    >>> pair, _ = compared(gold, parse, Settings())
    >>> labelled(pair).counts.totals["correct"], unlabelled(pair).counts.totals["correct"]
    (1, 2)
    """
    return pair.items(pair.arguments, pair.names)


def unlabelled(pair: RelationComparison) -> Items:
    """Count the pairs of head and dependent that both sides have."""
    return pair.items(pair.arguments)


_CARROLL = "Carroll, Briscoe & Sanfilippo (1998), Parser evaluation: a survey and a new proposal."
_EXAMPLE = """\
Example: gold nsubj(sleeps, cat) and det(cat, the), parse dobj(sleeps, cat): """


def _metric(name: str, title: str, explanation: str) -> Metric:
    items = unlabelled if "unlabelled" in name else labelled
    formula = {"precision": precision, "recall": recall, "f1": f1}[name.rpartition("_")[2]]
    return Metric(name, title, items, explanation, formula)


METRICS = (
    _metric(
        "relations_precision",
        "Precision",
        "Precision of relations: the share of the parse's relations (label, head, dependent, "
        f"subtype, value) that are right.\nFrom: {_CARROLL}\n{_EXAMPLE}0 of 1 is right, 0.",
    ),
    _metric(
        "relations_recall",
        "Recall",
        "Recall of relations: the share of the gold relations (label, head, dependent, "
        f"subtype, value) that the parse has.\nFrom: {_CARROLL}\n{_EXAMPLE}0 of 2 are found, 0.",
    ),
    _metric(
        "relations_f1",
        "F1",
        f"F1 of relations: the harmonic mean of their precision and recall.\nFrom: {_CARROLL}\n"
        f"{_EXAMPLE}0.",
    ),
    _metric(
        "relations_unlabelled_precision",
        "Precision (unl.)",
        "Unlabelled precision of relations: the share of the parse's pairs of head and dependent "
        f"that are right.\nFrom: {_CARROLL}\n{_EXAMPLE}(sleeps, cat) is right, 1.",
    ),
    _metric(
        "relations_unlabelled_recall",
        "Recall (unl.)",
        "Unlabelled recall of relations: the share of the gold pairs of head and dependent that "
        f"the parse has.\nFrom: {_CARROLL}\n{_EXAMPLE}(sleeps, cat) of 2 is found, 0.5.",
    ),
    _metric(
        "relations_unlabelled_f1",
        "F1 (unl.)",
        "Unlabelled F1 of relations: the harmonic mean of unlabelled precision and recall.\n"
        f"From: {_CARROLL}\n{_EXAMPLE}2·1/(2+1) = 0.667.",
    ),
)
