# cython: language_level=3, embedsignature=True
"""The compiled twin of transitions.py."""

import numpy as np

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from commonground.kernels.perceptron cimport (
    Frozen, Table, combined, drawn, frozen_begin, frozen_end, frozen_scores, table_add,
    table_averaged, table_begin, table_end, table_scores,
)
from commonground.kernels.transitions import checked_beam, checked_sentences, checked_templates

DEF SHIFT = 0
DEF REDUCE = 1
DEF LEFT = 2
DEF RIGHT = 3
DEF SWAP = 4

DEF EAGER = 0
DEF HYBRID = 1
DEF STANDARD = 2
DEF SWAPPING = 3

DEF PLACES = 23
DEF WORD_FIELDS = 8
DEF LOST = 1 << 20  # the cost of what is not allowed

cdef struct State:
    int system
    int words
    int root          # the place of the root: words + 1
    int *stack
    int depth
    int *buffer       # the next word stands last
    int left
    int *head         # 0: none yet
    int *label        # the label + 1, 0: none yet
    int *low          # leftmost dependent, 0: none
    int *low2
    int *high         # rightmost dependent
    int *high2
    int *lefts        # how many dependents on the left
    int *rights
    uint64_t *left_labels
    uint64_t *right_labels
    int steps


cdef struct Templates:
    int atoms
    const int32_t *atom      # (place, field) of each
    int count
    const int32_t *starts
    const int32_t *parts
    const uint64_t *seeds


cdef State *state_new(int most) noexcept nogil:
    # Room for a sentence of so many words; one block, freed at once.
    cdef Py_ssize_t n = most + 2
    cdef char *block = <char *> calloc(
        sizeof(State) + n * (10 * sizeof(int) + 2 * sizeof(uint64_t)), 1
    )
    cdef State *self = <State *> block
    if not block:
        return NULL
    block += sizeof(State)
    self.left_labels = <uint64_t *> block
    self.right_labels = self.left_labels + n
    self.stack = <int *> (self.right_labels + n)
    self.buffer = self.stack + n
    self.head = self.buffer + n
    self.label = self.head + n
    self.low = self.label + n
    self.low2 = self.low + n
    self.high = self.low2 + n
    self.high2 = self.high + n
    self.lefts = self.high2 + n
    self.rights = self.lefts + n
    return self


cdef void state_begin(State *self, int system, int words) noexcept nogil:
    cdef int n = words + 2, i
    self.system = system
    self.words = words
    self.root = words + 1
    self.depth = 0
    self.steps = 0
    memset(self.head, 0, n * sizeof(int))
    memset(self.label, 0, n * sizeof(int))
    memset(self.low, 0, n * sizeof(int))
    memset(self.low2, 0, n * sizeof(int))
    memset(self.high, 0, n * sizeof(int))
    memset(self.high2, 0, n * sizeof(int))
    memset(self.lefts, 0, n * sizeof(int))
    memset(self.rights, 0, n * sizeof(int))
    memset(self.left_labels, 0, n * sizeof(uint64_t))
    memset(self.right_labels, 0, n * sizeof(uint64_t))
    for i in range(words + 1):
        self.buffer[i] = words + 1 - i
    self.left = words + 1


cdef void state_copy(State *self, const State *other) noexcept nogil:
    cdef Py_ssize_t n = other.words + 2
    self.system = other.system
    self.words = other.words
    self.root = other.root
    self.depth = other.depth
    self.left = other.left
    self.steps = other.steps
    memcpy(self.stack, other.stack, n * sizeof(int))
    memcpy(self.buffer, other.buffer, n * sizeof(int))
    memcpy(self.head, other.head, n * sizeof(int))
    memcpy(self.label, other.label, n * sizeof(int))
    memcpy(self.low, other.low, n * sizeof(int))
    memcpy(self.low2, other.low2, n * sizeof(int))
    memcpy(self.high, other.high, n * sizeof(int))
    memcpy(self.high2, other.high2, n * sizeof(int))
    memcpy(self.lefts, other.lefts, n * sizeof(int))
    memcpy(self.rights, other.rights, n * sizeof(int))
    memcpy(self.left_labels, other.left_labels, n * sizeof(uint64_t))
    memcpy(self.right_labels, other.right_labels, n * sizeof(uint64_t))


