r"""Drawings for LaTeX: ``tikz-dependency`` for arcs, ``forest`` for trees.

What is written is a piece of a document; a comment says which packages it needs. Trees with gaps,
which ``forest`` cannot draw, are plain TikZ pictures with the places that the SVG drawing has. All
text is escaped. Sentences are not broken into lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.errors import UsageError
from commonground.report.drawing.alignments import AlignmentGrid
from commonground.report.drawing.arc_diagram import Diagram
from commonground.report.drawing.arcs import ROOT, DrawnArc
from commonground.report.drawing.graphs import GraphDrawing
from commonground.report.drawing.layered_graph import LAYER, LayeredGraph, edge_text, node_rows
from commonground.report.drawing.tree_diagram import TreeDiagram, middles_of
from commonground.report.drawing.tree_layout import DrawnTree, Leaf, TreeLayout
from commonground.report.table_formats.latex import latex_text
from commonground.report.visible import visible

__all__ = ["tikz"]

_EDGES = {
    "same": "edge style={gray!60}, label style={text=gray}",
    "extra": "edge style={violet, densely dashed}, label style={text=violet}",
    "wrong": "edge style={orange!70!black, very thick}, label style={text=orange!70!black}",
    "wrong renamed": "edge style={orange!70!black, dashed}, label style={text=orange!70!black}",
    "right": "edge style={blue!70!black, very thick}, label style={text=blue!70!black}",
    "right renamed": "edge style={blue!70!black, dashed}, label style={text=blue!70!black}",
}
_NODES = {
    "same": "text=gray",
    "lost": "draw=violet, dotted, text=violet",
    "wrong": "draw=orange!70!black, very thick, text=orange!70!black",
    "wrong renamed": "draw=orange!70!black, dashed, text=orange!70!black",
    "right": "draw=blue!70!black, very thick, text=blue!70!black",
    "right renamed": "draw=blue!70!black, dashed, text=blue!70!black",
}
_LEVEL = 26


def tikz(drawn: Diagram | TreeDiagram | AlignmentGrid | GraphDrawing) -> str:
    """Return a drawing for LaTeX."""
    if isinstance(drawn, AlignmentGrid):
        raise UsageError("alignments are drawn as svg, png or pdf")
    if isinstance(drawn, GraphDrawing):
        form = drawn.form()
        if isinstance(form, Diagram):
            return tikz(form)
        return f"% {' '.join(visible(drawn.title).split())}\n{_layers(form)}"
    title = f"% {' '.join(visible(drawn.title).split())}\n"
    if isinstance(drawn, Diagram):
        return f"{title}% \\usepackage{{tikz-dependency}}\n{_dependency(drawn)}"
    trees = [("", drawn.above)]
    if drawn.below is not None:
        trees = [("% parse\n", drawn.above), ("% gold\n", drawn.below)]
    return title + "\n".join(name + _tree(tree) for name, tree in trees)


# ── arcs ─────────────────────────────────────────────────────────────────────────────────────────


def _dependency(diagram: Diagram) -> str:
    order = range(len(diagram.columns))
    numbers = [len(order) - place if diagram.right_to_left else place + 1 for place in order]
    columns = diagram.columns[::-1] if diagram.right_to_left else diagram.columns
    rows = max((len(column.texts) for column in columns), default=0)
    lines = [
        r" \& ".join(
            _cell(column.texts[row] if row < len(column.texts) else "", small=row > 0)
            for column in columns
        )
        for row in range(rows)
    ]
    kinds = dict.fromkeys(arc.kind for arc in (*diagram.above, *diagram.below) if arc.kind)
    return "\n".join(
        [
            r"\begin{dependency}",
            *(rf"  \depstyle{{{_name(kind)}}}{{{_EDGES[kind]}}}" for kind in kinds),
            r"  \begin{deptext}[column sep=0.6em]",
            *(rf"    {line} \\" for line in lines),
            r"  \end{deptext}",
            *(f"  {_edge(arc, numbers, '')}" for arc in diagram.above),
            *(f"  {_edge(arc, numbers, 'edge below')}" for arc in diagram.below),
            *(
                rf"  \wordgroup{{1}}{{{first}}}{{{last}}}{{token{number}}} % {visible(token.text)}"
                for number, token in enumerate(diagram.joined, 1)
                for first, last in [sorted((numbers[token.first], numbers[token.last]))]
            ),
            r"\end{dependency}",
            "",
        ]
    )


def _edge(arc: DrawnArc, numbers: Sequence[int], side: str) -> str:
    options = ", ".join(filter(None, [side, _name(arc.kind)]))
    shown = f"[{options}]" if options else ""
    label = _text(arc.label + arc.added)
    if arc.head == ROOT:
        return rf"\deproot{shown}{{{numbers[arc.dependent]}}}{{{label}}}"
    return rf"\depedge{shown}{{{numbers[arc.head]}}}{{{numbers[arc.dependent]}}}{{{label}}}"


def _name(kind: str) -> str:
    return f"cg-{kind.replace(' ', '-')}" if kind else ""


def _cell(text: str, *, small: bool) -> str:
    return rf"\footnotesize {_text(text)}" if small and text else _text(text)


def _text(text: str) -> str:
    r"""Return text as LaTeX sets it in a table of words, where ``\&`` ends a cell.

    >>> print(_text("R&D 100%"))
    R{\symbol{38}}D 100\%
    """
    return latex_text(visible(text)).replace(r"\&", r"{\symbol{38}}")


# ── trees ────────────────────────────────────────────────────────────────────────────────────────


def _tree(tree: DrawnTree) -> str:
    """Return a tree as forest; one with gaps, or without one node above all, as a picture."""
    layout = TreeLayout.of(tree)
    children = [child for node in tree.nodes for child in node.children]
    below = set(children)
    tops = [number for number in range(len(tree.nodes)) if number not in below]
    whole = len(below) == len(tree.nodes) - 1 + len(tree.leaves) == len(children)
    if whole and len(tops) == 1 and not any(layout.broken):
        body = "".join(_brackets(layout, tops[0]))
        return f"% \\usepackage{{forest}}\n\\begin{{forest}}\n{body}\\end{{forest}}\n"
    return "\n".join(
        [
            r"% \usepackage{tikz}",
            r"\begin{tikzpicture}[x=0.75pt, y=0.75pt, inner sep=2pt]",
            *(f"  {line}" for line in _places(layout)),
            r"\end{tikzpicture}",
            "",
        ]
    )


def _brackets(layout: TreeLayout, top: int) -> Iterator[str]:
    """Return a tree in brackets, a line for each node and word."""
    tree = layout.tree
    waiting: list[int | None] = [top]
    depth = 1
    while waiting:
        item = waiting.pop()
        if item is None:
            depth -= 1
            yield f"{'  ' * depth}]\n"
        elif item < 0:
            yield f"{'  ' * depth}{_leaf(tree.leaves[~item])}\n"
        else:
            node = tree.nodes[item]
            yield f"{'  ' * depth}[{{{_text(node.text)}}}{_options(node.kind, node.edge)}\n"
            depth += 1
            waiting += [None, *sorted(node.children, key=layout.first_word, reverse=True)]


def _leaf(leaf: Leaf) -> str:
    form = _text(leaf.form)
    if leaf.kind == "trace":
        form = rf"\textit{{{form}}}"
    if not leaf.tag:
        return f"[{{{form}}}{_options('', leaf.edge)}]"
    return f"[{{{_text(leaf.tag)}}}{_options('', leaf.edge)} [{{{form}}}]]"


def _options(kind: str, edge: str) -> str:
    """Return how a node looks, and the label of the edge above it."""
    options = [_NODES[kind]] if kind else []
    if edge:
        options.append(rf"edge label={{node[midway, font=\tiny]{{{_text(edge)}}}}}")
    return "".join(f", {option}" for option in options)


def _places(layout: TreeLayout) -> Iterator[str]:
    """Return the nodes of a picture at their places, and the branches between them."""
    tree = layout.tree
    middles = middles_of([layout])
    places = layout.places(middles)
    for place, (leaf, x) in enumerate(zip(tree.leaves, middles, strict=True)):
        tag = rf"\footnotesize {_text(leaf.tag)}\\ " if leaf.tag else ""
        form = rf"\textit{{{_text(leaf.form)}}}" if leaf.kind == "trace" else _text(leaf.form)
        yield rf"\node[align=center] (w{place}) at ({x}, 0) {{{tag}{form}\strut}};"
    for number, (node, x) in enumerate(zip(tree.nodes, places, strict=True)):
        kind = f"[{_NODES[node.kind]}]" if node.kind else ""
        y = _LEVEL * layout.levels[number] + _LEVEL
        yield rf"\node{kind} (n{number}) at ({x}, {y}) {{{_text(node.text)}}};"
    for number, node in enumerate(tree.nodes):
        for child in node.children:
            below = f"w{~child}" if child < 0 else f"n{child}"
            edge = (tree.leaves[~child] if child < 0 else tree.nodes[child]).edge
            label = rf" node[near end, font=\tiny] {{{_text(edge)}}}" if edge else ""
            yield rf"\draw (n{number}.south) -- ++(0, -3) -|{label} ({below}.north);"


# ── graphs in layers ─────────────────────────────────────────────────────────────────────────────


def _layers(drawn: LayeredGraph) -> str:
    placed = drawn.layout()
    lines = [r"% \usepackage{tikz}", r"\begin{tikzpicture}[x=0.75pt, y=0.75pt, >=latex]"]
    for number, node in enumerate(drawn.graph.nodes):
        rows = r" \\ \footnotesize ".join(_text(text) for text, _ in node_rows(node))
        kind = f", {_NODES[node.kind]}" if node.kind else ", draw"
        x, y = placed.middle[number], -LAYER * placed.layer[number]
        lines.append(rf"  \node[align=center{kind}] (n{number}) at ({x}, {y}) {{{rows}}};")
    for edge in drawn.graph.edges:
        way = "edge[loop right]" if edge.source == edge.target else "to[out=270, in=90]"
        style = _LINES[edge.kind.split()[0] if edge.kind else ""]
        label = rf"node[midway, font=\tiny] {{{_text(edge_text(edge))}}}"
        lines.append(rf"  \draw[->{style}] (n{edge.source}) {way} {label} (n{edge.target});")
    return "\n".join([*lines, r"\end{tikzpicture}", ""])


_LINES = {
    "": "",
    "same": ", gray!60",
    "wrong": ", orange!70!black, very thick",
    "right": ", blue!70!black, very thick",
}
