# cython: language_level=3, embedsignature=True
"""The compiled twin of tree_distance.py."""

import numpy as np

from libc.stdint cimport int16_t, int32_t, int64_t
from libc.stdlib cimport free, malloc

from commonground.kernels.tree_distance import checked, checked_weights

ctypedef fused Cell:
    int16_t
    int32_t

cdef enum:
    SMALL = 16000  # trees that cost so much to delete and to insert need only 16 bits


cdef struct Tree:
    int32_t size
    const int32_t *label
    const int32_t *leftmost
    # The regions, each after those that are part of it: where they start and end.
    int32_t regions
    int32_t *start
    int32_t *end


cdef struct Region:
    int32_t first, end, second, other_end


def distances(tuple one not None, tuple two not None, long long relabel=1, long long edit=1):
    """Return how much the cheapest edits cost that make each second tree of the first."""
    checked(one, two, relabel, edit)
    found = np.zeros(len(one[0]) - 1, np.int64)
    cdef int64_t[::1] result = found
    run(one, two, relabel, edit, result, None, None)
    return found


def mappings(tuple one not None, tuple two not None, long long relabel=1, long long edit=1):
    """Return the partner of each node of both sides in the cheapest edits, -1 for none."""
    checked(one, two, relabel, edit)
    found = np.full(len(one[1]), -1, np.int32), np.full(len(two[1]), -1, np.int32)
    run(one, two, relabel, edit, None, found[0], found[1])
    return found


def weighted_distances(tuple one not None, tuple two not None, tuple weights not None):
    """Return how much the cheapest edits cost that make each second tree of the first."""
    checked_weights(one, two, weights)
    found = np.zeros(len(one[0]) - 1, np.int64)
    cdef int64_t[::1] result = found
    run_weighted(one, two, weights, result, None, None)
    return found


def weighted_mappings(tuple one not None, tuple two not None, tuple weights not None):
    """Return the partner of each node of both sides in the cheapest edits, -1 for none."""
    checked_weights(one, two, weights)
    found = np.full(len(one[1]), -1, np.int32), np.full(len(two[1]), -1, np.int32)
    run_weighted(one, two, weights, None, found[0], found[1])
    return found


# ── all pairs of trees, one after the other ──────────────────────────────────────────────────────


cdef struct Walk:
    # The trees of both sides, with room for the largest of them, and the pair that is looked at.
    Py_ssize_t trees
    const int64_t *offsets
    const int64_t *other_offsets
    const int32_t *label
    const int32_t *other_label
    const int32_t *leftmost
    const int32_t *other_leftmost
    int64_t most, other_most, cells
    char *tables
    int32_t *room
    Region *stack
    Tree a, b
    int64_t begin, other_begin


cdef int walk_over(Walk *self, tuple one, tuple two) except -1:
    # The arrays of both sides must be there until the end.
    cdef const int64_t[::1] offsets, other_offsets
    cdef const int32_t[::1] label, other_label, leftmost, other_leftmost
    cdef Py_ssize_t number
    self.tables, self.room, self.stack = NULL, NULL, NULL
    (offsets, label, leftmost), (other_offsets, other_label, other_leftmost) = one, two
    self.trees = offsets.shape[0] - 1
    self.most, self.other_most = check(offsets, leftmost), check(other_offsets, other_leftmost)
    self.offsets, self.other_offsets = &offsets[0], &other_offsets[0]
    self.label, self.other_label = &label[0], &other_label[0]
    self.leftmost, self.other_leftmost = &leftmost[0], &other_leftmost[0]
    self.cells = 0
    for number in range(self.trees):
        self.cells = max(self.cells, (offsets[number + 1] - offsets[number] + 1)
                         * (other_offsets[number + 1] - other_offsets[number] + 1))
    return 0


