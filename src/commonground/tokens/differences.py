"""Which words two sequences have in common, in the same order: a patience diff.

Words that both sides have once anchor the rest (Cohen's patience diff); the longest chain of
anchors in the same order stays, and the stretches between them are compared in the same way. Where
no word is there only once, the longest common subsequence decides, as long as that is cheap; beyond
that only what the two stretches begin and end with is the same. So the work is bounded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

__all__ = ["common_places", "in_order"]

Pair = tuple[int, int]

_CELLS = 100_000
"""A table of so many cells is cheap; longer stretches without anchors are left as they are."""
_ALL_CELLS = 10_000_000
"""Maximum number of cells in all tables of a comparison: seconds, whatever the input."""


def common_places(one: Sequence[str], two: Sequence[str]) -> list[Pair]:
    """Return the places of the words that both sequences have in common, in their order.

    >>> common_places("the old dog barks".split(), "the dog barks loudly".split())
    [(0, 0), (2, 1), (3, 2)]
    """
    pairs: list[Pair] = []
    budget = _ALL_CELLS
    stretches = [(0, len(one), 0, len(two))]
    while stretches:
        start, stop, begin, end = stretches.pop()
        while start < stop and begin < end and one[start] == two[begin]:
            pairs.append((start, begin))
            start, begin = start + 1, begin + 1
        while start < stop and begin < end and one[stop - 1] == two[end - 1]:
            stop, end = stop - 1, end - 1
            pairs.append((stop, end))
        if start == stop or begin == end:
            continue
        anchors = in_order(_anchors(one[start:stop], two[begin:end]))
        cells = (stop - start) * (end - begin)
        if anchors:
            place, other = start, begin
            for here, there in anchors:
                stretches.append((place, start + here, other, begin + there))
                pairs.append((start + here, begin + there))
                place, other = start + here + 1, begin + there + 1
            stretches.append((place, stop, other, end))
        elif cells <= min(_CELLS, budget):
            budget -= cells
            common = _longest_common(one[start:stop], two[begin:end])
            pairs += [(start + here, begin + there) for here, there in common]
    return sorted(pairs)


def _anchors(one: Sequence[str], two: Sequence[str]) -> list[Pair]:
    """Return the places of the words that both have once, in the order of the first."""
    times, others = Counter(one), Counter(two)
    there = {word: place for place, word in enumerate(two) if others[word] == 1}
    return [
        (place, there[word]) for place, word in enumerate(one) if times[word] == 1 and word in there
    ]


def in_order(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the longest chain of pairs, sorted by their first place, whose second places rise.

    >>> in_order([(0, 3), (1, 0), (2, 1), (3, 9)])
    [(1, 0), (2, 1), (3, 9)]
    """
    lowest: list[int] = []  # the lowest end of a chain of each length
    ends: list[int] = []  # which pair that is
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(lowest, place)
        before.append(ends[length - 1] if length else -1)
        if length == len(lowest):
            lowest.append(place)
            ends.append(number)
        else:
            lowest[length], ends[length] = place, number
    return list(_chain(pairs, before, ends[-1] if ends else -1))[::-1]


def _chain(pairs: Sequence[Pair], before: Sequence[int], last: int) -> Iterator[Pair]:
    while last >= 0:
        yield pairs[last]
        last = before[last]


def _longest_common(one: Sequence[str], two: Sequence[str]) -> list[Pair]:
    """Return the places of a longest common subsequence; among several, the earliest words.

    >>> _longest_common("abab", "bab")
    [(1, 0), (2, 1), (3, 2)]
    """
    rest = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for here in range(len(one) - 1, -1, -1):
        row, below, word = rest[here], rest[here + 1], one[here]
        for there in range(len(two) - 1, -1, -1):
            row[there] = (
                below[there + 1] + 1 if word == two[there] else max(below[there], row[there + 1])
            )
    common, here, there = [], 0, 0
    while here < len(one) and there < len(two):
        if one[here] == two[there]:
            common.append((here, there))
            here, there = here + 1, there + 1
        elif rest[here + 1][there] >= rest[here][there + 1]:
            here += 1
        else:
            there += 1
    return common
