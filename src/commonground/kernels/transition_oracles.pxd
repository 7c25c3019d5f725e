# What transitions cost: the oracles of transition-based parsers; see transition_oracles.py.

from libc.stdint cimport int32_t

from commonground.kernels.transition_state cimport (
    EAGER, HYBRID, KINDS, LEFT, REDUCE, RIGHT, SHIFT, SWAP, SWAPPING, State, allowed, buffer_at,
    stack_at,
)

cdef enum:
    LOST = 1 << 20  # the cost of what is not allowed

cdef inline void costs(const State *self, const int32_t *gold, const int32_t *order, int *cost) noexcept nogil:
    # The costs of the kinds of transitions, labels apart; see transition_oracles.py.
    cdef int kind, i, k, s0 = stack_at(self, 0), s1 = stack_at(self, 1), n0 = buffer_at(self, 0)
    cdef int waiting = 0, below = 0, missing = 0, head
    for kind in range(KINDS):
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
        for i in range(KINDS):
            cost[i] += i != kind


cdef inline bint collected(const State *self, const int32_t *gold, int word) noexcept nogil:
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


cdef inline void fill_gold(int words, int32_t *gold, int32_t *named, int32_t *ordered,
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