cdef inline int stack_at(const State *self, int place) noexcept nogil:
    return self.stack[self.depth - 1 - place] if place < self.depth else 0


cdef inline int buffer_at(const State *self, int place) noexcept nogil:
    return self.buffer[self.left - 1 - place] if place < self.left else 0


cdef bint state_done(const State *self) noexcept nogil:
    if self.system <= HYBRID:
        return self.depth == 0 and self.left == 1
    return self.left == 0 and self.depth == 1


cdef bint allowed(const State *self, int kind, bint one_root) noexcept nogil:
    # See `allowed` in transitions.py, which says why.
    cdef int s0 = stack_at(self, 0), s1, n0
    if self.system == EAGER:
        n0 = buffer_at(self, 0)
        if kind == SHIFT:
            return n0 != self.root
        if kind == REDUCE:
            return self.depth > 0 and self.head[s0] != 0
        if kind == LEFT:
            return self.depth > 0 and self.head[s0] == 0
        if kind == RIGHT:
            return self.depth > 0 and n0 != self.root
        return False
    if self.system == HYBRID:
        n0 = buffer_at(self, 0)
        if kind == SHIFT:
            return n0 != self.root
        if kind == LEFT:
            return self.depth > 0 and not (one_root and n0 == self.root and self.depth > 1)
        if kind == RIGHT:
            return self.depth > 1
        return False
    s1 = stack_at(self, 1)
    if kind == SHIFT:
        if self.left == 0:
            return False
        return not (one_root and buffer_at(self, 0) == self.root and self.depth > 1)
    if kind == LEFT:
        return self.depth > 1
    if kind == RIGHT:
        return self.depth > 1 and s0 != self.root
    if kind == SWAP:
        return (self.system == SWAPPING and self.depth > 1 and s0 != self.root and s1 < s0
                and self.steps < 2 * self.words * self.words)
    return False


cdef inline void attach(State *self, int head, int word, int label) noexcept nogil:
    self.head[word] = head
    self.label[word] = label + 1
    if word < head:
        self.lefts[head] += 1
        self.left_labels[head] |= <uint64_t> 1 << (label & 63)
        if self.low[head] == 0 or word < self.low[head]:
            self.low2[head] = self.low[head]
            self.low[head] = word
        elif self.low2[head] == 0 or word < self.low2[head]:
            self.low2[head] = word
    else:
        self.rights[head] += 1
        self.right_labels[head] |= <uint64_t> 1 << (label & 63)
        if word > self.high[head]:
            self.high2[head] = self.high[head]
            self.high[head] = word
        elif word > self.high2[head]:
            self.high2[head] = word


cdef void apply(State *self, int kind, int label) noexcept nogil:
    cdef int s0 = stack_at(self, 0), s1 = stack_at(self, 1), n0 = buffer_at(self, 0)
    self.steps += 1
    if kind == SHIFT:
        self.stack[self.depth] = n0
        self.depth += 1
        self.left -= 1
    elif kind == REDUCE:
        self.depth -= 1
    elif kind == SWAP:
        self.stack[self.depth - 2] = s0
        self.depth -= 1
        self.buffer[self.left] = s1
        self.left += 1
    elif self.system == EAGER:
        if kind == LEFT:
            attach(self, n0, s0, label)
            self.depth -= 1
        else:
            attach(self, s0, n0, label)
            self.stack[self.depth] = n0
            self.depth += 1
            self.left -= 1
    elif self.system == HYBRID:
        if kind == LEFT:
            attach(self, n0, s0, label)
        else:
            attach(self, s1, s0, label)
        self.depth -= 1
    else:
        if kind == LEFT:
            attach(self, s0, s1, label)
            self.stack[self.depth - 2] = s0
        else:
            attach(self, s1, s0, label)
        self.depth -= 1


# ── features ─────────────────────────────────────────────────────────────────────────────────────


