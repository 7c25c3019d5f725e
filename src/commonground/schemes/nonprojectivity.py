"""How far trees are from projective: gap degree, edge degree, well-nestedness, level types.

The yield of a word is the word and all that hangs below it; the gap of an arc from h to d are the
words strictly between them that h does not dominate. Then

    gap degree of a word       how many gaps its yield has
    edge degree of an arc      how many connected pieces its gap has
    level type of an arc       depth of d − least depth in its gap, for a non-projective arc
    ill-nested                 a sentence with two yields, none inside of the other, that
                               interleave: a < b < c < d with a, c in one and b, d in the other

The degrees of a sentence are the greatest of its words and arcs. A projective sentence has degrees
0 and is well-nested. Where the level type is positive, something in the gap hangs higher in the
tree than d; the more negative it is, the deeper lies all that is in the gap.

From: Kuhlmann & Nivre (2006), Mildly non-projective dependency structures; Havelka (2007), Beyond
projectivity: multilingual evaluation of constraints and measures on non-projective structures. A
sentence is ill-nested exactly when it has two arcs such that an end of each lies in the gap of the
other (Havelka), so that only non-projective arcs need a look.

Words that are not attached (on and under a cycle or an unknown head) take no part.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies
from commonground.corpus.shape import cyclic, nonprojective_arcs, word_depth
from commonground.errors import UsageError
from commonground.schemes.projectivity import Recovery, recovery

__all__ = [
    "Measures",
    "Nonprojectivity",
    "measured",
    "measures",
    "nonprojectivity",
]

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of a corpus.

    An entry per sentence: `gap_degree`, `edge_degree`, `well_nested`. An entry per non-projective
    arc: the `row` of its word, its `arc_degree` and its `level_type`.
    """

    gap_degree: Numbers
    edge_degree: Numbers
    well_nested: NDArray[np.bool_]
    row: Numbers
    arc_degree: Numbers
    level_type: Numbers


def measures(corpus: Dependencies) -> Measures:
    """Measure all sentences and all non-projective arcs of a corpus.

    In *A hearing is scheduled on the issue today*, the arc from *hearing* (2) to *issue* (7) has
    *is scheduled* in its gap. They hang together, and *scheduled*, at depth 1, hangs two levels
    above *issue*:

    >>> words = "A hearing is scheduled on the issue today".split()
    >>> result = measures(Dependencies.of([(words, [2, 4, 4, 0, 7, 7, 2, 4], ["_"] * 8)]))
    >>> result.gap_degree.tolist(), result.edge_degree.tolist(), result.well_nested.tolist()
    ([1], [1], [True])
    >>> result.row.tolist(), result.level_type.tolist()
    ([6], [2])
    """
    crossing = nonprojective_arcs(corpus)
    depth = word_depth(corpus).astype(np.int64)
    rows = np.flatnonzero(crossing)
    sentence = corpus.words.sentence_of_row()
    gap_degree, edge_degree = np.zeros((2, len(corpus)), np.int64)
    well_nested = np.ones(len(corpus), np.bool_)
    arc_degree, level_type = np.zeros((2, len(rows)), np.int64)
    for place in np.unique(sentence[rows]).tolist():
        start, stop = corpus.offsets[place : place + 2].tolist()
        begin, end = np.searchsorted(rows, [start, stop]).tolist()
        tree = _NumberedSentence(corpus.head[start:stop], depth[start:stop])
        arcs = rows[begin:end] - start
        gaps = [tree.gap(arc) for arc in arcs.tolist()]
        arc_degree[begin:end] = [tree.pieces(arc, gap) for arc, gap in zip(arcs, gaps, strict=True)]
        level_type[begin:end] = [
            tree.depth[arc] - tree.depth[gap].min() for arc, gap in zip(arcs, gaps, strict=True)
        ]
        edge_degree[place] = arc_degree[begin:end].max()
        gap_degree[place] = tree.blocks() - 1
        well_nested[place] = not tree.interleaves(arcs)
    return Measures(gap_degree, edge_degree, well_nested, rows, arc_degree, level_type)


