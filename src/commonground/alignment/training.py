"""The aligner of our own: IBM model 1, then a hidden Markov model, in both directions at once.

IBM model 1 (Brown et al. 1993) learns from scratch which words belong together; the hidden Markov
model (Vogel, Ney & Tillmann 1996) learns also how links follow each other. In its rounds a link
counts as much as both directions believe in it: what is counted is the product of its two
probabilities (Liang, Taskar & Klein 2006), so that the directions learn to agree. Few sentences
suffice, because words are told apart by their first letters only, and words that are spelt the same
are taken to be likely translations from the start.

Sentences are worked on in blocks, each direction in a thread of its own where there are two cores.
The result does not depend on either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.alignment.bitext import Bitext
from commonground.alignment.confidence import best_threshold, likely_links
from commonground.alignment.model import LEAST, AlignerSettings, AlignmentModel
from commonground.alignment.symmetrisation import links_of
from commonground.corpus import Table
from commonground.kernels import load

__all__ = ["Trainer"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

_CELLS = 1 << 21
"""Blocks have about so many cells, so that what is known of one takes little memory."""

Both = Callable[[Callable[["Direction"], Any]], list[Any]]
"""Does something for both directions and returns the two results."""


@dataclass(eq=False)
class Direction:
    """One direction: the words that are explained, and what is believed about them.

    `prob` is the probability of each pair of words, `null` that of each word without a link;
    `groups` the word that explains in each pair, of which there are `kinds`.
    """

    turned: bool
    words: NDArray[np.int32]
    offsets: NDArray[np.int64]
    groups: NDArray[np.int32]
    kinds: int
    prob: Floats
    null: Floats
    jumps: Doubles | None = None
    counts: Floats | None = None
    unlinked: Doubles | None = None
    moved: Doubles | None = None


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What is believed of a block of sentences, from `first` to before `last`."""

    first: int
    last: int
    links: tuple[Floats, Floats]
    none: tuple[Floats, Floats]


