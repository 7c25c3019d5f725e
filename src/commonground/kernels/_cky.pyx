# cython: language_level=3, embedsignature=True
"""The compiled twin of cky.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t

from commonground.kernels.cky import _checked_trees

cdef int64_t LEAST = -(<int64_t>1 << 62)


cdef inline Py_ssize_t _row(Py_ssize_t n, Py_ssize_t i, Py_ssize_t j) noexcept nogil:
    return i * n - i * (i - 1) // 2 - i - 1 + j


cdef inline void _joined(
    Py_ssize_t n, Py_ssize_t i, Py_ssize_t j, Py_ssize_t labels, const int64_t* best,
    int64_t* inside,
) noexcept nogil:
    # The best parts of a span below each label that could be above them.
    cdef Py_ssize_t k, p
    cdef const int64_t* one
    cdef const int64_t* two
    for p in range(labels):
        inside[p] = 0 if j - i == 1 else LEAST
    for k in range(i + 1, j):
        one = best + _row(n, i, k) * labels
        two = best + _row(n, k, j) * labels
        for p in range(labels):
            inside[p] = max(inside[p], one[p] + two[p])


cdef void _tree(
    Py_ssize_t n,
    Py_ssize_t labels,
    const int64_t* at,  # where the candidates of each span begin
    const int32_t* label,
    const int64_t* score,
    const int32_t* below,  # for each candidate, what is added below each label and below nothing
    int64_t* best,
    int64_t* inside,
    int32_t* left,
    int32_t* above,
) noexcept nogil:
    cdef Py_ssize_t width, i, j, k, p, row, each, waiting = 1, by
    cdef int64_t most, total
    cdef const int32_t* more
    for width in range(1, n):
        for i in range(n - width + 1):
            j = i + width
            row = _row(n, i, j)
            _joined(n, i, j, labels, best, inside)
            for p in range(labels):
                best[row * labels + p] = inside[p]
            for each in range(at[row], at[row + 1]):
                total = inside[label[each]] + score[each]
                more = below + each * (labels + 1)
                for p in range(labels):
                    best[row * labels + p] = max(best[row * labels + p], total + more[p])
    left[0], left[1], left[2] = 0, <int32_t>n, <int32_t>labels
    while waiting:
        waiting -= 1
        i, j, p = left[3 * waiting], left[3 * waiting + 1], left[3 * waiting + 2]
        row = _row(n, i, j)
        _joined(n, i, j, labels, best, inside)
        by = -1
        most = inside[p] if p < labels else LEAST
        for each in range(at[row], at[row + 1]):
            total = inside[label[each]] + score[each] + below[each * (labels + 1) + p]
            if total > most:
                most, by = total, each
        if by >= 0:
            above[by] = <int32_t>p
            p = label[by]
        if j - i == 1:
            continue
        for k in range(i + 1, j):
            if best[_row(n, i, k) * labels + p] + best[_row(n, k, j) * labels + p] == inside[p]:
                break
        left[3 * waiting], left[3 * waiting + 1] = <int32_t>i, <int32_t>k
        left[3 * waiting + 3], left[3 * waiting + 4] = <int32_t>k, <int32_t>j
        left[3 * waiting + 2] = left[3 * waiting + 5] = <int32_t>p
        waiting += 2


def best_trees(words, candidates, label, score, below):
    """Return the label above each candidate, -1 where the candidate is not chosen."""
    _checked_trees(words, candidates, label, score, below)
    cdef const int64_t[::1] at = np.ascontiguousarray(words, np.int64)
    cdef const int64_t[::1] first = np.ascontiguousarray(candidates, np.int64)
    cdef const int32_t[::1] own = np.ascontiguousarray(label, np.int32)
    cdef const int64_t[::1] value = np.ascontiguousarray(score, np.int64)
    cdef const int32_t[:, ::1] more = np.ascontiguousarray(below, np.int32)
    cdef Py_ssize_t sentence, n, start = 0, labels = more.shape[1] - 1
    cdef Py_ssize_t size = int(np.diff(at).max(initial=0))
    array = np.full(own.shape[0], -1, np.int32)
    if not own.shape[0]:
        return array
    cdef int32_t[::1] above = array
    cdef int64_t[::1] best = np.empty(size * (size + 1) // 2 * labels + 1, np.int64)
    cdef int64_t[::1] inside = np.empty(labels, np.int64)
    cdef int32_t[::1] left = np.empty(3 * size + 6, np.int32)
    with nogil:
        for sentence in range(at.shape[0] - 1):
            n = at[sentence + 1] - at[sentence]
            if n:
                _tree(n, labels, &first[start], &own[0], &value[0], &more[0, 0], &best[0],
                      &inside[0], &left[0], &above[0])
            start += n * (n + 1) // 2
    return array
