"""The words of constituent trees as numbers, with two rows of nothing around each tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Table
from commonground.corpus.table import places_in_runs
from commonground.parsers.atoms import atoms, shape

__all__ = [
    "ANCHORS",
    "ATTRIBUTES",
    "EXTRAS",
    "NOTHING",
    "SpanRows",
    "TaggedWords",
    "length_classes",
    "span_rows",
    "tagged_words",
]

ATTRIBUTES = ("form", "tag", "lower", "suffix", "shape")
EXTRAS = ("length", "tags", "marks", "verbs", "pattern")
ANCHORS = ("b", "e", "p", "q", "v", "c")
"""The first and the last word of a span, and inside of it, after its first word: the first and the
last preposition, the first verb, and the first conjunction or comma."""

_PREPOSITIONS = frozenset("IN TO ADP P PREP APPR APPRART P+D".split())
_CONJUNCTIONS = frozenset("CC CCONJ CONJ KON C , PUNCT $,".split())

_EDGE, _FRONT = 4, 3
NOTHING = 1
"""A row that is nothing, and so are those beside it."""
_LENGTHS = np.array([0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 7, *[8] * 6, *[9] * 8, *[10] * 15, 11], np.int32)
_PRIME = np.uint64(0x9E3779B97F4A7C15)

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TaggedWords:
    """The attributes of all rows; word w (from 0) of sentence s has the row ``base[s] + w``.

    `following` are the rows of the next preposition, verb and conjunction from a row on, `previous`
    of the preposition at or before it. Row 1 and those beside it are nothing. `marks` and `verbs`
    are how many there are up to a row.
    """

    attributes: Codes
    base: Numbers
    lengths: Numbers
    offsets: Numbers
    tags: NDArray[np.uint64]
    groups: NDArray[np.uint64]
    marks: Numbers
    verbs: Numbers
    following: Numbers
    previous: Numbers


@dataclass(frozen=True, slots=True)
class SpanRows:
    """All spans of sentences by start and end; `words` and `rows` are offsets of sentences."""

    words: Numbers
    rows: Numbers
    start: Numbers
    end: Numbers
    anchors: Codes
    extras: Codes


def tagged_words(words: Table) -> TaggedWords:
    """Return words as numbers."""
    lengths = words.lengths
    base = np.cumsum(lengths + _EDGE) - lengths - _EDGE + 2 + _FRONT
    rows = words.row_in_sentence() + np.repeat(base, lengths)
    form, tag = words.strings("form"), words.strings("tag")
    columns = [
        atoms(form),
        atoms(tag),
        atoms(form, str.lower),
        atoms(form, lambda text: text[-3:].lower()),
        atoms(form, shape),
    ]
    size = int(lengths.sum() + _EDGE * len(lengths)) + _FRONT
    attributes = np.zeros((size, len(columns)), np.uint32)
    attributes[rows] = np.stack(columns, axis=1).astype(np.uint32)
    tags, marks, verbs = np.zeros(size, np.uint64), np.zeros(size), np.zeros(size)
    tags[rows] = columns[1]
    groups = np.zeros(size, np.uint64)
    groups[rows] = atoms(tag, lambda text: text[:2])
    marks[rows] = form.where(lambda text: not any(map(str.isalnum, text)))
    verbs[rows] = tag.where(lambda text: text[:1] in "Vv" or text == "AUX")
    kinds = np.zeros((3, size), np.bool_)
    kinds[0, rows] = tag.where(lambda text: text in _PREPOSITIONS)
    kinds[1] = verbs > 0
    kinds[2, rows] = tag.where(lambda text: text in _CONJUNCTIONS)
    place = np.arange(size)
    following = np.minimum.accumulate(np.where(kinds, place, size)[:, ::-1], axis=1)[:, ::-1]
    previous = np.maximum.accumulate(np.where(kinds[0], place, 0))
    return TaggedWords(
        attributes.view(np.int32),
        base,
        lengths,
        words.offsets,
        tags,
        groups,
        np.cumsum(marks).astype(np.int64),
        np.cumsum(verbs).astype(np.int64),
        following,
        previous,
    )


def span_rows(words: TaggedWords, first: int, last: int) -> SpanRows:
    """Return all spans of the sentences from `first` to before `last`."""
    lengths = words.lengths[first:last]
    counts = lengths * (lengths + 1) // 2
    sentence = np.repeat(np.arange(first, last), lengths)
    begin = places_in_runs(lengths)
    many = np.repeat(lengths, lengths) - begin
    start = np.repeat(begin, many)
    end = start + places_in_runs(many) + 1
    base = words.base[np.repeat(sentence, many)]
    low, high = base + start, base + end - 1
    anchors = np.stack([low, high, *_landmarks(words, low, high)], axis=1)
    return SpanRows(
        np.concatenate([[0], np.cumsum(lengths)]),
        np.concatenate([[0], np.cumsum(counts)]),
        start,
        end,
        anchors.astype(np.int32),
        _extras(words, low, high),
    )


def _landmarks(words: TaggedWords, low: Numbers, high: Numbers) -> list[Numbers]:
    """Return the rows of the first and last preposition, the first verb and conjunction inside."""
    first = words.following[:, low + 1]
    preposition, verb, conjunction = np.where(first <= high, first, NOTHING)
    last = words.previous[high]
    return [preposition, np.where(last > low, last, NOTHING), verb, conjunction]


def length_classes(lengths: Numbers) -> Codes:
    """Return lengths, of which long ones that differ little are the same."""
    classes: Codes = _LENGTHS[np.minimum(lengths, len(_LENGTHS) - 1)]
    return classes


def _extras(words: TaggedWords, low: Numbers, high: Numbers) -> Codes:
    length = high - low + 1
    marks = np.minimum(words.marks[high] - words.marks[low - 1], 3)
    verbs = np.minimum(words.verbs[high] - words.verbs[low - 1], 3)
    sequence = np.zeros(len(low), np.uint64)  # the tags of a short span, all of them
    with np.errstate(over="ignore"):
        for place in range(6):
            inside = length > place
            tag = words.tags[np.minimum(low + place, high)]
            sequence = np.where(inside, (sequence ^ tag) * _PRIME + np.uint64(1), sequence)
    sequence = np.where(length <= 6, sequence >> np.uint64(32), np.uint64(0))
    columns = [
        length_classes(length),
        sequence,
        marks,
        verbs,
        _patterns(words, low, high),
    ]
    extras = np.stack([np.asarray(column).astype(np.uint32) for column in columns], axis=1)
    return np.ascontiguousarray(extras).view(np.int32)


def _patterns(words: TaggedWords, low: Numbers, high: Numbers) -> NDArray[np.uint64]:
    """Return the tags of spans of up to 16 words, where several in a row count as one."""
    pattern, last = np.zeros(len(low), np.uint64), np.zeros(len(low), np.uint64)
    with np.errstate(over="ignore"):
        for place in range(16):
            tag = words.groups[np.minimum(low + place, high)]
            new = (low + place <= high) & (tag != last)
            pattern = np.where(new, (pattern ^ tag) * _PRIME + np.uint64(1), pattern)
            last = tag
    return np.where(high - low < 16, pattern >> np.uint64(32), np.uint64(0))