class Trainer:
    """Learns from sentence pairs, and links their words.

    >>> pairs = [(["a", "bird"], ["ein", "Vogel"]), (["a", "song"], ["ein", "Lied"])] * 3
    >>> trainer = Trainer(Bitext.of(pairs), AlignerSettings())
    >>> trainer.train()
    >>> trainer.links("intersection").numbers("target").tolist()[:4]
    [0, 1, 0, 1]
    """

    def __init__(
        self,
        bitext: Bitext,
        settings: AlignerSettings,
        model: AlignmentModel | None = None,
        *,
        threads: int = 1,
    ) -> None:
        self.settings = settings
        self.threads = min(threads, 2)
        self._kernel = load("word_alignment")
        source, self.source = _numbered(bitext.source, settings.key)
        target, self.target = _numbered(bitext.target, settings.target_key)
        self._sides = (bitext.source, bitext.target)
        short = _short(bitext, settings.longest)
        ours, theirs = (words.where(short[words.sentence_of_row()]) for words in (source, target))
        cells, ends, starts, columns = self._kernel.number_pairs(
            ours.strings("form").codes,
            ours.offsets,
            theirs.strings("form").codes,
            theirs.offsets,
            len(self.source),
        )
        self.pairs: tuple[NDArray[np.int32], NDArray[np.int64]] = (cells, ends)
        self._rows = np.repeat(np.arange(len(self.source), dtype=np.int32), np.diff(starts))
        self._columns = columns
        self._prior = _prior(self, model)
        self._words = (ours, theirs)
        self.directions = (
            self._direction(theirs, self._rows, len(self.source), len(self.target), turned=False),
            self._direction(ours, columns, len(self.target), len(self.source), turned=True),
        )
        if model is not None:
            self._start_from(model)
        self.too_long = np.flatnonzero(~short)

    def _direction(
        self, words: Table, groups: NDArray[np.int32], kinds: int, types: int, *, turned: bool
    ) -> Direction:
        prob = np.empty(len(groups), np.float32)
        counts = np.ones(len(groups), np.float32)
        counts[self._prior[0]] += self._prior[1]
        self._kernel.shares(counts, groups, kinds, 0.0, prob)
        null = np.full(types, 1 / max(types, 1), np.float32)
        codes = words.strings("form").codes
        return Direction(turned, codes, words.offsets, groups, kinds, prob, null)

    def _start_from(self, model: AlignmentModel) -> None:
        """Take over what a model knows, for text that it has not seen."""
        for direction, words, jumps, unlinked in zip(
            self.directions,
            ((self.target, model.target), (self.source, model.source)),
            model.jumps,
            model.unlinked,
            strict=True,
        ):
            direction.jumps = _weights(jumps)
            direction.unlinked = _moved_to(words[0], words[1], unlinked)
            self._renew(direction, np.zeros(len(self._rows), np.float32), direction.unlinked)

    # ── learning ─────────────────────────────────────────────────────────────────────────────────

    def train(self, advance: Callable[[int], None] = lambda _: None) -> None:
        """Learn from the sentence pairs; `advance` is called with the pairs that are done."""
        for _ in range(self.settings.lexical_rounds):
            self._round(advance, jumping=False)
        for _ in range(self.settings.rounds):
            self.train_once_more(advance)

    def train_once_more(self, advance: Callable[[int], None] = lambda _: None) -> None:
        """Make one round of the hidden Markov model."""
        for direction in self.directions:
            if direction.jumps is None:
                direction.jumps = _first_jumps(self.settings.reach)
        self._round(advance, jumping=True)

    def agreement(self) -> float:
        """Return how many links both directions expect, as a share of the words.

        For the probabilities p and q of each link in the two directions and n and m words of the
        two sides it is Σ p·q / √(n·m), from 0 to 1: what the rounds of the hidden Markov model
        raise, divided by the words.
        """
        shared = sum(
            float(np.dot(known.links[0], known.links[1]))
            for known in self._believed(jumping=self.directions[0].jumps is not None)
        )
        rows = [words.rows for words in self._words]
        return shared / max((rows[0] * rows[1]) ** 0.5, 1)

    @property
    def rounds(self) -> int:
        """How often all sentence pairs are gone through."""
        return self.settings.lexical_rounds + self.settings.rounds

    def _round(self, advance: Callable[[int], None], *, jumping: bool) -> None:
        for direction in self.directions:
            direction.counts = None
            direction.unlinked = np.zeros(len(direction.null))
            direction.moved = np.zeros(2 * self.settings.reach + 1)
        counts = [np.zeros(len(self._rows), np.float32) for _ in range(1 if jumping else 2)]
        for known in self._believed(jumping=jumping):
            self._count(known, counts)
            advance(known.last - known.first)
        for direction, its in zip(self.directions, (counts[0], counts[-1]), strict=True):
            assert direction.unlinked is not None
            assert direction.moved is not None
            if jumping:
                direction.jumps = _weights(direction.moved)
                direction.counts = its
            self._renew(direction, its, direction.unlinked, shared=direction.turned and jumping)

    def _renew(
        self, direction: Direction, counts: Floats, unlinked: Doubles, *, shared: bool = False
    ) -> None:
        """Turn what was counted into probabilities; `shared` counts have the prior already."""
        if not shared:
            counts[self._prior[0]] += self._prior[1]
        least = self.settings.smoothing
        self._kernel.shares(counts, direction.groups, direction.kinds, least, direction.prob)
        total = float(unlinked.sum()) + least * len(unlinked)
        direction.null = ((unlinked + least) / max(total, least)).astype(np.float32)

    def _count(self, known: Beliefs, counts: list[Floats]) -> None:
        """Add what is believed of a block to what is counted."""
        cells, ends = self.pairs
        here = cells[ends[known.first] : ends[known.last]]
        if len(counts) == 1:
            self._kernel.add(counts[0], here, known.links[0] * known.links[1])
        for side, direction in enumerate(self.directions):
            if len(counts) == 2:
                self._kernel.add(counts[side], here, known.links[side])
            assert direction.unlinked is not None
            span = slice(*(int(direction.offsets[n]) for n in (known.first, known.last)))
            direction.unlinked += np.bincount(
                direction.words[span], known.none[side], minlength=len(direction.null)
            )

    # ── believing ────────────────────────────────────────────────────────────────────────────────

    def _believed(self, *, jumping: bool) -> Iterator[Beliefs]:
        """Return what is believed of each block, the directions at the same time if they may."""
        with self._both() as both:
            for first, last in _blocks(self.pairs[1]):
                room = int(self.pairs[1][last] - self.pairs[1][first])

                def believe(
                    direction: Direction, first: int = first, last: int = last, room: int = room
                ) -> tuple[Floats, Floats]:
                    links = np.empty(room, np.float32)
                    none = np.empty(
                        int(direction.offsets[last] - direction.offsets[first]), np.float32
                    )
                    moved = np.zeros(2 * self.settings.reach + 1)
                    self._kernel.expected(
                        self.pairs,
                        direction.words,
                        direction.offsets,
                        direction.prob,
                        direction.null,
                        direction.jumps if jumping else None,
                        self.settings.empty,
                        direction.turned,
                        first,
                        last,
                        links,
                        none,
                        moved,
                    )
                    if direction.moved is not None:
                        direction.moved += moved
                    return links, none

                (one, none), (two, nothing) = both(believe)
                yield Beliefs(first, last, (one, two), (none, nothing))

    @contextmanager
    def _both(self) -> Iterator[Both]:
        if self.threads == 1:
            yield lambda function: [function(direction) for direction in self.directions]
            return
        with ThreadPoolExecutor(2) as pool:
            yield lambda function: list(pool.map(function, self.directions))

    def links(
        self,
        way: str,
        confidence: float | None = 0.0,
        advance: Callable[[int], None] = lambda _: None,
    ) -> Table:
        """Return the links: of each word the likeliest, made one alignment in some way.

        Of these, links stay whose `probability`, the mean of those in the two directions, is at
        least the `confidence`; without one, :func:`best_threshold` tells it.
        """
        jumping = self.directions[0].jumps is not None
        parts, likely, expected = [], [], 0.0
        for known in self._believed(jumping=jumping):
            table = self._linked(known, way)
            theirs, starts = self._words[1], self.pairs[1][known.first : known.last]
            span = theirs.span(known.first, known.last)
            parts.append(table)
            likely.append(likely_links(table, known.links, starts, span))
            expected += sum(float(part.sum(dtype=np.float64)) for part in known.links) / 2
            advance(known.last - known.first)
        if not parts:
            return _no_links()
        sure = np.concatenate(likely)
        table = Table.concatenate(parts).replace(probability=sure)
        least = best_threshold(sure, expected) if confidence is None else confidence
        return table if least <= 0 else table.where(sure >= least)

    def _linked(self, known: Beliefs, way: str) -> Table:
        ends = self.pairs[1]
        forward, backward = (
            self._kernel.best(
                ends, direction.offsets, direction.turned, known.first, known.last, links, none
            )
            for direction, links, none in zip(self.directions, known.links, known.none, strict=True)
        )
        ours, theirs = (words.span(known.first, known.last) for words in self._words)
        return links_of(forward, backward, ours, theirs, way)

    # ── what was learnt ──────────────────────────────────────────────────────────────────────────

    def model(self) -> AlignmentModel:
        """Return what was learnt, for new text."""
        counts = self.directions[0].counts
        assert counts is not None, "a model is made of rounds of the hidden Markov model"
        seen = np.flatnonzero(counts >= LEAST)
        unlinked = tuple(direction.unlinked for direction in self.directions)
        moved = tuple(direction.jumps for direction in self.directions)
        assert unlinked[0] is not None
        assert unlinked[1] is not None
        assert moved[0] is not None
        assert moved[1] is not None
        return AlignmentModel(
            self.settings,
            self.source,
            self.target,
            np.stack([self._rows[seen], self._columns[seen]], axis=1),
            counts[seen].astype(np.float64),
            (unlinked[0], unlinked[1]),
            (moved[0], moved[1]),
        )


