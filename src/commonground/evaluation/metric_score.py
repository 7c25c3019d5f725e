"""The score of a metric on a corpus, with the counts per sentence behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UndefinedScoreError, UsageError
from commonground.metrics.items import Counts, Items
from commonground.metrics.metric import Metric, precision, recall
from commonground.plurals import number_of
from commonground.streamed_json import ListInParts, TextInParts

__all__ = ["NOTHING", "Score", "percent"]

NOTHING = "neither side has anything to count"
"""Why a score of no item is undefined."""


@dataclass(frozen=True)
class Score:
    """A metric's score on a corpus, with the counts per sentence behind it.

    Behind these are the `items` that were counted, unless counts were merged or read from a file;
    then `judged` may still tell, part by part, which of the items are right. An undefined score has
    no value: `reason` says why; a score without any items gives its own reason. A `unit` that is
    counted is a sentence, or a file where scores of files were averaged. With `strata`, how many
    units each of several files has, the value is the mean over these files.

    >>> from commonground.metrics.dependencies.attachment import METRICS
    >>> none = np.array([0])
    >>> score = Score(METRICS[0], Counts({"correct": none, "gold": none, "system": none}))
    >>> print(score.value, "-", score.undefined)
    None - neither side has anything to count
    """

    metric: Metric
    counts: Counts
    items: Items | None = field(default=None, repr=False, compare=False)
    judged: Iterable[NDArray[np.bool_]] | None = field(default=None, repr=False, compare=False)
    reason: str = ""
    unit: str = "sentence"
    strata: tuple[int, ...] = ()

    @classmethod
    def of(cls, metric: Metric, comparison: Any, lost: NDArray[np.bool_] | None = None) -> Score:
        """Return the score of a comparison; a metric can tell that it has no meaning here.

        Sentences that are `lost` get no credit.
        """
        try:
            items = metric.items(comparison)
        except UndefinedScoreError as error:
            none = np.zeros(len(comparison.gold), np.int64)
            counts = Counts(dict.fromkeys(("correct", "gold", "system", "aligned"), none))
            return cls(metric, counts, reason=str(error))
        if lost is None:
            return cls(metric, items.counts, items)
        from commonground.metrics.lost import LOWER_IS_BETTER, without_credit  # noqa: PLC0415  # seldom

        items = without_credit(items, lost)
        return cls(
            metric, items.counts, items, reason="" if metric.higher_is_better else LOWER_IS_BETTER
        )

    def __repr__(self) -> str:
        """Return the score in short.

        >>> from commonground.metrics.dependencies.attachment import METRICS
        >>> two = np.array([2, 2])
        >>> Score(METRICS[0], Counts({"correct": np.array([1, 2]), "gold": two, "system": two}))
        Score(uas=0.75, 2 sentences)
        """
        shown = "undefined" if self.value is None else f"{self.value:.4g}"
        units = len(next(iter(self.counts.columns.values()), ()))
        return f"Score({self.metric.name}={shown}, {number_of(units, self.unit)})"

    @cached_property
    def value(self) -> float | None:
        """The score of the corpus, from the summed counts: a fraction of 1; None if undefined."""
        if self.undefined:
            return None
        if not self.strata:
            return self.metric.formula(self.counts.totals)
        starts = np.cumsum((0, *self.strata[:-1]))
        columns = self.counts.columns
        summed = {name: np.add.reduceat(column, starts) for name, column in columns.items()}
        return float(np.mean(self.metric.formula(summed)))

    @cached_property
    def undefined(self) -> str:
        """Why the score means nothing; the empty string where it means something."""
        nothing = self.empty and self.metric.empty is None
        return self.reason or (NOTHING if nothing else "")

    @property
    def empty(self) -> bool:
        """Whether neither side had anything to count."""
        totals = self.counts.totals
        return not (totals.get("gold") or totals.get("system"))

    def __float__(self) -> float:
        """Return the value of a score that has one."""
        if self.value is None:
            raise UsageError(f"{self.metric.name} is undefined: {self.undefined}")
        return float(self.value)

    @property
    def precision(self) -> float:
        """The share of the parse's items that are right."""
        return precision(self.counts.totals)

    @property
    def recall(self) -> float:
        """The share of the gold standard's items that are found."""
        return recall(self.counts.totals)

    @property
    def right(self) -> NDArray[np.bool_] | None:
        """Which items are right, sentence by sentence; None unless both sides have the same."""
        judged = self.right_in_parts
        return None if judged is None else np.concatenate(list(judged))

    @property
    def right_in_parts(self) -> Iterable[NDArray[np.bool_]] | None:
        """The same part by part, which is all at once unless scores come in parts."""
        if self.items is None:
            return self.judged
        right = self.items.right
        return None if right is None else (right,)

    def by_sentence(self) -> NDArray[np.float64]:
        """Return the score of each sentence by itself."""
        values: NDArray[np.float64] = self.metric.formula(self.counts.columns)
        return values

    def only(self, sentences: NDArray[np.int64]) -> Score:
        """Return the score of some sentences, by their places."""
        columns = {name: column[sentences] for name, column in self.counts.columns.items()}
        right, judged = self.right, None
        if right is not None:
            each = np.split(right, np.cumsum(self.counts.columns["gold"])[:-1])
            judged = [right[:0], *(each[place] for place in sentences)]
        return Score(
            self.metric, Counts(columns), judged=judged, reason=self.reason, unit=self.unit
        )

    def to_json(self) -> dict[str, Any]:
        """Return the score as JSON has it."""
        totals = self.counts.totals
        sides = {"precision": self.precision, "recall": self.recall}
        shown = (
            sides
            if {"gold", "system"} <= totals.keys() and totals["gold"] != totals["system"]
            else {}
        )
        why = {"undefined": self.undefined} if self.undefined else {}
        return {"score": self.value, **why, **shown, "counts": totals}

    def details_json(self, *, scores: bool = False) -> dict[str, Any]:
        """Return what there is for each sentence, as JSON in parts has it.

        These are the columns of the counts, with `scores` the scores, and which items are right as
        bits in base64 (the first item is the highest bit of the first byte).
        """
        columns = self.counts.parts
        data: dict[str, Any] = {
            "by_sentence": {name: _in_parts(column) for name, column in columns.items()}
        }
        if scores:
            data["sentence_scores"] = ListInParts(self._scores_in_parts)
        if (right := self.right_in_parts) is not None:
            data["items"] = TextInParts(lambda: _bits_in_base64(right))
        return data

    def _scores_in_parts(self) -> Iterator[list[float]]:
        columns = self.counts.parts
        for part in zip(*columns.values(), strict=True):
            scores: NDArray[np.float64] = self.metric.formula(dict(zip(columns, part, strict=True)))
            yield scores.tolist()


def percent(score: Score) -> float | None:
    """Return a score as tables show it: a share in per cent, None where it is undefined."""
    return score.metric.shown(score.value)


def _in_parts(column: Iterable[NDArray[Any]]) -> ListInParts:
    return ListInParts(lambda: (part.tolist() for part in column))


def _bits_in_base64(parts: Iterable[NDArray[np.bool_]]) -> Iterator[str]:
    """Return flags as bits in base64, where 24 bits are four characters."""
    from base64 import b64encode  # noqa: PLC0415  # only for results that are saved

    rest = np.zeros(0, np.bool_)
    for part in parts:
        flags = np.concatenate([rest, part])
        ready = len(flags) - len(flags) % 24
        yield b64encode(np.packbits(flags[:ready]).tobytes()).decode()
        rest = flags[ready:]
    yield b64encode(np.packbits(rest).tobytes()).decode()
