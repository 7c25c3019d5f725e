# cython: language_level=3, embedsignature=True
"""The compiled twin of graph_matching.py."""

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memcpy, memset

from commonground.kernels.graph_matching import checked

cdef enum:
    SCALE = 1 << 12
    LARGEST = 1 << 22
    ROUNDS = 60
    PATIENCE = 4

cdef int64_t NONE = -(<int64_t> 1 << 58)
cdef int64_t LEAST = -(<int64_t> 1 << 44)


cdef struct Graph:
    int32_t nodes
    int32_t edges
    const int64_t *feature_at  # of the first node; the numbers are those of all graphs
    const int32_t *feature
    const int32_t *source
    const int32_t *target
    const int32_t *label


cdef struct Entry:
    int32_t one, two  # the variables, then their values
    int32_t k, other
    int64_t worth


cdef struct Term:
    int32_t rows[2]
    int32_t entries      # how many, and where they begin
    int32_t first
    int32_t at[2]        # where its messages, and `same`, begin


cdef struct At:
    int32_t term, side


cdef struct Open:
    int64_t bound
    int32_t value


cdef struct Level:
    int32_t row, count
    int8_t *alive
    int64_t *messages
    Open *open


cdef struct Search:
    # See the plain twin for what the names mean; the values of row r are those from slot[r] on.
    int32_t rows, columns, terms, slots, parts
    int64_t limit, steps, work, worth, bound, total, value
    int32_t *slot
    int32_t *node        # the node of a value, -1 for none
    int64_t *own
    int8_t *alive
    int64_t *sums        # own and all messages
    int32_t *number      # of a node among the values of a row, -1 where it is none of them
    Entry *entry
    Term *term
    int64_t *messages
    int32_t *same
    int32_t *at_begin
    At *at
    int64_t *price
    int64_t *level
    int32_t *chosen
    int32_t *last
    int32_t *best
    int32_t *trial
    int32_t *owner
    # for the assignment
    int64_t *distance
    int32_t *reached_row
    int32_t *reached_value
    int8_t *done
    int32_t *tree
    int64_t *tree_length
    # for messages: as long as the most values of a row
    int64_t *given
    int64_t *passing
    Level *stack
    int32_t depth


def best_pairs(tuple one not None, tuple two not None, tuple weights not None,
               long long limit=100_000_000):
    """Return the best partner of each node of the first side, and three sums for each pair."""
    one, two, weights = checked(one, two, weights)
    partner = np.full(int(one[0][-1]), -1, np.int32)
    sums = np.zeros((3, len(one[0]) - 1), np.int64)
    cdef int32_t[::1] result = partner
    cdef int64_t[:, ::1] figures = sums
    cdef const int64_t[::1] node_at = one[0], edge_at = one[3]
    cdef const int64_t[::1] other_node_at = two[0], other_edge_at = two[3]
    cdef const int64_t[::1] feature_at = one[1], other_feature_at = two[1]
    cdef const int32_t[::1] feature = padded(one[2]), other_feature = padded(two[2])
    cdef const int32_t[::1] source = padded(one[4]), other_source = padded(two[4])
    cdef const int32_t[::1] target = padded(one[5]), other_target = padded(two[5])
    cdef const int32_t[::1] label = padded(one[6]), other_label = padded(two[6])
    cdef const int32_t[::1] of_features = padded(weights[0]), of_labels = padded(weights[1])
    cdef int32_t[::1] room = np.zeros(len(partner) + 1, np.int32)
    cdef Py_ssize_t graph, graphs = len(one[0]) - 1, failed = 0, start
    cdef Graph a, b
    cdef int64_t worth, bound, steps
    with nogil:
        for graph in range(graphs):
            a.nodes = <int32_t> (node_at[graph + 1] - node_at[graph])
            b.nodes = <int32_t> (other_node_at[graph + 1] - other_node_at[graph])
            a.edges = <int32_t> (edge_at[graph + 1] - edge_at[graph])
            b.edges = <int32_t> (other_edge_at[graph + 1] - other_edge_at[graph])
            a.feature_at, a.feature = &feature_at[node_at[graph]], &feature[0]
            b.feature_at, b.feature = &other_feature_at[other_node_at[graph]], &other_feature[0]
            a.source, a.target, a.label = (&source[0] + edge_at[graph], &target[0] + edge_at[graph],
                                           &label[0] + edge_at[graph])
            b.source, b.target, b.label = (&other_source[0] + other_edge_at[graph],
                                           &other_target[0] + other_edge_at[graph],
                                           &other_label[0] + other_edge_at[graph])
            start = node_at[graph]
            if solve(&a, &b, &of_features[0], &of_labels[0], limit, &room[start],
                     &worth, &bound, &steps):
                failed = 1
                break
            memcpy(&result[0] + start, &room[start], a.nodes * sizeof(int32_t))
            figures[0, graph], figures[1, graph] = worth // SCALE, bound // SCALE
            figures[2, graph] = steps
    if failed:
        raise MemoryError
    return partner, sums[0], sums[1], sums[2]


