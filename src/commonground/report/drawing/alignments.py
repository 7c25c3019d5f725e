"""Word alignments, drawn as a grid, or as lines between two trees.

In a grid, the rows are the words of the source and the columns those of the target; a full square
is a sure link, an empty one a possible link. Between two trees, that of the source is above its
words and that of the target below its words, and lines lead from word to word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from commonground.corpus import Alignments, Dependencies, Sentence
from commonground.errors import UsageError
from commonground.report.drawing import svg
from commonground.report.drawing.arc_diagram import Diagram
from commonground.report.drawing.dependencies import DrawingOptions, dependency_diagram
from commonground.report.drawing.lettering import shown, width
from commonground.report.drawing.style import SMALL
from commonground.report.drawing.svg import MARGIN, Picture

__all__ = ["AlignmentGrid", "alignment_grid", "tree_pair"]

_CELL, _GAP = 16, 64
_ONE_LINE = 1_000_000


@dataclass(frozen=True, slots=True)
class AlignmentGrid:
    """The words of both sides, and the links with whether they are sure."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[tuple[int, int, bool], ...]

    def picture(self, widest: int) -> Picture:
        """Return the grid; it is as wide as the target needs, whatever is `widest`."""
        del widest
        left = MARGIN + max([width(word, SMALL) for word in self.source], default=0) + 6
        top = MARGIN + max([width(word, SMALL) for word in self.target], default=0) + 6
        right, bottom = left + _CELL * len(self.target), top + _CELL * len(self.source)
        rows = [
            svg.text(left - 6, top + _CELL * place + 12, word, "end")
            for place, word in enumerate(self.source)
        ]
        columns = [_upright(left + _CELL * p + 12, top - 6, w) for p, w in enumerate(self.target)]
        ruled = [f"M{left} {top + _CELL * p}H{right}" for p in range(len(self.source) + 1)]
        ruled += [f"M{left + _CELL * p} {top}V{bottom}" for p in range(len(self.target) + 1)]
        marks = [
            _mark(left + _CELL * target, top + _CELL * source, sure=sure)
            for source, target, sure in self.links
        ]
        lattice = svg.group([svg.path("".join(ruled))], "same")
        body = "".join([lattice, *rows, *columns, svg.group(marks, "link")])
        title = f"{' '.join(self.source)} – {' '.join(self.target)}"
        return Picture(right + MARGIN, bottom + MARGIN, body, title)


def _upright(x: int, y: int, word: str) -> str:
    """Return a word that runs upwards."""
    return f'<text x="{x}" y="{y}" class="start" transform="rotate(-90 {x} {y})">{svg.escaped(word)}</text>'  # noqa: E501


def _mark(x: int, y: int, *, sure: bool) -> str:
    return svg.path(f"M{x + 3} {y + 3}h10v10h-10z", "tip" if sure else "")


def alignment_grid(sentence: Sentence[Alignments]) -> AlignmentGrid:
    """Return the links of a sentence pair as a grid; words that are not told are numbers."""
    links = [
        (int(s), int(t), bool(sure))
        for s, t, sure in zip(
            *(sentence.column(name).tolist() for name in ("source", "target", "sure")), strict=True
        )
    ]
    sides = []
    for place, side in enumerate(("source", "target")):
        words = list(map(shown, sentence.column("form", f"{side}_words")))
        last = max((link[place] for link in links), default=-1)
        sides.append((*words, *map(str, range(len(words), last + 1))))
    return AlignmentGrid(sides[0], sides[1], tuple(links))


def tree_pair(source: Sentence[Any], target: Sentence[Any], links: Sentence[Alignments]) -> Picture:
    """Return two trees with lines between the words that are linked."""
    if not all(isinstance(side.corpus, Dependencies) for side in (source, target)):
        raise UsageError("lines are drawn between two dependency trees")
    above = dependency_diagram(source, DrawingOptions([]))
    other = dependency_diagram(target, DrawingOptions([]))
    below = Diagram(target.text, other.columns, [], other.above)
    top, bottom = above.picture(_ONE_LINE), below.picture(_ONE_LINE)
    start, end = top.height - MARGIN + 1, top.height + _GAP + MARGIN
    ours, theirs = above.middles(), below.middles()
    lines = []
    columns = (links.column(name).tolist() for name in ("source", "target", "sure"))
    for s, t, sure in zip(*columns, strict=True):
        if not (0 <= s < len(ours) and 0 <= t < len(theirs)):
            raise UsageError(
                f"pair {links.sent_id} links the words {s} and {t}, but there are {len(ours)} and "
                f"{len(theirs)}, counted from 0"
            )
        line = svg.path(f"M{ours[s]} {start}L{theirs[t]} {end}")
        lines.append(svg.group([line], "right" if sure else "extra"))
    body = "".join([top.body, svg.group([bottom.body], y=top.height + _GAP), *lines])
    return Picture(
        max(top.width, bottom.width),
        top.height + _GAP + bottom.height,
        body,
        f"{top.title} – {bottom.title}",
    )
