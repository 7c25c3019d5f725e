"""What differs between a gold standard and a parse, drawn as text.

Dependencies are the tree of the parse; behind a word whose head or label is another one in the gold
standard, there is what it should be. Two graphs of meaning are drawn as one, with marks. Other
trees are drawn one after the other, with marks behind
the nodes that the other one has not:

>>> from commonground.corpus import Dependencies
>>> from commonground.report.drawing import DrawingOptions, differing
>>> words = "I want to eat".split()
>>> gold = Dependencies.of([(words, [2, 0, 4, 2], ["nsubj", "root", "mark", "xcomp"])])
>>> parse = Dependencies.of([(words, [2, 0, 2, 3], ["nsubj", "root", "mark", "obj"])])
>>> print(difference_text(differing(gold, parse, DrawingOptions())))
0 ─┮
1  │ ╭─╼ I      nsubj
2  ╰─┾ want     root
3    ╰─┮ to     mark   ✗ gold: 4 eat  mark
4      ╰─╼ eat  obj    ✗ gold: 2 want  xcomp
"""

from __future__ import annotations

from commonground.report.drawing.arc_diagram import Diagram
from commonground.report.drawing.arcs import ROOT
from commonground.report.drawing.graphs import GraphDrawing
from commonground.report.drawing.tree_diagram import TreeDiagram
from commonground.report.drawing.tree_layout import DrawnTree, TreeLayout
from commonground.report.text_graphs import graph_lines
from commonground.report.text_lines import Cell, Style, aligned_lines, plain
from commonground.report.text_trees import TextRow, tree_lines

__all__ = ["difference_text"]


def difference_text(
    diagram: Diagram | TreeDiagram | GraphDrawing, *, ascii: bool = False, style: Style = plain
) -> str:
    """Draw a difference, as :func:`commonground.report.drawing.differing` finds it."""
    if isinstance(diagram, Diagram):
        blocks = [tree_lines(_dependency_rows(diagram), all_lines=bool(diagram.below))]
    elif isinstance(diagram, GraphDrawing):
        blocks = [graph_lines(diagram.graph)]
    else:
        assert diagram.below is not None
        blocks = []
        for title, tree in (("parse", diagram.above), ("gold", diagram.below)):
            blocks += [[[(("number", title),)]], tree_lines(_node_rows(tree), words=True)]
    lines = (line for block in blocks for line in aligned_lines(block, style, ascii=ascii))
    return "\n".join(lines)


def _dependency_rows(diagram: Diagram) -> list[TextRow]:
    arcs = {arc.dependent: arc for arc in reversed(diagram.above)}
    golden = {arc.dependent: arc for arc in reversed(diagram.below)}
    rows = [TextRow(-1, "0", ())]
    for place, column in enumerate(diagram.columns):
        form, *tags = column.texts
        arc, gold = arcs.get(place), golden.get(place)
        mark: Cell = ()
        if gold is not None:
            mark = (("wrong", "≠ " if "renamed" in gold.kind else "✗ "), ("right", "gold: "))
            if "renamed" not in gold.kind:
                head = diagram.columns[gold.head] if gold.head != ROOT else None
                mark += (("number", head.number if head else "0"), ("branch", " "))
                mark += (("form", head.texts[0]), ("branch", "  ")) if head else ()
            mark += (("label", gold.label),)
        elif column.kinds[:1] == ("wrong",):
            mark = (("wrong", "✗ "), ("right", "gold: no such word"))
        rows.append(
            TextRow(
                arc.head + 1 if arc else -2,
                column.number,
                (("form", form),),
                ((("tag", tags[0] if tags else ""),), (("label", arc.label if arc else ""),), mark),
            )
        )
    return rows


def _node_rows(tree: DrawnTree) -> list[TextRow]:
    """Return the words in their order, and each node before its first word."""
    layout = TreeLayout.of(tree)
    parents: dict[int, int] = {}
    for number, node in enumerate(tree.nodes):
        parents |= dict.fromkeys(node.children, number)
    order = sorted(
        [(layout.first[number], 0, number) for number in range(len(tree.nodes))]
        + [(place, 1, ~place) for place in range(len(tree.leaves))]
    )
    # A trace of the other tree has no place in this one.
    order = [
        entry
        for entry in order
        if entry[2] in parents or entry[2] >= 0 or tree.leaves[~entry[2]].kind != "trace"
    ]
    line_of = {item: line for line, (_, _, item) in enumerate(order)}
    rows = []
    for _, _, item in order:
        parent = parents.get(item)
        above = -1 if parent is None else line_of[parent]
        if item < 0:
            leaf = tree.leaves[~item]
            cells: tuple[Cell, ...] = ((("tag", leaf.tag),), (("label", leaf.edge),))
            rows.append(TextRow(above, str(~item + 1), (("form", leaf.form),), cells))
        else:
            node = tree.nodes[item]
            cells = ((("tag", ""),), (("label", node.edge),), _mark(node.kind))
            rows.append(TextRow(above, f"#{item + 1}", (("phrase", node.text),), cells))
    return rows


def _mark(kind: str) -> Cell:
    side, _, renamed = kind.partition(" ")
    if side not in ("wrong", "right"):
        return ()
    return ((side, "≠" if renamed else "✗"),)