cdef padded(column):
    """Return a column that has at least one row, so that it has an address."""
    return column if len(column) else np.zeros(1, column.dtype)


# ── what there is to choose from ─────────────────────────────────────────────────────────────────


cdef int by_entry(const void *one, const void *two) noexcept nogil:
    cdef const Entry *a = <const Entry *> one
    cdef const Entry *b = <const Entry *> two
    if a.one != b.one:
        return -1 if a.one < b.one else 1
    if a.two != b.two:
        return -1 if a.two < b.two else 1
    if a.k != b.k:
        return -1 if a.k < b.k else 1
    if a.other != b.other:
        return -1 if a.other < b.other else 1
    return 0


cdef struct Coded:
    int32_t code, place


cdef int by_code(const void *one, const void *two) noexcept nogil:
    cdef const Coded *a = <const Coded *> one
    cdef const Coded *b = <const Coded *> two
    if a.code != b.code:
        return -1 if a.code < b.code else 1
    return (a.place > b.place) - (a.place < b.place)


cdef int64_t shared(Coded *one, Py_ssize_t n, Coded *two, Py_ssize_t m,
                    const int32_t *weight) noexcept nogil:
    """Return the weight of the codes that both lists have; both are sorted here."""
    cdef Py_ssize_t i = 0, j = 0
    cdef int64_t most = 0
    qsort(one, n, sizeof(Coded), by_code)
    qsort(two, m, sizeof(Coded), by_code)
    while i < n and j < m:
        if one[i].code < two[j].code:
            i += 1
        elif one[i].code > two[j].code:
            j += 1
        else:
            most += weight[one[i].code]
            i += 1
            j += 1
    return most