class _NumberedSentence:
    """A sentence whose words are numbered from 0 such that yields are runs of other numbers.

    `head` is -1 for a word on the root, or without a head; a word and all below it have the numbers
    `begin` to before `end` in preorder.
    """

    def __init__(self, heads: NDArray[np.int32], depth: Numbers) -> None:
        self.depth = depth
        self.attached = depth > 0
        self.head = heads.astype(np.int64) - 1
        self.head[~self.attached | (heads == 0)] = -1
        top_down = np.argsort(depth, kind="stable")[np.count_nonzero(~self.attached) :].tolist()
        head = self.head.tolist()
        size = [1] * len(head)
        for word in reversed(top_down):
            if head[word] >= 0:
                size[head[word]] += size[word]
        begin, free, numbered = [0] * len(head), [0] * len(head), 0
        for word in top_down:
            if head[word] < 0:
                begin[word] = numbered
                numbered += size[word]
            else:
                begin[word] = free[head[word]]
                free[head[word]] += size[word]
            free[word] = begin[word] + 1
        self.begin = np.array(begin)
        self.end = self.begin + size

    def outside(self, head: Numbers | int, words: Numbers | int) -> NDArray[np.bool_]:
        """Tell which words a head does not dominate."""
        number = self.begin[words]
        return self.attached[words] & ((number < self.begin[head]) | (number >= self.end[head]))

    def gap(self, word: int) -> Numbers:
        """Return the gap of the arc to a word."""
        head = int(self.head[word])
        between = np.arange(min(head, word) + 1, max(head, word))
        return between[self.outside(head, between)]

    def pieces(self, word: int, gap: Numbers) -> int:
        """Return how many pieces a gap has: each has one word whose head lies outside of it.

        A head between the ends of the arc is in the gap too: what it dominated would be outside.
        """
        low, high = sorted((int(self.head[word]), word))
        above = self.head[gap]
        return int(np.count_nonzero((above <= low) | (above >= high)))

    def blocks(self) -> int:
        """Return of how many runs of words the yield with most of them consists.

        A run of the yields of a word and of those above it ends here when the next word is not in
        them: these are the words on the way up that do not dominate the next word.
        """
        runs: Counter[int] = Counter()
        order = np.flatnonzero(self.attached).tolist()
        head, begin, end = self.head.tolist(), self.begin.tolist(), self.end.tolist()
        for word, following in zip(order, [*order[1:], -1], strict=True):
            number, at = begin[following] if following >= 0 else -1, word
            while at >= 0 and not begin[at] <= number < end[at]:
                runs[at] += 1
                at = head[at]
        return max(runs.values())

    def interleaves(self, arcs: Numbers) -> bool:
        """Tell whether two of some arcs have ends in each other's gaps."""
        heads = self.head[arcs]
        ends = np.stack([heads, arcs])
        low, high = ends.min(axis=0), ends.max(axis=0)
        for arc, head in zip(arcs.tolist(), heads.tolist(), strict=True):
            here = [(low < end) & (end < high) & self.outside(heads, end) for end in (arc, head)]
            between = (min(arc, head) < ends) & (ends < max(arc, head))
            there = between & self.outside(head, ends)
            if ((here[0] | here[1]) & there.any(axis=0)).any():
                return True
        return False


@dataclass(frozen=True, slots=True)
class Nonprojectivity:
    """The measures of a corpus in numbers: how many sentences or arcs have which value.

    `cyclic` counts the sentences with a cycle, where the words on and under it take no part.
    Summaries of parts of a corpus add up to that of the whole.
    """

    sentences: int
    words: int
    gap_degree: dict[int, int]
    edge_degree: dict[int, int]
    ill_nested: int
    arcs: int
    arc_degree: dict[int, int]
    level_type: dict[int, int]
    cyclic: int = 0

    def __add__(self, other: Nonprojectivity) -> Nonprojectivity:
        return Nonprojectivity(
            self.sentences + other.sentences,
            self.words + other.words,
            _sum(self.gap_degree, other.gap_degree),
            _sum(self.edge_degree, other.edge_degree),
            self.ill_nested + other.ill_nested,
            self.arcs + other.arcs,
            _sum(self.arc_degree, other.arc_degree),
            _sum(self.level_type, other.level_type),
            self.cyclic + other.cyclic,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as JSON has them."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            "gap_degree": _texts(self.gap_degree),
            "edge_degree": _texts(self.edge_degree),
            "ill_nested": self.ill_nested,
            "non_projective_arcs": self.arcs,
            "arc_degree": _texts(self.arc_degree),
            "level_type": _texts(self.level_type),
            "cyclic": self.cyclic,
        }


def nonprojectivity(corpus: Dependencies) -> Nonprojectivity:
    """Return how many sentences and arcs of a corpus have which measures.

    >>> birds = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> nonprojectivity(birds).gap_degree
    {0: 1}
    """
    degrees = measures(corpus)
    return Nonprojectivity(
        len(corpus),
        corpus.words.rows,
        _tally(degrees.gap_degree),
        _tally(degrees.edge_degree),
        int((~degrees.well_nested).sum()),
        len(degrees.row),
        _tally(degrees.arc_degree),
        _tally(degrees.level_type),
        int(cyclic(corpus).sum()),
    )


def measured(corpus: Corpus) -> tuple[Nonprojectivity, Recovery]:
    """Measure a treebank, and tell what comes back of it when it is projectivized."""
    if not isinstance(corpus, Dependencies):
        raise UsageError(f"only dependencies are projective or not, and these are {corpus.kind}")
    return nonprojectivity(corpus), recovery(corpus)


def _tally(numbers: Numbers) -> dict[int, int]:
    values, counts = np.unique(numbers, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _sum(one: dict[int, int], other: dict[int, int]) -> dict[int, int]:
    return dict(sorted((Counter(one) + Counter(other)).items()))


def _texts(tally: dict[int, int]) -> dict[str, int]:
    return {str(value): number for value, number in tally.items()}
