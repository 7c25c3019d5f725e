# cython: language_level=3, embedsignature=True
"""The compiled twin of dmv.py."""

import numpy as np

from libc.math cimport INFINITY, isfinite, log
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from commonground.kernels.dmv import MOST_VALENCES, checked, growths

cdef enum:
    LEFT = 0
    RIGHT = 1
    MOST = 9

assert MOST == MOST_VALENCES


cdef struct Growth:
    # As in the plain twin; whether the half without dependents grows, and whether others do.
    int table
    bint empty
    bint other
    int into
    int child


cdef struct Valences:
    int stops
    int children
    int tables
    int count
    int later[MOST]  # by table, the valence of stopping or going on after a dependent
    Growth growths[MOST]


cdef Valences valences_of(int stops, int children):
    cdef Valences valences
    valences.stops, valences.children, valences.count = stops, children, 0
    for table, into, child, empty in growths(stops, children):
        valences.growths[valences.count] = Growth(
            table, empty is not False, empty is not True, into, child
        )
        valences.count += 1
        valences.tables = into + 1
    for table in range(MOST):
        valences.later[table] = min(table + 1, stops - 1)
    return valences


# The functions with `plain` are compiled twice: once for the model of Klein & Manning alone, whose
# halves are in one table and grow in one way.
cdef inline Growth growth_of(const Valences *valences, bint plain, int number) noexcept nogil:
    return Growth(0, True, True, 0, 0) if plain else valences.growths[number]


cdef struct Chart:
    # Squares of n × n, by side, and by table or growth. `s` and `ds` stand there twice, once with
    # heads in rows and once with ends in rows (`st`, `dst`), so that every inner loop walks along a
    # row.
    double *s[2]
    double *st[2]
    double *ds[2]
    double *dst[2]
    double *c[2][MOST]
    double *g[2][MOST]
    double *t[2][MOST]
    double *dg[2][MOST]
    double *dt[2][MOST]
    double *grown[2][MOST]


cdef Py_ssize_t squares_of(const Valences *valences) noexcept nogil:
    """Return how many squares a chart has."""
    return 2 * (4 + 5 * valences.tables + valences.count)


cdef void lay(
    Chart *chart, double *memory, const Valences *valences, Py_ssize_t n
) noexcept nogil:
    """Lay out a chart; all that sums are added to comes first, and is set to zero."""
    cdef Py_ssize_t square = n * n, zeros = 2 * (2 + 2 * valences.tables)
    cdef int side, table, growth
    memset(memory, 0, zeros * square * sizeof(double))
    for side in range(2):
        chart.ds[side], chart.dst[side] = memory, memory + square
        memory += 2 * square
        for table in range(valences.tables):
            chart.dg[side][table], chart.dt[side][table] = memory, memory + square
            memory += 2 * square
    for side in range(2):
        chart.s[side], chart.st[side] = memory, memory + square
        memory += 2 * square
        for table in range(valences.tables):
            chart.c[side][table], chart.g[side][table] = memory, memory + square
            chart.t[side][table] = memory + 2 * square
            memory += 3 * square
        for growth in range(valences.count):
            chart.grown[side][growth] = memory
            memory += square


cdef inline double dot(const double *a, const double *b, Py_ssize_t count) noexcept nogil:
    cdef double even = 0, odd = 0
    cdef Py_ssize_t k = 0
    while k + 1 < count:
        even += a[k] * b[k]
        odd += a[k + 1] * b[k + 1]
        k += 2
    if k < count:
        even += a[k] * b[k]
    return even + odd


cdef inline void close(
    Chart *chart, int table, int side, Py_ssize_t h, Py_ssize_t end, Py_ssize_t n, double weight,
    double stop, double go
) noexcept nogil:
    cdef Py_ssize_t cell = h * n + end
    cdef double closed = weight * stop
    chart.c[side][table][cell] = weight
    chart.g[side][table][cell] = weight * go
    if table:
        closed = chart.s[side][cell] + closed
    chart.s[side][cell] = chart.st[side][end * n + h] = closed