cdef int solve(const Graph *a, const Graph *b, const int32_t *of_features, const int32_t *of_labels,
               int64_t limit, int32_t *pairs, int64_t *worth, int64_t *bound,
               int64_t *steps) noexcept nogil:
    """Find the best pairs of two graphs; 1 if there is no memory for it."""
    cdef Py_ssize_t i, j, n = a.feature_at[a.nodes] - a.feature_at[0]
    cdef Py_ssize_t m = b.feature_at[b.nodes] - b.feature_at[0]
    cdef Py_ssize_t size = max(max(n, m), max(a.edges, b.edges)) + 1
    cdef Coded *one = <Coded *> malloc(size * sizeof(Coded))
    cdef Coded *two = <Coded *> malloc(size * sizeof(Coded))
    cdef int32_t *order = <int32_t *> malloc((a.nodes + 1) * sizeof(int32_t))
    cdef int32_t *row_of = <int32_t *> malloc((a.nodes + 1) * sizeof(int32_t))
    cdef int failed = one == NULL or two == NULL or order == NULL or row_of == NULL
    cdef Search search
    memset(&search, 0, sizeof(Search))
    if not failed:
        for i in range(a.nodes):
            pairs[i] = -1
        for i in range(n):
            one[i].code, one[i].place = a.feature[a.feature_at[0] + i], <int32_t> i
        for i in range(m):
            two[i].code, two[i].place = b.feature[b.feature_at[0] + i], <int32_t> i
        search.bound = shared(one, n, two, m, of_features) * SCALE
        for i in range(a.edges):
            one[i].code, one[i].place = a.label[i], <int32_t> i
        for i in range(b.edges):
            two[i].code, two[i].place = b.label[i], <int32_t> i
        search.bound += shared(one, a.edges, two, b.edges, of_labels) * SCALE
        search.rows, search.columns, search.limit = a.nodes, b.nodes, limit
        failed = walk(a, order)
    if not failed:
        for i in range(a.nodes):
            row_of[order[i]] = <int32_t> i
        failed = prepare(&search, a, b, of_features, of_labels, order, row_of, two)
        if failed == 0:
            failed = run(&search)
            for i in range(a.nodes):
                pairs[order[i]] = search.best[i]
        elif failed < 0:  # too large to be searched
            failed = 0
    worth[0], bound[0], steps[0] = search.worth, search.bound, search.steps
    release(&search)
    free(one)
    free(two)
    free(order)
    free(row_of)
    return failed


cdef int walk(const Graph *a, int32_t *order) noexcept nogil:
    """List the nodes depth first from those with the most neighbours on."""
    cdef Py_ssize_t i, j, ends = 2 * <Py_ssize_t> a.edges, n = a.nodes, top, count = 0, before
    cdef int32_t node
    # pairs (node, neighbour), sorted; duplicates are left out by moving the others together
    cdef Coded *pairs = <Coded *> malloc((ends + 1) * sizeof(Coded))
    cdef Coded *starts = <Coded *> malloc((n + 1) * sizeof(Coded))
    cdef int64_t *begin = <int64_t *> calloc(n + 2, sizeof(int64_t))
    cdef int8_t *seen = <int8_t *> calloc(n + 1, 1)
    cdef int32_t *stack = <int32_t *> malloc((ends + n + 1) * sizeof(int32_t))
    cdef int failed = (pairs == NULL or starts == NULL or begin == NULL or seen == NULL
                       or stack == NULL)
    if not failed:
        for i in range(a.edges):
            pairs[2 * i].code, pairs[2 * i].place = a.source[i], a.target[i]
            pairs[2 * i + 1].code, pairs[2 * i + 1].place = a.target[i], a.source[i]
        qsort(pairs, ends, sizeof(Coded), by_code)
        j = 0
        for i in range(ends):
            if j and pairs[j - 1].code == pairs[i].code and pairs[j - 1].place == pairs[i].place:
                continue
            pairs[j] = pairs[i]
            begin[pairs[j].code + 1] += 1
            j += 1
        for i in range(n):
            starts[i].code, starts[i].place = -<int32_t> begin[i + 1], <int32_t> i
            begin[i + 1] += begin[i]
        qsort(starts, n, sizeof(Coded), by_code)
        for i in range(n):
            top = 1
            stack[0] = starts[i].place
            while top:
                top -= 1
                node = stack[top]
                if seen[node]:
                    continue
                seen[node] = 1
                order[count] = node
                count += 1
                for j in range(begin[node + 1] - 1, begin[node] - 1, -1):
                    stack[top] = pairs[j].place
                    top += 1
    free(pairs)
    free(starts)
    free(begin)
    free(seen)
    free(stack)
    return failed


cdef Py_ssize_t first_of(const Coded *codes, Py_ssize_t count, int32_t code) noexcept nogil:
    """Return where a code begins in a sorted list."""
    cdef Py_ssize_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) // 2
        if codes[middle].code < code:
            low = middle + 1
        else:
            high = middle
    return low


