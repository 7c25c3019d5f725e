"""Multiword expressions: are those of the column PARSEME:MWE found?

A file .cupt has a further column (CoNLL-U Plus): ``1:VID`` at the first word of an expression and
``1`` at its others, several ones joined by ``;``, ``*`` at words that are in none. An expression is
the set of its words; equal sets of a sentence are one, whatever their categories. What a multiword
token is in, its words are in.

    MWE     expressions that both sides have, as F1
    MWE-Tok words of expressions, as F1: expressions of both sides are paired one to one so that as
            many words as possible are shared, and a word is right once for each pair that shares it
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.errors import InputError
from commonground.metrics.dependencies.comparison import UNKNOWN, Comparison
from commonground.metrics.items import Items, Side
from commonground.metrics.metric import Metric
from commonground.metrics.mismatch import path_of
from commonground.metrics.once_per_comparison import once_per_comparison

__all__ = ["COLUMN", "METRICS", "mwe", "mwe_tokens"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Words = tuple[int, ...]

COLUMN = "PARSEME:MWE"
MOST = 300
"""So many expressions may overlap each other; the time to pair them grows with the third power."""


class _Expressions(NamedTuple):
    """Expressions of one side by gold sentence: `rows` of its words, `known` to the gold."""

    rows: list[list[Words]]
    known: list[list[Words]]


def mwe(pair: Comparison) -> Items:
    """Count the expressions that both sides have; an item is at the first word of one."""
    gold, system = _both(pair)
    sides = [
        _side(
            [[(words[0],) for words in each] for each in mine.rows],
            [
                [(known in shared,) for known in each]
                for each, shared in zip(mine.known, theirs, strict=True)
            ],
        )
        for mine, theirs in (
            (gold, [set(each) for each in system.known]),
            (system, [set(each) for each in gold.known]),
        )
    ]
    return Items(sides[0], sides[1], len(pair.gold))


def mwe_tokens(pair: Comparison) -> Items:
    """Count the words of expressions that are in the paired expressions of both sides."""
    gold, system = _both(pair)
    right: tuple[list[list[tuple[bool, ...]]], list[list[tuple[bool, ...]]]] = ([], [])
    for mine, theirs in zip(gold.known, system.known, strict=True):
        partner = dict(best_pairs(mine, theirs))
        back = {two: one for one, two in partner.items()}
        right[0].append([_within(w, theirs, partner.get(at)) for at, w in enumerate(mine)])
        right[1].append([_within(w, mine, back.get(at)) for at, w in enumerate(theirs)])
    return Items(_side(gold.rows, right[0]), _side(system.rows, right[1]), len(pair.gold))


def _within(words: Words, others: Sequence[Words], at: int | None) -> tuple[bool, ...]:
    shared = frozenset(others[at]) if at is not None else frozenset()
    return tuple(word in shared for word in words)


def _side(rows: list[list[Words]], right: list[list[tuple[bool, ...]]]) -> Side:
    """Return a word of each tuple as an item."""
    sizes = [sum(map(len, each)) for each in rows]
    flat = np.fromiter(chain.from_iterable(chain.from_iterable(rows)), np.int64)
    correct = np.fromiter(chain.from_iterable(chain.from_iterable(right)), np.bool_)
    sentence = np.repeat(np.arange(len(rows)), sizes)
    return Side(flat, sentence, correct, np.ones(len(flat), np.bool_))


# ── reading expressions ──────────────────────────────────────────────────────────────────────────


@once_per_comparison
def _both(pair: Comparison) -> tuple[_Expressions, _Expressions]:
    """Return the expressions of gold standard and parse."""
    scored = pair.scored_sentences
    if not pair.settings.shortest and pair.settings.longest is None:
        scored = np.ones_like(scored)
    return (
        _expressions(pair.gold, pair.gold.words.sentence_of_row(), None, scored),
        _expressions(
            pair.system, pair.alignment.sentence_of_system, pair.gold_of_system.tolist(), scored
        ),
    )


def _expressions(
    corpus: Dependencies, gold_sentence: Numbers, gold_row: list[int] | None, scored: Flags
) -> _Expressions:
    found: list[dict[Words, Words]] = [{} for _ in range(len(scored))]
    own = corpus.words.sentence_of_row()
    members: dict[tuple[int, int], list[int]] = {}
    for row, numbers in _numbers_of_words(corpus):
        for number in numbers:
            members.setdefault((int(own[row]), number), []).append(row)
    for rows in members.values():
        words = tuple(sorted(set(rows)))
        if scored[gold_sentence[words[0]]]:
            # A word that the gold standard does not have is in no expression of it.
            known = (
                words if gold_row is None else tuple(_known(gold_row[word], word) for word in words)
            )
            found[gold_sentence[words[0]]].setdefault(known, words)
    ordered = [sorted(each.items(), key=lambda item: item[1]) for each in found]
    return _Expressions(
        [[words for _, words in each] for each in ordered],
        [[known for known, _ in each] for each in ordered],
    )


def _known(gold: int, own: int) -> int:
    return gold if gold != UNKNOWN else UNKNOWN - 1 - own


def _numbers_of_words(corpus: Dependencies) -> Iterable[tuple[int, tuple[int, ...]]]:
    """Return the words that are in expressions, with the numbers of these in the sentence."""
    for table, lines in ((corpus.words, None), (corpus.tokens, corpus.tokens)):
        if COLUMN not in table:
            continue
        column = table.strings(COLUMN)
        parsed = [_numbers(text) for text in column.vocabulary]
        for place in np.flatnonzero(column.where(lambda text: text not in ("*", "_"))).tolist():
            numbers = parsed[column.codes[place]]
            if numbers is None:
                raise _wrong(corpus, place if lines is None else _first(corpus, place), column)
            rows = [place] if lines is None else _words_of_token(corpus, place)
            for row in rows:
                yield row, numbers


def _first(corpus: Dependencies, token: int) -> int:
    return _words_of_token(corpus, token)[0]


def _words_of_token(corpus: Dependencies, token: int) -> list[int]:
    start = int(corpus.offsets[corpus.tokens.sentence_of_row()[token]])
    first, last = (int(corpus.tokens.numbers(name)[token]) for name in ("first", "last"))
    return list(range(start + first - 1, start + last))


def _wrong(corpus: Dependencies, row: int, column: Strings) -> InputError:
    bad = next(text for text in column.vocabulary if _numbers(text) is None and text not in "*_")
    return InputError(
        path_of(corpus),
        int(corpus.lines_of_words()[row]),
        f"{COLUMN} is {bad!r}; a number with a category is expected (1:VID), a number, or *",
    )


def _numbers(text: str) -> tuple[int, ...] | None:
    """Return the numbers of expressions, None if there is something else.

    >>> _numbers("1:VID;3"), _numbers("VID")
    ((1, 3), None)
    """
    numbers = [code.partition(":")[0] for code in text.split(";")]
    if not all(number.isascii() and number.isdigit() and len(number) < 10 for number in numbers):
        return None
    return tuple(dict.fromkeys(map(int, numbers)))


# ── pairing expressions ──────────────────────────────────────────────────────────────────────────


def best_pairs(gold: Sequence[Words], system: Sequence[Words]) -> list[tuple[int, int]]:
    """Pair sets one to one so that the words in common are as many as possible.

    >>> best_pairs([(1, 2), (2, 3)], [(2, 3, 4), (1, 5), (9,)])
    [(0, 1), (1, 0)]
    """
    shared: dict[int, dict[int, int]] = {}
    where: dict[int, list[int]] = {}
    for at, words in enumerate(system):
        for word in words:
            where.setdefault(word, []).append(at)
    for one, words in enumerate(gold):
        for word in words:
            for two in where.get(word, ()):
                row = shared.setdefault(one, {})
                row[two] = row.get(two, 0) + 1
    pairs: list[tuple[int, int]] = []
    for ones, twos in _overlapping(shared):
        if max(len(ones), len(twos)) > MOST:
            raise InputError("", 0, f"more than {MOST} multiword expressions overlap in a sentence")
        weight = np.array([[shared[one].get(two, 0) for two in twos] for one in ones], np.int64)
        pairs += [(ones[one], twos[two]) for one, two in _assigned(weight) if weight[one, two]]
    return sorted(pairs)


def _overlapping(shared: dict[int, dict[int, int]]) -> Iterable[tuple[list[int], list[int]]]:
    """Return the sets of both sides that share words, directly or by others."""
    back: dict[int, list[int]] = {}
    for one, row in shared.items():
        for two in row:
            back.setdefault(two, []).append(one)
    seen: set[int] = set()
    for start in shared:
        if start in seen:
            continue
        ones, waiting = {start}, [start]
        twos: set[int] = set()
        while waiting:
            for two in shared[waiting.pop()].keys() - twos:
                twos.add(two)
                new = [one for one in back[two] if one not in ones]
                ones.update(new)
                waiting += new
        seen |= ones
        yield sorted(ones), sorted(twos)


def _assigned(weight: Numbers) -> list[tuple[int, int]]:
    """Return the assignment with the highest sum (Kuhn 1955, Munkres 1957; by shortest paths).

    >>> _assigned(np.array([[2, 1], [2, 0]]))
    [(0, 1), (1, 0)]
    """
    if weight.shape[0] > weight.shape[1]:
        return sorted((one, two) for two, one in _assigned(weight.T))
    rows, columns = weight.shape
    cost = weight.max() - weight
    far = int(cost.sum()) + 1
    of_row, of_column = np.zeros(rows + 1, np.int64), np.zeros(columns + 1, np.int64)
    taken = np.zeros(columns + 1, np.int64)  # the row of each column, both from 1; 0 is none
    for row in range(1, rows + 1):
        taken[0], column = row, 0
        least, before = np.full(columns + 1, far), np.zeros(columns + 1, np.int64)
        used = np.zeros(columns + 1, np.bool_)
        while taken[column]:
            used[column] = True
            current = taken[column]
            slack = cost[current - 1] - of_row[current] - of_column[1:]
            closer = ~used[1:] & (slack < least[1:])
            least[1:][closer], before[1:][closer] = slack[closer], column
            free = np.flatnonzero(~used[1:]) + 1
            nearest = int(free[np.argmin(least[free])])
            step = least[nearest]
            of_row[taken[used]] += step
            of_column[used] -= step
            least[~used] -= step
            column = nearest
        while column:
            taken[column] = taken[before[column]]
            column = int(before[column])
    return sorted((int(taken[c]) - 1, c - 1) for c in range(1, columns + 1) if taken[c])


_SAVARY = "Savary et al. (2017, 2023), PARSEME shared tasks on multiword expressions"

METRICS = (
    Metric(
        "mwe",
        "MWE",
        mwe,
        f"Multiword expressions (column {COLUMN} of .cupt): those with the same words on both "
        "sides, whatever their category, as F1.\n"
        f"From: {_SAVARY} (MWE-based F).\n"
        "Example: gold 'took' 'bath', parse 'took' 'a' 'bath': 0.",
    ),
    Metric(
        "mwe_tokens",
        "MWE-Tok",
        mwe_tokens,
        "The words of multiword expressions, as F1; expressions of both sides are paired one to "
        "one so that they share as many words as possible.\n"
        f"From: {_SAVARY} (token-based F).\n"
        "Example: gold 'took' 'bath', parse 'took' 'a' 'bath': 2·2/(2+3) = 0.8.",
    ),
)
