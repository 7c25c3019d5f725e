# What there is to choose from when the nodes of two graphs are paired, and room for the search; see
# matching_choices.py.

from libc.stdint cimport int8_t, int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memset

cdef enum:
    SCALE = 1 << 12
    LARGEST = 1 << 22

cdef extern from *:
    """
    #define MATCHING_NONE (-((int64_t) 1 << 58))
    #define MATCHING_LEAST (-((int64_t) 1 << 44))
    """
    const int64_t NONE "MATCHING_NONE"
    const int64_t LEAST "MATCHING_LEAST"


cdef struct Graph:
    int32_t nodes
    int32_t edges
    const int64_t *feature_at  # of the first node; the numbers are those of all graphs
    const int32_t *feature
    const int32_t *source
    const int32_t *target
    const int32_t *label


cdef struct Entry:
    int32_t one, two  # the variables, then their values
    int32_t k, other
    int64_t worth


cdef struct Term:
    int32_t rows[2]
    int32_t entries      # how many, and where they begin
    int32_t first
    int32_t at[2]        # where its messages, and `same`, begin


cdef struct At:
    int32_t term, side


cdef struct Open:
    int64_t bound
    int32_t value


cdef struct Level:
    int32_t row, count
    int8_t *alive
    int64_t *messages
    Open *open


cdef struct Search:
    # See the plain twin for what the names mean; the values of row r are those from slot[r] on.
    int32_t rows, columns, terms, slots, parts
    int64_t limit, steps, work, worth, bound, total, value
    int32_t *slot
    int32_t *node        # the node of a value, -1 for none
    int64_t *own
    int8_t *alive
    int64_t *sums        # own and all messages
    int32_t *number      # of a node among the values of a row, -1 where it is none of them
    Entry *entry
    Term *term
    int64_t *messages
    int32_t *same
    int32_t *at_begin
    At *at
    int64_t *price
    int64_t *level
    int32_t *chosen
    int32_t *last
    int32_t *best
    int32_t *trial
    int32_t *owner
    # for the assignment
    int64_t *distance
    int32_t *reached_row
    int32_t *reached_value
    int8_t *done
    int32_t *tree
    int64_t *tree_length
    # for messages: as long as the most values of a row
    int64_t *given
    int64_t *passing
    Level *stack
    int32_t depth


cdef struct Coded:
    int32_t code, place


cdef inline int by_entry(const void *one, const void *two) noexcept nogil:
    cdef const Entry *a = <const Entry *> one
    cdef const Entry *b = <const Entry *> two
    if a.one != b.one:
        return -1 if a.one < b.one else 1
    if a.two != b.two:
        return -1 if a.two < b.two else 1
    if a.k != b.k:
        return -1 if a.k < b.k else 1
    if a.other != b.other:
        return -1 if a.other < b.other else 1
    return 0


cdef inline int by_code(const void *one, const void *two) noexcept nogil:
    cdef const Coded *a = <const Coded *> one
    cdef const Coded *b = <const Coded *> two
    if a.code != b.code:
        return -1 if a.code < b.code else 1
    return (a.place > b.place) - (a.place < b.place)


cdef inline int64_t shared(Coded *one, Py_ssize_t n, Coded *two, Py_ssize_t m,
                    const int32_t *weight) noexcept nogil:
    """Return the weight of the codes that both lists have; both are sorted here."""
    cdef Py_ssize_t i = 0, j = 0
    cdef int64_t most = 0
    qsort(one, n, sizeof(Coded), by_code)
    qsort(two, m, sizeof(Coded), by_code)
    while i < n and j < m:
        if one[i].code < two[j].code:
            i += 1
        elif one[i].code > two[j].code:
            j += 1
        else:
            most += weight[one[i].code]
            i += 1
            j += 1
    return most


