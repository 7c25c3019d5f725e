"""What drawings show of a graph of meaning: nodes with their texts, edges, and what is marked."""

from __future__ import annotations

from typing import Any, NamedTuple

from commonground.corpus import Graphs, Sentence
from commonground.corpus.graph_words import is_anchored, with_words

__all__ = ["ShownEdge", "ShownGraph", "ShownNode", "shown_graph"]

Span = tuple[int, int]
"""Where a piece of text begins and ends, in characters."""


class ShownNode(NamedTuple):
    """A node: its id, its label, the text it stands for, its constants, and where that text is.

    `kind` is how it is marked (``same``, ``wrong``, ``right``, and ``renamed``), `other` what the
    other side has instead of its label, and `top_kind` how it is marked as a top.
    """

    name: str
    label: str
    text: str = ""
    constants: tuple[str, ...] = ()
    span: Span | None = None
    top: bool = False
    kind: str = ""
    other: str = ""
    top_kind: str = ""

    @property
    def title(self) -> str:
        """What the node is called: its label, or else its text."""
        return self.label or self.text


class ShownEdge(NamedTuple):
    """An edge between two nodes; `kind` and `other` are like those of nodes."""

    source: int
    target: int
    label: str
    kind: str = ""
    other: str = ""


class ShownGraph(NamedTuple):
    """A graph, and the words of its text (as spans) if it is anchored."""

    text: str
    nodes: list[ShownNode]
    edges: list[ShownEdge]
    words: list[Span]


def shown_graph(sentence: Sentence[Graphs]) -> ShownGraph:
    """Return a graph as it is shown.

    >>> import commonground as cg
    >>> graph = shown_graph(cg.read("example:amr")[1])
    >>> graph.nodes[2].label, graph.nodes[2].constants, graph.edges[0]
    ('name', ('op1 Tom',), ShownEdge(source=0, target=1, label='ARG0', kind='', other=''))
    """
    text = sentence.text
    spans, pieces = _anchors(sentence, text)
    properties: list[dict[str, str]] = [{} for _ in sentence.column("id")]
    rows = (sentence.column(name, "properties") for name in ("node", "name", "value"))
    for node, name, value in zip(*rows, strict=True):
        properties[node][str(name)] = str(value)
    bare = sentence.metadata("framework") in ("amr", "drg")
    nodes = [
        ShownNode(
            str(name),
            str(label),
            pieces.get(node, ""),
            tuple(_constants(properties[node], every=bare)),
            spans.get(node),
            bool(top),
        )
        for node, (name, label, top) in enumerate(
            zip(*(sentence.column(name) for name in ("id", "label", "top")), strict=True)
        )
    ]
    ends = (sentence.column(name, "edges").tolist() for name in ("source", "target"))
    labels = map(str, sentence.column("label", "edges"))
    edges = [ShownEdge(*edge) for edge in zip(*ends, labels, strict=True)]
    return ShownGraph(text, nodes, edges, _words(sentence))


def _constants(properties: dict[str, str], *, every: bool) -> list[str]:
    """Return the constants of a node: names and numbers; what is only grammar is left out."""
    return [
        f"{name} {value}".replace('"', "")
        for name, value in properties.items()
        if every or name.lower() == "carg"
    ]


def _anchors(sentence: Sentence[Graphs], text: str) -> tuple[dict[int, Span], dict[int, str]]:
    """Return where the text of each anchored node begins and ends, and that text."""
    spans: dict[int, Span] = {}
    pieces: dict[int, str] = {}
    rows = (sentence.column(name, "anchors").tolist() for name in ("node", "start", "end"))
    for node, start, end in sorted(zip(*rows, strict=True)):
        first, last = spans.get(node, (start, end))
        spans[node] = (min(first, start), max(last, end))
        pieces[node] = f"{pieces[node]} … {text[start:end]}" if node in pieces else text[start:end]
    return spans, pieces


def _words(sentence: Sentence[Any]) -> list[Span]:
    start, end = (sentence.column(name, "words").tolist() for name in ("start", "end"))
    if not start or min(start) < 0:
        if not is_anchored(sentence.alone):
            return []
        cut = with_words(sentence.alone)[0]
        start, end = (cut.column(name, "words").tolist() for name in ("start", "end"))
    return list(zip(start, end, strict=True))
