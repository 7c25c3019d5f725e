r"""MRP: graphs as in the CoNLL shared tasks on meaning representations, a JSON object a line.

Oepen et al. (2019, 2020), *MRP: Cross-Framework Meaning Representation Parsing*::

    {"id": "1", "flavor": 0, "framework": "dm", "version": 1.1, "time": "2020-05-31",
     "input": "Birds sing.", "tops": [1],
     "nodes": [{"id": 0, "label": "bird", "anchors": [{"from": 0, "to": 5}]},
               {"id": 1, "label": "sing", "properties": ["pos"], "values": ["VBP"],
                "anchors": [{"from": 6, "to": 10}]}],
     "edges": [{"source": 1, "target": 0, "label": "ARG1"}]}

``id`` is the sent_id, ``input`` the text, without spaces around it (anchors are moved accordingly);
``framework``, ``flavor``, ``version``, ``time``, ``language``, ``source``, ``provenance`` and
``targets`` become comments; unless they say no more than the framework does (``flavor``) or than
what is written where nothing is known (version 1.1, time 1970-01-01). Values of properties and
attributes are text; ``true`` and ``false`` are written as truth values for attributes. The
``normal`` of an edge, and its ``anchors`` (``0:3 5:9``), are attributes of these names. Anchors
that are numbers of words, ``{"#": 3}``, as overlays have them, are the property ``#`` of a node
(``3 4``), the ``anchorings`` of a property ``pos`` are the property ``#pos``. An anchor at -1 is
none.

Edges have no ids in columns; on writing they are numbered. Nodes are numbered where their ids are
not all different numbers. Other comments are written as a list, ``comments``; other fields are not
read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Annotated, Any

import msgspec

from commonground.corpus import Graphs
from commonground.errors import Problem, quoted
from commonground.formats.format import Format, line_cut, line_ends
from commonground.formats.notation.graph_builder import (
    MOST,
    Graph,
    GraphNotation,
    comment,
    said,
)

__all__ = ["FORMAT", "NOTATION"]

Scalar = str | int | float | bool | None
Place = Annotated[int, msgspec.Meta(ge=-1, le=MOST)]
Number = Annotated[int, msgspec.Meta(ge=0, le=MOST)]


class _Anchor(msgspec.Struct):
    start: Place | None = msgspec.field(default=None, name="from")
    end: Place | None = msgspec.field(default=None, name="to")
    word: Number | None = msgspec.field(default=None, name="#")


class _Node(msgspec.Struct):
    id: Number
    label: Scalar = None
    properties: list[str] | None = None
    values: list[Scalar] | None = None
    anchors: list[_Anchor] | None = None
    anchorings: list[list[_Anchor] | None] | None = None


class _Edge(msgspec.Struct):
    source: Number
    target: Number
    label: Scalar = None
    normal: str | None = None
    attributes: list[str] | None = None
    properties: list[str] | None = None
    values: list[Scalar] | None = None
    anchors: list[_Anchor] | None = None


class _Line(msgspec.Struct):
    id: int | str | None = None
    framework: str | None = None
    flavor: int | str | None = None
    version: Scalar = None
    time: str | None = None
    language: str | None = None
    source: str | None = None
    provenance: str | None = None
    targets: list[str] | None = None
    input: str | None = None
    tops: list[Number] | None = None
    nodes: list[_Node] | None = None
    edges: list[_Edge] | None = None
    comments: list[str] | None = None


_DECODER = msgspec.json.Decoder(_Line)
_FIELDS = ("framework", "flavor", "version", "time", "language", "source", "provenance", "targets")
_FLAVORS = {"dm": "0", "pas": "0", "psd": "0", "eds": "1", "dmrs": "1", "ptg": "1", "ucca": "1"}
_FLAVORS |= {"amr": "2", "drg": "2"}
_VERSION = "1.1"
_TIME = "1970-01-01"

# ── recognising ──────────────────────────────────────────────────────────────────────────────────

_START = re.compile(r'\s*\{\s*"[a-z]+"\s*:')


def looks_like(start: str) -> float:
    """Tell from the first lines whether a file is MRP.

    >>> looks_like('{"id": "1", "framework": "dm", "tops": [0], "nodes": [{"id": 0}]}')
    1.0
    """
    has_graphs = '"framework"' in start or ('"nodes"' in start and '"input"' in start)
    return float(bool(_START.match(start)) and '"id"' in start and has_graphs)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def find(data: bytes) -> Iterator[Graph | Problem]:
    """Find the graphs of a file, and its problems."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            yield _graph(_DECODER.decode(line), number)
        except msgspec.ValidationError as error:
            yield Problem(number, _place_first(str(error)))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            yield Problem(number, f"{error}; a whole graph in JSON is expected on each line")
        except _WrongGraphError as error:
            yield Problem(number, str(error))


class _WrongGraphError(Exception):
    """A graph that makes no sense; the text says why."""


def _place_first(message: str) -> str:
    """Return what is wrong, the place before it."""
    what, _, place = message.rpartition(" - at `$")
    return f"{place.removesuffix('`').lstrip('.')}: {what}" if what else message


