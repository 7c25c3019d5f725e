# cython: language_level=3, embedsignature=True, boundscheck=False, wraparound=False
"""The compiled twin of subtrees.py."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc

from commonground.kernels.subtrees import checked, checked_words


cdef struct Tree:
    int32_t* first
    int32_t* last
    int32_t* size
    int32_t* waiting  # how many dependents are not done yet
    int32_t* todo
    int32_t* start  # the first node that begins with a word, -1 if none
    int32_t* next  # the next one that begins with the same word
    int32_t* place  # of a word in an order in which the words of each subtree follow its head
    int32_t* free  # where the next dependent of a word can stand in that order
    int32_t scattered  # is any subtree not continuous?


cdef int32_t collect(Tree* tree, const int32_t* head, Py_ssize_t words) noexcept nogil:
    """Find the extent of each subtree; return 0 where there is a cycle."""
    cdef Py_ssize_t word, above, done = 0, count = 0
    tree.scattered = 0
    for word in range(words):
        tree.waiting[word] = 0
    for word in range(words):
        tree.first[word] = tree.last[word] = <int32_t>word
        tree.size[word] = 1
        if head[word] > 0:
            tree.waiting[head[word] - 1] += 1
    for word in range(words):
        if tree.waiting[word] == 0:
            tree.todo[count] = <int32_t>word
            count += 1
    while done < count:
        word = tree.todo[done]
        done += 1
        if tree.last[word] - tree.first[word] + 1 != tree.size[word]:
            tree.scattered = 1
        above = head[word] - 1
        if above < 0:
            continue
        if tree.first[word] < tree.first[above]:
            tree.first[above] = tree.first[word]
        if tree.last[word] > tree.last[above]:
            tree.last[above] = tree.last[word]
        tree.size[above] += tree.size[word]
        tree.waiting[above] -= 1
        if tree.waiting[above] == 0:
            tree.todo[count] = <int32_t>above
            count += 1
    return 1 if done == words else 0


cdef void arrange(Tree* tree, const int32_t* head, Py_ssize_t words) noexcept nogil:
    """Give the words their places: a word stands before all words of its subtree, and next to them."""
    cdef Py_ssize_t i, word, above
    cdef int32_t tops = 0
    for i in range(words - 1, -1, -1):  # who was done last has nobody above
        word = tree.todo[i]
        above = head[word] - 1
        if above < 0:
            tree.place[word] = tops
            tops += tree.size[word]
        else:
            tree.place[word] = tree.free[above]
            tree.free[above] += tree.size[word]
        tree.free[word] = tree.place[word] + 1


cdef inline bint has(Tree* tree, Py_ssize_t top, Py_ssize_t word) noexcept nogil:
    """Tell whether a word is in the subtree of another one."""
    return tree.place[top] <= tree.place[word] < tree.place[top] + tree.size[top]


cdef bint same_words(Tree* one, Py_ssize_t top, Tree* two, Py_ssize_t other) noexcept nogil:
    """Tell whether two subtrees have the same words; their first words are the same."""
    cdef Py_ssize_t word
    if one.last[top] != two.last[other] or one.size[top] != two.size[other]:
        return False
    if not one.scattered and not two.scattered:
        return True
    for word in range(one.first[top], one.last[top] + 1):
        if has(one, top, word) != has(two, other, word):
            return False
    return True


cdef Tree reserve(Py_ssize_t words) noexcept nogil:
    cdef Tree tree
    cdef int32_t* block = <int32_t*>malloc(9 * (words + 1) * sizeof(int32_t))
    tree.first = block
    if block != NULL:
        tree.last = block + (words + 1)
        tree.size = block + 2 * (words + 1)
        tree.waiting = block + 3 * (words + 1)
        tree.todo = block + 4 * (words + 1)
        tree.start = block + 5 * (words + 1)
        tree.next = block + 6 * (words + 1)
        tree.place = block + 7 * (words + 1)
        tree.free = block + 8 * (words + 1)
    return tree


cdef void count(
    Tree* one, Tree* two, const int32_t* one_label, const int32_t* two_label,
    Py_ssize_t words, int32_t head_label, int64_t* found,
) noexcept nogil:
    cdef Py_ssize_t word, other
    cdef int32_t a, b
    cdef int64_t labelled_one = 0, labelled_two = 0, both = 0, nodes_one = 0, nodes_two = 0, same = 0
    for word in range(words):
        two.start[word] = -1
    for word in range(words):
        # Every word has a node by itself in both trees, unless it is the whole sentence.
        a = head_label if one.size[word] > 1 else one_label[word]
        b = head_label if two.size[word] > 1 else two_label[word]
        if words > 1:
            nodes_one += 1
            nodes_two += 1
            same += 1
            labelled_one += a > 0
            labelled_two += b > 0
            both += a > 0 and a == b
        if one.size[word] > 1 and one.size[word] < words:
            nodes_one += 1
            labelled_one += one_label[word] > 0
        if two.size[word] > 1 and two.size[word] < words:
            nodes_two += 1
            labelled_two += two_label[word] > 0
            two.next[word] = two.start[two.first[word]]
            two.start[two.first[word]] = <int32_t>word
    for word in range(words):
        if one.size[word] > 1 and one.size[word] < words:
            other = two.start[one.first[word]]
            while other >= 0:
                if same_words(one, word, two, other):
                    same += 1
                    both += one_label[word] > 0 and one_label[word] == two_label[other]
                    break
                other = two.next[other]
    found[0] = labelled_one
    found[1] = labelled_two
    found[2] = both
    found[3] = nodes_one
    found[4] = nodes_two
    found[5] = same


def node_counts(offsets, gold, system, head_label):
    """Count the nodes of two trees over the same words, and those that both have."""
    offsets, gold, system = checked(offsets, gold, system, head_label)
    cdef const int64_t[::1] at = offsets
    cdef const int32_t[::1] heads = gold[0], labels = gold[1]
    cdef const int32_t[::1] other_heads = system[0], other_labels = system[1]
    cdef Py_ssize_t sentences = at.shape[0] - 1, sentence, row, words
    cdef Py_ssize_t longest = int(np.diff(offsets).max(initial=0))
    cdef int32_t name = head_label
    table = np.zeros((sentences, 6), np.int64)
    flags = np.zeros(sentences, np.bool_)
    if not len(gold[0]):
        flags[:] = True
        return np.ascontiguousarray(table.T), flags
    cdef int64_t[:, ::1] counts = table
    cdef unsigned char[::1] done = flags.view(np.uint8)
    cdef Tree one = reserve(longest), two = reserve(longest)
    if one.first == NULL or two.first == NULL:
        free(one.first)
        free(two.first)
        raise MemoryError
    with nogil:
        for sentence in range(sentences):
            row, words = at[sentence], at[sentence + 1] - at[sentence]
            if not words:
                done[sentence] = 1
                continue
            if not collect(&one, &heads[row], words) or not collect(&two, &other_heads[row], words):
                continue
            done[sentence] = 1
            if one.scattered or two.scattered:
                arrange(&one, &heads[row], words)
                arrange(&two, &other_heads[row], words)
            count(&one, &two, &labels[row], &other_labels[row], words, name, &counts[sentence, 0])
        free(one.first)
        free(two.first)
    return np.ascontiguousarray(table.T), flags


cdef Py_ssize_t spell(uint64_t* words, Py_ssize_t blocks, char* text) noexcept nogil:
    """Write the set bits as stretches of words, from 1; return how many characters they take."""
    cdef Py_ssize_t place = 0, size = 0, end = 64 * blocks, start
    while place < end:
        if place % 64 == 0 and words[place // 64] == 0:
            place += 64
            continue
        if not (words[place // 64] >> (place % 64)) & 1:
            place += 1
            continue
        start = place
        while place < end and (words[place // 64] >> (place % 64)) & 1:
            place += 1
        if size:
            text[size] = b","
            size += 1
        size += digits(start + 1, text + size)
        if place > start + 1:
            text[size] = b"-"
            size += 1
            size += digits(place, text + size)
    return size


cdef Py_ssize_t digits(Py_ssize_t number, char* text) noexcept nogil:
    cdef char reverse[20]
    cdef Py_ssize_t size = 0, i
    while number:
        reverse[size] = <char>(48 + number % 10)
        number //= 10
        size += 1
    for i in range(size):
        text[i] = reverse[size - 1 - i]
    return size


def yield_texts(offsets, heads, wanted):
    """Return the words of some subtrees, as yields are written; those wanted are rows in order."""
    offset_column, head_column, row_column = checked_words(offsets, heads, wanted)
    cdef const int64_t[::1] at = offset_column, rows = row_column
    cdef const int32_t[::1] head = head_column
    cdef Py_ssize_t sentence = 0, first = 0, last
    found = []
    while first < rows.shape[0]:
        while at[sentence + 1] <= rows[first]:
            sentence += 1
        last = first + 1
        while last < rows.shape[0] and rows[last] < at[sentence + 1]:
            last += 1
        found += texts_of(head[at[sentence] : at[sentence + 1]], rows[first:last], at[sentence])
        first = last
    return found


cdef list texts_of(const int32_t[::1] head, const int64_t[::1] rows, Py_ssize_t start):
    """Return the words of some subtrees of the sentence that begins with the row `start`."""
    cdef Py_ssize_t words = head.shape[0], blocks = (words + 63) // 64
    cdef Py_ssize_t word, above, block, done = 0, waiting_words = 0, size, row
    bits = np.zeros((words, blocks), np.uint64)
    order = np.zeros(words, np.int64)
    pending = np.zeros(words, np.int64)
    buffer = np.empty(22 * words + 1, np.int8)
    cdef uint64_t[:, ::1] sets = bits
    cdef int64_t[::1] todo = order, waiting = pending
    cdef char* text
    cdef signed char[::1] space = buffer
    text = <char*>&space[0]
    with nogil:
        for word in range(words):
            sets[word, word // 64] |= (<uint64_t>1) << (word % 64)
            if head[word] > 0:
                waiting[head[word] - 1] += 1
        for word in range(words):
            if waiting[word] == 0:
                todo[waiting_words] = word
                waiting_words += 1
        while done < waiting_words:
            word = todo[done]
            done += 1
            above = head[word] - 1
            if above < 0:
                continue
            for block in range(blocks):
                sets[above, block] |= sets[word, block]
            waiting[above] -= 1
            if waiting[above] == 0:
                todo[waiting_words] = above
                waiting_words += 1
    if done < words:
        raise ValueError("words on a cycle")
    found = []
    for row in range(rows.shape[0]):
        size = spell(&sets[rows[row] - start, 0], blocks, text)
        found.append(text[:size].decode("ascii"))
    return found