cdef inline Py_ssize_t reach(
    Growth growth, int side, Py_ssize_t width, Py_ssize_t *first
) noexcept nogil:
    """Return how many halves grow, from the first one in the row of ends on."""
    first[0] = 0
    if growth.empty and growth.other:
        return width
    if growth.empty:
        first[0] = 0 if side == RIGHT else width - 1
        return 1
    first[0] = 1 if side == RIGHT else 0
    return width - 1


cdef inline void take(
    Chart *chart, const Valences *valences, bint plain, int side, Py_ssize_t i, Py_ssize_t j,
    Py_ssize_t n, const double *arc
) noexcept nogil:
    """Add up the halves whose head and outermost dependent are i and j, or j and i."""
    cdef Py_ssize_t h = i if side == RIGHT else j, d = j if side == RIGHT else i
    cdef Py_ssize_t cell = h * n + d, first, count
    # The row of ends of h that begins with the left one, and that of d beside it.
    cdef Py_ssize_t outer = h * n + (i if side == RIGHT else i + 1)
    cdef Py_ssize_t inner = d * n + (i + 1 if side == RIGHT else i)
    cdef int table, number
    cdef double weight
    cdef Growth growth
    for table in range(1 if plain else valences.tables):
        chart.t[side][table][cell] = 0
    for number in range(1 if plain else valences.count):
        growth = growth_of(valences, plain, number)
        count = reach(growth, side, j - i, &first)
        weight = arc[cell * (1 if plain else valences.children) + growth.child] * dot(
            chart.g[side][growth.table] + outer + first, chart.s[1 - side] + inner + first, count
        )
        chart.grown[side][number][cell] = weight
        chart.t[side][growth.into][cell] += weight


cdef inline void join(
    Chart *chart, const Valences *valences, bint plain, int side, Py_ssize_t i, Py_ssize_t j,
    Py_ssize_t n, const double *stop, const double *go
) noexcept nogil:
    """Add up the halves that reach from i to j, or from j to i."""
    cdef Py_ssize_t h = i if side == RIGHT else j, end = j if side == RIGHT else i
    cdef Py_ssize_t near = i + 1 if side == RIGHT else i, at
    cdef int table
    for table in range(1 if plain else valences.tables):
        at = (2 * h + side) * valences.stops + valences.later[table]
        close(
            chart, table, side, h, end, n,
            dot(chart.t[side][table] + h * n + near, chart.st[side] + end * n + near, j - i),
            stop[at], go[at],
        )


cdef inline double inside(
    Chart *chart, const Valences *valences, bint plain, Py_ssize_t n, const double *root,
    const double *arc, const double *stop, const double *go
) noexcept nogil:
    cdef Py_ssize_t h, i, width, at
    cdef int side
    cdef double total = 0
    for h in range(n):
        for side in range(2):
            at = (2 * h + side) * valences.stops
            close(chart, 0, side, h, h, n, 1.0, stop[at], go[at])
    for width in range(1, n):
        for i in range(n - width):
            take(chart, valences, plain, RIGHT, i, i + width, n, arc)
            take(chart, valences, plain, LEFT, i, i + width, n, arc)
            join(chart, valences, plain, RIGHT, i, i + width, n, stop, go)
            join(chart, valences, plain, LEFT, i, i + width, n, stop, go)
    for h in range(n):
        total += root[h] * chart.s[LEFT][h * n] * chart.s[RIGHT][h * n + n - 1]
    return total


cdef inline void spread(
    double *to_one, double *to_other, const double *one, const double *other, double weight,
    Py_ssize_t count
) noexcept nogil:
    """Send a derivative back to both factors of a sum of products."""
    cdef Py_ssize_t k
    for k in range(count):
        to_one[k] += weight * other[k]
    for k in range(count):
        to_other[k] += weight * one[k]