def _graph(line: _Line, number: int) -> Graph:
    graph = Graph(number, _comments(line))
    text = line.input or ""
    shift = len(text) - len(text.lstrip())
    nodes, edges = line.nodes or [], line.edges or []
    rows: dict[int, int] = {}
    for row, node in enumerate(nodes):
        if rows.setdefault(node.id, row) != row:
            raise _WrongGraphError(f"nodes[{row}]: there is another node {node.id}")
        graph.nodes.append((str(node.id), _text(node.label), 0))
        _add_node(graph, row, node, shift)
    for top in line.tops or ():
        name, label, _ = graph.nodes[_row(rows, top, "tops")]
        graph.nodes[rows[top]] = name, label, 1
    for row, edge in enumerate(edges):
        place = f"edges[{row}]"
        ends = [_row(rows, end, place) for end in (edge.source, edge.target)]
        graph.edges.append((ends[0], ends[1], _text(edge.label)))
        if edge.attributes or edge.properties or edge.normal or edge.anchors:
            _add_attributes(graph, row, edge, shift)
    return graph


def _row(rows: dict[int, int], node: int, place: str) -> int:
    row = rows.get(node)
    if row is None:
        raise _WrongGraphError(f"{place}: there is no node {node}")
    return row


def _add_node(graph: Graph, row: int, node: _Node, shift: int) -> None:
    """Add the anchors and the properties of a node."""
    place = f"nodes[{row}]"
    if node.anchors:
        graph.anchors += [(row, *span) for span in _spans(node.anchors, shift, place)]
        if words := _words(node.anchors):
            graph.properties.append((row, "#", words))
    names = node.properties or []
    if node.values or not node.anchorings:
        for name, value in _pairs(names, node.values or [], place):
            if name.startswith("#"):
                raise _WrongGraphError(f"{place}: a property with # in front, {quoted(name)}")
            graph.properties.append((row, name, value))
    if node.anchorings:
        if len(node.anchorings) != len(names):
            raise _WrongGraphError(f"{place}: {len(names)} properties, but other anchorings")
        for name, anchors in zip(names, node.anchorings, strict=True):
            graph.properties.append((row, f"#{name}", _words(anchors or [])))


def _add_attributes(graph: Graph, row: int, edge: _Edge, shift: int) -> None:
    place = f"edges[{row}]"
    names = edge.properties if edge.attributes is None else edge.attributes
    for name, value in _pairs(names or [], edge.values or [], place):
        if name in ("normal", "anchors"):
            raise _WrongGraphError(f"{place}: an attribute {name}; it is a field of its own")
        graph.attributes.append((row, name, value))
    if edge.normal:
        graph.attributes.append((row, "normal", edge.normal))
    if edge.anchors:
        spans = " ".join(f"{start}:{end}" for start, end in _spans(edge.anchors, shift, place))
        graph.attributes.append((row, "anchors", spans))


def _pairs(names: list[str], values: list[Scalar], place: str) -> Iterator[tuple[str, str]]:
    if len(names) != len(values):
        raise _WrongGraphError(f"{place}: {len(names)} names, but {len(values)} values")
    return zip(names, map(_text, values), strict=True)


def _spans(anchors: list[_Anchor], shift: int, place: str) -> Iterator[tuple[int, int]]:
    """Return the pieces of the text that anchors name."""
    for anchor in anchors:
        start, end = anchor.start, anchor.end
        if start is not None and end is not None:
            if start > end:
                raise _WrongGraphError(f"{place}: an anchor from {start} to {end}")
            if start >= 0:
                yield max(start - shift, 0), max(end - shift, 0)
        elif anchor.word is None:
            raise _WrongGraphError(f"{place}: an anchor without from and to")


def _words(anchors: list[_Anchor]) -> str:
    return " ".join(str(anchor.word) for anchor in anchors if anchor.word is not None)


