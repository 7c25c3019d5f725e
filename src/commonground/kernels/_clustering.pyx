# cython: language_level=3, embedsignature=True
"""The compiled twin of clustering.py."""

import numpy as np

from libc.math cimport log2
from libc.stdint cimport int32_t, int64_t

from commonground.kernels.clustering import checked_classes, checked_counts, information

DEF SMALL = 65536

cdef int64_t[::1] _TABLE = np.array([information(n) for n in range(SMALL)], np.int64)


cdef inline int64_t f(const int64_t *table, int64_t n) noexcept nogil:
    return table[n] if n < SMALL else <int64_t> (<double> n * log2(<double> n) * 65536.0 + 0.5)


cdef inline int64_t added(const int64_t *table, int64_t n, int64_t more) noexcept nogil:
    return f(table, n + more) - f(table, n)


cdef inline int64_t joined(const int64_t *table, int64_t a, int64_t b) noexcept nogil:
    return f(table, a) + f(table, b) - f(table, a + b)


cdef void gather(const int64_t[::1] starts, const int32_t[::1] words, const int32_t[::1] counts,
                 const int32_t[::1] of, int32_t word, int32_t *sums, int32_t *which,
                 int32_t *many, int32_t *both) noexcept nogil:
    # The classes beside a word: how often each (all 0 before), and which there are.
    cdef int64_t i
    cdef int32_t each
    many[0] = 0
    both[0] = 0
    for i in range(starts[word], starts[word + 1]):
        if words[i] == word:
            both[0] += counts[i]
            continue
        each = of[words[i]]
        if sums[each] == 0 and counts[i] > 0:
            which[many[0]] = each
            many[0] += 1
        sums[each] += counts[i]


cdef void change(int32_t[:, ::1] table, int32_t[:, ::1] turned, int32_t own, int32_t sign,
                 const int32_t *right, const int32_t *rights, int32_t right_many,
                 const int32_t *left, const int32_t *lefts, int32_t left_many,
                 int32_t both) noexcept nogil:
    # Add a word to a class, or take it away.
    cdef int32_t i, each
    for i in range(right_many):
        each = rights[i]
        table[own, each] += sign * right[each]
        turned[each, own] += sign * right[each]
    for i in range(left_many):
        each = lefts[i]
        table[each, own] += sign * left[each]
        turned[own, each] += sign * left[each]
    table[own, own] += sign * both
    turned[own, own] += sign * both


def exchanged(after, before, classes, int movable):
    """Return the classes of words after each was moved to its best one, in turn."""
    after, before, classes = checked_classes(after, before, classes, movable)
    cdef const int64_t[::1] a_starts = after[0], b_starts = before[0]
    cdef const int32_t[::1] a_words = after[1], a_counts = after[2]
    cdef const int32_t[::1] b_words = before[1], b_counts = before[2]
    result = classes.copy()
    cdef int32_t[::1] of = result
    cdef int32_t words = <int32_t> of.shape[0], word, own, best, c, d, i
    cdef int32_t total = max(movable, int(classes.max()) + 1 if len(classes) else 0)
    cdef int32_t[:, ::1] table = np.zeros((total, total), np.int32)
    cdef int32_t[:, ::1] turned = np.zeros((total, total), np.int32)
    cdef int64_t[::1] rows = np.zeros(total, np.int64), columns = np.zeros(total, np.int64)
    cdef int64_t[::1] gain = np.zeros(total, np.int64)
    cdef int32_t[:, ::1] scratch = np.zeros((4, total), np.int32)
    cdef int32_t *right = &scratch[0, 0]
    cdef int32_t *left = &scratch[1, 0]
    cdef int32_t *rights = &scratch[2, 0]
    cdef int32_t *lefts = &scratch[3, 0]
    cdef int32_t right_many, left_many, both
    cdef int64_t at, outer, inner
    cdef const int64_t *small = &_TABLE[0]
    cdef int32_t *row
    with nogil:
        for word in range(words):
            for at in range(a_starts[word], a_starts[word + 1]):
                table[of[word], of[a_words[at]]] += a_counts[at]
        for c in range(total):
            for d in range(total):
                turned[d, c] = table[c, d]
                rows[c] += table[c, d]
                columns[d] += table[c, d]
        for word in range(words):
            own = of[word]
            if own >= movable:
                continue
            gather(a_starts, a_words, a_counts, of, word, right, rights, &right_many, &both)
            gather(b_starts, b_words, b_counts, of, word, left, lefts, &left_many, &both)
            outer = both
            inner = both
            for i in range(right_many):
                outer += right[rights[i]]
            for i in range(left_many):
                inner += left[lefts[i]]
            change(table, turned, own, -1, right, rights, right_many, left, lefts, left_many, both)
            rows[own] -= outer
            columns[own] -= inner
            for c in range(movable):
                gain[c] = (
                    added(small, table[c, c], left[c] + right[c] + both)
                    - added(small, rows[c], outer) - added(small, columns[c], inner)
                )
            for i in range(left_many):
                d = lefts[i]
                row = &table[d, 0]
                for c in range(movable):
                    gain[c] += added(small, row[c], left[d])
                if d < movable:
                    gain[d] -= added(small, row[d], left[d])
            for i in range(right_many):
                d = rights[i]
                row = &turned[d, 0]
                for c in range(movable):
                    gain[c] += added(small, row[c], right[d])
                if d < movable:
                    gain[d] -= added(small, row[d], right[d])
            best = own
            for c in range(movable):
                if gain[c] > gain[best] or (gain[c] == gain[best] and c < best and best != own):
                    best = c
            of[word] = best
            change(table, turned, best, 1, right, rights, right_many, left, lefts, left_many, both)
            rows[best] += outer
            columns[best] += inner
            for i in range(right_many):
                right[rights[i]] = 0
            for i in range(left_many):
                left[lefts[i]] = 0
    return result


