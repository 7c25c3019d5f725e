# cython: language_level=3, embedsignature=True
"""The compiled twin of swapping.py.

Two columns go into the two halves of one number where their sums fit there, so that one look into
the table of a byte is enough for both. The tables of four bytes are added up at a time.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from commonground.kernels.swapping import checked


def sums(apart, swaps):
    """Return the sum of the numbers of the swapped units, a row for each column of `apart`."""
    apart, swaps = checked(apart, swaps)
    cdef const int64_t[:, ::1] numbers = apart
    cdef const uint8_t[:, ::1] bits = swaps
    cdef Py_ssize_t units = numbers.shape[0], columns = numbers.shape[1]
    cdef Py_ssize_t shuffles = bits.shape[1], column, other
    result = np.zeros((columns, shuffles), np.int64)
    if not (units and columns and shuffles):
        return result
    tables = np.empty((4, 256), np.uint64)
    added = np.empty(shuffles, np.uint64)
    cdef int64_t[:, ::1] moved = result
    cdef uint64_t[:, ::1] table = tables
    cdef uint64_t[::1] total = added
    small = np.abs(apart.astype(np.float64)).sum(axis=0) < 2.0**31
    cdef const uint8_t[::1] fits = small.view(np.uint8)
    with nogil:
        column = 0
        while column < columns:
            other = column + 1
            if other < columns and fits[column] and fits[other]:
                add(numbers, bits, column, other, table, &total[0])
                part(&total[0], &moved[column, 0], &moved[other, 0], shuffles)
                column += 2
            else:
                add(numbers, bits, column, -1, table, &total[0])
                whole(&total[0], &moved[column, 0], shuffles)
                column += 1
    return result


cdef void add(const int64_t[:, ::1] numbers, const uint8_t[:, ::1] bits, Py_ssize_t column,
              Py_ssize_t other, uint64_t[:, ::1] table, uint64_t *total) noexcept nogil:
    # Sums up one column, or two; unsigned numbers wrap round as they should.
    cdef Py_ssize_t units = numbers.shape[0], shuffles = bits.shape[1]
    cdef Py_ssize_t rows = (units + 7) // 8, row, place, shuffle, count
    cdef const uint8_t *first
    cdef const uint8_t *second
    cdef const uint8_t *third
    cdef const uint8_t *fourth
    cdef uint64_t *a = &table[0, 0]
    cdef uint64_t *b = &table[1, 0]
    cdef uint64_t *c = &table[2, 0]
    cdef uint64_t *d = &table[3, 0]
    for shuffle in range(shuffles):
        total[shuffle] = 0
    row = 0
    while row < rows:
        count = min(4, rows - row)
        for place in range(4):  # a table of nothing where no row is left
            fill(numbers, 8 * (row + place), column, other, &table[place, 0])
        first = &bits[row, 0]
        second = &bits[row + (1 if count > 1 else 0), 0]
        third = &bits[row + (2 if count > 2 else 0), 0]
        fourth = &bits[row + (3 if count > 3 else 0), 0]
        for shuffle in range(shuffles):
            total[shuffle] += (a[first[shuffle]] + b[second[shuffle]]
                               + c[third[shuffle]] + d[fourth[shuffle]])
        row += 4


cdef void fill(const int64_t[:, ::1] numbers, Py_ssize_t begin, Py_ssize_t column,
               Py_ssize_t other, uint64_t *table) noexcept nogil:
    # The sum over the bits that are set, for each value of a byte.
    cdef Py_ssize_t unit, half = 1, value
    cdef uint64_t one
    table[0] = 0
    for unit in range(begin, begin + 8):
        one = 0
        if unit < numbers.shape[0]:
            one = <uint64_t> numbers[unit, column]
            if other >= 0:
                one += <uint64_t> numbers[unit, other] << 32
        for value in range(half):
            table[half + value] = table[value] + one
        half *= 2


cdef void part(const uint64_t *total, int64_t *low, int64_t *high,
               Py_ssize_t shuffles) noexcept nogil:
    cdef Py_ssize_t shuffle
    for shuffle in range(shuffles):
        low[shuffle] = <int32_t> <uint64_t> (total[shuffle] & <uint64_t> 0xFFFFFFFF)
        high[shuffle] = <int32_t> ((total[shuffle] - <uint64_t> low[shuffle]) >> 32)


cdef void whole(const uint64_t *total, int64_t *sums, Py_ssize_t shuffles) noexcept nogil:
    cdef Py_ssize_t shuffle
    for shuffle in range(shuffles):
        sums[shuffle] = <int64_t> total[shuffle]
