"""DMRS, dependency minimal recursion semantics: what its notations have in common.

Copestake (2009), *Slacker Semantics: Why Superficiality, Dependency and Avoidance of Commitment can
be the Right Way to Go*. Nodes are predicates, without the ``_rel`` of older files and in lower
case, anchored at characters. The constant is the property ``CARG``, before the others; ``cvarsort``
(``x``, ``e``) is the sort of the variable. A link is an edge with its role as label and the
attribute ``post`` (``NEQ``, ``EQ``, ``HEQ``, ``H``); one from 0 says what the top is, as in older
files. ``index`` is a comment, as is the text. Other alignments than characters, and surfaces of
nodes, are not kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter

from commonground.formats.notation.graph_builder import MOST, Graph, comment, said

__all__ = ["DmrsError", "Link", "Links", "Node", "carried", "graph_of", "parts_of", "reason"]

_SORT = "cvarsort"
_KNOWN = ("sent_id", "framework", "text", "index")


class DmrsError(Exception):
    """What is wrong with a DMRS, and the node or link that it is about."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(slots=True)
class Node:
    """A node as it is written: its number, predicate, place, constant, sort and properties."""

    name: int
    predicate: str
    place: tuple[int, int] | None = None
    constant: str | None = None
    sort: str = ""
    properties: dict[str, str] = field(default_factory=dict)
    line: int = 0


@dataclass(slots=True)
class Link:
    """A link as it is written."""

    start: int
    end: int
    role: str
    post: str
    line: int = 0


@dataclass(slots=True)
class Links:
    """A DMRS as it is written."""

    nodes: list[Node] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    top: int | None = None
    index: int | None = None
    name: str = ""
    text: str = ""
    line: int = 0


def plain_predicate(text: str) -> str:
    """Return a predicate in lower case, without quotes and ``_rel``.

    >>> plain_predicate('"_Dog_n_1_rel"'), plain_predicate("udef_q")
    ('_dog_n_1', 'udef_q')
    """
    text = text.strip().removeprefix('"').removesuffix('"').removeprefix("'").lower()
    return text.removesuffix("_rel")


def graph_of(parts: Links) -> Graph:
    """Return the graph that is written, or raise what is wrong."""
    values = {"sent_id": parts.name, "framework": "dmrs", "text": parts.text}
    values["index"] = "" if parts.index is None else str(parts.index)
    graph = Graph(parts.line, [comment(k, v) for k, v in values.items() if v.strip()])
    rows: dict[int, int] = {}
    tops = {parts.top} | {link.end for link in parts.links if link.start == 0}
    for row, node in enumerate(parts.nodes):
        if not 0 < node.name <= MOST or rows.setdefault(node.name, row) != row:
            raise DmrsError(node.line, f"the node {node.name}; a number of its own is expected")
        label = plain_predicate(node.predicate)
        if not label:
            raise DmrsError(node.line, f"the node {node.name} has no predicate")
        graph.nodes.append((str(node.name), label, int(node.name in tops)))
        if node.place and 0 <= node.place[0] <= node.place[1] <= MOST:
            graph.anchors.append((row, *node.place))
        if node.constant is not None:
            graph.properties.append((row, "CARG", node.constant))
        if node.sort:
            graph.properties.append((row, _SORT, node.sort.lower()))
        graph.properties += [(row, k.upper(), v.lower()) for k, v in node.properties.items()]
    _add_links(graph, parts, rows)
    return graph


def _add_links(graph: Graph, parts: Links, rows: Mapping[int, int]) -> None:
    for number in (parts.top, parts.index):
        if number and number not in rows:
            raise DmrsError(parts.line, f"the top or the index, {number}; there is no such node")
    for link in parts.links:
        for end in (link.start, link.end) if link.start else (link.end,):
            if end not in rows:
                raise DmrsError(link.line, f"a link with {end}; there is no such node")
        if link.start:
            row = len(graph.edges)
            graph.edges.append((rows[link.start], rows[link.end], link.role))
            if link.post:
                graph.attributes.append((row, "post", link.post))


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def carried(graph: Graph) -> Graph:
    """Return what DMRS can carry: numbered nodes, one anchor each, no words."""
    values = {name: said(graph.comments, name) for name in _KNOWN}
    values["framework"] = "dmrs"
    ids = [node[0] for node in graph.nodes]
    numbers = [str(10_000 + row) for row in range(len(ids))]
    if not all(_is_number(name) for name in ids) or len(set(ids)) < len(ids):
        new = dict(zip(ids, numbers, strict=True))
        values["index"] = new.get(values["index"], "")
        ids = numbers
    elif values["index"] not in ids:
        values["index"] = ""
    named = [
        (row, "CARG" if n == "carg" else n if n == _SORT else n.upper(), v)
        for row, n, v in graph.properties
    ]
    known = {"CARG": 0, _SORT: 1}
    return Graph(
        graph.line,
        [comment(name, value) for name, value in values.items() if value],
        nodes=[(name, *node[1:]) for name, node in zip(ids, graph.nodes, strict=True)],
        anchors=sorted(graph.anchors, key=itemgetter(0)),
        properties=[
            (row, n, v if n == "CARG" else v.lower())
            for row, n, v in sorted(named, key=lambda p: (p[0], known.get(p[1], 2)))
        ],
        edges=graph.edges,
        attributes=sorted(each for each in graph.attributes if each[1] == "post"),
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and text[0] != "0" and len(text) < 10


def parts_of(graph: Graph) -> Links:
    """Return what is written of a graph that `carried` made."""
    parts = Links(name=said(graph.comments, "sent_id"), text=said(graph.comments, "text"))
    index = said(graph.comments, "index")
    parts.index = int(index) if index else None
    places = {row: (start, end) for row, start, end in graph.anchors}
    for row, (name, label, top) in enumerate(graph.nodes):
        parts.nodes.append(Node(int(name), label, places.get(row)))
        if top:
            parts.top = int(name)
    for row, name, value in graph.properties:
        node = parts.nodes[row]
        if name == "CARG":
            node.constant = value
        elif name == _SORT:
            node.sort = value
        else:
            node.properties[name] = value
    posts = {row: value for row, _, value in graph.attributes}
    ids = [node.name for node in parts.nodes]
    for row, (source, target, label) in enumerate(graph.edges):
        parts.links.append(Link(ids[source], ids[target], label, posts.get(row, "")))
    return parts


def reason(graph: Graph) -> str:
    """Say why a graph cannot be written."""
    if sum(node[2] for node in graph.nodes) > 1:
        return "it has several tops"
    if _several(row for row, _, _ in graph.anchors):
        return "a node is anchored at several pieces of text"
    if not all(node[1] for node in graph.nodes):
        return "a node has no label"
    return "a label, a property or the id would be read as something else"


def _several(rows: Iterable[int]) -> bool:
    listed = list(rows)
    return len(set(listed)) < len(listed)
