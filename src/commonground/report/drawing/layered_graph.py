"""A graph of meaning in layers: boxes with labels and constants, curves with labels in between."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from commonground.report.drawing import svg
from commonground.report.drawing.arcs import tip
from commonground.report.drawing.layers import Layout, layout
from commonground.report.drawing.legend import LegendSample, legend
from commonground.report.drawing.lettering import shown, width
from commonground.report.drawing.style import LABEL, NODE, SMALL
from commonground.report.drawing.svg import MARGIN, Picture
from commonground.report.shown_graphs import ShownEdge, ShownGraph, ShownNode

__all__ = ["LAYER", "LayeredGraph", "edge_text", "node_rows"]

LAYER = 76
"""The distance of layers."""

_BOX, _ROW, _TOP = 22, 13, 16
_WHERE = (0.62, 0.5, 0.74, 0.4, 0.3)
"""Where on its last piece the label of an edge can stand, the best place first."""


@dataclass(frozen=True, slots=True)
class LayeredGraph:
    """What is drawn; `title` tells in words what it shows, `samples` explain kinds of lines."""

    title: str
    graph: ShownGraph
    right_to_left: bool = False
    samples: Sequence[LegendSample] = ()

    def picture(self, widest: int) -> Picture:  # noqa: ARG002  # graphs have no lines to break
        """Return the drawing."""
        nodes, edges = self.graph.nodes, self.graph.edges
        rows = [node_rows(node) for node in nodes]
        widths = [_width(each) for each in rows]
        placed = self.layout()
        whole = max((m + w // 2 for m, w in zip(placed.middle, widths, strict=False)), default=0)
        whole += 2 * MARGIN
        parts: list[str] = []
        taken: list[tuple[int, int, int, int]] = []

        def at(place: int) -> tuple[int, int]:
            x = MARGIN + placed.middle[place]
            y = MARGIN + _TOP + LAYER * placed.layer[place]
            return (whole - x if self.right_to_left else x), y

        def foot(place: int) -> tuple[int, int]:
            x, y = at(place)
            return x, y + (_height(rows[place]) if place < len(nodes) else 0)

        ways = iter(zip(placed.ways, placed.turned, strict=True))
        for edge in edges:
            if edge.source == edge.target:
                continue
            way, turned = next(ways)
            steps, points = "", []
            for one, other in itertools.pairwise(way):
                (x, y), (to_x, to_y) = foot(one), at(other)
                half = (to_y - y) // 2
                steps += f"M{x} {y}" if not steps else f"V{y}"
                steps += f"C{x} {y + half} {to_x} {to_y - half} {to_x} {to_y}"
                points = [(x, y), (to_x, to_y)]
            end = foot(way[0]) if turned else at(way[-1])
            label = edge_text(edge)
            x, y, side = _label_place(points, width(label, LABEL), taken)
            drawn = [svg.path(steps), svg.path(tip(*end, down=not turned), "tip")]
            drawn += [_label(edge, x, y, side)] if label else []
            parts.append(svg.group(drawn, f"arc {edge.kind}".rstrip()))
        for number, node in enumerate(nodes):
            x, y = at(number)
            loops = [edge for edge in edges if edge.source == edge.target == number]
            parts.append(_node(node, rows[number], x, y, widths[number]))
            parts += (_loop(edge, x + widths[number] // 2, y) for edge in loops)
        widest_box = whole + (60 if any(edge.source == edge.target for edge in edges) else 0)
        widest_box = max([widest_box, *(right + MARGIN for _, right, _, _ in taken)])
        bottom = max((foot(number)[1] for number in range(len(nodes))), default=0) + MARGIN
        order = sorted(parts, key=lambda part: 'class="arc same"' not in part[:20])
        return legend(self.samples, Picture(widest_box, bottom, "\n".join(order), self.title))

    def layout(self) -> Layout:
        """Return where nodes and edges are."""
        edges = [edge for edge in self.graph.edges if edge.source != edge.target]
        nodes = self.graph.nodes
        return layout(
            [_width(node_rows(node)) for node in nodes],
            [(edge.source, edge.target) for edge in edges],
            [width(edge_text(edge), LABEL) + 8 for edge in edges],
            tops=[number for number, node in enumerate(nodes) if node.top],
            words=[node.span[0] if node.span else None for node in nodes],
        )


Row = tuple[str, str]
"""A text, and its kind."""


def node_rows(node: ShownNode) -> list[Row]:
    """Return what stands in the box of a node, from top to bottom."""
    rows = [(shown(node.title) or shown(node.name), "")]
    rows += [(shown(each), "") for each in node.constants]
    if node.text and node.label:
        rows.append((shown(node.text), ""))
    if node.kind.endswith("renamed"):
        rows.append((shown(node.other), "right"))
    return rows


def edge_text(edge: ShownEdge) -> str:
    """Return the label of an edge, with that of the gold standard where it is another one."""
    return f"{shown(edge.label)} ≠ {shown(edge.other)}" if edge.other else shown(edge.label)


def _width(rows: Sequence[Row]) -> int:
    (first, _), *others = rows
    return max([width(first, NODE), *(width(text, SMALL) for text, _ in others)]) + 14


def _height(rows: Sequence[Row]) -> int:
    return _BOX + _ROW * (len(rows) - 1)


def _node(node: ShownNode, rows: Sequence[Row], x: int, y: int, wide: int) -> str:
    box = f'<rect x="{x - wide // 2}" y="{y}" width="{wide}" height="{_height(rows)}" rx="5"/>'
    texts = [svg.text(x, y + 15, rows[0][0], "label")]
    for number, (text, kind) in enumerate(rows[1:], 1):
        texts.append(svg.text(x, y + 14 + _ROW * number, text, kind or "soft"))
    drawn = svg.group([box, *texts], f"node {node.kind}".rstrip())
    if not node.top:
        return drawn
    stub = [svg.path(f"M{x} {y - _TOP + 2}V{y - 1}"), svg.path(tip(x, y - 1, down=True), "tip")]
    return svg.group(stub, f"arc {node.top_kind}".rstrip()) + drawn


def _loop(edge: ShownEdge, x: int, y: int) -> str:
    steps = f"M{x} {y + 16}C{x + 24} {y + 26} {x + 24} {y - 6} {x + 1} {y + 6}"
    text = svg.text(x + 20, y + 14, edge_text(edge), "label start")
    return svg.group([svg.path(steps), text], f"arc {edge.kind}".rstrip())


def _label_place(
    points: Sequence[tuple[int, int]], needed: int, taken: list[tuple[int, int, int, int]]
) -> tuple[int, int, str]:
    """Return where a label stands beside its curve, at a place that no other label has."""
    (x, y), (to_x, to_y) = points
    places = []
    for t in _WHERE:
        flat = t * t * (3 - 2 * t)  # the curve leaves and arrives upright
        across, down = round(x + (to_x - x) * flat), round(y + (to_y - y) * t)
        left = to_x > x
        box = (across - needed - 4, across - 4) if left else (across + 4, across + needed + 4)
        places.append((across - 4 if left else across + 4, down, "end" if left else "start", box))
    chosen = places[0]
    for place in places:
        _, down, _, (low, high) = place
        free = not any(
            low < right and left < high and abs(down - middle) < size
            for left, right, middle, size in taken
        )
        if free and low >= 0:
            chosen = place
            break
    across, down, side, (low, high) = chosen
    taken.append((low, high, down, LABEL + 1))
    return across, down + 4, side


def _label(edge: ShownEdge, x: int, y: int, side: str) -> str:
    text = edge_text(edge)
    return svg.text(x, y, text, f"label {side}")
