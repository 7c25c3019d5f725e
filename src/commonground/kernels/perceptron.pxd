# The weights of linear models over hashed features, for kernels that learn and that predict.
#
# A feature is 64 bits. It has a row with a cell for each class with which it was ever updated, and
# no other; rows move to larger places as they grow. All arithmetic is in integers, so that sums do
# not depend on their order and the plain twins (dicts in perceptron.py) come to the same weights.

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define CG_PREFETCH(place) __builtin_prefetch(place)
    #else
    #define CG_PREFETCH(place) ((void) 0)
    #endif
    #if defined(__linux__)
    #include <stdint.h>
    #include <sys/mman.h>
    static void cg_large_pages(void *place, size_t size) {
        uintptr_t page = 1 << 21, start = ((uintptr_t) place + page - 1) & ~(page - 1);
        uintptr_t end = ((uintptr_t) place + size) & ~(page - 1);
        if (place && end > start) (void) madvise((void *) start, end - start, MADV_HUGEPAGE);
    }
    #else
    #define cg_large_pages(place, size) ((void) 0)
    #endif
    """
    void prefetch "CG_PREFETCH"(const void *place) noexcept nogil
    # Tables are read here and there, and looking up where a small page is takes most of the time.
    void large_pages "cg_large_pages"(void *place, size_t size) noexcept nogil



cdef inline uint64_t combined(uint64_t one, uint64_t other) noexcept nogil:
    cdef uint64_t mixed = ((one * <uint64_t> 0x9E3779B97F4A7C15) ^ other) * <uint64_t> 0x9E3779B97F4A7C15
    return (mixed >> 29) | (mixed << 35)


cdef inline uint64_t drawn(uint64_t *state) noexcept nogil:
    # splitmix64
    cdef uint64_t z
    state[0] += <uint64_t> 0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


# ── learning ─────────────────────────────────────────────────────────────────────────────────────

cdef struct Slot:
    uint64_t key  # 0: nothing is here
    uint32_t start
    uint16_t length
    uint16_t room

cdef struct Cell:
    int32_t weight
    int32_t action

cdef struct Table:
    Slot *slots
    uint64_t mask
    Py_ssize_t used
    Cell *cells
    int64_t *totals
    int32_t *stamps
    uint32_t filled
    uint32_t capacity


cdef inline int table_begin(Table *table) noexcept nogil:
    table.mask = (1 << 16) - 1
    table.used = 0
    table.filled = 0
    table.capacity = 1 << 18
    table.slots = <Slot *> calloc(table.mask + 1, sizeof(Slot))
    table.cells = <Cell *> malloc(table.capacity * sizeof(Cell))
    table.totals = <int64_t *> malloc(table.capacity * sizeof(int64_t))
    table.stamps = <int32_t *> malloc(table.capacity * sizeof(int32_t))
    if not (table.slots and table.cells and table.totals and table.stamps):
        return -1
    return 0


cdef inline void table_end(Table *table) noexcept nogil:
    free(table.slots)
    free(table.cells)
    free(table.totals)
    free(table.stamps)


cdef inline Slot *table_find(Table *table, uint64_t key) noexcept nogil:
    # There is always an empty slot, so that this ends.
    cdef uint64_t place = key & table.mask
    while table.slots[place].key != key:
        if table.slots[place].key == 0:
            return NULL
        place = (place + 1) & table.mask
    return &table.slots[place]


cdef inline int table_grow(Table *table) noexcept nogil:
    cdef uint64_t old, place, mask = 2 * table.mask + 1
    cdef Slot *slots = <Slot *> calloc(mask + 1, sizeof(Slot))
    if not slots:
        return -1
    large_pages(slots, (mask + 1) * sizeof(Slot))
    for old in range(table.mask + 1):
        if table.slots[old].key:
            place = table.slots[old].key & mask
            while slots[place].key:
                place = (place + 1) & mask
            slots[place] = table.slots[old]
    free(table.slots)
    table.slots = slots
    table.mask = mask
    return 0


cdef inline int table_room(Table *table, Slot *slot) noexcept nogil:
    # Give a row twice the room that it has, at the end of the cells.
    cdef uint32_t room = 2 * slot.room if slot.room else 1
    cdef uint64_t capacity
    cdef Cell *cells
    cdef int64_t *totals
    cdef int32_t *stamps
    if room > 65535:
        return -1
    if <uint64_t> table.filled + room > table.capacity:
        capacity = 2 * <uint64_t> table.capacity
        if capacity > <uint64_t> 0xFFFFFFFF:
            return -1
        cells = <Cell *> realloc(table.cells, capacity * sizeof(Cell))
        if not cells:
            return -1
        table.cells = cells
        large_pages(cells, capacity * sizeof(Cell))
        totals = <int64_t *> realloc(table.totals, capacity * sizeof(int64_t))
        if not totals:
            return -1
        table.totals = totals
        large_pages(totals, capacity * sizeof(int64_t))
        stamps = <int32_t *> realloc(table.stamps, capacity * sizeof(int32_t))
        if not stamps:
            return -1
        table.stamps = stamps
        large_pages(stamps, capacity * sizeof(int32_t))
        table.capacity = <uint32_t> capacity
    memcpy(&table.cells[table.filled], &table.cells[slot.start], slot.length * sizeof(Cell))
    memcpy(&table.totals[table.filled], &table.totals[slot.start], slot.length * sizeof(int64_t))
    memcpy(&table.stamps[table.filled], &table.stamps[slot.start], slot.length * sizeof(int32_t))
    slot.start = table.filled
    slot.room = <uint16_t> room
    table.filled += room
    return 0


cdef inline int table_add(Table *table, uint64_t key, int32_t action, int32_t delta,
                          int32_t now) noexcept nogil:
    # Add delta to a weight; its total is kept up to the moment now.
    cdef uint64_t place = key & table.mask
    cdef Slot *slot
    cdef uint32_t at, end
    while table.slots[place].key and table.slots[place].key != key:
        place = (place + 1) & table.mask
    slot = &table.slots[place]
    if not slot.key:
        if 2 * <uint64_t> (table.used + 1) > table.mask:
            if table_grow(table):
                return -1
            place = key & table.mask
            while table.slots[place].key:
                place = (place + 1) & table.mask
            slot = &table.slots[place]
        slot.key = key
        slot.start = 0
        slot.length = 0
        slot.room = 0
        table.used += 1
    at = slot.start
    end = at + slot.length
    while at < end and table.cells[at].action != action:
        at += 1
    if at == end:
        if slot.length == slot.room:
            if table_room(table, slot):
                return -1
        at = slot.start + slot.length
        slot.length += 1
        table.cells[at].weight = 0
        table.cells[at].action = action
        table.totals[at] = 0
        table.stamps[at] = now
    table.totals[at] += <int64_t> table.cells[at].weight * (now - table.stamps[at])
    table.stamps[at] = now
    table.cells[at].weight += delta
    return 0


cdef inline void table_scores(Table *table, const uint64_t *features, int count,
                              int32_t *scores) noexcept nogil:
    # Add the weights of all features to the scores of the classes.
    # Memory is the slow part, so that everything is asked for before it is needed.
    cdef int i, found = 0
    cdef Slot *slot
    cdef Slot *rows[512]
    cdef Cell *cell
    cdef Cell *end
    for i in range(count):
        prefetch(&table.slots[features[i] & table.mask])
    for i in range(count):
        slot = table_find(table, features[i])
        if slot:
            prefetch(&table.cells[slot.start])
            rows[found] = slot
            found += 1
    for i in range(found):
        cell = &table.cells[rows[i].start]
        end = cell + rows[i].length
        while cell < end:
            scores[cell.action] += cell.weight
            cell += 1


# ── predicting ───────────────────────────────────────────────────────────────────────────────────

cdef struct FrozenSlot:
    uint64_t key
    uint32_t start
    uint32_t length

cdef struct FrozenCell:
    int16_t weight
    uint16_t action

cdef struct Frozen:
    FrozenSlot *slots
    uint64_t mask
    FrozenCell *cells
    int16_t *dense    # rows with many classes have a weight for each, which is faster to add
    int classes

DEF DENSE = 24  # from so many classes on
DEF IS_DENSE = 1 << 20


cdef inline int frozen_begin(Frozen *table, Py_ssize_t rows, const uint64_t *keys,
                             const uint16_t *lengths, Py_ssize_t count, const uint16_t *actions,
                             const int16_t *weights, int classes) noexcept nogil:
    cdef uint64_t size = 64, place
    cdef Py_ssize_t row, cell, filled = 0, many = 0
    cdef uint32_t start = 0
    for row in range(rows):
        many += lengths[row] >= DENSE
    if <uint64_t> many * classes > <uint64_t> 0xFFFFFFFF:
        return -1
    table.classes = classes
    table.dense = <int16_t *> calloc(many * classes + 1, sizeof(int16_t))
    while 3 * size < 4 * <uint64_t> rows:  # at most three quarters full
        size *= 2
    table.mask = size - 1
    table.slots = <FrozenSlot *> calloc(size, sizeof(FrozenSlot))
    table.cells = <FrozenCell *> malloc((count + 1) * sizeof(FrozenCell))
    if not table.slots or not table.cells or not table.dense:
        return -1
    large_pages(table.slots, size * sizeof(FrozenSlot))
    large_pages(table.cells, (count + 1) * sizeof(FrozenCell))
    large_pages(table.dense, (many * classes + 1) * sizeof(int16_t))
    for row in range(rows):
        place = keys[row] & table.mask
        while table.slots[place].key:
            place = (place + 1) & table.mask
        table.slots[place].key = keys[row]
        table.slots[place].start = start
        table.slots[place].length = lengths[row]
        if lengths[row] >= DENSE:
            table.slots[place].start = <uint32_t> filled
            table.slots[place].length = IS_DENSE
            for cell in range(start, start + lengths[row]):
                table.dense[filled + actions[cell]] = weights[cell]
            filled += classes
        start += lengths[row]
    for cell in range(count):
        table.cells[cell].weight = weights[cell]
        table.cells[cell].action = actions[cell]
    return 0


cdef inline int frozen_of(Frozen *table, object weights, int classes, object checked) except -1:
    # Take over weights as table_averaged returns them, after the look at them of checked_weights.
    cdef const uint64_t[::1] keys
    cdef const uint16_t[::1] lengths, actions
    cdef const int16_t[::1] values
    keys, lengths, actions, values = weights
    checked(weights, classes)
    if frozen_begin(
        table, keys.shape[0], &keys[0] if keys.shape[0] else NULL,
        &lengths[0] if keys.shape[0] else NULL, actions.shape[0],
        &actions[0] if actions.shape[0] else NULL, &values[0] if actions.shape[0] else NULL,
        classes,
    ):
        raise MemoryError
    return 0


cdef inline void frozen_end(Frozen *table) noexcept nogil:
    free(table.slots)
    free(table.cells)
    free(table.dense)


cdef inline void frozen_scores(Frozen *table, const uint64_t *features, int count,
                               int32_t *scores) noexcept nogil:
    cdef int i, j, found = 0
    cdef uint64_t place
    cdef const int16_t *row
    cdef FrozenSlot *rows[512]
    cdef FrozenCell *cell
    cdef FrozenCell *end
    for i in range(count):
        prefetch(&table.slots[features[i] & table.mask])
    for i in range(count):
        place = features[i] & table.mask
        while table.slots[place].key != features[i] and table.slots[place].key:
            place = (place + 1) & table.mask
        if table.slots[place].key:
            if table.slots[place].length == IS_DENSE:
                prefetch(&table.dense[table.slots[place].start])
            else:
                prefetch(&table.cells[table.slots[place].start])
            rows[found] = &table.slots[place]
            found += 1
    for i in range(found):
        if rows[i].length == IS_DENSE:
            row = &table.dense[rows[i].start]
            for j in range(table.classes):
                scores[j] += row[j]
            continue
        cell = &table.cells[rows[i].start]
        end = cell + rows[i].length
        while cell < end:
            scores[cell.action] += cell.weight
            cell += 1


cdef inline int64_t table_average(Table *table, uint32_t at, int32_t now) noexcept nogil:
    # In units of 1/64, rounded, halves away from 0; as perceptron.py does it.
    cdef int64_t total = table.totals[at]
    cdef int64_t size
    total += <int64_t> table.cells[at].weight * (now - table.stamps[at])
    size = (2 * (total if total >= 0 else -total) * 64 + now) // (2 * <int64_t> (now if now else 1))
    if size > 32767:
        size = 32767
    return size if total >= 0 else -size


cdef inline object table_averaged(Table *table, int32_t now, object numpy):
    # The averages of all weights: features in order, lengths of rows, classes, weights.
    cdef Py_ssize_t rows = 0, cells = 0, row, kept = 0, cell = 0, i, j
    cdef uint64_t place
    cdef uint32_t at
    cdef Slot *slot
    cdef int64_t average
    cdef uint16_t action
    all_keys = numpy.empty(table.used, numpy.uint64)
    all_places = numpy.empty(table.used, numpy.uint64)
    cdef uint64_t[::1] found_keys = all_keys, found_places = all_places
    for place in range(table.mask + 1):
        if table.slots[place].key:
            found_keys[rows] = table.slots[place].key
            found_places[rows] = place
            cells += table.slots[place].length
            rows += 1
    order = numpy.argsort(all_keys)
    cdef uint64_t[::1] places = all_places[order]
    keys_array = numpy.empty(rows, numpy.uint64)
    lengths_array = numpy.empty(rows, numpy.uint16)
    actions_array = numpy.empty(cells, numpy.uint16)
    weights_array = numpy.empty(cells, numpy.int16)
    cdef uint64_t[::1] keys = keys_array
    cdef uint16_t[::1] lengths = lengths_array, actions = actions_array
    cdef int16_t[::1] weights = weights_array
    with nogil:
        for row in range(rows):
            slot = &table.slots[places[row]]
            i = cell
            for at in range(slot.start, slot.start + slot.length):
                average = table_average(table, at, now)
                if average == 0:
                    continue
                action = <uint16_t> table.cells[at].action
                j = i
                while j > cell and actions[j - 1] > action:
                    actions[j] = actions[j - 1]
                    weights[j] = weights[j - 1]
                    j -= 1
                actions[j] = action
                weights[j] = <int16_t> average
                i += 1
            if i > cell:
                keys[kept] = slot.key
                lengths[kept] = <uint16_t> (i - cell)
                kept += 1
                cell = i
    return (
        keys_array[:kept].copy(), lengths_array[:kept].copy(),
        actions_array[:cell].copy(), weights_array[:cell].copy(),
    )
