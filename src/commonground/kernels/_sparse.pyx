# cython: language_level=3, embedsignature=True
"""The compiled twin of sparse.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from commonground.kernels.hashing cimport mixed_into, wrong_rows
from commonground.kernels.perceptron cimport (
    Frozen, Table, frozen_end, frozen_of, frozen_scores, table_add, table_averaged, table_begin,
    table_end, table_scores,
)

from commonground.kernels.checks import columns
from commonground.kernels.perceptron import checked_weights
from commonground.kernels.sparse import _checked_amount, _checked_classes

DEF MOST_TEMPLATES = 512
DEF MOST_FEW = 16  # as in sparse.py


cdef class _Rows:
    """The rows of a call, checked, with room for the hashes of one of them."""

    cdef const int32_t[:, ::1] words, at, more, atom
    cdef const int32_t[::1] start, part
    cdef uint64_t[::1] value, hashes
    cdef int count

    def __cinit__(self, rows):
        attributes, anchors, extras, templates = rows
        self.words, self.at, self.more, self.atom, self.start, self.part = (
            columns((attributes, anchors, extras, *templates), np.int32)
        )
        wrong = wrong_rows(self.words, self.at, self.more, self.atom, self.start, self.part, 30)
        if not wrong and self.start.shape[0] > MOST_TEMPLATES:
            wrong = "too many templates"
        if wrong:
            raise ValueError(wrong)
        self.count = <int> self.start.shape[0] - 1
        self.value = np.empty(max(1, self.atom.shape[0]), np.uint64)
        self.hashes = np.empty(max(1, self.count), np.uint64)

    cdef void hash(self, Py_ssize_t row) noexcept nogil:
        cdef int i
        mixed_into(row, self.words, self.at, self.more, self.atom, self.start, self.part,
                   self.value, self.hashes)
        for i in range(self.count):
            self.hashes[i] ^= self.hashes[i] >> 32
            self.hashes[i] += self.hashes[i] == 0


cdef inline void _choose(const int32_t *sums, int classes, int32_t right, int64_t margin,
                         int64_t *score, int32_t *found) noexcept nogil:
    # The first class with the highest score; the right one has no margin.
    cdef int each
    cdef int64_t total
    for each in range(classes):
        total = sums[each] + (0 if each == right else margin)
        if each == 0 or total > score[0]:
            score[0], found[0] = total, each


cdef inline int _few(const int32_t *sums, int classes, int32_t right, int64_t margin, int most,
                     int64_t least, int32_t *few, int64_t *score) noexcept nogil:
    # The best classes in descending order, equal ones as they come, and the right one.
    cdef int each, place, filled = 0, has = 0
    cdef int64_t total
    for each in range(classes):
        total = sums[each] + (0 if each == right else margin)
        if total <= least or filled == most and total <= score[filled - 1]:
            continue
        place = filled if filled < most else filled - 1
        filled += filled < most
        while place and score[place - 1] < total:
            score[place], few[place] = score[place - 1], few[place - 1]
            place -= 1
        score[place], few[place] = total, each
    for place in range(filled):
        has |= few[place] == right
    if 0 <= right < classes and not has:
        few[filled], score[filled] = right, sums[right]
        filled += 1
    return filled


cdef class _Scorer:
    """What chooses a class for each row by the sums of weights."""

    cdef readonly int classes

    def __cinit__(self, classes, *_):
        self.classes = _checked_classes(classes)

    cdef void add_up(self, const uint64_t *hashes, int count, int32_t *sums) noexcept nogil:
        pass  # each table knows its own weights

    def best(self, rows, wanted, int64_t margin):
        """Return for each row the highest score of a class, and the first class that has it."""
        cdef _Rows given = _Rows(rows)
        cdef const int32_t[::1] right = np.ascontiguousarray(wanted, np.int32)
        cdef Py_ssize_t row, count = given.at.shape[0]
        if right.shape[0] != count:
            raise ValueError("the columns differ in length")
        scores, classes = np.empty(count, np.int64), np.empty(count, np.int32)
        cdef int64_t[::1] score = scores
        cdef int32_t[::1] found = classes, sums = np.empty(self.classes, np.int32)
        with nogil:
            for row in range(count):
                given.hash(row)
                memset(&sums[0], 0, self.classes * sizeof(int32_t))
                self.add_up(&given.hashes[0], given.count, &sums[0])
                _choose(&sums[0], self.classes, right[row], margin, &score[row], &found[row])
        return scores, classes

    def few(self, rows, wanted, int64_t margin, int most, least):
        """Return the best classes of each row: the row, the class and the score of each."""
        cdef _Rows given = _Rows(rows)
        cdef const int32_t[::1] right = np.ascontiguousarray(wanted, np.int32)
        cdef const int64_t[::1] low = np.ascontiguousarray(least, np.int64)
        cdef Py_ssize_t row, filled = 0, count = given.at.shape[0]
        cdef int found, each
        if right.shape[0] != count or low.shape[0] != count:
            raise ValueError("the columns differ in length")
        if not 1 <= most <= MOST_FEW:
            raise ValueError(f"from 1 to {MOST_FEW} classes can be asked for")
        numbers = np.empty(count * (most + 1), np.int64)
        classes, scores = np.empty(len(numbers), np.int32), np.empty(len(numbers), np.int64)
        cdef int64_t[::1] number = numbers, value = scores
        cdef int32_t[::1] chosen = classes, sums = np.empty(self.classes, np.int32)
        cdef int32_t few[MOST_FEW + 1]
        cdef int64_t score[MOST_FEW + 1]
        with nogil:
            for row in range(count):
                given.hash(row)
                memset(&sums[0], 0, self.classes * sizeof(int32_t))
                self.add_up(&given.hashes[0], given.count, &sums[0])
                found = _few(
                    &sums[0], self.classes, right[row], margin, most, low[row], few, score
                )
                for each in range(found):
                    number[filled], chosen[filled], value[filled] = row, few[each], score[each]
                    filled += 1
        return numbers[:filled].copy(), classes[:filled].copy(), scores[:filled].copy()

    def scores(self, rows):
        """Return the score of each row with each class."""
        cdef _Rows given = _Rows(rows)
        cdef Py_ssize_t row, count = given.at.shape[0]
        found = np.zeros((count, self.classes), np.int32)
        cdef int32_t[:, ::1] sums = found
        with nogil:
            for row in range(count):
                given.hash(row)
                self.add_up(&given.hashes[0], given.count, &sums[row, 0])
        return found


cdef class SparseLearner(_Scorer):
    """Weights that are learned, and their averages over all moments."""

    cdef Table table
    cdef int32_t now

    def __cinit__(self, classes):
        self.now = 0
        if table_begin(&self.table):
            raise MemoryError

    def __dealloc__(self):
        table_end(&self.table)

    cdef void add_up(self, const uint64_t *hashes, int count, int32_t *sums) noexcept nogil:
        table_scores(&self.table, hashes, count, sums)

    def tick(self):
        """Go on to the next moment."""
        self.now += 1

    def add(self, rows, classes, int32_t amount):
        """Add an amount to the weights of each row's features with its class; -1 has none."""
        cdef _Rows given = _Rows(rows)
        cdef const int32_t[::1] right = np.ascontiguousarray(classes, np.int32)
        cdef Py_ssize_t row, count = given.at.shape[0]
        cdef int i, failed = 0
        _checked_amount(amount)
        if right.shape[0] != count:
            raise ValueError("the columns differ in length")
        for row in range(count):
            if right[row] < -1 or right[row] >= self.classes:
                raise ValueError("a class that is not there")
        with nogil:
            for row in range(count):
                if right[row] < 0:
                    continue
                given.hash(row)
                for i in range(given.count):
                    if table_add(&self.table, given.hashes[i], right[row], amount, self.now):
                        failed = 1
                        break
                if failed:
                    break
        if failed:
            raise MemoryError

    def averaged(self):
        """Return the weights averaged over all moments."""
        return table_averaged(&self.table, self.now + 1, np)


cdef class SparseClassifier(_Scorer):
    """Averaged weights that choose."""

    cdef Frozen table

    def __cinit__(self, classes, weights):
        frozen_of(&self.table, weights, self.classes, checked_weights)

    def __dealloc__(self):
        frozen_end(&self.table)

    cdef void add_up(self, const uint64_t *hashes, int count, int32_t *sums) noexcept nogil:
        frozen_scores(&self.table, hashes, count, sums)
