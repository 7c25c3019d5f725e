"""Sentences as tables: what the columns of a corpus say about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonground.corpus import Sentence
from commonground.corpus.records import record
from commonground.grid import Column, Grid

__all__ = ["listing"]


def listing(sentences: Sequence[Sentence[Any]]) -> list[Grid]:
    """Return a table for each table of the corpus, with the rows of these sentences.

    Each begins with the sent_id and the number of the row in its sentence. Tables without rows, and
    columns of text that say nothing, are left out.

    >>> from commonground.corpus import Dependencies
    >>> [words] = listing([Dependencies.of([(["Hi"], [0], ["root"])])[0]])
    >>> words.title, [column.title for column in words.columns]
    ('words', ['sentence', 'row', 'form', 'head', 'deprel'])
    """
    records = [record(sentence) for sentence in sentences]
    tables = dict.fromkeys(name for each in records for name in each if _is_table(each[name]))
    return [_grid(name, records) for name in tables]


def _is_table(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _grid(name: str, records: Sequence[dict[str, Any]]) -> Grid:
    rows = [
        (each["sent_id"], number, row)
        for each in records
        for number, row in enumerate(each[name], 1)
    ]
    titles = [title for title in rows[0][2] if any(row[title] != "_" for _, _, row in rows)]
    aligned = [
        Column(title, "left" if isinstance(rows[0][2][title], str) else "right") for title in titles
    ]
    return Grid.of(
        name,
        ["sentence", Column("row", "right"), *aligned],
        [[sent_id, number, *(row[title] for title in titles)] for sent_id, number, row in rows],
    )
