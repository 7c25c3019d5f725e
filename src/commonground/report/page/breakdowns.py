"""Scores by properties of words and phrases, as tables of the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from commonground.corpus import Corpus
from commonground.grid import Cell, Column, Grid
from commonground.metrics.breakdown import Bucket
from commonground.metrics.by import properties_of, property_title
from commonground.report.page.sections import TableBlock

__all__ = ["ABOUT", "breakdown_tables", "properties"]

ABOUT = ("label", "upos", "distance", "direction", "depth", "sentence-length")
"""The properties that a report looks at."""


def properties(corpus: Corpus, table: str) -> list[str]:
    """Return the properties that a report looks at, of those that items in a table have."""
    known = properties_of(corpus, table)
    return [name for name in ABOUT if name in known]


def breakdown_tables(
    title: str, buckets_of: Mapping[str, Mapping[str, Sequence[Bucket]]]
) -> Iterator[TableBlock]:
    """Return a table per property; `buckets_of` has the buckets by property and system."""
    for name, systems in buckets_of.items():
        what = property_title(name)
        heading = f"{title} by {what}"
        tables = {
            system: {" · ".join(bucket.values): bucket for bucket in buckets}
            for system, buckets in systems.items()
        }
        values = list(dict.fromkeys(value for table in tables.values() for value in table))
        if len(values) < 2:  # what is the same everywhere explains nothing
            continue
        if len(tables) == 1:
            yield _of_one(heading, what, next(iter(tables.values())))
        else:
            yield _of_several(heading, what, values, tables)


def _of_one(title: str, what: str, buckets: Mapping[str, Bucket]) -> TableBlock:
    """Return precision, recall and F1 of each value, and its share of all errors."""
    errors = _errors(buckets.values())
    rows = [
        [
            value,
            bucket.counts["gold"],
            bucket.counts["system"],
            100 * bucket.precision if bucket.counts["system"] else None,
            100 * bucket.recall if bucket.counts["gold"] else None,
            100 * bucket.f1,
            100 * _errors([bucket]) / errors if errors else 0.0,
        ]
        for value, bucket in buckets.items()
    ]
    columns = [
        Column(what),
        *(Column(name, "right") for name in ("gold", "parse")),
        *(Column(name, "right", 2) for name in ("precision", "recall", "F1", "% of errors")),
    ]
    return TableBlock(Grid.of(title, columns, rows), look="bars")


def _errors(buckets: Iterable[Bucket]) -> int:
    return sum(bucket.counts["gold"] - bucket.counts["correct"] for bucket in buckets)


def _of_several(
    title: str, what: str, values: Sequence[str], tables: Mapping[str, Mapping[str, Bucket]]
) -> TableBlock:
    """Return the F1 of each value for all systems, and how far they are apart."""
    rows: list[list[Cell | str | int]] = []
    for value in values:
        known = [table.get(value) for table in tables.values()]
        scores = [100 * bucket.f1 if bucket else None for bucket in known]
        gold = max(bucket.counts["gold"] for bucket in known if bucket)
        there = [score for score in scores if score is not None]
        best = max(there)
        compared = len(there) > 1
        cells = [Cell(score, bold=compared and score == best) for score in scores]
        # A difference is no share of anything: it gets no bar, so it is no number of the bars.
        difference = f"{best - min(there):.2f}" if compared else None
        rows.append([value, gold, *cells, Cell(difference)])
    columns = [
        Column(what),
        Column("gold", "right"),
        *(Column(system, "right", 2) for system in tables),
        Column("difference", "right"),
    ]
    return TableBlock(Grid.of(f"{title}, F1", columns, rows), look="bars")
