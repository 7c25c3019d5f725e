"""Words that some theory is silent about, left out of a comparison.

A graph of meaning has no node for many words: DM none for auxiliaries, PSD none for prepositions,
neither one for commas. What a graph says about a phrase it says about the words that it has nodes
for. So theories are compared over the words about which all gold standards have something to say:
the yields of all sides are cut down to them. In trees every word has a place, and nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions, Table
from commonground.corpus.table import offsets_of
from commonground.ground.renumber import renumbered, words_of_rows
from commonground.ground.units import CommonUnits

__all__ = ["covered", "numbered", "without_silent_words"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def covered(trees: Functions) -> Flags:
    """Tell which words are in some node.

    >>> covered(Functions.of([("He will come .".split(), [("1,3", "root"), ("1", "x")])])).tolist()
    [True, False, True, False]
    """
    flags = np.zeros(trees.words.rows, np.bool_)
    flags[words_of_rows(trees)[1]] = True
    return flags


def numbered(words: Table, kept: Flags) -> Numbers:
    """Return the numbers, from 1 in each sentence, of words that are kept; 0 for others.

    >>> words = Functions.of([("He will come".split(), []), (["Yes"], [])]).words
    >>> numbered(words, np.array([True, False, True, True])).tolist()
    [1, 0, 2, 1]
    """
    count = np.cumsum(kept)
    before = np.concatenate([[0], count])[words.offsets[:-1]]
    return np.asarray(np.where(kept, count - np.repeat(before, words.lengths), 0))


def without_silent_words(
    units: CommonUnits, sides: Sequence[Functions], graphs: Sequence[bool]
) -> CommonUnits:
    """Return trees over the units that all those trees cover which are `graphs`.

    `sides` are the trees over the words that they had before.

    >>> graph = Functions.of([("He will come".split(), [("1,3", "root"), ("1", "ACT")])])
    >>> tree = Functions.of([("He will come".split(), [("1-3", "root"), ("1", "x"), ("2-3", "y")])])
    >>> none, rows = np.empty(0, np.int64), np.array([1, 2, 3])
    >>> units = CommonUnits((graph, tree), np.array([0]), none, none, (rows, rows))
    >>> units = without_silent_words(units, [graph, tree], [True, False])
    >>> [tree.yields.tolist() for tree in units.trees], units.numbers[0].tolist()
    ([['1-2', '1'], ['1-2', '1', '2']], [1, 0, 2])
    """
    words = units.trees[0].words
    kept = np.ones(words.rows, np.bool_)
    for tree, is_graph in zip(units.trees, graphs, strict=True):
        if is_graph:
            kept &= covered(tree)
    if kept.all():
        return units
    number, sentence = numbered(words, kept), words.sentence_of_row()
    lengths = np.bincount(sentence[kept], minlength=words.sentences)
    left = Table(offsets_of(lengths), form=words.strings("form")[kept])
    trees = (
        renumbered(tree, Functions({**tree.tables, "words": left}), sentence, number)
        for tree in units.trees
    )
    return replace(
        units,
        trees=tuple(trees),
        numbers=tuple(
            _renamed(side.words, old, units.kept, words, number)
            for side, old in zip(sides, units.numbers, strict=True)
        ),
    )


def _renamed(words: Table, old: Numbers, kept: Numbers, units: Table, number: Numbers) -> Numbers:
    """Return the new numbers of words, given the units that they had and the numbers of these."""
    start = np.zeros(words.sentences, np.int64)
    start[kept] = units.offsets[:-1]
    row = np.where(old > 0, np.repeat(start, words.lengths) + old - 1, 0)
    return np.where(old > 0, number[row], 0) if len(number) else old
