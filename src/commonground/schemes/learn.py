"""The choices of an unknown scheme, read off a treebank beside one whose scheme is known.

Both have the same words. The known one (the *reference*) is moved, construction by construction, to
where it has most heads in common with the other one (the *sample*):

1. The reference is moved as a whole into each scheme that comes along. The one with most heads in
   common is the start, if that is more than without any move.
2. For each construction in the order of the table, every way in which some scheme has it is tried
   on top of what was chosen before; the best one stays if it gains at least one head.
3. What else the nearest scheme does otherwise (marks on a technical root, say) is the last move,
   called ``other``, if it gains anything.

Only heads are looked at, so that the labels of the sample may be anything. Of two ways that have
as many heads in common the first one stays: that of the reference, then schemes by name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.library import find_scheme, scheme_names
from commonground.schemes.scheme import Scheme
from commonground.schemes.tag_set import Tagging
from commonground.schemes.transform import tagging_of, transform

__all__ = ["OTHER", "SAMPLE", "Learned", "learn"]

OTHER = "other"
"""The move to all that the nearest scheme has otherwise and no construction tells."""

SAMPLE = 500
"""How many sentences, from the first one on, are looked at to choose."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The `moves` that bring a reference nearest to a sample.

    Each is a construction and the scheme in which it is as in the sample, all moves before it
    included; `gains` are the heads in common that each brings. `nearest` is the scheme that comes
    along with most heads in common, and `shares` the shares of heads in common with each of them;
    `identity` is that of the reference itself.
    """

    reference: Scheme
    moves: tuple[tuple[str, Scheme], ...]
    gains: tuple[int, ...]
    nearest: str
    shares: dict[str, float]
    identity: float

    def way(self, construction: str) -> str:
        """Return the choice of the sample for a construction; of the reference without evidence."""
        last = [scheme for name, scheme in self.moves if name != OTHER][-1:]
        return (*last, self.reference)[0].way(construction)


def learn(
    sample: Dependencies,
    reference: Dependencies,
    scheme: str | os.PathLike[str] | Scheme = "ud",
) -> Learned:
    """Read the choices of a sample off its heads, beside a reference in a known scheme.

    >>> from commonground.corpus import Strings
    >>> rome = Dependencies.of([(["in", "Rome"], [2, 0], ["case", "root"])])
    >>> rome = rome.replace("words", upos=Strings.of(["ADP", "PROPN"]))
    >>> turned = Dependencies.of([(["in", "Rome"], [0, 1], ["a", "b"])])
    >>> found = learn(turned, rome)
    >>> [name for name, _ in found.moves], found.way("adposition")
    (['adposition'], 'function')
    """
    if not np.array_equal(sample.words.offsets, reference.words.offsets):
        raise UsageError("the two treebanks do not have the same number of words in each sentence")
    trial = _Trial.of(sample, reference, find_scheme(scheme))
    names = [name for name in scheme_names() if name != trial.origin.name]
    identity = trial.common(trial.origin)
    counts = {trial.origin.name: identity}
    for name in names:
        counts[name] = trial.common(find_scheme(name))
    nearest = max(counts, key=lambda name: counts[name])
    chosen = _refined(trial, _donors(trial, nearest, counts))
    moves: list[tuple[str, Scheme]] = []
    current, common = trial.origin, [identity]
    for name in CONSTRUCTIONS:
        if name in chosen:
            current = current.with_choices_of(chosen[name], [name])
            moves.append((name, current))
            common.append(trial.common(current))
    if counts[nearest] > common[-1]:
        moves.append((OTHER, find_scheme(nearest)))
        common.append(counts[nearest])
    gains = tuple(after - before for before, after in pairwise(common))
    words = max(trial.reference.words.rows, 1)
    shares = {name: count / words for name, count in counts.items()}
    return Learned(trial.origin, tuple(moves), gains, nearest, shares, identity / words)


@dataclass(frozen=True, slots=True)
class _Trial:
    """The sentences that are looked at, and the scheme of the reference."""

    heads: NDArray[np.int32]
    reference: Dependencies
    origin: Scheme
    tags: Tagging

    @classmethod
    def of(cls, sample: Dependencies, reference: Dependencies, origin: Scheme) -> _Trial:
        first = reference[:SAMPLE]
        return cls(sample[:SAMPLE].head, first, origin, tagging_of(first, origin))

    def common(self, scheme: Scheme) -> int:
        """Return how many heads the reference has in common with the sample in a scheme."""
        moved = transform(self.reference, self.origin, scheme, tags=self.tags)[0]
        return int((moved.head == self.heads).sum())

    def occurring(self) -> list[str]:
        """Return the constructions that the reference has."""
        goal = next(name for name in scheme_names() if name != self.origin.name)
        found = transform(self.reference, self.origin, goal, tags=self.tags)[1].found
        return [name for name in CONSTRUCTIONS if found[name]]


def _donors(trial: _Trial, nearest: str, counts: dict[str, int]) -> dict[str, Scheme]:
    """Return the constructions that the nearest scheme has in other ways than the reference."""
    if counts[nearest] <= counts[trial.origin.name]:
        return {}
    goal = find_scheme(nearest)
    return {name: goal for name in trial.occurring() if not _same(trial.origin, goal, name)}


def _refined(trial: _Trial, start: dict[str, Scheme]) -> dict[str, Scheme]:
    """Return for each construction the scheme that has it as in the sample, where one has."""
    chosen = dict(start)
    best = trial.common(_mixed(trial.origin, chosen))
    for name in trial.occurring():
        without = {each: goal for each, goal in chosen.items() if each != name}
        found = [without, *({**without, name: goal} for goal in _ways(trial.origin, name))]
        tried = [(trial.common(_mixed(trial.origin, each)), each) for each in found]
        count, better = max(tried, key=lambda pair: pair[0])
        # What does not help is not a choice of the sample, even where it does no harm.
        if count > best or (name in chosen and tried[0][0] >= best):
            best, chosen = (count, better) if count > best else (tried[0][0], without)
    return chosen


def _mixed(origin: Scheme, chosen: dict[str, Scheme]) -> Scheme:
    for name in CONSTRUCTIONS:
        if name in chosen:
            origin = origin.with_choices_of(chosen[name], [name])
    return origin


def _ways(origin: Scheme, construction: str) -> Iterator[Scheme]:
    """Yield a scheme for each way of a construction, but for that of the reference."""
    seen = {origin.way(construction)}
    for scheme in map(find_scheme, scheme_names()):
        if scheme.way(construction) not in seen:
            seen.add(scheme.way(construction))
            yield scheme


def _same(one: Scheme, other: Scheme, construction: str) -> bool:
    return (
        one.way(construction) == other.way(construction)
        and one.climbing(construction) == other.climbing(construction)
        and one.when.get(construction) == other.when.get(construction)
    )
