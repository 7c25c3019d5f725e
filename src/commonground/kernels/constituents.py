"""Find the best constituent trees over spans that could be phrases.

This is the plain twin of ``_constituents.pyx``. Places are those before and after words: a sentence
of n words has n + 1 of them, and sentences follow each other, so that the words from a to before b
of sentence s are between the places ``words[s] + s + a`` and ``words[s] + s + b``. A *candidate* is
a phrase between two places, a *node* is a word or a candidate. The children of a phrase are nodes
that follow each other; each is scored below the label of the phrase, below a phrase that starts
there, and beside the child before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = ["Layout", "best_trees", "layout"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]
Trees = tuple[Numbers, Numbers]

LARGEST = 1 << 40
"""The highest score that a candidate can have, and with a minus the lowest one."""

TOP, ABSENT = -1, -2


@dataclass(frozen=True, slots=True)
class Layout:
    """Which nodes there are, and which rows of scores belong to them.

    Nodes are in the order of their `start`; of those with the same start the word is first.
    `candidate` is the number of each, -1 for a word, and `starting` says where the nodes of each
    place begin. `by_end` has the nodes by their ends, those that start last first; `ending` says
    where those of a place begin, and `rank` which of them a node is. Rows of neighbours are: no
    node and then each node; each node and then none; and for each place, from ``pairs[place]`` on,
    every node that ends there with every one that starts there. Rows of a place from which phrases
    start, and of a node in the longest of them, begin at ``inner[place]``; `inner_place` and
    `inner_node` say which they are.
    """

    start: Numbers
    end: Numbers
    candidate: Numbers
    starting: Numbers
    by_end: Numbers
    ending: Numbers
    rank: Numbers
    pairs: Numbers
    inner: Numbers
    inner_place: Numbers
    inner_node: Numbers


def layout(words: Numbers, start: Numbers, end: Numbers) -> Layout:
    """Return the nodes of sentences with these candidates, and the rows of their scores.

    Two words, and a phrase over both; the second word can stand beside the first one:

    >>> nodes = layout(np.array([0, 2]), np.array([0]), np.array([2]))
    >>> nodes.start.tolist(), nodes.end.tolist(), nodes.candidate.tolist()
    ([0, 0, 1], [1, 2, 2], [-1, 0, -1])
    >>> nodes.pairs.tolist(), nodes.inner_place.tolist(), nodes.inner_node.tolist()
    ([6, 6, 7, 7], [0, 0, 0], [0, 1, 2])
    """
    lengths = np.diff(words)
    places = int(words[-1]) + len(lengths)
    word = np.arange(int(words[-1])) + np.repeat(np.arange(len(lengths)), lengths)
    starts, ends = np.concatenate([word, start]), np.concatenate([word + 1, end])
    number = np.concatenate([np.full(len(word), -1), np.arange(len(start))])
    order = np.lexsort((number, starts))
    starts, ends, number = starts[order], ends[order], number[order]
    every = np.arange(places + 1)
    by_end = np.lexsort((-starts, ends))
    ending = np.searchsorted(ends[by_end], every)
    starting = np.searchsorted(starts, every)
    rank = np.empty(len(starts), np.int64)
    rank[by_end] = np.arange(len(starts)) - ending[ends[by_end]]
    count = np.diff(starting) * np.diff(ending)
    pairs = 2 * len(starts) + np.concatenate([[0], np.cumsum(count)])
    furthest = np.zeros(places, np.int64)
    np.maximum.at(furthest, start, end)
    # All nodes that start from here to before the furthest end, of which the longer ones go.
    many = np.where(furthest > 0, starting[furthest] - starting[:-1], 0)
    place = np.repeat(every[:-1], many)
    node = starting[place] + np.arange(len(place)) - np.repeat(np.cumsum(many) - many, many)
    kept = ends[node] <= furthest[place]
    place, node = place[kept], node[kept]
    inner = np.searchsorted(place, every)
    return Layout(starts, ends, number, starting, by_end, ending, rank, pairs, inner, place, node)


def best_trees(  # noqa: PLR0917  # a kernel takes its arguments by place
    words: Numbers,
    start: Numbers,
    end: Numbers,
    label: Codes,
    score: Numbers,
    below: Codes,
    inside: Codes,
    beside: Codes,
) -> Trees:
    """Return the candidate above each word and above each candidate of the best trees.

    Above the outermost phrase is -1; -2 stands for candidates that are not in the tree. Candidates
    are in the order of their places, and each sentence has one for all its words. The children of a
    phrase with label p that starts at i are the nodes y₁ … yₘ, none of them a phrase over all its
    words. With nothing (x₀ and yₘ₊₁) before and after them, a tree is as good as its candidates c:

        score(c) + below(c, p) + Σ inside(i, y, p) + Σ beside(yₖ₋₁, yₖ, p)

    in the rows of :func:`layout`; the last column of `below` is for the outermost phrase.

    >>> one = np.array([0, 2]), np.array([0, 0]), np.array([1, 2]), np.array([1, 0], np.int32)
    >>> nothing = np.zeros((4, 2), np.int32), np.zeros((10, 2), np.int32)
    >>> below = np.array([[3, 0, 0], [0, 0, 0]], np.int32)
    >>> [column.tolist() for column in best_trees(*one, np.array([-2, 0]), below, *nothing)]
    [[0, 1], [1, -1]]
    """
    nodes, given = checked_trees(words, start, end, label, score, below, inside, beside)
    above_words, above = np.full(int(words[-1]), ABSENT), np.full(len(given[0]), ABSENT)
    for sentence, (first, last) in enumerate(pairwise(words.tolist())):
        if first == last:
            continue
        chart = _Chart(nodes, given, first + sentence, last + sentence)
        for node, parent in chart.tree():
            candidate = int(nodes.candidate[node])
            if candidate < 0:
                above_words[int(nodes.start[node]) - sentence] = parent
            else:
                above[candidate] = parent
    return above_words, above


Given = tuple[Codes, Numbers, Codes, Codes, Codes]


class _Chart:
    """The best parts of one sentence."""

    def __init__(self, nodes: Layout, given: Given, first: int, last: int) -> None:
        self.nodes, self.first, self.last = nodes, first, last
        self.label, self.score, self.below, self.inside, self.beside = given
        self.best: dict[int, int] = {}
        for place in range(first, last):
            self.best[int(nodes.starting[place])] = 0  # the word
        for place in reversed(range(first, last)):
            self._start(place)

    def at(self, place: int) -> range:
        return range(int(self.nodes.starting[place]), int(self.nodes.starting[place + 1]))

    def _labels(self, place: int) -> dict[int, int]:
        """Return the labels of the phrases that start here, and where the last of each ends."""
        last: dict[int, int] = {}
        for node in self.at(place)[1:]:
            last[int(self.label[self.nodes.candidate[node]])] = int(self.nodes.end[node])
        return last

    def _start(self, place: int) -> None:
        """Find the best children of all phrases that start here, shorter phrases first."""
        charts = {p: _Children(self, place, p, until) for p, until in self._labels(place).items()}
        phrases = list(self.at(place))[1:]
        last = max((chart.until for chart in charts.values()), default=place)
        for end in range(place + 1, last + 1):
            done = [node for node in phrases if self.nodes.end[node] == end]
            for node in done:
                candidate = int(self.nodes.candidate[node])
                inner, _ = charts[int(self.label[candidate])].ended(end)
                self.best[node] = inner + int(self.score[candidate])
            for chart in charts.values():
                chart.go_on(end, done)

    def tree(self) -> list[tuple[int, int]]:
        """Return the nodes of the best tree, each with the candidate above it."""
        top = [node for node in self.at(self.first) if self.nodes.end[node] == self.last]
        top = [node for node in top if self.nodes.candidate[node] >= 0]
        outermost = self.below[self.nodes.candidate[top], -1].tolist()
        scores = [self.best[node] + more for node, more in zip(top, outermost, strict=True)]
        chosen = [(top[scores.index(max(scores))], TOP)]
        for node, _ in chosen:
            candidate = int(self.nodes.candidate[node])
            if candidate >= 0:
                chosen += [(child, candidate) for child in self._children(node, candidate)]
        return chosen

    def _children(self, node: int, candidate: int) -> list[int]:
        place, end = int(self.nodes.start[node]), int(self.nodes.end[node])
        chart = _Children(self, place, int(self.label[candidate]), end)
        for between in range(place + 1, end):
            phrases = [one for one in self.at(place)[1:] if self.nodes.end[one] == between]
            chart.go_on(between, phrases)
        _, child = chart.ended(end)
        children = []
        while child >= 0:
            children.append(child)
            child = chart.before[child]
        return children


class _Children:
    """The best children of phrases that start at a place with a label, up to each node."""

    def __init__(self, chart: _Chart, place: int, label: int, until: int) -> None:
        self.chart, self.place, self.label, self.until = chart, place, label, until
        nodes = chart.nodes
        rows = range(int(nodes.inner[place]), int(nodes.inner[place + 1]))
        self.rows = {int(nodes.inner_node[row]): row for row in rows}
        self.total: dict[int, int] = {}
        self.before: dict[int, int] = {}
        self._begin(int(nodes.starting[place]))

    def _own(self, node: int) -> int:
        candidate = int(self.chart.nodes.candidate[node])
        below = int(self.chart.below[candidate, self.label]) if candidate >= 0 else 0
        return self.chart.best[node] + below + int(self.chart.inside[self.rows[node], self.label])

    def _begin(self, node: int) -> None:
        self.total[node] = self._own(node) + int(self.chart.beside[node, self.label])
        self.before[node] = -1

    def _ending(self, place: int) -> list[int]:
        """Return the nodes that end at a place and can be children."""
        nodes = self.chart.nodes
        ends = nodes.by_end[int(nodes.ending[place]) : int(nodes.ending[place + 1])].tolist()
        return [node for node in ends if node in self.total]

    def ended(self, place: int) -> tuple[int, int]:
        """Return the score of the best children up to a place, and the last of them."""
        nodes, best = self.chart.nodes, (0, -1)
        for node in self._ending(place):
            if nodes.start[node] == self.place and nodes.candidate[node] >= 0:
                continue  # it is as long as the phrase
            row = len(nodes.start) + node
            total = self.total[node] + int(self.chart.beside[row, self.label])
            if best[1] < 0 or total > best[0]:
                best = total, node
        return best

    def go_on(self, place: int, phrases: list[int]) -> None:
        """Let phrases that end at a place be first children, and nodes that start there follow."""
        if place >= self.until:
            return
        for node in phrases:
            self._begin(node)
        nodes, following = self.chart.nodes, self.chart.at(place)
        previous = self._ending(place)
        for node in following:
            if nodes.end[node] > self.until:
                continue
            best = 0
            for one in previous:
                row = nodes.pairs[place] + nodes.rank[one] * len(following)
                row += node - following[0]
                total = self.total[one] + int(self.chart.beside[row, self.label])
                if node not in self.before or total > best:
                    best, self.before[node] = total, one
            self.total[node] = best + self._own(node)


def checked_trees(  # noqa: PLR0917  # as the kernel takes them
    words: Numbers,
    start: Numbers,
    end: Numbers,
    label: Codes,
    score: Numbers,
    below: Codes,
    inside: Codes,
    beside: Codes,
) -> tuple[Layout, Given]:
    """Return the arrays of :func:`best_trees` and their layout, after a look at them."""
    label, score = checks.column(label, np.int32), checks.column(score, np.int64)
    starts, ends = checks.column(start, np.int64), checks.column(end, np.int64)
    words = checks.column(words, np.int64)
    if not len(words) or words[0] or (np.diff(words) < 0).any():
        raise ValueError("offsets that descend")
    tables = [np.ascontiguousarray(table, np.int32) for table in (below, inside, beside)]
    if any(table.ndim != 2 for table in tables) or tables[0].shape[1] < 2:
        raise ValueError("scores below no label")
    checks.equally_long(label, score)
    checks.equally_long(starts, label)
    checks.equally_long(ends, label)
    labels = tables[0].shape[1] - 1
    checks.within(label, 0, labels, "a label that is not there")
    checks.within(score, -LARGEST, LARGEST + 1, "a score that is too large")
    whole = _whole(words, starts, ends)
    if len(np.unique(whole)) < np.count_nonzero(np.diff(words)):
        raise ValueError("a sentence without a candidate")
    nodes = layout(words, starts, ends)
    sizes = len(label), len(nodes.inner_node), int(nodes.pairs[-1])
    if tuple(map(len, tables)) != sizes or any(one.shape[1] != labels for one in tables[1:]):
        raise ValueError("scores that do not fit the candidates")
    return nodes, (label, score, tables[0], tables[1], tables[2])


def _whole(words: Numbers, start: Numbers, end: Numbers) -> Numbers:
    """Return the sentences of the candidates over all their words; refuse those that are none."""
    lengths = np.diff(words)
    first = words[:-1] + np.arange(len(lengths))
    places = int(words[-1]) + len(lengths)
    checks.within(start, 0, places, "a candidate outside of the text")
    owner = np.searchsorted(first, start, side="right") - 1
    if (end <= start).any() or (end > (first + lengths)[owner]).any():
        raise ValueError("a candidate that is not in one sentence")
    if (np.diff(start) < 0).any() or (np.diff(end)[np.diff(start) == 0] < 0).any():
        raise ValueError("candidates that are not in order")
    result: Numbers = owner[(start == first[owner]) & (end == (first + lengths)[owner])]
    return result