cdef int walk_room(Walk *self, size_t width) except -1:
    # Two tables with cells of that width for the largest pair of trees.
    self.tables = <char *> malloc((2 * self.cells + 1) * width)
    self.room = <int32_t *> malloc((2 * (self.most + self.other_most) + 1) * sizeof(int32_t))
    # What is left to trace back are regions without nodes in common.
    self.stack = <Region *> malloc((min(self.most, self.other_most) + 1) * sizeof(Region))
    if self.tables == NULL or self.room == NULL or self.stack == NULL:
        raise MemoryError
    self.a.start, self.a.end = self.room, self.room + self.most
    self.b.start = self.room + 2 * self.most
    self.b.end = self.b.start + self.other_most
    return 0


cdef void walk_end(Walk *self) noexcept:
    free(self.tables)
    free(self.room)
    free(self.stack)


cdef bint walk_to(Walk *self, Py_ssize_t number) noexcept nogil:
    # Looks at a pair of trees, and tells whether both have nodes.
    self.begin, self.other_begin = self.offsets[number], self.other_offsets[number]
    self.a.size = <int32_t> (self.offsets[number + 1] - self.begin)
    self.b.size = <int32_t> (self.other_offsets[number + 1] - self.other_begin)
    if self.a.size == 0 or self.b.size == 0:
        return False
    self.a.label, self.a.leftmost = self.label + self.begin, self.leftmost + self.begin
    self.b.label = self.other_label + self.other_begin
    self.b.leftmost = self.other_leftmost + self.other_begin
    find_regions(&self.a)
    find_regions(&self.b)
    return True


# ── with the same cost for all nodes ─────────────────────────────────────────────────────────────


cdef int run(tuple one, tuple two, int64_t relabel_cost, int64_t edit_cost, int64_t[::1] result,
             int32_t[::1] partner, int32_t[::1] other_partner) except -1:
    # Fills in either the result, or the partners.
    cdef int32_t edit = <int32_t> edit_cost
    cdef int32_t relabel = <int32_t> min(relabel_cost, 2 * edit_cost + 1)  # more than deleting and inserting is never paid
    cdef Walk walk
    cdef Tree *a = &walk.a
    cdef Tree *b = &walk.b
    cdef int64_t near
    cdef Py_ssize_t number
    first, second = checked(one, two, relabel_cost, edit_cost)
    walk_over(&walk, first, second)
    cdef bint small = edit * (walk.most + walk.other_most) <= SMALL, traced = result is None
    try:
        walk_room(&walk, sizeof(int16_t) if small else sizeof(int32_t))
        with nogil:
            for number in range(walk.trees):
                if not walk_to(&walk, number):
                    if not traced:
                        result[number] = edit * (a.size + b.size)
                    continue
                if small:
                    near = measure(a, b, relabel, edit, <int16_t *> walk.tables,
                                   <int16_t *> walk.tables + walk.cells)
                else:
                    near = measure(a, b, relabel, edit, <int32_t *> walk.tables,
                                   <int32_t *> walk.tables + walk.cells)
                if not traced:
                    result[number] = near
                elif small:
                    trace(a, b, relabel, edit, <int16_t *> walk.tables,
                          <int16_t *> walk.tables + walk.cells, walk.stack,
                          &partner[walk.begin], &other_partner[walk.other_begin])
                else:
                    trace(a, b, relabel, edit, <int32_t *> walk.tables,
                          <int32_t *> walk.tables + walk.cells, walk.stack,
                          &partner[walk.begin], &other_partner[walk.other_begin])
    finally:
        walk_end(&walk)
    return 0


