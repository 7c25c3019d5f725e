# cython: language_level=3, embedsignature=True
"""The compiled twin of arborescence.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t

from commonground.kernels.arborescence import checked

cdef int64_t NONE = -(<int64_t>1 << 60)


cdef bint _reachable(
    int64_t[:, ::1] table, Py_ssize_t size, int32_t[::1] seen, int32_t[::1] left
) noexcept nogil:
    """Tell whether there is a way from ROOT to each word."""
    cdef Py_ssize_t count = 1, waiting = 1, h, m
    for m in range(size):
        seen[m] = m == 0
    left[0] = 0
    while waiting:
        waiting -= 1
        h = left[waiting]
        for m in range(size):
            if table[h, m] > NONE and not seen[m]:
                seen[m] = 1
                count += 1
                left[waiting] = <int32_t>m
                waiting += 1
    return count == size


cdef void _best(
    int64_t[:, ::1] table,
    int32_t[:, ::1] source,
    int32_t[:, ::1] goal,
    Py_ssize_t size,
    int32_t[:, ::1] parts,  # per cycle: the node that each word was part of
    int32_t[:, ::1] cycles,  # per cycle: its nodes, in ascending order
    int32_t[:, ::1] old_source,
    int32_t[:, ::1] old_goal,
    int32_t[::1] lengths,
    int32_t[::1] alive,
    int32_t[::1] inside,
    int32_t[::1] chosen,
    int32_t[::1] mark,
    int32_t[::1] entered,
    int32_t* heads,
) noexcept nogil:
    cdef Py_ssize_t h, m, i, j, node, start, first, count = size, rounds = 0, length
    cdef Py_ssize_t other, enter, leave, place, opened
    cdef int64_t top, value
    cdef bint found
    for i in range(size):
        alive[i] = inside[i] = <int32_t>i
        for j in range(size):
            source[i, j], goal[i, j] = <int32_t>i, <int32_t>j
    while True:
        for i in range(1, count):
            m = alive[i]
            chosen[m] = 0
            top = NONE - 1
            for j in range(count):
                h = alive[j]
                if h != m and table[h, m] > top:
                    top, chosen[m] = table[h, m], <int32_t>h
        for i in range(size):
            mark[i] = -1
        mark[0] = 0
        found = False
        for i in range(1, count):
            start = node = alive[i]
            while mark[node] < 0:
                mark[node] = <int32_t>start
                node = chosen[node]
            if node and mark[node] == start:
                found = True
                break
        if not found:
            break
        for i in range(size):
            mark[i] = 0
        while not mark[node]:
            mark[node] = 1
            node = chosen[node]
        length = 0
        for i in range(count):
            if mark[alive[i]]:
                m = alive[i]
                cycles[rounds, length] = <int32_t>m
                old_source[rounds, length] = source[chosen[m], m]
                old_goal[rounds, length] = goal[chosen[m], m]
                length += 1
        lengths[rounds] = <int32_t>length
        first = cycles[rounds, 0]
        for i in range(count):
            other = alive[i]
            if mark[other]:
                continue
            enter, leave, top = -1, first, NONE
            for j in range(length):
                m = cycles[rounds, j]
                value = table[other, m] - table[chosen[m], m] if table[other, m] > NONE else NONE
                if enter < 0 or value > top:
                    top, enter = value, m
                if table[m, other] > table[leave, other]:
                    leave = m
            value = table[other, enter]
            if value > NONE:
                value -= table[chosen[enter], enter]
            # Arcs inside of the cycle are not changed, so that `chosen` keeps its score.
            table[other, first] = value
            source[other, first], goal[other, first] = source[other, enter], goal[other, enter]
            table[first, other] = table[leave, other]
            source[first, other], goal[first, other] = source[leave, other], goal[leave, other]
        for i in range(size):
            parts[rounds, i] = inside[i]
            if mark[inside[i]]:
                inside[i] = <int32_t>first
        j = 0
        for i in range(count):
            if not mark[alive[i]] or alive[i] == first:
                alive[j] = alive[i]
                j += 1
        count = j
        rounds += 1
    for i in range(1, count):
        m = alive[i]
        heads[goal[chosen[m], m] - 1] = source[chosen[m], m]
        entered[m] = goal[chosen[m], m]
    while rounds:
        rounds -= 1
        place = entered[cycles[rounds, 0]]
        opened = parts[rounds, place]
        for j in range(lengths[rounds]):
            m = cycles[rounds, j]
            if m != opened:
                heads[old_goal[rounds, j] - 1] = old_source[rounds, j]
                entered[m] = old_goal[rounds, j]
        entered[opened] = <int32_t>place


def best_trees(words, arcs, head, word, score):
    """Return the head of each word in the best tree, -1 for the words of a sentence without any."""
    checked(words, arcs, head, word, score)
    cdef const int64_t[::1] word_at = np.ascontiguousarray(words, np.int64)
    cdef const int64_t[::1] arc_at = np.ascontiguousarray(arcs, np.int64)
    cdef const int32_t[::1] heads_of = np.ascontiguousarray(head, np.int32)
    cdef const int32_t[::1] words_of = np.ascontiguousarray(word, np.int32)
    cdef const int64_t[::1] scores_of = np.ascontiguousarray(score, np.int64)
    cdef Py_ssize_t count = word_at[word_at.shape[0] - 1], sentence, size, a, i, j, roots
    array = np.full(max(1, count), -1, np.int32)
    cdef int32_t[::1] found = array
    cdef Py_ssize_t width = int(np.diff(words).max(initial=0)) + 1
    cdef int64_t[:, ::1] table = np.empty((width, width), np.int64)
    cdef int32_t[:, ::1] source = np.empty((width, width), np.int32)
    cdef int32_t[:, ::1] goal = np.empty((width, width), np.int32)
    cdef int32_t[:, ::1] parts = np.empty((width, width), np.int32)
    cdef int32_t[:, ::1] cycles = np.empty((width, width), np.int32)
    cdef int32_t[:, ::1] old_source = np.empty((width, width), np.int32)
    cdef int32_t[:, ::1] old_goal = np.empty((width, width), np.int32)
    cdef int32_t[:, ::1] lists = np.zeros((6, width), np.int32)
    cdef int64_t worse, value
    with nogil:
        for sentence in range(word_at.shape[0] - 1):
            size = word_at[sentence + 1] - word_at[sentence] + 1
            if size == 1:
                continue
            for i in range(size):
                for j in range(size):
                    table[i, j] = NONE
            worse = 0
            for a in range(arc_at[sentence], arc_at[sentence + 1]):
                value = scores_of[a] if scores_of[a] > 0 else -scores_of[a]
                worse = value if value > worse else worse
            worse = 2 * size * worse + 1
            for a in range(arc_at[sentence], arc_at[sentence + 1]):
                i, j = heads_of[a], words_of[a]
                value = scores_of[a] - (worse if i == 0 else 0)
                if value > table[i, j]:
                    table[i, j] = value
            if _reachable(table, size, lists[0], lists[1]):
                _best(
                    table, source, goal, size, parts, cycles, old_source, old_goal, lists[0],
                    lists[1], lists[2], lists[3], lists[4], lists[5], &found[word_at[sentence]],
                )
                roots = 0
                for i in range(word_at[sentence], word_at[sentence + 1]):
                    roots += found[i] == 0
                if roots > 1:  # there was no other tree
                    for i in range(word_at[sentence], word_at[sentence + 1]):
                        found[i] = -1
    return array[:count]