cdef inline void part(
    Chart *chart, const Valences *valences, bint plain, int side, Py_ssize_t i, Py_ssize_t j,
    Py_ssize_t n, const double *stop, const double *go, double *stops, double *goes
) noexcept nogil:
    """Send the derivatives of the halves that `join` adds up back."""
    cdef Py_ssize_t h = i if side == RIGHT else j, end = j if side == RIGHT else i
    cdef Py_ssize_t near = i + 1 if side == RIGHT else i, cell = h * n + end, at
    cdef double ds = chart.ds[side][cell] + chart.dst[side][end * n + h], dg
    cdef int table
    for table in range(1 if plain or i == j else valences.tables):
        at = (2 * h + side) * valences.stops + (valences.later[table] if i < j else 0)
        dg = chart.dg[side][table][cell]
        stops[at] += ds * (chart.c[side][table][cell] * stop[at])
        goes[at] += dg * chart.g[side][table][cell]
        if i < j:
            spread(
                chart.dt[side][table] + h * n + near, chart.dst[side] + end * n + near,
                chart.t[side][table] + h * n + near, chart.st[side] + end * n + near,
                ds * stop[at] + dg * go[at], j - i,
            )


cdef inline void give(
    Chart *chart, const Valences *valences, bint plain, int side, Py_ssize_t i, Py_ssize_t j,
    Py_ssize_t n, const double *arc, double *arcs
) noexcept nogil:
    """Send the derivatives of the halves that `take` adds up back."""
    cdef Py_ssize_t h = i if side == RIGHT else j, d = j if side == RIGHT else i
    cdef Py_ssize_t cell = h * n + d, first, count, at
    cdef Py_ssize_t outer = h * n + (i if side == RIGHT else i + 1)
    cdef Py_ssize_t inner = d * n + (i + 1 if side == RIGHT else i)
    cdef int number
    cdef double dt
    cdef Growth growth
    for number in range(1 if plain else valences.count):
        growth = growth_of(valences, plain, number)
        count = reach(growth, side, j - i, &first)
        dt = chart.dt[side][growth.into][cell]
        at = cell * (1 if plain else valences.children) + growth.child
        arcs[at] += dt * chart.grown[side][number][cell]
        spread(
            chart.dg[side][growth.table] + outer + first, chart.ds[1 - side] + inner + first,
            chart.g[side][growth.table] + outer + first, chart.s[1 - side] + inner + first,
            dt * arc[at], count,
        )


cdef inline void outside(
    Chart *chart, const Valences *valences, bint plain, Py_ssize_t n, double weight,
    const double *root, const double *arc, const double *stop, const double *go, double *roots,
    double *arcs, double *stops, double *goes
) noexcept nogil:
    cdef Py_ssize_t r, i, width
    for r in range(n):
        chart.ds[LEFT][r * n] += root[r] / weight * chart.s[RIGHT][r * n + n - 1]
        chart.ds[RIGHT][r * n + n - 1] += root[r] / weight * chart.s[LEFT][r * n]
        roots[r] = root[r] * chart.s[LEFT][r * n] * chart.s[RIGHT][r * n + n - 1] / weight
    width = n
    while width > 0:
        width -= 1
        for i in range(n - width):
            part(chart, valences, plain, LEFT, i, i + width, n, stop, go, stops, goes)
            part(chart, valences, plain, RIGHT, i, i + width, n, stop, go, stops, goes)
            if width:
                give(chart, valences, plain, RIGHT, i, i + width, n, arc, arcs)
                give(chart, valences, plain, LEFT, i, i + width, n, arc, arcs)


cdef inline double derived(
    Chart *chart, const Valences *valences, bint plain, Py_ssize_t n, const double *root,
    const double *arc, const double *stop, const double *go, double *roots, double *arcs,
    double *stops, double *goes
) noexcept nogil:
    """Return the weight of a sentence, and find the posteriors if it is a number above 0."""
    cdef double weight = inside(chart, valences, plain, n, root, arc, stop, go)
    if 0 < weight < INFINITY:
        outside(
            chart, valences, plain, n, weight, root, arc, stop, go, roots, arcs, stops, goes
        )
    return weight