cdef int64_t check(const int64_t[::1] offsets, const int32_t[::1] leftmost) except -1:
    # Returns the size of the largest tree.
    cdef int64_t most = 0, begin, node, first, subtrees
    cdef Py_ssize_t tree
    for tree in range(1, offsets.shape[0]):
        most = max(most, offsets[tree] - offsets[tree - 1])
    cdef int32_t[::1] roots = np.empty(most + 1, np.int32)
    for tree in range(1, offsets.shape[0]):
        subtrees = 0  # those that have no parent yet; where they begin stands in roots
        for node in range(offsets[tree] - offsets[tree - 1]):
            first = leftmost[offsets[tree - 1] + node]
            begin = node
            while subtrees and begin > first:
                subtrees -= 1
                begin = roots[subtrees]
            if begin != first:
                raise ValueError("a leftmost leaf that is not below its node")
            roots[subtrees] = <int32_t> first
            subtrees += 1
    return most


cdef void find_regions(Tree *tree) noexcept nogil:
    cdef int32_t node, count = 0
    for node in range(tree.size):
        tree.end[node] = 0
    for node in range(tree.size):
        tree.end[tree.leftmost[node]] = node + 1
    tree.end[0] = tree.size
    # The ends of the regions move to the front, in the order of their starts.
    for node in range(tree.size):
        if tree.end[node]:
            tree.start[count] = node
            tree.end[count] = tree.end[node]
            count += 1
    tree.regions = count


cdef int64_t measure(const Tree *a, const Tree *b, int32_t relabel, int32_t edit,
                     Cell *near, Cell *table) noexcept nogil:
    # Fills in near, and returns how far the trees are apart.
    cdef int32_t i, j
    cdef Region region
    for j in range(b.size + 1):
        table[j] = <Cell> (edit * j)
    for i in range(a.regions - 1, -1, -1):
        region.first, region.end = a.start[i], a.end[i]
        for j in range(b.regions - 1, -1, -1):
            region.second, region.other_end = b.start[j], b.end[j]
            if i + j > 0 and (region.end - region.first == 1
                              or region.other_end - region.second == 1):
                fill_leaf(a, b, relabel, edit, region, near)
            else:
                fill(a, b, relabel, edit, region, near, table)
    return table[a.size * (b.size + 1) + b.size]


cdef void fill_leaf(const Tree *a, const Tree *b, int32_t relabel, int32_t edit, Region region,
                    Cell *near) noexcept nogil:
    # A leaf becomes the most similar node of a subtree, and needs no table for that. Most regions
    # are leaves.
    cdef int32_t i, j, cost = 2 * edit
    for i in range(region.first, region.end):
        for j in range(region.second, region.other_end):
            cost = min(cost, change(a, b, i, j, relabel))
            if a.leftmost[i] == region.first and b.leftmost[j] == region.second:
                near[<Py_ssize_t> i * b.size + j] = <Cell> (
                    cost + edit * (i - region.first + j - region.second)
                )


cdef inline int32_t change(const Tree *a, const Tree *b, int32_t i, int32_t j,
                           int32_t relabel) noexcept nogil:
    cdef int32_t one = a.label[i], two = b.label[j]
    return 0 if one == two or one < 0 or two < 0 else relabel


cdef void fill(const Tree *a, const Tree *b, int32_t relabel, int32_t edit, Region region,
               Cell *near, Cell *table) noexcept nogil:
    # The top row is the same for all regions and filled in already.
    cdef int32_t first = region.first, second = region.second
    cdef int32_t rows = region.end - first, columns = region.other_end - second
    cdef const int32_t *leftmost = b.leftmost + second
    cdef const int32_t *label = b.label + second
    cdef Py_ssize_t width = b.size + 1
    cdef int32_t i, j, one, differ, cost, jump, left
    cdef Cell *row
    cdef const Cell *above
    cdef const Cell *before
    cdef Cell *subtrees
    for i in range(rows):
        above = table + i * width
        row = table + (i + 1) * width
        subtrees = near + <Py_ssize_t> (first + i) * b.size + second
        left = edit * (i + 1)
        row[0] = <Cell> left
        if a.leftmost[first + i] != first:
            before = table + (a.leftmost[first + i] - first) * width - second
            for j in range(columns):
                cost = least(before[leftmost[j]] + subtrees[j], above[j + 1] + edit)
                left = min(left + edit, cost)
                row[j + 1] = <Cell> left
            continue
        one = a.label[first + i]
        for j in range(columns):
            differ = (one != label[j]) & (one >= 0) & (label[j] >= 0)
            cost = above[j] + (relabel & -differ)
            jump = edit * (leftmost[j] - second) + subtrees[j]
            cost = least(cost if leftmost[j] == second else jump, above[j + 1] + edit)
            left = min(left + edit, cost)
            row[j + 1] = <Cell> left
            subtrees[j] = <Cell> left if leftmost[j] == second else subtrees[j]


