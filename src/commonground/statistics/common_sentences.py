"""The sentences that several systems have in common, and the systems on them alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from commonground.errors import UsageError, quoted, setting
from commonground.evaluation.result import System
from commonground.metrics.sentences import Sentences
from commonground.plurals import number_of

__all__ = ["on_common_sentences"]


def on_common_sentences(
    systems: Sequence[System], *, skip: bool = False
) -> tuple[tuple[System, ...], int]:
    """Return the systems on the sentences that all have, and how many sentences are left out.

    Without `skip`, systems that are about other sentences are an error.
    """
    ids = {system.name: _ids(system) for system in systems}
    if len(set(ids.values())) == 1 and not any(_has_gaps(system) for system in systems):
        return tuple(systems), 0
    if len(set(ids.values())) > 1 and not skip:
        raise UsageError(_difference(ids))
    for name, its_ids in ids.items():
        twice = [sent_id for sent_id, count in Counter(its_ids).items() if count > 1]
        if twice:
            raise UsageError(
                f"{name} has several sentences {quoted(twice[0])}, so its sentences cannot be "
                "matched by id"
            )
    every = set.intersection(*map(set, ids.values()))
    first = ids[systems[0].name]
    common = [sent_id for sent_id in first if sent_id in every]
    if not common:
        raise UsageError("the systems have no sentence in common")
    left_out = len(set().union(*ids.values())) - len(common)
    return tuple(_only(system, common) for system in systems), left_out


def _ids(system: System) -> tuple[str, ...]:
    """Return the ids of the sentences that a system was scored on."""
    if system.sentences is None:
        raise UsageError(f"nothing is known about the sentences of {system.name}")
    skipped = set(system.skipped)
    return tuple(sent_id for sent_id in system.sentences.ids if sent_id not in skipped)


def _has_gaps(system: System) -> bool:
    """Tell whether sentences were skipped that yet have a place, as evalb does it."""
    known = system.sentences
    return known is not None and not set(known.ids).isdisjoint(system.skipped)


def _only(system: System, ids: Sequence[str]) -> System:
    known = system.sentences
    assert known is not None
    place = {sent_id: place for place, sent_id in enumerate(known.ids)}
    places = np.array([place[sent_id] for sent_id in ids])
    documents = tuple(known.documents[at] for at in places) if known.documents else ()
    scores = {name: score.only(places) for name, score in system.scores.items()}
    kept = Sentences(tuple(ids), documents)
    return replace(system, scores=scores, comparison=None, gold=None, kept=kept)


def _difference(ids: Mapping[str, tuple[str, ...]]) -> str:
    """Say how two systems differ in their sentences."""
    (one, first), (other, second) = next(
        pair for pair in combinations(ids.items(), 2) if pair[0][1] != pair[1][1]
    )
    here, there = set(first), set(second)
    lone = [(name, f"{one} has") for name in first if name not in there]
    lone += [(name, f"{other} has") for name in second if name not in here]
    how = f"only {lone[0][1]} {quoted(lone[0][0])}" if lone else "they are in another order"
    return (
        f"{one} has {number_of(len(first), 'sentence')} and {other} {len(second):,}, and they are "
        f"not the same: {how}; {setting('on_mismatch', 'skip')} tests those that all have"
    )
