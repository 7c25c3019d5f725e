# cython: language_level=3, embedsignature=True
"""The compiled twin of pairing.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from commonground.kernels import checks
from commonground.kernels.pairing import MOST_PAIRS as most_pairs
from commonground.kernels.pairing import checked

cdef Py_ssize_t MOST_PAIRS = most_pairs

cdef enum:
    NO_MEMORY = -1
    TOO_MANY = -2


cdef struct Words:
    const int64_t *start
    const int64_t *end
    const unsigned char *multiword
    const int64_t *form
    Py_ssize_t count


def pair_words(tuple gold not None, tuple system not None):
    """Return the rows of the gold words and of the system words that are the same word."""
    cdef const int64_t[::1] g_start, g_end, g_form, s_start, s_end, s_form
    cdef const unsigned char[::1] g_multi, s_multi
    gold, system = checked(gold), checked(system)
    g_start, g_end, g_form = gold[0], gold[1], gold[3]
    s_start, s_end, s_form = system[0], system[1], system[3]
    g_multi, s_multi = gold[2].view(np.uint8), system[2].view(np.uint8)
    cdef Words one, two
    one.count, two.count = g_start.shape[0], s_start.shape[0]
    most = min(one.count, two.count)
    pairs_array = np.empty((2, most), np.int64)
    if not most:
        return pairs_array[0], pairs_array[1]
    one.start, one.end, one.multiword, one.form = &g_start[0], &g_end[0], &g_multi[0], &g_form[0]
    two.start, two.end, two.multiword, two.form = &s_start[0], &s_end[0], &s_multi[0], &s_form[0]
    cdef int64_t[:, ::1] pairs = pairs_array
    cdef Py_ssize_t g = 0, s = 0, first_g, first_s, found = 0, before
    with nogil:
        while g < one.count and s < two.count:
            if one.multiword[g] or two.multiword[s]:
                before = g + s
                multiword_stretch(&one, &two, &g, &s, &first_g, &first_s)
                if g + s == before:  # words without characters: no word is looked at twice
                    if one.multiword[g]:
                        g += 1
                    else:
                        s += 1
                    continue
                found = common_subsequence(&one, &two, first_g, g, first_s, s,
                                           &pairs[0, 0], &pairs[1, 0], found)
                if found < 0:
                    break
            elif one.start[g] == two.start[s] and one.end[g] == two.end[s]:
                pairs[0, found], pairs[1, found] = g, s
                found += 1
                g += 1
                s += 1
            elif one.start[g] <= two.start[s]:
                g += 1
            else:
                s += 1
    if found == TOO_MANY:
        raise ValueError(checks.TOO_MANY_WORDS)
    if found == NO_MEMORY:
        raise MemoryError
    return pairs_array[0, :found].copy(), pairs_array[1, :found].copy()


cdef void multiword_stretch(Words *one, Words *two, Py_ssize_t *g, Py_ssize_t *s,
                            Py_ssize_t *first_g, Py_ssize_t *first_s) noexcept nogil:
    cdef int64_t end
    if one.multiword[g[0]]:
        end = one.end[g[0]]
        if not two.multiword[s[0]] and two.start[s[0]] < one.start[g[0]]:
            s[0] += 1
    else:
        end = two.end[s[0]]
        if not one.multiword[g[0]] and one.start[g[0]] < two.start[s[0]]:
            g[0] += 1
    first_g[0], first_s[0] = g[0], s[0]
    while not (beyond(one, g[0], end) and beyond(two, s[0], end)):
        if g[0] < one.count and (s[0] >= two.count or one.start[g[0]] <= two.start[s[0]]):
            if one.multiword[g[0]] and one.end[g[0]] > end:
                end = one.end[g[0]]
            g[0] += 1
        else:
            if two.multiword[s[0]] and two.end[s[0]] > end:
                end = two.end[s[0]]
            s[0] += 1


cdef inline bint beyond(Words *words, Py_ssize_t at, int64_t end) noexcept nogil:
    if at >= words.count:
        return True
    return words.start[at] >= end if words.multiword[at] else words.end[at] > end


cdef Py_ssize_t common_subsequence(Words *one, Words *two, Py_ssize_t g, Py_ssize_t last_g,
                                   Py_ssize_t s, Py_ssize_t last_s, int64_t *left, int64_t *right,
                                   Py_ssize_t found) noexcept nogil:
    # Appends the pairs and returns their new number, or why that is impossible.
    cdef Py_ssize_t height = last_g - g, width = last_s - s, i, j
    if height <= 0 or width <= 0:
        return found
    if height * width > MOST_PAIRS:
        return TOO_MANY
    cdef int32_t *longest = <int32_t *> malloc((height + 1) * (width + 1) * sizeof(int32_t))
    cdef int32_t here, other
    if longest == NULL:
        return NO_MEMORY
    for i in range(height, -1, -1):
        for j in range(width, -1, -1):
            here = 0
            if i < height and j < width:
                if one.form[g + i] == two.form[s + j]:
                    here = 1 + longest[(i + 1) * (width + 1) + j + 1]
                other = longest[(i + 1) * (width + 1) + j]
                here = other if other > here else here
                other = longest[i * (width + 1) + j + 1]
                here = other if other > here else here
            longest[i * (width + 1) + j] = here
    i = j = 0
    while i < height and j < width:
        if one.form[g + i] == two.form[s + j]:
            left[found], right[found] = g + i, s + j
            found += 1
            i += 1
            j += 1
        elif longest[i * (width + 1) + j] == longest[(i + 1) * (width + 1) + j]:
            i += 1
        else:
            j += 1
    free(longest)
    return found