cdef inline int32_t least(int32_t one, int32_t two) noexcept nogil:
    # Without a branch, which processors would guess wrong.
    return two + ((one - two) & ((one - two) >> 31))


cdef void trace(const Tree *a, const Tree *b, int32_t relabel, int32_t edit, Cell *near,
                Cell *table, Region *stack, int32_t *partner,
                int32_t *other_partner) noexcept nogil:
    cdef int32_t i, j, left, right, cost, depth = 1
    cdef Py_ssize_t width = b.size + 1
    cdef Region here
    cdef const Cell *cell
    stack[0].first = stack[0].second = 0
    stack[0].end, stack[0].other_end = a.size, b.size
    while depth:
        depth -= 1
        here = stack[depth]
        fill(a, b, relabel, edit, here, near, table)
        i, j = here.end, here.other_end
        while i > here.first and j > here.second:
            cell = table + (i - here.first) * width + j - here.second
            cost = cell[0]
            left, right = a.leftmost[i - 1], b.leftmost[j - 1]
            if left == here.first and right == here.second:
                if cost == cell[-width - 1] + change(a, b, i - 1, j - 1, relabel):
                    i -= 1
                    j -= 1
                    partner[i] = j
                    other_partner[j] = i
                    continue
            elif cost == (table[(left - here.first) * width + right - here.second]
                          + near[<Py_ssize_t> (i - 1) * b.size + j - 1]):
                stack[depth].first, stack[depth].end = left, i
                stack[depth].second, stack[depth].other_end = right, j
                depth += 1
                i, j = left, right
                continue
            if cost == cell[-width] + edit:
                i -= 1
            else:
                j -= 1


# ── with a cost for each node and each pair of labels ────────────────────────────────────────────


cdef struct Weights:
    const int32_t *delete
    const int32_t *insert
    const int32_t *change  # a square table
    Py_ssize_t labels


cdef int run_weighted(tuple one, tuple two, tuple weights, int64_t[::1] result,
                      int32_t[::1] partner, int32_t[::1] other_partner) except -1:
    # Fills in either the result, or the partners.
    cdef const int32_t[::1] delete, insert
    cdef const int32_t[:, ::1] change
    cdef Walk walk
    cdef Tree *a = &walk.a
    cdef Tree *b = &walk.b
    cdef Weights costs
    cdef int64_t *tables
    cdef int64_t near
    cdef Py_ssize_t number, node
    cdef bint traced = result is None
    first, second, (delete, insert, change) = checked_weights(one, two, weights)
    walk_over(&walk, first, second)
    costs.labels = change.shape[0]
    costs.change = &change[0, 0] if costs.labels else NULL
    try:
        walk_room(&walk, sizeof(int64_t))
        tables = <int64_t *> walk.tables
        with nogil:
            for number in range(walk.trees):
                if not walk_to(&walk, number):
                    if not traced:
                        near = 0
                        for node in range(walk.begin, walk.begin + a.size):
                            near += delete[node]
                        for node in range(walk.other_begin, walk.other_begin + b.size):
                            near += insert[node]
                        result[number] = near
                    continue
                costs.delete, costs.insert = &delete[walk.begin], &insert[walk.other_begin]
                near = measure_weighted(a, b, &costs, tables, tables + walk.cells)
                if not traced:
                    result[number] = near
                else:
                    trace_weighted(a, b, &costs, tables, tables + walk.cells, walk.stack,
                                   &partner[walk.begin], &other_partner[walk.other_begin])
    finally:
        walk_end(&walk)
    return 0


