# cython: language_level=3, embedsignature=True
"""The compiled twin of transitions.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from commonground.kernels.perceptron cimport (
    Frozen, Table, drawn, frozen_end, frozen_of, frozen_scores, table_add, table_averaged,
    table_begin, table_end, table_scores,
)
from commonground.kernels.transition_beam cimport (
    Beam, beam_begin, beam_end, beam_move, beam_new, beam_offer,
)
from commonground.kernels.transition_features cimport WORD_FIELDS, Templates, extract
from commonground.kernels.transition_oracles cimport LOST, costs, fill_gold, label_cost
from commonground.kernels.transition_state cimport (
    KINDS, LEFT, RIGHT, STANDARD, State, allowed, apply, state_begin, state_done, state_new,
)
from commonground.kernels.perceptron import checked_weights
from commonground.kernels.transitions import checked_beam, checked_sentences, checked_templates


def transition_costs(int system, const int32_t[::1] heads not None,
                     const int32_t[::1] labels not None, const int32_t[::1] order not None,
                     const int32_t[:, ::1] done not None, int classes):
    """Return the costs of all transitions (by kind and label) after some, None before they fit."""
    cdef int words = <int> heads.shape[0] - 2, i, kind, label
    cdef State *state
    cdef int cost[KINDS]
    if not 0 <= system <= 3 or words < 0 or labels.shape[0] != words + 2 or done.shape[1] != 2:
        raise ValueError("buffers that do not fit together")
    if order.shape[0] != words + 2 or not 0 < classes < 65536:
        raise ValueError("buffers that do not fit together")
    state = state_new(words)
    if not state:
        raise MemoryError
    try:
        state_begin(state, system, words)
        for i in range(<int> done.shape[0]):
            if not 0 <= done[i, 0] <= 4 or not allowed(state, done[i, 0], False):
                return None
            apply(state, done[i, 0], done[i, 1])
        if state_done(state):
            return []
        costs(state, &heads[0], &order[0], cost)
        found = []
        for kind in range(KINDS):
            if cost[kind] >= LOST:
                continue
            if kind in (LEFT, RIGHT):
                for label in range(classes):
                    extra = label_cost(state, &heads[0], &labels[0], kind, label)
                    found.append((kind, label, cost[kind] + extra))
            else:
                found.append((kind, 0, cost[kind]))
        return found
    finally:
        free(state)


cdef class _System:
    """A transition system: its actions, and what it looks at."""

    cdef int system, actions, labels
    cdef object held
    cdef Templates templates
    cdef const int32_t[::1] kinds, action_labels
    cdef const uint64_t[:, ::1] special
    cdef State *state
    cdef int most
    cdef uint64_t *atoms
    cdef uint64_t *features
    cdef uint64_t *words
    cdef int32_t *scores

    def __cinit__(self, int system, const int32_t[::1] kinds not None,
                  const int32_t[::1] labels not None, templates, special, *_):
        cdef const int32_t[:, ::1] atom
        cdef const int32_t[::1] starts, parts
        cdef const uint64_t[::1] seeds
        checked_templates(system, kinds, labels, templates, special)
        atom, starts, parts, seeds = templates
        self.held = (atom, starts, parts, seeds)
        self.system = system
        self.kinds, self.action_labels, self.special = kinds, labels, special
        self.actions = <int> kinds.shape[0]
        self.templates.atoms = <int> atom.shape[0]
        self.templates.atom = &atom[0, 0]
        self.templates.count = <int> seeds.shape[0]
        self.templates.starts = &starts[0]
        self.templates.parts = &parts[0]
        self.templates.seeds = &seeds[0]
        self.atoms = <uint64_t *> malloc(self.templates.atoms * sizeof(uint64_t))
        self.features = <uint64_t *> malloc(self.templates.count * sizeof(uint64_t))
        self.scores = <int32_t *> malloc((self.actions + 1) * sizeof(int32_t))
        if not self.atoms or not self.features or not self.scores:
            raise MemoryError

    def __dealloc__(self):
        free(self.state)
        free(self.words)
        free(self.atoms)
        free(self.features)
        free(self.scores)

    cdef int room(self, int words) except -1:
        # Make room for a sentence.
        if self.state and words <= self.most:
            return 0
        free(self.state)
        free(self.words)
        self.most = max(words, 200)
        self.state = state_new(self.most)
        self.words = <uint64_t *> malloc((self.most + 2) * WORD_FIELDS * sizeof(uint64_t))
        if not self.state or not self.words:
            raise MemoryError
        return 0

    cdef void place_words(self, const uint64_t *fields, int words) noexcept nogil:
        memcpy(self.words, &self.special[0, 0], WORD_FIELDS * sizeof(uint64_t))
        memcpy(self.words + WORD_FIELDS, fields, words * WORD_FIELDS * sizeof(uint64_t))
        memcpy(self.words + (words + 1) * WORD_FIELDS, &self.special[1, 0],
               WORD_FIELDS * sizeof(uint64_t))


cdef class TransitionLearner(_System):
    """Weights that are learned by going over sentences."""

    cdef Table table
    cdef int32_t now

    def __cinit__(self, *_):
        self.now = 0
        if table_begin(&self.table):
            raise MemoryError

    def __dealloc__(self):
        table_end(&self.table)

    def iterate(self, const uint64_t[:, ::1] fields not None, const int64_t[::1] offsets not None,
                const int32_t[::1] heads not None, const int32_t[::1] labels not None,
                const int32_t[::1] order not None, const int64_t[::1] sentences not None,
                int margin, double explore, uint64_t seed):
        """Go over the sentences once; return how many decisions were wrong, and how many made."""
        checked_sentences(fields, offsets, heads, labels, order, sentences, WORD_FIELDS)
        return self.go_over(fields, offsets, heads, labels, order, sentences, 0, margin,
                            <uint64_t> (explore * 4294967296.0), seed)

    def iterate_beam(self, const uint64_t[:, ::1] fields not None,
                     const int64_t[::1] offsets not None, const int32_t[::1] heads not None,
                     const int32_t[::1] labels not None, const int32_t[::1] order not None,
                     const int64_t[::1] sentences not None, int size):
        """Go over the sentences once with a beam; return how many were wrong, and how many."""
        checked_sentences(fields, offsets, heads, labels, order, sentences, WORD_FIELDS)
        checked_beam(self.system, size)
        wrong, _ = self.go_over(fields, offsets, heads, labels, order, sentences, size, 0, 0, 0)
        return wrong, sentences.shape[0]

    cdef tuple go_over(self, const uint64_t[:, ::1] fields, const int64_t[::1] offsets,
                       const int32_t[::1] heads, const int32_t[::1] labels,
                       const int32_t[::1] order, const int64_t[::1] sentences, int size,
                       int margin, uint64_t threshold, uint64_t state):
        # With a beam of that size, or one transition after the other (0).
        cdef Py_ssize_t i
        cdef int64_t sentence, first, wrong = 0, made = 0
        cdef int words, found = 0
        cdef int32_t *gold
        cdef Beam *beam = NULL
        if not sentences.shape[0]:
            return 0, 0
        self.room(int(np.diff(offsets).max()))
        gold = <int32_t *> malloc(3 * (self.most + 2) * sizeof(int32_t))
        if size:
            beam = beam_new(size, self.most)
        if not gold or (size and not beam):
            free(gold)
            beam_end(beam)
            raise MemoryError
        with nogil:
            for i in range(sentences.shape[0]):
                sentence = sentences[i]
                first = offsets[sentence]
                words = <int> (offsets[sentence + 1] - first)
                if words == 0:
                    continue
                self.place_words(&fields[first, 0], words)
                if size:
                    found = self.learn_beam(beam, words, gold, &heads[first], &labels[first],
                                            &order[first])
                    wrong += found
                else:
                    found = self.learn(words, gold, &heads[first], &labels[first], &order[first],
                                       margin, threshold, &state, &wrong, &made)
                if found < 0:
                    break
        free(gold)
        beam_end(beam)
        if found < 0:
            raise MemoryError
        return wrong, made

    cdef int learn(self, int words, int32_t *gold, const int32_t *heads, const int32_t *labels,
                   const int32_t *order, int margin, uint64_t threshold, uint64_t *random,
                   int64_t *wrong, int64_t *made) noexcept nogil:
        cdef State *state = self.state
        cdef int32_t *named = gold + words + 2
        cdef int32_t *ordered = named + words + 2
        cdef int i, a, best, right, costly, extra
        cdef int cost[KINDS]
        cdef int32_t *scores = self.scores
        fill_gold(words, gold, named, ordered, heads, labels, order)
        state_begin(state, self.system, words)
        while not state_done(state):
            extract(state, &self.templates, self.words, self.atoms, self.features)
            memset(scores, 0, self.actions * sizeof(int32_t))
            table_scores(&self.table, self.features, self.templates.count, scores)
            costs(state, gold, ordered, cost)
            best, right, costly = -1, -1, -1
            for a in range(self.actions):
                if cost[self.kinds[a]] >= LOST:
                    continue
                if best < 0 or scores[a] > scores[best]:
                    best = a
                extra = cost[self.kinds[a]]
                if self.kinds[a] == LEFT or self.kinds[a] == RIGHT:
                    extra += label_cost(state, gold, named, self.kinds[a], self.action_labels[a])
                if extra == 0:
                    if right < 0 or scores[a] > scores[right]:
                        right = a
                elif costly < 0 or scores[a] > scores[costly]:
                    costly = a
            self.now += 1
            made[0] += 1
            if right < 0:  # an arc whose label never occurred in this direction
                right = best
                costly = -1
            wrong[0] += best == costly
            if costly >= 0 and (best == costly or
                                scores[right] - scores[costly] < margin):
                for i in range(self.templates.count):
                    if table_add(&self.table, self.features[i], right, 1, self.now):
                        return -1
                    if table_add(&self.table, self.features[i], costly, -1, self.now):
                        return -1
            if threshold and (drawn(random) >> 32) < threshold:
                right = best
            apply(state, self.kinds[right], self.action_labels[right])
        return 0

    cdef int learn_beam(self, Beam *beam, int words, int32_t *gold, const int32_t *heads,
                        const int32_t *labels, const int32_t *order) noexcept nogil:
        # 1: the gold sequence was not the best one at some point, and the weights have changed.
        cdef int32_t *named = gold + words + 2
        cdef int32_t *ordered = named + words + 2
        cdef int i, a, kept, step, right, length, worst = -1, found
        cdef int64_t total = 0, gap = 0
        cdef bint can[KINDS]
        cdef int cost[KINDS]
        cdef int32_t *scores = self.scores
        cdef State *state = self.state
        cdef uint16_t *rights
        cdef uint16_t *wrongs
        fill_gold(words, gold, named, ordered, heads, labels, order)
        length = 2 * words + (self.system == STANDARD)
        rights = <uint16_t *> malloc(2 * length * sizeof(uint16_t))
        if not rights:
            return -1
        wrongs = rights + length
        beam_begin(beam, self.system, words)
        state_begin(state, self.system, words)
        for step in range(length):
            kept = 0
            for i in range(beam.count):
                self.score_state(beam.states[i])
                for a in range(KINDS):
                    can[a] = allowed(beam.states[i], a, False)
                for a in range(self.actions):
                    if can[self.kinds[a]]:
                        kept = beam_offer(beam, kept, beam.scores[i] + scores[a], i, a)
            self.score_state(state)
            costs(state, gold, ordered, cost)
            right = -1
            for a in range(self.actions):
                if cost[self.kinds[a]] != 0:
                    continue
                if self.kinds[a] == LEFT or self.kinds[a] == RIGHT:
                    if label_cost(state, gold, named, self.kinds[a], self.action_labels[a]):
                        continue
                right = a
                break
            if right < 0:  # an arc whose label never occurred in this direction
                break
            total += scores[right]
            rights[step] = <uint16_t> right
            apply(state, self.kinds[right], self.action_labels[right])
            beam_move(beam, kept, step, self.kinds, self.action_labels)
            found = 0
            for i in range(step + 1):
                if beam.actions[i] != rights[i]:
                    found = 1
                    break
            # The largest violation so far: where the best sequence is furthest ahead of the gold.
            if found and beam.scores[0] - total >= gap:
                gap = beam.scores[0] - total
                worst = step
                memcpy(wrongs, beam.actions, (step + 1) * sizeof(uint16_t))
        self.now += 1
        found = 0
        if worst >= 0:
            found = 1
            if self.update_path(words, rights, worst + 1, 1) or (
                    self.update_path(words, wrongs, worst + 1, -1)):
                found = -1
        free(rights)
        return found

    cdef int update_path(self, int words, const uint16_t *path, int length, int delta) noexcept nogil:
        cdef int step, i
        cdef State *state = self.state
        state_begin(state, self.system, words)
        for step in range(length):
            extract(state, &self.templates, self.words, self.atoms, self.features)
            for i in range(self.templates.count):
                if table_add(&self.table, self.features[i], path[step], delta, self.now):
                    return -1
            apply(state, self.kinds[path[step]], self.action_labels[path[step]])
        return 0

    cdef void score_state(self, const State *state) noexcept nogil:
        extract(state, &self.templates, self.words, self.atoms, self.features)
        memset(self.scores, 0, self.actions * sizeof(int32_t))
        table_scores(&self.table, self.features, self.templates.count, self.scores)

    def averaged(self):
        """Return the weights averaged over all decisions."""
        return table_averaged(&self.table, self.now + 1, np)


cdef class TransitionDecoder(_System):
    """Averaged weights that parse."""

    cdef Frozen table

    def __cinit__(self, int system, const int32_t[::1] kinds not None,
                  const int32_t[::1] labels not None, templates, special, weights):
        frozen_of(&self.table, weights, self.actions, checked_weights)

    def __dealloc__(self):
        frozen_end(&self.table)

    def parse(self, const uint64_t[:, ::1] fields not None, const int64_t[::1] offsets not None,
              int other, int size=1):
        """Return the heads and labels of all words; `other` labels what hangs on no other word."""
        cdef Py_ssize_t sentence, rows = fields.shape[0]
        cdef int64_t first
        cdef int words
        heads_array = np.zeros(rows, np.int32)
        labels_array = np.zeros(rows, np.int32)
        cdef int32_t[::1] heads = heads_array, labels = labels_array
        cdef Beam *beam = NULL
        checked_sentences(fields, offsets, heads, labels, labels, np.empty(0, np.int64), WORD_FIELDS)
        checked_beam(self.system, size)
        if offsets.shape[0] < 2:
            return heads_array, labels_array
        self.room(int(np.diff(offsets).max()))
        if size > 1:
            beam = beam_new(size, self.most)
            if not beam:
                raise MemoryError
        with nogil:
            for sentence in range(offsets.shape[0] - 1):
                first = offsets[sentence]
                words = <int> (offsets[sentence + 1] - first)
                if words == 0:
                    continue
                self.place_words(&fields[first, 0], words)
                if size > 1:
                    self.decode_beam(beam, words)
                    self.read(beam.states[0], words, &heads[first], &labels[first], other)
                else:
                    self.decode(words)
                    self.read(self.state, words, &heads[first], &labels[first], other)
        beam_end(beam)
        return heads_array, labels_array

    cdef void score_state(self, const State *state) noexcept nogil:
        extract(state, &self.templates, self.words, self.atoms, self.features)
        memset(self.scores, 0, self.actions * sizeof(int32_t))
        frozen_scores(&self.table, self.features, self.templates.count, self.scores)

    cdef void decode(self, int words) noexcept nogil:
        cdef State *state = self.state
        cdef int a, best, i
        cdef bint can[KINDS]
        cdef int32_t *scores = self.scores
        state_begin(state, self.system, words)
        while not state_done(state):
            self.score_state(state)
            for i in range(KINDS):
                can[i] = allowed(state, i, True)
            best = -1
            for a in range(self.actions):
                if can[self.kinds[a]] and (best < 0 or scores[a] > scores[best]):
                    best = a
            apply(state, self.kinds[best], self.action_labels[best])

    cdef void decode_beam(self, Beam *beam, int words) noexcept nogil:
        cdef int step, i, a, kept
        cdef bint can[KINDS]
        beam_begin(beam, self.system, words)
        for step in range(2 * words + (self.system == STANDARD)):
            kept = 0
            for i in range(beam.count):
                self.score_state(beam.states[i])
                for a in range(KINDS):
                    can[a] = allowed(beam.states[i], a, True)
                for a in range(self.actions):
                    if can[self.kinds[a]]:
                        kept = beam_offer(beam, kept, beam.scores[i] + self.scores[a], i, a)
            beam_move(beam, kept, step, self.kinds, self.action_labels)

    cdef void read(self, const State *state, int words, int32_t *heads, int32_t *labels,
                   int other) noexcept nogil:
        # The tree of a finished state, with one root.
        cdef int i, root = 0
        for i in range(words):
            heads[i] = state.head[i + 1]
            labels[i] = state.label[i + 1] - 1
            if heads[i] == words + 1:
                heads[i] = root
                if root:
                    labels[i] = other
                else:
                    root = i + 1
