# cython: language_level=3, embedsignature=True
"""The compiled twin of tabulate.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memchr

from commonground.kernels.checks import NO_TABLE
from commonground.kernels.intern cimport (
    ONES, Interner, interner_add, interner_close, interner_open, interner_texts, load_bytes,
    lowest_byte, short_number,
)

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>

    /* How many newlines there are. Bytes are added up in blocks in which a byte can hold the sum, so
       that compilers do it for many at once: a fifth of the time of a call of memchr for each. */
    static int64_t count_newlines(const char *start, size_t size) {
        int64_t total = 0;
        size_t at = 0;
        for (; at + 4096 <= size; at += 4096) {
            uint8_t sums[64] = {0};
            for (int row = 0; row < 64; row++)
                for (int i = 0; i < 64; i++)
                    sums[i] += start[at + 64 * row + i] == 10;
            for (int i = 0; i < 64; i++)
                total += sums[i];
        }
        for (; at < size; at++)
            total += start[at] == 10;
        return total;
    }
    """
    int64_t count_newlines(const char *start, size_t size) noexcept nogil


DEF MOST_COLUMNS = 64
DEF TAB = 9


def tabulate(const unsigned char[::1] data not None, int width, bint tail, bint comments):
    """Cut lines of tab-separated columns into sentences and number the texts of each column."""
    if not 1 <= width <= MOST_COLUMNS:
        raise ValueError(f"a table of {width} columns")
    cdef Py_ssize_t size = data.shape[0]
    cdef const char *start = <const char *> &data[0] if size else NULL
    cdef const char *end = start + size
    cdef const char *at = start
    cdef const char *stop
    cdef int64_t newlines = 1 + count_newlines(start, size)

    codes_array = np.empty((width, newlines), np.int32)
    offsets_array = np.zeros(newlines + 1, np.int64)
    spans_array = np.zeros((newlines, 2), np.int64)
    lines_array = np.zeros(newlines, np.int64)
    cdef int32_t[:, ::1] codes = codes_array
    cdef int64_t[::1] offsets = offsets_array
    cdef int64_t[:, ::1] spans = spans_array
    cdef int64_t[::1] lines = lines_array
    cdef Interner columns[MOST_COLUMNS]
    cdef int column, opened = 0
    cdef int64_t row = 0, sentence = 0, line = 0, i
    cdef bint open_sentence = False, has_words = False
    cdef int outcome = 0
    cdef int32_t code

    try:
        for column in range(width):
            opened += 1
            if not interner_open(&columns[column]):
                raise MemoryError
        with nogil:
            at = start
            while at < end:
                stop = <const char *> memchr(at, 10, end - at)
                if stop == NULL:
                    stop = end
                line += 1
                if stop == at:
                    if open_sentence:
                        if not has_words:
                            outcome = 1
                            break
                        sentence += 1
                        offsets[sentence] = row
                        open_sentence = has_words = False
                    at = stop + 1
                    continue
                if not open_sentence:
                    open_sentence = True
                    lines[sentence] = line
                    spans[sentence, 0] = spans[sentence, 1] = at - start
                if comments and at[0] == 35:
                    if has_words:
                        outcome = 1
                        break
                    spans[sentence, 1] = stop - start
                    at = stop + 1
                    continue
                has_words = True
                outcome = read_line(&columns[0], width, tail, at, stop, end, &codes[0, row],
                                    newlines)
                if outcome:
                    break
                row += 1
                at = stop + 1
            if open_sentence and not outcome:
                if has_words:
                    sentence += 1
                    offsets[sentence] = row
                else:
                    outcome = 1
        if outcome == 2:
            raise MemoryError
        if outcome:
            raise ValueError(NO_TABLE)
        blocks = [
            start[spans[i, 0]:spans[i, 1]].decode("utf-8")
            for i in range(sentence)
        ]
        texts = [interner_texts(&columns[column]) for column in range(width)]
    finally:
        for column in range(opened):
            interner_close(&columns[column])
    return (
        [codes_array[column, :row] for column in range(width)],
        texts,
        offsets_array[:sentence + 1].copy(),
        blocks,
        lines_array[:sentence].copy(),
    )


cdef int read_line(Interner *columns, int width, bint tail, const char *at, const char *stop,
                   const char *end, int32_t *codes, int64_t stride) noexcept nogil:
    # 0: well; 1: not the right number of columns, or an empty one; 2: no memory.
    cdef const char *tab
    cdef int column
    cdef int32_t code
    cdef uint32_t length
    for column in range(width):
        if column == width - 1:
            tab = stop
            if not tail and memchr(at, TAB, stop - at) != NULL:
                return 1
        else:
            tab = first_tab(at, stop, end)
            if tab == stop and not (tail and column == width - 2):
                return 1
        if tab == at and not (tail and column == width - 1):
            return 1
        length = <uint32_t> (tab - at)
        if length < 8 and end - at >= 8:
            code = short_number(&columns[column], at, load_bytes(at), length)
        else:
            code = interner_add(&columns[column], at, length)
        if code < 0:
            return 2
        codes[column * stride] = code
        # Without a tail, the last column reads as the empty string.
        at = tab + 1 if tab < stop else stop
    return 0


cdef inline const char *first_tab(const char *at, const char *stop, const char *end) noexcept nogil:
    # The first tab before `stop`, or `stop`; most columns are so short that one look finds it.
    cdef uint64_t found
    if end - at >= 8:
        found = tabs(load_bytes(at))
        at += lowest_byte(found) if found else 8
    while at < stop and at[0] != TAB:
        at += 1
    return at if at < stop else stop


cdef inline uint64_t tabs(uint64_t bytes) noexcept nogil:
    # The lowest bit is in the first byte that is a tab (those above it may be wrong).
    cdef uint64_t others = bytes ^ (ONES * TAB)
    return (others - ONES) & ~others & (ONES * 128)
