# cython: language_level=3, embedsignature=True
"""The compiled twin of patterns.py."""

import cython
import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcpy, memset

from commonground.kernels.patterns import checked

cdef enum:
    CANDIDATES, IN_SENTENCE, BELOW, ABOVE, PASSES, PATH, ORDER, SAME, WITHOUT, MATCH
    UNKNOWN = 2

cdef struct Column:
    const int32_t *code
    uint8_t *flag
    Py_ssize_t size       # how many codes, or arcs
    Py_ssize_t texts      # how many distinct codes there are
    Py_ssize_t tests
    int32_t *begin        # where the rows of each code begin among all rows by code
    int32_t *rows

cdef struct Arcs:
    const int64_t *head
    const int64_t *dependent  # NULL: the row of each arc is that of its dependent
    Py_ssize_t size
    int column
    int32_t *first_below      # the first arc below each row, and the next one of the same head
    int32_t *next_below
    int32_t *first_above
    int32_t *next_above

cdef struct Pair:
    const int32_t *one
    const int32_t *other

cdef struct Step:
    int32_t what
    int32_t a
    int32_t b
    int32_t c
    int32_t d
    int32_t e
    int32_t f


cdef int compared(const void *one, const void *other) noexcept nogil:
    # Records begin with the number of what follows.
    cdef const int64_t *a = <const int64_t *> one
    cdef const int64_t *b = <const int64_t *> other
    cdef int64_t i
    for i in range(1, a[0] + 1):
        if a[i] != b[i]:
            return -1 if a[i] < b[i] else 1
    return 0


def found(steps, nodes, arcs, columns, pairs, ask):
    """Return the matches of each pattern, each once, in order: the sentence and the nodes kept."""
    nodes, arcs, columns, pairs = checked(steps, nodes, arcs, columns, pairs)
    search = _Search(steps, nodes, arcs, columns, pairs, ask)
    result = []
    cdef int pattern
    cdef Py_ssize_t at = 0
    begins = steps.begins
    ends = [begin - 1 for begin in begins[1:]]
    for pattern in range(steps.patterns):
        search.width = steps.widths[pattern]
        search.count = 0
        while at < len(ends) and steps.numbers[ends[at], 1] == pattern:
            search.run(begins[at], ends[at], 0, False)
            at += 1
        result.append(search.taken())
    return result


