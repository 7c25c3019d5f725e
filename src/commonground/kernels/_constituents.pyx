# cython: language_level=3, embedsignature=True
"""The compiled twin of constituents.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t

from commonground.kernels.constituents import ABSENT, checked_trees

cdef int64_t LEAST = -(<int64_t>1 << 62)


cdef class _Chart:
    """The columns of all sentences, and the best parts of the phrases that are being looked at."""

    cdef const int64_t[::1] start, end, candidate, starting, by_end, ending, rank, pairs
    cdef const int64_t[::1] inner, inner_node, score
    cdef const int32_t[::1] label
    cdef const int32_t[:, ::1] below, inside, beside
    cdef int64_t[::1] best         # of each node
    cdef int64_t[:, ::1] total     # of the children up to each node, below each label that is open
    cdef int64_t[::1] row          # of each node inside of the phrases that are looked at
    cdef int64_t[::1] before       # the child before each node, for one phrase
    cdef int32_t[::1] opened       # the labels of the phrases that start at a place
    cdef int64_t[::1] until        # where the last of each ends
    cdef Py_ssize_t nodes

    def __cinit__(self, layout, given):
        self.start, self.end, self.candidate = layout.start, layout.end, layout.candidate
        self.starting, self.ending, self.rank = layout.starting, layout.ending, layout.rank
        self.by_end, self.pairs = layout.by_end, layout.pairs
        self.inner, self.inner_node = layout.inner, layout.inner_node
        self.label, self.score, self.below, self.inside, self.beside = given
        self.nodes = self.start.shape[0]
        labels = self.below.shape[1] - 1
        self.best = np.zeros(self.nodes + 1, np.int64)
        most = min(labels, int(np.diff(layout.starting).max(initial=1)))
        self.total = np.full((self.nodes + 1, most), LEAST, np.int64)
        self.row = np.zeros(self.nodes + 1, np.int64)
        self.before = np.zeros(self.nodes + 1, np.int64)
        self.opened = np.zeros(most, np.int32)
        self.until = np.zeros(most, np.int64)

    cdef int open(self, Py_ssize_t place) noexcept nogil:
        # Find the labels of the phrases that start here, and where the last of each ends.
        cdef Py_ssize_t node, row
        cdef int each, count = 0
        cdef int32_t label
        for node in range(self.starting[place] + 1, self.starting[place + 1]):
            label = self.label[self.candidate[node]]
            each = 0
            while each < count and self.opened[each] != label:
                each += 1
            count += each == count
            self.opened[each] = label
            self.until[each] = self.end[node]
        for row in range(self.inner[place], self.inner[place + 1]):
            self.row[self.inner_node[row]] = row
        return count

    cdef int64_t own(self, Py_ssize_t node, int32_t label) noexcept nogil:
        cdef int64_t total = self.best[node] + self.inside[self.row[node], label]
        if self.candidate[node] >= 0:
            total += self.below[self.candidate[node], label]
        return total

    cdef void begin(self, Py_ssize_t node, int each) noexcept nogil:
        cdef int32_t label = self.opened[each]
        self.total[node, each] = self.own(node, label) + self.beside[node, label]
        self.before[node] = -1

    cdef Py_ssize_t ended(self, Py_ssize_t first, Py_ssize_t place, int each,
                          int64_t *most) noexcept nogil:
        # The last of the best children of a phrase from the first place to this one.
        cdef Py_ssize_t at, node, last = -1
        cdef int64_t total
        for at in range(self.ending[place], self.ending[place + 1]):
            node = self.by_end[at]
            if self.start[node] < first:
                break
            if self.start[node] == first and self.candidate[node] >= 0:
                continue  # it is as long as the phrase
            total = self.total[node, each] + self.beside[self.nodes + node, self.opened[each]]
            if last < 0 or total > most[0]:
                most[0], last = total, node
        return last

    cdef void go_on(self, Py_ssize_t first, Py_ssize_t place, int each) noexcept nogil:
        # Let phrases that end at a place be first children, and nodes that start there follow.
        cdef Py_ssize_t at, node, one, row, following = self.starting[place]
        cdef Py_ssize_t count = self.starting[place + 1] - following
        cdef int64_t best, total
        cdef int32_t label = self.opened[each]
        cdef bint found
        if place >= self.until[each]:
            return
        for node in range(self.starting[first] + 1, self.starting[first + 1]):
            if self.end[node] == place:
                self.begin(node, each)
        for node in range(following, following + count):
            if self.end[node] > self.until[each]:
                continue
            found = False
            best = 0
            for at in range(self.ending[place], self.ending[place + 1]):
                one = self.by_end[at]
                if self.start[one] < first:
                    break
                row = self.pairs[place] + (at - self.ending[place]) * count + node - following
                total = self.total[one, each] + self.beside[row, label]
                if not found or total > best:
                    best, self.before[node], found = total, one, True
            self.total[node, each] = best + self.own(node, label)

    cdef void chart(self, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
        cdef Py_ssize_t place, end, node
        cdef int each, count
        cdef int64_t furthest, inner
        for place in range(last - 1, first - 1, -1):
            count = self.open(place)
            furthest = place
            for each in range(count):
                furthest = max(furthest, self.until[each])
                self.begin(self.starting[place], each)
            for end in range(place + 1, furthest + 1):
                for node in range(self.starting[place] + 1, self.starting[place + 1]):
                    if self.end[node] != end:
                        continue
                    each = 0
                    while self.opened[each] != self.label[self.candidate[node]]:
                        each += 1
                    inner = 0
                    self.ended(place, end, each, &inner)
                    self.best[node] = inner + self.score[self.candidate[node]]
                for each in range(count):
                    self.go_on(place, end, each)

    cdef Py_ssize_t top(self, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
        cdef Py_ssize_t node, best = -1, outermost = self.below.shape[1] - 1
        cdef int64_t total, most = 0
        for node in range(self.starting[first] + 1, self.starting[first + 1]):
            if self.end[node] == last:
                total = self.best[node] + self.below[self.candidate[node], outermost]
                if best < 0 or total > most:
                    most, best = total, node
        return best

    cdef Py_ssize_t children(self, Py_ssize_t parent) noexcept nogil:
        # The last of the children; `before` leads to the others.
        cdef Py_ssize_t first = self.start[parent], last = self.end[parent], place
        cdef int64_t inner = 0
        self.open(first)
        self.opened[0] = self.label[self.candidate[parent]]
        self.until[0] = last
        self.begin(self.starting[first], 0)
        for place in range(first + 1, last):
            self.go_on(first, place, 0)
        return self.ended(first, last, 0, &inner)


def best_trees(words, start, end, label, score, below, inside, beside):
    """Return the candidate above each word and above each candidate of the best trees."""
    nodes, given = checked_trees(words, start, end, label, score, below, inside, beside)
    cdef _Chart chart = _Chart(nodes, given)
    cdef const int64_t[::1] at = np.ascontiguousarray(words, np.int64)
    words_array = np.full(int(words[-1]), ABSENT, np.int64)
    array = np.full(len(given[0]), ABSENT, np.int64)
    cdef int64_t[::1] above_words = words_array, above = array
    cdef int64_t[::1] left = np.empty(max(1, chart.nodes), np.int64)
    cdef Py_ssize_t sentence, waiting, node, child
    with nogil:
        for sentence in range(at.shape[0] - 1):
            if at[sentence] == at[sentence + 1]:
                continue
            chart.chart(at[sentence] + sentence, at[sentence + 1] + sentence)
            left[0] = chart.top(at[sentence] + sentence, at[sentence + 1] + sentence)
            above[chart.candidate[left[0]]] = -1
            waiting = 1
            while waiting:
                waiting -= 1
                node = left[waiting]
                child = chart.children(node)
                while child >= 0:
                    if chart.candidate[child] < 0:
                        above_words[chart.start[child] - sentence] = chart.candidate[node]
                    else:
                        above[chart.candidate[child]] = chart.candidate[node]
                        left[waiting] = child
                        waiting += 1
                    child = chart.before[child]
    return words_array, array
