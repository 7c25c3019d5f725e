"""The words of constituent trees as numbers, with two rows of nothing around each tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Table
from commonground.corpus.table import places_in_runs
from commonground.parsers.atoms import atoms, shape

__all__ = ["ATTRIBUTES", "EXTRAS", "SpanRows", "TaggedWords", "span_rows", "tagged_words"]

ATTRIBUTES = ("form", "tag", "lower", "suffix", "shape")
EXTRAS = ("length", "tags", "marks", "verbs", "inside")

_EDGE = 4
_LENGTHS = np.array([0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 7, *[8] * 6, *[9] * 8, *[10] * 15, 11], np.int32)
_PRIME = np.uint64(0x9E3779B97F4A7C15)

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TaggedWords:
    """The attributes of all rows; word w (from 0) of sentence s has the row ``base[s] + w``."""

    attributes: Codes
    base: Numbers
    lengths: Numbers
    offsets: Numbers
    tags: NDArray[np.uint64]
    marks: Numbers
    verbs: Numbers


@dataclass(frozen=True, slots=True)
class SpanRows:
    """The spans of some sentences, in the order of the kernel ``cky``: `words` are offsets."""

    words: Numbers
    rows: Numbers
    start: Numbers
    end: Numbers
    anchors: Codes
    extras: Codes


def tagged_words(words: Table) -> TaggedWords:
    """Return words as numbers."""
    lengths = words.lengths
    base = np.cumsum(lengths + _EDGE) - lengths - _EDGE + 2
    rows = words.row_in_sentence() + np.repeat(base, lengths)
    form, tag = words.strings("form"), words.strings("tag")
    columns = [
        atoms(form),
        atoms(tag),
        atoms(form, str.lower),
        atoms(form, lambda text: text[-3:].lower()),
        atoms(form, shape),
    ]
    size = int(lengths.sum() + _EDGE * len(lengths)) or 1
    attributes = np.zeros((size, len(columns)), np.uint32)
    attributes[rows] = np.stack(columns, axis=1).astype(np.uint32)
    tags, marks, verbs = np.zeros(size, np.uint64), np.zeros(size), np.zeros(size)
    tags[rows] = columns[1]
    marks[rows] = form.where(lambda text: not any(map(str.isalnum, text)))
    verbs[rows] = tag.where(lambda text: text[:1] in "Vv")
    return TaggedWords(
        attributes.view(np.int32),
        base,
        lengths,
        words.offsets,
        tags,
        np.cumsum(marks).astype(np.int64),
        np.cumsum(verbs).astype(np.int64),
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
    anchors = np.stack([base + start, base + end - 1], axis=1)
    return SpanRows(
        np.concatenate([[0], np.cumsum(lengths)]),
        np.concatenate([[0], np.cumsum(counts)]),
        start,
        end,
        anchors.astype(np.int32),
        _extras(words, anchors),
    )


def _extras(words: TaggedWords, anchors: Numbers) -> Codes:
    low, high = anchors.T
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
    middle = words.tags[np.minimum(low + 1, high)] ^ words.tags[np.maximum(high - 1, low)]
    columns = [
        _LENGTHS[np.minimum(length, len(_LENGTHS) - 1)],
        sequence,
        marks,
        verbs,
        middle & np.uint64(0xFFFFFFFF),
    ]
    found = np.stack([np.asarray(column).astype(np.uint32) for column in columns], axis=1)
    return np.ascontiguousarray(found).view(np.int32)