@cython.final
cdef class _Search:
    """The graph that is searched, and the matches of a pattern."""

    cdef object keep, ask
    cdef const Step *steps
    cdef const int32_t *kept
    cdef const int64_t *sentence
    cdef const int64_t *first
    cdef const int64_t *last
    cdef Py_ssize_t rows
    cdef Column *columns
    cdef int column_count
    cdef Arcs *arcs
    cdef int arcs_count
    cdef Pair *pairs
    cdef object by_sentence
    cdef const int64_t *inside   # the rows by sentence, and the place of each row among them
    cdef const int64_t *place
    cdef int64_t *row        # of each node that is bound
    cdef int64_t *records
    cdef Py_ssize_t room
    cdef Py_ssize_t count
    cdef Py_ssize_t width

    def __cinit__(self, steps, nodes, arcs, columns, pairs, ask):
        cdef const int64_t[::1] numbers
        cdef const int32_t[::1] codes
        cdef const int32_t[:, ::1] table = steps.numbers
        cdef const uint8_t[:, ::1] flags
        cdef Py_ssize_t i
        self.keep = (steps, nodes, arcs, columns, pairs)
        self.ask = ask
        self.rows = len(nodes[0])
        self.columns = <Column *> calloc(len(columns) + 1, sizeof(Column))
        self.arcs = <Arcs *> calloc(len(arcs) + 1, sizeof(Arcs))
        self.pairs = <Pair *> calloc(len(pairs) + 1, sizeof(Pair))
        self.row = <int64_t *> calloc(len(steps.numbers) + 1, sizeof(int64_t))
        if self.columns == NULL or self.arcs == NULL or self.pairs == NULL or self.row == NULL:
            raise MemoryError
        self.column_count, self.arcs_count = len(columns), len(arcs)
        if table.shape[0]:
            self.steps = <const Step *> &table[0, 0]
        if len(steps.kept):
            codes = steps.kept
            self.kept = &codes[0]
        if self.rows:
            numbers = nodes[0]
            self.sentence = &numbers[0]
            numbers = nodes[1]
            self.first = &numbers[0]
            numbers = nodes[2]
            self.last = &numbers[0]
        for i, (each, table_of) in enumerate(columns):
            flags = table_of
            self.columns[i].size = len(each)
            self.columns[i].texts = flags.shape[0]
            self.columns[i].tests = flags.shape[1]
            if len(each):
                codes = each
                self.columns[i].code = &codes[0]
            if flags.shape[0] and flags.shape[1]:
                self.columns[i].flag = <uint8_t *> &flags[0, 0]
        for i, (head, dependent) in enumerate(arcs):
            self.arcs[i].size = len(head)
            self.arcs[i].column = steps.labels[i]
            if len(head):
                numbers = head
                self.arcs[i].head = &numbers[0]
                if dependent is not None:
                    numbers = dependent
                    self.arcs[i].dependent = &numbers[0]
        for i, (one, other) in enumerate(pairs):
            if self.rows:
                codes = one
                self.pairs[i].one = &codes[0]
                codes = other
                self.pairs[i].other = &codes[0]

    def __dealloc__(self):
        cdef int i
        for i in range(self.column_count):
            free(self.columns[i].begin)
            free(self.columns[i].rows)
        for i in range(self.arcs_count):
            free(self.arcs[i].first_below)
            free(self.arcs[i].next_below)
            free(self.arcs[i].first_above)
            free(self.arcs[i].next_above)
        free(self.columns)
        free(self.arcs)
        free(self.pairs)
        free(self.row)
        free(self.records)

    cdef taken(self):
        """Return the matches in order, each once."""
        cdef Py_ssize_t size = self.width + 1, unique = 0, i
        cdef int64_t[:, ::1] result
        if self.count:
            qsort(self.records, self.count, size * sizeof(int64_t), compared)
            for i in range(1, self.count):
                if compared(self.records + i * size, self.records + unique * size):
                    unique += 1
                    memcpy(self.records + unique * size, self.records + i * size, size * sizeof(int64_t))
            unique += 1
        array = np.empty((unique, self.width), np.int64)
        result = array
        for i in range(unique):
            memcpy(&result[i, 0], self.records + i * size + 1, self.width * sizeof(int64_t))
        return array

    cdef int add(self, const Step *match) except -1:
        """Add what is bound to the matches."""
        cdef Py_ssize_t size = self.width + 1
        cdef int64_t *record
        cdef int i
        if (self.count + 1) * size > self.room:
            self.room = 2 * self.room + 64 * size
            record = <int64_t *> realloc(self.records, self.room * sizeof(int64_t))
            if record == NULL:
                raise MemoryError
            self.records = record
        record = self.records + self.count * size
        record[0] = self.width
        record[1] = self.sentence[self.row[0]]
        for i in range(match.b, match.c):
            record[2 + i - match.b] = self.row[self.kept[i]]
        self.count += 1
        return 0

    cdef int run(self, Py_ssize_t at, Py_ssize_t end, int bound, bint any_match) except -1:
        """Go the steps; tell whether there is a match, and add all of them, unless one is enough."""
        cdef const Step *step
        cdef int64_t here
        cdef int32_t place
        while at < end:
            step = &self.steps[at]
            if step.what == PASSES:
                if not self.passes(step.b, step.c, self.row[step.a]):
                    return 0
            elif step.what == PATH:
                if not self.leads(step, self.row[step.f], 1):
                    return 0
            elif step.what == ORDER:
                here = self.first[self.row[step.b]] - self.last[self.row[step.a]]
                if here < step.d or (step.e and here > step.e):
                    return 0
                if self.sentence[self.row[step.a]] != self.sentence[self.row[step.b]]:
                    return 0
            elif step.what == SAME:
                place = self.pairs[step.c].one[self.row[step.a]]
                if (place >= 0 and place == self.pairs[step.c].other[self.row[step.b]]) == (step.d != 0):
                    return 0
            elif step.what == WITHOUT:
                if self.run(at + 1, at + 1 + step.a, bound, True):
                    return 0
                at += step.a
            else:
                return self.bind(step, at + 1, end, bound, any_match)
            at += 1
        if not any_match:
            self.add(&self.steps[end])
        return 1

    cdef int bind(
        self, const Step *step, Py_ssize_t at, Py_ssize_t end, int bound, bint any_match
    ) except -1:
        """Bind one more node to each row that it can be, and go on from there."""
        cdef Column *column
        cdef int32_t i, code
        cdef int64_t here, at_row
        cdef int hit = 0
        if step.what == BELOW:
            return self.below(step, self.row[step.a], 1, at, end, bound, any_match)
        if step.what == ABOVE:
            return self.above(step, self.row[step.a], 1, at, end, bound, any_match)
        if step.what == IN_SENTENCE:
            if self.inside == NULL:
                self.gather_sentences()
            here = self.sentence[self.row[step.a]]
            at_row = self.place[self.row[step.a]]
            while at_row > 0 and self.sentence[self.inside[at_row - 1]] == here:
                at_row -= 1
            while at_row < self.rows and self.sentence[self.inside[at_row]] == here:
                if not self.fails(self.inside[at_row], at, end, bound):
                    hit |= self.go(self.inside[at_row], at, end, bound, any_match)
                if hit and any_match:
                    break
                at_row += 1
            return hit
        if step.a < 0:
            for i in range(<int32_t> self.rows):
                hit |= self.go(i, at, end, bound, any_match)
            return hit
        column = &self.columns[step.a]
        self.gather_codes(column)
        for code in range(<int32_t> column.texts):
            if column.begin[code] == column.begin[code + 1] or not self.allows(step.a, step.b, code):
                continue
            for i in range(column.begin[code], column.begin[code + 1]):
                if not self.fails(column.rows[i], at, end, bound):
                    hit |= self.go(column.rows[i], at, end, bound, any_match)
        return hit

    cdef inline bint fails(
        self, int64_t row, Py_ssize_t at, Py_ssize_t end, int bound
    ) except -1:
        """Tell whether a row does not even pass the first test of the next node; most do not."""
        cdef const Step *step = &self.steps[at]
        if at == end or step.what != PASSES or step.a != bound:
            return False
        return not self.passes(step.b, step.c, row)

    cdef int go(
        self, int64_t row, Py_ssize_t at, Py_ssize_t end, int bound, bint any_match
    ) except -1:
        """Bind the next node to a row that passes, unless another node is bound to it, and go on."""
        cdef int i
        while at < end and self.steps[at].what == PASSES and self.steps[at].a == bound:
            if not self.passes(self.steps[at].b, self.steps[at].c, row):
                return 0
            at += 1
        for i in range(bound):
            if self.row[i] == row:
                return 0
        self.row[bound] = row
        return self.run(at, end, bound + 1, any_match)

    cdef int below(
        self, const Step *step, int64_t row, int depth,
        Py_ssize_t at, Py_ssize_t end, int bound, bint any_match
    ) except -1:
        """Bind the next node to where paths lead down to."""
        cdef Arcs *arcs = &self.arcs[step.b]
        cdef int32_t arc
        cdef int64_t other
        cdef int hit = 0
        if arcs.first_below == NULL:
            self.link(arcs.head, arcs.size, &arcs.first_below, &arcs.next_below)
        arc = arcs.first_below[row]
        while arc >= 0:
            if step.c < 0 or self.passes(arcs.column, step.c, arc):
                other = arc if arcs.dependent == NULL else arcs.dependent[arc]
                if depth >= step.d and not self.fails(other, at, end, bound):
                    hit |= self.go(other, at, end, bound, any_match)
                if depth < step.e and not (hit and any_match):
                    hit |= self.below(step, other, depth + 1, at, end, bound, any_match)
                if hit and any_match:
                    break
            arc = arcs.next_below[arc]
        return hit

    cdef int above(
        self, const Step *step, int64_t row, int depth,
        Py_ssize_t at, Py_ssize_t end, int bound, bint any_match
    ) except -1:
        """Bind the next node to where paths lead up to."""
        cdef Arcs *arcs = &self.arcs[step.b]
        cdef int32_t arc = self.arc_above(arcs, row)
        cdef int hit = 0
        while arc >= 0:
            if step.c < 0 or self.passes(arcs.column, step.c, arc):
                if depth >= step.d and not self.fails(arcs.head[arc], at, end, bound):
                    hit |= self.go(arcs.head[arc], at, end, bound, any_match)
                if depth < step.e and not (hit and any_match):
                    hit |= self.above(step, arcs.head[arc], depth + 1, at, end, bound, any_match)
                if hit and any_match:
                    break
            arc = -1 if arcs.dependent == NULL else arcs.next_above[arc]
        return hit

    cdef int leads(self, const Step *step, int64_t row, int depth) except -1:
        """Tell whether a path leads up from a row to the node of a step."""
        cdef Arcs *arcs = &self.arcs[step.b]
        cdef int32_t arc = self.arc_above(arcs, row)
        while arc >= 0:
            if step.c < 0 or self.passes(arcs.column, step.c, arc):
                if depth >= step.d and arcs.head[arc] == self.row[step.a]:
                    return 1
                if depth < step.e and self.leads(step, arcs.head[arc], depth + 1):
                    return 1
            arc = -1 if arcs.dependent == NULL else arcs.next_above[arc]
        return 0

    cdef inline int32_t arc_above(self, Arcs *arcs, int64_t row) except -2:
        """Return the first arc above a row, or -1."""
        if arcs.dependent == NULL and arcs.size:
            return <int32_t> row if arcs.head[row] >= 0 else -1
        if arcs.first_above == NULL:
            self.link(arcs.dependent, arcs.size, &arcs.first_above, &arcs.next_above)
        return arcs.first_above[row]

    cdef int link(
        self, const int64_t *ends, Py_ssize_t size, int32_t **first, int32_t **following
    ) except -1:
        """Find the first arc of each row and, for each arc, the next one of the same row."""
        cdef Py_ssize_t i
        first[0] = <int32_t *> malloc((self.rows + 1) * sizeof(int32_t))
        following[0] = <int32_t *> malloc((size + 1) * sizeof(int32_t))
        if first[0] == NULL or following[0] == NULL:
            raise MemoryError
        memset(first[0], 255, (self.rows + 1) * sizeof(int32_t))
        for i in range(size - 1, -1, -1):
            if ends[i] >= 0:
                following[0][i] = first[0][ends[i]]
                first[0][ends[i]] = <int32_t> i
        return 0

    cdef int gather_sentences(self) except -1:
        """Put the rows in the order of their sentences."""
        order = np.argsort(self.keep[1][0], kind="stable")
        places = np.empty(self.rows, np.int64)
        places[order] = np.arange(self.rows)
        self.by_sentence = (order, places)
        cdef const int64_t[::1] rows = order
        self.inside = &rows[0]
        rows = places
        self.place = &rows[0]
        return 0

    cdef int gather_codes(self, Column *column) except -1:
        """Put the rows in the order of their codes."""
        cdef Py_ssize_t i
        cdef int32_t *begin
        cdef int32_t *rows
        cdef const int32_t *code
        if column.rows != NULL:
            return 0
        column.begin = <int32_t *> calloc(column.texts + 2, sizeof(int32_t))
        column.rows = <int32_t *> malloc((column.size + 1) * sizeof(int32_t))
        if column.begin == NULL or column.rows == NULL:
            raise MemoryError
        begin, rows, code = column.begin, column.rows, column.code
        for i in range(column.size):
            begin[code[i] + 2] += 1
        for i in range(2, column.texts + 2):
            begin[i] += begin[i - 1]
        begin += 1
        for i in range(column.size):
            rows[begin[code[i]]] = <int32_t> i
            begin[code[i]] += 1
        return 0

    cdef inline int passes(self, int column, int test, int64_t place) except -1:
        """Tell whether a row, or an arc, passes a test."""
        return self.allows(column, test, self.columns[column].code[place])

    cdef inline int allows(self, int column, int test, int32_t code) except -1:
        """Tell whether a code passes a test."""
        cdef const Column *asked = &self.columns[column]
        cdef uint8_t flag = asked.flag[code * asked.tests + test]
        return flag if flag < UNKNOWN else self.learned(column, test, code)

    cdef int learned(self, int column, int test, int32_t code) except -1:
        """Ask whether a code passes a test, and keep the answer."""
        cdef int answer = 1 if self.ask(column, test, code) else 0
        self.columns[column].flag[code * self.columns[column].tests + test] = answer
        return answer
