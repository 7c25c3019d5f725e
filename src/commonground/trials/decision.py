"""From the annotated sheet of a trial without a gold standard to a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, ClassVar, Self

import msgspec
import numpy as np

from commonground.corpus import Dependencies
from commonground.errors import InputError, MismatchError
from commonground.evaluation.decoding import Count, Number, decoded
from commonground.evaluation.result import MEMORY, Result
from commonground.evaluation.signature import signature
from commonground.formats.objects import as_corpus
from commonground.formats.registry import read_text
from commonground.metrics.mismatch import path_of
from commonground.plurals import number_of
from commonground.statistics.survey import Estimate, estimate
from commonground.tokens.spans import spans_of
from commonground.trials.disagreement import ChosenUnit, Disagreement
from commonground.trials.units import differences, units_of

__all__ = ["DecidedPair", "Decision", "decision"]


@dataclass(frozen=True, slots=True)
class DecidedPair:
    """By how much `one` is better than `other`, as a fraction of 1, with its interval."""

    one: str
    other: str
    difference: Number
    low: Number | None
    high: Number | None

    @property
    def sentence(self) -> str:
        """The verdict, in one sentence.

        >>> DecidedPair("a", "b", -0.021, -0.04, -0.002).sentence
        'b is better than a by 2.1 points of LAS (0.2 to 4.0).'
        """
        if self.low is None or self.high is None or self.low <= 0 <= self.high:
            around = (
                ""
                if self.low is None or self.high is None
                else f" ({100 * self.low:+.1f} to {100 * self.high:+.1f})"
            )
            return (
                f"No difference between {self.one} and {self.other} can be shown: "
                f"{100 * self.difference:+.1f} points of LAS{around}."
            )
        ahead = self.difference > 0
        best, next_one = (self.one, self.other) if ahead else (self.other, self.one)
        ends = sorted(100 * abs(end) for end in (self.low, self.high))
        return (
            f"{best} is better than {next_one} by {100 * abs(self.difference):.1f} points of LAS "
            f"({ends[0]:.1f} to {ends[1]:.1f})."
        )


@dataclass(frozen=True, repr=False)
class Decision(Result):
    """What an annotated sheet says about each pair of systems.

    Of `units` stretches of text, `annotated` were chosen and annotated, with so many `words`.
    """

    kind: ClassVar[str] = "decision"
    verb: ClassVar[str] = "trial"

    signature: str
    units: int
    annotated: int
    words: int
    pairs: tuple[DecidedPair, ...]

    def sentences(self) -> list[str]:
        """Return the verdicts, and what they are from."""
        stretches = f"{number_of(self.annotated, 'stretch', 'stretches')} of text"
        from_ = (
            f"From {stretches} of {self.units:,} ({self.words:,} words), chosen by disagreement; "
            "the intervals allow for the choice."
        )
        return [*(pair.sentence for pair in self.pairs), from_]

    def to_json(self) -> dict[str, Any]:
        """Return the decision as JSON has it."""
        return {
            "kind": self.kind,
            "signature": self.signature,
            "units": self.units,
            "annotated": self.annotated,
            "words": self.words,
            "pairs": [{**asdict(pair), "sentence": pair.sentence} for pair in self.pairs],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Self:
        """Return the decision that JSON holds."""
        saved = decoded(data, _Json, path)
        return cls(saved.signature, saved.units, saved.annotated, saved.words, saved.pairs)

    def __repr__(self) -> str:
        return "\n".join(self.sentences())


class _Json(msgspec.Struct, frozen=True):
    signature: str
    units: Count
    annotated: Count
    words: Count
    pairs: tuple[DecidedPair, ...]


def decision(result: Disagreement, annotated: Any, *, confidence: float = 0.95) -> Decision:
    """Return what an annotated sheet says about the systems of a trial.

    Not all of the sheet has to be annotated, but its first sentences: they are in random order.
    """
    corpus = as_corpus(annotated, partial=True)
    if not isinstance(corpus, Dependencies):
        raise InputError(path_of(corpus), 0, f"it has {corpus.kind}; the sheet has dependencies")
    gold = _annotated_units(corpus, result)
    chosen = [unit for unit in result.chosen if unit.unit in gold]
    share = len(chosen) / len(result.chosen)
    probability = np.array([unit.probability for unit in chosen])
    probability = probability if share == 1 else probability * share
    lost = {name: np.array([_lost(unit, name, gold) for unit in chosen]) for name in result.words}
    pairs = []
    for one, other in combinations(result.words, 2):
        items = result.words[one] + result.words[other]
        told = estimate(lost[other] - lost[one], probability, items, confidence)
        pairs.append(_decided(one, other, told))
    return Decision(
        signature(level=confidence, annotated=len(chosen)),
        result.units,
        len(chosen),
        sum(each.words.rows for each in gold.values()),
        tuple(pairs),
    )


def _decided(one: str, other: str, told: Estimate) -> DecidedPair:
    if not np.isfinite(told.high):  # a single unit says nothing about the others
        return DecidedPair(one, other, told.difference, None, None)
    return DecidedPair(one, other, told.difference, told.low, told.high)


def _lost(unit: ChosenUnit, name: str, gold: Mapping[int, Dependencies]) -> int:
    """Return what a system loses in a unit: G + S − 2C."""
    parse = read_text(unit.parses[name], "conllu")
    assert isinstance(parse, Dependencies)
    both = units_of([gold[unit.unit], parse])
    return int(differences(both, (0, 1), gold[unit.unit], parse).sum())


def _annotated_units(corpus: Dependencies, result: Disagreement) -> dict[int, Dependencies]:
    """Return the units that are annotated as a whole, which must be the first ones."""
    places: dict[int, list[int]] = {}
    for place, text in enumerate(corpus.metadata("unit").tolist()):
        if not text.isdigit():
            raise InputError(
                path_of(corpus), corpus[place].line, "'# unit = …' is missing, as the sheet has it"
            )
        places.setdefault(int(text), []).append(place)
    gold: dict[int, Dependencies] = {}
    left = ""
    for unit in result.chosen:
        if unit.unit not in places:
            left = left or f"unit {unit.unit} is missing"
            continue
        part = corpus[np.array(places[unit.unit])]
        if (part.head < 0).any():
            row = int(np.flatnonzero(part.head < 0)[0])
            left = left or f"{path_of(part)}:{int(part.lines_of_words()[row])}: no head"
            continue
        if left:
            raise InputError(
                path_of(corpus),
                part[0].line,
                f"this is annotated, but not everything before it ({left}); what is annotated has "
                "to be the beginning of the sheet, which is in random order",
            )
        _refuse_other_text(part, unit)
        gold[unit.unit] = part
    if not gold:
        raise InputError(path_of(corpus), 0, f"nothing is annotated ({left})")
    return gold


def _refuse_other_text(part: Dependencies, unit: ChosenUnit) -> None:
    given = read_text(next(iter(unit.parses.values())), "conllu")
    assert isinstance(given, Dependencies)
    if spans_of(part).text != spans_of(given).text:
        message = (
            "it is not the text of the sheet any more; words may be cut otherwise, not changed"
        )
        raise MismatchError(path_of(part), part[0].line, message)
