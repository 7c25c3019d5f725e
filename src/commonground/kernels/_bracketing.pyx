# cython: language_level=3, embedsignature=True
"""The compiled twin of bracketing.py: a sentence at a time, so that all of it stays in the cache."""

import numpy as np

from libc.stdint cimport int32_t, int64_t

from commonground.kernels import checks
from commonground.kernels.bracketing import checked_sides, checked_words

cdef enum:
    NOWHERE = 0x7FFFFFFFFFFFFFFF

cdef struct Brackets:
    int64_t *start       # per node, then per bracket that counts
    int64_t *end
    int64_t *words
    int64_t *label
    Py_ssize_t count


def shared_words(gold, system, alike):
    """Return for each sentence how many words both sides share, and how many each of them has."""
    cdef const int64_t[::1] gold_at, gold_times, system_at, system_times
    cdef const int32_t[::1] gold_code, system_code
    gold, system, alike = checked_words(gold), checked_words(system), checks.square(alike)
    checks.equally_long(gold[0], system[0])
    gold_at, gold_times, gold_code = gold
    system_at, system_times, system_code = system
    cdef Py_ssize_t sentences = gold_at.shape[0] - 1, sentence, one, two, one_end, two_end
    columns = np.zeros((3, sentences), np.int64)
    cdef int64_t[:, ::1] found = columns
    cdef int64_t related = alike.shape[0], shared, left, other, step, length, words
    cdef int32_t code, partner
    cdef const unsigned char[::1] square = alike.view(np.uint8).ravel()
    with nogil:
        for sentence in range(sentences):
            one, one_end = gold_at[sentence], gold_at[sentence + 1]
            two, two_end = system_at[sentence], system_at[sentence + 1]
            # In most sentences each word counts as often as the one in the same row.
            length = one_end - one if one_end - one == two_end - two else -1
            step = shared = words = 0
            while step < length and gold_times[one + step] == system_times[two + step]:
                left = gold_times[one + step]
                code, partner = gold_code[one + step], system_code[two + step]
                if code == partner or (
                    code < related and partner < related and square[code * related + partner]
                ):
                    shared += left
                words += left
                step += 1
            if step == length:
                found[0, sentence], found[1, sentence], found[2, sentence] = shared, words, words
                continue
            found[1, sentence] = total(gold_times, one, one_end)
            found[2, sentence] = total(system_times, two, two_end)
            if found[1, sentence] != found[2, sentence]:
                continue
            shared = left = other = 0
            while True:
                # Runs of one word each: what is left of them is compared at once.
                while not left and one < one_end:
                    left = gold_times[one]
                    one += 1
                while not other and two < two_end:
                    other = system_times[two]
                    two += 1
                if not left:
                    break
                step = left if left < other else other
                code, partner = gold_code[one - 1], system_code[two - 1]
                if code == partner or (
                    code < related and partner < related and square[code * related + partner]
                ):
                    shared += step
                left -= step
                other -= step
            found[0, sentence] = shared
    return columns[0], columns[1], columns[2]


