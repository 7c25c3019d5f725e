# cython: language_level=3, embedsignature=True
"""The compiled twin of word_alignment.py."""

import numpy as np

from commonground.kernels.word_alignment import MOST_TYPES, checked_sides, checked_types

from libc.math cimport log
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc


def number_pairs(source, source_offsets, target, target_offsets, Py_ssize_t types):
    """Number the pairs of words that stand in the same sentence pair."""
    checked_sides(source, source_offsets, target, target_offsets)
    cdef const int32_t[::1] ours = np.ascontiguousarray(source, np.int32)
    cdef const int32_t[::1] theirs = np.ascontiguousarray(target, np.int32)
    cdef const int64_t[::1] start = np.ascontiguousarray(source_offsets, np.int64)
    cdef const int64_t[::1] begin = np.ascontiguousarray(target_offsets, np.int64)
    checked_types(source, target, types)
    cdef Py_ssize_t sentences = start.shape[0] - 1, kinds, sentence, place, at, word, j, cell
    lengths, widths = np.diff(start), np.diff(begin)
    offsets_array = np.concatenate([[0], np.cumsum(lengths * widths)]).astype(np.int64)
    cells_array = np.empty(int((lengths * widths).sum()), np.int32)
    order_array = np.argsort(ours, kind="stable").astype(np.int64)
    group_array = np.concatenate([[0], np.cumsum(np.bincount(ours, minlength=types))])
    sentence_array = np.repeat(np.arange(sentences), lengths).astype(np.int64)
    cdef const int64_t[::1] offsets = offsets_array, order = order_array
    cdef const int64_t[::1] group = group_array.astype(np.int64), of = sentence_array
    cdef int32_t[::1] cells = cells_array
    kinds = int(np.asarray(theirs).max(initial=-1)) + 1
    seen_array = np.full(kinds, -1, np.int64)
    starts_array = np.zeros(types + 1, np.int64)
    cdef int64_t[::1] seen = seen_array, starts = starts_array
    cdef int64_t count = 0, first
    with nogil:
        for word in range(types):
            first = count
            for at in range(group[word], group[word + 1]):
                place = order[at]
                sentence = of[place]
                cell = offsets[sentence] + (place - start[sentence]) * (
                    begin[sentence + 1] - begin[sentence]
                )
                for j in range(begin[sentence], begin[sentence + 1]):
                    if seen[theirs[j]] < first:
                        seen[theirs[j]] = count
                        count += 1
                    cells[cell] = <int32_t> seen[theirs[j]]
                    cell += 1
            starts[word + 1] = count
    if count > 2**31 - 1:
        raise ValueError("more different pairs of words than can be numbered")
    columns_array = np.empty(count, np.int32)
    cdef int32_t[::1] columns = columns_array
    with nogil:
        for sentence in range(sentences):
            cell = offsets[sentence]
            for at in range(start[sentence], start[sentence + 1]):
                for j in range(begin[sentence], begin[sentence + 1]):
                    columns[cells[cell]] = theirs[j]
                    cell += 1
    return cells_array, offsets_array, starts_array, columns_array


