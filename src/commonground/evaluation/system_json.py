"""Systems and their scores as JSON has them, decoded."""

from __future__ import annotations

import binascii
from base64 import b64decode
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from commonground.errors import InputError, UsageError, quoted, setting
from commonground.evaluation.decoding import Count
from commonground.evaluation.metric_score import Score
from commonground.evaluation.other_scheme import OtherScheme
from commonground.evaluation.result import System
from commonground.metrics.items import Counts
from commonground.metrics.metric import Metric
from commonground.metrics.sentences import Sentences

if TYPE_CHECKING:
    from commonground.evaluation.repairs import Repairs

__all__ = ["ScoreJson", "SystemJson", "metric_named", "saved_sentences"]


def metric_named(name: str, path: str) -> Metric:
    """Return a metric of an evaluation, or of a comparison, whose names begin with the way."""
    from commonground.evaluation.protocols import named_metrics  # noqa: PLC0415  # it imports much
    from commonground.metrics.registry import explained  # noqa: PLC0415  # it imports all metrics

    known = {metric.name: metric for metric in named_metrics(()).values()}
    if name in known:
        return known[name]
    try:
        return next(iter(explained(name).values()))[0]
    except UsageError:
        message = f"there is no metric {quoted(name)}; another version may have one"
        raise InputError(path, 0, message) from None


NO_COUNTS = (
    "this result has no counts per sentence; evaluate and compare save them with "
    f"{setting('output_format', 'json')}"
)

_OF_ALL = ("correct", "gold", "system")
"""What every metric counts."""


class ScoreJson(msgspec.Struct, frozen=True):
    """A score: its sums and, where they were saved, the counts and items of each sentence."""

    counts: dict[str, Count]
    by_sentence: dict[str, list[Count]] = {}
    items: str | None = None
    undefined: str = ""

    def summed(self, metric: Metric, path: str) -> Score:
        """Return the score by its sums."""
        columns = {name: np.array([total], np.int64) for name, total in self.counts.items()}
        return self._counted(metric, columns, path)

    def score(self, metric: Metric, path: str, sentences: int) -> Score:
        """Return the score with the counts of each of so many sentences."""
        if not self.by_sentence:
            raise InputError(path, 0, NO_COUNTS)
        columns = {name: np.array(each, np.int64) for name, each in self.by_sentence.items()}
        if any(len(column) != sentences for column in columns.values()):
            message = "does not have one entry per sentence"
            raise InputError(path, 0, f"the by_sentence list of {metric.name} {message}")
        score = self._counted(metric, columns, path)
        if score.counts.totals != self.counts:
            message = "the counts by_sentence do not add up to its counts"
            raise InputError(path, 0, f"{metric.name}: {message}")
        if self.items is None:
            return score
        return replace(score, judged=(self._right(self.items, score, path),))

    def _counted(self, metric: Metric, columns: dict[str, NDArray[np.int64]], path: str) -> Score:
        """Return a score of counts, among which is all that is made of them."""
        lacking = [name for name in _OF_ALL if name not in columns]
        score = Score(metric, Counts(columns), reason=self.undefined)
        try:
            _ = score.value
        except KeyError as error:
            lacking += error.args
        if lacking:
            raise InputError(path, 0, f"{metric.name} has no counts {lacking[0]!r}")
        return score

    @staticmethod
    def _right(items: str, score: Score, path: str) -> NDArray[np.bool_]:
        """Return which items are right, from bits in base64."""
        try:
            packed = np.frombuffer(b64decode(items, validate=True), np.uint8)
        except (ValueError, binascii.Error):
            packed = np.zeros(0, np.uint8)
        totals = score.counts.totals
        if len(packed) != -(-totals["gold"] // 8):
            raise InputError(
                path, 0, f"{score.metric.name}: its items are not one bit each, in base64"
            )
        right = np.unpackbits(packed, count=totals["gold"]).astype(np.bool_)
        if int(right.sum()) != totals["correct"]:
            raise InputError(
                path, 0, f"{score.metric.name}: its items do not agree with its counts"
            )
        return right


class SystemJson(msgspec.Struct, frozen=True):
    """A system with its scores, and what is known about the sentences and the files behind them."""

    name: str
    metrics: Annotated[dict[str, ScoreJson], msgspec.Meta(min_length=1)]
    sentences: tuple[str, ...] | None = None
    documents: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    noted: dict[str, tuple[str, ...]] = {}
    other_scheme: dict[str, Any] | None = None
    repairs: dict[str, Any] | None = None
    pairs: tuple[SystemJson, ...] = ()

    def _other_scheme(self, path: str) -> OtherScheme | None:
        return OtherScheme.from_json(self.other_scheme, path) if self.other_scheme else None

    def _repairs(self, path: str) -> Repairs | None:
        if self.repairs is None:
            return None
        from commonground.evaluation.repairs import Repairs  # noqa: PLC0415  # seldom there

        return Repairs.from_json(self.repairs, path)

    def system(self, path: str) -> System:
        """Return the system with the counts of each sentence."""
        sentences = saved_sentences(self.sentences, self.documents, self.name, path)
        count = len(sentences.ids)
        scores = {
            name: score.score(metric_named(name, path), path, count)
            for name, score in self.metrics.items()
        }
        return System(
            self.name,
            scores,
            self.skipped,
            kept=sentences,
            noted=self.noted,
            other_scheme=self._other_scheme(path),
            repairs=self._repairs(path),
        )

    def summed(self, path: str, name: str = "") -> System:
        """Return the system with the sums of its counts; it can be called by another name."""
        scores = {
            each: score.summed(metric_named(each, path), path)
            for each, score in self.metrics.items()
        }
        return System(
            name or self.name,
            scores,
            self.skipped,
            noted=self.noted,
            other_scheme=self._other_scheme(path),
            repairs=self._repairs(path),
        )


def saved_sentences(
    ids: tuple[str, ...] | None, documents: tuple[str, ...], name: str, path: str
) -> Sentences:
    """Return the sentences that the counts of a system are about."""
    if ids is None:
        raise InputError(path, 0, NO_COUNTS)
    if documents and len(documents) != len(ids):
        message = f"{name} has {len(ids):,} sentences, but {len(documents):,} documents"
        raise InputError(path, 0, message)
    return Sentences(ids, documents)
