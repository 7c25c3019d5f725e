# cython: language_level=3, embedsignature=True
"""The compiled twin of brackets.py.

Almost everything in a file is ``(TAG word)``, ``(LABEL (``, closing brackets and spaces, and almost
all texts have fewer than eight bytes. read_usual goes through these, eight bytes at a time: a text is
found, hashed and compared as one number. For all that it leaves, there is read_piece.
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp

from commonground.kernels.checks import NO_TREES
from commonground.kernels.intern cimport (
    ONES, Interner, interner_add, interner_close, interner_joined, interner_open, load_bytes,
    lowest_byte, short_number,
)
from commonground.kernels.texts import Texts

cdef enum:
    NEWLINE = 10
    SPACE = 32
    NUMBER_SIGN = 35
    OPEN = 40
    CLOSE = 41
    LESS = 60
    MARGIN = 64  # so far from the end, eight bytes can be read several times without asking

cdef enum Outcome:
    MORE
    DONE
    FULL  # the columns need more room, then reading can go on
    MALFORMED
    NO_MEMORY

cdef struct Reading:
    const char *start
    const char *end
    const char *at
    int64_t line
    int64_t depth
    int64_t first        # the first node of the tree
    bint comment         # is there one that waits for its tree?
    Interner forms
    Interner tags
    Interner labels
    int32_t *form        # per word
    int32_t *tag
    int32_t *parent
    int32_t *label       # per node
    int32_t *above
    int32_t *open        # per depth the open node, counted from the first one of the tree
    int64_t *tree        # per tree: its first word, its first node, its line
    int64_t *aside       # per aside: where it begins and ends, the tree that follows
    int64_t words
    int64_t word_room
    int64_t nodes
    int64_t node_room
    int64_t trees
    int64_t tree_room
    int64_t asides
    int64_t aside_room


def brackets(const unsigned char[::1] data not None):
    """Cut bracketed trees into words and nodes and number the texts of each kind."""
    cdef Reading reading
    cdef Py_ssize_t size = data.shape[0]
    cdef int32_t[:, ::1] words, nodes
    cdef int64_t[:, ::1] trees, asides
    cdef Outcome outcome = FULL
    cdef int opened = 0
    cdef int64_t i
    reading.start = reading.at = <const char *> &data[0] if size else NULL
    reading.end = reading.start + size
    reading.line = 1
    reading.depth = reading.first = 0
    reading.comment = False
    reading.words = reading.nodes = reading.trees = reading.asides = 0
    # In most files a word takes some twenty bytes, and so does a node; room that nobody needs is
    # never touched.
    word_array = np.empty((3, size // 10 + 16), np.int32)
    node_array = np.empty((3, size // 10 + 16), np.int32)
    node_array[2, 0] = -1
    tree_array = np.empty((size // 128 + 16, 3), np.int64)
    aside_array = np.empty((16, 3), np.int64)
    try:
        opened += interner_open(&reading.forms)
        opened += interner_open(&reading.tags)
        opened += interner_open(&reading.labels)
        if opened < 3:
            raise MemoryError
        while outcome == FULL:
            word_array = with_room(word_array, 1, reading.words)
            node_array = with_room(node_array, 1, reading.nodes)
            tree_array = with_room(tree_array, 0, reading.trees)
            aside_array = with_room(aside_array, 0, reading.asides)
            words, nodes, trees, asides = word_array, node_array, tree_array, aside_array
            reading.form, reading.tag, reading.parent = &words[0, 0], &words[1, 0], &words[2, 0]
            reading.label, reading.above, reading.open = &nodes[0, 0], &nodes[1, 0], &nodes[2, 0]
            reading.tree, reading.aside = &trees[0, 0], &asides[0, 0]
            reading.word_room, reading.node_room = words.shape[1], nodes.shape[1]
            reading.tree_room, reading.aside_room = trees.shape[0], asides.shape[0]
            with nogil:
                outcome = read_trees(&reading)
        if outcome == NO_MEMORY:
            raise MemoryError
        if outcome == MALFORMED:
            raise ValueError(NO_TREES)
        texts = (
            Texts(interner_joined(&reading.forms, b"\n"), reading.forms.count),
            Texts(interner_joined(&reading.tags, b"\n"), reading.tags.count),
            Texts(interner_joined(&reading.labels, b"\n"), reading.labels.count),
        )
    finally:
        interner_close(&reading.forms)
        interner_close(&reading.tags)
        interner_close(&reading.labels)
    notes = [""] * (reading.trees + 1)
    for i in range(reading.asides):
        note = reading.start[asides[i, 0]:asides[i, 1]].decode("utf-8")
        before = notes[asides[i, 2]]
        notes[asides[i, 2]] = f"{before}\n{note}" if before else note
    return (
        (
            word_array[0, :reading.words],
            word_array[1, :reading.words],
            word_array[2, :reading.words],
            np.append(tree_array[:reading.trees, 0], reading.words),
        ),
        (
            node_array[0, :reading.nodes],
            node_array[1, :reading.nodes],
            np.append(tree_array[:reading.trees, 1], reading.nodes),
        ),
        texts,
        tree_array[:reading.trees, 2].copy(),
        notes[:reading.trees],
    )


cdef with_room(array, int axis, int64_t used):
    # The array, or one that is twice as long where it is full but for one row.
    if used < array.shape[axis] - 1:
        return array
    return np.concatenate([array, np.empty_like(array)], axis)


cdef Outcome read_trees(Reading *self) noexcept nogil:
    cdef Outcome outcome = MORE
    while outcome == MORE:
        outcome = read_usual(self)
        if outcome == MORE:
            outcome = read_piece(self)
    return outcome


cdef Outcome read_piece(Reading *self) noexcept nogil:
    # Read one bracket, one word, some white space or one aside.
    cdef const char *at = self.at
    cdef const char *end = self.end
    cdef const char *text
    cdef const char *stop
    cdef const char *word
    cdef const char *word_stop
    cdef int64_t line
    if (self.words >= self.word_room - 1 or self.nodes >= self.node_room - 1
            or self.trees >= self.tree_room - 1 or self.asides >= self.aside_room - 1):
        return FULL
    if at == end:
        return MALFORMED if self.depth or self.comment else DONE
    if is_space(at[0]):
        self.at = skip(at, end, &self.line)
        return MORE
    if at[0] == CLOSE:
        self.at += 1
        self.depth -= 1
        return MALFORMED if self.depth < 0 else MORE
    if at[0] != OPEN:
        if self.depth == 0:
            return read_aside(self)
        self.at = text_end(at, end)
        return add_word(self, at, self.at, at, at)

    if self.depth == 0:
        self.tree[3 * self.trees] = self.words
        self.tree[3 * self.trees + 1] = self.first = self.nodes
        self.tree[3 * self.trees + 2] = self.line
        self.trees += 1
        self.comment = False
    text = skip(at + 1, end, &self.line)
    stop = text_end(text, end)
    line = self.line
    word = skip(stop, end, &line)
    word_stop = text_end(word, end)
    if word < end and word[0] == CLOSE and text > at + 1 and stop > text:  # ( dog)
        self.at = word + 1
        self.line = line
        return add_word(self, text, stop, text, text)
    at = skip(word_stop, end, &line)
    if at < end and at[0] == CLOSE and word_stop > word:  # (NN dog)
        self.at = at + 1
        self.line = line
        return add_word(self, word, word_stop, text, stop)
    if at == end or at[0] == CLOSE:
        return MALFORMED
    self.at = stop
    return add_node(self, text, stop)


cdef Outcome read_aside(Reading *self) noexcept nogil:
    cdef const char *at = self.at
    cdef const char *stop
    if at > self.start and (at - 1)[0] != NEWLINE:
        return MALFORMED
    if at[0] != NUMBER_SIGN and at[0] != LESS and (self.end - at < 3 or memcmp(at, b"*x*", 3)):
        return MALFORMED
    stop = <const char *> memchr(at, NEWLINE, self.end - at)
    if stop == NULL:
        stop = self.end
    self.aside[3 * self.asides] = at - self.start
    self.aside[3 * self.asides + 1] = stop - self.start
    self.aside[3 * self.asides + 2] = self.trees
    self.asides += 1
    self.comment |= at[0] == NUMBER_SIGN
    self.at = stop
    return MORE


cdef Outcome add_word(
    Reading *self, const char *word, const char *word_stop, const char *tag, const char *tag_stop
) noexcept nogil:
    self.form[self.words] = interner_add(&self.forms, word, <uint32_t> (word_stop - word))
    self.tag[self.words] = interner_add(&self.tags, tag, <uint32_t> (tag_stop - tag))
    self.parent[self.words] = self.open[self.depth]
    self.words += 1
    return NO_MEMORY if (self.form[self.words - 1] | self.tag[self.words - 1]) < 0 else MORE


cdef Outcome add_node(Reading *self, const char *label, const char *stop) noexcept nogil:
    self.label[self.nodes] = interner_add(&self.labels, label, <uint32_t> (stop - label))
    self.above[self.nodes] = self.open[self.depth]
    self.depth += 1
    self.open[self.depth] = <int32_t> (self.nodes - self.first)
    self.nodes += 1
    return NO_MEMORY if self.label[self.nodes - 1] < 0 else MORE


cdef Outcome read_usual(Reading *self) noexcept nogil:
    # Read what stands inside a tree, bracket by bracket, up to anything that is unusual.
    cdef const char *at = self.at
    cdef const char *end = self.end
    cdef const char *near
    cdef const char *text
    cdef const char *stop
    cdef const char *word
    cdef int64_t words = self.words, last_word = self.word_room - 1
    cdef int64_t nodes = self.nodes, last_node = self.node_room - 1
    cdef int64_t depth = self.depth, line = self.line
    cdef uint64_t bytes, word_bytes, found
    cdef uint32_t length, word_length
    cdef int32_t codes = 0  # all numbers of texts, bit by bit; -1 is no number
    if end - at < MARGIN:
        return MORE
    near = end - MARGIN
    while depth > 0 and at < near and at[0] == OPEN and words < last_word and nodes < last_node:
        text = at + 1
        bytes = load_bytes(text)
        found = separators(bytes)
        if not found:
            break
        length = lowest_byte(found)
        stop = text + length
        if stop[0] == SPACE:
            word = stop + 1
        elif stop[0] == NEWLINE:
            word = spaces_end(stop + 1, end)
            if word >= near or word[0] != OPEN:
                break
            line += 1
        else:
            break
        if word[0] == OPEN:
            self.label[nodes] = short_number(&self.labels, text, bytes, length)
            codes |= self.label[nodes]
            self.above[nodes] = self.open[depth]
            depth += 1
            self.open[depth] = <int32_t> (nodes - self.first)
            nodes += 1
            at = word
            continue
        word_bytes = load_bytes(word)
        found = separators(word_bytes)
        if found:
            word_length = lowest_byte(found)
            stop = word + word_length
            if stop[0] != CLOSE or word_length == 0:
                break
            self.form[words] = short_number(&self.forms, word, word_bytes, word_length)
        else:
            stop = text_end(word + 8, end)
            if stop >= near or stop[0] != CLOSE:
                break
            self.form[words] = interner_add(&self.forms, word, <uint32_t> (stop - word))
        self.tag[words] = short_number(&self.tags, text, bytes, length)
        codes |= self.form[words] | self.tag[words]
        self.parent[words] = self.open[depth]
        words += 1
        at = stop + 1
        found = load_bytes(at) ^ (ONES * CLOSE)
        if not found:
            break
        at += lowest_byte(found)
        depth -= lowest_byte(found)
        if at[0] == SPACE:
            at += 1
        elif at[0] == NEWLINE:
            line += 1
            at = spaces_end(at + 1, end)
    self.at = at
    self.line = line
    self.depth = depth
    self.words = words
    self.nodes = nodes
    if codes < 0:
        return NO_MEMORY
    return MALFORMED if depth < 0 else MORE


cdef inline bint is_space(char code) noexcept nogil:
    return code == SPACE or 9 <= code <= 13


cdef inline const char *skip(const char *at, const char *end, int64_t *line) noexcept nogil:
    # The first place from here on that is no white space; newlines are counted.
    while at < end and is_space(at[0]):
        line[0] += at[0] == NEWLINE
        at += 1
    return at


cdef inline const char *spaces_end(const char *at, const char *end) noexcept nogil:
    # The first place from here on that is no space, or one that is near the end.
    cdef uint64_t found
    while end - at >= 8:
        found = load_bytes(at) ^ (ONES * SPACE)
        if found:
            return at + lowest_byte(found)
        at += 8
    return at


cdef inline uint64_t separators(uint64_t bytes) noexcept nogil:
    # The lowest bit is in the first byte that is a bracket, white space or another control character.
    # (Subtraction may borrow from the bytes above it and leave wrong bits there.)
    cdef uint64_t bracket = (bytes | ONES) ^ (ONES * CLOSE)
    return (((bytes - ONES * 33) & ~bytes) | ((bracket - ONES) & ~bracket)) & (ONES * 128)


cdef inline const char *text_end(const char *at, const char *end) noexcept nogil:
    # The first place from here on that is white space or a bracket.
    cdef uint64_t found
    while end - at >= 8:
        found = separators(load_bytes(at))
        if not found:
            at += 8
            continue
        at += lowest_byte(found)
        if at[0] == OPEN or at[0] == CLOSE or is_space(at[0]):
            return at
        at += 1
    while at < end and not is_space(at[0]) and at[0] != OPEN and at[0] != CLOSE:
        at += 1
    return at
