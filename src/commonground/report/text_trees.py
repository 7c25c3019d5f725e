"""Trees drawn as text, for terminals, mails and notebooks.

A tree has a word or a phrase on each line, in the order of the sentence, and its branches at the
left. A head (or a phrase) and all that hangs on it share a vertical line; the half-bold sign on it
is the head itself. Where arcs cross, so do the lines:

>>> from commonground.corpus import Dependencies
>>> forms, heads = "A hearing is scheduled on the issue".split(), [2, 4, 4, 0, 7, 7, 2]
>>> labels = ["det", "nsubj", "aux", "root", "case", "det", "nmod"]
>>> print(draw(Dependencies.of([(forms, heads, labels)])[0]))
─┮
 │   ╭─╼ A         det
 │ ╭─┾ hearing     nsubj
 │ ├─╪─╼ is        aux
 ╰─┶━┿━ scheduled  root
     │ ╭─╼ on      case
     │ ├─╼ the     det
     ╰─┶ issue     nmod

An arc that cannot be drawn is told in numbers, ``← 3``: where the branches would become too wide,
where heads run in a circle, and where a head is unknown (``← ?``).

What comes from a file cannot disturb the drawing: control characters become visible escapes, text
that runs from right to left is isolated, and long texts are cut.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import (
    Alignments,
    Constituents,
    Dependencies,
    Functions,
    Graphs,
    Relations,
    Sentence,
)
from commonground.corpus.arrange import extents
from commonground.corpus.functions import Yield, nesting
from commonground.errors import UsageError
from commonground.report.shown_graphs import shown_graph
from commonground.report.text_graphs import graph_lines
from commonground.report.text_lines import Cell, Line, Style, aligned_lines, plain

__all__ = ["TextRow", "draw", "something", "tree_lines"]

WIDEST = 96
"""Branches take about so many columns at most."""


def draw(sentence: Sentence[Any], *, ascii: bool = False, style: Style = plain) -> str:
    """Draw a sentence of any corpus, without a newline at the end.

    Trees are drawn as such; relations and alignments are listed. Where function trees are graphs, a
    word is drawn in the last of its nodes; yields that are not continuous stand beside their nodes.
    With `ascii`, there are only characters that every terminal can show.
    """
    kinds: dict[type, Callable[[Sentence[Any]], tuple[list[Line], ...]]] = {
        Dependencies: _dependency_tree,
        Constituents: _constituent_tree,
        Relations: _relation_list,
        Graphs: _graph_tree,
        Alignments: _alignment_list,
        Functions: _function_tree,
    }
    for kind, drawing in kinds.items():
        if isinstance(sentence.corpus, kind):
            blocks = (aligned_lines(block, style, ascii=ascii) for block in drawing(sentence))
            return "\n".join(line for block in blocks for line in block)
    raise UsageError(f"{sentence.corpus.kind} cannot be drawn")


# ── trees ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class TextRow:
    """A line of a tree.

    `parent` is the line that it hangs on, -1 at the top, -2 where that is unknown; `number` is how
    other lines refer to it; `name` and `cells` are what it says.
    """

    parent: int
    number: str
    name: Cell
    cells: tuple[Cell, ...] = ()


def _dependency_tree(sentence: Sentence[Dependencies]) -> tuple[list[Line], ...]:
    rows = [TextRow(-1, "0", ())]
    columns = (sentence.column(name) for name in ("form", "head", "upos", "xpos", "deprel"))
    for place, (form, head, upos, xpos, label) in enumerate(zip(*columns, strict=True), 1):
        parent = int(head) if 0 <= head <= len(sentence) else -2
        tag = upos if upos != "_" else xpos
        cells = ((("tag", something(tag)),), (("label", something(label)),))
        rows.append(TextRow(parent, str(place), (("form", form),), cells))
    return (tree_lines(rows),)


def _constituent_tree(sentence: Sentence[Constituents]) -> tuple[list[Line], ...]:
    edges = _secondary_edges(sentence)
    return tree_lines(_constituent_rows(sentence), words=True, all_lines=bool(edges)), edges


def _constituent_rows(sentence: Sentence[Constituents]) -> list[TextRow]:
    """Return the words in their order, and each phrase before its first word."""
    alone = sentence.alone
    first = extents(alone.words, alone.nodes).first.tolist()
    order = sorted(
        [(word, 0, node) for node, word in enumerate(first)]
        + [(word, 1, word) for word in range(alone.words.rows)]
    )
    line_of_node = {node: line for line, (_, kind, node) in enumerate(order) if kind == 0}
    line_of_node[-1] = -1
    words = list(zip(*(sentence.column(n) for n in ("form", "tag", "edge", "parent")), strict=True))
    nodes = list(
        zip(*(sentence.column(n, "nodes") for n in ("label", "edge", "parent")), strict=True)
    )
    rows = []
    for _, kind, place in order:
        if kind:
            form, tag, edge, parent = words[place]
            number, name = str(place + 1), ("form", form)
        else:
            tag = "_"
            label, edge, parent = nodes[place]
            number, name = f"#{place + 1}", ("phrase", label)
        cells = ((("tag", something(tag)),), (("label", something(edge)),))
        rows.append(TextRow(line_of_node[int(parent)], number, (name,), cells))
    return rows


def _secondary_edges(sentence: Sentence[Constituents]) -> list[Line]:
    columns = (sentence.column(n, "secondary") for n in ("parent", "word", "node", "label"))
    labels, forms = sentence.column("label", "nodes"), sentence.column("form")
    lines: list[Line] = []
    for parent, word, node, label in zip(*columns, strict=True):
        number, part, text = (
            (f"{word + 1}", "form", forms[word])
            if word >= 0
            else (f"#{node + 1}", "phrase", labels[node])
        )
        lines.append(
            [
                (("number", f"#{parent + 1}"), ("branch", " "), ("phrase", labels[parent])),
                (("branch", "→ "), ("label", something(label))),
                (("branch", "→ "), ("number", number), ("branch", " "), (part, text)),
            ]
        )
    return lines


def _function_tree(sentence: Sentence[Functions]) -> tuple[list[Line], ...]:
    forms = sentence.column("form")
    labels: dict[str, list[str]] = {}
    columns = (sentence.column(name, "nodes") for name in ("yields", "label"))
    for words, label in zip(*columns, strict=True):
        labels.setdefault(words, []).append(label)
    yields = list(map(Yield.of, labels))
    inside = nesting(len(forms), yields)
    parent_of_word = [-1] * (len(forms) + 1)
    for node, words in enumerate(yields):
        for first, last in words.stretches:
            parent_of_word[first : last + 1] = [node] * (last - first + 1)
    order = sorted(
        [(words.first, 0, node) for node, words in enumerate(yields)]
        + [(place, 1, place) for place in range(1, len(forms) + 1)]
    )
    line_of_node = {node: line for line, (_, kind, node) in enumerate(order) if kind == 0}
    line_of_node[-1] = -1
    texts = list(labels)
    rows = [
        TextRow(line_of_node[parent_of_word[place]], str(place), (("form", forms[place - 1]),))
        if kind
        else TextRow(
            line_of_node[inside[place]],
            f"#{place + 1}",
            (("phrase", "{" + ",".join(labels[texts[place]]) + "}"),),
            ((("number", texts[place] if "," in texts[place] else ""),),),
        )
        for _, kind, place in order
    ]
    return (tree_lines(rows, words=True),)


def tree_lines(rows: list[TextRow], *, words: bool = False, all_lines: bool = False) -> list[Line]:
    """Return the lines of a tree, with the numbers of the `words` or of `all_lines`.

    Where an arc cannot be drawn, all lines have their numbers, so that one can refer to another.
    """
    branches, cut = _branches([row.parent for row in rows])
    every = all_lines or any(rows[at].parent >= 0 for at in cut)
    numbers = [row.number if every or (words and row.number[0] != "#") else "" for row in rows]
    room = max(map(len, numbers), default=0)
    lines = []
    for at, (row, branch, number) in enumerate(zip(rows, branches, numbers, strict=True)):
        gutter = (("number", number.rjust(room)), ("branch", " ")) if room else ()
        line: Line = [(*gutter, ("branch", branch), ("branch", " "), *row.name), *row.cells]
        if at in cut:
            head = rows[row.parent].number if row.parent >= 0 else "?"
            line.append((("number", f"← {head}"),))
        lines.append(line)
    return lines


_UP, _DOWN, _LEFT, _RIGHT, _BOLD_LEFT, _BOLD_RIGHT = (1 << bit for bit in range(6))
_SIGNS = {
    0: " ",
    _UP | _DOWN: "│",
    _LEFT | _RIGHT: "─",
    _DOWN | _RIGHT: "╭",
    _UP | _RIGHT: "╰",
    _UP | _DOWN | _RIGHT: "├",
    _UP | _DOWN | _LEFT | _RIGHT: "╪",
    _LEFT | _BOLD_RIGHT: "╼",
    _LEFT | _BOLD_RIGHT | _DOWN: "┮",
    _LEFT | _BOLD_RIGHT | _UP: "┶",
    _LEFT | _BOLD_RIGHT | _UP | _DOWN: "┾",
    _BOLD_RIGHT: "╺",
    _BOLD_RIGHT | _DOWN: "┍",
    _BOLD_RIGHT | _UP: "┕",
    _BOLD_RIGHT | _UP | _DOWN: "┝",
    _BOLD_LEFT | _BOLD_RIGHT: "━",
    _BOLD_LEFT | _BOLD_RIGHT | _UP | _DOWN: "┿",
}


def _branches(parents: Sequence[int]) -> tuple[list[str], set[int]]:
    r"""Return the branches at the left of each line, and the lines whose arcs are not drawn.

    >>> branches, cut = _branches([-1, 2, 0])
    >>> print("\n".join(branches))
    ─┮
     │ ╭─╼
     ╰─┶
    """
    layout = _Layout.of(parents)
    grid = _painted(layout)
    signs = np.array([_SIGNS.get(bits, "?") for bits in range(64)])
    lines = ["".join(line).rstrip() for line in signs[grid].tolist()]
    return lines, layout.cut


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the branches of a tree run.

    `parents` are those whose arcs are drawn, -1 for the others, and `children` the other way round;
    `cut` are the lines whose arcs cannot be drawn. `column` is where the vertical line of a parent
    runs, -1 where it has none; `reach` is the last column where a vertical line passes each line.
    """

    parents: list[int]
    children: list[list[int]]
    column: list[int]
    reach: NDArray[np.int64]
    cut: set[int]

    @classmethod
    def of(cls, wanted: Sequence[int]) -> _Layout:
        """Find room for the branches, from the top of the tree downwards.

        Each vertical line runs to the right of all that pass the same lines and were placed before
        it. So no two of them share a place, and a line's own branch comes from the left.
        """
        cut = {line for line, parent in enumerate(wanted) if parent < -1} | _cycle_breaks(wanted)
        parents = [-1 if line in cut else parent for line, parent in enumerate(wanted)]
        children: list[list[int]] = [[] for _ in parents]
        for line, parent in enumerate(parents):
            if parent >= 0:
                children[parent].append(line)
        column = [-1] * len(parents)
        reach = np.full(len(parents), -1)
        waiting = deque(line for line, parent in enumerate(parents) if parent < 0)
        while waiting:
            line = waiting.popleft()
            below = children[line]
            if not below:
                continue
            low, high = min(line, below[0]), max(line, below[-1])
            place = int(reach[low : high + 1].max()) + 2
            if place <= WIDEST:
                column[line] = place
                reach[low : high + 1] = place
            else:
                cut.update(below)
                children[line] = []
                for child in below:
                    parents[child] = -1
            waiting.extend(below)
        return cls(parents, children, column, reach, cut)