cdef int prepare(Search *s, const Graph *a, const Graph *b, const int32_t *of_features,
                 const int32_t *of_labels, const int32_t *order, const int32_t *row_of,
                 const Coded *labels) noexcept nogil:
    """List values and terms; `labels` are those of the second graph, in order.

    0 if all is well, 1 if there is no memory, -1 if there is too much to be searched.
    """
    cdef Py_ssize_t i, j, k, pairs = 0, count = 0, slots = 0, most = 0
    cdef Py_ssize_t rows = a.nodes, columns = b.nodes
    cdef int32_t source, target, first, second, place
    cdef int64_t weight
    for i in range(a.edges):
        j = first_of(labels, b.edges, a.label[i])
        while j < b.edges and labels[j].code == a.label[i]:
            pairs += 1
            j += 1
        if pairs > LARGEST:
            return -1
    if rows * columns > LARGEST:
        return -1
    # What pairs of nodes are worth, -1 where they are no candidates.
    cdef int64_t *worth = <int64_t *> malloc((rows * columns + 1) * sizeof(int64_t))
    s.entry = <Entry *> malloc((pairs + 1) * sizeof(Entry))
    s.slot = <int32_t *> malloc((rows + 1) * sizeof(int32_t))
    s.number = <int32_t *> malloc((rows * columns + 1) * sizeof(int32_t))
    if worth == NULL or s.entry == NULL or s.slot == NULL or s.number == NULL:
        free(worth)
        return 1
    for i in range(rows):
        for j in range(columns):
            worth[i * columns + j] = compared(a, order[i], b, j, of_features)
    for i in range(a.edges):
        weight = <int64_t> of_labels[a.label[i]] * SCALE
        source, target = row_of[a.source[i]], row_of[a.target[i]]
        j = first_of(labels, b.edges, a.label[i])
        while j < b.edges and labels[j].code == a.label[i]:
            place = labels[j].place
            j += 1
            first, second = b.source[place], b.target[place]
            if (source == target) != (first == second):
                continue
            worth[source * columns + first] = max(worth[source * columns + first], 0)
            worth[target * columns + second] = max(worth[target * columns + second], 0)
            if source == target:
                worth[source * columns + first] += weight
                continue
            if source < target:
                s.entry[count].one, s.entry[count].two = source, target
                s.entry[count].k, s.entry[count].other = first, second
            else:
                s.entry[count].one, s.entry[count].two = target, source
                s.entry[count].k, s.entry[count].other = second, first
            s.entry[count].worth = weight
            count += 1
    # The values of each row, the last of which is none.
    for i in range(rows):
        s.slot[i] = <int32_t> slots
        k = 0
        for j in range(columns):
            s.number[i * columns + j] = -1
            if worth[i * columns + j] >= 0:
                s.number[i * columns + j] = <int32_t> k
                k += 1
        slots += k + 1
        most = max(most, k + 1)
    s.slot[rows] = <int32_t> slots
    s.slots = <int32_t> slots
    s.node = <int32_t *> malloc((slots + 1) * sizeof(int32_t))
    s.own = <int64_t *> malloc((slots + 1) * sizeof(int64_t))
    s.sums = <int64_t *> malloc((slots + 1) * sizeof(int64_t))
    s.alive = <int8_t *> malloc(slots + 1)
    s.given = <int64_t *> malloc((most + 1) * sizeof(int64_t))
    s.passing = <int64_t *> malloc((most + 1) * sizeof(int64_t))
    if (s.node == NULL or s.own == NULL or s.sums == NULL or s.alive == NULL or s.given == NULL
            or s.passing == NULL):
        free(worth)
        return 1
    for i in range(rows):
        for j in range(columns):
            k = s.number[i * columns + j]
            if k >= 0:
                s.node[s.slot[i] + k] = <int32_t> j
                s.own[s.slot[i] + k] = worth[i * columns + j]
        s.node[s.slot[i + 1] - 1] = -1
        s.own[s.slot[i + 1] - 1] = 0
    free(worth)
    memset(s.alive, 1, slots)
    return terms(s, count)