def _no_links() -> Table:
    nothing = np.empty(0, np.int32)
    return Table([0], source=nothing, target=nothing, probability=np.empty(0))


def _numbered(words: Table, key: Callable[[str], str]) -> tuple[Table, tuple[str, ...]]:
    """Return the words as they are told apart, and all of these."""
    keys = words.strings("form").map(key)
    return Table(words.offsets, form=keys), keys.vocabulary


def _short(bitext: Bitext, longest: int) -> NDArray[np.bool_]:
    return np.asarray((bitext.source.lengths <= longest) & (bitext.target.lengths <= longest))


def _prior(trainer: Trainer, model: AlignmentModel | None) -> tuple[NDArray[np.int64], Doubles]:
    """Return which pairs are believed in from the start, and how much.

    Words that are spelt the same are; and those that a model has linked before.
    """
    rows, columns = trainer._rows, trainer._columns  # noqa: SLF001  # a part of it
    same = _places(trainer.source, trainer.target)
    alike = np.flatnonzero(same[rows] == columns) if len(rows) else np.empty(0, np.int64)
    weight = np.full(len(alike), trainer.settings.alike)
    if model is None or not len(model.links):
        return alike, weight
    width = len(model.target)
    ours = _places(trainer.source, model.source)[rows].astype(np.int64)
    theirs = _places(trainer.target, model.target)[columns].astype(np.int64)
    keys = model.pairs[:, 0].astype(np.int64) * width + model.pairs[:, 1]
    order = np.argsort(keys)
    wanted = np.where((ours >= 0) & (theirs >= 0), ours * width + theirs, -1)
    place = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    known = np.flatnonzero(keys[order][place] == wanted)
    # The model has counted words that are spelt the same already.
    fresh = ~np.isin(alike, known)
    return (
        np.concatenate([alike[fresh], known]),
        np.concatenate([weight[fresh], model.links[order][place][known]]),
    )


def _places(words: Sequence[str], others: Sequence[str]) -> NDArray[np.int32]:
    """Return for each word its place among others, -1 for none."""
    places = {word: place for place, word in enumerate(others)}
    return np.array([places.get(word, -1) for word in words], np.int32)


def _moved_to(words: Sequence[str], others: Sequence[str], numbers: Doubles) -> Doubles:
    places = _places(words, others)
    return np.where(places >= 0, numbers[places], 0.0) if len(numbers) else np.zeros(len(words))


def _first_jumps(reach: int) -> Doubles:
    """Return weights of jumps to start from: the next word is the likeliest."""
    return np.exp(-np.abs(np.arange(-reach, reach + 1) - 1) / 2) + 1e-3


def _weights(moved: Doubles) -> Doubles:
    """Return counted jumps as weights, a thousandth shared by all, so that none is impossible."""
    total = float(moved.sum())
    return moved + 1e-3 * total / len(moved) if total > 0 else np.ones(len(moved))


def _blocks(ends: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Cut sentences into blocks of about equally many cells, and at most some thousand."""
    first, count = 0, len(ends) - 1
    while first < count:
        last = int(np.searchsorted(ends, ends[first] + _CELLS, side="right")) - 1
        last = min(max(last, first + 1), count, first + 20_000)
        yield first, last
        first = last