def _cycle_breaks(parents: Sequence[int]) -> set[int]:
    """Return the first line of each circle of parents.

    >>> _cycle_breaks([-1, 3, 1, 2, 3])
    {1}
    """
    first_lines = set()
    seen: dict[int, int] = {}
    for start in range(len(parents)):
        line = start
        while line >= 0 and line not in seen:
            seen[line] = start
            line = parents[line]
        if line >= 0 and seen[line] == start:
            circle = [line]
            while parents[circle[-1]] != line:
                circle.append(parents[circle[-1]])
            first_lines.add(min(circle))
    return first_lines


def _painted(layout: _Layout) -> NDArray[np.uint8]:
    """Return, for each line and column, in which directions strokes leave its middle."""
    grid = np.zeros((len(layout.parents), WIDEST + 4), np.uint8)
    for line, (parent, below) in enumerate(zip(layout.parents, layout.children, strict=True)):
        passing = int(layout.reach[line])
        own = layout.column[line] if below else passing + 2
        if parent >= 0:
            left = layout.column[parent]
            grid[line, left] |= _RIGHT
            grid[line, left + 1 : own] |= _LEFT | _RIGHT
        elif line not in layout.cut:
            grid[line, own - 1] |= _LEFT | _RIGHT
        grid[line, own] |= _BOLD_RIGHT | (0 if line in layout.cut else _LEFT)
        if passing > own:
            grid[line, own + 1 : passing + 2] |= _BOLD_LEFT | _BOLD_RIGHT
        if below:
            low, high = min(line, below[0]), max(line, below[-1])
            grid[low:high, own] |= _DOWN
            grid[low + 1 : high + 1, own] |= _UP
    return grid


