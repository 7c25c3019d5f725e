# cython: language_level=3, embedsignature=True
"""The compiled twin of tagging.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from commonground.kernels.perceptron cimport (
    Frozen, Table, combined, frozen_end, frozen_of, frozen_scores, table_add, table_averaged,
    table_begin, table_end, table_scores,
)
from commonground.kernels.perceptron import checked_weights
from commonground.kernels.tagging import checked_tagger, checked_words


cdef class _Tagger:
    """Templates over words, and the pieces that each tag has."""

    cdef int tags, pieces, atom_count, count
    cdef const int32_t[:, ::1] atom
    cdef const int32_t[::1] starts, parts, firsts, piece
    cdef const uint64_t[::1] seeds
    cdef uint64_t *numbers
    cdef uint64_t *features
    cdef int32_t *sums
    cdef int32_t *scores

    def __cinit__(self, tags, templates, *_):
        self.pieces = checked_tagger(tags, templates)
        self.atom, self.starts, self.parts, self.seeds = templates
        self.firsts, self.piece = tags
        self.tags = <int> self.firsts.shape[0] - 1
        self.atom_count = <int> self.atom.shape[0]
        self.count = <int> self.seeds.shape[0]
        self.numbers = <uint64_t *> malloc(self.atom_count * sizeof(uint64_t))
        self.features = <uint64_t *> malloc(self.count * sizeof(uint64_t))
        self.sums = <int32_t *> malloc(self.pieces * sizeof(int32_t))
        self.scores = <int32_t *> malloc(self.tags * sizeof(int32_t))
        if not (self.numbers and self.features and self.sums and self.scores):
            raise MemoryError

    def __dealloc__(self):
        free(self.numbers)
        free(self.features)
        free(self.sums)
        free(self.scores)

    cdef void extract(self, const uint64_t[:, ::1] fields, const int32_t[::1] given, int64_t first,
                      int64_t end, int64_t at) noexcept nogil:
        cdef int i, j
        cdef int64_t other
        cdef uint64_t hashed
        for i in range(self.atom_count):
            other = at + self.atom[i, 0]
            if other < first or other >= end:
                self.numbers[i] = <uint64_t> 0xD1B54A32D192ED03
            elif self.atom[i, 1] < 0:
                self.numbers[i] = given[other] + 1
            else:
                self.numbers[i] = fields[other, self.atom[i, 1]]
        for i in range(self.count):
            hashed = self.seeds[i]
            for j in range(self.starts[i], self.starts[i + 1]):
                hashed = combined(hashed, self.numbers[self.parts[j]])
            self.features[i] = hashed if hashed else 1

    cdef int best(self) noexcept nogil:
        # Add up the scores of all tags from those of their pieces.
        cdef int tag, i, best = 0
        cdef int32_t score
        for tag in range(self.tags):
            score = 0
            for i in range(self.firsts[tag], self.firsts[tag + 1]):
                score += self.sums[self.piece[i]]
            self.scores[tag] = score
            if score > self.scores[best]:
                best = tag
        return best

    cdef bint has(self, int tag, int32_t piece) noexcept nogil:
        cdef int i
        for i in range(self.firsts[tag], self.firsts[tag + 1]):
            if self.piece[i] == piece:
                return True
        return False


cdef class TagLearner(_Tagger):
    """Weights that are learned by going over sentences."""

    cdef Table table
    cdef int32_t now

    def __cinit__(self, *_):
        self.now = 0
        if table_begin(&self.table):
            raise MemoryError

    def __dealloc__(self):
        table_end(&self.table)

    cdef int move(self, int tag, int other, int delta) noexcept nogil:
        # Change the weights of those pieces of a tag that another one does not have.
        cdef int i, j, failed = 0
        for i in range(self.firsts[tag], self.firsts[tag + 1]):
            if not self.has(other, self.piece[i]):
                for j in range(self.count):
                    failed |= table_add(
                        &self.table, self.features[j], self.piece[i], delta, self.now
                    )
        return failed

    def iterate(self, const uint64_t[:, ::1] fields not None, const int64_t[::1] offsets not None,
                const int32_t[::1] gold not None, const int64_t[::1] sentences not None,
                int margin):
        """Go over the sentences once; return how many tags were wrong, and how many given."""
        cdef Py_ssize_t i
        cdef int64_t first, end, at, wrong = 0, made = 0
        cdef int best, rival, tag, right, failed = 0
        cdef int32_t[::1] given = np.zeros(fields.shape[0], np.int32)
        checked_words(fields, offsets, gold, sentences, self.atom, self.tags)
        with nogil:
            for i in range(sentences.shape[0]):
                first, end = offsets[sentences[i]], offsets[sentences[i] + 1]
                for at in range(first, end):
                    self.extract(fields, given, first, end, at)
                    memset(self.sums, 0, self.pieces * sizeof(int32_t))
                    table_scores(&self.table, self.features, self.count, self.sums)
                    best = self.best()
                    given[at] = best
                    right = gold[at]
                    if right < 0:
                        continue
                    self.now += 1
                    made += 1
                    wrong += best != right
                    rival = -1
                    for tag in range(self.tags):
                        if tag != right and (rival < 0 or self.scores[tag] > self.scores[rival]):
                            rival = tag
                    if rival < 0 or self.scores[right] - self.scores[rival] >= margin:
                        continue
                    failed |= self.move(right, rival, 1)
                    failed |= self.move(rival, right, -1)
                if failed:
                    break
        if failed:
            raise MemoryError
        return wrong, made

    def averaged(self):
        """Return the weights averaged over all decisions."""
        return table_averaged(&self.table, self.now + 1, np)


cdef class TagDecoder(_Tagger):
    """Averaged weights that tag."""

    cdef Frozen table

    def __cinit__(self, tags, templates, weights):
        frozen_of(&self.table, weights, self.pieces, checked_weights)

    def __dealloc__(self):
        frozen_end(&self.table)

    def tag(self, const uint64_t[:, ::1] fields not None, const int64_t[::1] offsets not None):
        """Return the tag of each word."""
        cdef Py_ssize_t sentence
        cdef int64_t at
        found = np.zeros(fields.shape[0], np.int32)
        cdef int32_t[::1] given = found
        checked_words(fields, offsets, given, np.empty(0, np.int64), self.atom, self.tags)
        with nogil:
            for sentence in range(offsets.shape[0] - 1):
                for at in range(offsets[sentence], offsets[sentence + 1]):
                    self.extract(fields, given, offsets[sentence], offsets[sentence + 1], at)
                    memset(self.sums, 0, self.pieces * sizeof(int32_t))
                    frozen_scores(&self.table, self.features, self.count, self.sums)
                    given[at] = self.best()
        return found
