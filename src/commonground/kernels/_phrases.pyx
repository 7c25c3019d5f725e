# cython: language_level=3, embedsignature=True
"""The compiled twin of phrases.py: sets of words are rows of bits."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from commonground.kernels.phrases import checked

cdef enum:
    FOUND = 1
    ATTACHED = 2


def attached(yields, lengths, common, golds, parses):
    """Tell for each parse and each common phrase whether it is there, and attached as in golds."""
    yields, lengths, common, golds, parses = checked(yields, lengths, common, golds, parses)
    cdef const int64_t[::1] begins = yields[0], first = yields[1], last = yields[2]
    cdef const int64_t[::1] length = lengths, common_at = common[0], phrase = common[1]
    cdef const int64_t[::1] at, node
    told = np.zeros((len(parses), len(common[1])), np.uint8)
    cdef unsigned char[:, ::1] result = told
    if not len(lengths) or not len(common[1]):
        return told
    # One block of bits: the nodes of a tree, and six sets of words for each common phrase.
    wide = lengths // 64 + 1
    largest = [int((np.diff(tree[0]) * wide).max()) for tree in (common, *golds, *parses)]
    cdef Py_ssize_t most = max(largest), rows = largest[0], width = int(wide.max())
    cdef Py_ssize_t space = most + 6 * rows + 2 * width
    cdef Py_ssize_t phrases = int(np.diff(common[0]).max())
    cdef uint64_t *bits = <uint64_t *> malloc(space * sizeof(uint64_t))
    cdef int64_t *above = <int64_t *> malloc(phrases * sizeof(int64_t))
    if bits == NULL or above == NULL:
        free(bits)
        free(above)
        raise MemoryError
    cdef uint64_t *nodes = bits
    cdef uint64_t *words = nodes + most
    cdef uint64_t *shared = words + rows
    cdef uint64_t *reached = shared + rows
    cdef uint64_t *inside = reached + rows
    cdef uint64_t *anchors = inside + rows
    cdef uint64_t *beyond = anchors + rows
    cdef uint64_t *whole = beyond + rows
    cdef uint64_t *top = whole + width  # what phrases have of the sentence
    cdef uint64_t *mother
    cdef uint64_t *beneath
    cdef Py_ssize_t sentences = length.shape[0], s, i, j, k, w, count, start, number, size
    cdef bint raised, right, empty
    try:
        for s in range(sentences):
            start, count = common_at[s], common_at[s + 1] - common_at[s]
            if not count:
                continue
            w = length[s] // 64 + 1
            memset(whole, 0, w * sizeof(uint64_t))
            memset(top, 0, w * sizeof(uint64_t))
            mark(whole, 1, length[s])
            spell(words, w, &phrase[start], count, begins, first, last)
            for i in range(count):
                for k in range(w):
                    shared[i * w + k] = whole[k]
                    reached[i * w + k] = inside[i * w + k] = 0
            for gold in golds:
                at, node = gold
                size = at[s + 1] - at[s]
                if size:
                    spell(nodes, w, &node[at[s]], size, begins, first, last)
                for i in range(count):
                    j = behind(&node[at[s]] if size else NULL, size, phrase[start + i])
                    mother = enclosing(words + i * w, nodes, j, size, w, whole)
                    for k in range(w):
                        shared[i * w + k] &= mother[k]
                        reached[i * w + k] |= mother[k]
            for i in range(count):
                j = behind(&phrase[start], count, phrase[start + i])
                while j < count and not within(words + i * w, words + j * w, w):
                    j += 1
                above[i] = j
                beneath = inside + j * w if j < count else top
                for k in range(w):
                    beneath[k] |= words[i * w + k]
            for i in range(count):
                beneath = inside + above[i] * w if above[i] < count else top
                empty = True
                for k in range(w):
                    shared[i * w + k] &= ~words[i * w + k]
                    anchors[i * w + k] = shared[i * w + k] & ~beneath[k]
                    if anchors[i * w + k]:
                        empty = False
                if empty:
                    for k in range(w):
                        anchors[i * w + k] = shared[i * w + k]
            for i in range(count):
                for k in range(w):
                    beyond[i * w + k] = 0
                    if above[i] < count:
                        beyond[i * w + k] = anchors[above[i] * w + k] & ~reached[i * w + k]
            for number, parse in enumerate(parses):
                at, node = parse
                size = at[s + 1] - at[s]
                if not size:
                    continue
                spell(nodes, w, &node[at[s]], size, begins, first, last)
                for i in range(count):
                    j = behind(&node[at[s]], size, phrase[start + i])
                    if not j or node[at[s] + j - 1] != phrase[start + i]:
                        continue
                    mother = enclosing(words + i * w, nodes, j, size, w, whole)
                    raised = within(beyond + i * w, mother, w) and not nothing(beyond + i * w, w)
                    right = within(anchors + i * w, mother, w) and not raised
                    result[number, start + i] = ATTACHED if right else FOUND
    finally:
        free(bits)
        free(above)
    return told


cdef void mark(uint64_t *bits, int64_t first, int64_t last) noexcept nogil:
    cdef int64_t word
    for word in range(first, last + 1):
        bits[word // 64] |= <uint64_t> 1 << (word % 64)


cdef void spell(uint64_t *bits, Py_ssize_t width, const int64_t *codes, Py_ssize_t count,
                const int64_t[::1] begins, const int64_t[::1] first,
                const int64_t[::1] last) noexcept nogil:
    # Writes the words of yields as rows of bits.
    cdef Py_ssize_t row
    cdef int64_t at
    memset(bits, 0, count * width * sizeof(uint64_t))
    for row in range(count):
        for at in range(begins[codes[row]], begins[codes[row] + 1]):
            mark(bits + row * width, first[at], last[at])


cdef Py_ssize_t behind(const int64_t *codes, Py_ssize_t count, int64_t code) noexcept nogil:
    # Returns how many of the codes, which ascend, are not above one.
    cdef Py_ssize_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) // 2
        if codes[middle] <= code:
            low = middle + 1
        else:
            high = middle
    return low


cdef uint64_t *enclosing(uint64_t *words, uint64_t *nodes, Py_ssize_t at, Py_ssize_t count,
                         Py_ssize_t width, uint64_t *whole) noexcept nogil:
    # Returns the first row from a place on that has all words.
    while at < count:
        if within(words, nodes + at * width, width):
            return nodes + at * width
        at += 1
    return whole


cdef inline bint within(uint64_t *words, uint64_t *others, Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(width):
        if words[k] & ~others[k]:
            return False
    return True


cdef inline bint nothing(uint64_t *words, Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(width):
        if words[k]:
            return False
    return True
