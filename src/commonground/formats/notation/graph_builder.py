"""Between the graph of one sentence at a time, as files have it, and graphs in columns.

A format of graphs is a :class:`GraphNotation`: a function that finds a :class:`Graph` for each
sentence in a file, and one that returns the text of a graph. Reading, checking and writing follow
from these two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from commonground.corpus import Graphs, Strings, Table
from commonground.corpus.table import Column, offsets_of
from commonground.errors import Problem, UsageError
from commonground.formats.format import FormatOptions
from commonground.formats.notation.line_reader import problems_among, sound

__all__ = ["MOST", "Graph", "GraphNotation", "comment", "corpus_of", "said"]

MOST = (1 << 31) - 1
"""No place in a text is further."""

_CHUNK = 1000
_NUMBERS = frozenset({"top", "node", "edge", "source", "target", "start", "end"})


@dataclass(slots=True)
class Graph:
    """The graph of one sentence: the line it begins on, its comments, and the rows of its tables.

    The rows are tuples in the order of ``Graphs.required``; nodes and edges are numbers from 0.
    """

    line: int = field(default=0, compare=False)
    comments: list[str] = field(default_factory=list)
    words: list[tuple[str, str, str, int, int]] = field(default_factory=list)
    nodes: list[tuple[str, str, int]] = field(default_factory=list)
    anchors: list[tuple[int, int, int]] = field(default_factory=list)
    properties: list[tuple[int, str, str]] = field(default_factory=list)
    edges: list[tuple[int, int, str]] = field(default_factory=list)
    attributes: list[tuple[int, str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GraphNotation:
    """How files write graphs.

    `find` yields the graphs of a file, and the problems. `render` returns the text of a graph; it
    gets what `carried` leaves of it, which is what the notation can carry, or None if it cannot
    carry the graph at all. Each text is read once more before it is written, and a graph that would
    come back as something else is refused, with what `reason` says about it. A file has `start` and
    `end` around its graphs, and `between` before each but the first.
    """

    title: str
    find: Callable[[bytes], Iterable[Graph | Problem]]
    render: Callable[[Graph], str]
    carried: Callable[[Graph], Graph | None] = lambda graph: graph
    reason: Callable[[Graph], str] = lambda _: "it would be read as something else"
    start: str = ""
    end: str = ""
    between: str = ""

    def read(self, data: bytes, path: str, line: int, _: FormatOptions) -> Graphs:
        """Read a whole file."""
        return corpus_of(sound(self.find(data), path, line), path, line)

    def problems(self, data: bytes, _: FormatOptions) -> Iterator[Problem]:
        """Find everything that is wrong with a file."""
        return problems_among(self.find(data))

    def write(self, corpus: Graphs) -> Iterator[bytes]:
        """Return the bytes of a file, graph by graph."""
        start = self.start
        for place, whole in enumerate(graphs_of(corpus)):
            graph = self.carried(whole)
            text = self.render(graph) if graph else ""
            again = (self.start + text + self.end).encode("utf-8", "surrogatepass")
            if list(self.find(again)) != [graph]:
                name = corpus[place].sent_id
                why = self.reason(graph or whole)
                raise UsageError(f"graph {name} cannot be written as {self.title}: {why}")
            yield (start + text).encode("utf-8")
            start = self.between
        if not len(corpus) or self.end:
            yield ((self.start if not len(corpus) else "") + self.end).encode("utf-8")


# ── columns ──────────────────────────────────────────────────────────────────────────────────────


def corpus_of(graphs: Sequence[Graph], path: str = "<memory>", line: int = 1) -> Graphs:
    """Return the graphs of all sentences in columns; `line` is the number of the first line."""
    return Graphs(
        {
            name: _table([getattr(graph, name) for graph in graphs], name)
            for name in Graphs.required
        },
        comments=["\n".join(graph.comments) for graph in graphs],
        path=path,
        lines=np.array([graph.line + line - 1 for graph in graphs], np.int64),
    )


def _table(rows: Sequence[Sequence[tuple[Any, ...]]], name: str) -> Table:
    names = Graphs.required[name]
    flat = [row for of_graph in rows for row in of_graph]
    columns = list(zip(*flat, strict=True)) or [()] * len(names)
    return Table(
        offsets_of([len(of_graph) for of_graph in rows]),
        **{n: _column(n, values) for n, values in zip(names, columns, strict=True)},
    )


def _column(name: str, values: Sequence[Any]) -> Column:
    return np.array(values, np.int32) if name in _NUMBERS else Strings.of(values)


def graphs_of(corpus: Graphs) -> Iterator[Graph]:
    """Return the graph of each sentence."""
    for chunk in corpus.chunks(_CHUNK):
        tables = [
            (name, _rows(chunk.tables[name], columns), chunk.tables[name].offsets.tolist())
            for name, columns in Graphs.required.items()
        ]
        for place, comments in enumerate(chunk.comments.tolist()):
            lines = comments.split("\n") if comments else []
            rows = {n: all_rows[o[place] : o[place + 1]] for n, all_rows, o in tables}
            yield Graph(0, lines, **rows)


def _rows(table: Table, names: Sequence[str]) -> list[tuple[Any, ...]]:
    return list(zip(*(table[name].tolist() for name in names), strict=True))


# ── what is said about a whole graph ─────────────────────────────────────────────────────────────


def comment(key: str, value: str) -> str:
    r"""Return a comment line that says something; it has no newlines and no spaces around it.

    >>> comment("text", "It\nrains. ")
    '# text = It rains.'
    """
    return f"# {key} = {value.replace(chr(10), ' ').strip()}"


def said(comments: Iterable[str], key: str) -> str:
    """Return what the first of the comments about something says, or nothing.

    >>> said(["# sent_id = 1", "#text=It rains."], "text")
    'It rains.'
    """
    pattern = _pattern(key)
    return next((match[1] for match in map(pattern.fullmatch, comments) if match), "")


@cache
def _pattern(key: str) -> re.Pattern[str]:
    """Return what comments about something look like, as for ``Corpus.metadata``."""
    return re.compile(rf"#\s*{re.escape(key)}\s*=\s*(.*?)\s*", re.DOTALL)
