"""Which sentences of a gold standard and a parse belong together.

Sentences belong together by their order, if there are equally many with the same words. Otherwise
they do so by their ids, where all sentences on both sides have one of their own. What the parse
lacks, or has other words for, is an error, is left out (``skip``), or counts as wrong (``zero``):
then the sentence of the gold standard stands in its place, and gets no credit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies
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

    `lost` tells for each sentence of the comparison whether it counts as wrong.
    """

    pair: Any
    skipped: tuple[str, ...] = ()
    lost: Flags | None = None
    extra: tuple[str, ...] = ()


def compared(gold: Corpus, system: Corpus, settings: Settings) -> PairedSentences:
    """Return the comparison of a gold standard and a parse, whose sentences are numbered."""
    compare = comparison_for(gold.kind)
    if settings.evalb is not None or settings.on_mismatch == "realign":
        return PairedSentences(*compare(gold, system, settings))
    inner = replace(settings, on_mismatch="skip") if settings.on_mismatch == "zero" else settings
    if len(gold) != len(system):
        places = _places(gold, system)
        if places is None:
            raise _unequal(gold, system)
        return _by_id(gold, system, places, settings, inner, compare)
    try:
        pair, skipped = compare(gold, system, replace(inner, any_forms=False))
    except MismatchError:
        places = _moved(gold, system)
        if places is None and settings.any_forms:
            return PairedSentences(*compare(gold, system, inner))
        if places is None:
            raise
        return _by_id(gold, system, places, settings, inner, compare)
    places = _moved(gold, system) if skipped else None
    if places is None and (not skipped or settings.on_mismatch == "skip"):
        return PairedSentences(pair, skipped)
    places = np.arange(len(gold)) if places is None else places
    return _by_id(gold, system, places, settings, inner, compare)


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


def _by_id(
    gold: Corpus,
    system: Corpus,
    places: Numbers,
    settings: Settings,
    inner: Settings,
    compare: Compare,
) -> PairedSentences:
    """Compare sentences that belong together by their ids, `places` in the parse."""
    there = places >= 0
    rest = np.setdiff1d(np.arange(len(system)), places[there])
    extra = tuple(system.sent_id[rest].tolist())
    if settings.on_mismatch == "fail" and (extra or not there.all()):
        raise _missing(gold, system, there, extra)
    if not there.any():
        raise MismatchError(path_of(system), 0, f"no sentence has an id that {path_of(gold)} has")
    pair, _ = compare(gold.take(there), system.take(places[there]), inner)
    lost = ~np.isin(gold.numbers, pair.gold.numbers)
    if not lost.any() or settings.on_mismatch == "skip":
        return PairedSentences(pair, tuple(gold.sent_id[lost].tolist()), extra=extra)
    own = np.where(lost, len(system) + np.arange(len(gold)), places)
    both = type(gold).concatenate([system, gold])
    pair, _ = compare(gold, both.take(own), inner)
    return PairedSentences(pair, (), lost, extra)


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
    if isinstance(gold, Dependencies) and _text(gold) == _text(system):
        advice = (
            f"{setting('on_mismatch', 'realign')} compares them over the characters of the text"
        )
    else:
        advice = "they can be paired only if every sentence on both sides has its own '# sent_id'"
    return MismatchError(
        path_of(system), 0, f"{_numbers(gold, system)}{_unheard(gold, system)}; {advice}"
    )


def _numbers(gold: Corpus, system: Corpus) -> str:
    """Say how many sentences either side has."""
    count = number_of(len(system), "sentence")
    return f"{count}, but the gold standard ({path_of(gold)}) has {len(gold):,}"


def _unheard(gold: Corpus, system: Corpus) -> str:
    """Say which sentences of the gold standard the parse seems to lack, by their words."""
    if "words" not in gold.tables or "form" not in gold.tables["words"]:
        return ""
    there = Counter(_sentences(system))
    lacking = []
    for sent_id, words in zip(gold.sent_id.tolist(), _sentences(gold), strict=True):
        there[words] -= 1
        if there[words] < 0:
            lacking.append(sent_id)
    return f"; there is no sentence with the words of {listed(lacking)}" if lacking else ""


def _sentences(corpus: Corpus) -> list[str]:
    table = corpus.tables["words"]
    forms, ends = table.strings("form").tolist(), table.offsets.tolist()
    return [" ".join(forms[first:last]) for first, last in pairwise(ends)]


def _text(corpus: Corpus) -> str:
    return "".join(corpus.tables["words"].strings("form").tolist())
