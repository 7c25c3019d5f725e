# cython: language_level=3, embedsignature=True
"""The compiled twin of lineages.py."""

import numpy as np

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

from commonground.kernels import checks
from commonground.kernels.lineages import checked

cdef enum:
    BEGIN = -2
    END = -3


cdef struct Tree:
    const int64_t *node
    const int64_t *place
    const int64_t *parent
    const int64_t *label
    const int64_t *start
    const int64_t *end


def distances(tuple gold not None, tuple system not None, alike):
    """Return for each word the edit distance of its lineages, and how long they are together."""
    ours, theirs, alike = list(checked(gold)), list(checked(system)), checks.square(alike)
    checks.equally_long(ours[0], theirs[0])
    square_array = alike.view(np.uint8).ravel()
    cdef const unsigned char[::1] square = square_array
    cdef int64_t related = alike.shape[0]
    cdef Tree one, two
    fill(&one, ours)
    fill(&two, theirs)
    found = np.zeros((2, len(ours[0])), np.int64)
    cdef int64_t[:, ::1] result = found
    cdef Py_ssize_t words = len(ours[0]), word, long_one, long_two, begin, i, j
    # A lineage has each node at most once, and two markers.
    cdef Py_ssize_t most = max(longest(ours), longest(theirs)) + 2
    cdef int64_t *a = <int64_t *> malloc(3 * most * sizeof(int64_t) + sizeof(int64_t))
    if a == NULL:
        raise MemoryError
    cdef int64_t *b = a + most
    cdef int64_t *row = b + most
    cdef int64_t corner, kept, best
    with nogil:
        for word in range(words):
            long_one = climb(&one, word, a)
            long_two = climb(&two, word, b)
            result[1, word] = long_one + long_two
            # What both begin or end with costs nothing.
            while long_one and long_two and same(
                a[long_one - 1], b[long_two - 1], &square[0] if related else NULL, related
            ):
                long_one -= 1
                long_two -= 1
            begin = 0
            while begin < long_one and begin < long_two and same(
                a[begin], b[begin], &square[0] if related else NULL, related
            ):
                begin += 1
            for j in range(begin, long_two + 1):
                row[j] = j - begin
            for i in range(begin, long_one):
                corner = row[begin]
                row[begin] = i + 1 - begin
                for j in range(begin, long_two):
                    kept = row[j + 1]
                    best = corner + (not same(
                        a[i], b[j], &square[0] if related else NULL, related
                    ))
                    if kept + 1 < best:
                        best = kept + 1
                    if row[j] + 1 < best:
                        best = row[j] + 1
                    row[j + 1] = best
                    corner = kept
            result[0, word] = row[long_two]
    free(a)
    return found[0], found[1]


cdef int fill(Tree *tree, list columns) except -1:
    cdef const int64_t[::1] column
    cdef const int64_t *pointers[6]
    cdef int i
    for i in range(6):
        column = columns[i]
        pointers[i] = &column[0] if column.shape[0] else NULL
    tree.node, tree.place, tree.parent = pointers[0], pointers[1], pointers[2]
    tree.label, tree.start, tree.end = pointers[3], pointers[4], pointers[5]
    return 0


cdef Py_ssize_t longest(list columns) except -1:
    """Return how many nodes the longest way up has; the nodes stand after their parents."""
    cdef const int64_t[::1] parent = columns[2]
    depth_array = np.zeros(parent.shape[0], np.int64)
    cdef int64_t[::1] depth = depth_array
    cdef Py_ssize_t node, most = 0
    for node in range(parent.shape[0]):
        depth[node] = 1 + (depth[parent[node]] if parent[node] >= 0 else 0)
        if depth[node] > most:
            most = depth[node]
    return most


cdef Py_ssize_t climb(Tree *tree, Py_ssize_t word, int64_t *path) noexcept nogil:
    # Writes the lineage of a word and returns how long it is.
    cdef int64_t node = tree.node[word], place = tree.place[word]
    cdef Py_ssize_t length = 0, begins = -1, ends = -1, at
    while node >= 0:
        if tree.label[node] >= 0:
            if tree.start[node] == place:
                begins = length
            if tree.end[node] == place + 1:
                ends = length
            path[length] = tree.label[node]
            length += 1
        node = tree.parent[node]
    if ends >= 0:
        for at in range(length, ends + 1, -1):
            path[at] = path[at - 1]
        path[ends + 1] = END
        length += 1
        begins += begins > ends
    if begins >= 0:
        for at in range(length, begins, -1):
            path[at] = path[at - 1]
        path[begins] = BEGIN
        length += 1
    return length


cdef inline bint same(int64_t a, int64_t b, const unsigned char *square,
                      int64_t related) noexcept nogil:
    if a == b:
        return True
    return 0 <= a < related and 0 <= b < related and square[a * related + b]