def expected(pairs, words, offsets, prob, null_prob, jumps, double empty, bint turned,
             Py_ssize_t first, Py_ssize_t last, out, null_out, jump_counts):
    """Fill in how likely each link is."""
    check_directions(pairs, words, offsets, first, last)
    cdef const int32_t[::1] cells = pairs[0]
    cdef const int64_t[::1] cell_offsets = pairs[1]
    cdef const int32_t[::1] word = words
    cdef const int64_t[::1] start = offsets
    cdef const float[::1] chance = prob
    cdef const float[::1] null_chance = null_prob
    cdef float[::1] link = out
    cdef float[::1] null_link = null_out
    cdef double[::1] moved = jump_counts
    cdef bint jumping = jumps is not None
    cdef const double[::1] jump = jumps if jumping else np.ones(1)
    cdef Py_ssize_t reach = (jump.shape[0] - 1) // 2
    if link.shape[0] != cell_offsets[last] - cell_offsets[first]:
        raise ValueError("not as much room as there are links")
    if null_link.shape[0] != start[last] - start[first]:
        raise ValueError("not as much room as there are words")
    if jump.shape[0] % 2 != 1 or (jumping and moved.shape[0] != jump.shape[0]):
        raise ValueError("jumps that are not as many to the left as to the right")
    if jumping and not (np.min(jumps) > 0 and np.isfinite(jumps).all()):
        raise ValueError("a jump without a weight")
    if not 0 <= empty < 1:
        raise ValueError("a share of empty words that is none")
    check_range(pairs[0][cell_offsets[first]:cell_offsets[last]], chance.shape[0],
                "a pair without a probability")
    check_range(words[start[first]:start[last]], null_chance.shape[0],
                "a word without a probability")
    cdef Py_ssize_t sentence, emissions, states, room = 0, i, j, cell, across, along
    cdef Py_ssize_t base, null_base
    for sentence in range(first, last):
        emissions = start[sentence + 1] - start[sentence]
        cell = cell_offsets[sentence + 1] - cell_offsets[sentence]
        if not emissions:
            if cell:
                raise ValueError("cells that are no rectangle")
            continue
        states = cell // emissions
        if states * emissions != cell:
            raise ValueError("cells that are no rectangle")
        room = max(room, 3 * cell + 3 * emissions + 2 * states * states + 5 * states)
    cdef double *memory = <double *> malloc((room + 1) * sizeof(double))
    if memory == NULL:
        raise MemoryError
    cdef double likelihood = 0
    with nogil:
        for sentence in range(first, last):
            emissions = start[sentence + 1] - start[sentence]
            if not emissions:
                continue
            states = (cell_offsets[sentence + 1] - cell_offsets[sentence]) // emissions
            along = 1 if turned else emissions   # from a state to the next
            across = states if turned else 1   # from an emission to the next
            base = cell_offsets[sentence] - cell_offsets[first]
            null_base = start[sentence] - start[first]
            if not states:
                for j in range(emissions):
                    null_link[null_base + j] = 1
                continue
            for j in range(emissions):
                for i in range(states):
                    memory[j * states + i] = chance[
                        cells[cell_offsets[sentence] + i * along + j * across]
                    ]
                memory[3 * emissions * states + j] = null_chance[word[start[sentence] + j]]
            if jumping:
                likelihood += walk(memory, emissions, states, jump, reach, empty, moved)
            else:
                likelihood += scatter(memory, emissions, states, empty)
            for j in range(emissions):
                for i in range(states):
                    link[base + i * along + j * across] = <float> memory[j * states + i]
                null_link[null_base + j] = <float> memory[3 * emissions * states + j]
    free(memory)
    return likelihood


cdef int check_directions(pairs, words, offsets, first, last) except -1:
    cells, ends = pairs
    if not 0 <= first <= last < len(offsets) or len(ends) != len(offsets):
        raise ValueError("sentences out of range")
    for numbers, cut in ((words, offsets), (cells, ends)):
        part = cut[first : last + 1]
        if part[0] < 0 or part[len(part) - 1] > len(numbers) or (np.diff(part) < 0).any():
            raise ValueError("offsets that do not cut what they should")
    return 0


cdef double scatter(
    double *memory, Py_ssize_t emissions, Py_ssize_t states, double empty
) noexcept nogil:
    # IBM model 1: every state is as likely as every other.
    cdef double *null = memory + 3 * emissions * states
    cdef double likelihood = 0, total, share = (1 - empty) / states
    cdef Py_ssize_t i, j
    for j in range(emissions):
        total = null[j] * empty
        for i in range(states):
            total += memory[j * states + i] * share
        if total <= 0:  # nothing explains the word
            null[j] = 1
            for i in range(states):
                memory[j * states + i] = 0
            continue
        likelihood += log(total)
        for i in range(states):
            memory[j * states + i] *= share / total
        null[j] *= empty / total
    return likelihood


