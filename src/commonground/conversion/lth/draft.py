"""Trees that are being reshaped: the items of a forest, with columns that change."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from commonground.conversion.forest import Children, Flags, Forest, Items, lexical_heads
from commonground.corpus import Constituents, Strings
from commonground.corpus.labels import split_label
from commonground.corpus.strings import Vocabulary

__all__ = ["Draft", "Link"]

_PUNCTUATION = re.compile(r"[!?\-_/&+.,`'()\[\]{}\":;]+")
_LINKED = re.compile(r"(\*(?:[A-Z]+\*)?)-([0-9]+)")

Link = tuple[str, int, int]
"""What kind of trace it is (``*T*``), the trace, and the phrase that has its index."""


class Draft:
    """The items of a corpus (see :class:`Forest`) on their way to dependencies.

    `head` is the head child of each item as soon as heads are found, `delimited` tells which flat
    coordinations have conjuncts of one word each, `holders` are the items that others were put
    below since :meth:`settle` was called.
    """

    def __init__(self, corpus: Constituents) -> None:
        forest = Forest.of(corpus)
        self.corpus = corpus
        self.words = forest.words
        self.parent = forest.parent.copy()
        self.position = forest.position
        self.full = forest.full
        self.category = forest.category
        self._functions = Vocabulary(
            (text, number) for number, text in enumerate(forest.function.vocabulary)
        )
        self._texts: tuple[str, ...] = ()
        self._function = forest.function.codes.copy()
        self.word = corpus.form.map(str.lower)
        self.head = np.full(len(self.parent), -1, np.int64)
        self.delimited = np.zeros(len(self.parent), np.bool_)
        self._new: list[list[Any]] = []
        self._delimited: list[int] = []
        self.holders: set[int] = set()

    # ── columns ──────────────────────────────────────────────────────────────────────────────────

    @property
    def function(self) -> Strings:
        """The functions of the items, joined by hyphens."""
        if len(self._texts) < len(self._functions):
            self._texts = tuple(self._functions)
        return Strings(self._function, self._texts)

    def is_a(self, *categories: str) -> Flags:
        """Tell which items have one of some categories."""
        return self.category.where(frozenset(categories).__contains__)

    def has(self, *functions: str) -> Flags:
        """Tell which items have exactly one of these functions, or combinations of them."""
        return self.function.where(frozenset(functions).__contains__)

    def reads(self, *words: str) -> Flags:
        """Tell which items are one of some words, in whatever case."""
        matching = np.zeros(len(self.parent), np.bool_)
        matching[: self.words] = self.word.where(frozenset(words).__contains__)
        return matching

    @property
    def phrase(self) -> Flags:
        """Which items are phrases."""
        return np.arange(len(self.parent)) >= self.words

    @cached_property
    def punctuation(self) -> Flags:
        """Which items are punctuation marks, told by their form."""
        marks = np.zeros(len(self.parent), np.bool_)
        marks[: self.words] = self.word.where(lambda form: bool(_PUNCTUATION.fullmatch(form)))
        return marks & ~self.is_a("IN", "TO", "RB", "DT", "-NONE-")

    def give(self, items: Items | Flags | list[int] | int, function: str) -> None:
        """Give items a function in place of those that they have."""
        self._function[items] = self._functions[function]

    def take_away(self, function: str) -> None:
        """Take one of their functions from all items."""
        kept = self.function.map(lambda text: "-".join(p for p in text.split("-") if p != function))
        numbers = np.fromiter(map(self._functions.__getitem__, kept.vocabulary), np.int32)
        self._function = numbers[kept.codes]

    # ── shape ────────────────────────────────────────────────────────────────────────────────────

    @property
    def forest(self) -> Forest:
        """The items as they are now."""
        return Forest(
            self.words, self.parent, self.category, self.function, self.position, self.full
        )

    @cached_property
    def children(self) -> Children:
        """The items below each item, as they were when :meth:`settle` was called."""
        return self.forest.children

    def bracket(self, parent: int, items: list[int], category: str, function: str = "") -> int:
        """Put a new bracket around some siblings; it is there once :meth:`settle` is called."""
        number = len(self.head) + len(self._new)
        for item in items:
            if item < len(self.head):
                self.parent[item] = number
            else:
                self._new[item - len(self.head)][0] = number
        self._new.append([parent, items[0], category, function])
        return number

    def put(self, item: int, parent: int) -> None:
        """Put an item below another parent."""
        self.parent[item] = parent
        self.holders.add(parent)

    def relabel(self, item: int, model: int) -> None:
        """Give an item the category and the function of another one."""
        self.category.codes[item] = self.category.codes[model]
        self._function[item] = self._function[model]

    def remove(self, item: int) -> None:
        """Take an item without children out of its tree."""
        self.parent[item] = self.head[item] = -1
        self.full[item] = False

    def delimit(self, phrase: int) -> None:
        """Remember that the conjuncts of a phrase are of one word each."""
        self._delimited.append(phrase)

    def settle(self) -> None:
        """Let the new brackets be items, and what was moved be where it is now."""
        if self._new:
            parents, firsts, categories, functions = zip(*self._new, strict=True)
            size, more = len(self.head), len(self._new)
            begin: list[int] = []
            for first in firsts:
                begin.append(int(self.position[first]) if first < size else begin[first - size])
            self.parent = np.append(self.parent, parents)
            self.position = np.append(self.position, begin)
            self.category = Strings.concatenate([self.category, Strings.of(categories)])
            numbers = [self._functions[function] for function in functions]
            self._function = np.append(self._function, np.array(numbers, np.int32))
            self.full = np.append(self.full, np.ones(more, np.bool_))
            self.head = np.append(self.head, np.full(more, -1))
            self.delimited = np.append(self.delimited, np.zeros(more, np.bool_))
            self.punctuation = np.append(self.punctuation, np.zeros(more, np.bool_))
            self._new = []
            self.__dict__.pop("children", None)
        self.delimited[self._delimited] = True
        self._delimited = []
        if self.holders:
            self.__dict__.pop("children", None)
        self.holders = set()

    def descend(self, below: Items) -> Items:
        """Return the word to which each item leads by way of one of its children."""
        return lexical_heads(self.forest, below)

    @property
    def first_word(self) -> Items:
        """The first word of each item, be it a trace."""
        return self.descend(self._edge(self.children.first))

    @property
    def last_word(self) -> Items:
        """The last word of each item, be it a trace."""
        return self.descend(self._edge(self.children.last))

    def _edge(self, edge: Callable[[Items], Items]) -> Items:
        edges = np.full(len(self.parent), -1, np.int64)
        parents = np.flatnonzero(self.children.count)
        edges[parents] = edge(parents)
        return edges

    def any_child(self, chosen: Flags) -> Flags:
        """Tell which items have a child that was chosen."""
        with_child = np.zeros(len(self.parent), np.bool_)
        with_child[self.parent[chosen & (self.parent >= 0)]] = True
        return with_child

    def count_children(self, chosen: Flags) -> Items:
        """Return how many chosen children each item has."""
        below = self.parent[chosen & (self.parent >= 0)]
        return np.bincount(below, minlength=len(self.parent)).astype(np.int64)

    def first_place(self, chosen: Flags) -> Items:
        """Return the place of the first chosen child of each item; a very high one without any."""
        places = np.full(len(self.parent), np.iinfo(np.int64).max)
        items = np.flatnonzero(chosen & (self.parent >= 0))
        np.minimum.at(places, self.parent[items], self.children.place[items])
        return places

    @cached_property
    def links(self) -> list[Link]:
        """The traces that have an antecedent, in the order of the words."""
        traces = np.flatnonzero(self.corpus.traces)
        forms = self.corpus.form[traces].tolist()
        matches = [(row, _LINKED.fullmatch(form)) for row, form in zip(traces, forms, strict=True)]
        pairs = [(int(row), match[1], match[2]) for row, match in matches if match]
        if not pairs:
            return []
        sentence = self.corpus.words.sentence_of_row()
        targets = self.antecedents
        return [
            (kind, row, targets[int(sentence[row]), index])
            for row, kind, index in pairs
            if (int(sentence[row]), index) in targets
        ]

    @cached_property
    def antecedents(self) -> dict[tuple[int, str], int]:
        """The phrase that has an index, by sentence and index; of several the first one."""
        index = self.corpus.label.map(lambda label: split_label(label).index)
        rows = np.flatnonzero(index.where(bool))
        sentence = self.corpus.nodes.sentence_of_row()[rows].tolist()
        keys = list(zip(sentence, index[rows].tolist(), strict=True))
        return dict(reversed(list(zip(keys, (rows + self.words).tolist(), strict=True))))

    @cached_property
    def parallels(self) -> list[tuple[int, int]]:
        """The remnants of gapped conjuncts (``NP=1``), each with what it is parallel to."""
        gap = self.corpus.label.map(lambda label: split_label(label).gap)
        rows = np.flatnonzero(gap.where(bool))
        sentence = self.corpus.nodes.sentence_of_row()[rows].tolist()
        targets = self.antecedents
        keys = zip(sentence, gap[rows].tolist(), strict=True)
        return [
            (item, targets[key])
            for item, key in zip((rows + self.words).tolist(), keys, strict=True)
            if key in targets
        ]
