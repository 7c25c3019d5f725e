"""A gold standard and a parse side by side: what all metrics on dependencies look at.

Everything is a whole column over the words of the corpus. The arrays that are computed once and
used by several metrics are cached.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.kernels import load
from commonground.metrics.items import CountedItems, Counts, Items, Side, totals
from commonground.metrics.scope import in_scope, matched, punctuation
from commonground.metrics.settings import Settings
from commonground.tokens import WordAlignment

__all__ = ["ROOT", "UNKNOWN", "Comparison"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

ROOT, UNKNOWN = -1, -2
"""Heads that are no row: the root, and none that is known (or none that the other side has)."""


class Comparison:
    """A gold standard and a parse whose words are paired.

    `gold_row` and `system_row` are the pairs (`gold_at` and `system_at` pick them from columns);
    the arrays called ``same_…`` tell for each pair
    whether the two words have the same.
    """

    def __init__(
        self, gold: Dependencies, system: Dependencies, alignment: WordAlignment, settings: Settings
    ) -> None:
        self.gold = gold
        self.system = system
        self.alignment = alignment
        self.settings = settings
        self._made: dict[tuple[Callable[..., Flags], tuple[object, ...]], Flags] = {}
        self.gold_row = alignment.gold
        self.system_row = alignment.system
        # Where both sides have the same words, columns are compared as they stand, without copies.
        self.gold_at: slice | Numbers = slice(None) if alignment.identical else self.gold_row
        self.system_at: slice | Numbers = slice(None) if alignment.identical else self.system_row

    # ── heads and labels ─────────────────────────────────────────────────────────────────────────

    @cached_property
    def gold_head(self) -> Numbers:
        """The row of each gold word's head, ROOT or UNKNOWN."""
        return _head_rows(self.gold)

    @cached_property
    def system_head(self) -> Numbers:
        """The row of each system word's head, ROOT or UNKNOWN."""
        return _head_rows(self.system)

    @cached_property
    def gold_of_system(self) -> Numbers:
        """The gold row of each system word, UNKNOWN where it has none."""
        if self.alignment.identical:
            return self.gold_row
        rows = np.full(self.system.words.rows, UNKNOWN)
        rows[self.system_row] = self.gold_row
        return rows

    @cached_property
    def chosen_head(self) -> Numbers:
        """For each pair the gold row of the head that the parse has chosen."""
        head = self.system_head[self.system_at]
        if self.alignment.identical:
            return head
        return np.where(head >= 0, self.gold_of_system[head], head)

    @cached_property
    def same_head(self) -> Flags:
        """Whether the heads are the same."""
        head = self.gold_head[self.gold_at]
        return (head == self.chosen_head) & (head != UNKNOWN)

    @cached_property
    def same_label(self) -> Flags:
        """Whether the labels are the same, as far as the settings distinguish them."""
        return self.same(
            self.gold.deprel.map(self.settings.label), self.system.deprel.map(self.settings.label)
        )

    def same(self, gold: Strings, system: Strings) -> Flags:
        """Tell for each pair whether two columns read the same."""
        return gold.codes[self.gold_at] == system.codes_like(gold)[self.system_at]

    def once(self, make: Callable[..., Flags], *settings: object) -> Flags:
        """Return what a function makes of this pair; several metrics ask, and it is made once."""
        if (make, settings) not in self._made:
            self._made[make, settings] = make(self, *settings)
        return self._made[make, settings]

    # ── which words count ────────────────────────────────────────────────────────────────────────

    @cached_property
    def gold_scored(self) -> Flags:
        """Which gold words count: the filters of the settings, and no word without a head."""
        counted = in_scope(self.settings, _kept(self.gold, self.settings), self.gold.offsets)
        return counted & matched(self.settings, self.gold)

    @cached_property
    def system_scored(self) -> Flags:
        """Which system words count: the gold standard decides where it has the word too."""
        keep = _kept(self.system, self.settings) & matched(self.settings, self.system)
        if not self.scored_sentences.all():
            keep &= self.scored_sentences[self.alignment.sentence_of_system]
        keep[self.system_at] = self.gold_scored[self.gold_at]
        return keep

    @property
    def same_words(self) -> bool:
        """Whether both sides have the same words, and all of them count."""
        one, two = self.gold_scored, self.system_scored
        paired = len(self.gold_row) == len(one) == len(two)
        return bool(paired and one.all() and np.array_equal(self.gold.offsets, self.system.offsets))

    @cached_property
    def attached(self) -> Flags | None:
        """Which system words have a head; None where all of them have one.

        A missing head is not counted as the parse's: precision is over the heads that are there,
        recall over all of the gold standard's.
        """
        known = np.asarray(self.system.head >= 0)
        return None if known.all() else known

    @cached_property
    def scored_sentences(self) -> Flags:
        """Which gold sentences have words that count."""
        return np.asarray(load("columns").counted(self.gold_scored, self.gold.offsets) > 0)

    # ── items ────────────────────────────────────────────────────────────────────────────────────

    def items(
        self, correct: Flags, gold: Flags | None = None, system: Flags | None = None
    ) -> Items:
        """Return the words as items, given which pairs are correct and which words count."""
        mine = self.gold_scored if gold is None else self.gold_scored & gold
        theirs = self.system_scored if system is None else self.system_scored & system
        side = self._gold_side.marked(self.gold_at, correct)
        counts = {
            "correct": self._counted(side.correct & mine, self._gold_side),
            "gold": self._counted(mine, self._gold_side),
            "system": self._counted(theirs, self._system_side),
            "aligned": self._counted(side.aligned & mine, self._gold_side),
        }

        def make() -> Items:
            other = self._system_side.marked(self.system_at, correct)
            return Items(side.where(mine), other.where(theirs), len(self.gold))

        return CountedItems(Counts(counts), make, "words")

    def _counted(self, flags: Flags, side: Side) -> Numbers:
        """Return how many words of each gold sentence have a flag."""
        if side.totals is not None and flags.all():
            return side.totals
        if side.sentence is not self._gold_side.sentence:
            return totals(side.sentence[flags], len(self.gold))
        counts: Numbers = load("columns").counted(flags, self.gold.offsets)
        return counts

    @cached_property
    def _gold_side(self) -> Side:
        return _side(self.gold.words.sentence_of_row(), self.gold_at, len(self.gold))

    @cached_property
    def _system_side(self) -> Side:
        sentence, gold = self.alignment.sentence_of_system, self._gold_side
        if sentence is gold.sentence:
            return gold
        return _side(sentence, self.system_at, len(self.gold))


def _side(sentence: Numbers, paired: slice | Numbers, sentences: int) -> Side:
    """Return all words of a side, none of them correct yet."""
    right, aligned = np.zeros((2, len(sentence)), np.bool_)
    aligned[paired] = True
    rows = np.arange(len(sentence))
    return Side(rows, sentence, right, aligned, totals(sentence, sentences))


def _head_rows(corpus: Dependencies) -> Numbers:
    rows = np.repeat(corpus.offsets[:-1] - 1, corpus.words.lengths)
    rows += corpus.head
    without = np.flatnonzero(corpus.head <= 0)
    rows[without] = np.where(corpus.head[without] == 0, ROOT, UNKNOWN)
    return rows


def _kept(corpus: Dependencies, settings: Settings) -> Flags:
    """Tell which words have a head, and are no punctuation that is left out."""
    marks = punctuation(settings, corpus.form, corpus.xpos, corpus.upos)
    return np.asarray(corpus.head >= 0) & ~marks
