# How many newlines there are in some bytes.

from libc.stdint cimport int64_t

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
