"""Which sentences of several treebanks of one text belong together, however each cuts it.

Two treebanks are paired in three steps:

1. sentences with the same text (in any case, without white space, with plain quotes) and the same
   id, or a text that each side has once: one to one, in whatever order;
2. between those, the words that both sides have in common in the same order line up the rest; a
   boundary between sentences is shared where both sides have equally many common characters before
   it, and what lies between two shared boundaries belongs together, m sentences to n;
3. what is left over is paired by its id, if at least half of the text is the same, by its text, or
   with the sentence elsewhere that has nearly the same words, if that is so both ways.

Sentences that belong together share at least half of their characters. Several treebanks are each
paired with the one that has the most words, so that nothing depends on their order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Corpus, Dependencies
from commonground.corpus.joining import joined_sentences
from commonground.corpus.table import sums
from commonground.errors import UsageError
from commonground.tokens.differences import common_places, in_order
from commonground.tokens.spelling import plain

__all__ = ["Group", "SentencePairs", "pair_sentences", "pair_texts", "surface_tokens"]

Numbers = NDArray[np.int64]
Group = tuple[tuple[int, ...], tuple[int, ...]]
"""Sentences of one treebank, and those of another one that belong to them."""

_SAME = 0.5
"""The share of characters that sentences which belong together have in common."""
_EDGE = 0.3
"""A sentence at the edge of a group that shares less of its characters does not belong to it."""


@dataclass(frozen=True)
class SentencePairs:
    """The sentences of several treebanks that belong together.

    `groups` has for each treebank the numbers of its sentences, group by group; groups with the
    same place belong together. `words` is how many words each sentence of each treebank has.
    """

    groups: tuple[tuple[tuple[int, ...], ...], ...]
    words: tuple[tuple[int, ...], ...]

    @cached_property
    def alone(self) -> tuple[tuple[int, ...], ...]:
        """The sentences of each treebank that have no partner in some other one."""
        without_partner = []
        for groups, words in zip(self.groups, self.words, strict=True):
            paired = {sentence for group in groups for sentence in group}
            without_partner.append(tuple(sorted(set(range(len(words))) - paired)))
        return tuple(without_partner)

    @property
    def words_alone(self) -> tuple[int, ...]:
        """How many words of each treebank stand in such sentences."""
        sides = zip(self.alone, self.words, strict=True)
        return tuple(sum(words[sentence] for sentence in alone) for alone, words in sides)

    @property
    def joined(self) -> int:
        """How many groups have more than one sentence of some treebank."""
        return sum(any(len(group) > 1 for group in row) for row in zip(*self.groups, strict=True))

    @property
    def in_place(self) -> bool:
        """Whether every sentence belongs to those in the same place."""
        return not any(self.alone) and all(
            group == (place,) for groups in self.groups for place, group in enumerate(groups)
        )

    def of(self, side: int, corpus: Corpus) -> Corpus:
        """Return a treebank with the sentences of each group put together."""
        groups = self.groups[side]
        order = np.array([sentence for group in groups for sentence in group], np.int64)
        starts = np.array([0, *accumulate(map(len, groups))][: len(groups)], np.int64)
        return joined_sentences(corpus.take(order), starts)


def pair_sentences(corpora: Sequence[Corpus], main: int | None = None) -> SentencePairs:
    """Pair the sentences of treebanks of one text; groups are in the order of the `main` one.

    By default that is the one with the most words.

    >>> one = Dependencies.of([(["Hi"], [0], ["x"]), (["you", "!"], [0, 1], ["x", "y"])])
    >>> two = Dependencies.of([(["Hi", "you", "!"], [0, 1, 2], ["x", "y", "z"])])
    >>> result = pair_sentences([one, two])
    >>> result.groups, result.joined, result.of(0, one).head.tolist()
    ((((0, 1),), ((0,),)), 1, [0, 0, 2])
    """
    texts = [surface_tokens(corpus) for corpus in corpora]
    ids = [corpus.metadata("sent_id").tolist() for corpus in corpora]
    words = tuple(map(_word_counts, corpora))
    chosen = _largest(texts) if main is None else main
    pairs = [
        [((place,), (place,)) for place in range(len(text))]
        if number == chosen
        else pair_texts(texts[chosen], text, ids[chosen], ids[number])
        for number, text in enumerate(texts)
    ]
    return SentencePairs(tuple(_together(pairs, len(texts[chosen]))), words)


def _word_counts(corpus: Corpus) -> tuple[int, ...]:
    """Return how many words each sentence has; traces are none."""
    table = corpus.tables["words"]
    if isinstance(corpus, Constituents):
        return tuple(sums(~corpus.traces, table.offsets).tolist())
    return tuple(table.lengths.tolist())


def _largest(texts: Sequence[Sequence[Sequence[str]]]) -> int:
    """Return the treebank with the most characters; the text decides between two."""

    def size(number: int) -> tuple[int, int]:
        text = "\n".join("".join(tokens) for tokens in texts[number])
        return len(text), crc32(text.encode("utf-8", "surrogatepass"))

    return max(range(len(texts)), key=size)


def _together(pairs: Sequence[Sequence[Group]], size: int) -> list[tuple[tuple[int, ...], ...]]:
    """Return the groups of all treebanks, where sentences of the main one are in one group.

    Only groups that all treebanks have sentences for are kept.
    """
    parent = list(range(size))

    def top(sentence: int) -> int:
        while parent[sentence] != sentence:
            parent[sentence] = parent[parent[sentence]]
            sentence = parent[sentence]
        return sentence

    for groups in pairs:
        for mine, _ in groups:
            for one, other in pairwise(mine):
                low, high = sorted((top(one), top(other)))
                parent[high] = low
    members: list[dict[int, list[int]]] = []
    for groups in pairs:
        by_main: dict[int, list[int]] = defaultdict(list)
        for mine, theirs in groups:
            by_main[top(mine[0])] += theirs
        members.append(by_main)
    whole = Counter(top(sentence) for sentence in range(size))
    covered = [
        Counter(top(sentence) for mine, _ in groups for sentence in mine) for groups in pairs
    ]
    kept = [name for name in sorted(whole) if all(each[name] == whole[name] for each in covered)]
    return [tuple(tuple(sorted(by_main[name])) for name in kept) for by_main in members]


# ── the text of sentences ────────────────────────────────────────────────────────────────────────


def surface_tokens(corpus: Corpus) -> list[list[str]]:
    """Return the tokens of each sentence as they stand in the text, in plain letters.

    >>> from commonground.formats import read_text
    >>> surface_tokens(read_text("(S (NP (NN Men)) (VP (V -LRB-sing) (NP (-NONE- *))))"))
    [['men', '(sing']]
    """
    table = corpus.tables.get("words")
    if table is None:
        raise UsageError(f"{corpus.kind} have no words, so that sentences cannot be paired by them")
    forms: list[str] = table.strings("form").map(plain).tolist()
    if isinstance(corpus, Constituents):
        for row in np.flatnonzero(corpus.traces).tolist():
            forms[row] = ""
    if isinstance(corpus, Dependencies) and corpus.tokens.rows:
        tokens = corpus.tokens
        start = (corpus.offsets[tokens.sentence_of_row()] - 1).tolist()
        columns = (tokens.numbers("first").tolist(), tokens.numbers("last").tolist())
        texts = tokens.strings("form").map(plain).tolist()
        for before, first, last, text in zip(start, *columns, texts, strict=True):
            forms[before + first : before + last + 1] = [text] + [""] * (last - first)
    bounds = table.offsets.tolist()
    return [[form for form in forms[first:last] if form] for first, last in pairwise(bounds)]


# ── two treebanks ────────────────────────────────────────────────────────────────────────────────


def pair_texts(
    one: Sequence[Sequence[str]],
    two: Sequence[Sequence[str]],
    ids: Sequence[str] = (),
    other_ids: Sequence[str] = (),
) -> list[Group]:
    """Return which sentences (lists of tokens) of two texts belong together.

    >>> pair_texts([["a", "b"], ["c"], ["d"]], [["a"], ["b", "c"], ["x", "x"], ["d"]])
    [((0, 1), (0, 1)), ((2,), (3,))]
    """
    keys, others = (["".join(tokens) for tokens in side] for side in (one, two))
    same_id = _unique_pairs(ids, other_ids)
    if all(keys) and all(others) and "".join(keys) == "".join(others):
        cut = _cut_alike(keys, others)
        group_of, other_group_of = (
            {s: at for at, group in enumerate(cut) for s in group[k]} for k in (0, 1)
        )
        if all(group_of[a] == other_group_of[b] for a, b in same_id):
            return cut
    fixed = {a: b for a, b in same_id if keys[a] == others[b] and keys[a]}
    taken = set(fixed.values())
    left = [place for place in range(len(one)) if place not in fixed and keys[place]]
    right = [place for place in range(len(two)) if place not in taken and others[place]]
    for a, b in _unique_pairs([keys[place] for place in left], [others[place] for place in right]):
        fixed[left[a]] = right[b]
    groups: list[Group] = [((a,), (b,)) for a, b in fixed.items()]
    taken = set(fixed.values())
    for mine, theirs in _gaps(fixed, len(one), len(two)):
        here = [place for place in mine if place not in fixed]
        there = [place for place in theirs if place not in taken]
        groups += _runs_together(here, there, one, two)
    likely = [(a, b) for a, b in same_id if _alike(one[a], two[b])]
    groups += _left_over(groups, keys, others, likely)
    groups += _nearly_the_same(groups, one, two)
    return sorted(groups)


def _cut_alike(one: Sequence[str], two: Sequence[str]) -> list[Group]:
    """Return which sentences of one text belong together: those between ends that both sides have.

    >>> _cut_alike(["ab", "c", "d"], ["a", "bc", "d"])
    [((0, 1), (0, 1)), ((2,), (2,))]
    """
    ends = [
        {end: number for number, end in enumerate(accumulate(map(len, side)), 1)}
        for side in (one, two)
    ]
    groups: list[Group] = []
    before = [0, 0]
    for end in sorted(ends[0].keys() & ends[1].keys()):
        after = [side[end] for side in ends]
        mine, theirs = (tuple(range(a, b)) for a, b in zip(before, after, strict=True))
        groups.append((mine, theirs))
        before = after
    return groups


def _unique_pairs(one: Sequence[str], two: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of texts that both sides have once."""
    times, others = Counter(one), Counter(two)
    there = {text: place for place, text in enumerate(two) if text and others[text] == 1}
    return [
        (place, there[text]) for place, text in enumerate(one) if times[text] == 1 and text in there
    ]