cdef inline uint64_t bucket(int distance) noexcept nogil:
    return distance if distance < 5 else 5 if distance < 8 else 6 if distance < 12 else 7


cdef void extract(const State *self, const Templates *templates, const uint64_t *words,
                  uint64_t *atoms, uint64_t *features) noexcept nogil:
    # words: the fields of each place of the sentence, from 0 (nothing) to words + 1 (the root).
    cdef int place[PLACES]
    cdef int i, j, s0, s1, s2, n0, n1, n2, n3, shift, where, field
    cdef uint64_t hashed
    if self.system <= HYBRID:
        s0, s1, s2 = stack_at(self, 0), stack_at(self, 1), stack_at(self, 2)
        n0, n1, n2, n3 = (buffer_at(self, 0), buffer_at(self, 1), buffer_at(self, 2),
                          buffer_at(self, 3))
    else:
        s0, s1, s2 = stack_at(self, 1), stack_at(self, 2), stack_at(self, 3)
        n0, n1, n2, n3 = (stack_at(self, 0), buffer_at(self, 0), buffer_at(self, 1),
                          buffer_at(self, 2))
    place[0] = s0
    place[1] = s1
    place[2] = s2
    place[3] = n0
    place[4] = n1
    place[5] = n2
    place[6] = n3
    place[7] = self.head[s0]
    place[8] = self.head[place[7]]
    place[9] = self.low[s0]
    place[10] = self.low2[s0]
    place[11] = self.high[s0]
    place[12] = self.high2[s0]
    place[13] = self.low[n0]
    place[14] = self.low2[n0]
    place[15] = self.high[n0]
    place[16] = self.low[s1]
    place[17] = self.high[s1]
    place[18] = s0 - 1 if s0 else 0
    place[19] = s0 + 1 if s0 else 0
    place[20] = n0 - 1 if n0 else 0
    place[21] = n0 - 2 if n0 > 1 else 0
    place[22] = self.head[s1]
    if place[19] > self.root:
        place[19] = 0
    for i in range(templates.atoms):
        where, field = templates.atom[2 * i], templates.atom[2 * i + 1]
        if where < 0:
            if field == 0:
                atoms[i] = bucket(n0 - s0 if n0 > s0 else s0 - n0) if s0 and n0 else 15
            else:
                atoms[i] = self.depth if self.depth < 6 else 6
            continue
        where = place[where]
        if field < WORD_FIELDS:
            atoms[i] = words[where * WORD_FIELDS + field]
        elif field == WORD_FIELDS:
            atoms[i] = self.label[where]
        elif field == WORD_FIELDS + 1:
            atoms[i] = self.lefts[where] if self.lefts[where] < 7 else 7
        elif field == WORD_FIELDS + 2:
            atoms[i] = self.rights[where] if self.rights[where] < 7 else 7
        elif field == WORD_FIELDS + 3:
            atoms[i] = self.left_labels[where]
        else:
            atoms[i] = self.right_labels[where]
    for i in range(templates.count):
        hashed = templates.seeds[i]
        for j in range(templates.starts[i], templates.starts[i + 1]):
            hashed = combined(hashed, atoms[templates.parts[j]])
        features[i] = hashed if hashed else 1


# ── oracles ──────────────────────────────────────────────────────────────────────────────────────


