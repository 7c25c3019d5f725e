# What a state of a transition-based parser looks like: the features of its templates, hashed; see
# transition_features.py.

from libc.stdint cimport int32_t, uint64_t

from commonground.kernels.perceptron cimport combined
from commonground.kernels.transition_state cimport HYBRID, State, buffer_at, stack_at

cdef enum:
    PLACES = 23
    WORD_FIELDS = 11

cdef struct Templates:
    int atoms
    const int32_t *atom      # (place, field) of each
    int count
    const int32_t *starts
    const int32_t *parts
    const uint64_t *seeds


cdef inline uint64_t bucket(int distance) noexcept nogil:
    return distance if distance < 5 else 5 if distance < 8 else 6 if distance < 12 else 7


cdef inline void extract(const State *self, const Templates *templates, const uint64_t *words,
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
