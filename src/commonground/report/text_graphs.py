"""Graphs of meaning drawn as text: each node once, below the node from which it is first reached.

The tree begins at the tops and goes along the edges, and against them (``-of``) where nothing else
leads to a node. A node that is there already has a ``↑``.
"""

from __future__ import annotations

from collections import defaultdict

from commonground.report.shown_graphs import ShownEdge, ShownGraph, ShownNode
from commonground.report.text_lines import Cell, Line

__all__ = ["graph_lines"]

_MARKS = {"wrong": "✗", "right": "✗", "wrong renamed": "≠", "right renamed": "≠"}


def graph_lines(graph: ShownGraph) -> list[Line]:
    """Return the lines of a graph.

    >>> import commonground as cg
    >>> from commonground.report.text_trees import draw
    >>> print(draw(cg.read("example:dm")[0]))
    sleep      slept  top
    ╰─ dog     dog    ARG1
       ├─ the  The    BV-of
       ╰─ old  old    ARG1-of
    """
    around: defaultdict[int, list[tuple[bool, int]]] = defaultdict(list)
    for number, edge in enumerate(graph.edges):
        around[edge.source].append((False, number))
        if edge.target != edge.source:
            around[edge.target].append((True, number))
    tops = [node for node, each in enumerate(graph.nodes) if each.top]
    sources = {edge.target for edge in graph.edges}
    starts = [*tops, *(node for node in range(len(graph.nodes)) if node not in sources)]
    reached = _reached(graph, tops)
    lines: list[Line] = []
    seen: set[int] = set()
    drawn: set[int] = set()
    for start in [*starts, *range(len(graph.nodes))]:
        if start in seen:
            continue
        # (node, edge that led there or -1, against it?, prefix of its line, prefix below it)
        stack = [(start, -1, False, "", "")]
        while stack:
            node, by, against, before, below = stack.pop()
            if by >= 0 and by in drawn:
                continue
            drawn.add(by)
            again = node in seen
            through = graph.edges[by] if by >= 0 else None
            lines.append(_line(graph.nodes[node], through, before, against=against, again=again))
            if again:
                continue
            seen.add(node)
            # An edge from a node that the tops lead to is drawn below that node.
            left = [
                (turned, number)
                for turned, number in sorted(around[node])
                if number not in drawn and not (turned and graph.edges[number].source in reached)
            ]
            for rank in range(len(left) - 1, -1, -1):
                turned, number = left[rank]
                other = graph.edges[number].source if turned else graph.edges[number].target
                last = rank == len(left) - 1
                stack.append(
                    (
                        other,
                        number,
                        turned,
                        below + ("╰─ " if last else "├─ "),
                        below + ("   " if last else "│  "),
                    )
                )
    return lines


def _reached(graph: ShownGraph, tops: list[int]) -> set[int]:
    """Return the nodes that edges lead to from the tops."""
    after: defaultdict[int, list[int]] = defaultdict(list)
    for edge in graph.edges:
        after[edge.source].append(edge.target)
    reached, waiting = set(tops), list(tops)
    while waiting:
        for node in after[waiting.pop()]:
            if node not in reached:
                reached.add(node)
                waiting.append(node)
    return reached


def _line(
    node: ShownNode, edge: ShownEdge | None, before: str, *, against: bool, again: bool
) -> Line:
    name = node.title or f"({node.name})"
    first: Cell = (("branch", before), ("form", name))
    if again:
        first += (("branch", " ↑"),)
    label = "" if edge is None else edge.label + "-of" * against
    said = ", ".join(node.constants)
    text = node.text if node.label else ""
    cells: Line = [
        first,
        (("tag", text if not again else ""),),
        (("tag", said if not again else ""),),
        (("label", label or ("top" if node.top else "")),),
    ]
    marks: list[tuple[str, str]] = []
    parts = [edge] if again else [node, edge]
    for part in parts:
        if part is not None and part.kind in _MARKS:
            side = part.kind.split()[0]
            marks.append((side, f"{_MARKS[part.kind]} " + "only gold " * (side == "right")))
            if part.other:
                marks += [("right" if side == "wrong" else "wrong", part.other), ("branch", " ")]
    if node.top_kind in _MARKS and not again:
        marks.append((node.top_kind, "✗ top "))
    return [*cells, tuple(marks)]
