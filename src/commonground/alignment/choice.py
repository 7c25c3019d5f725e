"""The settings of the aligner for a pair of languages, chosen by how much its directions agree.

No gold alignments are needed. How many letters of the words are compared, on either side, is the
number with which both directions expect most common links (:meth:`Trainer.agreement`) after a short
training: four letters of most alphabets, one or two of a script that writes syllables or meanings.
Further rounds of the hidden Markov model follow as long as they raise the agreement a lot; after
that, the directions only learn each other's mistakes. All is tried on a sample of the pairs.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from commonground.alignment.bitext import Bitext
from commonground.alignment.model import AlignerSettings
from commonground.alignment.training import Trainer

__all__ = ["chosen_settings"]

FEWEST = 100
"""With fewer pairs than this, the usual settings are taken."""

SAMPLE = 2_000
"""So many pairs are looked at, from all parts of the text."""

EQUAL = (4, 5, 6, 3)
SHORTER = (3, 2, 1)
"""Numbers of letters: on both sides, and on one of them."""

RISE = 1 / 8
"""How much a round must raise the agreement so that another one follows."""

MOST_ROUNDS = 5

Prefixes = tuple[int, int]


def chosen_settings(
    bitext: Bitext, *, prefixes: Prefixes | None = None, rounds: int | None = None, threads: int = 1
) -> AlignerSettings:
    """Return settings for sentence pairs; what is given is not chosen.

    >>> chosen_settings(Bitext.of([])) == AlignerSettings()
    True
    """
    usual = AlignerSettings()
    if rounds is not None:
        usual = replace(usual, rounds=rounds)
    if prefixes is not None:
        usual = replace(usual, prefix=prefixes[0], target_prefix=prefixes[1])
    if len(bitext) < FEWEST:
        return usual
    sample = _sample(bitext)
    if prefixes is None:
        one, two = _prefixes(sample, threads)
        usual = replace(usual, prefix=one, target_prefix=two)
    return usual if rounds is not None else replace(usual, rounds=_rounds(sample, usual, threads))


def _sample(bitext: Bitext) -> Bitext:
    if len(bitext) <= SAMPLE:
        return bitext
    pairs = np.arange(SAMPLE) * len(bitext) // SAMPLE
    return Bitext(bitext.source.take(pairs), bitext.target.take(pairs))


def _prefixes(bitext: Bitext, threads: int) -> Prefixes:
    """Return numbers of letters for both sides: equal ones, then others on one side at a time."""
    tried: dict[Prefixes, float] = {}

    def agreement(prefixes: Prefixes) -> float:
        if prefixes not in tried:
            one, two = prefixes
            short = AlignerSettings(prefix=one, target_prefix=two, lexical_rounds=3, rounds=1)
            trainer = Trainer(bitext, short, threads=threads)
            trainer.train()
            tried[prefixes] = trainer.agreement()
        return tried[prefixes]

    best = max(((both, both) for both in EQUAL), key=agreement)
    start = best
    best = max((best, *((start[0], each) for each in SHORTER)), key=agreement)
    best = max((best, *((each, start[1]) for each in SHORTER)), key=agreement)
    for side in (0, 1):  # the other side was chosen for words of another length
        if best[1 - side] != start[1 - side]:
            others = [(each, best[1]) if side == 0 else (best[0], each) for each in EQUAL]
            best = max((best, *others), key=agreement)
    return best


def _rounds(bitext: Bitext, settings: AlignerSettings, threads: int) -> int:
    """Return how many rounds of the hidden Markov model are worth while."""
    trainer = Trainer(bitext, replace(settings, rounds=1), threads=threads)
    trainer.train()
    before = trainer.agreement()
    for rounds in range(2, MOST_ROUNDS):
        trainer.train_once_more()
        now = trainer.agreement()
        if now < (1 + RISE) * before:
            return rounds
        before = now
    return MOST_ROUNDS
