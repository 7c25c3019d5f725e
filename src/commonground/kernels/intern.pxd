# A hash table that numbers byte strings in the order of their first appearance.
#
# The strings are not copied: an entry points into the buffer that is being read, which must outlive
# the table. Open addressing with linear probing, at most half full. A text of up to sixteen bytes, as
# most are, is told by its length and two numbers, its first and its last eight bytes, so that it is
# looked up without a look at another text. Single bytes have a table of their own.

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

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

    /* The place of the lowest bit; there must be one. */
    #if defined(_MSC_VER)
    #include <intrin.h>
    static inline uint32_t lowest_bit(uint64_t bits) {
        unsigned long place;
        _BitScanForward64(&place, bits);
        return place;
    }
    #else
    static inline uint32_t lowest_bit(uint64_t bits) {
        return (uint32_t) __builtin_ctzll(bits);
    }
    #endif
    """
    const uint64_t ONES
    uint64_t load_bytes(const char *start) noexcept nogil
    uint32_t lowest_bit(uint64_t bits) noexcept nogil


cdef struct Entry:
    uint64_t first        # the first eight bytes, or all of fewer
    uint64_t last         # 0, or the last eight bytes, or of more than sixteen bytes a hash
    const char *start
    uint32_t length


cdef struct Interner:
    uint64_t *slots       # the number of the entry + 1 below, half of the hash above; 0: empty
    uint64_t mask
    Entry *entries
    uint32_t count
    uint32_t room
    int32_t single[256]   # the number of each text of one byte, -1: not yet known


cdef inline uint32_t lowest_byte(uint64_t bits) noexcept nogil:
    # The number of the byte that has the lowest bit; there must be one.
    return lowest_bit(bits) >> 3


cdef inline int interner_open(Interner *self) noexcept nogil:
    self.mask = 255
    self.count = 0
    self.room = 128
    self.slots = <uint64_t *> calloc(256, sizeof(uint64_t))
    self.entries = <Entry *> malloc(128 * sizeof(Entry))
    memset(self.single, 255, sizeof(self.single))
    return self.slots != NULL and self.entries != NULL


cdef inline void interner_close(Interner *self) noexcept nogil:
    free(self.slots)
    free(self.entries)


cdef inline uint64_t interner_hash(uint64_t first, uint64_t last, uint32_t length) noexcept nogil:
    # The high half tells texts apart, the low one chooses the slot: the shift spreads the high bits.
    cdef uint64_t h = (first ^ length ^ 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u
    if length >= 8:
        h = (h ^ (h >> 32) ^ last) * 0xD6E8FEB86659FD93u
    return h ^ (h >> 29)


cdef inline int interner_grow(Interner *self) noexcept nogil:
    cdef uint64_t mask = 4 * (self.mask + 1) - 1
    cdef uint32_t room = 4 * self.room
    cdef uint64_t *slots = <uint64_t *> calloc(mask + 1, sizeof(uint64_t))
    cdef Entry *entries = <Entry *> realloc(self.entries, room * sizeof(Entry))
    cdef uint64_t h, place
    cdef uint32_t i
    if entries != NULL:
        self.entries = entries
    if slots == NULL or entries == NULL:
        free(slots)
        return 0
    for i in range(self.count):
        h = interner_hash(entries[i].first, entries[i].last, entries[i].length)
        place = h & mask
        while slots[place]:
            place = (place + 1) & mask
        slots[place] = (h >> 32 << 32) | (i + 1)
    free(self.slots)
    self.slots = slots
    self.mask = mask
    self.room = room
    return 1


cdef inline int32_t interner_number(
    Interner *self, const char *start, uint32_t length, uint64_t first, uint64_t last
) noexcept nogil:
    # The number of a text, or -1 where memory ends.
    cdef uint64_t h = interner_hash(first, last, length)
    cdef uint64_t place = h & self.mask
    cdef uint64_t slot = self.slots[place]
    cdef Entry *entry
    while slot:
        if (slot ^ h) >> 32 == 0:
            entry = &self.entries[<uint32_t> slot - 1]
            if (entry.first == first and entry.last == last and entry.length == length
                    and (length <= 16 or memcmp(entry.start, start, length) == 0)):
                return <int32_t> (<uint32_t> slot - 1)
        place = (place + 1) & self.mask
        slot = self.slots[place]
    return interner_new(self, start, length, first, last)


cdef inline int32_t interner_new(
    Interner *self, const char *start, uint32_t length, uint64_t first, uint64_t last
) noexcept nogil:
    # The number of a text that has none yet, or -1 where memory ends.
    cdef uint64_t h = interner_hash(first, last, length)
    cdef uint64_t place
    cdef Entry *entry
    if self.count == self.room and not interner_grow(self):
        return -1
    place = h & self.mask
    while self.slots[place]:
        place = (place + 1) & self.mask
    entry = &self.entries[self.count]
    entry.first, entry.last, entry.start, entry.length = first, last, start, length
    self.count += 1
    self.slots[place] = (h >> 32 << 32) | self.count
    return <int32_t> (self.count - 1)


cdef inline int32_t interner_add(Interner *self, const char *start, uint32_t length) noexcept nogil:
    # The number of any text, or -1 where memory ends.
    cdef uint64_t first = 0, last = 0
    cdef uint32_t i
    if length < 8:
        for i in range(length):
            first |= <uint64_t> (<unsigned char> start[i]) << (8 * i)
    else:
        first = load_bytes(start)
        last = load_bytes(start + length - 8)
        i = 8
        while i + 8 < length:
            last = (last ^ load_bytes(start + i)) * 0xD6E8FEB86659FD93u
            last ^= last >> 32
            i += 8
    return interner_number(self, start, length, first, last)


cdef inline int32_t short_number(
    Interner *self, const char *start, uint64_t bytes, uint32_t length
) noexcept nogil:
    # What interner_add returns, for a text with fewer than eight bytes, the lowest of `bytes`.
    cdef int32_t known
    cdef uint64_t first, h, slot
    cdef Entry *entry
    if length == 1:
        known = self.single[bytes & 255]
        if known >= 0:
            return known
        known = interner_number(self, start, 1, bytes & 255, 0)
        self.single[bytes & 255] = known
        return known
    first = bytes & ((<uint64_t> 1 << (8 * length)) - 1)
    h = interner_hash(first, 0, length)
    slot = self.slots[h & self.mask]
    if slot and (slot ^ h) >> 32 == 0:  # most stand where they are looked for first
        entry = &self.entries[<uint32_t> slot - 1]
        if entry.first == first and entry.length == length:
            return <int32_t> (<uint32_t> slot - 1)
    return interner_number(self, start, length, first, 0)


cdef inline str interner_joined(Interner *self, const char *separator):
    # The texts with a separator of one or two bytes between them, which none of them has in it.
    # UnicodeDecodeError where one is not UTF-8.
    cdef uint32_t i
    cdef uint32_t between = 2 if separator[1] else 1
    cdef size_t size = 0
    cdef char *joined
    cdef char *at
    for i in range(self.count):
        size += self.entries[i].length + between
    joined = at = <char *> malloc(size + 1)
    if joined == NULL:
        raise MemoryError
    try:
        for i in range(self.count):
            if i:
                memcpy(at, separator, between)
                at += between
            memcpy(at, self.entries[i].start, self.entries[i].length)
            at += self.entries[i].length
        return joined[:at - joined].decode("utf-8")
    finally:
        free(joined)
