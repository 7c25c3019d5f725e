"""Which sentences of a gold standard and a parse belong together.

Sentences belong together by their order, if there are equally many with the same words. Otherwise
they do so by their ids, where all sentences on both sides have one of their own, or by their text,
however each side cuts it into sentences (:mod:`commonground.tokens.sentences`): neighbours that the
other side has as one are put together. What the parse lacks, or has other words for, is an error,
is left out (``skip``), or counts as wrong (``zero``): then the sentence of the gold standard stands
in its place, and gets no credit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus
from commonground.corpus.table import offsets_of
from commonground.errors import MismatchError, setting
from commonground.evaluation.notes import listed
from commonground.metrics.mismatch import path_of
from commonground.metrics.registry import comparison_for
from commonground.metrics.settings import Settings
from commonground.plurals import number_of

__all__ = ["PairedSentences", "compared"]

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Compare = Callable[..., tuple[Any, tuple[str, ...]]]


class PairedSentences(NamedTuple):
    """The comparison of a `pair`, and the sentences that are `skipped`, `lost` or `extra`.

    `lost` tells for each sentence of the comparison whether it counts as wrong; `joined` are those
    that were put together of several, `missing` those that the parse does not have at all.
    """

    pair: Any
    skipped: tuple[str, ...] = ()
    lost: Flags | None = None
    extra: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def compared(gold: Corpus, system: Corpus, settings: Settings) -> PairedSentences:
    """Return the comparison of a gold standard and a parse, whose sentences are numbered."""
    compare = comparison_for(gold.kind)
    if settings.evalb is not None or settings.on_mismatch == "realign":
        return PairedSentences(*compare(gold, system, settings))
    inner = replace(settings, on_mismatch="skip") if settings.on_mismatch == "zero" else settings
    if len(gold) != len(system):
        fitted = _fitted(gold, system)
        if fitted is None:
            raise _unequal(gold, system)
        return _by_place(fitted, settings, inner, compare)
    try:
        pair, skipped = compare(gold, system, replace(inner, any_forms=False))
    except MismatchError:
        fitted = _elsewhere(gold, system, settings)
        if fitted is None and not settings.any_forms:
            raise
    else:
        fitted = _elsewhere(gold, system, settings) if skipped else None
        if fitted is None and (not skipped or settings.on_mismatch == "skip"):
            return PairedSentences(pair, skipped)
        fitted = fitted or _Fitted(gold, system, np.arange(len(gold)))
    if fitted is None:
        return PairedSentences(*compare(gold, system, inner))
    return _by_place(fitted, settings, inner, compare)


def _elsewhere(gold: Corpus, system: Corpus, settings: Settings) -> _Fitted | None:
    """Find sentences that are in another place, by ids or else by text; None if all are in place.

    Where forms do not matter, the text tells nothing.
    """
    places = _moved(gold, system)
    if places is not None:
        return _Fitted(gold, system, places)
    return None if settings.any_forms else _fitted(gold, system)


class _Fitted(NamedTuple):
    """Both sides, where the parse has each sentence (-1 for nowhere), and which are `joint`."""

    gold: Corpus
    system: Corpus
    places: Numbers
    joint: Flags | None = None


def _fitted(gold: Corpus, system: Corpus) -> _Fitted | None:
    """Return both sides with neighbours put together where needed, and the places of sentences.

    It is None where the text tells nothing more than the order of the sentences does.
    """
    if not all("words" in side.tables and side.tables["words"].rows for side in (gold, system)):
        return None
    from commonground.tokens.sentences import pair_sentences  # noqa: PLC0415  # seldom needed

    pairs = pair_sentences([gold, system], main=0)
    partner = dict(zip(*pairs.groups, strict=True))
    if len(gold) == len(system) and all(one == other for one, other in partner.items()):
        return None
    by_id = _places(gold, system)
    if by_id is None and not partner:
        return None
    mine, theirs = (
        sorted([*groups, *((place,) for place in alone)])
        for groups, alone in zip(pairs.groups, pairs.alone, strict=True)
    )
    if by_id is not None:  # other words under the same id are another analysis of the sentence
        alone, others = map(set, pairs.alone)
        same = ((place, int(by_id[place])) for place in sorted(alone))
        partner |= {(place,): (other,) for place, other in same if other in others}
    place = {group: at for at, group in enumerate(theirs)}
    places = [place[partner[group]] if group in partner else -1 for group in mine]
    joint = [len(group) > 1 or len(partner.get(group, group)) > 1 for group in mine]
    sides = _grouped(gold, mine), _grouped(system, theirs)
    return _Fitted(*sides, np.array(places, np.int64), np.array(joint, np.bool_))


def _grouped(corpus: Corpus, groups: Sequence[tuple[int, ...]]) -> Corpus:
    from commonground.corpus.joining import joined_sentences  # noqa: PLC0415  # seldom needed

    order = np.array([sentence for group in groups for sentence in group], np.int64)
    starts = offsets_of([len(group) for group in groups])[:-1]
    return joined_sentences(corpus.take(order), starts)


def _moved(gold: Corpus, system: Corpus) -> Numbers | None:
    """Return where the parse has each sentence, None if by their ids they are in order."""
    places = _places(gold, system)
    in_order = places is None or np.array_equal(places, np.arange(len(gold)))
    return None if in_order else places


def _places(gold: Corpus, system: Corpus) -> Numbers | None:
    """Return where the parse has each sentence of the gold standard, -1 for nowhere.

    It is None unless all sentences on both sides have ids of their own.
    """
    sides = [side.metadata("sent_id").tolist() for side in (gold, system)]
    if any("" in ids or len(set(ids)) < len(ids) for ids in sides):
        return None
    place = {name: at for at, name in enumerate(sides[1])}
    return np.array([place.get(name, -1) for name in sides[0]], np.int64)


def _by_place(
    fitted: _Fitted, settings: Settings, inner: Settings, compare: Compare
) -> PairedSentences:
    """Compare sentences that belong together, whatever their order in the parse."""
    gold, system, places, joint = fitted
    there = places >= 0
    rest = np.setdiff1d(np.arange(len(system)), places[there])
    extra = tuple(system.sent_id[rest].tolist())
    if settings.on_mismatch == "fail" and (extra or not there.all()):
        raise _missing(gold, system, there, extra)
    if not there.any():
        raise MismatchError(
            path_of(system), 0, f"no sentence has an id or a text that {path_of(gold)} has"
        )
    pair, _ = compare(gold.take(there), system.take(places[there]), inner)
    lost = ~np.isin(gold.numbers, pair.gold.numbers)
    joined = () if joint is None else tuple(gold.sent_id[joint & ~lost].tolist())
    if not lost.any() or settings.on_mismatch == "skip":
        return PairedSentences(pair, tuple(gold.sent_id[lost].tolist()), extra=extra, joined=joined)
    own = np.where(lost, len(system) + np.arange(len(gold)), places)
    both = type(gold).concatenate([system, gold])
    pair, _ = compare(gold, both.take(own), inner)
    missing = tuple(gold.sent_id[~there].tolist())
    return PairedSentences(pair, (), lost, extra, joined, missing)


# ── errors ───────────────────────────────────────────────────────────────────────────────────────


def _missing(gold: Corpus, system: Corpus, there: Flags, extra: tuple[str, ...]) -> MismatchError:
    """Return the error for sentences that only one side has."""
    missing = gold.sent_id[~there].tolist()
    parts = [f"missing: {listed(missing)}"] if missing else []
    parts += [f"not in the gold standard: {listed(extra)}"] if extra else []
    advice = f"{setting('on_mismatch', 'skip')} leaves them out"
    advice += ", zero counts those that are missing as wrong" if missing else ""
    return MismatchError(
        path_of(system), 0, f"{_numbers(gold, system)}; {'; '.join(parts)}; {advice}"
    )


def _unequal(gold: Corpus, system: Corpus) -> MismatchError:
    """Return the error for sentences that cannot be paired, with advice only if it will work."""
    advice = "they can be paired only by their text, or if every sentence has its own '# sent_id'"
    return MismatchError(path_of(system), 0, f"{_numbers(gold, system)}; {advice}")


def _numbers(gold: Corpus, system: Corpus) -> str:
    """Say how many sentences either side has."""
    count = number_of(len(system), "sentence")
    return f"{count}, but the gold standard ({path_of(gold)}) has {len(gold):,}"
