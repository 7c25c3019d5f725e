# The best sequences of transitions so far; see transition_beam.py.

from libc.stdint cimport int32_t, int64_t, uint16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from commonground.kernels.transition_state cimport State, apply, state_begin, state_copy, state_new

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


cdef inline Beam *beam_new(int size, int words) noexcept nogil:
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


cdef inline void beam_end(Beam *self) noexcept nogil:
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


cdef inline void beam_begin(Beam *self, int system, int words) noexcept nogil:
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


cdef inline void beam_move(Beam *self, int kept, int step, const int32_t[::1] kinds,
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
