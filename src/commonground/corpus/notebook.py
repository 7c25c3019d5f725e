"""Corpora as HTML, for notebooks: plain tables that are readable on light and on dark pages.

A corpus shows how many rows its tables have and its first sentences; a corpus of one sentence (and
so a sentence) is drawn, and shows the rows of its tables. Nothing is loaded and nothing is
executed; all text from files is escaped, isolated from what stands around it, and bounded.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from commonground.corpus.corpus import Corpus, Sentence
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table
from commonground.dispatch import perform
from commonground.errors import UsageError

__all__ = ["corpus_html", "sentence_svg"]

MOST_SENTENCES = 8
MOST_WORDS = 30
MOST_ROWS = 200
MOST_COMMENTS = 20
MOST_CHARACTERS = 200

_GREY = "1px solid rgba(128, 128, 128, 0.4)"
_CELL = f"border: {_GREY}; padding: 0.1em 0.5em; text-align: left; color: inherit;"
_TABLE = "border-collapse: collapse; background: transparent; color: inherit; margin: 0.3em 0;"


def corpus_html(corpus: Corpus) -> str:
    """Return a corpus as a piece of HTML.

    >>> from commonground.corpus import Dependencies
    >>> page = corpus_html(Dependencies.of([(["<b>"], [0], ["root"])]))
    >>> "&lt;b&gt;" in page, "<b>" in page
    (True, False)
    """
    parts = _rows_of_sentence(corpus) if len(corpus) == 1 else _overview(corpus)
    return f"<div>{''.join(parts)}</div>"


def sentence_svg(corpus: Corpus) -> str | None:
    """Return the drawing of a corpus of one sentence, None where there is none or it is too long.

    >>> from commonground.corpus import Dependencies
    >>> sentence_svg(Dependencies.of([(["Hi"], [0], ["root"])]))[:4]
    '<svg'
    """
    if corpus.tables[corpus.main].rows > MOST_ROWS:
        return None
    try:
        drawing: str = perform("draw", corpus)
    except UsageError:  # relations and alignments are not drawn
        return None
    return drawing


def _overview(corpus: Corpus) -> Iterable[str]:
    """Return how many rows the tables have, then the first sentences."""
    counts = [f"{table.rows:,} {name}" for name, table in corpus.tables.items() if name != "origin"]
    yield f"<p><strong>{type(corpus).__name__}</strong>: {_text(', '.join(counts))}</p>"
    shown = corpus[:MOST_SENTENCES]
    if len(shown):
        rows = [[one.sent_id, f"{len(one):,}", _beginning(one)] for one in shown]
        yield _table(["sent_id", corpus.main, "text"], rows, len(corpus) - len(shown))


def _beginning(sentence: Sentence[Corpus]) -> str:
    words = sentence.text.split()
    return " ".join([*words[:MOST_WORDS], *["…"][: len(words) > MOST_WORDS]])


def _rows_of_sentence(corpus: Corpus) -> Iterable[str]:
    """Return the comments of a sentence and the rows of its tables."""
    comments = corpus.comments[0].split("\n")
    shown = [f"<bdi>{_text(comment)}</bdi>" for comment in comments[:MOST_COMMENTS]]
    yield f"<p><strong>{type(corpus).__name__}</strong><br>{'<br>'.join(shown)}</p>"
    yield sentence_svg(corpus) or ""
    for name, table in corpus.tables.items():
        if table.rows and name not in ("sentences", "origin"):
            yield f"<p>{_text(name)}</p>"
            yield _sentence_table(table, _first_number(corpus, name))


def _first_number(corpus: Corpus, name: str) -> int:
    """Return the number of the first row of a table, as the columns that refer to rows count."""
    return 1 if name == "words" and corpus.kind in ("dependencies", "relations") else 0


def _sentence_table(table: Table, first: int) -> str:
    """Return a table with numbered rows, without the columns that say nothing."""
    texts = {}
    for name, column in table.columns.items():
        values = [str(value) for value in column[:MOST_ROWS].tolist()]
        if not isinstance(column, Strings) or set(values) - {"_", ""}:
            texts[name] = values
    numbers = [str(first + row) for row in range(min(table.rows, MOST_ROWS))]
    rows = [list(row) for row in zip(numbers, *texts.values(), strict=True)]
    return _table(["", *texts], rows, table.rows - len(rows))


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]], more: int) -> str:
    """Return a table, and how many more rows there are."""
    head = "".join(f'<th style="{_CELL}">{_text(title)}</th>' for title in titles)
    lines = (
        "".join(f'<td style="{_CELL}" dir="auto">{_text(cell)}</td>' for cell in row)
        for row in rows
    )
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    rest = f"<p>… {more:,} more</p>" if more else ""
    return f'<table style="{_TABLE}"><tr>{head}</tr>{body}</table>{rest}'


def _text(text: str) -> str:
    """Return text as HTML shows it, bounded.

    >>> _text("<script>"), len(_text("a" * 1000))
    ('&lt;script&gt;', 201)
    """
    bounded = text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…"
    return html.escape(bounded.encode("utf-8", "backslashreplace").decode("utf-8"))
