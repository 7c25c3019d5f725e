# cython: language_level=3, embedsignature=True
"""The compiled twin of columns.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from commonground.kernels import checks
from commonground.kernels.columns import checked, checked_numbers, checked_totals, in_order

ctypedef fused Value:
    uint8_t
    uint32_t
    uint64_t


def taken(values, codes):
    """Return the value of each code; values have one, four or eight bytes."""
    values, codes = checked(values, codes)
    result = np.empty(len(codes), values.dtype)
    if values.itemsize == 1:
        take[uint8_t](values.view(np.uint8), codes, result.view(np.uint8))
    elif values.itemsize == 4:
        take[uint32_t](values.view(np.uint32), codes, result.view(np.uint32))
    else:
        take[uint64_t](values.view(np.uint64), codes, result.view(np.uint64))
    return result


cdef take(const Value[::1] value, const int32_t[::1] code, Value[::1] result):
    cdef Py_ssize_t i
    with nogil:
        for i in range(code.shape[0]):
            result[i] = value[code[i]]


def add_taken(totals, values, codes):
    """Add the value of each code to its total, modulo 2⁶⁴."""
    if totals.dtype != np.uint64 or np.asarray(values).dtype != np.uint64:
        raise ValueError("totals and values that are not of eight bytes")
    values, codes = checked(values, codes)
    checks.equally_long(totals, codes)
    cdef uint64_t[:] total = totals
    cdef const uint64_t[::1] value = values
    cdef const int32_t[::1] code = codes
    cdef Py_ssize_t i
    with nogil:
        for i in range(code.shape[0]):
            total[i] += value[code[i]]


ctypedef fused Whole:
    int32_t
    int64_t


def add_multiples(totals, numbers, factor):
    """Add so many times each number to its total, modulo 2⁶⁴."""
    numbers = checked_numbers(totals, numbers)
    if numbers.itemsize == 4:
        add_each[int32_t](totals, numbers, factor)
    else:
        add_each[int64_t](totals, numbers, factor)


cdef add_each(uint64_t[:] total, const Whole[::1] number, uint64_t factor):
    cdef Py_ssize_t i
    with nogil:
        for i in range(number.shape[0]):
            total[i] += <uint64_t> (<int64_t> number[i]) * factor


def mixed_sums(totals, offsets):
    """Return the sum of the mixed totals of each group, modulo 2⁶⁴."""
    totals, offsets = checked_totals(totals, offsets)
    result = np.empty(len(offsets) - 1, np.uint64)
    cdef const uint64_t[::1] total = totals
    cdef const int64_t[::1] offset = offsets
    cdef uint64_t[::1] summed = result
    cdef Py_ssize_t group, i
    cdef uint64_t value, found
    with nogil:
        for group in range(summed.shape[0]):
            found = 0
            for i in range(offset[group], offset[group + 1]):
                value = total[i] + <uint64_t> (i - offset[group] + 1)
                value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u
                value = (value ^ (value >> 27)) * 0x94D049BB133111EBu
                found += value ^ (value >> 31)
            summed[group] = found
    return result


def counted(flags, offsets):
    """Return how many flags are set in each of some groups of rows."""
    flags = checks.column(flags, np.bool_)
    offsets = checks.offsets(offsets, len(flags))
    result = np.empty(len(offsets) - 1, np.int64)
    cdef const uint8_t[::1] flag = flags.view(np.uint8)
    cdef const int64_t[::1] offset = offsets
    cdef int64_t[::1] count = result
    cdef Py_ssize_t group, i
    cdef int64_t total
    with nogil:
        for group in range(count.shape[0]):
            total = 0
            for i in range(offset[group], offset[group + 1]):
                total += flag[i] != 0
            count[group] = total
    return result


def in_both(one, other):
    """Tell which numbers of each of two columns, both in order, the other one has, too."""
    cdef const int64_t[::1] mine = in_order(one), theirs = in_order(other)
    in_mine, in_theirs = np.zeros(len(mine), np.bool_), np.zeros(len(theirs), np.bool_)
    cdef uint8_t[::1] known = in_mine.view(np.uint8), found = in_theirs.view(np.uint8)
    cdef Py_ssize_t i = 0, j = 0, rows = mine.shape[0], others = theirs.shape[0]
    cdef int64_t value
    with nogil:
        while i < rows and j < others:
            if mine[i] < theirs[j]:
                i += 1
            elif mine[i] > theirs[j]:
                j += 1
            else:
                value = mine[i]
                while i < rows and mine[i] == value:
                    known[i] = 1
                    i += 1
                while j < others and theirs[j] == value:
                    found[j] = 1
                    j += 1
    return in_mine, in_theirs
