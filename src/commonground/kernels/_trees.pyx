# cython: language_level=3, embedsignature=True
"""The compiled twin of trees.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t

from commonground.kernels.trees import checked

DEF VISITED = -2  # on the way up at this moment


def cycles(heads, offsets):
    """Return which words lie on a cycle: whoever climbs from such a word comes back to it."""
    cdef const int32_t[::1] head
    cdef const int64_t[::1] offset
    head, offset = checked(heads, offsets)
    cdef Py_ssize_t rows = head.shape[0], sentences = offset.shape[0] - 1, sentence
    found_array = np.zeros(rows, np.bool_)
    cdef uint8_t[::1] found = found_array.view(np.uint8)
    cdef int64_t[::1] seen = np.full(rows, -1, np.int64)  # the word from which a climb came by
    cdef int64_t first, word, at
    with nogil:
        for sentence in range(sentences):
            first = offset[sentence]
            for word in range(first, offset[sentence + 1]):
                at = word
                while at >= 0 and seen[at] < 0:
                    seen[at] = word
                    at = first + head[at] - 1 if head[at] > 0 else -1
                if at < 0 or seen[at] != word:
                    continue
                while not found[at]:
                    found[at] = True
                    at = first + head[at] - 1
    return found_array


def depth(heads, offsets):
    """Return how many arcs lead from each word to the root; a word with head 0 has depth 1."""
    cdef const int32_t[::1] head
    cdef const int64_t[::1] offset
    head, offset = checked(heads, offsets)
    cdef Py_ssize_t sentences = offset.shape[0] - 1, sentence
    depths_array = np.zeros(head.shape[0], np.int32)
    cdef int32_t[::1] depths = depths_array
    cdef int64_t[::1] path = np.empty(longest(offset), np.int64)
    with nogil:
        for sentence in range(sentences):
            climb(head, offset[sentence], offset[sentence + 1], depths, path)
    return depths_array


def crossing(heads, offsets):
    """Return for each word whether the arc to it is non-projective."""
    cdef const int32_t[::1] head
    cdef const int64_t[::1] offset
    head, offset = checked(heads, offsets)
    cdef Py_ssize_t sentences = offset.shape[0] - 1, sentence
    cdef int64_t most = longest(offset), start, length
    found_array = np.zeros(head.shape[0], np.bool_)
    cdef uint8_t[::1] found = found_array.view(np.uint8)
    cdef int32_t[::1] depths = np.zeros(head.shape[0], np.int32)
    cdef int64_t[::1] path = np.empty(most, np.int64)
    cdef int32_t[:, ::1] room = np.empty((6, most + 2), np.int32)
    with nogil:
        for sentence in range(sentences):
            start = offset[sentence]
            length = offset[sentence + 1] - start
            if length < 3:  # no room for a word between
                continue
            climb(head, start, start + length, depths, path)
            cross(&head[start], &depths[start], <int32_t> length, room, &found[start])
    return found_array


cdef int64_t longest(const int64_t[::1] offsets) noexcept:
    cdef int64_t most = 0
    cdef Py_ssize_t sentence
    for sentence in range(1, offsets.shape[0]):
        most = max(most, offsets[sentence] - offsets[sentence - 1])
    return most


cdef void climb(const int32_t[::1] heads, int64_t first, int64_t end,
                int32_t[::1] depths, int64_t[::1] path) noexcept nogil:
    # Fills in the depths of the words from first to before end, which are 0 at first.
    cdef int64_t word, at, steps
    cdef int32_t found
    for word in range(first, end):
        at = word
        steps = 0
        while depths[at] == 0:
            depths[at] = VISITED
            path[steps] = at
            steps += 1
            if heads[at] <= 0:
                break
            at = first + heads[at] - 1
        if depths[at] == VISITED:
            # At the top, or on a cycle that was entered just now.
            found = 0 if heads[at] == 0 else -1
        else:
            found = depths[at]
        while steps:
            steps -= 1
            if found >= 0:
                found += 1
            depths[path[steps]] = found


cdef void cross(const int32_t *heads, const int32_t *depths, int32_t length, int32_t[:, ::1] room,
                uint8_t *found) noexcept nogil:
    cdef int32_t *order = &room[0, 0]
    cdef int32_t *size = &room[1, 0]
    cdef int32_t *begin = &room[2, 0]
    cdef int32_t *low = &room[3, 0]
    cdef int32_t *high = &room[4, 0]
    cdef int32_t *free = &room[5, 0]  # by depth: a place in the order; then by word: a number
    cdef int32_t i, word, head, reach = 1, first, last, most = 0, attached = 0, numbered = 0

    for i in range(length + 2):
        free[i] = 0
    for word in range(length):
        if depths[word] > 0:
            attached += 1
            free[depths[word] + 1] += 1
    for i in range(1, length + 2):
        free[i] += free[i - 1]
    for word in range(length):
        size[word] = 1
        if depths[word] > 0:
            order[free[depths[word]]] = word
            free[depths[word]] += 1

    for i in range(attached - 1, -1, -1):
        if heads[order[i]] > 0:
            size[heads[order[i]] - 1] += size[order[i]]
    for i in range(attached):
        word = order[i]
        head = heads[word] - 1
        if head < 0:
            begin[word] = numbered
            numbered += size[word]
        else:
            begin[word] = free[head]
            free[head] += size[word]
        free[word] = begin[word] + 1

    for word in range(length):
        if depths[word] > 0:
            low[word] = high[word] = begin[word]
            if heads[word] > 0:
                most = max(most, abs(heads[word] - 1 - word) - 1)
        else:
            low[word] = length
            high[word] = -1
    while reach <= most:
        for word in range(length):
            head = heads[word] - 1
            if depths[word] <= 0 or head < 0:
                continue
            first = min(word, head) + 1
            last = max(word, head) - 1
            if reach <= last - first + 1 < 2 * reach:
                found[word] = (
                    min(low[first], low[last - reach + 1]) < begin[head]
                    or max(high[first], high[last - reach + 1]) >= begin[head] + size[head]
                )
        for word in range(length - reach):
            low[word] = min(low[word], low[word + reach])
            high[word] = max(high[word], high[word + reach])
        reach *= 2
