# cython: language_level=3, embedsignature=True
"""The compiled twin of graph_matching.py; what there is to choose from, the pairs so far and the
bounds on all pairs are in the files ``matching_*.pxd``."""

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from commonground.kernels.matching_bounds cimport gather, loss, tightened
from commonground.kernels.matching_choices cimport (
    SCALE, Coded, Graph, Level, Open, Search, drop, prepare, release, shared, walk,
)
from commonground.kernels.matching_pairs cimport better
from commonground.kernels.graph_matching import checked


def best_pairs(tuple one not None, tuple two not None, tuple weights not None,
               long long limit=100_000_000):
    """Return the best partner of each node of the first side, and three sums for each pair."""
    one, two, weights = checked(one, two, weights)
    nodes = one[0]
    partner = np.full(int(nodes[len(nodes) - 1]), -1, np.int32)
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
