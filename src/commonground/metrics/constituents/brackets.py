"""The brackets of a gold standard and of a parse: what all metrics on constituents look at.

A bracket is the label of a phrase with the words below it. Which words and which brackets count is
a choice, and published numbers depend on it. Without parameters of evalb in the settings:

- Function nodes of relational-realizational trees are left out (Tsarfaty et al. 2012, §4.2).
- Traces (the tag ``-NONE-``) are left out, on both sides; so is punctuation where the settings say
  so, and there the gold standard decides for both sides. Phrases without words left do not count.
- Brackets with the label TOP, ROOT, S1, VROOT or none do not count: no parser gets them wrong.
- Labels are cut at their functions, and tags too (``NP-SBJ-1`` is an NP), unless the settings keep
  `functions`. The other settings about labels hold as well.
- All other brackets count, as often as they are there: in (NP (NP dogs)) there are two of them.
- The words of a phrase need not be continuous: they are compared as a set. Two phrases cross when
  they have words in common, but neither has all words of the other one.

With parameters of evalb, all is as in evalb (see evalb.py); discontinuous phrases, which that
program does not know, are sets of words here too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Strings
from commonground.corpus.labels import split_label
from commonground.corpus.realizational import without_function_nodes
from commonground.kernels import load
from commonground.metrics.constituents.evalb import VALID
from commonground.metrics.equivalence import Equivalence
from commonground.metrics.items import CountedItems, Counts, Items, Side
from commonground.metrics.settings import Settings

__all__ = [
    "ROOTS",
    "BracketComparison",
    "BracketRules",
    "Brackets",
    "extents",
    "shared_words",
]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

ROOTS = frozenset(["", "ROOT", "S1", "TOP", "VROOT"])
"""Labels of nodes that only hold a sentence together."""

_BROKEN = 1 << 62
"""The place of the first discontinuous bracket; so many words no sentence has."""


# ── what counts ──────────────────────────────────────────────────────────────────────────────────


class BracketRules(NamedTuple):
    """How brackets are compared.

    `label` and `tag` return labels and tags as they are compared; `counts` tells whether a phrase
    with a label, as it stands in the file, has a bracket. `alike` are labels and tags that count as
    equal although they differ.
    """

    label: Callable[[str], str]
    tag: Callable[[str], str]
    counts: Callable[[str], bool]
    alike: Equivalence
    labelled: bool = True
    discontinuous_only: bool = False

    @classmethod
    def of(cls, settings: Settings) -> BracketRules:
        """Return the rules that the settings ask for."""
        evalb = settings.evalb
        if evalb is not None:
            deleted = evalb.deleted_labels()
            return cls(
                evalb.label,
                str,
                lambda text: evalb.label(text) not in deleted,
                Equivalence(evalb.equal_labels),
                evalb.labelled,
                evalb.discontinuous_only,
            )

        def category(text: str) -> str:
            return settings.label(text if settings.functions else split_label(text).category)

        def counts(text: str) -> bool:
            return split_label(text).category not in ROOTS

        return cls(category, category, counts, Equivalence())


def shared_words(
    gold: tuple[Constituents, Numbers, Strings],
    system: tuple[Constituents, Numbers, Strings],
    alike: Equivalence,
) -> tuple[Numbers, Numbers, Numbers]:
    """Return how many words read the same in each sentence, and how many each side has.

    Of each side it needs how often each word counts, and a column of text.
    """
    columns = alike.codes(gold[2], system[2])
    counted: tuple[Numbers, Numbers, Numbers] = load("bracketing").shared_words(
        *(
            (side.words.offsets, times, codes)
            for (side, times, _), codes in zip((gold, system), columns, strict=True)
        ),
        alike.alike,
    )
    return counted


# ── the comparison ───────────────────────────────────────────────────────────────────────────────


class Brackets(NamedTuple):
    """The brackets of one side that count.

    Per bracket: the row of its node, its sentence, the code of its label, where its words start and
    end, and its `place`. Brackets have the same place when they have the same words; in a sentence,
    places ascend. `offsets` tells where each sentence begins.
    """

    rows: Numbers
    sentence: Numbers
    label: Numbers
    start: Numbers
    end: Numbers
    place: Numbers
    offsets: Numbers

    @property
    def broken(self) -> Flags:
        """Which brackets are discontinuous."""
        return np.asarray(self.place >= _BROKEN)


class _Shared(NamedTuple):
    """How many brackets the sentences have, and share (see kernels/bracketing.py)."""

    gold: Numbers
    system: Numbers
    labelled: Numbers
    unlabelled: Numbers
    crossing: Numbers


class BracketComparison:
    """A gold standard and a parse of the same words, with what counts of them.

    `gold_times` and `system_times` tell how often each word counts: 0 for one that is left out.
    `status` tells per sentence whether it is compared at all: 0 (VALID), or why not. `analyses` are
    both treebanks as they were; `gold` and `system` have no function nodes.
    """

    def __init__(
        self,
        gold: Constituents,
        system: Constituents,
        gold_times: Numbers,
        system_times: Numbers,
        status: Numbers,
        settings: Settings,
    ) -> None:
        self.analyses = (gold, system)
        self.gold, self.system = (
            without_function_nodes(side, settings.function_nodes) for side in self.analyses
        )
        self.gold_times = gold_times
        self.system_times = system_times
        self.status = status
        self.settings = settings
        self.rules = BracketRules.of(settings)
        self._labels = self.rules.alike.vocabulary()
        self._yields: dict[int, int] = {}

    @cached_property
    def scored_sentences(self) -> Flags:
        """Which sentences are compared."""
        return np.asarray(self.status == VALID)

    # ── brackets ─────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def gold_brackets(self) -> Brackets:
        """The brackets of the gold standard."""
        return self._brackets(self.gold, self.gold_times)

    @cached_property
    def system_brackets(self) -> Brackets:
        """The brackets of the parse."""
        return self._brackets(self.system, self.system_times)

    def _brackets(self, corpus: Constituents, times: Numbers) -> Brackets:
        start, end, words = extents(corpus, times)
        sentence, label = corpus.nodes.sentence_of_row(), self.codes(corpus)
        keep = (words > 0) & corpus.label.where(self.rules.counts)
        if not self.scored_sentences.all():
            keep &= self.scored_sentences[sentence]
        broken = words != end - start
        if self.rules.discontinuous_only:
            keep &= broken
        place = (start << 32) - end
        for number in _distinct(sentence[keep & broken]):
            nodes = slice(*corpus.nodes.offsets[number : number + 2].tolist())
            masks = yields(corpus, times, number)
            codes = [self._yields.setdefault(mask, len(self._yields)) for mask in masks]
            place[nodes] = np.where(broken[nodes], _BROKEN + np.array(codes), place[nodes])
        rows = np.flatnonzero(keep)
        # Where phrases are scattered, or were before words were left out, places do not ascend yet.
        if ((np.diff(place[rows]) < 0) & (np.diff(sentence[rows]) == 0)).any():
            rows = rows[np.lexsort((place[rows], sentence[rows]))]
        offsets = np.searchsorted(sentence[rows], np.arange(len(corpus) + 1))
        return Brackets(
            rows, sentence[rows], label[rows], start[rows], end[rows], place[rows], offsets
        )

    def codes(self, corpus: Constituents) -> Numbers:
        """Return the labels of all nodes as they are compared, in one numbering for both sides."""
        return corpus.label.map(self.rules.label).codes_in(self._labels).astype(np.int64)

    def _matched(self, *, labelled: bool) -> tuple[Flags, Flags]:
        """Tell which brackets of the gold standard, and which of the parse, the other side has."""
        one, two = (
            (b.offsets, b.place, b.label if labelled else np.zeros_like(b.label))
            for b in (self.gold_brackets, self.system_brackets)
        )
        matched: tuple[Flags, Flags] = load("spans").matches(one, two, self.rules.alike.alike)
        return matched

    @cached_property
    def crossing(self) -> Flags:
        """Which brackets of the parse cross a bracket of the gold standard."""
        one, two = self.gold_brackets, self.system_brackets
        # The phrases of a tree do not cross: nor does what both trees have.
        other = np.flatnonzero(~self._matched(labelled=False)[1])
        crosses = np.zeros(len(two.rows), np.bool_)
        crosses[other] = load("spans").crossings(
            (one.offsets, one.start, one.end),
            (np.searchsorted(other, two.offsets), two.start[other], two.end[other]),
        )
        for number in _distinct(one.sentence[one.broken], two.sentence[two.broken]):
            gold = _yields_of_brackets(self.gold, self.gold_times, one, number)
            system = _yields_of_brackets(self.system, self.system_times, two, number)
            rows = slice(*two.offsets[number : number + 2].tolist())
            crosses[rows] = [any(_cross(mask, other) for other in gold) for mask in system]
        return crosses

    # ── words ────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def gold_words(self) -> Numbers:
        """The rows of the gold words that are compared, in the order of the text."""
        return self._words(self.gold, self.gold_times)

    @cached_property
    def system_words(self) -> Numbers:
        """The rows of the words of the parse, each at the place of its partner in `gold_words`."""
        return self._words(self.system, self.system_times)

    def _words(self, corpus: Constituents, times: Numbers) -> Numbers:
        scored = self.scored_sentences[corpus.words.sentence_of_row()]
        return np.repeat(np.arange(corpus.words.rows), np.where(scored, times, 0))

    def same_text(self, gold: Strings, system: Strings) -> Flags:
        """Tell for each pair of words whether two columns read the same, or alike."""
        one, two = self.rules.alike.codes(gold, system)
        return self.rules.alike.same(one[self.gold_words], two[self.system_words])

    # ── items ────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def labelled(self) -> Items:
        """The brackets as items, compared with their labels unless the rules say otherwise."""
        return self._counted_brackets(labelled=self.rules.labelled)

    @cached_property
    def unlabelled(self) -> Items:
        """The brackets as items, compared without their labels."""
        return self._counted_brackets(labelled=False)

    @cached_property
    def crossings(self) -> Numbers:
        """How many brackets of the parse cross a bracket of the gold standard, per sentence."""
        if self._shared is not None:
            return self._shared.crossing
        rows = self.system_brackets.sentence[self.crossing]
        return np.bincount(rows, minlength=len(self.gold)).astype(np.int64)

    @cached_property
    def _shared(self) -> _Shared | None:
        """How many brackets both sides have, counted at once; None where phrases are scattered."""
        if self.rules.discontinuous_only:
            return None
        shared = load("bracketing").shared_brackets(
            self._tree(self.gold, self.gold_times),
            self._tree(self.system, self.system_times),
            self.scored_sentences,
            self.rules.alike.alike,
        )
        return None if shared is None else _Shared(*shared)

    def _tree(self, corpus: Constituents, times: Numbers) -> tuple[NDArray[Any], ...]:
        """Return what the kernel needs of a tree; a label that does not count is -1."""
        rules, words, nodes = self.rules, corpus.words, corpus.nodes
        label = corpus.label.small_values(
            lambda text: self._labels[rules.label(text)] if rules.counts(text) else -1
        )
        parents = words.numbers("parent"), nodes.numbers("parent")
        return words.offsets, parents[0], times, nodes.offsets, parents[1], label

    def _counted_brackets(self, *, labelled: bool) -> Items:
        shared = self._shared
        if shared is None:
            return self._bracket_items(labelled=labelled)
        correct = shared.labelled if labelled else shared.unlabelled
        counts = Counts(
            {
                "correct": correct,
                "gold": shared.gold,
                "system": shared.system,
                "aligned": shared.gold,
            }
        )
        return CountedItems(counts, lambda: self._bracket_items(labelled=labelled))

    def _bracket_items(self, *, labelled: bool) -> Items:
        gold, system = (
            Side(b.rows, b.sentence, right, np.ones(len(right), np.bool_))
            for b, right in zip(
                (self.gold_brackets, self.system_brackets),
                self._matched(labelled=labelled),
                strict=True,
            )
        )
        return Items(gold, system, len(self.gold), table="nodes")

    def words_with(self, gold: Strings, system: Strings) -> Items:
        """Return the words as items; those are correct whose texts in two columns are the same."""
        sides = (self.gold, self.gold_times, gold), (self.system, self.system_times, system)
        shared, lengths, _ = shared_words(*sides, self.rules.alike)
        correct, words = (
            np.where(self.scored_sentences, column, 0) for column in (shared, lengths)
        )
        counts = Counts({"correct": correct, "gold": words, "system": words, "aligned": words})
        return CountedItems(
            counts, lambda: self.word_items(self.same_text(gold, system)), table="words"
        )

    def word_items(self, correct: Flags, further: dict[str, Numbers] | None = None) -> Items:
        """Return the words as items, given which pairs of words are correct."""
        aligned = np.ones(len(correct), np.bool_)
        sentence = self.gold.words.sentence_of_row()[self.gold_words]
        return Items(
            Side(self.gold_words, sentence, correct, aligned),
            Side(self.system_words, sentence, correct, aligned),
            len(self.gold),
            further=further or {},
        )

    def sentence_items(
        self,
        correct: Flags,
        further: dict[str, Numbers] | None = None,
        among: Flags | None = None,
    ) -> Items:
        """Return the sentences as items, given which are correct, all or `among` some of them."""
        rows = np.arange(len(self.gold))
        counted = self.scored_sentences if among is None else self.scored_sentences & among
        side = Side(rows, rows, correct, np.ones(len(rows), np.bool_)).where(counted)
        return Items(side, side, len(rows), table="sentences", further=further or {})


def extents(corpus: Constituents, times: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return for each node where its words start and end, and how many it has left."""
    words, nodes = corpus.words, corpus.nodes
    measured: tuple[Numbers, Numbers, Numbers] = load("spans").extents(
        words.offsets, words.numbers("parent"), times, nodes.offsets, nodes.numbers("parent")
    )
    return measured


