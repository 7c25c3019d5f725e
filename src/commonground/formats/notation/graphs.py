"""Sentences whose words and nodes name their parents, on their way from a file into columns.

The formats for discontinuous trees (export, TIGER-XML, Alpino) list words and nodes in orders of
their own. Each reads its sentences into a :class:`Graphs`, which notes what is wrong with them and
puts the nodes into canonical order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from commonground.corpus import Constituents, Strings, Table
from commonground.corpus.arrange import TreeError, canonical
from commonground.corpus.constituents import NODE_COLUMNS, WORD_COLUMNS
from commonground.corpus.strings import Vocabulary
from commonground.corpus.table import Offsets
from commonground.errors import Problem
from commonground.formats.format import first_problem
from commonground.formats.notation.markup import Elements, parse

__all__ = ["Graphs", "GraphsReader", "Row", "Secondary", "graphs_in", "post_order", "something"]

Row = tuple[Mapping[str, str], int, int]
"""A word or a node: its texts by column, its parent (a node of the sentence, or -1), its line."""

Secondary = tuple[int, int, int, str]
"""A secondary edge: its parent, the word or the node it leads to (-1 the other one), its label."""


def something(text: str) -> str:
    """Return a text, ``_`` where it stands for nothing."""
    return "_" if text in ("", "--") else text


class Graphs:
    """A treebank that is being read.

    >>> graphs = Graphs()
    >>> word, node = ({"form": "Hi", "tag": "UH"}, 0, 2), ({"label": "S"}, -1, 3)
    >>> graphs.add(1, ["# sent_id = 7"], [word], [node])
    >>> graphs.corpus("a.export", 1)
    Constituents(1 words, 1 nodes, 1 sentences)
    """

    def __init__(self) -> None:
        self._words = _GrowingTable("form", "tag")
        self._nodes = _GrowingTable("label")
        self._secondary: list[Secondary] = []
        self._edges_before = [0]
        self._comments: list[str] = []
        self._lines: list[int] = []
        self._problems: list[Problem] = []

    def add(
        self,
        line: int,
        comments: Iterable[str],
        words: Iterable[Row],
        nodes: Iterable[Row],
        secondary: Iterable[Secondary] = (),
    ) -> None:
        """Add a sentence that begins on `line`; its nodes may stand in any order."""
        self._lines.append(line)
        self._comments.append("\n".join(comments))
        self._words.add(words)
        self._nodes.add(nodes)
        self._secondary += secondary
        self._edges_before.append(len(self._secondary))

    def problem(self, line: int, message: str) -> None:
        """Note that something is wrong."""
        self._problems.append(Problem(line, message))

    def problems(self) -> Iterator[Problem]:
        """Return everything that is wrong, in the order of the lines."""
        wrong = list(self._problems)
        try:
            self._tables()
        except TreeError as error:
            lines = self._nodes.lines
            for rows, message in (
                (error.circular, "the node is below itself; follow its parents"),
                (error.wordless, "the node has no word below it"),
            ):
                wrong += [Problem(lines[row], message) for row in rows.tolist()]
        return iter(sorted(wrong, key=lambda problem: problem.line))

    def corpus(self, path: str, line: int) -> Constituents:
        """Return the treebank, or raise the error for the first problem."""
        if self._problems:
            raise first_problem(path, line, self.problems())
        try:
            tables = self._tables()
        except TreeError as error:
            raise first_problem(path, line, self.problems()) from error
        lines = np.array(self._lines, np.int64) + (line - 1)
        return Constituents(tables, comments=self._comments, path=path, lines=lines)

    def _tables(self) -> dict[str, Table]:
        edges = zip(*self._secondary, strict=True) if self._secondary else [()] * 4
        parent, word, node, label = edges
        return canonical(
            {
                "words": self._words.table(WORD_COLUMNS),
                "nodes": self._nodes.table(NODE_COLUMNS),
                "secondary": Table(
                    self._edges_before,
                    parent=np.array(parent, np.int32),
                    word=np.array(word, np.int32),
                    node=np.array(node, np.int32),
                    label=Strings.of(label),
                ),
            }
        )


class GraphsReader(Elements, Protocol):
    """What makes graphs of the elements of a file."""

    graphs: Graphs


def graphs_in(data: bytes, reader: GraphsReader, *, several: bool = False) -> Graphs:
    """Return the graphs that are read from XML; where it stops being XML is a problem of theirs."""
    broken = parse(data, reader, several=several)
    if broken:
        reader.graphs.problem(broken.line, broken.message)
    return reader.graphs


class _GrowingTable:
    """A growing table; a column that a row does not name reads ``_`` there."""

    def __init__(self, *required: str) -> None:
        self.lines: list[int] = []
        self._offsets = [0]
        self._parents: list[int] = []
        self._columns: dict[str, tuple[list[int], Vocabulary]] = {}
        for name in required:
            self._column(name)

    def add(self, rows: Iterable[Row]) -> None:
        columns = self._columns
        count = len(self.lines)
        for texts, parent, line in rows:
            for name, text in texts.items():
                codes, vocabulary = columns.get(name) or self._column(name)
                if len(codes) < count:
                    codes += [0] * (count - len(codes))
                codes.append(vocabulary[text])
            self._parents.append(parent)
            self.lines.append(line)
            count += 1
        self._offsets.append(count)

    def _column(self, name: str) -> tuple[list[int], Vocabulary]:
        return self._columns.setdefault(name, ([], Vocabulary({"_": 0})))

    def table(self, order: Iterable[str]) -> Table:
        """Return the table, with the columns named in `order` first."""
        names = [name for name in dict.fromkeys([*order, *self._columns]) if name in self._columns]
        columns = {}
        for name in names:
            column, vocabulary = self._columns[name]
            codes = np.zeros(len(self.lines), np.int32)
            codes[: len(column)] = column
            columns[name] = Strings(codes, tuple(vocabulary))
        offsets: Offsets = np.array(self._offsets, np.int64)
        return Table(offsets, **columns, parent=np.array(self._parents, np.int32))


def post_order(parents: Sequence[int]) -> list[int]:
    """Return the place of each node in post-order; `parents` are those of nodes in pre-order.

    The formats number nodes like that: from the left, and a parent after its children.

    >>> post_order([-1, 0, 1, 0])
    [3, 1, 0, 2]
    """
    size = [1] * len(parents)
    depth = [0] * len(parents)
    for node, parent in enumerate(parents):
        depth[node] = depth[parent] + 1 if parent >= 0 else 0
    for node in range(len(parents) - 1, 0, -1):
        if parents[node] >= 0:
            size[parents[node]] += size[node]
    # In pre-order a node has its ancestors before it, in post-order all that is below it.
    return [node + size[node] - 1 - depth[node] for node in range(len(parents))]
