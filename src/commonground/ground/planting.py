"""The same errors planted in several gold standards of the same sentences.

An error moves a phrase or a word X that all gold standards have: it is lowered into a neighbour
directly below the same common phrase, or into a common phrase at its edge, Y; or it is raised out
of a common phrase Z at whose edge it stands. Every gold standard then makes its own tree of it.
Where X is lowered into a phrase Y, dependencies get a larger phrase instead of Y; constituents may
keep Y inside of it, as often as they do so with their own phrases of that kind: (NP (NP the
station) (PP at 9:15)). Or X gets a wrong label: where all gold standards give it the same one, it
is replaced by another that all of them have elsewhere.

What an error costs in each gold standard tells whether scores are comparable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, permutations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions
from commonground.corpus.functions import mask_of, yield_of_mask
from commonground.ground.dependencies import HEAD
from commonground.random import stream

__all__ = [
    "KINDS",
    "PlantedError",
    "Planting",
    "lowered",
    "mislabelled",
    "plant",
    "possible_errors",
    "possible_labels",
    "raised",
]

Numbers = NDArray[np.int64]
Rows = list[tuple[int, str]]

KINDS = {
    "phrase low": "a phrase attached too low",
    "phrase high": "a phrase attached too high",
    "word low": "a word attached too low",
    "word high": "a word attached too high",
    "label": "a wrong label",
}
"""What kinds of errors there are, in words."""

_NO_FUNCTION = {"", HEAD, "root"}
"""What is no function that could be another one."""

LONGEST = 60
"""Longer sentences get no errors: they take long, and tell nothing else."""


@dataclass(frozen=True, slots=True)
class PlantedError:
    """What is moved, and where it goes: into a `site`, or out of it if it is `raised`.

    Both are words as the bits of a number. What has a wrong label stays where it is; `labels` are
    the one that it had and the one that it gets.
    """

    moved: int
    site: int
    raised: bool = False
    labels: tuple[str, str] = ("", "")

    @property
    def kind(self) -> str:
        """What is moved where: one of `KINDS`."""
        if self.labels[1]:
            return "label"
        what = "word" if _single(self.moved) else "phrase"
        return f"{what} {'high' if self.raised else 'low'}"


@dataclass(frozen=True, slots=True)
class Planting:
    """The sentences that have an error, the error of each, and the trees of each gold standard."""

    sentences: Numbers
    errors: tuple[PlantedError, ...]
    trees: tuple[Functions, ...]


def plant(
    golds: Sequence[Functions], *, seed: int = 0, most: int = 300, kinds: Sequence[str] = ()
) -> Planting:
    """Plant one error in each of at most so many sentences, of some `kinds` if these are named.

    >>> words = "left the station at 9:15".split()
    >>> gold = Functions.of([(words, [("1-5", ""), ("2-3", "obj"), ("4-5", "obl")])])
    >>> result = plant([gold, gold], kinds=["phrase low"], seed=1)
    >>> list(zip(result.trees[0].yields, result.trees[0].label))
    [('1-5', ''), ('2-5', 'obj'), ('4-5', 'obl')]
    """
    wanted, draw = set(kinds or KINDS), stream(seed, "planted errors")
    known = sorted(set.intersection(*(set(gold.label) for gold in golds)) - _NO_FUNCTION)
    lengths = golds[0].words.lengths
    order = np.flatnonzero((lengths > 2) & (lengths <= LONGEST))
    draw.shuffle(order)
    chosen: list[tuple[int, PlantedError]] = []
    sizes = [_Kept() for _ in golds]
    for sentence in order.tolist():
        if len(chosen) == most:
            break
        rows = [_rows(gold, sentence) for gold in golds]
        errors = list(possible_labels(rows, known)) if "label" in wanted else []
        if wanted != {"label"}:
            trees = [{words for words, _ in each} for each in rows]
            common = set.intersection(*trees)
            for tree, kept in zip(trees, sizes, strict=True):
                kept.look_at(tree, common)
            errors += (
                error
                for error in possible_errors(common, int(lengths[sentence]))
                if not any(_has(tree, error) for tree in trees)
            )
        names = sorted({error.kind for error in errors} & wanted)
        if names:
            kind = names[draw.integers(len(names))]  # not the kind that there is most of
            same = [error for error in errors if error.kind == kind]
            chosen.append((sentence, same[draw.integers(len(same))]))
    chosen.sort(key=lambda each: each[0])
    made: list[list[tuple[list[str], list[tuple[str, str]]]]] = [[] for _ in golds]
    for sentence, error in chosen:
        lot = draw.random()
        for gold, kept, sentences in zip(golds, sizes, made, strict=True):
            rows_of = _rows(gold, sentence)
            if error.kind == "label":
                nodes = mislabelled(rows_of, error)
            elif error.raised:
                nodes = raised(rows_of, error)
            else:
                nodes = lowered(rows_of, error, lot < kept.rate)
            pairs = [(_yield(words), label) for words, label in nodes]
            sentences.append((gold[sentence].column("form"), pairs))
    return Planting(
        np.array([sentence for sentence, _ in chosen], np.int64),
        tuple(error for _, error in chosen),
        tuple(Functions.of(sentences) for sentences in made),
    )


def possible_errors(common: set[int], length: int) -> Iterator[PlantedError]:
    """Return the errors that are possible in a sentence, given the yields that all golds have."""
    whole = (1 << length + 1) - 2
    phrases = sorted(
        (each for each in common if not _single(each) and each != whole),
        key=lambda each: (each.bit_count(), each),
    )
    below: dict[int, list[int]] = {whole: [], **{phrase: [] for phrase in phrases}}
    for place, phrase in enumerate(phrases):
        larger = (each for each in phrases[place + 1 :] if not phrase & ~each)
        below[next(larger, whole)].append(phrase)
    for outer, inner in below.items():
        rest = outer
        for phrase in inner:
            rest &= ~phrase
        parts = [*inner, *(1 << bit for bit in range(1, length + 1) if rest >> bit & 1)]
        for one, other in permutations(parts, 2):
            for site in (other, *(each for each in phrases if not each & ~other and each != other)):
                # Which of two words depends on the other is no common ground.
                words = _single(one) and _single(site)
                node = site in common  # a word that is none has nothing to be lowered into
                if node and one | site != outer and _adjacent(one, site) and not words:
                    yield PlantedError(one, site)
        for one in parts:
            for site in phrases:
                inside = site == outer or not outer & ~site
                if inside and all(map(_continuous, (one, site, site & ~one))):
                    yield PlantedError(one, site, raised=True)


def possible_labels(trees: Sequence[Rows], known: Sequence[str]) -> Iterator[PlantedError]:
    """Return the wrong labels that are possible in a sentence, of those that all golds know."""
    used: dict[int, set[str]] = {}
    for words, label in chain.from_iterable(trees):
        used.setdefault(words, set()).add(label)
    for words, right in sorted(set.intersection(*map(set, trees))):
        if right in known:
            for wrong in known:
                if wrong not in used[words]:
                    yield PlantedError(words, words, labels=(right, wrong))


def mislabelled(rows: Rows, error: PlantedError) -> Rows:
    """Return the nodes of a tree of which one has another label."""
    right, wrong = (error.moved, error.labels[0]), (error.moved, error.labels[1])
    return [wrong if row == right else row for row in rows]


def lowered(rows: Rows, error: PlantedError, adjoined: bool) -> Rows:  # noqa: FBT001  # how it is made
    """Return the nodes of a tree in which something is lowered into its neighbour.

    If it is `adjoined`, the neighbour stays a node inside of the new one.
    """
    moved, site = error.moved, error.site
    dependencies = any(label == HEAD for _, label in rows)
    changed: Rows = []
    for words, label in rows:
        if words == site:
            changed.append((site | moved, label))
            if adjoined or _single(site):
                changed.append((site, HEAD if dependencies else ""))
        elif words != moved and not moved & ~words and not words & site:
            changed.append((words & ~moved, label))
        elif not site & ~words and not words & moved:
            changed.append((words | moved, label))
        else:
            changed.append((words, label))
    return changed


def raised(rows: Rows, error: PlantedError) -> Rows:
    """Return the nodes of a tree in which something is raised out of a phrase."""
    moved, site = error.moved, error.site
    return [
        (words & ~moved, label)
        if words != moved and not moved & ~words and not words & ~site
        else (words, label)
        for words, label in rows
    ]


def _has(tree: set[int], error: PlantedError) -> bool:
    """Tell whether a gold standard already has what is lowered where it would go: no error."""
    return not error.raised and error.moved | error.site in tree


class _Kept:
    """How often a tree keeps a phrase as a node where another one follows in a larger one."""

    def __init__(self) -> None:
        self.kept, self.all = 0, 0

    @property
    def rate(self) -> float:
        return self.kept / max(self.all, 1)

    def look_at(self, tree: set[int], common: set[int]) -> None:
        phrases = [each for each in common if not _single(each)]
        for outer, inner in permutations(phrases, 2):
            rest = outer & ~inner
            last = not inner & ~outer and outer.bit_length() == inner.bit_length()
            if last and not _single(rest) and not any(_between(inner, e, outer) for e in phrases):
                self.all += 1
                self.kept += rest in tree


def _between(inner: int, each: int, outer: int) -> bool:
    return each not in (inner, outer) and not inner & ~each and not each & ~outer


def _rows(gold: Functions, sentence: int) -> Rows:
    start, stop = gold.nodes.offsets[sentence : sentence + 2].tolist()
    texts, labels = gold.yields[start:stop], gold.label[start:stop]
    return [(_mask(text), label) for text, label in zip(texts, labels, strict=True)]


_mask = lru_cache(maxsize=65536)(mask_of)
_yield = lru_cache(maxsize=65536)(yield_of_mask)
"""The same yields come again and again, and none of them is longer than `LONGEST`."""


def _single(words: int) -> bool:
    return not words & words - 1


def _continuous(words: int) -> bool:
    return not words + (words & -words) & words


def _adjacent(one: int, other: int) -> bool:
    return _continuous(one) and _continuous(other) and bool((one << 1 | one >> 1) & other)