def _text(value: Scalar) -> str:
    """Return a value as text.

    >>> _text(True), _text(None), _text(1.0), _text("a")
    ('true', '', '1.0', 'a')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _comments(line: _Line) -> list[str]:
    known = {name: _text(getattr(line, name)) for name in _FIELDS if name != "targets"}
    known["targets"] = " ".join(line.targets or ())
    defaults = _defaults(known["framework"])
    values = {
        "sent_id": _text(line.id),
        **{name: value for name, value in known.items() if value != defaults.get(name)},
        "text": line.input or "",
    }
    lines = [comment(name, value) for name, value in values.items() if value.strip()]
    rest = [each.replace("\n", " ") for each in line.comments or ()]
    for each in rest:
        if not each.startswith("#") or _said([each]):
            raise _WrongGraphError(f"comments: {quoted(each)}; # is expected, and no known field")
    return lines + rest


def _defaults(framework: str) -> dict[str, str]:
    """Return what is written where nothing is known."""
    return {"flavor": _FLAVORS.get(framework, ""), "version": _VERSION, "time": _TIME}


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def carried(graph: Graph) -> Graph:
    """Return what MRP can carry: no words, and nodes that are numbered if their ids are not."""
    values = _said(graph.comments)
    defaults = _defaults(values.get("framework", ""))
    ids = [node[0] for node in graph.nodes]
    if not all(map(_NUMBER.fullmatch, ids)) or len(set(ids)) < len(ids):
        ids = [str(row) for row in range(len(ids))]
    return Graph(
        graph.line,
        [comment(name, value) for name, value in values.items() if value != defaults.get(name)]
        + [line for line in graph.comments if not _said([line])],
        nodes=[(name, *node[1:]) for name, node in zip(ids, graph.nodes, strict=True)],
        anchors=sorted(graph.anchors, key=itemgetter(0)),
        properties=sorted(graph.properties, key=_property_order),
        edges=graph.edges,
        attributes=sorted(graph.attributes, key=_attribute_order),
    )


_NUMBER = re.compile("0|[1-9][0-9]{0,8}")
_SPANS = re.compile("[0-9]{1,9}:[0-9]{1,9}(?: [0-9]{1,9}:[0-9]{1,9})*")
_WORDS = re.compile("[0-9]{1,9}(?: [0-9]{1,9})*|")
_VERSION_NUMBER = re.compile("[0-9]{1,3}[.][0-9]{1,3}")


def _said(comments: list[str]) -> dict[str, str]:
    """Return what the comments say that has a field of its own, in the order of reading."""
    values = {name: said(comments, name) for name in ("sent_id", *_FIELDS, "text")}
    return {name: value for name, value in values.items() if value}


def _field(name: str, value: str) -> Any:
    """Return the value of a field, as JSON has it."""
    if name == "targets":
        return value.split(" ")
    if name == "flavor":
        return int(value) if _NUMBER.fullmatch(value) else value
    if name == "version" and _VERSION_NUMBER.fullmatch(value) and str(float(value)) == value:
        return float(value)
    return value


def _property_order(row: tuple[int, str, str]) -> tuple[int, int]:
    node, name, _ = row
    return node, 0 if name == "#" else 2 if name.startswith("#") else 1


def _attribute_order(row: tuple[int, str, str]) -> tuple[int, int]:
    edge, name, _ = row
    return edge, 1 if name == "normal" else 2 if name == "anchors" else 0


def render(graph: Graph) -> str:
    """Return the line of a graph."""
    values = _said(graph.comments)
    framework = values.get("framework", "")
    whole = {"sent_id": "", **{k: v for k, v in _defaults(framework).items() if v}, **values}
    order = ("sent_id", *_FIELDS, "text")
    names = {"sent_id": "id", "text": "input"}
    line = {names.get(k, k): _field(k, whole[k]) for k in order if k in whole}
    if rest := [each for each in graph.comments if not _said([each])]:
        line["comments"] = rest
    ids = [int(name) for name, _, _ in graph.nodes]
    line["tops"] = [name for name, node in zip(ids, graph.nodes, strict=True) if node[2]]
    nodes: list[dict[str, Any]] = [
        {"id": name} | ({"label": label} if label else {})
        for name, (_, label, _) in zip(ids, graph.nodes, strict=True)
    ]
    _write_properties(nodes, graph)
    for row, start, end in graph.anchors:
        nodes[row].setdefault("anchors", []).append({"from": start, "to": end})
    line["nodes"] = nodes
    edges: list[dict[str, Any]] = [
        {"id": row, "source": ids[source], "target": ids[target]}
        | ({"label": label} if label else {})
        for row, (source, target, label) in enumerate(graph.edges)
    ]
    _write_attributes(edges, graph)
    line["edges"] = edges
    return msgspec.json.encode(line).decode("utf-8") + "\n"


def _write_properties(nodes: list[dict[str, Any]], graph: Graph) -> None:
    for row, name, value in graph.properties:
        node = nodes[row]
        if not name.startswith("#") or not _WORDS.fullmatch(value):
            node.setdefault("properties", []).append(name)
            node.setdefault("values", []).append(value)
            continue
        words = [{"#": int(word)} for word in value.split()]
        if name == "#":
            node.setdefault("anchors", []).extend(words)
        else:
            if "values" not in node:
                node.setdefault("properties", []).append(name[1:])
            node.setdefault("anchorings", []).append(words)


def _write_attributes(edges: list[dict[str, Any]], graph: Graph) -> None:
    truth = {"true": True, "false": False}
    for row, name, value in graph.attributes:
        edge = edges[row]
        if name == "normal":
            edge["normal"] = value
        elif name == "anchors" and _SPANS.fullmatch(value):
            pairs = (span.split(":") for span in value.split(" "))
            edge["anchors"] = [{"from": int(start), "to": int(end)} for start, end in pairs]
        else:
            edge.setdefault("attributes", []).append(name)
            edge.setdefault("values", []).append(truth.get(value, value))


NOTATION = GraphNotation("MRP", find, render, carried)

FORMAT = Format(
    name="mrp",
    title="MRP graphs (JSON lines)",
    corpus=Graphs,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=line_cut,
    write=NOTATION.write,
    aliases=("mrp2019", "mrp2020"),
    ends=line_ends,
)
