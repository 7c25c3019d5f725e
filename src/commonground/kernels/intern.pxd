# A hash table that numbers byte strings in the order of their first appearance.
#
# The strings are not copied: an entry points into the buffer that is being read, which must outlive
# the table. Open addressing with linear probing, at most half full. Texts of fewer than eight bytes,
# as most are, can be looked up by one number that holds all of them.

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>

    #define ONES UINT64_C(0x0101010101010101)

    /* Eight bytes as a number, the first byte lowest. */
    static inline uint64_t load_bytes(const char *start) {
        uint64_t bytes;
        memcpy(&bytes, start, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        bytes = __builtin_bswap64(bytes);
    #endif
        return bytes;
    }

    /* The number of the byte that has the lowest bit; there must be one. */
    #if defined(_MSC_VER)
    #include <intrin.h>
    static inline uint32_t lowest_byte(uint64_t bits) {
        unsigned long place;
        _BitScanForward64(&place, bits);
        return place >> 3;
    }
    #else
    static inline uint32_t lowest_byte(uint64_t bits) {
        return (uint32_t) __builtin_ctzll(bits) >> 3;
    }
    #endif
    """
    const uint64_t ONES
    uint64_t load_bytes(const char *start) noexcept nogil
    uint32_t lowest_byte(uint64_t bits) noexcept nogil


cdef struct Interner:
    uint32_t *slots       # number of the entry + 1, or 0
    uint64_t mask
    uint64_t *hashes      # per entry
    const char **starts   # per entry
    uint32_t *lengths     # per entry
    uint32_t count
    uint32_t room


cdef inline int interner_open(Interner *self) noexcept nogil:
    self.mask = 255
    self.count = 0
    self.room = 128
    self.slots = <uint32_t *> calloc(256, sizeof(uint32_t))
    self.hashes = <uint64_t *> malloc(128 * sizeof(uint64_t))
    self.starts = <const char **> malloc(128 * sizeof(char *))
    self.lengths = <uint32_t *> malloc(128 * sizeof(uint32_t))
    return self.slots != NULL and self.hashes != NULL and self.starts != NULL and self.lengths != NULL


cdef inline void interner_close(Interner *self) noexcept nogil:
    free(self.slots)
    free(self.hashes)
    free(self.starts)
    free(self.lengths)


cdef inline int interner_grow(Interner *self) noexcept nogil:
    cdef uint64_t mask = 4 * (self.mask + 1) - 1
    cdef uint32_t room = 4 * self.room
    cdef uint32_t *slots = <uint32_t *> calloc(mask + 1, sizeof(uint32_t))
    cdef uint64_t *hashes = <uint64_t *> realloc(self.hashes, room * sizeof(uint64_t))
    cdef uint64_t place
    cdef uint32_t i
    if hashes != NULL:
        self.hashes = hashes
    cdef const char **starts = <const char **> realloc(self.starts, room * sizeof(char *))
    if starts != NULL:
        self.starts = starts
    cdef uint32_t *lengths = <uint32_t *> realloc(self.lengths, room * sizeof(uint32_t))
    if lengths != NULL:
        self.lengths = lengths
    if slots == NULL or hashes == NULL or starts == NULL or lengths == NULL:
        free(slots)
        return 0
    for i in range(self.count):
        place = self.hashes[i] & mask
        while slots[place]:
            place = (place + 1) & mask
        slots[place] = i + 1
    free(self.slots)
    self.slots = slots
    self.mask = mask
    self.room = room
    return 1


cdef inline uint64_t interner_hash(const char *start, uint32_t length) noexcept nogil:
    # Eight bytes at a time, then what is left; the last shift spreads the high bits to the low ones
    # that choose the slot.
    cdef uint64_t word, h = 0x9E3779B97F4A7C15u ^ length
    while length >= 8:
        memcpy(&word, start, 8)
        h = (h ^ word) * 0xD6E8FEB86659FD93u
        h ^= h >> 32
        start += 8
        length -= 8
    word = 0
    while length:
        length -= 1
        word = (word << 8) | <unsigned char> start[length]
    h = (h ^ word) * 0xD6E8FEB86659FD93u
    return h ^ (h >> 29)


cdef inline int32_t interner_add(Interner *self, const char *start, uint32_t length) noexcept nogil:
    # The number of this string, or -1 where memory ends.
    cdef uint64_t h = interner_hash(start, length)
    cdef uint64_t place = h & self.mask
    cdef uint32_t entry
    while True:
        entry = self.slots[place]
        if entry == 0:
            break
        entry -= 1
        if (self.hashes[entry] == h and self.lengths[entry] == length
                and memcmp(self.starts[entry], start, length) == 0):
            return entry
        place = (place + 1) & self.mask
    if self.count == self.room:
        if not interner_grow(self):
            return -1
        place = h & self.mask
        while self.slots[place]:
            place = (place + 1) & self.mask
    entry = self.count
    self.hashes[entry] = h
    self.starts[entry] = start
    self.lengths[entry] = length
    self.count += 1
    self.slots[place] = self.count
    return entry


cdef inline int32_t short_number(
    Interner *texts, const char *start, uint64_t bytes, uint32_t length
) noexcept nogil:
    # What interner_add returns, for a text with fewer than eight bytes that is likely known. Its hash
    # is a one-to-one image of the bytes, so that an equal hash and length mean an equal text.
    cdef uint64_t h, place
    cdef uint32_t entry
    h = bytes & ((<uint64_t> 1 << (8 * length)) - 1)
    h = (h ^ length ^ 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u
    h ^= h >> 29
    place = h & texts.mask
    entry = texts.slots[place]
    while entry:
        entry -= 1
        if texts.hashes[entry] == h and texts.lengths[entry] == length:
            return entry
        place = (place + 1) & texts.mask
        entry = texts.slots[place]
    return interner_add(texts, start, length)


cdef inline list interner_texts(Interner *self):
    # The strings as str; UnicodeDecodeError where one is not UTF-8.
    cdef uint32_t i
    return [self.starts[i][:self.lengths[i]].decode("utf-8") for i in range(self.count)]
