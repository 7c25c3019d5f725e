# cython: language_level=3, embedsignature=True
"""The compiled twin of reattachment.py."""

import numpy as np

from commonground.kernels._eisner import _wrong_arcs
from commonground.kernels.reattachment import NO_TREE, ROUNDS

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

cdef int64_t LARGEST = <int64_t>1 << 40


cdef struct Sentence:
    Py_ssize_t n
    Py_ssize_t width
    int32_t* number  # of the arc from a head to a word, -1 is none
    int32_t* heads  # of the tree so far, by the word; that of ROOT is -1
    const int64_t* score
    const int64_t* before
    const int64_t* pair
    const int64_t* above
    const int64_t* line
    int32_t* rank  # of each arc among those into its word, by its number
    int32_t* child  # the first dependent of each word in this round, and the one after each
    int32_t* after
    int64_t* own  # what the arc to each word adds to the tree in this round
    Py_ssize_t first  # arc of the sentence


cdef inline Py_ssize_t _next(Sentence* one, Py_ssize_t h, Py_ssize_t m, int step) noexcept nogil:
    """Return the nearest dependent of h on its side of m, from m on; 0 is none."""
    cdef Py_ssize_t s = m + step
    while 0 < s <= one.n and s != h:
        if one.heads[s] == h:
            return s
        s += step
    return 0


cdef inline int64_t _pair(Sentence* one, Py_ssize_t h, Py_ssize_t m, Py_ssize_t s) noexcept nogil:
    """Return the score of m as the dependent of h after s; s = 0 is none."""
    cdef Py_ssize_t a = one.number[h * one.width + m]
    if not s:
        return one.pair[one.before[a]]
    return one.pair[one.before[a + 1] - (a - one.number[h * one.width + s])]


cdef inline int64_t _line(Sentence* one, Py_ssize_t g, Py_ssize_t h, Py_ssize_t m) noexcept nogil:
    """Return the score of the arc from h to m below that from g to h."""
    cdef Py_ssize_t a = one.number[h * one.width + m], b = one.number[g * one.width + h]
    return one.line[one.above[a] + one.rank[b - one.first]]


cdef int64_t _worth(Sentence* one, Py_ssize_t h, Py_ssize_t m) noexcept nogil:
    """Return what the arc from h to m adds to a tree in which m has no head, or another one."""
    cdef int64_t total = one.score[one.number[h * one.width + m]]
    cdef int step = 1 if m > h else -1
    cdef Py_ssize_t inner, outer, c
    c = one.child[m]
    while c:
        if one.heads[c] == m:
            total += _line(one, h, m, c)
        c = one.after[c]
    if not h:
        return total + _pair(one, 0, m, 0)
    total += _line(one, one.heads[h], h, m)
    inner, outer = _next(one, h, m, -step), _next(one, h, m, step)
    total += _pair(one, h, m, inner)
    if outer:
        total += _pair(one, h, outer, m) - _pair(one, h, outer, inner)
    return total


cdef bint _below(Sentence* one, Py_ssize_t word, Py_ssize_t top) noexcept nogil:
    """Tell whether a word is `top`, or below it."""
    while word > 0 and word != top:
        word = one.heads[word]
    return word == top


cdef void _look_around(Sentence* one) noexcept nogil:
    """Note the dependents of all words, and what their arcs add to the tree."""
    cdef Py_ssize_t m, h
    for h in range(one.n + 1):
        one.child[h] = 0
    for m in range(one.n, 0, -1):
        h = one.heads[m]
        one.after[m] = one.child[h]
        one.child[h] = <int32_t>m
    for m in range(1, one.n + 1):
        one.own[m] = _worth(one, one.heads[m], m)


cdef void _improve(
    Sentence* one, Py_ssize_t first, Py_ssize_t last,
    const int32_t[::1] head, const int32_t[::1] word, Py_ssize_t rounds,
) noexcept nogil:
    cdef Py_ssize_t n = one.n, a, g, h, m, round, root = 0, by, other, old
    cdef int64_t best, lost, total, gain
    for m in range(1, n + 1):
        if one.heads[m] == 0:
            root = m
    for round in range(rounds):
        _look_around(one)
        best, by, other = 0, -1, 0
        for a in range(first, last):
            h, m = head[a], word[a]
            old = one.heads[m]
            if h == old or m == root or (h and _below(one, h, m)):
                continue
            gain = _worth(one, h, m) - one.own[m]
            if h:
                if gain > best:
                    best, by, other = gain, a, 0
                continue
            # The word comes under ROOT, and the one that was there comes below it.
            one.heads[m] = 0
            lost = _worth(one, 0, root)
            for g in range(1, n + 1):
                if one.number[g * one.width + root] < 0 or not _below(one, g, m):
                    continue
                total = gain + _worth(one, g, root) - lost
                if total > best:
                    best, by, other = total, a, g
            one.heads[m] = <int32_t>old
        if by < 0:
            return
        one.heads[word[by]] = head[by]
        if other:
            one.heads[root] = <int32_t>other
            root = word[by]