cdef inline int walk(const Graph *a, int32_t *order) noexcept nogil:
    """List the nodes depth first from those with the most neighbours on."""
    cdef Py_ssize_t i, j, ends = 2 * <Py_ssize_t> a.edges, n = a.nodes, top, count = 0, before
    cdef int32_t node
    # pairs (node, neighbour), sorted; duplicates are left out by moving the others together
    cdef Coded *pairs = <Coded *> malloc((ends + 1) * sizeof(Coded))
    cdef Coded *starts = <Coded *> malloc((n + 1) * sizeof(Coded))
    cdef int64_t *begin = <int64_t *> calloc(n + 2, sizeof(int64_t))
    cdef int8_t *seen = <int8_t *> calloc(n + 1, 1)
    cdef int32_t *stack = <int32_t *> malloc((ends + n + 1) * sizeof(int32_t))
    cdef int failed = (pairs == NULL or starts == NULL or begin == NULL or seen == NULL
                       or stack == NULL)
    if not failed:
        for i in range(a.edges):
            pairs[2 * i].code, pairs[2 * i].place = a.source[i], a.target[i]
            pairs[2 * i + 1].code, pairs[2 * i + 1].place = a.target[i], a.source[i]
        qsort(pairs, ends, sizeof(Coded), by_code)
        j = 0
        for i in range(ends):
            if j and pairs[j - 1].code == pairs[i].code and pairs[j - 1].place == pairs[i].place:
                continue
            pairs[j] = pairs[i]
            begin[pairs[j].code + 1] += 1
            j += 1
        for i in range(n):
            starts[i].code, starts[i].place = -<int32_t> begin[i + 1], <int32_t> i
            begin[i + 1] += begin[i]
        qsort(starts, n, sizeof(Coded), by_code)
        for i in range(n):
            top = 1
            stack[0] = starts[i].place
            while top:
                top -= 1
                node = stack[top]
                if seen[node]:
                    continue
                seen[node] = 1
                order[count] = node
                count += 1
                for j in range(begin[node + 1] - 1, begin[node] - 1, -1):
                    stack[top] = pairs[j].place
                    top += 1
    free(pairs)
    free(starts)
    free(begin)
    free(seen)
    free(stack)
    return failed


cdef inline Py_ssize_t first_of(const Coded *codes, Py_ssize_t count, int32_t code) noexcept nogil:
    """Return where a code begins in a sorted list."""
    cdef Py_ssize_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) // 2
        if codes[middle].code < code:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline int prepare(Search *s, const Graph *a, const Graph *b, const int32_t *of_features,
                 const int32_t *of_labels, const int32_t *order, const int32_t *row_of,
                 const Coded *labels) noexcept nogil:
    """List values and terms; `labels` are those of the second graph, in order.

    0 if all is well, 1 if there is no memory, -1 if there is too much to be searched.
    """
    cdef Py_ssize_t i, j, k, pairs = 0, count = 0, slots = 0, most = 0
    cdef Py_ssize_t rows = a.nodes, columns = b.nodes
    cdef int32_t source, target, first, second, place
    cdef int64_t weight
    for i in range(a.edges):
        j = first_of(labels, b.edges, a.label[i])
        while j < b.edges and labels[j].code == a.label[i]:
            pairs += 1
            j += 1
        if pairs > LARGEST:
            return -1
    if rows * columns > LARGEST:
        return -1
    # What pairs of nodes are worth, -1 where they are no candidates.
    cdef int64_t *worth = <int64_t *> malloc((rows * columns + 1) * sizeof(int64_t))
    s.entry = <Entry *> malloc((pairs + 1) * sizeof(Entry))
    s.slot = <int32_t *> malloc((rows + 1) * sizeof(int32_t))
    s.number = <int32_t *> malloc((rows * columns + 1) * sizeof(int32_t))
    if worth == NULL or s.entry == NULL or s.slot == NULL or s.number == NULL:
        free(worth)
        return 1
    for i in range(rows):
        for j in range(columns):
            worth[i * columns + j] = compared(a, order[i], b, j, of_features)
    for i in range(a.edges):
        weight = <int64_t> of_labels[a.label[i]] * SCALE
        source, target = row_of[a.source[i]], row_of[a.target[i]]
        j = first_of(labels, b.edges, a.label[i])
        while j < b.edges and labels[j].code == a.label[i]:
            place = labels[j].place
            j += 1
            first, second = b.source[place], b.target[place]
            if (source == target) != (first == second):
                continue
            worth[source * columns + first] = max(worth[source * columns + first], 0)
            worth[target * columns + second] = max(worth[target * columns + second], 0)
            if source == target:
                worth[source * columns + first] += weight
                continue
            if source < target:
                s.entry[count].one, s.entry[count].two = source, target
                s.entry[count].k, s.entry[count].other = first, second
            else:
                s.entry[count].one, s.entry[count].two = target, source
                s.entry[count].k, s.entry[count].other = second, first
            s.entry[count].worth = weight
            count += 1
    # The values of each row, the last of which is none.
    for i in range(rows):
        s.slot[i] = <int32_t> slots
        k = 0
        for j in range(columns):
            s.number[i * columns + j] = -1
            if worth[i * columns + j] >= 0:
                s.number[i * columns + j] = <int32_t> k
                k += 1
        slots += k + 1
        most = max(most, k + 1)
    s.slot[rows] = <int32_t> slots
    s.slots = <int32_t> slots
    s.node = <int32_t *> malloc((slots + 1) * sizeof(int32_t))
    s.own = <int64_t *> malloc((slots + 1) * sizeof(int64_t))
    s.sums = <int64_t *> malloc((slots + 1) * sizeof(int64_t))
    s.alive = <int8_t *> malloc(slots + 1)
    s.given = <int64_t *> malloc((most + 1) * sizeof(int64_t))
    s.passing = <int64_t *> malloc((most + 1) * sizeof(int64_t))
    if (s.node == NULL or s.own == NULL or s.sums == NULL or s.alive == NULL or s.given == NULL
            or s.passing == NULL):
        free(worth)
        return 1
    for i in range(rows):
        for j in range(columns):
            k = s.number[i * columns + j]
            if k >= 0:
                s.node[s.slot[i] + k] = <int32_t> j
                s.own[s.slot[i] + k] = worth[i * columns + j]
        s.node[s.slot[i + 1] - 1] = -1
        s.own[s.slot[i + 1] - 1] = 0
    free(worth)
    memset(s.alive, 1, slots)
    return terms(s, count)