cdef void costs(const State *self, const int32_t *gold, const int32_t *order, int *cost) noexcept nogil:
    # The costs of the kinds of transitions, labels apart; see transitions.py.
    cdef int kind, i, k, s0 = stack_at(self, 0), s1 = stack_at(self, 1), n0 = buffer_at(self, 0)
    cdef int waiting = 0, below = 0, missing = 0, head
    for kind in range(5):
        cost[kind] = 0 if allowed(self, kind, False) else LOST
    if self.system == EAGER:
        for i in range(self.depth):  # dependents of n0 that still look for a head
            k = self.stack[i]
            waiting += self.head[k] == 0 and gold[k] == n0
            below += n0 != self.root and gold[n0] == k  # the head of n0 is on the stack
        if s0:
            for k in range(n0, self.words + 1):
                missing += gold[k] == s0  # dependents of s0 in the buffer
        cost[SHIFT] += waiting + below
        cost[REDUCE] += missing
        cost[LEFT] += missing + (s0 != 0 and gold[s0] > n0)
        if n0 != self.root and gold[n0] != s0:
            cost[RIGHT] += below + (gold[n0] > n0)
        cost[RIGHT] += waiting
    elif self.system == HYBRID:
        for i in range(self.depth):
            k = self.stack[i]
            waiting += gold[k] == n0
            below += i < self.depth - 1 and n0 != self.root and gold[n0] == k
        if s0:
            for k in range(n0, self.words + 1):
                missing += gold[k] == s0
        cost[SHIFT] += waiting + below
        if s0:
            cost[LEFT] += missing + (gold[s0] > n0 or (s1 != 0 and gold[s0] == s1))
            cost[RIGHT] += missing + (gold[s0] >= n0)
    else:
        kind = SHIFT
        if self.depth > 1:
            if s1 != self.root and gold[s1] == s0 and collected(self, gold, s1):
                kind = LEFT
            elif s0 != self.root and gold[s0] == s1 and collected(self, gold, s0):
                kind = RIGHT
            elif self.system == SWAPPING and s1 < s0 and order[s0] < order[s1]:
                kind = SWAP
        for i in range(5):
            cost[i] += i != kind


cdef bint collected(const State *self, const int32_t *gold, int word) noexcept nogil:
    cdef int k
    for k in range(1, self.words + 1):
        if gold[k] == word and self.head[k] == 0:
            return False
    return True


cdef inline int label_cost(const State *self, const int32_t *gold, const int32_t *labels, int kind,
                           int label) noexcept nogil:
    # 1 where an arc has the right head and another label.
    cdef int head, word
    if self.system == EAGER:
        if kind == LEFT:
            head, word = buffer_at(self, 0), stack_at(self, 0)
        else:
            head, word = stack_at(self, 0), buffer_at(self, 0)
    elif self.system == HYBRID:
        word = stack_at(self, 0)
        head = buffer_at(self, 0) if kind == LEFT else stack_at(self, 1)
    elif kind == LEFT:
        head, word = stack_at(self, 0), stack_at(self, 1)
    else:
        head, word = stack_at(self, 1), stack_at(self, 0)
    return gold[word] == head and labels[word] >= 0 and labels[word] != label


def transition_costs(int system, const int32_t[::1] heads not None,
                     const int32_t[::1] labels not None, const int32_t[::1] order not None,
                     const int32_t[:, ::1] done not None, int classes):
    """Return the costs of all transitions (by kind and label) after some, None before they fit."""
    cdef int words = <int> heads.shape[0] - 2, i, kind, label
    cdef State *state
    cdef int cost[5]
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
        for kind in range(5):
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


# ── what learners and decoders share ─────────────────────────────────────────────────────────────


cdef void fill_gold(int words, int32_t *gold, int32_t *named, int32_t *ordered,
                    const int32_t *heads, const int32_t *labels,
                    const int32_t *order) noexcept nogil:
    # The columns of a sentence by place: nothing, the words, the root.
    cdef int i
    gold[0] = gold[words + 1] = named[0] = named[words + 1] = -1
    ordered[0] = 0
    ordered[words + 1] = words + 1
    for i in range(words):
        gold[i + 1] = heads[i] if heads[i] else words + 1
        named[i + 1] = labels[i]
        ordered[i + 1] = order[i]


cdef struct Beam:
    int size, count, most
    State **states      # the sequences that are kept, the best first
    State **spare       # room for the next ones
    int64_t *scores
    uint16_t *actions   # of each sequence, most of them
    uint16_t *next_actions
    int64_t *best       # of the next ones: the score, and where it comes from
    int *parent
    int *action


