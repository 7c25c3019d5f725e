"""Finding patterns in graphs, node by node: the plain twin of ``_patterns.pyx``.

Some steps of a pattern bind one more node, to each row in turn that it can be; the others ask
something of the nodes that are bound, and where the answer is no, the next row is tried. So nothing
is made but the matches themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import checks

__all__ = [
    "ABOVE",
    "BELOW",
    "CANDIDATES",
    "IN_SENTENCE",
    "MATCH",
    "ORDER",
    "PASSES",
    "PATH",
    "SAME",
    "UNKNOWN",
    "WITHOUT",
    "Steps",
    "checked",
    "found",
]

CANDIDATES, IN_SENTENCE, BELOW, ABOVE, PASSES, PATH, ORDER, SAME, WITHOUT, MATCH = range(10)

UNKNOWN = 2
"""The flag of a code that nobody has asked about yet."""

LONGEST_PATH = 32

Rows = NDArray[np.int64]
Codes = NDArray[np.int32]
Flags = NDArray[np.uint8]
Nodes = tuple[Rows, Rows, Rows]
Arcs = tuple[Rows, Rows | None]
Column = tuple[Codes, Flags]
Ask = Callable[[int, int, int], bool]


class Steps:
    """The steps of patterns, seven numbers each: what is done, and with what.

    ==============  ==============================================================================
    `CANDIDATES`    ``column, test``: bind the first node to all rows that pass; column -1: to all
    `IN_SENTENCE`   ``node``: bind one more to all rows of the sentence of this node
    `BELOW`         ``node, arcs, test, least, most``: … to where paths lead down to
    `ABOVE`         ``node, arcs, test, least, most``: … to where paths lead up to
    `PASSES`        ``node, column, test``: the row of a node passes
    `PATH`          ``node, arcs, test, least, most, other``: a path leads down to the other one
    `ORDER`         ``node, other, -, least, most``: so many words after it is the other one
    `SAME`          ``node, other, pair, denied``: two columns have the same code, of 0 or more
    `WITHOUT`       ``count``: so many steps, which come next, find nothing
    `MATCH`         ``pattern, first, last``: a match, the nodes of which are ``kept[first:last]``
    ==============  ==============================================================================

    Nodes are numbered as they are bound, no two to the same row. `tests` is how many tests each
    column has, `labels` the column of the labels of each kind of arcs; a test of -1 is none.
    Patterns stand in the order of their numbers; those with one number are alternatives.
    """

    def __init__(
        self, steps: Any, kept: Any, tests: Sequence[int], labels: Sequence[int], pairs: int
    ) -> None:
        numbers = checks.columns([steps], np.int32)[0]
        if numbers.ndim != 2 or numbers.shape[1] != 7:
            raise ValueError("a step that is not seven numbers")
        self.numbers = numbers.copy()
        self.kept = checks.column(kept, np.int32).copy()
        self.tests, self.labels, self.pairs = tuple(tests), tuple(labels), pairs
        self.numbers.flags.writeable = self.kept.flags.writeable = False
        checks.within(np.array(self.labels, np.int64), 0, len(self.tests), "labels of no column")
        ends = np.flatnonzero(self.numbers[:, 0] == MATCH).tolist()
        # Of arcs and rows, these columns have to be as long as the latter.
        asked = {
            int(step[1 + (step[0] == PASSES)])
            for step in numbers
            if step[0] in (CANDIDATES, PASSES)
        }
        self.of_rows = sorted(asked - {-1})
        self.begins = [0, *(end + 1 for end in ends)]
        patterns = [int(self.numbers[end, 1]) for end in ends]
        self.patterns = max(patterns, default=-1) + 1
        self.widths = [1] * self.patterns
        if (
            self.begins[-1] != len(numbers)
            or patterns != sorted(patterns)
            or min(patterns, default=0) < 0
        ):
            raise ValueError(_NOWHERE)
        for begin, end in zip(self.begins, ends, strict=False):
            _, pattern, first, last, *_ = self.numbers[end].tolist()
            nodes = self._bound(begin, end, 0)
            names = self.kept[first:last]
            width = 1 + last - first
            if not nodes or not 0 <= first <= last <= len(self.kept):
                raise ValueError(_NOWHERE)
            if patterns.index(pattern) < ends.index(end) and self.widths[pattern] != width:
                raise ValueError(_NOWHERE)
            self.widths[pattern] = width
            checks.within(names, 0, nodes, _NOWHERE)

    def _bound(self, at: int, end: int, nodes: int) -> int:
        """Return how many nodes are bound at the end, if that can be reached."""
        while at < end:
            what, one, two, three, least, most, other = self.numbers[at].tolist()
            known = 0 <= one < nodes
            if what == CANDIDATES:
                right = nodes == 0 and (one == -1 or self._tested(one, two))
            elif what in (BELOW, ABOVE, PATH):
                right = known and 0 <= two < len(self.labels) and 1 <= least <= most <= LONGEST_PATH
                right = right and (three == -1 or self._tested(self.labels[two], three))
                right = right and (what != PATH or 0 <= other < nodes)
            elif what == PASSES:
                right = known and self._tested(two, three)
            elif what in (ORDER, SAME):
                right = known and 0 <= two < nodes
                right = right and (what == ORDER or 0 <= three < self.pairs)
            elif what == WITHOUT:
                right = nodes > 0 and 0 < one < end - at
                if right:
                    self._bound(at + 1, at + 1 + one, nodes)
                    at += one
            else:
                right = what == IN_SENTENCE and known
            if not right:
                raise ValueError(_NOWHERE)
            nodes += what in (CANDIDATES, IN_SENTENCE, BELOW, ABOVE)
            at += 1
        return nodes

    def _tested(self, column: int, test: int) -> bool:
        return 0 <= column < len(self.tests) and 0 <= test < self.tests[column]


_NOWHERE = "steps that lead nowhere"


def found(steps: Steps, nodes: Any, arcs: Any, columns: Any, pairs: Any, ask: Ask) -> list[Rows]:
    """Return the matches of each pattern, each once, in order: the sentence and the nodes kept.

    `nodes` have a sentence, a first and a last word. `arcs` are heads and dependents; where there
    are no dependents, each row is that of its own arc, and -1 is no head. `columns` have a code for
    each row, or for each arc, and flags: for each code and test 0, 1, or `UNKNOWN`; then `ask` is told
    the column, the test and the code, and the answer becomes the flag. `pairs` are codes of rows to be compared.

    >>> steps = Steps([[0, -1, 0, 0, 0, 0, 0], [2, 0, 0, -1, 1, 1, 0], [9, 0, 0, 2, 0, 0, 0]], [0, 1], [0], [0], 0)
    >>> tree, labels = ([-1, 0], None), ([0, 0], np.zeros((1, 0), np.uint8))
    >>> found(steps, ([0, 0], [0, 1], [0, 1]), [tree], [labels], [], print)[0].tolist()
    [[0, 0, 1]]
    """  # noqa: E501  # the value of the doctest
    search = _Search(steps, *checked(steps, nodes, arcs, columns, pairs), ask)
    matches: list[set[tuple[int, ...]]] = [set() for _ in range(steps.patterns)]
    for begin, after in zip(steps.begins, steps.begins[1:], strict=False):
        _, pattern, first, last, *_ = steps.numbers[after - 1].tolist()
        kept = steps.kept[first:last].tolist()
        for rows in search.matches(begin, after - 1, []):
            sentence = int(search.nodes[0][rows[0]])
            matches[pattern].add((sentence, *(rows[node] for node in kept)))
    return [
        np.array(sorted(each), np.int64).reshape(-1, width)
        for each, width in zip(matches, steps.widths, strict=True)
    ]


def checked(
    steps: Steps, nodes: Any, arcs: Any, columns: Any, pairs: Any
) -> tuple[Nodes, list[Arcs], list[Column], list[tuple[Codes, Codes]]]:
    """Return what patterns are looked for in, after a look at whether the steps fit it."""
    sentence, first, last = (checks.column(each, np.int64) for each in nodes)
    checks.equally_long(sentence, first, last)
    rows = len(sentence)
    if len(columns) != len(steps.tests) or len(arcs) != len(steps.labels):
        raise ValueError("steps for other columns or arcs")
    tables = []
    for (codes, flags), tests in zip(columns, steps.tests, strict=True):
        table = np.asarray(flags)
        if table.dtype != np.uint8 or table.ndim != 2 or not table.flags.c_contiguous:
            raise ValueError("flags that are no table of bytes")
        if not table.flags.writeable and (table == UNKNOWN).any():
            raise ValueError("flags that cannot be set")
        if table.shape[1] != tests:
            raise ValueError("steps for other tests")
        numbers = checks.column(codes, np.int32)
        checks.within(numbers, 0, len(table), "a code without flags")
        tables.append((numbers, table))
    kinds = []
    for (head, dependent), column in zip(arcs, steps.labels, strict=True):
        heads = checks.column(head, np.int64)
        dependents = None if dependent is None else checks.column(dependent, np.int64)
        checks.within(heads, -1 if dependents is None else 0, rows, "an arc from no row")
        if dependents is None:
            checks.equally_long(heads, sentence)
        else:
            checks.within(dependents, 0, rows, "an arc to no row")
            checks.equally_long(heads, dependents)
        checks.equally_long(heads, tables[column][0])
        kinds.append((heads, dependents))
    checks.equally_long(sentence, *(tables[column][0] for column in steps.of_rows))
    both = [(checks.column(a, np.int32), checks.column(b, np.int32)) for a, b in pairs]
    if len(both) != steps.pairs:
        raise ValueError("steps for other pairs")
    checks.equally_long(sentence, *(each for pair in both for each in pair))
    return (sentence, first, last), kinds, tables, both


class _Search:
    """The graph that is searched."""

    def __init__(
        self,
        steps: Steps,
        nodes: Nodes,
        arcs: Sequence[Arcs],
        columns: Sequence[Column],
        pairs: Sequence[tuple[Codes, Codes]],
        ask: Ask,
    ) -> None:
        self.steps = steps
        self.nodes = nodes
        self.columns = columns
        self.pairs = pairs
        self.ask = ask
        self.rows = range(len(nodes[0]))
        self.below: list[dict[int, list[tuple[int, int]]]] = []
        self.above: list[dict[int, list[tuple[int, int]]]] = []
        self.inside: dict[int, list[int]] = {}
        for row, sentence in enumerate(nodes[0].tolist()):
            self.inside.setdefault(sentence, []).append(row)
        for head, dependent in arcs:
            below: dict[int, list[tuple[int, int]]] = {}
            above: dict[int, list[tuple[int, int]]] = {}
            ends = self.rows if dependent is None else dependent.tolist()
            for arc, (one, other) in enumerate(zip(head.tolist(), ends, strict=True)):
                if one >= 0:
                    below.setdefault(one, []).append((arc, other))
                    above.setdefault(other, []).append((arc, one))
            self.below.append(below)
            self.above.append(above)

    def matches(self, at: int, end: int, rows: list[int]) -> Iterator[list[int]]:
        """Yield the rows of all nodes, wherever all steps can be gone."""
        while at < end:
            step = self.steps.numbers[at].tolist()
            if step[0] in (CANDIDATES, IN_SENTENCE, BELOW, ABOVE):
                for row in self._choices(step, rows):
                    if row not in rows:
                        yield from self.matches(at + 1, end, [*rows, row])
                return
            if step[0] == WITHOUT:
                last = at + 1 + step[1]
                if next(self.matches(at + 1, last, rows), None) is not None:
                    return
                at = last
            elif self._holds(step, rows):
                at += 1
            else:
                return
        yield rows

    def _choices(self, step: list[int], rows: list[int]) -> Iterator[int]:
        what, one, two, test, least, most, _ = step
        if what == CANDIDATES:
            if one < 0:
                return iter(self.rows)
            return (row for row in self.rows if self._passes(one, two, row))
        if what == IN_SENTENCE:
            return iter(self.inside[int(self.nodes[0][rows[one]])])
        ways = self.below[two] if what == BELOW else self.above[two]
        return self._ends(ways, self.steps.labels[two], test, least, most, rows[one])

    def _ends(
        self,
        ways: dict[int, list[tuple[int, int]]],
        column: int,
        test: int,
        least: int,
        most: int,
        row: int,
    ) -> Iterator[int]:
        """Yield where paths end."""
        for arc, other in ways.get(row, ()):
            if test < 0 or self._passes(column, test, arc):
                if least <= 1:
                    yield other
                if most > 1:
                    yield from self._ends(ways, column, test, least - 1, most - 1, other)

    def _holds(self, step: list[int], rows: list[int]) -> bool:
        what, one, two, three, least, most, other = step
        if what == PASSES:
            return self._passes(two, three, rows[one])
        if what == PATH:
            ends = self._ends(
                self.above[two], self.steps.labels[two], three, least, most, rows[other]
            )
            return rows[one] in ends
        sentence, first, last = self.nodes
        if what == ORDER:
            distance = int(first[rows[two]] - last[rows[one]])
            near = distance >= least and not 0 < most < distance
            return near and bool(sentence[rows[one]] == sentence[rows[two]])
        left, right = self.pairs[three]
        code = int(left[rows[one]])
        return (code == int(right[rows[two]]) and code >= 0) != bool(least)

    def _passes(self, column: int, test: int, place: int) -> bool:
        codes, flags = self.columns[column]
        code = int(codes[place])
        if flags[code, test] >= UNKNOWN:
            flags[code, test] = bool(self.ask(column, test, code))
        return bool(flags[code, test] == 1)
