"""Trees on paper: from the words upwards, or, where they are too wide for that, sideways.

A tree stands on its words, or two trees of the same words stand on both sides of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from commonground.report.drawing import svg
from commonground.report.drawing.arcs import levels, outline, tip
from commonground.report.drawing.legend import LegendSample, legend
from commonground.report.drawing.lettering import width
from commonground.report.drawing.style import FORM, NODE, SMALL
from commonground.report.drawing.svg import MARGIN, Picture
from commonground.report.drawing.tree_layout import DrawnTree, Leaf, TreeLayout, spaced
from commonground.report.drawing.tree_sides import ROW, Sideways, Upright

__all__ = ["TreeDiagram", "middles_of"]

_FORM_ROW = 20
_FIRST_ARC, _ARC = 12, 9


@dataclass(frozen=True, slots=True)
class TreeDiagram:
    """What is drawn: a tree above its words, and perhaps another one below the same words.

    `title` tells in words what it shows, `samples` explain the kinds of nodes.
    """

    title: str
    above: DrawnTree
    below: DrawnTree | None = None
    right_to_left: bool = False
    samples: Sequence[LegendSample] = ()

    def picture(self, widest: int) -> Picture:
        """Return the drawing; where it would be wider than `widest` pixels, it is sideways.

        Movements are drawn below an upright tree that is alone; elsewhere the indices of the
        labels have to do.
        """
        if not self.above.leaves:
            return Picture(2 * MARGIN, 2 * MARGIN, "", self.title)
        trees = [self.above] if self.below is None else [self.above, self.below]
        layouts = [TreeLayout.of(tree) for tree in trees]
        middles = middles_of(layouts)
        whole = middles[-1] + middles[0] + 2 * MARGIN
        if whole > widest:
            drawn = _sideways(layouts, self.title, turned=self.right_to_left)
        else:
            sides = [
                Upright(layout, sign, whole=whole, margin=MARGIN, turned=self.right_to_left)
                for layout, sign in zip(layouts, (-1, 1), strict=False)
            ]
            drawn = _upright(sides, middles, self.title)
        return legend(self.samples, drawn)


def middles_of(layouts: Sequence[TreeLayout]) -> list[int]:
    """Return the middles of the words of an upright tree, or of two."""
    trees = [layout.tree for layout in layouts]
    boxes = [
        max(width(leaves[0].form, FORM), *(_small(leaf.tag, leaf.edge) for leaf in leaves))
        for leaves in zip(*(tree.leaves for tree in trees), strict=True)
    ]
    labels = [
        [max(width(node.text, NODE), _small(node.edge)) + 6 for node in tree.nodes]
        for tree in trees
    ]
    return spaced(boxes, list(zip(layouts, labels, strict=True)))


def _small(*texts: str) -> int:
    return max(width(text, SMALL) for text in texts)


def _upright(sides: Sequence[Upright], middles: Sequence[int], title: str) -> Picture:
    first = sides[0]
    first.base = MARGIN + first.height
    bottom = foot = first.base + _FORM_ROW
    places = [first.x(middle) for middle in middles]
    words = _forms(first.layout.tree.leaves, [(x, foot - 5) for x in places])
    parts = [first.drawn(middles), svg.group(words, "form")]
    for second in sides[1:]:
        second.base = foot
        parts.append(second.drawn(middles))
        bottom += second.height
    if first.layout.tree.movements and len(sides) == 1:
        drawn, room = _movements(first.layout, places, foot + 3)
        parts.append(drawn)
        bottom += room + 3
    return Picture(first.whole, bottom + MARGIN, "\n".join(parts), title)


def _sideways(layouts: Sequence[TreeLayout], title: str, *, turned: bool) -> Picture:
    leaves = layouts[0].tree.leaves
    middles = [ROW // 2 + ROW * place for place in range(len(leaves))]
    column = max(width(leaf.form, FORM) for leaf in leaves) + 12
    signs = (1, -1) if turned else (-1, 1)
    sides = [
        Sideways(layout, sign, margin=MARGIN) for layout, sign in zip(layouts, signs, strict=False)
    ]
    whole = 2 * MARGIN + column + sum(side.height for side in sides)
    left = MARGIN + sum(side.height for side in sides if side.sign < 0)
    for side in sides:
        side.base = left if side.sign < 0 else left + column
    x, aligned = left + column // 2, ""
    if len(sides) == 1:  # one tree: the words begin beside their tags
        x, aligned = (left + column - 6, "end") if turned else (left + 6, "start")
    words = _forms(leaves, [(x, MARGIN + middle + 5) for middle in middles], aligned)
    parts = [*(side.drawn(middles) for side in sides), svg.group(words, "form")]
    return Picture(whole, 2 * MARGIN + ROW * len(leaves), "\n".join(parts), title)


def _forms(
    leaves: Sequence[Leaf], places: Sequence[tuple[int, int]], aligned: str = ""
) -> Iterator[str]:
    for leaf, (x, y) in zip(leaves, places, strict=True):
        yield svg.text(x, y, leaf.form, f"{aligned} {leaf.kind}".strip())


def _movements(layout: TreeLayout, places: Sequence[int], foot: int) -> tuple[str, int]:
    """Return dashed arrows below the words, from traces to antecedents, and the room they take."""
    movements = layout.tree.movements
    spans = []
    for trace, antecedent in movements:
        first, last = layout.first[antecedent], layout.last[antecedent]
        spans.append((min(first, trace), max(last, trace) + 1))
    heights = levels(spans, [0] * len(places))
    parts = []
    for (trace, antecedent), level in zip(movements, heights, strict=True):
        first, last = places[layout.first[antecedent]], places[layout.last[antecedent]]
        middle = (first + last) // 2
        way = outline(places[trace], middle, foot, foot + _FIRST_ARC + _ARC * (level - 1))
        under = svg.path(f"M{first} {foot}H{last}") if first != last else ""
        parts.append(
            svg.group([svg.path(way), under, svg.path(tip(middle, foot, down=False), "tip")])
        )
    return svg.group(parts, "extra"), _FIRST_ARC + _ARC * max(heights)