cdef bint _laid(Sentence* one, Py_ssize_t first, Py_ssize_t last,
    const int32_t[::1] head, const int32_t[::1] word, const int32_t* start,
) noexcept nogil:
    """Put a sentence down; tell whether `start` is a tree of its arcs, with one word under ROOT."""
    cdef Py_ssize_t w = one.width, n = one.n, h, m, a, steps, roots = 0
    for h in range(n + 1):
        for m in range(n + 1):
            one.number[h * w + m] = -1
    for a in range(first, last):
        one.number[head[a] * w + word[a]] = <int32_t>a
    one.heads[0], one.first = -1, first
    for m in range(1, n + 1):
        steps = 0
        for h in range(n + 1):
            a = one.number[h * w + m]
            if a >= 0:
                one.rank[a - first] = <int32_t>steps
                steps += 1
    for m in range(1, n + 1):
        h = start[m - 1]
        if h < 0 or h > n or one.number[h * w + m] < 0:
            return False
        one.heads[m] = <int32_t>h
        roots += h == 0
    for m in range(1, n + 1):
        h, steps = m, 0
        while h and steps <= n:
            h = one.heads[h]
            steps += 1
        if h:
            return False
    return roots == 1


cdef str _wrong_lines(
    const int64_t[::1] words,
    const int64_t[::1] arcs,
    const int32_t[::1] head,
    const int32_t[::1] word,
    const int64_t[::1] above,
    const int64_t[::1] line,
    const int32_t[::1] start,
):
    """Return what is not in order; the empty string where everything is."""
    cdef Py_ssize_t a, s
    cdef int64_t count = words[words.shape[0] - 1]
    if (
        above.shape[0] != head.shape[0] + 1 or above[0] or above[head.shape[0]] != line.shape[0]
        or start.shape[0] != count
    ):
        return "the columns differ in length"
    cdef int64_t[::1] degree = np.zeros(count + 1, np.int64)
    for s in range(words.shape[0] - 1):
        for a in range(arcs[s], arcs[s + 1]):
            degree[words[s] + word[a]] += 1
    for s in range(words.shape[0] - 1):
        for a in range(arcs[s], arcs[s + 1]):
            if above[a + 1] - above[a] != (degree[words[s] + head[a]] if head[a] else 0):
                return "lines that do not fit the arcs"
    for a in range(line.shape[0]):
        if line[a] > LARGEST or line[a] < -LARGEST:
            return "a score that is too large"
    return ""


def improved(rows, lines, start):
    """Return the heads of trees that are at least as good as those that `start` has."""
    words, arcs, head, word, score, before, pair = rows
    above, line = lines
    cdef const int64_t[::1] word_at = np.ascontiguousarray(words, np.int64)
    cdef const int64_t[::1] arc_at = np.ascontiguousarray(arcs, np.int64)
    cdef const int32_t[::1] heads_of = np.ascontiguousarray(head, np.int32)
    cdef const int32_t[::1] words_of = np.ascontiguousarray(word, np.int32)
    cdef const int64_t[::1] scores_of = np.ascontiguousarray(score, np.int64)
    cdef const int64_t[::1] starts = np.ascontiguousarray(before, np.int64)
    cdef const int64_t[::1] pairs_of = np.ascontiguousarray(pair, np.int64)
    cdef const int64_t[::1] above_of = np.ascontiguousarray(above, np.int64)
    cdef const int64_t[::1] lines_of = np.ascontiguousarray(line, np.int64)
    cdef const int32_t[::1] tree = np.ascontiguousarray(start, np.int32)
    wrong = _wrong_arcs(*rows)
    cdef Py_ssize_t count = word_at[word_at.shape[0] - 1], sentence, n, place, m
    cdef Py_ssize_t width = int(np.diff(word_at).max(initial=0)) + 1
    if not wrong:
        wrong = _wrong_lines(word_at, arc_at, heads_of, words_of, above_of, lines_of, tree)
    if wrong:
        raise ValueError(wrong)
    array = np.array(tree, np.int32)
    cdef int32_t[::1] found = array
    cdef Sentence one
    cdef bint fine = True
    cdef Py_ssize_t rounds = ROUNDS
    cdef int64_t* memory = <int64_t*>malloc((width * width + 3 * width) * sizeof(int64_t))
    if memory == NULL:
        raise MemoryError("no memory for the arcs of a sentence")
    one.width, one.own = width, memory
    one.number = <int32_t*>(memory + width)
    one.rank = one.number + width * width
    one.heads = one.rank + width * width
    one.child = one.heads + width
    one.after = one.child + width
    with nogil:
        if scores_of.shape[0]:
            one.score, one.before, one.pair = &scores_of[0], &starts[0], &pairs_of[0]
            one.above = &above_of[0]
            if lines_of.shape[0]:
                one.line = &lines_of[0]
        for sentence in range(word_at.shape[0] - 1):
            place = word_at[sentence]
            n = word_at[sentence + 1] - place
            if not n or tree[place] < 0:
                continue
            one.n = n
            fine = _laid(
                &one, arc_at[sentence], arc_at[sentence + 1], heads_of, words_of, &tree[place]
            )
            if not fine:
                break
            _improve(
                &one, arc_at[sentence], arc_at[sentence + 1], heads_of, words_of, rounds * n
            )
            for m in range(1, n + 1):
                found[place + m - 1] = one.heads[m]
    free(memory)
    if not fine:
        raise ValueError(NO_TREE)
    return array