cdef bint all_finite(const double *values, Py_ssize_t count) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(count):
        if not isfinite(values[k]):
            return False
    return True


cdef class _Weights:
    """The weights of a call, checked, and where those of each sentence begin."""

    cdef const int64_t[::1] begins, squares
    cdef const double[::1] root, arc, stop, go
    cdef Valences valences

    def __cinit__(self, offsets, root, arc, stop, go):
        self.squares, stops, children = checked(offsets, root, arc, stop, go)
        self.valences = valences_of(stops, children)
        self.begins = np.ascontiguousarray(offsets, np.int64)
        self.root = np.ascontiguousarray(root, np.float64)
        self.arc = np.ascontiguousarray(arc, np.float64)
        self.stop = np.ascontiguousarray(stop, np.float64)
        self.go = np.ascontiguousarray(go, np.float64)

    cdef Py_ssize_t arcs(self, Py_ssize_t sentence) noexcept nogil:
        """Return where the arcs of a sentence begin."""
        return self.valences.children * self.squares[sentence]

    cdef Py_ssize_t sides(self, Py_ssize_t sentence) noexcept nogil:
        """Return where stopping and going on of a sentence's words begins."""
        return 2 * self.valences.stops * self.begins[sentence]


def posteriors(offsets, root, arc, stop, go):
    """Return the logarithm of each sentence's weight, and the posterior of every weight."""
    cdef _Weights given = _Weights(offsets, root, arc, stop, go)
    cdef const Valences *valences = &given.valences
    logs = np.full(len(offsets) - 1, -np.inf)
    found = tuple(np.zeros(len(weights)) for weights in (root, arc, stop, go))
    cdef double[::1] p_log = logs
    cdef double[::1] p_root = found[0], p_arc = found[1], p_stop = found[2], p_go = found[3]
    cdef Py_ssize_t sentences = len(logs), sentence, n, first, at, side, pairs, sides
    cdef Py_ssize_t longest = int(np.diff(offsets).max(initial=0))
    cdef double weight
    cdef Chart chart
    cdef double *memory = <double *> malloc(
        (squares_of(valences) * longest * longest + 1) * sizeof(double)
    )
    if memory == NULL:
        raise MemoryError
    with nogil:
        for sentence in range(sentences):
            first, at, side = given.begins[sentence], given.arcs(sentence), given.sides(sentence)
            n = given.begins[sentence + 1] - first
            if n == 0:
                p_log[sentence] = 0
                continue
            lay(&chart, memory, valences, n)
            if valences.count == 1:
                weight = derived(
                    &chart, valences, True, n, &given.root[first], &given.arc[at],
                    &given.stop[side], &given.go[side], &p_root[first], &p_arc[at], &p_stop[side],
                    &p_go[side]
                )
            else:
                weight = derived(
                    &chart, valences, False, n, &given.root[first], &given.arc[at],
                    &given.stop[side], &given.go[side], &p_root[first], &p_arc[at], &p_stop[side],
                    &p_go[side]
                )
            if not 0 < weight < INFINITY:
                continue
            pairs, sides = valences.children * n * n, 2 * valences.stops * n
            if (
                all_finite(&p_root[first], n) and all_finite(&p_arc[at], pairs)
                and all_finite(&p_stop[side], sides) and all_finite(&p_go[side], sides)
            ):
                p_log[sentence] = log(weight)
            else:
                memset(&p_root[first], 0, n * sizeof(double))
                memset(&p_arc[at], 0, pairs * sizeof(double))
                memset(&p_stop[side], 0, sides * sizeof(double))
                memset(&p_go[side], 0, sides * sizeof(double))
    free(memory)
    return (logs, *found)


