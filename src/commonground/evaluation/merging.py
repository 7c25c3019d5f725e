"""Answers about pieces of a pair of files, or about many pairs, put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from commonground.evaluation.answers import Answers, By, Flags
from commonground.metrics.items import Counts

if TYPE_CHECKING:
    from commonground.metrics.breakdown import Bucket
    from commonground.metrics.confusion import Cell
    from commonground.metrics.sentences import Headings

__all__ = ["in_order", "joined", "of_file"]


def joined(parts: Sequence[Answers]) -> Answers:
    """Return the answers about corpora one after the other, given those about each.

    The buckets of breakdowns are in no order (see :func:`in_order`).
    """
    first = parts[0]
    if len(parts) == 1:
        return first
    summed = not first.right  # nobody has asked for the sentences
    return Answers(
        kind=first.kind,
        counts={
            name: _counts([part.counts[name] for part in parts], summed=summed)
            for name in first.counts
        },
        skipped=tuple(sent_id for part in parts for sent_id in part.skipped),
        breakdowns={
            key: _buckets(part.breakdowns[key] for part in parts) for key in first.breakdowns
        },
        confusions={
            what: _cells(part.confusions[what] for part in parts) for what in first.confusions
        },
        headings=_headings([part.headings for part in parts]),
        right={name: _flags([part.right[name] for part in parts]) for name in first.right},
        reasons={
            name: reason
            for name, reason in first.reasons.items()
            if all(name in part.reasons for part in parts)
        },
    )


def _counts(parts: Sequence[Counts], *, summed: bool) -> Counts:
    columns = parts[0].columns
    found = Counts(
        {name: np.concatenate([part.columns[name] for part in parts]) for name in columns}
    )
    return found.summed() if summed else found


def _flags(parts: Sequence[Flags | None]) -> Flags | None:
    """Return the items of corpora one after the other, None where those of one are not known."""
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if len(known) == len(parts) else None


def _headings(parts: Sequence[Headings | None]) -> Headings | None:
    known = [part for part in parts if part is not None]
    return type(known[0]).joined(known) if known else None


def _buckets(parts: Iterable[Sequence[Bucket]]) -> list[Bucket]:
    from commonground.metrics.breakdown import Bucket  # noqa: PLC0415  # seldom asked for

    found: dict[tuple[str, ...], dict[str, int]] = {}
    for buckets in parts:
        for bucket in buckets:
            counts = found.setdefault(bucket.values, dict.fromkeys(bucket.counts, 0))
            for name, count in bucket.counts.items():
                counts[name] += count
    return [Bucket(values, counts) for values, counts in found.items()]


def _cells(parts: Iterable[Sequence[Cell]]) -> list[Cell]:
    from commonground.metrics.confusion import EXAMPLES, Cell  # noqa: PLC0415  # seldom asked for

    found: dict[tuple[str, str], Cell] = {}
    for cells in parts:
        for cell in cells:
            key = cell.gold, cell.system
            before = found.get(key, Cell(*key, 0, ()))
            shown = (*before.examples, *cell.examples)[:EXAMPLES]
            found[key] = Cell(*key, before.count + cell.count, shown)
    return sorted(found.values(), key=lambda cell: (-cell.count, cell.gold, cell.system))


# ── one file of many ─────────────────────────────────────────────────────────────────────────────


def of_file(name: str, answers: Answers) -> Answers:
    """Return answers in which the ids of sentences begin with the name of their file, if any."""
    if not name:
        return answers
    return replace(
        answers,
        skipped=tuple(f"{name}:{sent_id}" for sent_id in answers.skipped),
        breakdowns={
            (by, metric): [_bucket_of_file(name, by, bucket) for bucket in buckets]
            for (by, metric), buckets in answers.breakdowns.items()
        },
        confusions={
            what: [_cell_of_file(name, cell) for cell in cells]
            for what, cells in answers.confusions.items()
        },
    )


def _bucket_of_file(name: str, by: By, bucket: Bucket) -> Bucket:
    values = zip(by, bucket.values, strict=True)
    named = tuple(f"{name}:{value}" if what == "sentence" else value for what, value in values)
    return replace(bucket, values=named)


def _cell_of_file(name: str, cell: Cell) -> Cell:
    examples = tuple((f"{name}:{sent_id}", word) for sent_id, word in cell.examples)
    return replace(cell, examples=examples)


# ── order ────────────────────────────────────────────────────────────────────────────────────────


def in_order(buckets: Sequence[Bucket], by: By, sentences: Sequence[str] = ()) -> list[Bucket]:
    """Sort buckets by one property after the other: numbers by size, labels by frequency.

    Sentences are in the order of their ids in `sentences`, if that is known, else as they come.

    >>> from commonground.metrics.breakdown import Bucket
    >>> rare, frequent = Bucket(("X",), {"gold": 1}), Bucket(("NOUN",), {"gold": 9})
    >>> [bucket.values for bucket in in_order([rare, frequent], ("upos",))]
    [('NOUN',), ('X',)]
    """
    keys = [_ranks(buckets, place, name, sentences) for place, name in enumerate(by)]
    return sorted(
        buckets,
        key=lambda bucket: [rank[v] for rank, v in zip(keys, bucket.values, strict=True)],
    )


def _ranks(
    buckets: Sequence[Bucket], place: int, name: str, sentences: Sequence[str]
) -> dict[str, int]:
    """Return the rank of each value of a property."""
    total = dict.fromkeys(sentences if name == "sentence" else (), 0)
    for bucket in buckets:
        value = bucket.values[place]
        total[value] = total.get(value, 0) + bucket.counts["gold"]
    from commonground.metrics.by import order_of  # noqa: PLC0415  # seldom asked for

    order = order_of(name)
    values = list(total)
    if order == "size":
        values.sort(key=_size)
    elif isinstance(order, tuple):
        values.sort(key=order.index)
    elif order != "corpus":
        values.sort(key=lambda value: (-total[value], value))
    return {value: rank for rank, value in enumerate(values)}


def _size(value: str) -> int:
    """Return the number that a range begins with, 0 for none.

    >>> _size("3–6"), _size("15+"), _size("root")
    (3, 15, 0)
    """
    digits = value.partition("–")[0].removesuffix("+")
    return int(digits) if digits.isdecimal() else 0
