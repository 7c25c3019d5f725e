"""What is seen of phrases and their children: the label and the first word above, and neighbours.

The candidates of the first look (``shortlist.py``) and the words are the nodes of the kernel
``constituents``; the rows here are those of its layout.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.kernels.constituents import ABSENT, TOP, Layout, layout
from commonground.kernels.sparse import Rows
from commonground.parsers.constituency.shortlist import Candidates
from commonground.parsers.constituency.words import (
    ANCHORS,
    ATTRIBUTES,
    EXTRAS,
    NOTHING,
    TaggedWords,
    length_classes,
)
from commonground.parsers.templates import compiled

__all__ = ["BELOW", "BESIDE", "INSIDE", "Families", "families", "gold_tree"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]

_BELOW = """
label
label b.tag
label e.tag
label b-1.tag
label e+1.tag
label length
label b.lower
label e.lower
label b-1.lower
label e+1.lower
label b.tag e.tag
label b-1.tag e+1.tag
label b-1.tag b.tag
label e.tag e+1.tag
label b-1.tag b.lower
label e.lower e+1.tag
label b-1.lower b.tag
label pattern
label v.tag
label v.lower
"""
_INSIDE = """
label i.lower
label i.tag
label i.lower b.lower
label i.tag b.lower
label i.lower b.tag
label i.lower e.lower
label i.lower e.tag
label i.tag far
label i.tag b-1.tag b.lower
label i.tag b-1.lower b.lower
label i.lower b-1.lower b.lower
label i.lower v.lower
label i-1.tag
label i-1.tag i.tag
label i-1.lower
label far length
label b.lower far
label b.lower
label b-1.tag
label b+1.tag
"""
_BESIDE = """
left right
left right x.tag
left right x.lower
left right y.lower
left right x.tag y.tag
left right x.lower y.lower
left right w.tag
left right w.lower y.lower
left right w-1.tag
left right w-1.tag x.tag y.tag
left right z.tag
left right z.lower
left right z+1.tag
left right before
left right after
left right before after
"""

BELOW = compiled(_BELOW.strip().split("\n"), ANCHORS, ATTRIBUTES, (*EXTRAS, "label"))
"""What is seen of a phrase to choose the label above it."""

INSIDE = compiled(_INSIDE.strip().split("\n"), "ibev", ATTRIBUTES, ("label", "far", "length"))
"""What is seen of a child and of the first word i of the phrase above, from which it is so far."""

BESIDE = compiled(
    _BESIDE.strip().split("\n"), "wxyz", ATTRIBUTES, ("left", "right", "before", "after")
)
"""What is seen of neighbours, from w to x and from y to z, and of their lengths."""

_NO_LEFT, _NO_RIGHT = -1, -2


@dataclass(frozen=True, slots=True)
class Families:
    """The nodes of some sentences, and what is seen of them in each family they could be in."""

    nodes: Layout
    below: Rows
    inside: Rows
    beside: Rows

    def members(
        self, lowest: Codes, above_words: Numbers, above: Numbers
    ) -> tuple[tuple[Numbers, Codes], tuple[Numbers, Codes]]:
        """Return the rows of `inside` and of `beside` in a tree, and the labels above them.

        The tree is as the kernel returns it; `lowest` are the labels of the candidates.
        """
        nodes, count = self.nodes, len(self.nodes.start)
        parent = np.empty(count, np.int64)
        words = nodes.candidate < 0
        parent[words], parent[~words] = above_words, above[nodes.candidate[~words]]
        child = np.flatnonzero(parent >= 0)
        child = child[np.argsort(parent[child], kind="stable")]
        parent = parent[child]
        label, place = lowest[parent], self.starts()[parent]
        inside = np.searchsorted(
            nodes.inner_place * count + nodes.inner_node, place * count + child
        )
        begins = np.ones(len(child), np.bool_)
        begins[1:] = parent[1:] != parent[:-1]
        ends = np.append(begins[1:], np.ones(min(1, len(child)), np.bool_))
        left, right = child[:-1][~begins[1:]], child[1:][~begins[1:]]
        between = nodes.start[right]
        following = np.diff(nodes.starting)[between]
        rows = nodes.pairs[between] + nodes.rank[left] * following
        rows += right - nodes.starting[between]
        beside = np.concatenate([child[begins], count + child[ends], rows])
        labels = np.concatenate([label[begins], label[ends], label[~begins]])
        return (inside, label), (beside, labels)

    def starts(self) -> Numbers:
        """Return the place before each candidate."""
        phrases = self.nodes.candidate >= 0
        starts: Numbers = np.empty(np.count_nonzero(phrases), np.int64)
        starts[self.nodes.candidate[phrases]] = self.nodes.start[phrases]
        return starts


def families(words: TaggedWords, first: int, candidates: Candidates) -> Families:
    """Return what is seen of the candidates of sentences, of which this is the first."""
    nodes = layout(candidates.words, candidates.start, candidates.end)
    lengths = np.diff(candidates.words)
    row = np.zeros(int(candidates.words[-1]) + len(lengths) + 1, np.int64)
    sentence = np.repeat(np.arange(len(lengths)), lengths + 1)
    begin = candidates.words[:-1] + np.arange(len(lengths))
    base = words.base[first : first + len(lengths)] - begin
    row[:-1] = base[sentence] + np.arange(len(row) - 1)
    number = nodes.candidate
    low, high = row[nodes.start], row[nodes.start] + nodes.end - nodes.start - 1
    label = np.where(number < 0, words.attributes[low, 1], 0)
    phrases = number >= 0
    label[phrases] = candidates.chain[number[phrases]] + 1
    verb = np.full(len(number), NOTHING)
    verb[phrases] = candidates.anchors[candidates.at[number[phrases]], ANCHORS.index("v")]
    size = length_classes(high - low + 1)
    return Families(
        nodes,
        _below(words, candidates),
        _inside(words, nodes, (low, high, verb), label, size, row),
        _beside(words, nodes, (low, high), label, size),
    )


def _below(words: TaggedWords, candidates: Candidates) -> Rows:
    extras = np.column_stack([candidates.extras[candidates.at], candidates.chain + 1])
    return words.attributes, candidates.anchors[candidates.at], extras, BELOW


def _inside(
    words: TaggedWords,
    nodes: Layout,
    anchors: tuple[Numbers, Numbers, Numbers],
    label: Codes,
    size: Codes,
    row: Numbers,
) -> Rows:
    place, node = row[nodes.inner_place], nodes.inner_node
    low, high, verb = anchors
    columns = [place, low[node], high[node], verb[node]]
    far = length_classes(low[node] - place)
    extras = [label[node], far, size[node]]
    return words.attributes, _codes(columns), _codes(extras), INSIDE


def _beside(
    words: TaggedWords, nodes: Layout, anchors: tuple[Numbers, Numbers], label: Codes, size: Codes
) -> Rows:
    low, high = anchors
    following = np.diff(nodes.starting)
    # Of each place, every node that ends there with every one that starts there.
    many = following[nodes.end[nodes.by_end]]
    left = np.repeat(nodes.by_end, many)
    begins = np.cumsum(many) - many
    right = np.repeat(nodes.starting[nodes.end[nodes.by_end]], many)
    right += np.arange(len(left)) - np.repeat(begins, many)
    nothing = np.zeros(len(low), np.int32)
    columns = [
        np.concatenate([low - 1, low, low[left]]),
        np.concatenate([low - 1, high, high[left]]),
        np.concatenate([low, high + 1, low[right]]),
        np.concatenate([high, high + 1, high[right]]),
    ]
    extras = [
        np.concatenate([nothing + _NO_LEFT, label, label[left]]),
        np.concatenate([label, nothing + _NO_RIGHT, label[right]]),
        np.concatenate([nothing, size, size[left]]),
        np.concatenate([size, nothing, size[right]]),
    ]
    return words.attributes, _codes(columns), _codes(extras), BESIDE


def _codes(columns: list[NDArray[np.signedinteger]]) -> Codes:
    codes: Codes = np.stack(columns, axis=1).astype(np.int32)
    return codes


def gold_tree(candidates: Candidates, right: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """Return the tree of the right candidates of one sentence, as the kernel returns one."""
    above_words = np.full(int(candidates.words[-1]), TOP)
    above = np.full(len(right), ABSENT)
    start, end = candidates.start.tolist(), candidates.end.tolist()
    around: list[int] = []
    for each in sorted(np.flatnonzero(right).tolist(), key=lambda one: (start[one], -end[one])):
        while around and end[around[-1]] <= start[each]:
            around.pop()
        above[each] = around[-1] if around else TOP
        around.append(each)
        above_words[start[each] : end[each]] = each
    return above_words, above