cdef double walk(
    double *memory, Py_ssize_t emissions, Py_ssize_t states, const double[::1] jump,
    Py_ssize_t reach, double empty, double[::1] moved
) noexcept nogil:
    # A hidden Markov model: where the next word is linked depends on where the last one was.
    cdef double *emitted = memory
    cdef double *forward = memory + emissions * states     # in a word, or in the empty one there
    cdef double *vacant = forward + emissions * states     # of that, in the empty one
    cdef double *null = vacant + emissions * states
    cdef double *scale = null + emissions
    cdef double *spare = scale + emissions
    cdef double *move = spare + emissions                  # from, to
    cdef double *turns = move + states * states
    cdef double *behind = turns + states * states
    cdef double *before = behind + states
    cdef double *ahead = before + states
    cdef double *sums = ahead + states
    cdef Py_ssize_t i, j, k, step
    cdef double total, value, weight, likelihood = 0
    for i in range(states):
        total = 0
        for k in range(states):
            step = k - i
            step = -reach if step < -reach else (reach if step > reach else step)
            move[i * states + k] = jump[step + reach]
            total += jump[step + reach]
        for k in range(states):
            move[i * states + k] *= (1 - empty) / total
            turns[i * states + k] = 0
    for j in range(emissions):
        if j == 0:
            for k in range(states):
                before[k] = 1.0 / states
                sums[k] = (1 - empty) / states
        else:
            for k in range(states):
                before[k] = forward[(j - 1) * states + k]
                sums[k] = 0
            for i in range(states):
                value = before[i]
                for k in range(states):
                    sums[k] += value * move[i * states + k]
        total = 0
        for k in range(states):
            vacant[j * states + k] = before[k] * empty * null[j]
            forward[j * states + k] = sums[k] * emitted[j * states + k] + vacant[j * states + k]
            total += forward[j * states + k]
        if total <= 0:  # nothing explains the word; it says nothing about where we are
            for k in range(states):
                vacant[j * states + k] = before[k]
                forward[j * states + k] = before[k]
            null[j] = -1
            scale[j] = 1
            continue
        scale[j] = total
        likelihood += log(total)
        for k in range(states):
            forward[j * states + k] /= total
            vacant[j * states + k] /= total
    for k in range(states):
        behind[k] = 1
    for j in range(emissions - 1, -1, -1):
        # posteriors of this word; `behind` is how likely all that follows is
        total = 0
        for k in range(states):
            value = vacant[j * states + k] * behind[k]
            total += value
            ahead[k] = emitted[j * states + k]
            emitted[j * states + k] = (
                (forward[j * states + k] - vacant[j * states + k]) * behind[k]
            )
            if emitted[j * states + k] < 0:
                emitted[j * states + k] = 0
        value = null[j]
        null[j] = total
        if j == 0:
            break
        if value < 0:
            continue  # the word was passed over
        for k in range(states):
            ahead[k] *= behind[k] / scale[j]
        for i in range(states):
            total = 0
            weight = forward[(j - 1) * states + i]
            for k in range(states):
                total += move[i * states + k] * ahead[k]
            for k in range(states):
                turns[i * states + k] += weight * move[i * states + k] * ahead[k]
            behind[i] = total + empty * value * behind[i] / scale[j]
    for i in range(states):
        for k in range(states):
            step = k - i
            step = -reach if step < -reach else (reach if step > reach else step)
            moved[step + reach] += turns[i * states + k]
    return likelihood


