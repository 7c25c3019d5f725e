"""The same sentences in all treebanks of a comparison, however each of them cuts the text.

Sentences are paired by id and by text, neighbours that another treebank has as one are put together
(:mod:`commonground.tokens.sentences`). Words that have no partner are counted, and are an error
unless sentences may be left out; so are sentences whose heads run in a circle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.corpus import Corpus, Dependencies
from commonground.errors import MismatchError, UsageError, setting
from commonground.evaluation.not_trees import cyclic_sentences, refused_cycle
from commonground.evaluation.notes import listed
from commonground.metrics.mismatch import path_of
from commonground.plurals import number_of
from commonground.tokens.sentences import SentencePairs, pair_sentences

__all__ = ["SameSentences", "same_sentences"]

Pair = tuple[Corpus, Corpus]


@dataclass(frozen=True)
class SameSentences:
    """Gold standards and parses by name with the same sentences, and what was done for that.

    `joined` is how many sentences were put together of several, `alone` has the ids of sentences
    without a partner and `words` the number of their words, of all words, by treebank; `circular`
    has the ids of sentences that are no trees.
    """

    corpora: dict[str, Pair]
    joined: int = 0
    alone: Mapping[str, tuple[str, ...]] | None = None
    words: Mapping[str, tuple[int, int]] | None = None
    circular: Mapping[str, tuple[str, ...]] | None = None

    def facts(self) -> dict[str, int]:
        """Return what a signature says about it: nothing where nothing was done."""
        lost = sum(words for words, _ in (self.words or {}).values())
        circles = sum(map(len, (self.circular or {}).values()))
        named = {"joined": self.joined, "without-partner": lost, "circular": circles}
        return {name: number for name, number in named.items() if number}

    def remarks(self) -> list[str]:
        """Say what was put together and left out, a line each."""
        lines = [
            f"{name}: {number_of(len(ids), 'sentence')} with a cycle, left out: {listed(ids)}"
            for name, ids in (self.circular or {}).items()
        ]
        if self.joined:
            what = "were" if self.joined > 1 else "was"
            lines.append(
                f"{number_of(self.joined, 'sentence')} {what} put together of several, as the "
                "treebanks have different boundaries"
            )
        for name, (words, total) in (self.words or {}).items():
            if words:
                ids = (self.alone or {})[name]
                lines.append(
                    f"{name}: {words:,} of {total:,} words ({_percent(words, total)}) stand in "
                    f"{number_of(len(ids), 'sentence')} without a partner, left out: {listed(ids)}"
                )
        return lines


def same_sentences(corpora: Mapping[str, Pair], on_mismatch: str) -> SameSentences:
    """Return treebanks with the same sentences in the same order, as they are where they have them.

    `on_mismatch` decides whether sentences without a partner may be left out, and such with cycles.
    """
    if on_mismatch in ("skip", "realign"):
        corpora, circular = _without_cycles(corpora)
        return replace(_paired(corpora, on_mismatch), circular=circular)
    for gold, _ in corpora.values():
        if isinstance(gold, Dependencies) and (bad := cyclic_sentences(gold)).any():
            raise refused_cycle(gold, int(np.flatnonzero(bad)[0]))
    return _paired(corpora, on_mismatch)


def _without_cycles(
    corpora: Mapping[str, Pair],
) -> tuple[dict[str, Pair], dict[str, tuple[str, ...]]]:
    """Return treebanks without the sentences whose heads run in a circle, and the ids of these."""
    made: dict[int, Corpus] = {}
    circular: dict[str, tuple[str, ...]] = {}
    for name, side in _named(corpora).items():
        if id(side) in made:
            continue
        made[id(side)] = side
        if isinstance(side, Dependencies) and (bad := cyclic_sentences(side)).any():
            made[id(side)] = side.take(~bad)
            circular[name] = tuple(side.sent_id[bad].tolist())
    sides = {name: (made[id(gold)], made[id(parse)]) for name, (gold, parse) in corpora.items()}
    return sides, circular


def _named(corpora: Mapping[str, Pair]) -> dict[str, Corpus]:
    """Return all treebanks, by the system and by what they are to it."""
    return {
        f"{name}'s {what}": side
        for name, pair in corpora.items()
        for what, side in zip(("gold standard", "parse"), pair, strict=True)
    }


def _paired(corpora: Mapping[str, Pair], on_mismatch: str) -> SameSentences:
    named = _named(corpora)
    sides = list({id(side): side for side in named.values()}.values())
    pairs = _needed(sides)
    if pairs is None:
        return SameSentences(dict(corpora))
    names = [next(name for name, each in named.items() if each is side) for side in sides]
    alone = {
        name: tuple(side.sent_id[np.array(places, np.int64)].tolist())
        for name, side, places in zip(names, sides, pairs.alone, strict=True)
    }
    totals = (sum(words) for words in pairs.words)
    words = dict(zip(names, zip(pairs.words_alone, totals, strict=True), strict=True))
    same = SameSentences({}, pairs.joined, alone, words)
    if not pairs.groups[0]:
        counts = ", ".join(f"{n} has {len(s):,}" for n, s in zip(names, sides, strict=True))
        raise UsageError(
            f"the treebanks do not have the same text: no sentence is in all; {counts}"
        )
    if on_mismatch in ("fail", "zero") and any(pairs.alone):
        lonely = [side for side, places in enumerate(pairs.alone) if places]
        at = max(lonely, key=lambda side: pairs.words_alone[side])
        place = pairs.alone[at][0]
        lost = "; ".join(same.remarks()[bool(pairs.joined) :]).replace(", left out", "")
        raise MismatchError(
            path_of(sides[at]),
            sides[at][place].line,
            f"{lost}; {setting('on_mismatch', 'skip')} or realign leaves them out",
        )
    made = {id(side): pairs.of(at, side) for at, side in enumerate(sides)}
    return SameSentences(
        {name: (made[id(gold)], made[id(parse)]) for name, (gold, parse) in corpora.items()},
        pairs.joined,
        alone,
        words,
    )


def _needed(sides: Sequence[Corpus]) -> SentencePairs | None:
    """Return the pairs of sentences, None where sentences in the same place belong together."""
    have_words = all("words" in side.tables and side.tables["words"].rows for side in sides)
    if len(sides) < 2 or not have_words:
        return None
    equally_many = len({len(side) for side in sides}) == 1
    first, *others = (side.tables["words"] for side in sides)
    if equally_many and all(
        table.strings("form") == first.strings("form") and (table.offsets == first.offsets).all()
        for table in others
    ):
        return None
    pairs = pair_sentences(sides)
    in_place = all(
        len(set(row)) == 1 and len(row[0]) == 1 for row in zip(*pairs.groups, strict=True)
    )
    return None if equally_many and in_place else pairs


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "0 %"