cdef struct Best:
    # By side, the best half of each head and end, and its table; by table, too, halves that go on
    # (`g`), and those whose outermost dependent has only its inner half (`t`); `before` is the
    # table of a half without its outermost dependent.
    double *s[2]
    int32_t *which[2]
    double *g[2][MOST]
    double *t[2][MOST]
    int32_t *outermost[2][MOST]
    int32_t *split[2][MOST]
    int32_t *before[2][MOST]


cdef inline void seal(
    Best *best, int table, int side, Py_ssize_t cell, double weight, double stop, double go
) noexcept nogil:
    best.g[side][table][cell] = weight + go
    if table == 0 or weight + stop > best.s[side][cell]:
        best.s[side][cell], best.which[side][cell] = weight + stop, table


cdef inline void take_best(
    Best *best, const Valences *valences, int side, Py_ssize_t i, Py_ssize_t j, Py_ssize_t n,
    const double *arc
) noexcept nogil:
    """Find the best halves whose head and outermost dependent are i and j, or j and i."""
    cdef Py_ssize_t h = i if side == RIGHT else j, d = j if side == RIGHT else i
    cdef Py_ssize_t step = 1 if side == RIGHT else -1, cell = h * n + d, width = j - i, m, at
    cdef int table, number
    cdef const double *more
    cdef const double *inner
    cdef const Growth *growth
    cdef double most, here
    for table in range(valences.tables):
        best.t[side][table][cell] = -INFINITY
        best.split[side][table][cell], best.before[side][table][cell] = <int32_t> h, table
    for number in range(valences.count):
        growth = &valences.growths[number]
        more, inner = best.g[side][growth.table] + h * n + h, best.s[1 - side] + d * n + h + step
        at, most = 0, -INFINITY
        for m in range(0 if growth.empty else 1, width if growth.other else 1):
            here = more[step * m] + inner[step * m]
            if here > most:
                at, most = m, here
        most = most + arc[cell * valences.children + growth.child]
        if most > best.t[side][growth.into][cell]:
            best.t[side][growth.into][cell] = most
            best.split[side][growth.into][cell] = <int32_t> (h + step * at)
            best.before[side][growth.into][cell] = growth.table


cdef inline void join_best(
    Best *best, const Valences *valences, int side, Py_ssize_t i, Py_ssize_t j, Py_ssize_t n,
    const double *stop, const double *go
) noexcept nogil:
    """Find the best halves that reach from i to j, or from j to i."""
    cdef Py_ssize_t h = i if side == RIGHT else j, end = j if side == RIGHT else i
    cdef Py_ssize_t step = 1 if side == RIGHT else -1, d, m, at
    cdef int table
    cdef double most, here
    for table in range(valences.tables):
        at, most = h + step, -INFINITY
        for m in range(1, j - i + 1):
            d = h + step * m
            here = best.t[side][table][h * n + d] + best.s[side][d * n + end]
            if here > most:
                at, most = d, here
        best.outermost[side][table][h * n + end] = <int32_t> at
        at = (2 * h + side) * valences.stops + valences.later[table]
        seal(best, table, side, h * n + end, most, stop[at], go[at])


cdef double fill(
    Best *best, const Valences *valences, Py_ssize_t n, const double *root, const double *arc,
    const double *stop, const double *go, Py_ssize_t *top
) noexcept nogil:
    cdef Py_ssize_t width, i, h, at
    cdef int side
    cdef double here, most
    for h in range(n):
        for side in range(2):
            at = (2 * h + side) * valences.stops
            seal(best, 0, side, h * n + h, 0, stop[at], go[at])
    for width in range(1, n):
        for i in range(n - width):
            take_best(best, valences, LEFT, i, i + width, n, arc)
            take_best(best, valences, RIGHT, i, i + width, n, arc)
            join_best(best, valences, LEFT, i, i + width, n, stop, go)
            join_best(best, valences, RIGHT, i, i + width, n, stop, go)
    top[0], most = 0, -INFINITY
    for h in range(n):
        here = root[h] + best.s[LEFT][h * n]
        here = here + best.s[RIGHT][h * n + n - 1]
        if here > most:
            top[0], most = h, here
    return most


