# cython: language_level=3, embedsignature=True
"""The compiled twin of grammar.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t

from commonground.kernels.grammar import checked

cdef int32_t NONE = -(1 << 30)


cdef inline Py_ssize_t _cell(Py_ssize_t n, Py_ssize_t i, Py_ssize_t j) noexcept nogil:
    return i * n - i * (i - 1) // 2 - i - 1 + j


cdef void _filled(
    Py_ssize_t n,
    const int32_t[::1] starts,
    const int32_t[::1] right,
    const int32_t[::1] parent,
    const int32_t[::1] weight,
    int32_t[:, ::1] chart,  # per cell the score of each symbol
    int32_t[:, ::1] there,  # per cell the symbols that are there, in the order of their coming
    int32_t[::1] count,
) noexcept nogil:
    cdef Py_ssize_t width, i, j, k, cell, one, two, number, rule
    cdef int32_t left, total, value, other
    for width in range(2, n + 1):
        for i in range(n - width + 1):
            j = i + width
            cell = _cell(n, i, j)
            for k in range(i + 1, j):
                one, two = _cell(n, i, k), _cell(n, k, j)
                if not count[two]:
                    continue
                for number in range(count[one]):
                    left = there[one, number]
                    value = chart[one, left]
                    for rule in range(starts[left], starts[left + 1]):
                        other = chart[two, right[rule]]
                        if other == NONE:
                            continue
                        total = value + other + weight[rule]
                        if total > chart[cell, parent[rule]]:
                            if chart[cell, parent[rule]] == NONE:
                                there[cell, count[cell]] = parent[rule]
                                count[cell] += 1
                            chart[cell, parent[rule]] = total


cdef int64_t _children(
    Py_ssize_t n,
    Py_ssize_t i,
    Py_ssize_t j,
    int32_t node,
    const int32_t[::1] starts,
    const int32_t[::1] right,
    const int32_t[::1] parent,
    const int32_t[::1] weight,
    int32_t[:, ::1] chart,
    int32_t[:, ::1] there,
    int32_t[::1] count,
    int32_t[::1] found,
) noexcept nogil:
    """Find where the node was cut, and its two children."""
    cdef Py_ssize_t k, one, two, number, rule, cell = _cell(n, i, j)
    cdef int32_t left
    for k in range(i + 1, j):
        one, two = _cell(n, i, k), _cell(n, k, j)
        for number in range(count[one]):
            left = there[one, number]
            for rule in range(starts[left], starts[left + 1]):
                if parent[rule] != node or chart[two, right[rule]] == NONE:
                    continue
                if chart[one, left] + chart[two, right[rule]] + weight[rule] == chart[cell, node]:
                    found[0], found[1], found[2] = <int32_t>k, left, right[rule]
                    return 1
    return 0


def best_tree(rules, leaves, symbol, score, top, piece):
    """Return the nodes of the best tree, or of the pieces: start, end and symbol of each."""
    checked(rules, leaves, symbol, score, top, piece)
    cdef const int32_t[::1] starts, right, parent, weight
    starts, right, parent, weight = (np.ascontiguousarray(one, np.int32) for one in rules)
    cdef const int32_t[::1] at = np.ascontiguousarray(leaves, np.int32)
    cdef const int32_t[::1] symbols = np.ascontiguousarray(symbol, np.int32)
    cdef const int32_t[::1] scores = np.ascontiguousarray(score, np.int32)
    cdef const int32_t[::1] tops = np.ascontiguousarray(top, np.int32)
    cdef const unsigned char[::1] pieces = np.ascontiguousarray(piece, np.bool_).view(np.uint8)
    cdef Py_ssize_t n = at.shape[0] - 1, cells = n * (n + 1) // 2, w, row, cell, i, j, number
    if not n:
        return np.empty((0, 3), np.int32)
    cdef int32_t[:, ::1] chart = np.full((cells, tops.shape[0]), NONE, np.int32)
    cdef int32_t[:, ::1] there = np.empty((cells, tops.shape[0]), np.int32)
    cdef int32_t[::1] count = np.zeros(cells, np.int32)
    cdef int32_t[::1] found = np.zeros(3, np.int32)
    cdef int32_t goal = -1, most = NONE, one
    cdef int64_t fewest, total
    with nogil:
        for w in range(n):
            cell = _cell(n, w, w + 1)
            for row in range(at[w], at[w + 1]):
                if chart[cell, symbols[row]] == NONE:
                    there[cell, count[cell]] = symbols[row]
                    count[cell] += 1
                if scores[row] > chart[cell, symbols[row]]:
                    chart[cell, symbols[row]] = scores[row]
        _filled(n, starts, right, parent, weight, chart, there, count)
        cell = _cell(n, 0, n)
        for number in range(count[cell]):
            one = there[cell, number]
            if tops[one] > NONE and chart[cell, one] + tops[one] > most:
                goal, most = one, chart[cell, one] + tops[one]
    left = []
    if goal >= 0:
        left.append((0, n, goal))
    else:
        best = [(0, 0)] + [(-(n + 1), 0)] * n
        by = [(0, 0, 0)] * (n + 1)
        for j in range(1, n + 1):
            for i in range(j):
                cell = _cell(n, i, j)
                for number in range(count[cell]):
                    one = there[cell, number]
                    if j - i > 1 and not pieces[one]:
                        continue
                    made = (best[i][0] - 1, best[i][1] + chart[cell, one])
                    if made > best[j]:
                        best[j], by[j] = made, (i, j, one)
        j = n
        while j:
            left.append(by[j])
            j = by[j][0]
    nodes = []
    while left:
        node = left.pop()
        nodes.append(node)
        i, j, one = node
        if j - i > 1:
            if not _children(
                n, i, j, one, starts, right, parent, weight, chart, there, count, found
            ):
                raise AssertionError("a node that was made of nothing")
            left += [(found[0], j, found[2]), (i, found[0], found[1])]
    return np.array(nodes, np.int32)