cdef inline int64_t total(const int64_t[::1] times, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    cdef int64_t found = 0
    cdef Py_ssize_t row
    for row in range(first, last):
        found += times[row]
    return found


def shared_brackets(gold, system, scored, alike):
    """Return for each sentence the numbers of brackets; None where a phrase is scattered."""
    cdef const int64_t[::1] gold_words, gold_times, gold_nodes
    cdef const int64_t[::1] system_words, system_times, system_nodes
    cdef const int32_t[::1] gold_above, gold_up, gold_label, system_above, system_up, system_label
    gold, system, scored = checked_sides(gold, system, scored)
    alike = checks.square(alike)
    gold_words, gold_above, gold_times, gold_nodes, gold_up, gold_label = gold
    system_words, system_above, system_times, system_nodes, system_up, system_label = system
    cdef Py_ssize_t sentences = gold_words.shape[0] - 1, sentence, word, node
    cdef Py_ssize_t most = max(
        np.diff(gold[3]).max(initial=0), np.diff(system[3]).max(initial=0)
    )
    columns = np.zeros((5, sentences), np.int64)
    cdef int64_t[:, ::1] found = columns
    cdef const unsigned char[::1] counted = scored.view(np.uint8)
    cdef int64_t related = alike.shape[0]
    cdef const unsigned char[::1] square = alike.view(np.uint8).ravel()
    cdef int64_t[:, ::1] room = np.empty((8, most + 1), np.int64)
    cdef unsigned char[::1] taken = np.empty(most + 1, np.uint8)
    cdef Brackets one, two
    cdef bint scattered = False
    one.start, one.end, one.words, one.label = &room[0, 0], &room[1, 0], &room[2, 0], &room[3, 0]
    two.start, two.end, two.words, two.label = &room[4, 0], &room[5, 0], &room[6, 0], &room[7, 0]
    with nogil:
        for sentence in range(sentences):
            if not counted[sentence]:
                continue
            one.count = gold_nodes[sentence + 1] - gold_nodes[sentence]
            two.count = system_nodes[sentence + 1] - system_nodes[sentence]
            clear(&one)
            word, node = gold_words[sentence], gold_nodes[sentence]
            add_words(&one, gold_above, gold_times, word, gold_words[sentence + 1])
            scattered |= not cut(&one, gold_up, gold_label, node)
            clear(&two)
            word, node = system_words[sentence], system_nodes[sentence]
            add_words(&two, system_above, system_times, word, system_words[sentence + 1])
            scattered |= not cut(&two, system_up, system_label, node)
            if scattered:
                break
            found[0, sentence] = one.count
            found[1, sentence] = two.count
            match(&one, &two, &taken[0], square, related, found, sentence)
    return None if scattered else columns


cdef inline void clear(Brackets *self) noexcept nogil:
    # Nothing starts nowhere, so that least and greatest places need no questions.
    cdef Py_ssize_t node
    for node in range(self.count + 1):
        self.start[node] = NOWHERE
        self.end[node] = self.words[node] = 0


cdef inline void add_words(
    Brackets *self, const int32_t[::1] above, const int64_t[::1] times,
    Py_ssize_t first, Py_ssize_t last,
) noexcept nogil:
    # Node 0 is the top, the others follow: so nobody asks whether there is one above.
    cdef Py_ssize_t row, node
    cdef int64_t place = 0, repeat
    for row in range(first, last):
        repeat, node = times[row], above[row] + 1
        self.start[node] = min(self.start[node], place if repeat else NOWHERE)
        place += repeat
        self.end[node] = place if repeat else self.end[node]
        self.words[node] += repeat


cdef inline bint cut(
    Brackets *self, const int32_t[::1] parent, const int32_t[::1] label, Py_ssize_t first
) noexcept nogil:
    # Give the words of nodes to those above them, and keep those that count; false if any of these
    # is scattered, or stands where its words do not.
    cdef Py_ssize_t node, up, kept = 0
    cdef int64_t start, end
    for node in range(self.count, 0, -1):
        up = parent[first + node - 1] + 1
        self.start[up] = min(self.start[up], self.start[node])
        self.end[up] = max(self.end[up], self.end[node])
        self.words[up] += self.words[node]
    for node in range(1, self.count + 1):
        if not self.words[node] or label[first + node - 1] < 0:
            continue
        start, end = self.start[node], self.end[node]
        if end - start != self.words[node]:
            return False
        if kept and before(start, end, self.start[kept - 1], self.end[kept - 1]):
            return False
        self.start[kept], self.end[kept] = start, end
        self.label[kept] = label[first + node - 1]
        kept += 1
    self.count = kept
    return True


cdef inline bint before(int64_t start, int64_t end, int64_t other_start, int64_t other_end) noexcept nogil:
    # Whether one bracket stands before another: it starts earlier, or is the longer one.
    return start < other_start or (start == other_start and end > other_end)


cdef inline void match(
    Brackets *one, Brackets *two, unsigned char *taken,
    const unsigned char[::1] square, int64_t related, int64_t[:, ::1] found, Py_ssize_t sentence,
) noexcept nogil:
    # Both sides place by place: of each, those of the gold standard take their partners in turn.
    cdef Py_ssize_t gold = 0, system = 0, gold_end, system_end, i, j
    cdef int64_t start, end, label, other, labelled = 0, places = 0, crossing = 0
    while system < two.count:
        start, end = two.start[system], two.end[system]
        while gold < one.count and before(one.start[gold], one.end[gold], start, end):
            gold += 1
        system_end = system
        while system_end < two.count and two.start[system_end] == start and two.end[system_end] == end:
            taken[system_end] = False
            system_end += 1
        gold_end = gold
        while gold_end < one.count and one.start[gold_end] == start and one.end[gold_end] == end:
            gold_end += 1
        if gold == gold_end:  # what the other side has crosses nothing of it
            if crosses(one, start, end):
                crossing += system_end - system
            system = system_end
            continue
        places += min(gold_end - gold, system_end - system)
        for i in range(gold, gold_end):
            label = one.label[i]
            for j in range(system, system_end):
                other = two.label[j]
                if not taken[j] and (label == other or (
                    label < related and other < related and square[label * related + other]
                )):
                    taken[j] = True
                    labelled += 1
                    break
        gold, system = gold_end, system_end
    found[2, sentence], found[3, sentence], found[4, sentence] = labelled, places, crossing


cdef inline bint crosses(Brackets *self, int64_t start, int64_t end) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(self.count):
        if self.start[i] >= end:
            break
        if self.start[i] < start:
            if start < self.end[i] < end:
                return True
        elif self.start[i] > start and self.end[i] > end:
            return True
    return False
