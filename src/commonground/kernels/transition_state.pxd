# The states of transition-based parsers, and the transitions between them; transition_state.py says
# what they are.

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memcpy, memset

cdef enum:  # kinds of transitions
    SHIFT = 0
    REDUCE = 1
    LEFT = 2
    RIGHT = 3
    SWAP = 4
    KINDS = 5

cdef enum:  # systems
    EAGER = 0
    HYBRID = 1
    STANDARD = 2
    SWAPPING = 3

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


cdef inline State *state_new(int most) noexcept nogil:
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


cdef inline void state_begin(State *self, int system, int words) noexcept nogil:
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


cdef inline void state_copy(State *self, const State *other) noexcept nogil:
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


cdef inline bint state_done(const State *self) noexcept nogil:
    if self.system <= HYBRID:
        return self.depth == 0 and self.left == 1
    return self.left == 0 and self.depth == 1


cdef inline bint allowed(const State *self, int kind, bint one_root) noexcept nogil:
    # See `allowed` in transition_state.py, which says why.
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


cdef inline void apply(State *self, int kind, int label) noexcept nogil:
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