def _gaps(fixed: dict[int, int], size: int, other: int) -> Iterator[tuple[range, range]]:
    """Return the stretches between pairs that are in the same order on both sides."""
    chain = in_order(sorted(fixed.items()))
    for (a, b), (c, d) in pairwise([(-1, -1), *chain, (size, other)]):
        if c - a > 1 and d - b > 1:
            yield range(a + 1, c), range(b + 1, d)


def _runs_together(
    here: Sequence[int],
    there: Sequence[int],
    one: Sequence[Sequence[str]],
    two: Sequence[Sequence[str]],
) -> Iterator[Group]:
    """Return the groups of a stretch, by the characters that both sides have in common."""
    if not here or not there:
        return
    mine, theirs = _common_before([one[p] for p in here], [two[p] for p in there])
    shared = sorted(set(mine) & set(theirs))
    for start, stop in pairwise(shared):
        sides = [
            _trimmed(before, start, stop, sentences, texts)
            for before, sentences, texts in ((mine, here, one), (theirs, there, two))
        ]
        sizes = [
            sum(len(token) for place in side for token in texts[place])
            for side, texts in zip(sides, (one, two), strict=True)
        ]
        if stop - start >= _SAME * max(sizes):
            yield sides[0], sides[1]


def _trimmed(
    before: Sequence[int],
    start: int,
    stop: int,
    sentences: Sequence[int],
    texts: Sequence[Sequence[str]],
) -> tuple[int, ...]:
    """Return the sentences of a group, without those at its edges that share next to nothing."""
    first = len(before) - 1 - before[::-1].index(start)
    last = before.index(stop)

    def is_foreign(place: int) -> bool:
        size = sum(map(len, texts[sentences[place]]))
        return before[place + 1] - before[place] < _EDGE * size

    while last - first > 1 and is_foreign(first):
        first += 1
    while last - first > 1 and is_foreign(last - 1):
        last -= 1
    return tuple(sentences[first:last])