cdef int64_t measure_weighted(const Tree *a, const Tree *b, const Weights *costs,
                              int64_t *near, int64_t *table) noexcept nogil:
    cdef int32_t i, j
    cdef Region region
    for i in range(a.regions - 1, -1, -1):
        region.first, region.end = a.start[i], a.end[i]
        for j in range(b.regions - 1, -1, -1):
            region.second, region.other_end = b.start[j], b.end[j]
            fill_weighted(a, b, costs, region, near, table)
    return table[a.size * (b.size + 1) + b.size]


cdef inline int64_t cost_of_change(const Tree *a, const Tree *b, const Weights *costs, int32_t i,
                                   int32_t j) noexcept nogil:
    cdef int32_t one = a.label[i], two = b.label[j]
    return 0 if one < 0 or two < 0 else costs.change[one * costs.labels + two]


cdef void fill_weighted(const Tree *a, const Tree *b, const Weights *costs, Region region,
                        int64_t *near, int64_t *table) noexcept nogil:
    cdef int32_t first = region.first, second = region.second, i, j
    cdef Py_ssize_t width = b.size + 1
    cdef int64_t cost
    cdef int64_t *row
    cdef int64_t *above
    cdef bint subtrees
    table[0] = 0
    for j in range(second, region.other_end):
        table[j + 1 - second] = table[j - second] + costs.insert[j]
    for i in range(first, region.end):
        above = table + (i - first) * width
        row = above + width
        row[0] = above[0] + costs.delete[i]
        for j in range(second, region.other_end):
            subtrees = a.leftmost[i] == first and b.leftmost[j] == second
            if subtrees:
                cost = above[j - second] + cost_of_change(a, b, costs, i, j)
            else:
                cost = (table[(a.leftmost[i] - first) * width + b.leftmost[j] - second]
                        + near[<Py_ssize_t> i * b.size + j])
            cost = min(cost, above[j + 1 - second] + costs.delete[i],
                       row[j - second] + costs.insert[j])
            row[j + 1 - second] = cost
            if subtrees:
                near[<Py_ssize_t> i * b.size + j] = cost


cdef void trace_weighted(const Tree *a, const Tree *b, const Weights *costs, int64_t *near,
                         int64_t *table, Region *stack, int32_t *partner,
                         int32_t *other_partner) noexcept nogil:
    cdef int32_t i, j, left, right, depth = 1
    cdef Py_ssize_t width = b.size + 1
    cdef Region here
    cdef const int64_t *cell
    stack[0].first = stack[0].second = 0
    stack[0].end, stack[0].other_end = a.size, b.size
    while depth:
        depth -= 1
        here = stack[depth]
        fill_weighted(a, b, costs, here, near, table)
        i, j = here.end, here.other_end
        while i > here.first and j > here.second:
            cell = table + (i - here.first) * width + j - here.second
            left, right = a.leftmost[i - 1], b.leftmost[j - 1]
            if left == here.first and right == here.second:
                if cell[0] == cell[-width - 1] + cost_of_change(a, b, costs, i - 1, j - 1):
                    i -= 1
                    j -= 1
                    partner[i] = j
                    other_partner[j] = i
                    continue
            elif cell[0] == (table[(left - here.first) * width + right - here.second]
                             + near[<Py_ssize_t> (i - 1) * b.size + j - 1]):
                stack[depth].first, stack[depth].end = left, i
                stack[depth].second, stack[depth].other_end = right, j
                depth += 1
                i, j = left, right
                continue
            if cell[0] == cell[-width] + costs.delete[i - 1]:
                i -= 1
            else:
                j -= 1
