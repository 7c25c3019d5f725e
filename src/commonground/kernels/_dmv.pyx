# cython: language_level=3, embedsignature=True
"""The compiled twin of dmv.py."""

import numpy as np

from libc.math cimport INFINITY, isfinite, log
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from commonground.kernels.dmv import checked

cdef enum:
    LEFT = 0
    RIGHT = 1


cdef struct Chart:
    # Squares of n × n, by side. `s` and `ds` stand there twice, once with heads in rows and once
    # with ends in rows (`st`, `dst`), so that every inner loop walks along a row.
    double *c[2]
    double *g[2]
    double *s[2]
    double *st[2]
    double *t[2]
    double *dg[2]
    double *ds[2]
    double *dst[2]
    double *dt[2]


cdef void lay(Chart *chart, double *memory, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t square = n * n
    cdef int side
    for side in range(2):
        chart.c[side] = memory
        chart.g[side] = memory + square
        chart.s[side] = memory + 2 * square
        chart.st[side] = memory + 3 * square
        chart.t[side] = memory + 4 * square
        chart.dg[side] = memory + 5 * square
        chart.ds[side] = memory + 6 * square
        chart.dst[side] = memory + 7 * square
        chart.dt[side] = memory + 8 * square
        memory += 9 * square


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
    Chart *chart, int side, Py_ssize_t h, Py_ssize_t end, Py_ssize_t n, double weight,
    const double *stop, const double *go
) noexcept nogil:
    cdef Py_ssize_t at = 4 * h + 2 * side + (h != end)
    chart.c[side][h * n + end] = weight
    chart.g[side][h * n + end] = weight * go[at]
    chart.s[side][h * n + end] = chart.st[side][end * n + h] = weight * stop[at]


cdef double inside(
    Chart *chart, Py_ssize_t n, const double *root, const double *arc, const double *stop,
    const double *go
) noexcept nogil:
    cdef Py_ssize_t h, i, j, width
    cdef double total = 0
    for h in range(n):
        close(chart, LEFT, h, h, n, 1.0, stop, go)
        close(chart, RIGHT, h, h, n, 1.0, stop, go)
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            chart.t[RIGHT][i * n + j] = arc[i * n + j] * dot(
                chart.g[RIGHT] + i * n + i, chart.s[LEFT] + j * n + i + 1, width
            )
            chart.t[LEFT][j * n + i] = arc[j * n + i] * dot(
                chart.g[LEFT] + j * n + i + 1, chart.s[RIGHT] + i * n + i, width
            )
            close(
                chart, RIGHT, i, j, n,
                dot(chart.t[RIGHT] + i * n + i + 1, chart.st[RIGHT] + j * n + i + 1, width),
                stop, go,
            )
            close(
                chart, LEFT, j, i, n,
                dot(chart.t[LEFT] + j * n + i, chart.st[LEFT] + i * n + i, width),
                stop, go,
            )
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


cdef void outside(
    Chart *chart, Py_ssize_t n, double weight, const double *root, const double *arc,
    const double *stop, const double *go, double *roots, double *arcs, double *stops, double *goes
) noexcept nogil:
    cdef Py_ssize_t r, i, j, h, end, width, at, cell
    cdef int side
    cdef double dc, e, ds
    for side in range(2):
        memset(chart.dg[side], 0, 4 * n * n * sizeof(double))
    for r in range(n):
        chart.ds[LEFT][r * n] += root[r] / weight * chart.s[RIGHT][r * n + n - 1]
        chart.ds[RIGHT][r * n + n - 1] += root[r] / weight * chart.s[LEFT][r * n]
        roots[r] = root[r] * chart.s[LEFT][r * n] * chart.s[RIGHT][r * n + n - 1] / weight
    width = n
    while width > 0:
        width -= 1
        for i in range(n - width):
            j = i + width
            for side in range(2):
                h, end = (i, j) if side == RIGHT else (j, i)
                at = 4 * h + 2 * side + (h != end)
                cell = h * n + end
                ds = chart.ds[side][cell] + chart.dst[side][end * n + h]
                stops[at] += ds * chart.s[side][cell]
                goes[at] += chart.dg[side][cell] * chart.g[side][cell]
                dc = ds * stop[at] + chart.dg[side][cell] * go[at]
                if width == 0:
                    continue
                if side == RIGHT:
                    spread(
                        chart.dt[RIGHT] + i * n + i + 1, chart.dst[RIGHT] + j * n + i + 1,
                        chart.t[RIGHT] + i * n + i + 1, chart.st[RIGHT] + j * n + i + 1,
                        dc, width,
                    )
                else:
                    spread(
                        chart.dt[LEFT] + j * n + i, chart.dst[LEFT] + i * n + i,
                        chart.t[LEFT] + j * n + i, chart.st[LEFT] + i * n + i,
                        dc, width,
                    )
            if width == 0:
                continue
            arcs[i * n + j] = chart.dt[RIGHT][i * n + j] * chart.t[RIGHT][i * n + j]
            arcs[j * n + i] = chart.dt[LEFT][j * n + i] * chart.t[LEFT][j * n + i]
            e = chart.dt[RIGHT][i * n + j] * arc[i * n + j]
            spread(
                chart.dg[RIGHT] + i * n + i, chart.ds[LEFT] + j * n + i + 1,
                chart.g[RIGHT] + i * n + i, chart.s[LEFT] + j * n + i + 1, e, width,
            )
            e = chart.dt[LEFT][j * n + i] * arc[j * n + i]
            spread(
                chart.dg[LEFT] + j * n + i + 1, chart.ds[RIGHT] + i * n + i,
                chart.g[LEFT] + j * n + i + 1, chart.s[RIGHT] + i * n + i, e, width,
            )