cdef Beam *beam_new(int size, int words) noexcept nogil:
    cdef Beam *self = <Beam *> calloc(1, sizeof(Beam))
    cdef int i
    cdef bint good
    if not self:
        return NULL
    self.size = size
    self.most = 2 * words + 2
    self.states = <State **> calloc(size, sizeof(State *))
    self.spare = <State **> calloc(size, sizeof(State *))
    self.scores = <int64_t *> calloc(size, sizeof(int64_t))
    self.best = <int64_t *> calloc(size, sizeof(int64_t))
    self.parent = <int *> calloc(size, sizeof(int))
    self.action = <int *> calloc(size, sizeof(int))
    self.actions = <uint16_t *> calloc(<size_t> size * self.most, sizeof(uint16_t))
    self.next_actions = <uint16_t *> calloc(<size_t> size * self.most, sizeof(uint16_t))
    good = self.states and self.spare and self.scores and self.best and self.parent
    good = good and self.action and self.actions and self.next_actions
    for i in range(size):
        if good:
            self.states[i] = state_new(words)
            self.spare[i] = state_new(words)
            good = self.states[i] and self.spare[i]
    if not good:
        beam_end(self)
        return NULL
    return self


cdef void beam_end(Beam *self) noexcept nogil:
    cdef int i
    if not self:
        return
    for i in range(self.size):
        if self.states:
            free(self.states[i])
        if self.spare:
            free(self.spare[i])
    free(self.states)
    free(self.spare)
    free(self.scores)
    free(self.best)
    free(self.parent)
    free(self.action)
    free(self.actions)
    free(self.next_actions)
    free(self)


cdef void beam_begin(Beam *self, int system, int words) noexcept nogil:
    self.count = 1
    self.scores[0] = 0
    state_begin(self.states[0], system, words)


cdef inline int beam_offer(Beam *self, int kept, int64_t score, int parent, int action) noexcept nogil:
    # Keep a candidate if it is among the best; of equal ones the first stays. Returns how many.
    cdef int at
    if kept == self.size:
        if score <= self.best[kept - 1]:
            return kept
        kept -= 1
    at = kept
    while at > 0 and self.best[at - 1] < score:
        self.best[at] = self.best[at - 1]
        self.parent[at] = self.parent[at - 1]
        self.action[at] = self.action[at - 1]
        at -= 1
    self.best[at] = score
    self.parent[at] = parent
    self.action[at] = action
    return kept + 1


cdef void beam_move(Beam *self, int kept, int step, const int32_t[::1] kinds,
                    const int32_t[::1] labels) noexcept nogil:
    # Make the transitions of the candidates.
    cdef int i
    cdef State **states
    cdef uint16_t *actions
    for i in range(kept):
        state_copy(self.spare[i], self.states[self.parent[i]])
        apply(self.spare[i], kinds[self.action[i]], labels[self.action[i]])
        memcpy(self.next_actions + <size_t> i * self.most,
               self.actions + <size_t> self.parent[i] * self.most, step * sizeof(uint16_t))
        self.next_actions[<size_t> i * self.most + step] = <uint16_t> self.action[i]
        self.scores[i] = self.best[i]
    states = self.states
    self.states = self.spare
    self.spare = states
    actions = self.actions
    self.actions = self.next_actions
    self.next_actions = actions
    self.count = kept


cdef class System:
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


