"""A parse on the units of the gold standards, which alone say what the units are.

Units come from the gold standards, so that no parse can change them for itself or for others. A
word of a parse that is a word of its own gold standard lies in the unit of that word; one that
covers all words of a unit, and nothing else, is that unit. Any other word is foreign: it has a
number that no unit has, and a node with a foreign word in it is in no gold standard. So whoever
segments in another way loses the nodes that are concerned, as in an evaluation on the own gold
standard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies, Functions, Table
from commonground.errors import InputError
from commonground.ground.renumber import renumbered
from commonground.ground.units import Mismatch, cut_sentence, differing, side_of, text_mismatch
from commonground.tokens import align_words

__all__ = ["PairedWords", "numbers_of", "pair_words", "placed"]

Numbers = NDArray[np.int64]
Units = tuple[Table, Numbers]
FOREIGN = -1


@dataclass(frozen=True, slots=True)
class PairedWords:
    """The words of a parse as those of its gold standard.

    `first` and `last` are the rows of the gold words that each word covers exactly, FOREIGN where
    there are none; in most cases they are the same. `realigned` and `skipped` are sentences whose
    characters differ. `identical` tells that both sides have the same words everywhere.
    """

    first: Numbers
    last: Numbers
    realigned: tuple[int, ...] = ()
    skipped: tuple[int, ...] = ()
    identical: bool = False


def pair_words(
    gold: tuple[Corpus, Functions], parse: tuple[Corpus, Functions], on_mismatch: Mismatch = "fail"
) -> PairedWords:
    """Pair the words of a parse with those of its gold standard; both are given with their trees.

    Dependencies are paired as in the CoNLL 2018 scorer, everything else by characters.

    >>> from commonground.ground.functions import to_functions
    >>> one = Dependencies.of([(["can", "not", "go"], [3, 3, 0], ["aux", "neg", "root"])])
    >>> two = Dependencies.of([(["cannot", "go"], [2, 0], ["aux", "root"])])
    >>> result = pair_words((one, to_functions(one)), (two, to_functions(two)))
    >>> result.first.tolist(), result.last.tolist()
    ([0, 2], [1, 2])
    """
    words, others = gold[1].words, parse[1].words
    apart = np.flatnonzero(differing([gold[1], parse[1]])).tolist()
    rows = np.full(others.rows, FOREIGN)
    same = np.ones(len(parse[1]), np.bool_)
    same[apart] = False
    rows[np.repeat(same, others.lengths)] = np.flatnonzero(np.repeat(same, words.lengths))
    if not apart:
        return PairedWords(rows, rows, identical=True)
    first, last = rows, rows.copy()
    realigned, skipped = [], []
    for sentence in apart:
        sides = [side_of(*side, sentence) for side in (gold, parse)]
        bounds, alike = cut_sentence(sides, on_mismatch)
        if not bounds and on_mismatch == "fail":
            raise text_mismatch((gold[0], parse[0]), sides, sentence)
        if not bounds:
            skipped.append(sentence)
            continue
        if not alike:
            realigned.append(sentence)
        start, other = int(words.offsets[sentence]), int(others.offsets[sentence])
        for (a, c), (b, d) in pairwise(bounds):
            if d == c + 1:
                first[other + c], last[other + c] = start + a, start + b - 1
    _pair_as_evaluated(gold[0], parse[0], sorted({*apart} - {*realigned, *skipped}), first, last)
    return PairedWords(first, last, tuple(realigned), tuple(skipped))


def _pair_as_evaluated(
    gold: Corpus, parse: Corpus, sentences: Sequence[int], first: Numbers, last: Numbers
) -> None:
    """Pair the words of dependencies as :func:`align_words` does, where one is paired with one."""
    if not (isinstance(gold, Dependencies) and isinstance(parse, Dependencies) and sentences):
        return
    chosen = np.array(sentences, np.int64)
    try:
        aligned = align_words(gold.take(chosen), parse.take(chosen))
    except InputError:  # other characters, which count as the same here: case, brackets
        return
    gold_rows, rows = (
        np.concatenate([np.arange(*side.offsets[s : s + 2]) for s in sentences])
        for side in (gold, parse)
    )
    single = rows[first[rows] == last[rows]]
    first[single] = last[single] = FOREIGN
    first[rows[aligned.system]] = last[rows[aligned.system]] = gold_rows[aligned.gold]


def placed(
    tree: Functions, paired: PairedWords, units: Units, model: Functions, kept: Numbers
) -> Functions:
    """Return a parse on the units of `model`, which has the sentences that are `kept`.

    `units` are the words of its gold standard and the unit of each of them.

    >>> words = Functions.of([(["can", "not", "go"], [("1-3", "")])])
    >>> parse = Functions.of([(["cannot", "go"], [("1-2", ""), ("1", ""), ("2", "")])])
    >>> paired = PairedWords(np.array([0, 2]), np.array([1, 2]))
    >>> units = words.words, np.array([1, 2, 3])
    >>> placed(parse, paired, units, words, np.array([0])).yields.tolist()
    ['3,5', '3', '5']
    >>> model = Functions.of([(["cannot", "go"], [("1-2", "")])])
    >>> units = words.words, np.array([1, 1, 2])
    >>> placed(parse, paired, units, model, np.array([0])).yields.tolist()
    ['1-2', '1', '2']
    """
    sentence, number = numbers_of(tree, paired, units, model, kept)
    return renumbered(tree, model, sentence, number)


def numbers_of(
    tree: Functions, paired: PairedWords, units: Units, model: Functions, kept: Numbers
) -> tuple[Numbers, Numbers]:
    """Return the sentence and the unit of each word of a parse, 0 where its sentence is left out.

    A foreign word has a number behind those of the units.
    """
    place = np.zeros(len(tree), np.int64)
    place[kept] = np.arange(len(kept))
    inside = np.isin(np.arange(len(tree)), kept)
    sentence = tree.words.sentence_of_row()
    number = model.words.lengths[place[sentence]] + 2 + tree.words.row_in_sentence()
    known = np.flatnonzero(paired.first != FOREIGN)
    begin, end = paired.first[known], paired.last[known]
    known = known[exact := (begin == end) | _whole_units(units, begin, end)]
    number[known] = units[1][begin[exact]]
    number[~inside[sentence]] = 0
    return place[sentence], number


def _whole_units(units: Units, begin: Numbers, end: Numbers) -> NDArray[np.bool_]:
    """Tell which stretches of words are all words of one unit."""
    words, numbers = units
    unit = words.sentence_of_row() * (int(numbers.max(initial=0)) + 1) + numbers
    around = np.concatenate([[-1], unit, [-1]])
    one = unit[begin] == unit[end]
    return np.asarray(one & (around[begin] != unit[begin]) & (around[end + 2] != unit[end]))
