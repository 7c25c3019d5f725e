"""How likely words of sentence pairs are linked: the loops of IBM model 1 and of the HMM.

A corpus of sentence pairs is numbered once: each pair of words that stands in some sentence pair
has a number, and each cell (source word × target word) of each sentence pair has the number of its
pair. All that is learnt about pairs of words are columns over these numbers.

This is the plain twin of ``_word_alignment.pyx``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "FINAL",
    "FINAL_AND",
    "GROW_DIAG",
    "INTERSECTION",
    "UNION",
    "add",
    "best",
    "expected",
    "number_pairs",
    "shares",
    "symmetrise",
]

MOST_TYPES = 1 << 24
"""No side may have more different words than this."""

Words = NDArray[np.int32]
Offsets = NDArray[np.int64]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


def number_pairs(
    source: Words, source_offsets: Offsets, target: Words, target_offsets: Offsets, types: int
) -> tuple[Words, Offsets, Offsets, Words]:
    """Give a number to each pair of words that stands in the same sentence pair.

    `source` and `target` are the words, as numbers from 0 (those of the source below `types`), cut
    into sentences by their offsets. Returned are the number of the pair in each cell, row by row (a
    row is a source word); where the cells of each sentence begin; where the pairs of each source
    word begin; and the target word of each pair.

    >>> ours, theirs = np.array([0, 1, 0], np.int32), np.array([5, 5, 6], np.int32)
    >>> cells, offsets, starts, columns = number_pairs(
    ...     ours, np.array([0, 2, 3]), theirs, np.array([0, 1, 3]), 2
    ... )
    >>> cells.tolist(), offsets.tolist(), starts.tolist(), columns.tolist()
    ([0, 2, 0, 1], [0, 2, 4], [0, 2, 3], [5, 6, 5])
    """
    checked_sides(source, source_offsets, target, target_offsets)
    checked_types(source, target, types)
    seen: list[dict[int, list[int]]] = [{} for _ in range(types)]
    offsets = [0]
    for n in range(len(source_offsets) - 1):
        width = int(target_offsets[n + 1] - target_offsets[n])
        row = source[source_offsets[n] : source_offsets[n + 1]].tolist()
        column = target[target_offsets[n] : target_offsets[n + 1]].tolist()
        for i, word in enumerate(row):
            for j, other in enumerate(column):
                seen[word].setdefault(other, []).append(offsets[-1] + i * width + j)
        offsets.append(offsets[-1] + len(row) * width)
    cells = np.empty(offsets[-1], np.int32)
    starts, columns = [0], list[int]()
    for pairs in seen:
        for other, places in pairs.items():
            cells[places] = len(columns)
            columns.append(other)
        starts.append(len(columns))
    return cells, np.array(offsets), np.array(starts), np.array(columns, np.int32)


def checked_sides(ours: Words, starts: Offsets, theirs: Words, begins: Offsets) -> None:
    """Refuse words and offsets of two sides that are not sentence pairs."""
    for words, offsets in ((ours, starts), (theirs, begins)):
        if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(words):
            raise ValueError("offsets that do not cut the words into sentences")
        if (np.diff(offsets) < 0).any():
            raise ValueError("offsets that do not cut the words into sentences")
        if len(words) and words.min() < 0:
            raise ValueError("a word below 0")
    if len(starts) != len(begins):
        raise ValueError("two sides with different numbers of sentences")


def checked_types(source: Words, target: Words, types: int) -> None:
    """Refuse numbers of words that would reserve memory for words that are not there."""
    _check_range(source, types, "a source word beyond the types")
    if not 0 <= types <= MOST_TYPES or (len(target) and target.max() >= MOST_TYPES):
        raise ValueError("more different words than can be numbered")


def _check_range(numbers: NDArray[Any], end: int, message: str) -> None:
    if len(numbers) and (numbers.min() < 0 or numbers.max() >= end):
        raise ValueError(message)


def expected(  # noqa: PLR0913, PLR0917  # a kernel takes its arguments by place
    pairs: tuple[Words, Offsets],
    words: Words,
    offsets: Offsets,
    prob: Floats,
    null_prob: Floats,
    jumps: Doubles | None,
    empty: float,
    turned: bool,  # noqa: FBT001  # a kernel takes its arguments by place
    first: int,
    last: int,
    out: Floats,
    null_out: Floats,
    jump_counts: Doubles,
) -> float:
    """Fill in how likely each link is, and return the logarithm of how likely the words are.

    `words` (cut by `offsets`) are those that are explained, each by one word of the other side or
    by the empty word; they are the target words or, where the direction is `turned`, the source
    words. `pairs` are the cells and where those of each sentence begin. A word comes from a word of
    the other side with probability `prob` (of the pair), from the empty word with probability
    `null_prob` (of the word); the empty word is chosen with probability `empty`.

    Without `jumps` all words of the other side are equally likely (IBM model 1; Brown et al. 1993).
    With them, the word that explains depends on the one that explained the word before: the weights
    are those of a jump from -r to r places, longer ones count as the longest, and the empty word
    keeps the place (a hidden Markov model; Vogel, Ney & Tillmann 1996, Och & Ney 2003). A word that
    nothing explains is linked to nothing.

    `out` gets the probability of each link in the sentences from `first` to before `last`,
    `null_out` that of no link for each word, and the expected jumps are added to `jump_counts`.
    """
    cells, ends = pairs
    _check_sentences(pairs, words, offsets, first, last)
    _check_room(ends, offsets, first, last, out, null_out)
    _check_numbers(jumps, jump_counts, empty)
    _check_range(cells[ends[first] : ends[last]], len(prob), "a pair without a probability")
    _check_range(
        words[offsets[first] : offsets[last]], len(null_prob), "a word without a probability"
    )
    likelihood = 0.0
    for n in range(first, last):
        height = int(offsets[n + 1] - offsets[n])
        begin, end = int(ends[n]), int(ends[n + 1])
        if (end - begin) % height if height else end - begin:
            raise ValueError("cells that are no rectangle")
        if not height:
            continue
        width = (end - begin) // height
        null = null_prob[words[offsets[n] : offsets[n + 1]]].astype(np.float64)
        emitted = prob[cells[begin:end]].astype(np.float64)
        emitted = emitted.reshape(height, width) if turned else emitted.reshape(width, height).T
        if not width:
            likely, none = emitted, np.ones(height)
        elif jumps is None:
            likely, none, more = _scattered(emitted, null, empty)
            likelihood += more
        else:
            likely, none, more = _walked(emitted, null, empty, jumps, jump_counts)
            likelihood += more
        out[begin - ends[first] : end - ends[first]] = (likely if turned else likely.T).ravel()
        null_out[offsets[n] - offsets[first] : offsets[n + 1] - offsets[first]] = none
    return likelihood


def _check_sentences(
    pairs: tuple[Words, Offsets], words: Words, offsets: Offsets, first: int, last: int
) -> None:
    cells, ends = pairs
    if not 0 <= first <= last < len(offsets) or len(ends) != len(offsets):
        raise ValueError("sentences out of range")
    for numbers, cut in ((words, offsets), (cells, ends)):
        part = cut[first : last + 1]
        if part[0] < 0 or part[-1] > len(numbers) or (np.diff(part) < 0).any():
            raise ValueError("offsets that do not cut what they should")


def _check_room(
    ends: Offsets, offsets: Offsets, first: int, last: int, out: Floats, null_out: Floats
) -> None:
    if len(out) != ends[last] - ends[first]:
        raise ValueError("not as much room as there are links")
    if len(null_out) != offsets[last] - offsets[first]:
        raise ValueError("not as much room as there are words")


def _check_numbers(jumps: Doubles | None, jump_counts: Doubles, empty: float) -> None:
    if jumps is not None and (len(jumps) % 2 != 1 or len(jump_counts) != len(jumps)):
        raise ValueError("jumps that are not as many to the left as to the right")
    if jumps is not None and not (jumps.min() > 0 and np.isfinite(jumps).all()):
        raise ValueError("a jump without a weight")
    if not 0 <= empty < 1:
        raise ValueError("a share of empty words that is none")


def _scattered(emitted: Doubles, null: Doubles, empty: float) -> tuple[Doubles, Doubles, float]:
    links = emitted * (1 - empty) / emitted.shape[1]
    total = links.sum(axis=1) + null * empty
    explained = total > 0
    links[explained] /= total[explained, None]
    none = np.where(explained, null * empty / np.where(explained, total, 1), 1)
    return links, none, float(np.log(total[explained]).sum())


def _walked(
    emitted: Doubles, null: Doubles, empty: float, jumps: Doubles, jump_counts: Doubles
) -> tuple[Doubles, Doubles, float]:
    """Run forward and backward over the words of a sentence.

    The state after a word is where the last link was; `here` is its probability, of which `vacant`
    is the part in which the word itself comes from the empty word.
    """
    height, width = emitted.shape
    reach = len(jumps) // 2
    steps = np.clip(np.arange(width) - np.arange(width)[:, None], -reach, reach) + reach
    move = jumps[steps]
    move = move * (1 - empty) / move.sum(axis=1, keepdims=True)
    here, vacant = np.zeros((2, height, width))
    scale, passed = np.ones(height), np.zeros(height, np.bool_)
    likelihood = 0.0
    before = np.full(width, 1 / width)
    for j in range(height):
        arriving = np.full(width, (1 - empty) / width) if j == 0 else before @ move
        vacant[j] = before * empty * null[j]
        here[j] = arriving * emitted[j] + vacant[j]
        total = here[j].sum()
        passed[j] = total <= 0
        if passed[j]:
            here[j] = vacant[j] = before
        else:
            scale[j] = total
            here[j] /= total
            vacant[j] /= total
            likelihood += float(np.log(total))
        before = here[j]
    links, none = np.zeros((height, width)), np.zeros(height)
    turns = np.zeros((width, width))
    behind = np.ones(width)
    for j in reversed(range(height)):
        none[j] = (vacant[j] * behind).sum()
        links[j] = np.maximum((here[j] - vacant[j]) * behind, 0)
        if j and not passed[j]:
            ahead = emitted[j] * behind / scale[j]
            turns += here[j - 1][:, None] * move * ahead
            behind = move @ ahead + empty * null[j] * behind / scale[j]
    np.add.at(jump_counts, steps.ravel(), turns.ravel())
    return links, none, likelihood


def add(counts: Floats, cells: Words, values: Floats) -> None:
    """Add to the counts of pairs the values that stand in their cells.

    >>> counts = np.zeros(2, np.float32)
    >>> add(counts, np.array([1, 1], np.int32), np.array([0.5, 0.25], np.float32))
    >>> counts.tolist()
    [0.0, 0.75]
    """
    if len(cells) != len(values):
        raise ValueError("not as many values as cells")
    _check_range(cells, len(counts), "a cell without a count")
    np.add.at(counts, cells, values)


def shares(counts: Floats, groups: Words, kinds: int, smoothing: float, prob: Floats) -> None:
    """Turn counts into shares of the total of their group, `smoothing` added to each.

    >>> prob = np.empty(3, np.float32)
    >>> counts = np.array([1.0, 3.0, 2.0], np.float32)
    >>> shares(counts, np.array([0, 0, 1], np.int32), 2, 0.0, prob)
    >>> prob.tolist()
    [0.25, 0.75, 1.0]
    """
    if not len(counts) == len(groups) == len(prob):
        raise ValueError("columns of different lengths")
    _check_range(groups, kinds, "a pair without a total")
    if not 0 <= kinds <= MOST_TYPES:
        raise ValueError("more groups than can be counted")
    more = counts.astype(np.float64) + smoothing
    total = np.bincount(groups, more, minlength=kinds)[groups]
    prob[:] = np.divide(more, total, out=np.zeros(len(counts)), where=total > 0)


def best(
    cell_offsets: Offsets,
    offsets: Offsets,
    turned: bool,  # noqa: FBT001  # a kernel takes its arguments by place
    first: int,
    last: int,
    links: Floats,
    none: Floats,
) -> Words:
    """Return the likeliest link of each word (its place in the other sentence), -1 for none.

    What the arguments are, :func:`expected` tells. Of equally likely ones the first is taken.

    >>> links, none = np.array([0.2, 0.6, 0.7, 0.1], np.float32), np.array([0.1, 0.3], np.float32)
    >>> ends = np.array([0, 4]), np.array([0, 2])
    >>> [best(*ends, turned, 0, 1, links, none).tolist() for turned in (False, True)]
    [[1, 0], [1, 0]]
    """
    if not 0 <= first <= last < len(offsets) or len(cell_offsets) != len(offsets):
        raise ValueError("sentences out of range")
    for cut in (cell_offsets[first : last + 1], offsets[first : last + 1]):
        if cut[0] < 0 or (np.diff(cut) < 0).any():
            raise ValueError("offsets that do not cut what they should")
    _check_room(cell_offsets, offsets, first, last, links, none)
    partners = np.full(len(none), -1, np.int32)
    for n in range(first, last):
        begin, end = (int(place - offsets[first]) for place in offsets[n : n + 2])
        left, right = (int(place - cell_offsets[first]) for place in cell_offsets[n : n + 2])
        part = links[left:right]
        height = end - begin
        if len(part) % height if height else len(part):
            raise ValueError("cells that are no rectangle")
        if not len(part):
            continue
        table = part.reshape(height, -1) if turned else part.reshape(-1, height).T
        place = table.argmax(axis=1)
        likely = table[np.arange(height), place] > none[begin:end]
        partners[begin:end] = np.where(likely, place, -1)
    return partners


INTERSECTION, UNION, GROW_DIAG, FINAL, FINAL_AND = range(5)
"""The ways to make one alignment of two."""

_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def symmetrise(
    forward: Words, target_offsets: Offsets, backward: Words, source_offsets: Offsets, way: int
) -> tuple[Words, Words, Offsets]:
    """Make one alignment of the links from each target word and those from each source word.

    `forward` has for each target word the place of its source word, `backward` for each source word
    that of its target word; -1 is none. Returned are the source and the target places of the links,
    and where those of each sentence begin.

    From the intersection, GROW_DIAG takes neighbours of links (diagonal ones too) that are in the
    union and have a word without a link, as long as there are any; FINAL then takes links of the
    union that have a word without a link, FINAL_AND those between two words without one, first from
    `forward`, then from `backward` (Koehn, Och & Marcu 2003; Koehn et al. 2005).

    >>> one, two = np.array([0, 0], np.int32), np.array([0, 1], np.int32)
    >>> ends = np.array([0, 2])
    >>> [x.tolist() for x in symmetrise(one, ends, two, ends, INTERSECTION)]
    [[0], [0], [0, 1]]
    >>> [x.tolist() for x in symmetrise(one, ends, two, ends, GROW_DIAG)]
    [[0, 0, 1], [0, 1, 1], [0, 3]]
    """
    _check_links(forward, target_offsets, backward, source_offsets)
    if way not in range(5):
        raise ValueError("there is no such way")
    pairs: list[tuple[int, int]] = []
    ends = [0]
    for n in range(len(source_offsets) - 1):
        one = forward[target_offsets[n] : target_offsets[n + 1]].tolist()
        two = backward[source_offsets[n] : source_offsets[n + 1]].tolist()
        pairs += sorted(_symmetrised(one, two, way))
        ends.append(len(pairs))
    links = np.array(pairs, np.int32).reshape(-1, 2)
    return links[:, 0].copy(), links[:, 1].copy(), np.array(ends)


def _check_links(
    forward: Words, target_offsets: Offsets, backward: Words, source_offsets: Offsets
) -> None:
    checked_sides(backward + 1, source_offsets, forward + 1, target_offsets)
    sides = (
        (forward, np.diff(target_offsets), np.diff(source_offsets)),
        (backward, np.diff(source_offsets), np.diff(target_offsets)),
    )
    for links, own, other in sides:
        if (links >= np.repeat(other, own)).any():
            raise ValueError("a link to a word that is not there")


def _symmetrised(one: list[int], two: list[int], way: int) -> set[tuple[int, int]]:
    ahead = [(s, t) for t, s in enumerate(one) if s >= 0]
    back = [(s, t) for s, t in enumerate(two) if t >= 0]
    union = {*ahead, *back}
    if way == UNION:
        return union
    links = {*ahead} & {*back}
    if way == INTERSECTION:
        return links
    words = [{link[side] for link in links} for side in (0, 1)]
    grown = True
    while grown:
        before = len(links)
        for s in range(len(two)):
            for t in range(len(one)):
                if (s, t) in links:
                    around = [(s + ds, t + dt) for ds, dt in _NEIGHBOURS]
                    _take(links, words, [link for link in around if link in union], 1)
        grown = len(links) > before
    if way in (FINAL, FINAL_AND):
        _take(links, words, [*sorted(ahead), *sorted(back)], 1 + (way == FINAL_AND))
    return links


def _take(
    links: set[tuple[int, int]],
    words: list[set[int]],
    more: list[tuple[int, int]],
    free: int,
) -> None:
    """Add links of which at least so many words are without one."""
    for link in more:
        if (link[0] not in words[0]) + (link[1] not in words[1]) >= free:
            links.add(link)
            words[0].add(link[0])
            words[1].add(link[1])