cdef int64_t compared(const Graph *a, Py_ssize_t node, const Graph *b, Py_ssize_t other,
                      const int32_t *weight) noexcept nogil:
    """Return the scaled weight of the features that two nodes share, -1 if they share none."""
    cdef int64_t i = a.feature_at[node], j = b.feature_at[other], worth = -1
    while i < a.feature_at[node + 1] and j < b.feature_at[other + 1]:
        if a.feature[i] < b.feature[j]:
            i += 1
        elif a.feature[i] > b.feature[j]:
            j += 1
        else:
            worth = max(worth, 0) + <int64_t> weight[a.feature[i]] * SCALE
            i += 1
            j += 1
    return worth


cdef int terms(Search *s, Py_ssize_t count) noexcept nogil:
    """Make terms of the entries; messages, and all else that the search needs."""
    cdef Py_ssize_t i, j = 0, k, rows = s.rows, columns = s.columns
    cdef int64_t parts = 0
    cdef Entry *e = s.entry
    cdef Term *t
    cdef int32_t row, other, side
    qsort(e, count, sizeof(Entry), by_entry)
    for i in range(count):
        if j and by_entry(&e[j - 1], &e[i]) == 0:
            e[j - 1].worth += e[i].worth
        else:
            e[j] = e[i]
            j += 1
    count = j
    s.term = <Term *> malloc((count + 1) * sizeof(Term))
    s.at_begin = <int32_t *> calloc(rows + 2, sizeof(int32_t))
    if s.term == NULL or s.at_begin == NULL:
        return 1
    for i in range(count):
        if s.terms == 0 or e[i].one != e[i - 1].one or e[i].two != e[i - 1].two:
            t = &s.term[s.terms]
            s.terms += 1
            t.rows[0], t.rows[1] = e[i].one, e[i].two
            t.first, t.entries = <int32_t> i, 0
            for side in range(2):
                row = t.rows[side]
                t.at[side] = <int32_t> parts
                parts += s.slot[row + 1] - s.slot[row]
                if parts > 1 << 30:
                    return 1
                s.at_begin[row + 1] += 1
        t = &s.term[s.terms - 1]
        t.entries += 1
    for i in range(count):
        e[i].k = s.number[e[i].one * columns + e[i].k]
        e[i].other = s.number[e[i].two * columns + e[i].other]
    s.parts = <int32_t> parts
    s.work = s.slots + parts + count
    for i in range(rows):
        s.at_begin[i + 1] += s.at_begin[i]
    s.messages = <int64_t *> calloc(parts + 1, sizeof(int64_t))
    s.same = <int32_t *> malloc((parts + 1) * sizeof(int32_t))
    s.at = <At *> malloc((2 * s.terms + 1) * sizeof(At))
    s.price = <int64_t *> calloc(columns + 1, sizeof(int64_t))
    s.level = <int64_t *> calloc(rows + 1, sizeof(int64_t))
    s.chosen = <int32_t *> malloc((rows + 1) * sizeof(int32_t))
    s.last = <int32_t *> malloc((rows + 1) * sizeof(int32_t))
    s.best = <int32_t *> malloc((rows + 1) * sizeof(int32_t))
    s.trial = <int32_t *> malloc((rows + 1) * sizeof(int32_t))
    s.owner = <int32_t *> malloc((columns + 1) * sizeof(int32_t))
    s.distance = <int64_t *> malloc((columns + 1) * sizeof(int64_t))
    s.reached_row = <int32_t *> malloc((columns + 1) * sizeof(int32_t))
    s.reached_value = <int32_t *> malloc((columns + 1) * sizeof(int32_t))
    s.done = <int8_t *> malloc(columns + 1)
    s.tree = <int32_t *> malloc((rows + 1) * sizeof(int32_t))
    s.tree_length = <int64_t *> malloc((rows + 1) * sizeof(int64_t))
    s.stack = <Level *> calloc(rows + 1, sizeof(Level))
    if (s.messages == NULL or s.same == NULL or s.at == NULL or s.price == NULL or s.level == NULL
            or s.chosen == NULL or s.last == NULL or s.best == NULL or s.trial == NULL
            or s.owner == NULL or s.distance == NULL or s.reached_row == NULL
            or s.reached_value == NULL or s.done == NULL or s.tree == NULL
            or s.tree_length == NULL or s.stack == NULL):
        return 1
    memset(s.chosen, -1, rows * sizeof(int32_t))
    memset(s.last, -1, rows * sizeof(int32_t))
    memset(s.best, -1, rows * sizeof(int32_t))
    for i in range(s.terms):
        t = &s.term[i]
        for side in range(2):
            row, other = t.rows[side], t.rows[1 - side]
            k = s.at_begin[row]
            s.at[k].term, s.at[k].side = <int32_t> i, side
            s.at_begin[row] += 1
            for k in range(s.slot[row + 1] - s.slot[row] - 1):
                s.same[t.at[side] + k] = s.number[other * columns + s.node[s.slot[row] + k]]
            s.same[t.at[side] + s.slot[row + 1] - s.slot[row] - 1] = -1
    for i in range(rows, 0, -1):
        s.at_begin[i] = s.at_begin[i - 1]
    s.at_begin[0] = 0
    return 0


