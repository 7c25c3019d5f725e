# cython: language_level=3, embedsignature=True
"""The compiled twin of linear.py."""

import numpy as np

cimport cython
from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t, uint64_t

from commonground.kernels.hashing cimport mixed_into, wrong_rows

from commonground.kernels.checks import columns

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define COMMONGROUND_PREFETCH(place) __builtin_prefetch(place)
    #else
    #define COMMONGROUND_PREFETCH(place)
    #endif
    """
    void prefetch "COMMONGROUND_PREFETCH"(const void* place) noexcept nogil


@cython.final
cdef class _Rows:
    """The rows of a call, checked, with room for the hashes of one of them."""

    cdef const int32_t[:, ::1] words, at, more, close, atom
    cdef const int32_t[::1] start, part
    cdef uint64_t[::1] value, hashes
    cdef int bits

    def __cinit__(self, attributes, anchors, extras, near, templates, int bits):
        if bits < 4:
            raise ValueError("a table of neighbouring weights has 4 bits or more")
        self.bits = bits
        self.words, self.at, self.more, self.atom, self.start, self.part = (
            columns((attributes, anchors, extras, *templates), np.int32)
        )
        wrong = wrong_rows(self.words, self.at, self.more, self.atom, self.start, self.part, bits)
        if wrong:
            raise ValueError(wrong)
        self.value = np.empty(self.atom.shape[0], np.uint64)
        self.hashes = np.empty(self.start.shape[0] - 1, np.uint64)
        self.close = np.ascontiguousarray(near, np.int32)
        if self.close.shape[0] != self.at.shape[0]:
            raise ValueError("the columns differ in length")

    cdef void hash(self, Py_ssize_t row) noexcept nogil:
        mixed_into(row, self.words, self.at, self.more, self.atom, self.start, self.part,
                   self.value, self.hashes)

    cdef int64_t line(self, Py_ssize_t template) noexcept nogil:
        # The first of the 16 neighbouring weights of a feature.
        return <int64_t>(self.hashes[template] >> (64 - self.bits)) & ~(<int64_t>15)

    cdef uint64_t turn(self, Py_ssize_t template) noexcept nogil:
        return self.hashes[template] >> 20


def near_features(attributes, anchors, extras, near, templates, int bits):
    """Return the places of the features of each row, template by template, number by number."""
    cdef _Rows given = _Rows(attributes, anchors, extras, near, templates, bits)
    cdef Py_ssize_t rows = given.at.shape[0], features = given.hashes.shape[0]
    cdef Py_ssize_t row, template, number, each = given.close.shape[1]
    array = np.empty((rows, features * each), np.int64)
    cdef int64_t[:, ::1] place = array
    cdef int64_t line
    cdef uint64_t turn
    with nogil:
        for row in range(rows):
            given.hash(row)
            for template in range(features):
                line, turn = given.line(template), given.turn(template)
                for number in range(each):
                    place[row, template * each + number] = line + <int64_t>(
                        (turn + <uint64_t>given.close[row, number]) & 15
                    )
    return array


ctypedef fused weight_t:
    int16_t
    int32_t


cdef void _sums(
    const weight_t[::1] weight,
    _Rows given,
    int64_t[:, ::1] line,
    uint64_t[:, ::1] turn,
    int64_t[::1] score,
) noexcept nogil:
    # Two lists of lines: while the weights of a row are on their way, the next row is hashed.
    cdef Py_ssize_t rows = given.at.shape[0], features = given.hashes.shape[0]
    cdef Py_ssize_t row, template, number, each = given.close.shape[1], now
    cdef int64_t total
    cdef const weight_t* begin
    for row in range(rows + 1):
        now = row & 1
        if row < rows:
            given.hash(row)
            for template in range(features):
                line[now, template] = given.line(template)
                turn[now, template] = given.turn(template)
                prefetch(&weight[line[now, template]])
        if row:
            total = 0
            for template in range(features):
                begin = &weight[line[1 - now, template]]
                for number in range(each):
                    total += begin[
                        (turn[1 - now, template] + <uint64_t>given.close[row - 1, number]) & 15
                    ]
            score[row - 1] = total


def scores(weights, attributes, anchors, extras, near, templates, int bits):
    """Return the score of each row: the sum of the weights of its features."""
    cdef _Rows given = _Rows(attributes, anchors, extras, near, templates, bits)
    if weights.shape[0] < (<Py_ssize_t>1 << bits):
        raise ValueError("too few weights")
    cdef int64_t[:, ::1] line = np.empty((2, max(1, given.hashes.shape[0])), np.int64)
    cdef uint64_t[:, ::1] turn = np.empty((2, max(1, given.hashes.shape[0])), np.uint64)
    array = np.empty(given.at.shape[0], np.int64)
    cdef int64_t[::1] score = array
    cdef const int16_t[::1] narrow
    cdef const int32_t[::1] wide
    if weights.dtype == np.int16:
        narrow = np.ascontiguousarray(weights)
        with nogil:
            _sums(narrow, given, line, turn, score)
        return array
    wide = np.ascontiguousarray(weights, np.int32)
    with nogil:
        _sums(wide, given, line, turn, score)
    return array


cdef str _outside(const int64_t[::1] place, const int64_t[::1] amount, Py_ssize_t size):
    cdef Py_ssize_t number
    if place.shape[0] != amount.shape[0]:
        return "the columns differ in length"
    for number in range(place.shape[0]):
        if place[number] < 0 or place[number] >= size:
            return "a place outside of the table"
    return ""


def squared(places, amounts, int32_t[::1] scratch):
    """Return the squared length of the vector with these amounts at these places, added up."""
    cdef const int64_t[::1] place = np.ascontiguousarray(places, np.int64)
    cdef const int64_t[::1] amount = np.ascontiguousarray(amounts, np.int64)
    wrong = _outside(place, amount, scratch.shape[0])
    if wrong:
        raise ValueError(wrong)
    cdef Py_ssize_t number
    cdef int64_t total = 0
    with nogil:
        for number in range(place.shape[0]):
            scratch[place[number]] = <int32_t>(
                <uint32_t>scratch[place[number]] + <uint32_t>amount[number]
            )
        for number in range(place.shape[0]):
            total = <int64_t>(
                <uint64_t>total + <uint64_t>amount[number] * <uint64_t>scratch[place[number]]
            )
        for number in range(place.shape[0]):
            scratch[place[number]] = 0
    return total


def add(int32_t[::1] weights, int64_t[::1] totals, places, amounts, int64_t moment):
    """Add amounts to the weights, and each one `moment` times to the totals."""
    cdef const int64_t[::1] place = np.ascontiguousarray(places, np.int64)
    cdef const int64_t[::1] amount = np.ascontiguousarray(amounts, np.int64)
    wrong = _outside(place, amount, min(weights.shape[0], totals.shape[0]))
    if wrong:
        raise ValueError(wrong)
    cdef Py_ssize_t number
    with nogil:
        for number in range(place.shape[0]):
            # As in numpy, what is too large begins anew; signed numbers in C would not allow it.
            weights[place[number]] = <int32_t>(
                <uint32_t>weights[place[number]] + <uint32_t>amount[number]
            )
            totals[place[number]] = <int64_t>(
                <uint64_t>totals[place[number]] + <uint64_t>amount[number] * <uint64_t>moment
            )