cdef struct Half:
    int32_t side
    int32_t table
    int32_t head
    int32_t end


cdef inline Half best_half(
    const Best *best, int side, Py_ssize_t h, Py_ssize_t end, Py_ssize_t n
) noexcept nogil:
    return Half(side, best.which[side][h * n + end], <int32_t> h, <int32_t> end)


cdef void read_off(
    const Best *best, Py_ssize_t n, Py_ssize_t root, int32_t *heads, Half *todo
) noexcept nogil:
    """Write the heads; each half is looked at once, so there are at most 3 · n to do."""
    cdef Py_ssize_t waiting = 2, d, k, cell
    cdef Half half
    heads[root] = 0
    todo[0], todo[1] = best_half(best, LEFT, root, 0, n), best_half(best, RIGHT, root, n - 1, n)
    while waiting:
        waiting -= 1
        half = todo[waiting]
        if half.head == half.end:
            continue
        d = best.outermost[half.side][half.table][half.head * n + half.end]
        cell = half.head * n + d
        k = best.split[half.side][half.table][cell]
        heads[d] = half.head + 1
        todo[waiting] = best_half(best, half.side, d, half.end, n)
        todo[waiting + 1] = Half(
            half.side, best.before[half.side][half.table][cell], half.head, <int32_t> k
        )
        todo[waiting + 2] = best_half(
            best, 1 - half.side, d, k + (1 if half.side == RIGHT else -1), n
        )
        waiting += 3


def best_trees(offsets, root, arc, stop, go):
    """Return the greatest sum of logarithmic weights of each sentence's trees, and their heads."""
    cdef _Weights given = _Weights(offsets, root, arc, stop, go)
    cdef const Valences *valences = &given.valences
    found_scores, found_heads = np.zeros(len(offsets) - 1), np.zeros(len(root), np.int32)
    cdef double[::1] scores = found_scores
    cdef int32_t[::1] heads = found_heads
    cdef Py_ssize_t sentences = len(found_scores), sentence, n, first, at, begin, top = 0
    cdef Py_ssize_t longest = int(np.diff(offsets).max(initial=0)), cells = longest * longest
    cdef Best best
    cdef double *memory = <double *> malloc((2 + 4 * valences.tables) * cells * sizeof(double) + 1)
    cdef int32_t *places = <int32_t *> malloc((2 + 6 * valences.tables) * cells * sizeof(int32_t) + 1)
    cdef Half *todo = <Half *> malloc((3 * longest + 3) * sizeof(Half))
    cdef int side, table
    cdef double *numbers = memory
    cdef int32_t *whole = places
    if memory == NULL or places == NULL or todo == NULL:
        free(memory)
        free(places)
        free(todo)
        raise MemoryError
    for side in range(2):
        best.s[side], best.which[side] = numbers, whole
        numbers, whole = numbers + cells, whole + cells
        for table in range(valences.tables):
            best.g[side][table], best.t[side][table] = numbers, numbers + cells
            best.outermost[side][table] = whole
            best.split[side][table], best.before[side][table] = whole + cells, whole + 2 * cells
            numbers, whole = numbers + 2 * cells, whole + 3 * cells
    with nogil:
        for sentence in range(sentences):
            first, at, begin = given.begins[sentence], given.arcs(sentence), given.sides(sentence)
            n = given.begins[sentence + 1] - first
            if n:
                scores[sentence] = fill(
                    &best, valences, n, &given.root[first], &given.arc[at], &given.stop[begin],
                    &given.go[begin], &top
                )
                read_off(&best, n, top, &heads[first], todo)
    free(memory)
    free(places)
    free(todo)
    return found_scores, found_heads
