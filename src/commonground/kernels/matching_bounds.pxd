# How much any pairs of nodes can be worth; see matching_bounds.py.

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from commonground.kernels.matching_choices cimport LEAST, NONE, SCALE, Entry, Search, Term
from commonground.kernels.matching_pairs cimport better, improve

cdef enum:
    ROUNDS = 60
    PATIENCE = 4


cdef inline void gather(Search *s) noexcept nogil:
    """Add up what values are worth with all messages."""
    cdef Py_ssize_t i, k
    cdef int side
    cdef Term *t
    memcpy(s.sums, s.own, s.slots * sizeof(int64_t))
    for i in range(s.terms):
        t = &s.term[i]
        for side in range(2):
            for k in range(s.slot[t.rows[side] + 1] - s.slot[t.rows[side]]):
                s.sums[s.slot[t.rows[side]] + k] += s.messages[t.at[side] + k]


cdef inline bint possible(const Search *s) noexcept nogil:
    """Tell whether each variable has a value left."""
    cdef Py_ssize_t row, k
    cdef int some
    for row in range(s.rows):
        some = 0
        for k in range(s.slot[row], s.slot[row + 1]):
            some |= s.alive[k]
        if not some:
            return False
    return True


cdef inline int64_t price_of(const Search *s, int32_t node) noexcept nogil:
    return s.price[node] if node >= 0 else 0


cdef inline void pass_on(const Search *s, const Term *t, int side, const int64_t *given,
                  int64_t *results) noexcept nogil:
    """Find for each value of the other variable the best of what is given and the term."""
    cdef int64_t first = NONE, second = NONE, each
    cdef Py_ssize_t k, where = -2, other
    cdef int32_t row = t.rows[side]
    cdef const int32_t *same = s.same + t.at[1 - side]
    cdef const Entry *e = s.entry + t.first
    for k in range(s.slot[row + 1] - s.slot[row]):
        each = given[k]
        if each > first:
            first, second, where = each, first, k
        elif each > second:
            second = each
    row = t.rows[1 - side]
    for k in range(s.slot[row + 1] - s.slot[row]):
        results[k] = second if same[k] == where else first
    if side == 0:
        for k in range(t.entries):
            each = given[e[k].k] + e[k].worth
            if each > results[e[k].other]:
                results[e[k].other] = each
    else:
        for k in range(t.entries):
            each = given[e[k].other] + e[k].worth
            if each > results[e[k].k]:
                results[e[k].k] = each


cdef inline void balance(Search *s, const Term *t, int side) noexcept nogil:
    """Share evenly between two variables what their values and the term are worth."""
    cdef int32_t row = t.rows[side], other = t.rows[1 - side]
    cdef int32_t at = s.slot[row], there = s.slot[other]
    cdef Py_ssize_t k, n = s.slot[row + 1] - at, m = s.slot[other + 1] - there
    cdef int64_t *mine = s.messages + t.at[side]
    cdef int64_t *its = s.messages + t.at[1 - side]
    cdef int64_t own
    for k in range(m):
        s.given[k] = NONE
        if s.alive[there + k]:
            s.given[k] = s.sums[there + k] - its[k] - price_of(s, s.node[there + k])
    pass_on(s, t, 1 - side, s.given, s.passing)
    for k in range(n):
        s.given[k] = NONE
        if s.alive[at + k]:
            own = s.sums[at + k] - mine[k] - price_of(s, s.node[at + k])
            s.given[k] = (own - s.passing[k]) >> 1
    pass_on(s, t, side, s.given, s.passing)
    for k in range(m):
        own = max(s.passing[k], LEAST)
        s.sums[there + k] += own - its[k]
        its[k] = own
        s.given[k] = -own if s.alive[there + k] else NONE
    pass_on(s, t, 1 - side, s.given, s.passing)
    for k in range(n):
        own = max(s.passing[k], LEAST)
        s.sums[at + k] += own - mine[k]
        mine[k] = own


cdef inline int64_t top_of(Search *s, const Term *t) noexcept nogil:
    """Return the highest worth of two values of a term beyond what its messages say."""
    cdef int32_t at = s.slot[t.rows[0]], there = s.slot[t.rows[1]]
    cdef Py_ssize_t k
    cdef int64_t highest = 2 * NONE
    for k in range(s.slot[t.rows[0] + 1] - at):
        s.given[k] = -s.messages[t.at[0] + k] if s.alive[at + k] else NONE
    pass_on(s, t, 0, s.given, s.passing)
    for k in range(s.slot[t.rows[1] + 1] - there):
        if s.alive[there + k]:
            highest = max(highest, s.passing[k] - s.messages[t.at[1] + k])
    return highest