def _common_before(
    one: Sequence[Sequence[str]], two: Sequence[Sequence[str]]
) -> tuple[list[int], list[int]]:
    """Return how many common characters stand before each boundary of the sentences of two texts.

    >>> _common_before([["can", "not"], ["go"]], [["cannot", "go", "on"]])
    ([0, 6, 8], [0, 8])
    """
    words = [[token for tokens in side for token in tokens] for side in (one, two)]
    starts = [[0, *accumulate(map(len, side))] for side in words]
    texts = ["".join(side) for side in words]
    marks: list[tuple[int, int, int]] = [(0, 0, 0)]  # a place of each text, and what is common
    pairs = common_places(words[0], words[1])
    for a, b in [*pairs, (len(words[0]), len(words[1]))]:
        here, there, common = marks[-1]
        to, other = starts[0][a], starts[1][b]
        head, tail = _ends(texts[0][here:to], texts[1][there:other])
        marks.append((here + head, there + head, common + head))
        marks.append((to - tail, other - tail, common + head))
        size = len(words[0][a]) if a < len(words[0]) else 0
        marks.append((to + size, other + size, common + head + tail + size))
    counts = []
    for side, sentences in enumerate((one, two)):
        bounds = [0, *accumulate(sum(map(len, tokens)) for tokens in sentences)]
        places = np.array([mark[side] for mark in marks])
        shared = np.array([mark[2] for mark in marks])
        at = np.searchsorted(places, bounds, side="right") - 1
        after = np.minimum(at + 1, len(marks) - 1)
        inside = np.minimum(np.array(bounds) - places[at], shared[after] - shared[at])
        counts.append((shared[at] + inside).tolist())
    return counts[0], counts[1]