def add(counts, cells, values):
    """Add values to the counts of their pairs."""
    cdef float[::1] count = counts
    cdef const int32_t[::1] cell = cells
    cdef const float[::1] value = values
    if cell.shape[0] != value.shape[0]:
        raise ValueError("not as many values as cells")
    check_range(cells, count.shape[0], "a cell without a count")
    cdef Py_ssize_t i
    with nogil:
        for i in range(cell.shape[0]):
            count[cell[i]] += value[i]


def shares(counts, groups, Py_ssize_t kinds, double smoothing, prob):
    """Turn counts into shares of the total of their group."""
    cdef const float[::1] count = counts
    cdef const int32_t[::1] group = groups
    cdef float[::1] chance = prob
    if not count.shape[0] == group.shape[0] == chance.shape[0]:
        raise ValueError("columns of different lengths")
    check_range(groups, kinds, "a pair without a total")
    if not 0 <= kinds <= MOST_TYPES:
        raise ValueError("more groups than can be counted")
    total_array = np.zeros(kinds)
    cdef double[::1] total = total_array
    cdef Py_ssize_t i
    with nogil:
        for i in range(count.shape[0]):
            total[group[i]] += count[i] + smoothing
        for i in range(count.shape[0]):
            if total[group[i]] > 0:
                chance[i] = <float> ((count[i] + smoothing) / total[group[i]])
            else:
                chance[i] = 0


cdef int check_range(numbers, Py_ssize_t end, str message) except -1:
    if len(numbers) and (numbers.min() < 0 or numbers.max() >= end):
        raise ValueError(message)
    return 0


def best(cell_offsets, offsets, bint turned, Py_ssize_t first, Py_ssize_t last, links, none):
    """Return the likeliest link of each word."""
    cdef const int64_t[::1] ends = np.ascontiguousarray(cell_offsets, np.int64)
    cdef const int64_t[::1] start = np.ascontiguousarray(offsets, np.int64)
    cdef const float[::1] link = links
    cdef const float[::1] null = none
    if not 0 <= first <= last < start.shape[0] or ends.shape[0] != start.shape[0]:
        raise ValueError("sentences out of range")
    for cut in (cell_offsets[first:last + 1], offsets[first:last + 1]):
        if cut[0] < 0 or (np.diff(cut) < 0).any():
            raise ValueError("offsets that do not cut what they should")
    if link.shape[0] != ends[last] - ends[first]:
        raise ValueError("not as much room as there are links")
    if null.shape[0] != start[last] - start[first]:
        raise ValueError("not as much room as there are words")
    found_array = np.full(null.shape[0], -1, np.int32)
    cdef int32_t[::1] found = found_array
    cdef Py_ssize_t sentence, height, width, i, j, base, along, across, at
    cdef float most
    for sentence in range(first, last):
        height = start[sentence + 1] - start[sentence]
        width = ends[sentence + 1] - ends[sentence]
        if (width % height) if height else width:
            raise ValueError("cells that are no rectangle")
    with nogil:
        for sentence in range(first, last):
            height = start[sentence + 1] - start[sentence]
            if not height:
                continue
            width = (ends[sentence + 1] - ends[sentence]) // height
            along = 1 if turned else height
            across = width if turned else 1
            base = ends[sentence] - ends[first]
            for j in range(height):
                at = start[sentence] - start[first] + j
                most = null[at]
                for i in range(width):
                    if link[base + i * along + j * across] > most:
                        most = link[base + i * along + j * across]
                        found[at] = <int32_t> i
    return found_array


cdef enum:
    INTERSECTION = 0
    UNION = 1
    GROW_DIAG = 2
    FINAL = 3
    FINAL_AND = 4
    AHEAD = 1
    BACK = 2
    LINKED = 4

cdef int *STEPS = [-1, 0, 0, -1, 1, 0, 0, 1, -1, -1, -1, 1, 1, -1, 1, 1]


