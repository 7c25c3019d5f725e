"""Make constituents of a gold standard and a parse fit: the same sentences, the words that count.

What is left out, and what counts of the brackets above the rest, is told in ``brackets.py``.
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents
from commonground.corpus.joining import joined_sentences
from commonground.errors import UsageError, setting
from commonground.formats import read_text
from commonground.metrics.constituents.brackets import BracketComparison, shared_words
from commonground.metrics.constituents.evalb import (
    ERROR,
    SKIPPED,
    VALID,
    Evalb,
    kept_words,
    per_sentence,
)
from commonground.metrics.equivalence import Equivalence
from commonground.metrics.mismatch import equally_many, mismatch
from commonground.metrics.scope import fitting, punctuation
from commonground.metrics.settings import Settings

__all__ = ["compared", "words_left"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def compared(
    gold: Constituents, system: Constituents, settings: Settings
) -> tuple[BracketComparison, tuple[str, ...]]:
    """Return the comparison of two treebanks, and the ids of the sentences that were skipped."""
    if settings.evalb is not None:
        system = _by_lines(gold, system)
    equally_many(gold, system)
    if settings.evalb is not None:
        times, other = kept_words(gold, system, settings.evalb)
        same, lengths = _same_words(gold, system, times, other, settings.evalb)
        status = np.where(same, VALID, ERROR)
        status[(lengths == 0) & ~(same & settings.evalb.gold_decides)] = SKIPPED
        asked = fitting(settings, settings.evalb.length(gold))
        skipped = gold.names(asked & (status != VALID))
        status[~asked] = SKIPPED
        return BracketComparison(gold, system, times, other, status, settings), skipped
    if settings.on_mismatch == "realign":
        raise UsageError(
            f"constituents cannot be realigned; {setting('on_mismatch')} can be fail or skip"
        )
    skipped = ()
    times, other = _without_traces(gold), _without_traces(system)
    different = ~_same_words(gold, system, times, other, Evalb())[0]
    if different.any():
        if settings.on_mismatch == "fail":
            place = int(np.flatnonzero(different)[0])
            one, two = words_left(gold, times, place), words_left(system, other, place)
            raise mismatch(gold, system, place, one, two)
        skipped = gold.names(different)
        gold, system = gold[~different], system[~different]
        times, other = _without_traces(gold), _without_traces(system)
    _leave_out_punctuation(gold, times, other, settings)
    status = _status_by_length(per_sentence(times, gold), settings)
    return BracketComparison(gold, system, times, other, status, settings), skipped


def _by_lines(gold: Constituents, system: Constituents) -> Constituents:
    """Return a parse that has a sentence for each line, as evalb reads it.

    A blank line is a sentence without a tree, and several trees on a line are one sentence. That
    is so where there are no more lines than gold sentences; several trees are put together only
    where the gold standard has a tree a line.
    """
    lines = system.tables["origin"].numbers("line")
    starts = np.flatnonzero(np.diff(lines, prepend=0))
    in_order = len(lines) and lines[0] >= 1 and (np.diff(lines) >= 0).all()
    if len(system) == len(gold) or not in_order or lines[-1] > len(gold):
        return system
    if len(starts) < len(system):
        if not np.array_equal(gold.tables["origin"].numbers("line"), np.arange(1, len(gold) + 1)):
            return system
        system, lines = joined_sentences(system, starts), lines[starts]
    missing = cast("Constituents", read_text("()\n", "brackets"))
    pieces: list[Constituents] = []
    place = 0
    for line in np.setdiff1d(np.arange(1, len(gold) + 1), lines).tolist():
        before = int(np.searchsorted(lines, line))
        pieces += [system.take(np.arange(place, before)), missing]
        place = before
    return Constituents.concatenate([*pieces, system.take(np.arange(place, len(system)))])


def _without_traces(corpus: Constituents) -> Numbers:
    return (~corpus.traces).astype(np.int64)


def words_left(corpus: Constituents, times: Numbers, place: int) -> list[str]:
    """Return the words of a sentence that are compared, as often as they count."""
    first, last = corpus.words.offsets[place : place + 2].tolist()
    return corpus.form[np.repeat(np.arange(first, last), times[first:last])].tolist()


def _same_words(
    gold: Constituents, system: Constituents, times: Numbers, other: Numbers, evalb: Evalb
) -> tuple[Flags, Numbers]:
    """Tell which sentences have the same words left on both sides, and how many the parse has."""
    shared, lengths, others = shared_words(
        (gold, times, gold.form), (system, other, system.form), Equivalence(evalb.equal_words)
    )
    return (lengths == others) & (shared == lengths), others


def _leave_out_punctuation(
    gold: Constituents, times: Numbers, other: Numbers, settings: Settings
) -> None:
    if settings.punctuation == "keep":
        return
    marks = punctuation(settings, gold.form, gold.tag)
    other[np.flatnonzero(other)[marks[times > 0]]] = 0
    times[marks] = 0


def _status_by_length(lengths: Numbers, settings: Settings) -> Numbers:
    return np.where(fitting(settings, lengths), VALID, SKIPPED)