cdef bint all_finite(const double *values, Py_ssize_t count) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(count):
        if not isfinite(values[k]):
            return False
    return True


cdef class _Weights:
    """The weights of a call, checked: where the sentences and their squares begin, and all four."""

    cdef const int64_t[::1] begins, square
    cdef const double[::1] root, arc, stop, go

    def __cinit__(self, offsets, root, arc, stop, go):
        self.square = checked(offsets, root, arc, stop, go)
        self.begins = np.ascontiguousarray(offsets, np.int64)
        self.root = np.ascontiguousarray(root, np.float64)
        self.arc = np.ascontiguousarray(arc, np.float64)
        self.stop = np.ascontiguousarray(stop, np.float64)
        self.go = np.ascontiguousarray(go, np.float64)


def posteriors(offsets, root, arc, stop, go):
    """Return the logarithm of each sentence's weight, and the posterior of every weight."""
    cdef _Weights given = _Weights(offsets, root, arc, stop, go)
    logs = np.full(len(offsets) - 1, -np.inf)
    found = tuple(np.zeros(len(weights)) for weights in (root, arc, stop, go))
    cdef double[::1] p_log = logs
    cdef double[::1] p_root = found[0], p_arc = found[1], p_stop = found[2], p_go = found[3]
    cdef Py_ssize_t sentences = len(logs), sentence, n, first, at
    cdef Py_ssize_t longest = int(np.diff(offsets).max(initial=0))
    cdef double weight
    cdef Chart chart
    cdef double *memory = <double *> malloc((18 * longest * longest + 1) * sizeof(double))
    if memory == NULL:
        raise MemoryError
    with nogil:
        for sentence in range(sentences):
            first, at = given.begins[sentence], given.square[sentence]
            n = given.begins[sentence + 1] - first
            if n == 0:
                p_log[sentence] = 0
                continue
            lay(&chart, memory, n)
            weight = inside(
                &chart, n, &given.root[first], &given.arc[at], &given.stop[4 * first], &given.go[4 * first]
            )
            if not 0 < weight < INFINITY:
                continue
            outside(
                &chart, n, weight, &given.root[first], &given.arc[at], &given.stop[4 * first],
                &given.go[4 * first], &p_root[first], &p_arc[at], &p_stop[4 * first], &p_go[4 * first]
            )
            if (
                all_finite(&p_root[first], n) and all_finite(&p_arc[at], n * n)
                and all_finite(&p_stop[4 * first], 4 * n) and all_finite(&p_go[4 * first], 4 * n)
            ):
                p_log[sentence] = log(weight)
            else:
                memset(&p_root[first], 0, n * sizeof(double))
                memset(&p_arc[at], 0, n * n * sizeof(double))
                memset(&p_stop[4 * first], 0, 4 * n * sizeof(double))
                memset(&p_go[4 * first], 0, 4 * n * sizeof(double))
    free(memory)
    return (logs, *found)


cdef struct Best:
    double *c[2]
    double *t[2]
    int32_t *outermost[2]
    int32_t *split[2]


cdef inline double sealed(
    Best *best, int side, Py_ssize_t h, Py_ssize_t end, Py_ssize_t n, const double *stop
) noexcept nogil:
    return best.c[side][h * n + end] + stop[4 * h + 2 * side + (h != end)]


