"""Properties of items, to break scores down by: one text per row of a corpus's table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Corpus, Dependencies, Functions, Strings
from commonground.corpus.labels import split_label
from commonground.corpus.shape import word_depth
from commonground.errors import UsageError
from commonground.metrics.settings import Settings

__all__ = ["OF_SENTENCES", "PROPERTIES", "properties_of", "property_of"]

Numbers = NDArray[np.int64]

_DISTANCES = (1, 2, 3, 7, 15)
_LENGTHS = (1, 11, 21, 31, 41, 51)


def property_of(corpus: Corpus, table: str, name: str, settings: Settings) -> Strings:
    """Return a property of every row of a table; the vocabulary is in the order of tables.

    >>> corpus = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> property_of(corpus, "words", "direction", Settings()).tolist()
    ['left', 'root']
    """
    if name in OF_SENTENCES:
        found = OF_SENTENCES[name](corpus)
        return found if table == "sentences" else found[corpus.tables[table].sentence_of_row()]
    if table == "words" and isinstance(corpus, Dependencies) and name in _OF_WORDS:
        return _OF_WORDS[name](corpus, settings)
    if table == "nodes" and isinstance(corpus, Constituents) and name in _OF_NODES:
        return _OF_NODES[name](corpus)
    if table == "nodes" and isinstance(corpus, Functions) and name == "label":
        return corpus.label.map(settings.label)
    known = ", ".join(properties_of(corpus, table))
    raise UsageError(f"{table} cannot be broken down by {name!r}; there are {known}")


def properties_of(corpus: Corpus, table: str) -> tuple[str, ...]:
    """Return the names of the properties that the rows of a table have."""
    if table == "words" and isinstance(corpus, Dependencies):
        return (*_OF_WORDS, *OF_SENTENCES)
    if table == "nodes" and isinstance(corpus, Constituents):
        return (*_OF_NODES, *OF_SENTENCES)
    if table == "nodes" and isinstance(corpus, Functions):
        return ("label", *OF_SENTENCES)
    return tuple(OF_SENTENCES)


def _distance(corpus: Dependencies, _: Settings) -> Strings:
    place = corpus.words.row_in_sentence() + 1
    far = np.abs(place - corpus.head)
    ranges = _in_order(_ranges(far, _DISTANCES), corpus.head == 0, "root")
    missing = corpus.head < 0
    return _in_order(ranges, missing, "none") if missing.any() else ranges


def _direction(corpus: Dependencies, _: Settings) -> Strings:
    place = corpus.words.row_in_sentence() + 1
    codes = np.where(corpus.head == 0, 0, np.where(corpus.head > place, 1, 2))
    codes = np.where(corpus.head < 0, 3, codes).astype(np.int32)
    return Strings(codes, ("root", "left", "right", "none"))


def _word_depth(corpus: Dependencies, _: Settings) -> Strings:
    return _numbers(word_depth(corpus).astype(np.int64))


def _node_depth(corpus: Constituents) -> Strings:
    # A parent stands before its children, so that one pass from the top settles all depths.
    start = np.repeat(corpus.nodes.offsets[:-1], corpus.nodes.lengths)
    depth = np.ones(corpus.nodes.rows, np.int64)
    parent = np.where(corpus.parent >= 0, start + corpus.parent, -1).tolist()
    for row, above in enumerate(parent):
        if above >= 0:
            depth[row] = depth[above] + 1
    return _numbers(depth)


def _length(corpus: Corpus) -> Strings:
    words = corpus.tables.get("words") or corpus.tables["source_words"]  # of a pair, the source
    return _ranges(words.lengths, _LENGTHS)


OF_SENTENCES: dict[str, Callable[[Corpus], Strings]] = {
    "sentence": lambda corpus: corpus.sent_id,
    "sentence-length": _length,
}
"""The properties that all items of a sentence share."""

_OF_WORDS: dict[str, Callable[[Dependencies, Settings], Strings]] = {
    "deprel": lambda corpus, settings: corpus.deprel.map(settings.label),
    "label": lambda corpus, settings: corpus.deprel.map(settings.label),
    "upos": lambda corpus, _: corpus.upos,
    "xpos": lambda corpus, _: corpus.xpos,
    "distance": _distance,
    "direction": _direction,
    "depth": _word_depth,
}
_OF_NODES: dict[str, Callable[[Constituents], Strings]] = {
    "label": lambda corpus: corpus.label.map(lambda label: split_label(label).category),
    "depth": _node_depth,
}
PROPERTIES = tuple(dict.fromkeys([*_OF_WORDS, *_OF_NODES, *OF_SENTENCES]))
"""The names of all properties."""


def _ranges(numbers: Numbers, starts: tuple[int, ...]) -> Strings:
    """Put numbers into ranges that begin with `starts`.

    >>> _ranges(np.array([1, 2, 5, 99]), (1, 2, 3, 7)).tolist()
    ['1', '2', '3–6', '7+']
    """
    names = [
        str(first) if last == first else f"{first}–{last}"
        for first, last in zip(starts, (start - 1 for start in starts[1:]), strict=False)
    ]
    codes = np.searchsorted(np.array(starts), numbers, side="right") - 1
    return Strings(np.maximum(codes, 0).astype(np.int32), (*names, f"{starts[-1]}+"))


def _in_order(column: Strings, first: NDArray[np.bool_], name: str) -> Strings:
    """Give some rows a value of their own, before all others."""
    return Strings(
        np.where(first, 0, column.codes + 1).astype(np.int32), (name, *column.vocabulary)
    )


def _numbers(values: Numbers) -> Strings:
    distinct, codes = np.unique(values, return_inverse=True)
    return Strings(codes.astype(np.int32), [str(value) for value in distinct.tolist()])
