# cython: language_level=3, embedsignature=True
"""The compiled twin of cky.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t

from commonground.kernels.cky import _checked


cdef void _best(
    Py_ssize_t n,
    const int64_t* score,
    int64_t[:, ::1] best,  # (i, j) for the part to the left of a cut
    int64_t[:, ::1] turned,  # (j, i) for the part to the right of it
    int32_t[:, ::1] cut,
    int32_t[:, ::1] left,
    unsigned char* chosen,
) noexcept nogil:
    cdef Py_ssize_t width, i, j, k, by, waiting = 1
    cdef int64_t most, total
    for width in range(1, n + 1):
        for i in range(n - width + 1):
            j = i + width
            most, by = 0, 0
            if width > 1:
                by = i + 1
                most = best[i, by] + turned[j, by]
                for k in range(i + 2, j):
                    total = best[i, k] + turned[j, k]
                    if total > most:
                        most, by = total, k
            best[i, j] = turned[j, i] = most + score[i * n - i * (i - 1) // 2 - i - 1 + j]
            cut[i, j] = <int32_t>by
    left[0, 0], left[0, 1] = 0, <int32_t>n
    while waiting:
        waiting -= 1
        i, j = left[waiting, 0], left[waiting, 1]
        chosen[i * n - i * (i - 1) // 2 - i - 1 + j] = 1
        if j - i > 1:
            k = cut[i, j]
            left[waiting, 0], left[waiting, 1] = <int32_t>i, <int32_t>k
            left[waiting + 1, 0], left[waiting + 1, 1] = <int32_t>k, <int32_t>j
            waiting += 2


def best_spans(words, score):
    """Tell which spans are the best ones, 2n - 1 for a sentence of n words."""
    _checked(words, score)
    cdef const int64_t[::1] at = np.ascontiguousarray(words, np.int64)
    cdef const int64_t[::1] value = np.ascontiguousarray(score, np.int64)
    array = np.zeros(max(1, value.shape[0]), np.bool_)
    cdef unsigned char[::1] chosen = array.view(np.uint8)
    cdef Py_ssize_t size = int(np.diff(at).max(initial=0)) + 1, sentence, n, start = 0
    cdef int64_t[:, ::1] best = np.empty((size, size), np.int64)
    cdef int64_t[:, ::1] turned = np.empty((size, size), np.int64)
    cdef int32_t[:, ::1] cut = np.empty((size, size), np.int32)
    cdef int32_t[:, ::1] left = np.empty((size + 1, 2), np.int32)
    with nogil:
        for sentence in range(at.shape[0] - 1):
            n = at[sentence + 1] - at[sentence]
            if n:
                _best(n, &value[start], best, turned, cut, left, &chosen[start])
            start += n * (n + 1) // 2
    return array[: value.shape[0]]
