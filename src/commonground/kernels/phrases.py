"""Which of the phrases that all gold standards have stand in a parse, and where they are attached.

This is the plain twin of ``_phrases.pyx``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = ["ATTACHED", "FOUND", "attached"]

Numbers = NDArray[np.int64]
Yields = tuple[Numbers, Numbers, Numbers]
Nodes = tuple[Numbers, Numbers]

FOUND, ATTACHED = 1, 2
"""What is told about a phrase: 0 if the parse does not have it at all."""


def attached(
    yields: Yields,
    lengths: Numbers,
    common: Nodes,
    golds: Sequence[Nodes],
    parses: Sequence[Nodes],
) -> NDArray[np.uint8]:
    """Tell for each parse and each common phrase whether it is there, and attached as in golds.

    `yields` are sets of words, numbered so that larger ones come later: where the stretches of each
    begin, and the first and last word of each stretch, from 1. `lengths` are the numbers of words
    of the sentences. The nodes of trees are where each sentence begins, and their yields in
    ascending order; those over single words and over the whole sentence are left out. The mother of
    X in a tree is its first node that has all words of X and more, or the sentence.

    The anchors of X are the words beside X that all gold standards have in its mother, without
    those in other phrases inside of the next larger common phrase Z around X; all of them, if
    nothing is left. X is attached if the parse has X, the mother has all anchors of X, and has not
    all anchors of Z that are in no gold standard's mother of X (X is not raised out of Z).

    In 'left the station at 9:15', both golds have 2-3 and 4-5 below the sentence; a parse has 2-5:

    >>> column = lambda *numbers: np.array(numbers, np.int64)
    >>> yields = column(0, 1, 2, 3), column(2, 4, 2), column(3, 5, 5)
    >>> gold, parse = (column(0, 2), column(0, 1)), (column(0, 3), column(0, 1, 2))
    >>> attached(yields, column(5), gold, [gold, gold], [gold, parse]).tolist()
    [[2, 2], [1, 1]]
    """
    yields, lengths, common, golds, parses = checked(yields, lengths, common, golds, parses)
    masks = _masks(yields)
    told = np.zeros((len(parses), len(common[1])), np.uint8)
    for sentence, length in enumerate(lengths.tolist()):
        whole = (1 << length + 1) - 2
        phrases = _sentence(common, sentence)
        sites = _sites(phrases, [_sentence(gold, sentence) for gold in golds], masks, whole)
        for number, parse in enumerate(parses):
            nodes = _sentence(parse, sentence)
            here = set(nodes)
            for place, (phrase, (anchors, beyond)) in enumerate(zip(phrases, sites, strict=True)):
                if phrase in here:
                    mother = _mother(phrase, nodes, masks, whole)
                    raised = beyond and not beyond & ~mother
                    right = not anchors & ~mother and not raised
                    at = int(common[0][sentence]) + place
                    told[number, at] = ATTACHED if right else FOUND
    return told


def checked(
    yields: Yields,
    lengths: Numbers,
    common: Nodes,
    golds: Sequence[Nodes],
    parses: Sequence[Nodes],
) -> tuple[Yields, Numbers, Nodes, list[Nodes], list[Nodes]]:
    """Return all columns, after a look at them."""
    first, last = (checks.column(each, np.int64) for each in yields[1:])
    checks.equally_long(first, last)
    begins = checks.offsets(yields[0], len(first))
    checks.within(first, 1, last + 1, "a stretch that ends before it begins")
    lengths = checks.column(lengths, np.int64)
    checks.within(lengths, 0, 1 << 24, "a sentence of too many words")
    highest = np.zeros(len(begins) - 1, np.int64)
    np.maximum.at(highest, np.repeat(np.arange(len(highest)), np.diff(begins)), last)
    trees = []
    for tree in (common, *golds, *parses):
        code = checks.column(tree[1], np.int64)
        offsets = checks.offsets(tree[0], len(code))
        if len(offsets) != len(lengths) + 1:
            raise ValueError("columns of different lengths")
        checks.within(code, 0, len(highest), "a yield that is none")
        checks.ascending(code, offsets, "yields")
        room = np.repeat(lengths, np.diff(offsets))
        checks.within(highest[code], 0, room + 1, "a yield that leaves its sentence")
        trees.append((offsets, code))
    return (
        (begins, first, last),
        lengths,
        trees[0],
        trees[1 : 1 + len(golds)],
        trees[1 + len(golds) :],
    )


def _masks(yields: Yields) -> list[int]:
    """Return the words of each yield as the bits of a number."""
    begins, first, last = (each.tolist() for each in yields)
    masks = []
    for start, stop in pairwise(begins):
        words = 0
        for at in range(start, stop):
            words |= (1 << last[at] + 1) - (1 << first[at])
        masks.append(words)
    return masks


def _sentence(nodes: Nodes, sentence: int) -> list[int]:
    start, stop = nodes[0][sentence : sentence + 2].tolist()
    rows: list[int] = nodes[1][start:stop].tolist()
    return rows


def _mother(phrase: int, nodes: Sequence[int], masks: Sequence[int], whole: int) -> int:
    """Return the words of the first node that has all words of a phrase and more."""
    words = masks[phrase]
    larger = (masks[node] for node in nodes[bisect_right(nodes, phrase) :])
    return next((mother for mother in larger if not words & ~mother), whole)


def _sites(
    phrases: Sequence[int], golds: Sequence[Sequence[int]], masks: Sequence[int], whole: int
) -> list[tuple[int, int]]:
    """Return for each common phrase its anchors, and the words that it must not all reach."""
    mothers = [[_mother(phrase, nodes, masks, whole) for nodes in golds] for phrase in phrases]
    shared, reached = [whole] * len(phrases), [0] * len(phrases)
    for place, groups in enumerate(mothers):
        for words in groups:
            shared[place] &= words
            reached[place] |= words
    above: list[int] = []  # the place of the next larger common phrase, or behind the last one
    inside = [0] * (len(phrases) + 1)  # what smaller phrases have of each phrase, and the sentence
    for place, phrase in enumerate(phrases):
        words = masks[phrase]
        later = range(bisect_right(phrases, phrase), len(phrases))
        above.append(next((at for at in later if not words & ~masks[phrases[at]]), len(phrases)))
        inside[above[place]] |= words
    anchors = []
    for place, phrase in enumerate(phrases):
        beside = shared[place] & ~masks[phrase]
        anchors.append(beside & ~inside[above[place]] or beside)
    beyond = [
        anchors[above[place]] & ~reached[place] if above[place] < len(phrases) else 0
        for place in range(len(phrases))
    ]
    return list(zip(anchors, beyond, strict=True))