def yields(corpus: Constituents, times: Numbers, sentence: int) -> list[int]:
    """Return for each node of a sentence its words, as the bits of a number."""
    words = slice(*corpus.words.offsets[sentence : sentence + 2].tolist())
    nodes = slice(*corpus.nodes.offsets[sentence : sentence + 2].tolist())
    up = corpus.parent[nodes].tolist()
    masks = [0] * (len(up) + 1)  # the last one is for what stands at the top, -1
    place = 0
    for parent, repeat in zip(
        corpus.words.numbers("parent")[words].tolist(), times[words].tolist(), strict=True
    ):
        masks[parent] |= ((1 << repeat) - 1) << place
        place += repeat
    for node in reversed(range(len(up))):
        masks[up[node]] |= masks[node]
    return masks[:-1]


def _yields_of_brackets(
    corpus: Constituents, times: Numbers, brackets: Brackets, sentence: int
) -> list[int]:
    rows = brackets.rows[slice(*brackets.offsets[sentence : sentence + 2].tolist())]
    masks = yields(corpus, times, sentence)
    return [masks[row] for row in (rows - corpus.nodes.offsets[sentence]).tolist()]


def _distinct(*sentences: Numbers) -> list[int]:
    """Return the sentences that occur, each once, in their order."""
    return sorted(set().union(*(column.tolist() for column in sentences)))


def _cross(one: int, two: int) -> bool:
    """Tell whether two sets of words cross.

    >>> _cross(0b0110, 0b1100), _cross(0b0110, 0b0100), _cross(0b0011, 0b1100)
    (True, False, False)
    """
    both = one & two
    return both not in (0, one, two)
