"""A sentence as plain Python values, the way JSON has it."""

from __future__ import annotations

from typing import Any

from commonground.corpus.corpus import Corpus, Sentence

__all__ = ["record"]


def record(sentence: Sentence[Any]) -> dict[str, Any]:
    """Return a sentence as a dict: its sent_id, its comments, and of each table a dict per row.

    >>> from commonground.corpus import Dependencies
    >>> words = record(Dependencies.of([(["Hi"], [0], ["root"])])[0])["words"]
    >>> words[0]["form"], words[0]["head"]
    ('Hi', 0)
    """
    alone: Corpus = sentence.alone
    return {
        "sent_id": sentence.sent_id,
        "line": sentence.line,
        "comments": sentence.comments,
        **{
            name: _rows(sentence, name)
            for name in alone.tables
            if name not in ("sentences", "origin")
        },
    }


def _rows(sentence: Sentence[Any], table: str) -> list[dict[str, Any]]:
    names = list(sentence.corpus.tables[table].columns)
    columns = [sentence.column(name, table) for name in names]
    lists = [column if isinstance(column, list) else column.tolist() for column in columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*lists, strict=True)]