def symmetrise(forward, target_offsets, backward, source_offsets, int way):
    """Make one alignment of the links in two directions."""
    checked_sides(backward + 1, source_offsets, forward + 1, target_offsets)
    heights, widths = np.diff(source_offsets), np.diff(target_offsets)
    if (forward >= np.repeat(heights, widths)).any():
        raise ValueError("a link to a word that is not there")
    if (backward >= np.repeat(widths, heights)).any():
        raise ValueError("a link to a word that is not there")
    if not 0 <= way <= 4:
        raise ValueError("there is no such way")
    cdef const int32_t[::1] one = np.ascontiguousarray(forward, np.int32)
    cdef const int32_t[::1] two = np.ascontiguousarray(backward, np.int32)
    cdef const int64_t[::1] begin = np.ascontiguousarray(target_offsets, np.int64)
    cdef const int64_t[::1] start = np.ascontiguousarray(source_offsets, np.int64)
    cdef Py_ssize_t sentences = start.shape[0] - 1, sentence, height, width, count = 0, i
    sources_array = np.empty(one.shape[0] + two.shape[0], np.int32)
    targets_array = np.empty(one.shape[0] + two.shape[0], np.int32)
    ends_array = np.zeros(sentences + 1, np.int64)
    cdef int32_t[::1] sources = sources_array, targets = targets_array
    cdef int64_t[::1] ends = ends_array
    cdef Py_ssize_t room = int((heights * widths + heights + widths).max(initial=0))
    cdef unsigned char *table = <unsigned char *> malloc(room + 1)
    if table == NULL:
        raise MemoryError
    with nogil:
        for sentence in range(sentences):
            height = start[sentence + 1] - start[sentence]
            width = begin[sentence + 1] - begin[sentence]
            for i in range(height * width + height + width):
                table[i] = 0
            if height and width:
                fill(table, &one[begin[sentence]], &two[start[sentence]], height, width, way)
            for i in range(height * width):
                if table[i] & LINKED:
                    sources[count] = <int32_t> (i // width)
                    targets[count] = <int32_t> (i % width)
                    count += 1
            ends[sentence + 1] = count
    free(table)
    return sources_array[:count].copy(), targets_array[:count].copy(), ends_array


cdef void fill(
    unsigned char *table, const int32_t *one, const int32_t *two, Py_ssize_t height,
    Py_ssize_t width, int way
) noexcept nogil:
    # Marks the links; a source or target word that has one is marked behind the table.
    cdef unsigned char *rows = table + height * width
    cdef unsigned char *columns = rows + height
    cdef Py_ssize_t s, t, i, j, k, at
    cdef int which
    cdef bint grown = True
    for t in range(width):
        if one[t] >= 0:
            table[one[t] * width + t] |= AHEAD
    for s in range(height):
        if two[s] >= 0:
            table[s * width + two[s]] |= BACK
    for at in range(height * width):
        if table[at] == AHEAD | BACK or (way == UNION and table[at]):
            table[at] |= LINKED
            rows[at // width] = 1
            columns[at % width] = 1
    if way == INTERSECTION or way == UNION:
        return
    while grown:  # every round but the last adds a link, and there are only so many
        grown = False
        for s in range(height):
            for t in range(width):
                if not table[s * width + t] & LINKED:
                    continue
                for k in range(8):
                    i, j = s + STEPS[2 * k], t + STEPS[2 * k + 1]
                    if not (0 <= i < height and 0 <= j < width):
                        continue
                    at = i * width + j
                    if table[at] and not table[at] & LINKED and not (rows[i] and columns[j]):
                        table[at] |= LINKED
                        rows[i] = 1
                        columns[j] = 1
                        grown = True
    if way == GROW_DIAG:
        return
    for which in range(AHEAD, BACK + 1):
        for s in range(height):
            for t in range(width):
                at = s * width + t
                if not table[at] & which or table[at] & LINKED or (rows[s] and columns[t]):
                    continue
                if way == FINAL or not (rows[s] or columns[t]):
                    table[at] |= LINKED
                    rows[s] = 1
                    columns[t] = 1
