"""In which order the nodes of patterns are bound: from items to the steps that a kernel goes.

The rarest node is bound first, and from there the cheapest way is taken. A plan is made for the
graph at hand, but does for all of its kind; so the pieces of a treebank have one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Strings
from commonground.kernels import load
from commonground.kernels import patterns as kernel
from commonground.patterns.graph import ArcGraph, Graph, ParentGraph, Rows
from commonground.patterns.language import (
    Arc,
    Condition,
    Equation,
    Labels,
    Order,
    Part,
    Pattern,
    column_of,
)
from commonground.patterns.values import label_predicate, predicate

__all__ = ["Plan"]

FEW = 128
"""So few texts are all tested at once; of more, only those that a node comes upon."""

MANY = 1 << 16
"""The answers about more texts than that are forgotten."""

Codes = NDArray[np.integer[Any]]
Flags = NDArray[np.uint8]
Link = Arc | Order | Equation
Test = tuple[int, int]
"""A column of a plan, and a test of it."""

Step = tuple[int, ...]


class _Answers(dict[Any, bytes]):
    """What the tests of a column say of each text: a byte for each test."""

    def __init__(self, predicates: Sequence[Callable[[Any], bool]]) -> None:
        self.predicates = predicates

    def __missing__(self, text: Any) -> bytes:
        if len(self) >= MANY:
            self.clear()
        self[text] = told = bytes(bool(holds(text)) for holds in self.predicates)
        return told


@dataclass
class _Column:
    """A column, or the labels of arcs (``-``, ``=``), and what is asked of its texts."""

    name: str
    asked: list[Condition | Labels] = field(default_factory=list)
    predicates: list[Callable[[Any], bool]] = field(default_factory=list)
    dear: set[int] = field(default_factory=set)
    """The tests that all texts are needed for, because a node is looked for by them alone."""

    @cached_property
    def answers(self) -> _Answers:
        """What is known of texts; nothing more can be asked from here on."""
        return _Answers(self.predicates)

    def test(self, condition: Condition | Labels) -> int:
        """Return the number of a test."""
        if condition not in self.asked:
            self.asked.append(condition)
            self.predicates.append(_predicate(condition))
        return self.asked.index(condition)

    def of(self, graph: Graph) -> tuple[Codes, Strings | range]:
        """Return the code of each row, or arc, and what has the texts, or numbers, of the codes."""
        if self.name in ("id", "last"):
            numbers = (graph.first if self.name == "id" else graph.last) + 1
            numbers = np.where(graph.first < 0, 0, numbers)  # nodes without words have no number
            return numbers, range(int(numbers.max(initial=0)) + 1)
        arcs = self.name in _GRAPHS
        strings = graph.arcs(self.name).label if arcs else graph.column(self.name)
        return strings.codes, strings

    def flags(self, texts: Strings | range) -> Flags:
        """Return for each text what the tests say of it, as far as it is known."""
        size = _count(texts), len(self.predicates)
        if size[0] <= FEW:
            told = b"".join(map(self.answers.__getitem__, _all(texts)))
            return np.frombuffer(told, np.uint8).reshape(size)
        flags = np.full(size, kernel.UNKNOWN, np.uint8)
        for test in self.dear:
            flags[:, test] = np.fromiter(map(self.predicates[test], _all(texts)), np.bool_, size[0])
        return flags


def _count(texts: Strings | range) -> int:
    return texts.distinct if isinstance(texts, Strings) else len(texts)


def _all(texts: Strings | range) -> Sequence[Any]:
    return texts.vocabulary if isinstance(texts, Strings) else texts


_GRAPHS = ("-", "=")
"""The names of arcs, and so of the columns of their labels."""


def _predicate(condition: Condition | Labels) -> Callable[[Any], bool]:
    if isinstance(condition, Labels):
        return label_predicate(condition)
    if condition.column in ("id", "last"):
        places = {int(value) for value in condition.values if value.isdecimal()}
        return lambda number: (number in places) != condition.denied
    holds = predicate(condition)
    return (lambda text: holds(text.lower())) if condition.column == "word" else holds


class _Planning:
    """Plans patterns for a graph: collects what they ask, and writes their steps."""

    def __init__(self, graph: Graph) -> None:
        self.columns: list[_Column] = []
        self.arcs: list[str] = []
        self.pairs: list[Equation] = []
        self._graph = graph
        self._known: dict[str, tuple[int, Strings | range, NDArray[np.int64] | None]] = {}
        self._sizes: dict[Test, int] = {}

    def write(self, part: Part, bound: dict[str, int], steps: list[Step]) -> None:
        """Bind the nodes of a part in addition to those that are bound already.

        What is cheap is asked at once, and of texts that few rows share only when there is no other
        way to go on than through whole sentences.
        """
        tests = {name: self._tests(name, part) for name in part.nodes}
        later: list[Step] = []
        for name in part.nodes:
            if name in bound:
                self._ask(bound[name], tests[name], steps, later)
        links = list(part.links)
        waiting = [name for name in part.nodes if name not in bound]
        while True:
            links = self._settled(links, bound, steps)
            if not waiting:
                break
            name, link = self._next(links, bound, waiting, tests)
            here = len(bound)
            if isinstance(link, Arc):
                up = name == link.head
                begin = bound[link.dependent if up else link.head]
                steps.append(_step(kernel.ABOVE if up else kernel.BELOW, begin, *self._path(link)))
                links.remove(link)
            elif bound:
                steps += later
                later.clear()
                steps.append(_step(kernel.IN_SENTENCE, 0))
            else:
                steps.append(_step(kernel.CANDIDATES, *self._rarest(tests[name])))
                tests[name] = tests[name][1:]
            bound[name] = here
            self._ask(here, tests[name], steps, later)
            waiting.remove(name)
        steps += later
        for inner in part.without:
            without: list[Step] = []
            self.write(inner, dict(bound), without)
            steps.append(_step(kernel.WITHOUT, len(without)))
            steps += without

    def _tests(self, name: str, part: Part) -> list[Test]:
        """Return what a node must pass by itself, the rarest first."""
        tests = [self._test(column_of(each.column), each) for each in part.nodes[name]]
        arcs = [link for link in part.links if isinstance(link, Arc) and link.dependent == name]
        tests += [self._test(arc.graph, arc.labels) for arc in arcs if self._is_of_row(arc)]
        return sorted(dict.fromkeys(tests), key=self._size)

    def _is_of_row(self, link: Arc) -> bool:
        """Tell whether the labels of an arc are something that its dependent can be asked for."""
        one = link.most == 1 and bool(link.labels.values)
        return one and isinstance(self._graph.arcs(link.graph), ParentGraph)

    def _ask(
        self,
        node: int,
        tests: Sequence[Test],
        steps: list[Step],
        later: list[Step],
    ) -> None:
        for column, test in tests:
            where = steps if self._is_cheap(column) else later
            where.append(_step(kernel.PASSES, node, column, test))

    def _settled(
        self, links: Sequence[Link], bound: dict[str, int], steps: list[Step]
    ) -> list[Link]:
        """Ask for the links both of whose nodes are bound, and return the others."""
        rest: list[Link] = []
        for link in links:
            one, other = _ends(link)
            if one not in bound or other not in bound:
                rest.append(link)
                continue
            here, there = bound[one], bound[other]
            if isinstance(link, Arc):
                steps.append(_step(kernel.PATH, here, *self._path(link), there))
            elif isinstance(link, Order):
                steps.append(_step(kernel.ORDER, here, there, 0, link.least, link.most))
            else:
                if link not in self.pairs:
                    self.pairs.append(link)
                pair = self.pairs.index(link)
                steps.append(_step(kernel.SAME, here, there, pair, int(link.denied)))
        return rest

    def _next(
        self,
        links: Sequence[Link],
        bound: dict[str, int],
        waiting: Sequence[str],
        tests: dict[str, list[Test]],
    ) -> tuple[str, Arc | None]:
        """Return which node is bound next, the cheapest or the rarest, and along which arc."""

        def size(name: str) -> int:
            return self._size(tests[name][0]) if tests[name] else self._graph.size

        ways = [way for link in links if (way := _way(link, bound, waiting)) is not None]
        if ways:
            _, name, link = min(ways, key=lambda way: (way[0], size(way[1])))
            return name, link if isinstance(link, Arc) else None
        return min(waiting, key=size), None

    def _path(self, link: Arc) -> tuple[int, int, int, int]:
        """Return the arcs of a path, what is asked of their labels, and how many there are."""
        if link.graph not in self.arcs:
            self.arcs.append(link.graph)
        asked = link.labels.values and not self._is_of_row(link)
        _, test = self._test(link.graph, link.labels) if asked else (self.column(link.graph), -1)
        return self.arcs.index(link.graph), test, link.least, link.most

    def _rarest(self, tests: Sequence[Test]) -> Test:
        if not tests:
            return -1, 0
        column, test = tests[0]
        if not self._is_cheap(column):
            self.columns[column].dear.add(test)
        return tests[0]

    def _test(self, name: str, condition: Condition | Labels) -> Test:
        column = self.column(name)
        return column, self.columns[column].test(condition)

    def column(self, name: str) -> int:
        """Return the number of a column."""
        if name not in self._known:
            codes, texts = _Column(name).of(self._graph)
            few = _count(texts) <= FEW
            frequencies = np.bincount(codes, minlength=_count(texts)) if few else None
            self._known[name] = len(self.columns), texts, frequencies
            self.columns.append(_Column(name))
        return self._known[name][0]

    def _is_cheap(self, column: int) -> bool:
        return self._known[self.columns[column].name][2] is not None

    def _size(self, test: Test) -> int:
        """Return how many rows pass a test; where their texts are too many, half of them."""
        if test not in self._sizes:
            column = self.columns[test[0]]
            _, texts, frequencies = self._known[column.name]
            if frequencies is None:
                self._sizes[test] = self._graph.size // 2
            else:
                passed = list(map(bool, map(column.predicates[test[1]], _all(texts))))
                self._sizes[test] = int(frequencies[passed].sum()) if passed else 0
        return self._sizes[test]


class Plan:
    """How patterns are looked for: their steps, and the columns, arcs and pairs that these use."""

    def __init__(self, patterns: Sequence[Pattern], graph: Graph) -> None:
        planning = _Planning(graph)
        steps: list[Step] = []
        kept: list[int] = []
        for number, pattern in enumerate(patterns):
            for part in pattern.alternatives:
                bound: dict[str, int] = {}
                planning.write(part, bound, steps)
                first = len(kept)
                kept += [bound[name] for name in pattern.names]
                steps.append(_step(kernel.MATCH, number, first, len(kept)))
        self._columns, self._arcs, self._pairs = planning.columns, planning.arcs, planning.pairs
        self._steps = kernel.Steps(
            np.array(steps, np.int32).reshape(-1, 7),
            kept,
            tests=[len(column.predicates) for column in self._columns],
            labels=[planning.column(name) for name in self._arcs],
            pairs=len(self._pairs),
        )

    def found(self, graph: Graph) -> list[Rows]:
        """Return for each pattern its matches: the sentence and the rows of the named nodes."""
        columns: list[tuple[Codes, Flags]] = []
        texts: list[Callable[[int], Any]] = []
        for column in self._columns:
            codes, distinct = column.of(graph)
            columns.append((codes, column.flags(distinct)))
            texts.append(distinct.text if isinstance(distinct, Strings) else distinct.__getitem__)
        predicates = [column.predicates for column in self._columns]

        def passes(column: int, test: int, code: int) -> bool:
            return predicates[column][test](texts[column](code))

        arcs = [_ends_of(graph.arcs(name)) for name in self._arcs]
        pairs = [_pair(graph, link) for link in self._pairs]
        nodes = (graph.sentence, graph.first, graph.last)
        matches: list[Rows] = load("patterns").found(
            self._steps, nodes, arcs, columns, pairs, passes
        )
        return matches


def _step(*numbers: int) -> tuple[int, ...]:
    return (*numbers, *[0] * (7 - len(numbers)))


def _ends(link: Link) -> tuple[str, str]:
    if isinstance(link, Arc):
        return link.head, link.dependent
    if isinstance(link, Order):
        return link.first, link.second
    return link.one[0], link.other[0]


def _way(
    link: Link, bound: Mapping[str, int], waiting: Sequence[str]
) -> tuple[int, str, Link] | None:
    """Return how dear it is to follow a link, and the node that it leads to."""
    one, other = _ends(link)
    if isinstance(link, Arc):
        if other in bound and one in waiting:
            return link.most, one, link
        if one in bound and other in waiting:
            return 2 * link.most, other, link
        return None
    for here, there in ((one, other), (other, one)):
        if here in bound and there in waiting:
            return 1000, there, link
    return None


def _ends_of(arcs: ParentGraph | ArcGraph) -> tuple[Rows, Rows | None]:
    """Return the heads and the dependents of arcs as the kernel has them."""
    if isinstance(arcs, ParentGraph):
        return arcs.parent, None
    return arcs.head, arcs.dependent


def _pair(graph: Graph, link: Equation) -> tuple[Codes, Codes]:
    """Return codes for two columns that are compared; those of nothing equal none."""
    left, right = graph.column(link.one[1]), graph.column(link.other[1])
    if left.vocabulary != right.vocabulary:
        both = Strings.concatenate([left, right])
        left, right = both[: graph.size], both[graph.size :]
    if link.denied:
        return left.codes, right.codes
    return np.where(left.where(("_", "").__contains__), -1, left.codes), right.codes