cdef inline bint augment(Search *s, int32_t start) noexcept nogil:
    cdef int32_t row = start, end_row = -1, end_value = -1, value, k, node, before, size = 1
    cdef int64_t so_far = 0, end = -NONE, cost, nearest, highest = 2 * NONE
    cdef Py_ssize_t i
    for i in range(s.columns):
        s.distance[i] = -NONE
    memset(s.done, 0, s.columns)
    s.tree[0], s.tree_length[0] = start, 0
    for k in range(s.slot[start], s.slot[start + 1]):
        if s.alive[k]:
            highest = max(highest, s.sums[k] - price_of(s, s.node[k]))
    s.level[start] = highest
    while True:
        for k in range(s.slot[row], s.slot[row + 1]):
            if not s.alive[k]:
                continue
            value = s.node[k]
            cost = so_far + s.level[row] + price_of(s, value) - s.sums[k]
            if value < 0:
                if cost < end:
                    end, end_row, end_value = cost, row, k - s.slot[row]
            elif not s.done[value] and cost < s.distance[value]:
                s.distance[value] = cost
                s.reached_row[value], s.reached_value[value] = row, k - s.slot[row]
        node, nearest = -1, -NONE
        for value in range(s.columns):
            if s.distance[value] < nearest and not s.done[value]:
                node, nearest = value, s.distance[value]
        if node < 0 or end <= nearest:
            break
        if s.owner[node] < 0:
            end, end_row, end_value = nearest, s.reached_row[node], s.reached_value[node]
            break
        s.done[node] = 1
        row, so_far = s.owner[node], nearest
        s.tree[size], s.tree_length[size] = row, so_far
        size += 1
    if end_row < 0:
        return False
    for i in range(size):
        s.level[s.tree[i]] -= end - s.tree_length[i]
    for i in range(s.columns):
        if s.done[i]:
            s.price[i] += end - s.distance[i]
    row, k = end_row, end_value
    while True:
        before = s.chosen[row]
        s.chosen[row] = k
        if s.node[s.slot[row] + k] >= 0:
            s.owner[s.node[s.slot[row] + k]] = row
        if row == start:
            return True
        node = s.node[s.slot[row] + before]
        row, k = s.reached_row[node], s.reached_value[node]


cdef inline bint assign(Search *s) noexcept nogil:
    """Give each variable a value so that their worths are highest and no node is taken twice."""
    cdef Py_ssize_t i
    memset(s.price, 0, s.columns * sizeof(int64_t))
    memset(s.chosen, -1, s.rows * sizeof(int32_t))
    memset(s.owner, -1, s.columns * sizeof(int32_t))
    for i in range(s.rows):
        if not augment(s, <int32_t> i):
            return False
    s.value = 0
    for i in range(s.rows):
        s.value += s.level[i]
    for i in range(s.columns):
        s.value += s.price[i]
    return True


cdef inline int64_t loss(const Search *s, int32_t row, Py_ssize_t slot) noexcept nogil:
    """Return what has to be added to the bound if a variable gets a value: nothing, or less."""
    return s.sums[slot] - s.level[row] - price_of(s, s.node[slot])


cdef inline void strike(Search *s) noexcept nogil:
    """Strike out values with which nothing better than the best pairs can be reached."""
    cdef int32_t row
    cdef Py_ssize_t k
    for row in range(s.rows):
        for k in range(s.slot[row], s.slot[row + 1]):
            if s.alive[k] and not better(s, s.total + loss(s, row, k)):
                s.alive[k] = 0


cdef inline int64_t tightened(Search *s) noexcept nogil:
    """Bring the bound down as far as it goes; note better pairs, strike out hopeless values."""
    cdef int64_t bound = -NONE
    cdef int waiting = 0, turn
    cdef Py_ssize_t i
    for turn in range(ROUNDS):
        s.steps += s.work
        if not possible(s):
            return NONE
        for i in range(s.terms):
            balance(s, &s.term[i], 0)
        for i in range(s.terms - 1, -1, -1):
            balance(s, &s.term[i], 1)
        if not assign(s):
            return NONE
        s.total = s.value
        for i in range(s.terms):
            s.total += top_of(s, &s.term[i])
            if s.total < LEAST:
                return NONE
        improve(s)
        waiting = waiting + 1 if s.total > bound - SCALE // 16 else 0
        bound = min(bound, s.total)
        if not better(s, bound) or waiting == PATIENCE:
            break
        strike(s)
    return bound
