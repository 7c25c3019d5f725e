# cython: language_level=3, embedsignature=True
"""The compiled twin of eisner.py."""

import numpy as np

from commonground.kernels.eisner import LONGEST

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

cdef int64_t NONE = -(<int64_t>1 << 60)
cdef int64_t LARGEST = <int64_t>1 << 40

cdef struct Chart:
    Py_ssize_t width
    int64_t* complete[2]
    int64_t* arc[2]
    int64_t* both
    int32_t* complete_by[2]
    int32_t* arc_by[2]
    int32_t* both_by
    int32_t* stack  # four numbers for each part that is left to follow
    int32_t* number  # of the arc from a head to a word, -1 is none
    int32_t* near  # where the arcs of a head and side begin, and how many they are


cdef int64_t* _reserved(int64_t** memory, Py_ssize_t cells) noexcept nogil:
    cdef int64_t* start = memory[0]
    memory[0] += cells
    return start


cdef void _laid_out(Chart* chart, Py_ssize_t width, int64_t* memory) noexcept nogil:
    """Cut one block of memory into the tables of sentences of up to `width` - 1 words."""
    cdef Py_ssize_t cells = width * width, side, half = (cells + 1) // 2
    chart.width = width
    for side in range(2):
        chart.complete[side] = _reserved(&memory, cells)
        chart.arc[side] = _reserved(&memory, cells)
        chart.complete_by[side] = <int32_t*>_reserved(&memory, half)
        chart.arc_by[side] = <int32_t*>_reserved(&memory, half)
    chart.both = _reserved(&memory, cells)
    chart.both_by = <int32_t*>_reserved(&memory, half)
    chart.number = <int32_t*>_reserved(&memory, half)
    chart.near = <int32_t*>_reserved(&memory, 2 * width)
    chart.stack = <int32_t*>_reserved(&memory, 8 * width)


cdef inline int32_t* _push(
    int32_t* top, int kind, int side, Py_ssize_t s, Py_ssize_t t
) noexcept nogil:
    if s >= t:
        return top
    top[0], top[1], top[2], top[3] = kind, side, <int32_t>s, <int32_t>t
    return top + 4


cdef void _follow(
    Chart* chart, bint pairs, Py_ssize_t root, Py_ssize_t n, int32_t* heads
) noexcept nogil:
    """Write down the heads of the tree under `root`; kinds: 0 complete, 1 arc, 2 both."""
    cdef Py_ssize_t w = chart.width, s, t, r
    cdef int kind, side
    cdef int32_t* top = chart.stack
    heads[root - 1] = 0
    top = _push(top, 0, 1, 1, root)
    top = _push(top, 0, 0, root, n)
    while top > chart.stack:
        top -= 4
        kind, side, s, t = top[0], top[1], top[2], top[3]
        if kind == 2:
            r = chart.both_by[s * w + t]
            top = _push(top, 0, 0, s, r)
            top = _push(top, 0, 1, r + 1, t)
        elif kind == 0:
            r = chart.complete_by[side][s * w + t]
            if side:
                top = _push(top, 0, 1, s, r)
                top = _push(top, 1, 1, r, t)
            else:
                top = _push(top, 1, 0, s, r)
                top = _push(top, 0, 0, r, t)
        else:
            heads[(s if side else t) - 1] = <int32_t>(t if side else s)
            r = chart.arc_by[side][s * w + t]
            if not pairs:
                top = _push(top, 2, 0, s, t)
            elif r:
                if side:
                    top = _push(top, 1, 1, r, t)
                    top = _push(top, 2, 0, s, r)
                else:
                    top = _push(top, 1, 0, s, r)
                    top = _push(top, 2, 0, r, t)
            elif side:
                top = _push(top, 0, 0, s, t - 1)
            else:
                top = _push(top, 0, 1, s + 1, t)