cdef double fill(
    Best *best, Py_ssize_t n, const double *root, const double *arc, const double *stop,
    const double *go, Py_ssize_t *top
) noexcept nogil:
    cdef Py_ssize_t width, i, j, h, d, k, m, end, step, at
    cdef int side
    cdef double here, most
    for h in range(n):
        best.c[LEFT][h * n + h] = best.c[RIGHT][h * n + h] = 0
    for width in range(1, n):
        for i in range(n - width):
            j = i + width
            for side in range(2):
                h, d, step = (i, j, 1) if side == RIGHT else (j, i, -1)
                at, most = h, -INFINITY
                for m in range(width):
                    k = h + step * m
                    here = best.c[side][h * n + k] + go[4 * h + 2 * side + (h != k)]
                    here = here + sealed(best, 1 - side, d, k + step, n, stop)
                    if here > most:
                        at, most = k, here
                best.t[side][h * n + d] = most + arc[h * n + d]
                best.split[side][h * n + d] = <int32_t> at
            for side in range(2):
                h, end, step = (i, j, 1) if side == RIGHT else (j, i, -1)
                at, most = h + step, -INFINITY
                for m in range(1, width + 1):
                    d = h + step * m
                    here = best.t[side][h * n + d] + sealed(best, side, d, end, n, stop)
                    if here > most:
                        at, most = d, here
                best.c[side][h * n + end] = most
                best.outermost[side][h * n + end] = <int32_t> at
    top[0], most = 0, -INFINITY
    for h in range(n):
        here = root[h] + sealed(best, LEFT, h, 0, n, stop)
        here = here + sealed(best, RIGHT, h, n - 1, n, stop)
        if here > most:
            top[0], most = h, here
    return most


cdef void read_off(
    Best *best, Py_ssize_t n, Py_ssize_t root, int32_t *heads, int32_t *todo
) noexcept nogil:
    """Write the heads; each half is looked at once, so there are at most 3 · n to do."""
    cdef Py_ssize_t waiting = 2, h, end, d, k
    cdef int side
    heads[root] = 0
    todo[0], todo[1], todo[2] = LEFT, <int32_t> root, 0
    todo[3], todo[4], todo[5] = RIGHT, <int32_t> root, <int32_t> (n - 1)
    while waiting:
        waiting -= 1
        side, h, end = todo[3 * waiting], todo[3 * waiting + 1], todo[3 * waiting + 2]
        if h == end:
            continue
        d = best.outermost[side][h * n + end]
        k = best.split[side][h * n + d]
        heads[d] = <int32_t> (h + 1)
        todo[3 * waiting], todo[3 * waiting + 1] = side, <int32_t> d
        todo[3 * waiting + 2] = <int32_t> end
        todo[3 * waiting + 3], todo[3 * waiting + 4] = side, <int32_t> h
        todo[3 * waiting + 5] = <int32_t> k
        todo[3 * waiting + 6], todo[3 * waiting + 7] = 1 - side, <int32_t> d
        todo[3 * waiting + 8] = <int32_t> (k + 1 if side == RIGHT else k - 1)
        waiting += 3


def best_trees(offsets, root, arc, stop, go):
    """Return the greatest sum of logarithmic weights of each sentence's trees, and their heads."""
    cdef _Weights given = _Weights(offsets, root, arc, stop, go)
    found_scores, found_heads = np.zeros(len(offsets) - 1), np.zeros(len(root), np.int32)
    cdef double[::1] scores = found_scores
    cdef int32_t[::1] heads = found_heads
    cdef Py_ssize_t sentences = len(found_scores), sentence, n, first, at, top = 0
    cdef Py_ssize_t longest = int(np.diff(offsets).max(initial=0)), cells = longest * longest
    cdef Best best
    cdef double *memory = <double *> malloc((4 * cells + 1) * sizeof(double))
    cdef int32_t *places = <int32_t *> malloc((4 * cells + 9 * longest + 9) * sizeof(int32_t))
    cdef int side
    if memory == NULL or places == NULL:
        free(memory)
        free(places)
        raise MemoryError
    for side in range(2):
        best.c[side], best.t[side] = memory + 2 * side * cells, memory + (2 * side + 1) * cells
        best.outermost[side] = places + 2 * side * cells
        best.split[side] = places + (2 * side + 1) * cells
    with nogil:
        for sentence in range(sentences):
            first, at = given.begins[sentence], given.square[sentence]
            n = given.begins[sentence + 1] - first
            if n:
                scores[sentence] = fill(
                    &best, n, &given.root[first], &given.arc[at], &given.stop[4 * first], &given.go[4 * first],
                    &top
                )
                read_off(&best, n, top, &heads[first], places + 4 * cells)
    free(memory)
    free(places)
    return found_scores, found_heads
