# cython: language_level=3, embedsignature=True
"""The compiled twin of spans.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t

from commonground.kernels import checks
from commonground.kernels.spans import checked_brackets, checked_tree


def extents(word_offsets, word_parent, times, node_offsets, node_parent):
    """Return for each node where its words start and end, and how many there are."""
    cdef const int64_t[::1] word_at, node_at, repeats
    cdef const int32_t[::1] above, up
    word_at, above, repeats, node_at, up = checked_tree(
        word_offsets, word_parent, times, node_offsets, node_parent
    )
    columns = np.zeros((3, up.shape[0]), np.int64)
    cdef int64_t[::1] start = columns[0], end = columns[1], count = columns[2]
    cdef Py_ssize_t sentence, row, node, first, nodes
    cdef int64_t place, repeat
    with nogil:
        for sentence in range(word_at.shape[0] - 1):
            first, nodes = node_at[sentence], node_at[sentence + 1] - node_at[sentence]
            place = 0
            for row in range(word_at[sentence], word_at[sentence + 1]):
                repeat = repeats[row]
                if above[row] >= 0 and repeat:
                    node = first + above[row]
                    if not count[node]:
                        start[node] = place
                    end[node] = place + repeat
                    count[node] += repeat
                place += repeat
            for row in range(nodes - 1, -1, -1):
                if up[first + row] >= 0 and count[first + row]:
                    node = first + up[first + row]
                    if not count[node] or start[first + row] < start[node]:
                        start[node] = start[first + row]
                    if end[first + row] > end[node]:
                        end[node] = end[first + row]
                    count[node] += count[first + row]
    return columns[0], columns[1], columns[2]


def matches(gold, system, alike):
    """Tell which brackets of each side have a partner of their own on the other side."""
    cdef const int64_t[::1] gold_at, gold_place, gold_label, system_at, system_place, system_label
    gold, system, alike = checked_brackets(gold), checked_brackets(system), checks.square(alike)
    checks.equally_long(gold[0], system[0])
    for side in (gold, system):
        checks.ascending(side[1], side[0], "places")
        checks.within(side[2], 0, 1 << 62, "a label below 0")
    gold_at, gold_place, gold_label = gold
    system_at, system_place, system_label = system
    gold_array = np.zeros(gold_place.shape[0], np.bool_)
    system_array = np.zeros(system_place.shape[0], np.bool_)
    cdef unsigned char[::1] gold_found = gold_array.view(np.uint8)
    cdef unsigned char[::1] system_found = system_array.view(np.uint8)
    cdef int64_t related = alike.shape[0]
    cdef const unsigned char[::1] square = alike.view(np.uint8).ravel()
    cdef Py_ssize_t sentence, one, two, last, at
    cdef int64_t label, other
    with nogil:
        for sentence in range(gold_at.shape[0] - 1):
            two, last = system_at[sentence], system_at[sentence + 1]
            for one in range(gold_at[sentence], gold_at[sentence + 1]):
                # Nobody who comes later wants what has a smaller place or is taken.
                while two < last and (system_place[two] < gold_place[one] or system_found[two]):
                    two += 1
                label = gold_label[one]
                at = two
                while at < last and system_place[at] == gold_place[one]:
                    other = system_label[at]
                    if not system_found[at] and (label == other or (
                        label < related and other < related and square[label * related + other]
                    )):
                        gold_found[one] = system_found[at] = True
                        break
                    at += 1
    return gold_array, system_array


def crossings(gold, system):
    """Tell which brackets of the system cross any bracket of the gold standard."""
    cdef const int64_t[::1] gold_at, gold_start, gold_end, system_at, system_start, system_end
    gold, system = checked_brackets(gold), checked_brackets(system)
    checks.equally_long(gold[0], system[0])
    gold_at, gold_start, gold_end = gold
    system_at, system_start, system_end = system
    array = np.zeros(system_start.shape[0], np.bool_)
    cdef unsigned char[::1] found = array.view(np.uint8)
    cdef Py_ssize_t sentence, one, two
    cdef int64_t start, end, other
    with nogil:
        for sentence in range(gold_at.shape[0] - 1):
            for two in range(system_at[sentence], system_at[sentence + 1]):
                start, end = system_start[two], system_end[two]
                for one in range(gold_at[sentence], gold_at[sentence + 1]):
                    if gold_start[one] >= end:
                        continue
                    other = gold_end[one]
                    if gold_start[one] < start:
                        if start < other < end:
                            found[two] = True
                            break
                    elif gold_start[one] > start and other > end:
                        found[two] = True
                        break
    return array