cdef void _best(
    Chart* chart,
    Py_ssize_t n,
    Py_ssize_t first,
    Py_ssize_t last,
    const int32_t[::1] head,
    const int32_t[::1] word,
    const int64_t[::1] score,
    bint pairs,
    const int64_t[::1] before,
    const int64_t[::1] pair,
    int32_t* heads,
) noexcept nogil:
    cdef Py_ssize_t w = chart.width, a, s, t, r, h, m, width, rank, root, start, stop, by
    cdef int side
    cdef int64_t top, total
    for h in range(n + 1):
        for m in range(n + 1):
            chart.number[h * w + m] = -1
        for side in range(2):
            chart.near[4 * h + 2 * side] = chart.near[4 * h + 2 * side + 1] = 0
    for a in range(first, last):
        h, m = head[a], word[a]
        chart.number[h * w + m] = <int32_t>(a - first)
        side = 0 if m > h else 1
        if not chart.near[4 * h + 2 * side + 1]:
            chart.near[4 * h + 2 * side] = <int32_t>(a - first)
        chart.near[4 * h + 2 * side + 1] += 1
    for r in range(1, n + 1):
        chart.complete[0][r * w + r] = chart.complete[1][r * w + r] = 0
        chart.arc[0][r * w + r] = chart.arc[1][r * w + r] = NONE
    for width in range(1, n):
        for s in range(1, n - width + 1):
            t = s + width
            top, by = NONE, 0
            for r in range(s, t):
                total = chart.complete[0][s * w + r] + chart.complete[1][(r + 1) * w + t]
                if total > top:
                    top, by = total, r
            chart.both[s * w + t], chart.both_by[s * w + t] = top, <int32_t>by
            for side in range(2):
                h = t if side else s
                a = chart.number[h * w + (s if side else t)]
                chart.arc[side][s * w + t] = NONE
                if a < 0:
                    continue
                a += first
                if not pairs:
                    chart.arc[side][s * w + t] = chart.both[s * w + t] + score[a]
                    continue
                if side:
                    top = chart.complete[0][s * w + t - 1] + pair[before[a]]
                else:
                    top = chart.complete[1][(s + 1) * w + t] + pair[before[a]]
                by, start = 0, chart.near[4 * h + 2 * side] + first
                for rank in range(before[a + 1] - before[a] - 1):
                    r = word[start + rank]
                    if side:
                        total = chart.arc[1][r * w + t] + chart.both[s * w + r]
                    else:
                        total = chart.arc[0][s * w + r] + chart.both[r * w + t]
                    total += pair[before[a] + rank + 1]
                    if total > top:
                        top, by = total, r
                top += score[a]
                chart.arc[side][s * w + t] = top if top > NONE else NONE
                chart.arc_by[side][s * w + t] = <int32_t>by
            for side in range(2):
                h = t if side else s
                start = chart.near[4 * h + 2 * side] + first
                stop = start + chart.near[4 * h + 2 * side + 1]
                top, by = NONE, 0
                for a in range(start, stop):
                    r = word[a]
                    if r < s or r > t:
                        break
                    if side:
                        total = chart.complete[1][s * w + r] + chart.arc[1][r * w + t]
                    else:
                        total = chart.arc[0][s * w + r] + chart.complete[0][r * w + t]
                    if total > top:
                        top, by = total, r
                chart.complete[side][s * w + t] = top
                chart.complete_by[side][s * w + t] = <int32_t>by
    top, root = NONE, 0
    start = chart.near[0] + first
    for a in range(start, start + chart.near[1]):
        r = word[a]
        total = score[a] + (pair[before[a]] if pairs else 0)
        total += chart.complete[1][w + r] + chart.complete[0][r * w + n]
        if total > top:
            top, root = total, r
    if top > NONE >> 1:
        _follow(chart, pairs, root, n, heads)


