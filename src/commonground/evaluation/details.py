"""What there is of each sentence: its counts, which of its items are right, and its heading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from commonground.evaluation.spool import Parts, Spool, in_a_row
from commonground.metrics.items import Counts, CountsInParts

if TYPE_CHECKING:
    from commonground.evaluation.result import System
    from commonground.metrics.sentences import Headings

__all__ = ["Details"]

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Part = TypeVar("Part")


class Details(NamedTuple):
    """What there is of each sentence of a pair, part by part, as its pieces have come.

    `columns` are the counts of each metric, `right` tells which items are right, where both sides
    have the same ones. If somebody wants the sentences only in order, there are but `headings`.
    """

    headings: Parts[Headings]
    columns: Mapping[str, Mapping[str, Parts[Numbers]]]
    right: Mapping[str, Parts[Flags] | None]

    @classmethod
    def of(cls, system: System, *, counts: bool) -> Self:
        """Return what there is of each sentence that was scored, with the `counts` or without."""
        scores = system.scores if counts else {}
        return cls(
            (system.headings(),),
            {
                metric: {name: (column,) for name, column in score.counts.columns.items()}
                for metric, score in scores.items()
            },
            {
                metric: None if score.right is None else (score.right,)
                for metric, score in scores.items()
            },
        )

    def aside(self, spool: Spool) -> Details:
        """Return the same, put aside."""
        return Details(
            _aside(self.headings, spool),
            {
                metric: {name: _aside(column, spool) for name, column in columns.items()}
                for metric, columns in self.columns.items()
            },
            {
                metric: None if right is None else _aside(right, spool)
                for metric, right in self.right.items()
            },
        )

    @classmethod
    def joined(cls, parts: Sequence[Details]) -> Self:
        """Return what there is of corpora one after the other."""
        first = parts[0]
        return cls(
            in_a_row(part.headings for part in parts),
            {
                metric: {
                    name: in_a_row(part.columns[metric][name] for part in parts) for name in columns
                }
                for metric, columns in first.columns.items()
            },
            {metric: _right([part.right[metric] for part in parts]) for metric in first.right},
        )

    def counts(self, metric: str, sums: Counts) -> Counts:
        """Return the counts of each sentence, whose `sums` are known."""
        return CountsInParts(sums.totals, self.columns[metric])


def _aside(parts: Parts[Part], spool: Spool) -> Parts[Part]:
    return in_a_row(spool.put(part) for part in parts)


def _right(parts: Sequence[Parts[Flags] | None]) -> Parts[Flags] | None:
    """Return which items are right in a row, None where those of one part are not known."""
    known = [part for part in parts if part is not None]
    return in_a_row(known) if len(known) == len(parts) else None
