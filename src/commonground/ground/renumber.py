"""Function trees over other words: some are left out, or a parse is put on the gold words.

Yields are sets of words, so that they can be carried from one numbering of the words to another:
when punctuation is left out, or when two sides are segmented in different ways.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions, Table
from commonground.corpus.functions import canonical, parse_yield, yield_text
from commonground.corpus.table import offsets_of
from commonground.ground.yields import yields_of

__all__ = ["renumbered", "words_of_rows"]

Numbers = NDArray[np.int64]


def renumbered(
    corpus: Functions, model: Functions, sentence: Numbers, number: Numbers
) -> Functions:
    """Return function trees on the sentences and the words of `model`.

    Each word of `corpus` gets a `sentence` and there a `number`, from 1; 0 leaves the word out.
    Numbers behind those of the model's words stand for words that it does not have. A node is in
    the sentence of its first word, and for its words of other sentences it has a word there that
    nothing else has; a node all of whose words are left out is none. Words with the same number
    become one.

    >>> tree = Functions.of([("a , b".split(), [("1-3", "root"), ("1-2", "x"), ("2", "punct")])])
    >>> words = Functions.of([("a b".split(), [])])
    >>> short = renumbered(tree, words, np.array([0, 0, 0]), np.array([1, 0, 2]))
    >>> list(zip(short.yields, short.label))
    [('1-2', 'root'), ('1', 'x')]
    """
    row, word = words_of_rows(corpus)
    kept = number[word] > 0
    row, word = row[kept], word[kept]
    first_of_row = np.flatnonzero(np.diff(row, prepend=-1))
    rows = row[first_of_row]
    home = sentence[word[first_of_row]]
    place = np.arange(len(rows)).repeat(np.diff(first_of_row, append=len(row)))
    beyond = 1 + int(number.max(initial=0)) + np.arange(len(row))
    numbers = np.where(sentence[word] == home[place], number[word], beyond)
    order = np.lexsort((numbers, place))
    numbers, place = numbers[order], place[order]
    again = np.flatnonzero((np.diff(numbers) == 0) & (np.diff(place) == 0)) + 1
    numbers, place = np.delete(numbers, again), np.delete(place, again)
    first_of_row = np.flatnonzero(np.diff(place, prepend=-1))
    first, last = numbers[first_of_row], numbers[_ends(first_of_row, len(numbers))]
    size = np.diff(first_of_row, append=len(numbers))
    scattered = {
        at: yield_text(numbers[first_of_row[at] : first_of_row[at] + size[at]].tolist())
        for at in np.flatnonzero(last - first + 1 != size).tolist()
    }
    by_sentence = np.argsort(home, kind="stable")
    nodes = Table(
        offsets_of(np.bincount(home, minlength=len(model))),
        yields=yields_of(first, last, scattered)[by_sentence],
        label=corpus.label[rows][by_sentence],
    )
    return Functions({**model.tables, "nodes": canonical(nodes)})


def words_of_rows(corpus: Functions) -> tuple[Numbers, Numbers]:
    """Return all words of all nodes: the row of the node and the row of the word."""
    stretches = [parse_yield(text) for text in corpus.yields.vocabulary]
    members = [[w - 1 for a, b in spans for w in range(a, b + 1)] for spans in stretches]
    size = np.array([len(spans) for spans in members], np.int64)
    flat = np.array([w for spans in members for w in spans], np.int64)
    codes = corpus.yields.codes
    if not len(codes):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    row = np.repeat(np.arange(len(codes)), size[codes])
    begin = (np.cumsum(size) - size)[codes]
    within = np.arange(len(row)) - np.repeat(np.cumsum(size[codes]) - size[codes], size[codes])
    start = corpus.words.offsets[corpus.nodes.sentence_of_row()]
    return row, flat[begin[row] + within] + start[row]


def _ends(starts: Numbers, length: int) -> Numbers:
    return np.append(starts[1:], length)[: len(starts)] - 1