cdef inline int64_t compared(const Graph *a, Py_ssize_t node, const Graph *b, Py_ssize_t other,
                      const int32_t *weight) noexcept nogil:
    """Return the scaled weight of the features that two nodes share, -1 if they share none."""
    cdef int64_t i = a.feature_at[node], j = b.feature_at[other], worth = -1
    while i < a.feature_at[node + 1] and j < b.feature_at[other + 1]:
        if a.feature[i] < b.feature[j]:
            i += 1
        elif a.feature[i] > b.feature[j]:
            j += 1
        else:
            worth = max(worth, 0) + <int64_t> weight[a.feature[i]] * SCALE
            i += 1
            j += 1
    return worth


cdef inline int terms(Search *s, Py_ssize_t count) noexcept nogil:
    """Make terms of the entries; messages, and all else that the search needs."""
    cdef Py_ssize_t i, j = 0, k, rows = s.rows, columns = s.columns
    cdef int64_t parts = 0
    cdef Entry *e = s.entry
    cdef Term *t
    cdef int32_t row, other, side
    qsort(e, count, sizeof(Entry), by_entry)
    for i in range(count):
        if j and by_entry(&e[j - 1], &e[i]) == 0:
            e[j - 1].worth += e[i].worth
        else:
            e[j] = e[i]
            j += 1
    count = j
    s.term = <Term *> malloc((count + 1) * sizeof(Term))
    s.at_begin = <int32_t *> calloc(rows + 2, sizeof(int32_t))
    if s.term == NULL or s.at_begin == NULL:
        return 1
    for i in range(count):
        if s.terms == 0 or e[i].one != e[i - 1].one or e[i].two != e[i - 1].two:
            t = &s.term[s.terms]
            s.terms += 1
            t.rows[0], t.rows[1] = e[i].one, e[i].two
            t.first, t.entries = <int32_t> i, 0
            for side in range(2):
                row = t.rows[side]
                t.at[side] = <int32_t> parts
                parts += s.slot[row + 1] - s.slot[row]
                if parts > 1 << 30:
                    return 1
                s.at_begin[row + 1] += 1
        t = &s.term[s.terms - 1]
        t.entries += 1
    for i in range(count):
        e[i].k = s.number[e[i].one * columns + e[i].k]
        e[i].other = s.number[e[i].two * columns + e[i].other]
    s.parts = <int32_t> parts
    s.work = s.slots + parts + count
    for i in range(rows):
        s.at_begin[i + 1] += s.at_begin[i]
    s.messages = <int64_t *> calloc(parts + 1, sizeof(int64_t))
    s.same = <int32_t *> malloc((parts + 1) * sizeof(int32_t))
    s.at = <At *> malloc((2 * s.terms + 1) * sizeof(At))
    s.price = <int64_t *> calloc(columns + 1, sizeof(int64_t))
    s.level = <int64_t *> calloc(rows + 1, sizeof(int64_t))
    s.chosen = <int32_t *> malloc((rows + 1) * sizeof(int32_t))
    s.last = <int32_t *> malloc((rows + 1) * sizeof(int32_t))
    s.best = <int32_t *> malloc((rows + 1) * sizeof(int32_t))
    s.trial = <int32_t *> malloc((rows + 1) * sizeof(int32_t))
    s.owner = <int32_t *> malloc((columns + 1) * sizeof(int32_t))
    s.distance = <int64_t *> malloc((columns + 1) * sizeof(int64_t))
    s.reached_row = <int32_t *> malloc((columns + 1) * sizeof(int32_t))
    s.reached_value = <int32_t *> malloc((columns + 1) * sizeof(int32_t))
    s.done = <int8_t *> malloc(columns + 1)
    s.tree = <int32_t *> malloc((rows + 1) * sizeof(int32_t))
    s.tree_length = <int64_t *> malloc((rows + 1) * sizeof(int64_t))
    s.stack = <Level *> calloc(rows + 1, sizeof(Level))
    if (s.messages == NULL or s.same == NULL or s.at == NULL or s.price == NULL or s.level == NULL
            or s.chosen == NULL or s.last == NULL or s.best == NULL or s.trial == NULL
            or s.owner == NULL or s.distance == NULL or s.reached_row == NULL
            or s.reached_value == NULL or s.done == NULL or s.tree == NULL
            or s.tree_length == NULL or s.stack == NULL):
        return 1
    memset(s.chosen, -1, rows * sizeof(int32_t))
    memset(s.last, -1, rows * sizeof(int32_t))
    memset(s.best, -1, rows * sizeof(int32_t))
    for i in range(s.terms):
        t = &s.term[i]
        for side in range(2):
            row, other = t.rows[side], t.rows[1 - side]
            k = s.at_begin[row]
            s.at[k].term, s.at[k].side = <int32_t> i, side
            s.at_begin[row] += 1
            for k in range(s.slot[row + 1] - s.slot[row] - 1):
                s.same[t.at[side] + k] = s.number[other * columns + s.node[s.slot[row] + k]]
            s.same[t.at[side] + s.slot[row + 1] - s.slot[row] - 1] = -1
    for i in range(rows, 0, -1):
        s.at_begin[i] = s.at_begin[i - 1]
    s.at_begin[0] = 0
    return 0


cdef inline void drop(Search *s) noexcept nogil:
    s.depth -= 1
    free(s.stack[s.depth].alive)
    free(s.stack[s.depth].messages)
    free(s.stack[s.depth].open)


cdef inline void release(Search *s) noexcept nogil:
    while s.depth:
        drop(s)
    free(s.slot)
    free(s.node)
    free(s.own)
    free(s.alive)
    free(s.sums)
    free(s.number)
    free(s.entry)
    free(s.term)
    free(s.messages)
    free(s.same)
    free(s.at_begin)
    free(s.at)
    free(s.price)
    free(s.level)
    free(s.chosen)
    free(s.last)
    free(s.best)
    free(s.trial)
    free(s.owner)
    free(s.distance)
    free(s.reached_row)
    free(s.reached_value)
    free(s.done)
    free(s.tree)
    free(s.tree_length)
    free(s.given)
    free(s.passing)
    free(s.stack)
