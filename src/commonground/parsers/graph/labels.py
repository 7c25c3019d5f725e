"""Give labels to the arcs of a tree that is there already, looking at the tree around each arc."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.parsers.graph.arcs import near_of
from commonground.parsers.graph.guesses import Guesses, label_guesses
from commonground.parsers.graph.words import Words

__all__ = ["label_rows"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]


def label_rows(
    words: Words, sentence: Numbers, head: Numbers, word: Numbers, guesses: Guesses | None = None
) -> tuple[Codes, Codes]:
    """Return the anchors and extras of the arcs of trees; `guesses` are another parser's.

    The arcs stand in the order of their words; a word whose head is unknown is left out.
    """
    own, above = words.base[sentence] + word, words.base[sentence] + head
    size = len(words.attributes)
    left, right = np.full(size, size, np.int64), np.zeros(size, np.int64)
    np.minimum.at(left, above, own)
    np.maximum.at(right, above, own)
    left[left == size] = 0
    up = np.zeros(size, np.int64)
    up[own] = above
    bits = words.kinds[own]
    under = np.zeros(size, np.int32)
    np.bitwise_or.at(under, above, bits)
    previous, following, earlier, later = _siblings(own, above, bits)
    anchors = np.stack([above, own, left[own], right[own], previous, following, up[above]], axis=1)
    way, far = own > above, near_of(own - above)[:, 1]
    guessed = np.zeros(len(own), np.int32)
    if guesses is not None:
        guessed = label_guesses(guesses, anchors[:, :2])
    beside = earlier | later
    columns = [way, far, under[own], beside, earlier, later, guessed]
    return anchors.astype(np.int32), np.stack(columns, axis=1).astype(np.int32)


def _siblings(own: Numbers, above: Numbers, bits: Codes) -> tuple[Numbers, Numbers, Codes, Codes]:
    """Return the sibling before and after each word (0 is none), and the kinds of all of them."""
    order = np.lexsort((own, above))
    heads, places, kinds = above[order], own[order], bits[order]
    same = np.zeros(len(order) + 1, np.bool_)
    same[1:-1] = heads[1:] == heads[:-1]
    previous = np.where(same[:-1], np.roll(places, 1), 0)
    following = np.where(same[1:], np.roll(places, -1), 0)
    back = np.empty(len(order), np.int64)
    back[order] = np.arange(len(order))
    earlier = _running(kinds, same[:-1])
    later = _running(kinds[::-1], same[1:][::-1])[::-1]
    return previous[back], following[back], earlier[back], later[back]


def _running(kinds: Codes, goes_on: NDArray[np.bool_]) -> Codes:
    """Return the bits of all before in the same run."""
    bits = np.zeros(len(kinds), np.int32)
    seen = 0
    for place, (kind, same) in enumerate(zip(kinds.tolist(), goes_on.tolist(), strict=True)):
        bits[place] = seen = seen if same else 0
        seen |= kind
    return bits