cdef str _wrong(
    const int64_t[::1] words,
    const int64_t[::1] arcs,
    const int32_t[::1] head,
    const int32_t[::1] word,
    const int64_t[::1] score,
    bint pairs,
    const int64_t[::1] before,
    const int64_t[::1] pair,
):
    """Return what is not in order; the empty string where everything is."""
    cdef Py_ssize_t s, a, sentences = words.shape[0] - 1
    cdef int64_t n, rank, h, m
    if words.shape[0] != arcs.shape[0] or sentences < 0 or words[0] or arcs[0]:
        return "offsets that do not fit each other"
    for s in range(sentences):
        if words[s + 1] < words[s] or arcs[s + 1] < arcs[s]:
            return "offsets that descend"
    if not head.shape[0] == word.shape[0] == score.shape[0] == arcs[sentences]:
        return "the columns differ in length"
    for s in range(sentences):
        if words[s + 1] - words[s] > LONGEST:
            return f"a sentence of more than {LONGEST} words"
    for s in range(sentences):
        n = words[s + 1] - words[s]
        for a in range(arcs[s], arcs[s + 1]):
            if head[a] < 0 or head[a] > n or word[a] < 1 or word[a] > n:
                return "an arc that leaves its sentence"
    for s in range(sentences):
        for a in range(arcs[s], arcs[s + 1]):
            h, m = head[a], word[a]
            if h == m:
                return "arcs that are not in order"
            if a > arcs[s] and (
                head[a - 1] > h
                or (head[a - 1] == h and word[a - 1] > h > m)
                or (head[a - 1] == h and word[a - 1] < h and m < h and word[a - 1] <= m)
                or (head[a - 1] == h and word[a - 1] > h and m > h and word[a - 1] >= m)
            ):
                return "arcs that are not in order"
    for a in range(score.shape[0]):
        if score[a] > LARGEST or score[a] < -LARGEST:
            return "a score that is too large"
    if not pairs or not head.shape[0]:
        return ""
    if before.shape[0] != head.shape[0] + 1 or before[0] or before[head.shape[0]] != pair.shape[0]:
        return "the columns differ in length"
    for s in range(sentences):
        rank = 0
        for a in range(arcs[s], arcs[s + 1]):
            h, m = head[a], word[a]
            if a > arcs[s] and head[a - 1] == h and h and (word[a - 1] > h) == (m > h):
                rank += 1
            else:
                rank = 0
            if before[a + 1] - before[a] != rank + 1:
                return "pairs that do not fit the arcs"
    for a in range(pair.shape[0]):
        if pair[a] > LARGEST or pair[a] < -LARGEST:
            return "a score that is too large"
    return ""


def _wrong_arcs(words, arcs, head, word, score, before, pair):
    """Return what is not in order of arcs with neighbouring dependents."""
    return _wrong(
        np.ascontiguousarray(words, np.int64), np.ascontiguousarray(arcs, np.int64),
        np.ascontiguousarray(head, np.int32), np.ascontiguousarray(word, np.int32),
        np.ascontiguousarray(score, np.int64), True,
        np.ascontiguousarray(before, np.int64), np.ascontiguousarray(pair, np.int64),
    )


def _decoded(words, arcs, head, word, score, before, pair):
    pairs = before is not None
    cdef bint with_pairs = pairs
    cdef const int64_t[::1] word_at = np.ascontiguousarray(words, np.int64)
    cdef const int64_t[::1] arc_at = np.ascontiguousarray(arcs, np.int64)
    cdef const int32_t[::1] heads_of = np.ascontiguousarray(head, np.int32)
    cdef const int32_t[::1] words_of = np.ascontiguousarray(word, np.int32)
    cdef const int64_t[::1] scores_of = np.ascontiguousarray(score, np.int64)
    cdef const int64_t[::1] starts = np.ascontiguousarray(before if pairs else [0], np.int64)
    cdef const int64_t[::1] pairs_of = np.ascontiguousarray(pair if pairs else [0], np.int64)
    wrong = _wrong(
        word_at, arc_at, heads_of, words_of, scores_of, with_pairs, starts, pairs_of
    )
    if wrong:
        raise ValueError(wrong)
    cdef Py_ssize_t count = word_at[word_at.shape[0] - 1]
    array = np.full(max(1, count), -1, np.int32)
    cdef int32_t[::1] found = array
    cdef Py_ssize_t sentence, n, width = int(np.diff(word_at).max(initial=0)) + 1
    cdef Chart chart
    cdef int64_t* memory = <int64_t*>malloc(
        (5 * width * width + 6 * ((width * width + 1) // 2) + 10 * width) * sizeof(int64_t)
    )
    if memory == NULL:
        raise MemoryError("no memory for the parts of a sentence")
    _laid_out(&chart, width, memory)
    with nogil:
        for sentence in range(word_at.shape[0] - 1):
            n = word_at[sentence + 1] - word_at[sentence]
            if n:
                _best(
                    &chart, n, arc_at[sentence], arc_at[sentence + 1], heads_of, words_of,
                    scores_of, with_pairs, starts, pairs_of, &found[word_at[sentence]],
                )
    free(memory)
    return array[:count]


def first_order(words, arcs, head, word, score):
    """Return the head of each word in the best tree, where each arc has a score."""
    return _decoded(words, arcs, head, word, score, None, None)


def second_order(words, arcs, head, word, score, before, pair):
    """Return the head of each word in the best tree, with scores of neighbouring dependents."""
    return _decoded(words, arcs, head, word, score, before, pair)
