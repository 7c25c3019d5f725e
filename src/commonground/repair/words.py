"""Which words of a draft are which of those that should be there.

Words with the same form anchor the rest (:mod:`commonground.tokens.differences`), then words that
differ only in case, quotes or dashes. Between anchors, words that spell the same text are words
joined or split; as many as there should be are changed ones; otherwise those that are most alike
belong together, and what is left is lost, doubled or too much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise

from commonground.tokens.differences import common_places
from commonground.tokens.spelling import plain

__all__ = ["WordMatch", "match_words"]

_CELLS = 2_500
"""Stretches of more pairs of words are taken word by word."""
_PAIR = 0.5
"""What a pair is worth, however unlike its words: a changed word is one defect, not two."""


@dataclass(slots=True)
class WordMatch:
    """For each right word its word in the draft, and the other way round (-1 for none).

    `stands_for` has also words of the draft that are parts of a right word, or its doubles;
    `inside` are right words that the draft joins with the one before.
    `wrong` are the defects: their class, the place in the draft (or before it), and what it is
    about.
    """

    partner: list[int]
    stands_for: list[int]
    wrong: list[tuple[str, int, str]] = field(default_factory=list)
    inside: set[int] = field(default_factory=set)

    def pair(self, right: int, drafted: int) -> None:
        """Note that two words belong together."""
        self.partner[right], self.stands_for[drafted] = drafted, right


def match_words(right: Sequence[str], drafted: Sequence[str]) -> WordMatch:
    """Return which words of a draft are which of the right ones.

    >>> match = match_words("The dog can not bark".split(), "The the cat cannot bark".split())
    >>> match.partner, match.wrong
    ([0, 2, 3, -1, 4], [('doubled-word', 1, 'the'), ('changed-word', 2, 'dog'), \
('joined-words', 3, 'can not')])
    """
    match = WordMatch([-1] * len(right), [-1] * len(drafted))
    for a, b in common_places(right, drafted):
        match.pair(a, b)
    plainly, also = [plain(form) for form in right], [plain(form) for form in drafted]
    for one, two in list(_stretches(match)):
        for a, b in common_places([plainly[a] for a in one], [also[b] for b in two]):
            match.pair(one[a], two[b])
            match.wrong.append(("changed-word", two[b], right[one[a]]))
    for one, two in list(_stretches(match)):
        _stretch(match, one, two, right, drafted)
    match.wrong.sort(key=lambda each: each[1])
    return match


def _stretches(match: WordMatch) -> Iterator[tuple[range, range]]:
    """Return the stretches without partners between pairs, on both sides."""
    pairs = [(a, b) for a, b in enumerate(match.partner) if b >= 0]
    edges = [(-1, -1), *pairs, (len(match.partner), len(match.stands_for))]
    for (a, b), (c, d) in pairwise(edges):
        if c - a > 1 or d - b > 1:
            yield range(a + 1, c), range(b + 1, d)


def _stretch(
    match: WordMatch, one: range, two: range, right: Sequence[str], drafted: Sequence[str]
) -> None:
    """Pair the words of a stretch."""
    single = [b for b in two if _twin(match, b, drafted) < 0]
    mine, theirs = [right[a] for a in one], [drafted[b] for b in single]
    for some, parts in _recuts([plain(x) for x in mine], [plain(x) for x in theirs]):
        _recut(match, [one[a] for a in some], [single[b] for b in parts], right)
    free = [a for a in one if match.partner[a] < 0 and a not in match.inside]
    rest = [b for b in single if match.stands_for[b] < 0]
    for a, b in _alike([right[a] for a in free], [drafted[b] for b in rest]):
        match.pair(free[a], rest[b])
        match.wrong.append(("changed-word", rest[b], right[free[a]]))
    lost = [a for a in one if match.partner[a] < 0 and a not in match.inside]
    match.wrong += [("lost-word", _place(match, a), right[a]) for a in lost]
    for b in two:
        if match.stands_for[b] < 0:
            twin = _twin(match, b, drafted)
            match.stands_for[b] = match.stands_for[twin] if twin >= 0 else -1
            match.wrong.append(("doubled-word" if twin >= 0 else "extra-word", b, drafted[b]))


def _place(match: WordMatch, right: int) -> int:
    """Return the place in the draft after which a lost word should stand."""
    return next((match.partner[a] for a in range(right - 1, -1, -1) if match.partner[a] >= 0), 0)


def _twin(match: WordMatch, drafted: int, forms: Sequence[str]) -> int:
    """Return a word beside one of the draft that has the same form and a partner, else -1."""
    form = plain(forms[drafted])
    for step in (-1, 1):
        other = drafted + step
        while 0 <= other < len(forms) and plain(forms[other]) == form:
            if match.stands_for[other] >= 0:
                return other
            other += step
    return -1


def _recuts(one: Sequence[str], two: Sequence[str]) -> Iterator[tuple[range, range]]:
    """Return words that spell the same text, one on one side and several on the other.

    >>> list(_recuts(["dog", "can", "not"], ["cat", "cannot"]))
    [(range(1, 3), range(1, 2))]
    """
    if len(one) * len(two) > _CELLS:
        return
    here = there = 0
    while here < len(one) and there < len(two):
        spots = ((a, b) for a in range(here, len(one)) for b in range(there, len(two)))
        for a, b in spots:
            wide, other = _spelled(one, a, two[b]), _spelled(two, b, one[a])
            if wide > 1 or other > 1:
                some, parts = range(a, a + max(wide, 1)), range(b, b + max(other, 1))
                yield some, parts
                here, there = some.stop, parts.stop
                break
        else:
            return


def _spelled(words: Sequence[str], start: int, text: str) -> int:
    """Return how many words from `start` on spell a text; 0 where they do not."""
    spelled = ""
    for count, word in enumerate(words[start:], 1):
        spelled += word
        if spelled == text:
            return count
        if not text.startswith(spelled):
            break
    return 0


def _recut(
    match: WordMatch, some: Sequence[int], parts: Sequence[int], right: Sequence[str]
) -> None:
    """Pair the first of some words with the first of the parts that spell the same."""
    for b in parts:
        match.stands_for[b] = some[0]
    match.pair(some[0], parts[0])
    match.inside.update(some[1:])
    kind = "joined-words" if len(parts) < len(some) else "split-word"
    match.wrong.append((kind, parts[0], " ".join(right[a] for a in some)))


def _alike(one: Sequence[str], two: Sequence[str]) -> list[tuple[int, int]]:
    """Return which words of two stretches belong together, in order."""
    if len(one) == len(two) or len(one) * len(two) > _CELLS:
        return [(place, place) for place in range(min(len(one), len(two)))]
    return _most_alike(one, two)


def _most_alike(one: Sequence[str], two: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs, in order, that are most alike in sum."""
    best = [[0.0] * (len(two) + 1) for _ in range(len(one) + 1)]
    alike = [[_likeness(a, b) for b in two] for a in one]
    for a in range(len(one) - 1, -1, -1):
        for b in range(len(two) - 1, -1, -1):
            both = _PAIR + alike[a][b] + best[a + 1][b + 1]
            best[a][b] = max(both, best[a + 1][b], best[a][b + 1])
    pairs, a, b = [], 0, 0
    while a < len(one) and b < len(two):
        if best[a][b] == best[a + 1][b]:
            a += 1
        elif best[a][b] == best[a][b + 1]:
            b += 1
        else:
            pairs.append((a, b))
            a, b = a + 1, b + 1
    return pairs


_LONGEST = 50


def _likeness(one: str, two: str) -> float:
    short, other = plain(one)[:_LONGEST], plain(two)[:_LONGEST]
    return SequenceMatcher(None, short, other, autojunk=False).ratio()