cdef void release(Search *s) noexcept nogil:
    while s.depth:
        drop(s)
    free(s.slot)
    free(s.node)
    free(s.own)
    free(s.alive)
    free(s.sums)
    free(s.number)
    free(s.entry)
    free(s.term)
    free(s.messages)
    free(s.same)
    free(s.at_begin)
    free(s.at)
    free(s.price)
    free(s.level)
    free(s.chosen)
    free(s.last)
    free(s.best)
    free(s.trial)
    free(s.owner)
    free(s.distance)
    free(s.reached_row)
    free(s.reached_value)
    free(s.done)
    free(s.tree)
    free(s.tree_length)
    free(s.given)
    free(s.passing)
    free(s.stack)


# ── branch and bound ─────────────────────────────────────────────────────────────────────────────


cdef inline bint better(const Search *s, int64_t bound) noexcept nogil:
    # both are 0 or more where they matter; a bound below 0 is never better
    return bound >= 0 and bound // SCALE > s.worth // SCALE


cdef int run(Search *s) noexcept nogil:
    cdef int64_t bound, left = 0
    cdef Level *top
    cdef Py_ssize_t i, j
    gather(s)
    bound = min(s.bound, tightened(s))
    while True:
        if better(s, bound):
            if s.steps < s.limit:
                if branch(s, bound):
                    return 1
            else:
                left = max(left, bound)
        while s.depth:
            top = &s.stack[s.depth - 1]
            if top.count and better(s, top.open[top.count - 1].bound):
                break
            drop(s)
        if s.depth == 0 or s.steps >= s.limit:
            break
        top = &s.stack[s.depth - 1]
        memcpy(s.alive, top.alive, s.slots)
        memcpy(s.messages, top.messages, s.parts * sizeof(int64_t))
        gather(s)
        top.count -= 1
        fix(s, top.row, top.open[top.count].value)
        bound = min(top.open[top.count].bound, tightened(s))
    for i in range(s.depth):
        for j in range(s.stack[i].count):
            left = max(left, s.stack[i].open[j].bound)
    s.bound = min(s.bound, max(s.worth, left))
    return 0


cdef void gather(Search *s) noexcept nogil:
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