cdef class Learner(System):
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
        cdef Py_ssize_t i
        cdef int64_t sentence, first
        cdef int words, failed = 0
        cdef int64_t wrong = 0, made = 0
        cdef uint64_t state = seed, threshold = <uint64_t> (explore * 4294967296.0)
        cdef int32_t *gold
        checked_sentences(fields, offsets, heads, labels, order, sentences, WORD_FIELDS)
        if not sentences.shape[0]:
            return 0, 0
        self.room(int(np.diff(offsets).max()))
        gold = <int32_t *> malloc(3 * (self.most + 2) * sizeof(int32_t))
        if not gold:
            raise MemoryError
        with nogil:
            for i in range(sentences.shape[0]):
                sentence = sentences[i]
                first = offsets[sentence]
                words = <int> (offsets[sentence + 1] - first)
                if words == 0:
                    continue
                self.place_words(&fields[first, 0], words)
                failed = self.learn(words, gold, &heads[first], &labels[first], &order[first],
                                    margin, threshold, &state, &wrong, &made)
                if failed:
                    break
        free(gold)
        if failed:
            raise MemoryError
        return wrong, made

    cdef int learn(self, int words, int32_t *gold, const int32_t *heads, const int32_t *labels,
                   const int32_t *order, int margin, uint64_t threshold, uint64_t *random,
                   int64_t *wrong, int64_t *made) noexcept nogil:
        cdef State *state = self.state
        cdef int32_t *named = gold + words + 2
        cdef int32_t *ordered = named + words + 2
        cdef int i, a, best, right, costly, extra
        cdef int cost[5]
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

    def iterate_beam(self, const uint64_t[:, ::1] fields not None,
                     const int64_t[::1] offsets not None, const int32_t[::1] heads not None,
                     const int32_t[::1] labels not None, const int32_t[::1] order not None,
                     const int64_t[::1] sentences not None, int size):
        """Go over the sentences once with a beam; return how many were wrong, and how many."""
        cdef Py_ssize_t i
        cdef int64_t sentence, first
        cdef int words, failed = 0
        cdef int64_t wrong = 0
        cdef int32_t *gold
        cdef Beam *beam
        checked_sentences(fields, offsets, heads, labels, order, sentences, WORD_FIELDS)
        checked_beam(self.system, size)
        if not sentences.shape[0]:
            return 0, 0
        self.room(int(np.diff(offsets).max()))
        gold = <int32_t *> malloc(3 * (self.most + 2) * sizeof(int32_t))
        beam = beam_new(size, self.most)
        if not gold or not beam:
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
                failed = self.learn_beam(beam, words, gold, &heads[first], &labels[first],
                                         &order[first])
                if failed < 0:
                    break
                wrong += failed
        free(gold)
        beam_end(beam)
        if failed < 0:
            raise MemoryError
        return wrong, sentences.shape[0]

    cdef int learn_beam(self, Beam *beam, int words, int32_t *gold, const int32_t *heads,
                        const int32_t *labels, const int32_t *order) noexcept nogil:
        # 1: the gold sequence was not the best one at some point, and the weights have changed.
        cdef int32_t *named = gold + words + 2
        cdef int32_t *ordered = named + words + 2
        cdef int i, a, kept, step, right, length, worst = -1, found
        cdef int64_t total = 0, gap = 0
        cdef bint can[5]
        cdef int cost[5]
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
                for a in range(5):
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


cdef class Decoder(System):
    """Averaged weights that parse."""

    cdef Frozen table

    def __cinit__(self, int system, const int32_t[::1] kinds not None,
                  const int32_t[::1] labels not None, templates, special, weights):
        cdef const uint64_t[::1] keys
        cdef const uint16_t[::1] lengths, actions
        cdef const int16_t[::1] values
        keys, lengths, actions, values = weights
        from commonground.kernels.perceptron import checked_weights

        checked_weights(tuple(map(np.asarray, weights)), self.actions)
        if frozen_begin(
            &self.table, keys.shape[0], &keys[0] if keys.shape[0] else NULL,
            &lengths[0] if keys.shape[0] else NULL, actions.shape[0],
            &actions[0] if actions.shape[0] else NULL, &values[0] if actions.shape[0] else NULL,
            self.actions,
        ):
            raise MemoryError

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
        cdef bint can[5]
        cdef int32_t *scores = self.scores
        state_begin(state, self.system, words)
        while not state_done(state):
            self.score_state(state)
            for i in range(5):
                can[i] = allowed(state, i, True)
            best = -1
            for a in range(self.actions):
                if can[self.kinds[a]] and (best < 0 or scores[a] > scores[best]):
                    best = a
            apply(state, self.kinds[best], self.action_labels[best])

    cdef void decode_beam(self, Beam *beam, int words) noexcept nogil:
        cdef int step, i, a, kept
        cdef bint can[5]
        beam_begin(beam, self.system, words)
        for step in range(2 * words + (self.system == STANDARD)):
            kept = 0
            for i in range(beam.count):
                self.score_state(beam.states[i])
                for a in range(5):
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