# ── lists ────────────────────────────────────────────────────────────────────────────────────────


def _relation_list(sentence: Sentence[Relations]) -> tuple[list[Line], ...]:
    names = _node_names(sentence)
    columns = ("head", "label", "subtype", "dependent", "value")
    rows = zip(*(sentence.column(name, "relations") for name in columns), strict=True)
    lines: list[Line] = [
        [
            (("form", names.get(head, "")),),
            (("branch", "→ "), ("label", label)),
            (("tag", something(subtype)),),
            *_ends(names.get(dependent), something(value)),
        ]
        for head, label, subtype, dependent, value in rows
    ]
    return (lines,)


def _ends(dependent: str | None, value: str) -> tuple[Cell, ...]:
    """Return where a relation leads: to a dependent, a value, or both."""
    if dependent is None:
        return ((("branch", "→ "), ("tag", value)),)
    return ((("branch", "→ "), ("form", dependent)), (("tag", value),))


def _node_names(sentence: Sentence[Relations]) -> dict[int, str]:
    """Return the text of each node, with the number of its word where others have the same text."""
    texts = sentence.column("text", "nodes")
    first = sentence.column("first", "nodes").tolist()
    times = Counter(texts)
    return {
        node: f"{text} ({word})" if times[text] > 1 and word > 0 else text
        for node, (text, word) in enumerate(zip(texts, first, strict=True))
    }


def _graph_tree(sentence: Sentence[Graphs]) -> tuple[list[Line], ...]:
    return (graph_lines(shown_graph(sentence)),)


def _alignment_list(sentence: Sentence[Alignments]) -> tuple[list[Line], ...]:
    forms = {side: sentence.column("form", f"{side}_words") for side in ("source", "target")}

    def word(side: str, place: int) -> Cell:
        if not 0 <= place < len(forms[side]):
            return (("number", str(place)),)
        return (("number", str(place)), ("branch", " "), ("form", forms[side][place]))

    columns = (sentence.column(name).tolist() for name in ("source", "target", "sure"))
    lines: list[Line] = [
        [
            word("source", source),
            (("branch", "→ "), *word("target", target)),
            (("tag", "" if sure else "possible"),),
        ]
        for source, target, sure in zip(*columns, strict=True)
    ]
    return (lines,)


# ── text ─────────────────────────────────────────────────────────────────────────────────────────


def something(text: str) -> str:
    """Return a text, or the empty string for ``_``, which is nothing."""
    return "" if text == "_" else text
