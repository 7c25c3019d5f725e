# cython: language_level=3, embedsignature=True
"""The compiled twin of tabulate.py.

A look at 64 bytes tells where all tabs and newlines are in them; what stands between two of them is a
field, whose number is looked up at once.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from commonground.kernels.checks import NO_TABLE, which_columns
from commonground.kernels.intern cimport (
    Interner, interner_add, interner_close, interner_joined, interner_open, load_bytes, lowest_bit,
    short_number,
)
from commonground.kernels.newlines cimport count_newlines
from commonground.kernels.texts import BETWEEN_BLOCKS, BETWEEN_FIELDS, Texts

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #include <string.h>

    /* Which of 64 bytes are tabs or newlines: a bit for each, the first byte lowest. */
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    static inline uint64_t separators_in(const char *start) {
        const __m128i tab = _mm_set1_epi8(9), newline = _mm_set1_epi8(10);
        uint64_t bits = 0;
        for (int i = 0; i < 4; i++) {
            __m128i bytes = _mm_loadu_si128((const __m128i *) (start + 16 * i));
            __m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, tab), _mm_cmpeq_epi8(bytes, newline));
            bits |= (uint64_t) (uint32_t) _mm_movemask_epi8(found) << (16 * i);
        }
        return bits;
    }
    #else
    static inline uint64_t separators_in(const char *start) {
        uint64_t bits = 0;
        for (int i = 0; i < 64; i++)
            bits |= (uint64_t) (start[i] == 9 || start[i] == 10) << i;
        return bits;
    }
    #endif

    /* Whether bytes are UTF-8 (RFC 3629); most texts are ASCII, which needs one look at eight bytes. */
    static int is_utf8(const unsigned char *at, const unsigned char *end) {
        uint64_t bytes;
        while (at < end) {
            while (end - at >= 64) {
                uint64_t any = 0;
                for (int i = 0; i < 64; i += 8) {
                    memcpy(&bytes, at + i, 8);
                    any |= bytes;
                }
                if (any & UINT64_C(0x8080808080808080))
                    break;
                at += 64;
            }
            if (end - at >= 8) {
                memcpy(&bytes, at, 8);
                if (!(bytes & UINT64_C(0x8080808080808080))) {
                    at += 8;
                    continue;
                }
            }
            unsigned char first = *at++;
            if (first < 0x80)
                continue;
            int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
            if (first < 0xC2 || first > 0xF4 || end - at < more)
                return 0;
            /* Neither longer than needed, nor half of a pair, nor behind the last character. */
            unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
            unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
            if (*at < low || *at > high)
                return 0;
            for (int i = 1; i < more; i++)
                if ((at[i] & 0xC0) != 0x80)
                    return 0;
            at += more;
        }
        return 1;
    }

    /* The same where fewer than 64 bytes are left. */
    static inline uint64_t separators_at_end(const char *start, size_t size) {
        char bytes[64] = {0};
        memcpy(bytes, start, size);
        return separators_in(bytes);
    }
    """
    uint64_t separators_in(const char *start) noexcept nogil
    uint64_t separators_at_end(const char *start, size_t size) noexcept nogil
    bint is_utf8(const unsigned char *at, const unsigned char *end) noexcept nogil


DEF MOST_COLUMNS = 64
DEF TAB = 9
DEF NEWLINE = 10
DEF NUMBER_SIGN = 35

cdef struct Scanner:
    const char *block     # 64 bytes, or fewer before the end
    const char *end
    uint64_t found        # the tabs and newlines of the block that are still to come


