"""What a report is made of, as values.

A :class:`ReportPage` has chapters, one for each result; a :class:`Chapter` has sections, and a
:class:`Section` has blocks: texts, tables, figures, examples, and the list of all sentences. A
block holds values and says nothing about how it looks.

Examples are sentences. What is known about the sentences of a chapter (ids, texts, scores,
drawings) is in its :class:`Album`, once for all blocks that show them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from commonground.grid import Grid

__all__ = [
    "Album",
    "Block",
    "Browser",
    "Chapter",
    "Example",
    "Examples",
    "Figure",
    "Opening",
    "ReportPage",
    "Scale",
    "Section",
    "TableBlock",
    "Text",
]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; a `notice` is what a reader must know before believing the rest."""

    text: str
    notice: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence to look at, by its place in the album.

    `pictures` are the drawings that are shown, by their places in the album (all without them);
    `word` is the stretch of the text that it is about, and `remark` says what to look for.
    """

    sentence: int
    pictures: tuple[int, ...] = ()
    word: tuple[int, int] | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Opening:
    """What a cell of a table opens: examples under a title."""

    title: str
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table; `opens` are the cells, by row and column, that open examples, `links` other pages.

    `look` says what the numbers are: ``plain``; ``bars`` for shares of 100, drawn as bars too; or
    ``heat`` for a table of one thing by another (the first column names the rows), shaded by size;
    a ``filtered`` one can be filtered even if it is short.
    """

    grid: Grid
    opens: Mapping[tuple[int, int], Opening] = field(default_factory=dict)
    links: Mapping[tuple[int, int], str] = field(default_factory=dict)
    look: Literal["plain", "bars", "heat", "filtered"] = "plain"


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing or plot in SVG, with what it shows in words."""

    title: str
    svg: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Examples:
    """Sentences to open one by one."""

    title: str
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Browser:
    """All sentences of the chapter's album, to search and to sort."""

    title: str


Block = Text | TableBlock | Figure | Examples | Browser


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a chapter with a title of its own."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """A number that every sentence has; `values` are None where there is none.

    Those that are not `listed` are told only where a sentence is opened.
    """

    title: str
    values: Sequence[float | None]
    decimals: int = 0
    listed: bool = True


@dataclass(frozen=True, slots=True)
class Album:
    """The sentences of a chapter: their ids and texts, their numbers, and drawings of some of them.

    `pictures` are the titles of the drawings that a sentence can have, one for each system first;
    `drawings` are SVG by the sentence's place and the picture's; `commands` say, by picture, how it
    is made for a sentence that is not drawn (``{}`` stands for its id).
    """

    ids: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    scales: tuple[Scale, ...] = ()
    drawings: Mapping[tuple[int, int], str] = field(default_factory=dict)
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """One result: its sections, its sentences, and where its numbers come from.

    `facts` tell in a few words what it is about (gold standard, number of sentences);
    `signature` names all that the numbers depend on, and `command` makes them again.
    """

    title: str
    sections: tuple[Section, ...]
    album: Album = field(default_factory=Album)
    facts: Mapping[str, str] = field(default_factory=dict)
    signature: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A whole report; `back` are the title and the address of the page that leads to it, if any."""

    title: str
    chapters: tuple[Chapter, ...]
    back: tuple[str, str] | None = None