cdef int64_t loss_of(const int64_t *small, int64_t[:, ::1] table, int64_t[:, ::1] turned,
                     int64_t[::1] rows, int64_t[::1] columns, int32_t one,
                     int32_t two) noexcept nogil:
    # By how much Q shrinks if two classes become one.
    cdef int64_t aa = table[one, one], ab = table[one, two], ba = table[two, one]
    cdef int64_t bb = table[two, two], loss
    cdef int32_t each
    loss = f(small, aa) + f(small, ab) + f(small, ba) + f(small, bb)
    loss -= f(small, aa + ab + ba + bb)
    for each in range(<int32_t> table.shape[0]):
        if each != one and each != two:
            loss += joined(small, table[one, each], table[two, each])
            loss += joined(small, turned[one, each], turned[two, each])
    loss -= joined(small, rows[one], rows[two])
    return loss - joined(small, columns[one], columns[two])


def merged(counts, int movable):
    """Return which classes are joined, step by step: of each pair, the second becomes the first."""
    table_array = checked_counts(counts, movable).copy()
    cdef int64_t[:, ::1] table = table_array
    cdef int64_t[:, ::1] turned = np.ascontiguousarray(table_array.T)
    cdef int64_t[::1] rows = table_array.sum(axis=1), columns = table_array.sum(axis=0)
    cdef int32_t total = <int32_t> table.shape[0], one, two, i, j, each, step
    result = np.empty((max(movable - 1, 0), 2), np.int32)
    cdef int32_t[:, ::1] pairs = result
    cdef int64_t[:, ::1] lost = np.zeros((movable, movable), np.int64)
    cdef unsigned char[::1] alive = np.ones(movable, np.uint8)
    cdef const int64_t *small = &_TABLE[0]
    cdef int64_t new
    with nogil:
        for i in range(movable):
            for j in range(i + 1, movable):
                lost[i, j] = loss_of(small, table, turned, rows, columns, i, j)
        for step in range(movable - 1):
            one = -1
            for i in range(movable):
                if not alive[i]:
                    continue
                for j in range(i + 1, movable):
                    if alive[j] and (one < 0 or lost[i, j] < lost[one, two]):
                        one, two = i, j
            pairs[step, 0], pairs[step, 1] = one, two
            alive[two] = 0
            for i in range(movable):
                # What the other pairs lose beside these two, and beside the one that they become.
                if not alive[i] or i == one:
                    continue
                for j in range(i + 1, movable):
                    if not alive[j] or j == one:
                        continue
                    new = lost[i, j]
                    new -= joined(small, turned[one, i], turned[one, j])
                    new -= joined(small, turned[two, i], turned[two, j])
                    new += joined(small, turned[one, i] + turned[two, i],
                                  turned[one, j] + turned[two, j])
                    new -= joined(small, table[one, i], table[one, j])
                    new -= joined(small, table[two, i], table[two, j])
                    new += joined(small, table[one, i] + table[two, i],
                                  table[one, j] + table[two, j])
                    lost[i, j] = new
            for each in range(total):
                table[one, each] += table[two, each]
                table[two, each] = 0
                turned[one, each] += turned[two, each]
                turned[two, each] = 0
            for each in range(total):
                table[each, one] += table[each, two]
                table[each, two] = 0
                turned[each, one] += turned[each, two]
                turned[each, two] = 0
            rows[one] += rows[two]
            columns[one] += columns[two]
            rows[two] = 0
            columns[two] = 0
            for i in range(movable):
                if alive[i] and i != one:
                    if i < one:
                        lost[i, one] = loss_of(small, table, turned, rows, columns, i, one)
                    else:
                        lost[one, i] = loss_of(small, table, turned, rows, columns, one, i)
    return result