cdef int branch(Search *s, int64_t bound) noexcept nogil:
    """Choose the variable with the fewest values, and put the most promising value last."""
    cdef int32_t each, row = -1, fewest = 0, alive, k
    cdef Py_ssize_t i, j
    cdef Open candidate
    cdef Level *top = &s.stack[s.depth]
    for each in range(s.rows):
        alive = 0
        for i in range(s.slot[each], s.slot[each + 1]):
            alive += s.alive[i]
        if alive > 1 and (row < 0 or alive < fewest):
            row, fewest = each, alive
    top.row, top.count = row, 0
    top.alive = <int8_t *> malloc(s.slots + 1)
    top.messages = <int64_t *> malloc((s.parts + 1) * sizeof(int64_t))
    top.open = <Open *> malloc((fewest + 1) * sizeof(Open))
    s.depth += 1
    if row < 0:  # cannot be: a bound above the best pairs leaves something to choose
        return 0
    if top.alive == NULL or top.messages == NULL or top.open == NULL:
        return 1
    memcpy(top.alive, s.alive, s.slots)
    memcpy(top.messages, s.messages, s.parts * sizeof(int64_t))
    for k in range(s.slot[row + 1] - s.slot[row]):
        if not s.alive[s.slot[row] + k]:
            continue
        candidate.value = k
        candidate.bound = min(bound, s.total + loss(s, row, s.slot[row] + k))
        # by bound, and the later of equal ones first
        j = top.count
        while j and top.open[j - 1].bound >= candidate.bound:
            top.open[j] = top.open[j - 1]
            j -= 1
        top.open[j] = candidate
        top.count += 1
    return 0


cdef void drop(Search *s) noexcept nogil:
    s.depth -= 1
    free(s.stack[s.depth].alive)
    free(s.stack[s.depth].messages)
    free(s.stack[s.depth].open)


cdef void fix(Search *s, int32_t row, int32_t value) noexcept nogil:
    """Give a variable a value, and take it from all others."""
    cdef int32_t i, k, node = s.node[s.slot[row] + value]
    for k in range(s.slot[row], s.slot[row + 1]):
        if k != s.slot[row] + value:
            s.alive[k] = 0
    if node < 0:
        return
    for i in range(s.rows):
        if i != row and s.number[<Py_ssize_t> i * s.columns + node] >= 0:
            s.alive[s.slot[i] + s.number[<Py_ssize_t> i * s.columns + node]] = 0


# ── bounds ───────────────────────────────────────────────────────────────────────────────────────


cdef int64_t tightened(Search *s) noexcept nogil:
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


cdef bint possible(const Search *s) noexcept nogil:
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


cdef void pass_on(const Search *s, const Term *t, int side, const int64_t *given,
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


cdef void balance(Search *s, const Term *t, int side) noexcept nogil:
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


cdef int64_t top_of(Search *s, const Term *t) noexcept nogil:
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


cdef bint assign(Search *s) noexcept nogil:
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


cdef bint augment(Search *s, int32_t start) noexcept nogil:
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


cdef inline int64_t loss(const Search *s, int32_t row, Py_ssize_t slot) noexcept nogil:
    """Return what has to be added to the bound if a variable gets a value: nothing, or less."""
    return s.sums[slot] - s.level[row] - price_of(s, s.node[slot])


cdef void strike(Search *s) noexcept nogil:
    """Strike out values with which nothing better than the best pairs can be reached."""
    cdef int32_t row
    cdef Py_ssize_t k
    for row in range(s.rows):
        for k in range(s.slot[row], s.slot[row + 1]):
            if s.alive[k] and not better(s, s.total + loss(s, row, k)):
                s.alive[k] = 0


# ── pairs ────────────────────────────────────────────────────────────────────────────────────────


cdef void improve(Search *s) noexcept nogil:
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


cdef int64_t together(const Search *s, const Term *t) noexcept nogil:
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


cdef int64_t around(const Search *s, int32_t row, int32_t other) noexcept nogil:
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


cdef int32_t number_of(const Search *s, int32_t row, int32_t node) noexcept nogil:
    """Return the number of a node among the values of a variable, the last one if it is none."""
    cdef int32_t number = -1
    if node >= 0:
        number = s.number[<Py_ssize_t> row * s.columns + node]
    return number if number >= 0 else s.slot[row + 1] - s.slot[row] - 1


cdef int64_t gain_of(Search *s, int32_t row, int32_t k) noexcept nogil:
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


cdef void move(Search *s, int32_t row, int32_t k) noexcept nogil:
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
