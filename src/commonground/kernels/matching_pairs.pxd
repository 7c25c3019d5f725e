# Pairs of nodes that are improved by moves and swaps; see matching_pairs.py.

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from commonground.kernels.matching_choices cimport SCALE, Entry, Search, Term


cdef inline bint better(const Search *s, int64_t bound) noexcept nogil:
    # both are 0 or more where they matter; a bound below 0 is never better
    return bound >= 0 and bound // SCALE > s.worth // SCALE


cdef inline int64_t together(const Search *s, const Term *t) noexcept nogil:
    """Return what the values of two variables on trial are worth together."""
    cdef const Entry *e = s.entry + t.first
    cdef int32_t k = s.trial[t.rows[0]], other = s.trial[t.rows[1]]
    cdef Py_ssize_t low = 0, high = t.entries, middle
    while low < high:
        middle = (low + high) // 2
        if e[middle].k < k or (e[middle].k == k and e[middle].other < other):
            low = middle + 1
        else:
            high = middle
    if low < t.entries and e[low].k == k and e[low].other == other:
        return e[low].worth
    return 0


cdef inline int64_t around(const Search *s, int32_t row, int32_t other) noexcept nogil:
    """Return what one or two variables on trial are worth with all their terms."""
    cdef int64_t worth = s.own[s.slot[row] + s.trial[row]]
    cdef Py_ssize_t i
    cdef const Term *t
    for i in range(s.at_begin[row], s.at_begin[row + 1]):
        worth += together(s, &s.term[s.at[i].term])
    if other >= 0:
        worth += s.own[s.slot[other] + s.trial[other]]
        for i in range(s.at_begin[other], s.at_begin[other + 1]):
            t = &s.term[s.at[i].term]
            if t.rows[0] != row and t.rows[1] != row:
                worth += together(s, t)
    return worth


cdef inline int32_t number_of(const Search *s, int32_t row, int32_t node) noexcept nogil:
    """Return the number of a node among the values of a variable, the last one if it is none."""
    cdef int32_t number = -1
    if node >= 0:
        number = s.number[<Py_ssize_t> row * s.columns + node]
    return number if number >= 0 else s.slot[row + 1] - s.slot[row] - 1


cdef inline int64_t gain_of(Search *s, int32_t row, int32_t k) noexcept nogil:
    """Return what is gained if a variable gets a value, and its owner, if any, the old one."""
    cdef int32_t node = s.node[s.slot[row] + k], old = s.trial[row], kept = -1
    cdef int32_t other = s.owner[node] if node >= 0 else -1
    cdef int64_t before = around(s, row, other), after
    s.trial[row] = k
    if other >= 0:
        kept = s.trial[other]
        s.trial[other] = number_of(s, other, s.node[s.slot[row] + old])
    after = around(s, row, other)
    s.trial[row] = old
    if other >= 0:
        s.trial[other] = kept
    return after - before


cdef inline void move(Search *s, int32_t row, int32_t k) noexcept nogil:
    cdef int32_t old = s.node[s.slot[row] + s.trial[row]], node = s.node[s.slot[row] + k]
    cdef int32_t other = s.owner[node] if node >= 0 else -1
    s.trial[row] = k
    if old >= 0:
        s.owner[old] = -1
    if other >= 0:
        s.trial[other] = number_of(s, other, old)
        if s.node[s.slot[other] + s.trial[other]] >= 0:
            s.owner[old] = other
    if node >= 0:
        s.owner[node] = row


cdef inline void improve(Search *s) noexcept nogil:
    """Improve the assignment by moves and swaps as long as any helps; keep it if it is best."""
    cdef Py_ssize_t i
    cdef int32_t row, k, choice
    cdef int64_t gain, more, worth = 0
    cdef int helped = 1, changed = 0
    for i in range(s.rows):
        if s.chosen[i] != s.last[i]:
            changed = 1
    if not changed:
        return
    memcpy(s.last, s.chosen, s.rows * sizeof(int32_t))
    memcpy(s.trial, s.chosen, s.rows * sizeof(int32_t))
    memset(s.owner, -1, s.columns * sizeof(int32_t))
    for row in range(s.rows):
        if s.node[s.slot[row] + s.trial[row]] >= 0:
            s.owner[s.node[s.slot[row] + s.trial[row]]] = row
    while helped:
        helped = 0
        for row in range(s.rows):
            gain, choice = 0, -1
            for k in range(s.slot[row + 1] - s.slot[row]):
                if k == s.trial[row]:
                    continue
                more = gain_of(s, row, k)
                if more > gain:
                    gain, choice = more, k
            if choice >= 0:
                helped = 1
                move(s, row, choice)
    for i in range(s.rows):
        worth += s.own[s.slot[i] + s.trial[i]]
    for i in range(s.terms):
        worth += together(s, &s.term[i])
    if worth > s.worth:
        s.worth = worth
        for i in range(s.rows):
            s.best[i] = s.node[s.slot[i] + s.trial[i]]