def tabulate(const unsigned char[::1] data not None, int width, bint tail, bint comments, wanted=None):
    """Cut lines of tab-separated columns into sentences and number the texts of each column."""
    if not 1 <= width <= MOST_COLUMNS:
        raise ValueError(f"a table of {width} columns")
    cdef Py_ssize_t size = data.shape[0]
    cdef const char *start = <const char *> &data[0] if size else NULL
    cdef const char *end = start + size
    cdef const char *at = start
    cdef int64_t newlines = 1 + count_newlines(start, size)
    cdef int column

    cdef const uint8_t[::1] chosen = which_columns(wanted, width).view(np.uint8)
    cdef bint all_columns = wanted is None
    cdef bint numbered[MOST_COLUMNS]
    cdef int rooms = 0
    for column in range(width):
        numbered[column] = all_columns or chosen[column]
        rooms += numbered[column]
    codes_array = np.empty((max(rooms, 1), newlines), np.int32)
    offsets_array = np.zeros(newlines + 1, np.int64)
    blocks_array = np.zeros(newlines, np.int32)
    lines_array = np.zeros(newlines, np.int64)
    cdef int32_t[:, ::1] codes = codes_array
    cdef int64_t[::1] offsets = offsets_array
    cdef int32_t[::1] blocks = blocks_array
    cdef int64_t[::1] lines = lines_array
    cdef Interner columns[MOST_COLUMNS + 1]
    cdef Scanner scanner
    cdef int opened = 0
    cdef int64_t row = 0, sentence = 0, line = 0
    cdef bint open_sentence = False, has_words = False
    cdef int outcome = 0
    cdef const char *comment = NULL
    cdef uint32_t comment_size = 0

    try:
        for column in range(width + 1):  # the last one has the comments
            opened += 1
            if not interner_open(&columns[column]):
                raise MemoryError
        with nogil:
            scanner.block, scanner.end = start, end
            scanner.found = separators(start, end) if size else 0
            while at < end:
                line += 1
                if at[0] == NEWLINE:
                    at = next_separator(&scanner) + 1
                    if open_sentence:
                        if not has_words:
                            outcome = 1
                            break
                        sentence += 1
                        offsets[sentence] = row
                        open_sentence = has_words = False
                    continue
                if not open_sentence:
                    open_sentence = True
                    lines[sentence] = line
                    comment, comment_size = at, 0
                if comments and at[0] == NUMBER_SIGN:
                    if has_words:
                        outcome = 1
                        break
                    at = line_end(&scanner)
                    comment_size = <uint32_t> (at - comment)
                    at += 1
                    continue
                if not has_words:
                    has_words = True
                    blocks[sentence] = interner_add(&columns[width], comment, comment_size)
                    if blocks[sentence] < 0:
                        outcome = 2
                        break
                outcome = read_line(
                    &columns[0], width, tail, &numbered[0], &at, &scanner, &codes[0, row], newlines
                )
                if outcome:
                    break
                row += 1
            if open_sentence and not outcome:
                if has_words:
                    sentence += 1
                    offsets[sentence] = row
                else:
                    outcome = 1
            if rooms < width and not outcome and size and not is_utf8(&data[0], &data[0] + size):
                outcome = 1  # what is numbered is decoded, but not the rest
        if outcome == 2:
            raise MemoryError
        if outcome:
            raise ValueError(NO_TABLE)
        texts = [
            Texts(interner_joined(&columns[column], b"\n"), columns[column].count, BETWEEN_FIELDS)
            for column in range(width)
            if numbered[column]
        ]
        told = Texts(interner_joined(&columns[width], b"\n\n"), columns[width].count, BETWEEN_BLOCKS)
    except UnicodeDecodeError as error:
        raise ValueError(NO_TABLE) from error
    finally:
        for column in range(opened):
            interner_close(&columns[column])
    return (
        [codes_array[column, :row] for column in range(rooms)],
        texts,
        offsets_array[:sentence + 1].copy(),
        (blocks_array[:sentence].copy(), told),
        lines_array[:sentence].copy(),
    )


cdef inline uint64_t separators(const char *block, const char *end) noexcept nogil:
    return separators_in(block) if end - block >= 64 else separators_at_end(block, end - block)


cdef inline const char *next_separator(Scanner *self) noexcept nogil:
    # The next tab or newline, or the end.
    cdef uint64_t found = self.found
    while found == 0:
        if self.end - self.block <= 64:
            return self.end
        self.block += 64
        found = separators(self.block, self.end)
    self.found = found & (found - 1)
    return self.block + lowest_bit(found)


cdef inline const char *line_end(Scanner *self) noexcept nogil:
    cdef const char *at = next_separator(self)
    while at < self.end and at[0] != NEWLINE:
        at = next_separator(self)
    return at


cdef inline int read_line(
    Interner *columns, int width, bint tail, bint *numbered, const char **line, Scanner *scanner,
    int32_t *codes, int64_t stride
) noexcept nogil:
    # 0: well; 1: not the right number of columns, or an empty one; 2: no memory.
    cdef const char *at = line[0]
    cdef const char *stop
    cdef Scanner own = scanner[0]  # which need not be in memory
    cdef const char *end = own.end
    cdef int column, last = width - 1
    cdef uint32_t length
    for column in range(width):
        if column == last:
            stop = line_end(&own) if tail else next_separator(&own)
            if stop < end and stop[0] == TAB:
                return 1
        else:
            stop = next_separator(&own)
            if stop == end or stop[0] == NEWLINE:
                if not (tail and column == last - 1) or stop == at:
                    return 1
                # The line has ended before the tail, which is empty.
                codes = numbered_field(columns, column, numbered, at, stop, end, codes, stride)
                at = stop
                if codes != NULL:
                    codes = numbered_field(columns, last, numbered, at, stop, end, codes, stride)
                break
        if stop == at and not (tail and column == last):
            return 1
        codes = numbered_field(columns, column, numbered, at, stop, end, codes, stride)
        if codes == NULL:
            break
        at = stop + 1
    line[0] = stop + 1
    scanner[0] = own
    return 0 if codes != NULL else 2


cdef inline int32_t *numbered_field(
    Interner *columns, int column, bint *numbered, const char *at, const char *stop, const char *end,
    int32_t *codes, int64_t stride
) noexcept nogil:
    # Number a field, if its column is wanted, and return where the next number belongs; NULL: no memory.
    cdef uint32_t length = <uint32_t> (stop - at)
    if not numbered[column]:
        return codes
    if length < 8 and end - at >= 8:
        codes[0] = short_number(&columns[column], at, load_bytes(at), length)
    else:
        codes[0] = interner_add(&columns[column], at, length)
    return codes + stride if codes[0] >= 0 else NULL
