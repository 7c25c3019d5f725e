# cython: language_level=3, embedsignature=True
"""The compiled twin of chains.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from commonground.kernels.perceptron cimport (
    Frozen, Table, combined, frozen_end, frozen_of, frozen_scores, table_add, table_averaged,
    table_begin, table_end, table_scores,
)
from commonground.kernels.chains import checked_chains, checked_gold, checked_templates
from commonground.kernels.perceptron import checked_weights

cdef int64_t FORBIDDEN = -(<int64_t> 1 << 40)


cdef inline uint64_t pair(int before) noexcept nogil:
    cdef uint64_t key = combined(<uint64_t> 0x8CB92BA72F3D8DD7, <uint64_t> (before + 1))
    return key if key else 1


cdef class _Chains:
    """Templates over rows, how many classes there are, and which can follow which."""

    cdef int classes, atom_count, count, followed
    cdef const int32_t[:, ::1] atom
    cdef const int32_t[::1] starts, parts
    cdef const uint64_t[::1] seeds
    cdef object follows
    cdef const unsigned char[:, ::1] may
    cdef int64_t pairs[32][32]
    cdef uint64_t *numbers
    cdef uint64_t *features
    cdef int32_t *scores

    def __cinit__(self, int classes, templates, follows, *_):
        checked_templates(classes, templates, follows)
        self.atom, self.starts, self.parts, self.seeds = templates
        self.follows = np.ascontiguousarray(follows, np.uint8)
        self.may = self.follows
        self.followed = <int> self.may.shape[0]
        self.classes = classes
        self.atom_count = <int> self.atom.shape[0]
        self.count = <int> self.seeds.shape[0]
        self.numbers = <uint64_t *> malloc(self.atom_count * sizeof(uint64_t))
        self.features = <uint64_t *> malloc(self.count * sizeof(uint64_t))
        self.scores = <int32_t *> malloc(classes * sizeof(int32_t))
        if not self.numbers or not self.features or not self.scores:
            raise MemoryError

    def __dealloc__(self):
        free(self.numbers)
        free(self.features)
        free(self.scores)

    cdef void extract(self, const uint64_t[:, ::1] fields, int64_t low, int64_t high,
                      int64_t at) noexcept nogil:
        cdef int i, j
        cdef int64_t other
        cdef uint64_t hashed
        for i in range(self.atom_count):
            other = at + self.atom[i, 0]
            if other < low or other >= high:
                self.numbers[i] = <uint64_t> 0xD1B54A32D192ED03
            else:
                self.numbers[i] = fields[other, self.atom[i, 1]]
        for i in range(self.count):
            hashed = self.seeds[i]
            for j in range(self.starts[i], self.starts[i + 1]):
                hashed = combined(hashed, self.numbers[self.parts[j]])
            self.features[i] = hashed if hashed else 1

    cdef void weigh(self, uint64_t *features, int count) noexcept nogil:
        """Find the scores of all classes."""

    cdef void weigh_pairs(self) noexcept nogil:
        cdef int before, after
        cdef uint64_t key
        for before in range(self.followed):
            key = pair(before)
            self.weigh(&key, 1)
            for after in range(self.followed):
                self.pairs[before][after] = self.scores[after] + (
                    0 if self.may[before, after] else FORBIDDEN
                )

    cdef void decode(self, const uint64_t[:, ::1] fields, int64_t start, int64_t stop, int64_t low,
                     int64_t high, const int32_t[::1] menu, const int64_t[::1] begin,
                     const int32_t[::1] option, const int32_t *gold, int margin,
                     int64_t[:, ::1] best, int32_t[:, ::1] back, int32_t[::1] chosen) noexcept nogil:
        # With right classes (gold), the margin is added to all others.
        cdef int64_t row, i, j, first, count, before, earlier, top, way
        cdef int32_t which, points
        for row in range(start, stop):
            self.extract(fields, low, high, row)
            self.weigh(self.features, self.count)
            first, count = begin[menu[row]], begin[menu[row] + 1] - begin[menu[row]]
            if row > start:
                before = begin[menu[row - 1]]
                earlier = begin[menu[row - 1] + 1] - before
            for i in range(count):
                which = option[first + i]
                top, points = 0, 0
                if row > start:
                    for j in range(earlier):
                        way = best[row - 1 - start, j] + self.pairs[option[before + j]][which]
                        if j == 0 or way > top:
                            top, points = way, <int32_t> j
                if gold and gold[row] != which:
                    top += margin
                best[row - start, i] = top + self.scores[which]
                back[row - start, i] = points
        row = stop - 1
        points = 0
        for i in range(1, begin[menu[row] + 1] - begin[menu[row]]):
            if best[row - start, i] > best[row - start, points]:
                points = <int32_t> i
        while row >= start:
            chosen[row] = option[begin[menu[row]] + points]
            points = back[row - start, points]
            row -= 1

    def rooms(self, chains, begins):
        """Return room for the scores of the longest chain and the longest menu."""
        longest = int((chains[:, 1] - chains[:, 0]).max()) if len(chains) else 0
        widest = int(np.diff(begins).max()) if len(begins) > 1 else 0
        return np.empty((longest, widest), np.int64), np.empty((longest, widest), np.int32)


cdef class ChainLearner(_Chains):
    """Weights that are learned by going over chains."""

    cdef Table table
    cdef int32_t now

    def __cinit__(self, *_):
        self.now = 0
        if table_begin(&self.table):
            raise MemoryError

    def __dealloc__(self):
        table_end(&self.table)

    cdef void weigh(self, uint64_t *features, int count) noexcept nogil:
        memset(self.scores, 0, self.classes * sizeof(int32_t))
        table_scores(&self.table, features, count, self.scores)

    def iterate(self, const uint64_t[:, ::1] fields not None, chains, menu, menus, gold, order,
                int margin):
        """Go over some chains in an order; return how many rows were wrong, and how many chosen."""
        checked_chains(fields, chains, menu, menus, self.atom, self.classes, self.follows)
        checked_gold(chains, menu, menus, gold, order)
        cdef const int64_t[:, ::1] chain = chains
        cdef const int32_t[::1] menu_of = menu, option = menus[1], right = gold
        cdef const int64_t[::1] begin = menus[0], number = order
        all_best, all_back = self.rooms(chains, menus[0])
        cdef int64_t[:, ::1] best = all_best
        cdef int32_t[:, ::1] back = all_back
        cdef int32_t[::1] chosen = np.full(fields.shape[0], -1, np.int32)
        cdef const int32_t *answers = &right[0] if right.shape[0] else NULL
        cdef int64_t i, row, start, stop, low, high, wrong = 0, made = 0
        cdef int j, failed = 0
        with nogil:
            for i in range(number.shape[0]):
                start, stop = chain[number[i], 0], chain[number[i], 1]
                low, high = chain[number[i], 2], chain[number[i], 3]
                if start == stop:
                    continue
                self.weigh_pairs()
                self.decode(fields, start, stop, low, high, menu_of, begin, option, answers,
                            margin, best, back, chosen)
                self.now += 1
                made += stop - start
                for row in range(start, stop):
                    if chosen[row] != right[row]:
                        wrong += 1
                        self.extract(fields, low, high, row)
                        for j in range(self.count):
                            failed |= table_add(&self.table, self.features[j], right[row], 1,
                                                self.now)
                            failed |= table_add(&self.table, self.features[j], chosen[row], -1,
                                                self.now)
                    if row > start and (
                        chosen[row] != right[row] or chosen[row - 1] != right[row - 1]
                    ):
                        failed |= table_add(&self.table, pair(right[row - 1]), right[row], 1,
                                            self.now)
                        failed |= table_add(&self.table, pair(chosen[row - 1]), chosen[row], -1,
                                            self.now)
                if failed:
                    break
        if failed:
            raise MemoryError
        return wrong, made

    def averaged(self):
        """Return the weights averaged over all chains."""
        return table_averaged(&self.table, self.now + 1, np)


cdef class ChainDecoder(_Chains):
    """Averaged weights that choose."""

    cdef Frozen table

    def __cinit__(self, int classes, templates, follows, weights):
        frozen_of(&self.table, weights, classes, checked_weights)
        self.weigh_pairs()

    def __dealloc__(self):
        frozen_end(&self.table)

    cdef void weigh(self, uint64_t *features, int count) noexcept nogil:
        memset(self.scores, 0, self.classes * sizeof(int32_t))
        frozen_scores(&self.table, features, count, self.scores)

    def choose(self, const uint64_t[:, ::1] fields not None, chains, menu, menus):
        """Return the class of each row; -1 where a row is in no chain."""
        checked_chains(fields, chains, menu, menus, self.atom, self.classes, self.follows)
        cdef const int64_t[:, ::1] chain = chains
        cdef const int32_t[::1] menu_of = menu, option = menus[1]
        cdef const int64_t[::1] begin = menus[0]
        all_best, all_back = self.rooms(chains, menus[0])
        cdef int64_t[:, ::1] best = all_best
        cdef int32_t[:, ::1] back = all_back
        found = np.full(fields.shape[0], -1, np.int32)
        cdef int32_t[::1] chosen = found
        cdef int64_t i
        with nogil:
            for i in range(chain.shape[0]):
                if chain[i, 0] < chain[i, 1]:
                    self.decode(fields, chain[i, 0], chain[i, 1], chain[i, 2], chain[i, 3],
                                menu_of, begin, option, NULL, 0, best, back, chosen)
        return found
