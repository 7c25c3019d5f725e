"""Find equal byte strings with whole arrays, where a dictionary would look them up one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["PADDING", "Places", "first_equal"]

Places = NDArray[np.int64]
Words = NDArray[np.uint64]

PADDING = 8
"""Number of bytes after the last string: a word is read whole, even where its string ends."""

_STEP = 7
"""Number of bytes of a string in a word; the eighth is for the mark."""

_MARKS = np.array([1 << 8 * held for held in range(_STEP + 1)], np.uint64)
"""What closes a word that holds so many bytes; the last one says that the string may go on."""

_FEW = 100
"""Number of strings below which a dictionary is faster than arrays."""

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""An odd number without pattern: words multiplied by it differ in their high bits."""


def first_equal(data: bytes, starts: Places, lengths: Places) -> Places:
    """Return for each string the number of the first one that is equal to it.

    String i is the `lengths[i]` bytes of `data` from `starts[i]` on. Strings are compared a word at
    a time: a hash table keeps the first string of each slot, and strings with the same word as that
    one, after the same words before, are taken to be equal to it so far. A string that finds a
    different one in its slot is left to a dictionary, and so are the last few strings that are
    longer than all others. The answer is exact and takes linear time, whatever the bytes are.

    >>> data = b"to be or not to be" + bytes(PADDING)
    >>> first_equal(data, np.array([0, 3, 6, 9, 13, 16]), np.array([2, 2, 2, 3, 2, 2])).tolist()
    [0, 1, 2, 3, 0, 1]
    """
    if len(starts) <= _FEW:
        every = np.arange(len(starts))
        return np.array(_looked_up(data, every, starts, lengths), np.int64)
    word_from = np.ndarray(len(data) - 7, "<u8", data, strides=1)  # one from each byte on
    first, same = _first_in_slot(_closed(word_from[starts], lengths))
    rest = [np.flatnonzero(~same)]
    longer = np.flatnonzero(same & (lengths >= _STEP))
    done = _STEP
    while len(longer) > _FEW:
        words = _closed(word_from[starts[longer] + done], lengths[longer] - done)
        earlier, same = _first_in_slot(words, first[longer].view(np.uint64))
        first[longer] = longer[earlier]
        rest.append(longer[~same])
        done += _STEP
        longer = longer[same & (lengths[longer] >= done)]
    others = np.concatenate([*rest, longer])
    first[others] = _looked_up(data, others, starts[others], lengths[others])
    return first


def _closed(words: Words, lengths: Places) -> Words:
    """Return words with a mark after the bytes of their strings, and nothing behind it.

    Strings of fewer bytes than a word holds get different words by this, even if they end in zeros.
    """
    mark = _MARKS.take(lengths, mode="clip")
    return words & (mark - np.uint64(1)) | mark


def _first_in_slot(*keys: Words) -> tuple[Places, NDArray[np.bool_]]:
    """Return for each row of keys the first row in its slot, and whether that has the same keys."""
    mixed = keys[0] * _SPREAD
    for key in keys[1:]:
        mixed = (mixed ^ key) * _SPREAD
    rows = len(mixed)
    bits = rows.bit_length()
    slots = (mixed >> np.uint64(64 - bits)).view(np.int64)
    table = np.full(1 << bits, rows, np.int32)
    np.minimum.at(table, slots, np.arange(rows, dtype=np.int32))
    earlier = table[slots].astype(np.int64)
    same = keys[0][earlier] == keys[0]
    for key in keys[1:]:
        same &= key[earlier] == key
    return earlier, same


def _looked_up(data: bytes, strings: Places, starts: Places, lengths: Places) -> list[int]:
    """Return for each of these strings the first of them that is equal to it."""
    seen: dict[bytes, int] = {}
    spans = zip(strings.tolist(), starts.tolist(), lengths.tolist(), strict=True)
    return [seen.setdefault(data[at : at + length], string) for string, at, length in spans]
