"""Agreements as JSON has them, decoded."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Annotated, Any

import msgspec

from commonground.errors import InputError
from commonground.evaluation.agreement import Agreement
from commonground.evaluation.alpha import Alpha
from commonground.evaluation.column_agreement import ChanceCorrected, ColumnAgreement
from commonground.evaluation.decoding import Count, Number, decoded
from commonground.evaluation.differences import Differences, ValueDifference
from commonground.evaluation.graph_agreement import PieceAgreement
from commonground.evaluation.system_json import ScoreJson, metric_named
from commonground.metrics.breakdown import Bucket
from commonground.metrics.confusion import ConfusionCell

__all__ = ["agreement_from"]

_Two = tuple[str, str]


class _Pair(msgspec.Struct, frozen=True):
    gold: str
    other: str
    metrics: Annotated[dict[str, ScoreJson], msgspec.Meta(min_length=1)]


class _Alpha(msgspec.Struct, frozen=True):
    observed: Number
    expected: Number
    expected_error: Number
    pairs: Count
    sentences: Count

    def alpha(self) -> Alpha:
        return Alpha(self.observed, self.expected, self.pairs, self.expected_error, self.sentences)


class _Alphas(msgspec.Struct, frozen=True):
    analyses: _Two
    labelled: _Alpha
    unlabelled: _Alpha


class _Word(msgspec.Struct, frozen=True):
    sentence: str
    word: Count
    form: str


class _Row(msgspec.Struct, frozen=True):
    value: str
    words: Count
    heads: Count
    labels: Count
    examples: tuple[_Word, ...]

    def difference(self) -> ValueDifference:
        words = tuple((each.sentence, each.word, each.form) for each in self.examples)
        return ValueDifference(self.value, self.words, self.heads, self.labels, words)


class _Differences(msgspec.Struct, frozen=True):
    one: str
    other: str
    by: str
    rows: tuple[_Row, ...]


class _Cell(msgspec.Struct, frozen=True):
    one: str
    other: str
    words: Count
    examples: tuple[tuple[str, Count], ...]


class _Confusions(msgspec.Struct, frozen=True):
    one: str
    other: str
    cells: tuple[_Cell, ...]


class _Corrected(msgspec.Struct, frozen=True):
    value: Number
    interval: tuple[Number, Number]

    def corrected(self) -> ChanceCorrected:
        return ChanceCorrected(self.value, *self.interval)


class _Confused(msgspec.Struct, frozen=True):
    one: str
    other: str
    words: Count


class _Column(msgspec.Struct, frozen=True):
    one: str
    other: str
    column: str
    words: Count
    observed: Number
    kappa: _Corrected | None
    alpha: _Corrected | None
    confused: tuple[_Confused, ...]

    def agreement(self) -> ColumnAgreement:
        kappa, alpha = (
            None if each is None else each.corrected() for each in (self.kappa, self.alpha)
        )
        confused = tuple((each.one, each.other, each.words) for each in self.confused)
        return ColumnAgreement(
            self.one, self.other, self.column, self.words, self.observed, kappa, alpha, confused
        )


class _LeftOut(msgspec.Struct, frozen=True):
    analyses: _Two
    sentences: tuple[str, ...]


class _Bucket(msgspec.Struct, frozen=True):
    value: str
    counts: dict[str, Count]


class _Pieces(msgspec.Struct, frozen=True):
    one: str
    other: str
    by: str
    rows: tuple[_Bucket, ...]

    def agreement(self) -> PieceAgreement:
        rows = tuple(Bucket((row.value,), row.counts) for row in self.rows)
        return PieceAgreement(self.one, self.other, self.by, rows)


class _Agreement(msgspec.Struct, frozen=True):
    signature: str
    analyses: tuple[str, ...]
    pairs: Annotated[tuple[_Pair, ...], msgspec.Meta(min_length=1)]
    alpha: tuple[_Alphas, ...] = ()
    differences: tuple[_Differences, ...] = ()
    confusions: tuple[_Confusions, ...] = ()
    inventories: tuple[str, ...] = ()
    left_out: tuple[_LeftOut, ...] = ()
    columns: tuple[_Column, ...] = ()
    pieces: tuple[_Pieces, ...] = ()


def agreement_from(data: Mapping[str, Any], path: str) -> Agreement:
    """Return the agreement that JSON holds, which was read from `path`."""
    saved = decoded(data, _Agreement, path)
    scores = {
        (pair.gold, pair.other): {
            name: score.summed(metric_named(name, path), path)
            for name, score in pair.metrics.items()
        }
        for pair in saved.pairs
    }
    if set(scores) != set(permutations(saved.analyses, 2)):
        raise InputError(path, 0, "its pairs are not all pairs of its analyses")
    if len({tuple(each) for each in scores.values()}) > 1:
        raise InputError(path, 0, "its pairs do not have the same metrics")
    return Agreement(
        saved.signature,
        saved.analyses,
        tuple(score.metric for score in next(iter(scores.values())).values()),
        scores,
        {each.analyses: (each.labelled.alpha(), each.unlabelled.alpha()) for each in saved.alpha},
        tuple(
            Differences(each.one, each.other, each.by, tuple(r.difference() for r in each.rows))
            for each in saved.differences
        ),
        {
            (each.one, each.other): [
                ConfusionCell(cell.one, cell.other, cell.words, cell.examples)
                for cell in each.cells
            ]
            for each in saved.confusions
        },
        saved.inventories,
        {each.analyses: each.sentences for each in saved.left_out},
        tuple(each.agreement() for each in saved.columns),
        tuple(each.agreement() for each in saved.pieces),
    )
