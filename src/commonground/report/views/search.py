"""What a search has found, as tables: examples with their matches marked, and counts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from commonground.evaluation.search_result import SearchResult
from commonground.grid import Cell, Column, Grid, Value
from commonground.patterns.occurrences import Occurrence, marked_words
from commonground.plurals import number_of
from commonground.report.visible import visible

__all__ = ["grids", "marked_text"]


def grids(result: SearchResult, *, count: bool = False) -> list[Grid]:
    """Return the tables of a search, with the words of each match in brackets and stressed."""
    seen = result.occurrences
    lead = (
        f"{number_of(seen.matches, 'match', 'matches')} in {seen.matching:,} of "
        f"{number_of(seen.sentences, 'sentence')}."
    )
    tables: list[Grid] = []
    if seen.properties:
        numbers = (Column("matches", "right"), Column("%", "right", 1))
        clusters: Iterable[tuple[Value, ...]] = (
            (*map(visible, values), number, 100 * number / seen.matches)
            for values, number in seen.ranked()
        )
        tables.append(
            Grid.of("Matches", (*map(str, seen.properties), *numbers), clusters, lead=lead)
        )
    elif count:
        titles = [Column(name, "right") for name in ("matches", "sentences with one", "sentences")]
        tables.append(
            Grid.of("Matches", titles, [(seen.matches, seen.matching, seen.sentences)], lead=lead)
        )
    if not count and (seen.examples or not tables):
        examples = ((visible(each.sent_id), marked_text(each)) for each in seen.examples)
        title = "Examples" if seen.properties else "Matches"
        tables.append(Grid.of(title, ("sentence", "text"), examples, lead="" if tables else lead))
    return tables


def marked_text(example: Occurrence) -> Cell:
    """Return the words of a sentence with those of the match marked.

    >>> words = ("Birds", "sing", "songs")
    >>> cell = marked_text(Occurrence("f", 1, "s1", "", words, {"V": (1, 1)}))
    >>> cell.value, cell.stressed
    ('Birds [sing] songs', ((6, 12),))
    """
    marks = marked_words(example).tolist()
    words = zip(map(visible, example.words), marks, strict=True)
    text, stressed = "", []
    for here, run in groupby(words, key=lambda each: each[1]):
        piece = " ".join(word for word, _ in run)
        text += " " if text else ""
        if here:
            piece = f"[{piece}]"
            stressed.append((len(text), len(text) + len(piece)))
        text += piece
    labels = (f"{name} = [{visible(label)}]" for name, label in example.labels.items())
    return Cell("  ".join((text, *labels)), stressed=tuple(stressed))