def _ends(one: str, two: str) -> tuple[int, int]:
    """Return how many characters two texts begin and end with in common, none counted twice."""
    most = min(len(one), len(two))
    head = next((n for n in range(most) if one[n] != two[n]), most)
    most -= head
    tail = next((n for n in range(most) if one[-1 - n] != two[-1 - n]), most)
    return head, tail


def _left_over(
    groups: Sequence[Group],
    keys: Sequence[str],
    others: Sequence[str],
    likely: Sequence[tuple[int, int]],
) -> Iterator[Group]:
    """Pair what has no partner: with what has the same id and a like text, or the same text."""
    mine = {place for group, _ in groups for place in group}
    theirs = {place for _, group in groups for place in group}
    for a, b in likely:
        if a not in mine and b not in theirs:
            mine.add(a)
            theirs.add(b)
            yield (a,), (b,)
    places: dict[str, list[int]] = defaultdict(list)
    for place in range(len(others) - 1, -1, -1):
        if place not in theirs and others[place]:
            places[others[place]].append(place)
    for place, key in enumerate(keys):
        if place not in mine and places.get(key):
            yield (place,), (places[key].pop(),)


def _nearly_the_same(
    groups: Sequence[Group], one: Sequence[Sequence[str]], two: Sequence[Sequence[str]]
) -> Iterator[Group]:
    """Pair what has no partner with the sentence that has nearly the same words, if both agree.

    >>> cano = "arma virum que cano troiae qui primus".split()
    >>> [*_nearly_the_same([], [["a"], cano], [["virumque" if w == "que" else w for w in cano]])]
    [((1,), (0,))]
    """
    mine = {place for group, _ in groups for place in group}
    theirs = {place for _, group in groups for place in group}
    left = [place for place, tokens in enumerate(one) if place not in mine and len(tokens) >= _FEW]
    right = [
        place for place, tokens in enumerate(two) if place not in theirs and len(tokens) >= _FEW
    ]
    having: dict[str, list[int]] = defaultdict(list)
    for place in right:
        for word in set(two[place]):
            having[word].append(place)
    best: dict[int, tuple[float, int]] = {}
    for place in left:
        rare = {word for word in one[place] if 0 < len(having.get(word, ())) <= _RARE}
        others = Counter(other for word in rare for other in having[word])
        likeness, other = max(
            ((_likeness(one[place], two[other]), -other) for other, _ in others.most_common(_FEW)),
            default=(0.0, 0),
        )
        if likeness >= _NEARLY and likeness > best.get(-other, (0.0, 0))[0]:
            best[-other] = likeness, place
    for other, (_, place) in best.items():
        yield (place,), (other,)


_FEW = 5
"""Sentences of fewer words are too often like others; and no more than so many are looked at."""
_RARE = 20
"""A word that more sentences have tells nothing about which of them is meant."""
_NEARLY = 0.75
"""The share of characters that sentences have in common which belong together out of order."""


def _alike(one: Sequence[str], two: Sequence[str]) -> bool:
    """Tell whether two sentences share half of their characters, in whatever order their words."""
    return _likeness(one, two) >= _SAME


def _likeness(one: Sequence[str], two: Sequence[str]) -> float:
    """Return the share of characters that the common words of two sentences have."""
    common = sum(len(word) * count for word, count in (Counter(one) & Counter(two)).items())
    return common / max(1, sum(map(len, one)), sum(map(len, two)))
