"""DMRS in JSON, as DELPH-IN's web interfaces and pydelphin write it: a list of graphs.

::

    [{"identifier": "1", "surface": "Birds sing.", "top": 10002, "index": 10002,
      "nodes": [{"nodeid": 10001, "predicate": "_bird_n_1", "lnk": {"from": 0, "to": 5},
                 "sortinfo": {"cvarsort": "x", "NUM": "pl"}},
                {"nodeid": 10002, "predicate": "_sing_v_1", "lnk": {"from": 6, "to": 10}}],
      "links": [{"from": 10002, "to": 10001, "rargname": "ARG1", "post": "NEQ"}]}]

A single graph without a list around it is read, too. What nodes and links become,
:mod:`commonground.formats.notation.dmrs` tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from commonground.corpus import Graphs
from commonground.errors import Problem
from commonground.formats.format import Format
from commonground.formats.notation.dmrs import (
    DmrsError,
    Link,
    Links,
    Node,
    carried,
    graph_of,
    parts_of,
    reason,
)
from commonground.formats.notation.graph_builder import MOST, Graph, GraphNotation

__all__ = ["FORMAT", "NOTATION"]

Number = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Place = Annotated[int, msgspec.Meta(ge=-1, le=MOST)]
Scalar = str | int | float | bool


class _Span(msgspec.Struct):
    start: Place = msgspec.field(default=-1, name="from")
    end: Place = msgspec.field(default=-1, name="to")


class _Node(msgspec.Struct):
    nodeid: Number
    predicate: str
    sortinfo: dict[str, Scalar] = {}
    carg: str | None = None
    lnk: _Span | None = None


class _Link(msgspec.Struct):
    start: Number = msgspec.field(name="from")
    end: Number = msgspec.field(name="to")
    rargname: str | None = None
    post: str | None = None


class _Graph(msgspec.Struct):
    nodes: list[_Node] = []
    links: list[_Link] = []
    top: Number | None = None
    index: Number | None = None
    surface: str | None = None
    identifier: str | int | None = None


_GRAPH = msgspec.json.Decoder(_Graph)
_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_START = re.compile(r"\s*\[?\s*(?:\{|\]|$)")


def looks_like(start: str) -> float:
    """Tell from the first lines whether a file is DMRS in JSON.

    >>> looks_like('[{"nodes": [{"nodeid": 10000, "predicate": "_rain_v_1"}], "links": []}]')
    1.0
    """
    return float(bool(_START.match(start)) and '"nodeid"' in start and '"predicate"' in start)


def find(data: bytes) -> Iterator[Graph | Problem]:
    """Find the graphs of a file, and its problems."""
    if not data.strip():
        return
    try:
        graphs = _LIST.decode(data) if data.lstrip()[:1] == b"[" else [msgspec.Raw(data)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        yield Problem(1, f"{error}; a list of graphs in JSON is expected")
        return
    line, place = 1, 0
    for raw in graphs:
        text = bytes(raw)
        begin = data.index(text, place)
        line += data.count(b"\n", place, begin)
        place = begin
        try:
            yield graph_of(_parts(_GRAPH.decode(text), line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            yield Problem(line, f"{error}; a graph in JSON is expected")
        except DmrsError as error:
            yield Problem(line, str(error))


def _parts(graph: _Graph, line: int) -> Links:
    nodes = []
    for node in graph.nodes:
        pairs = {key: str(value) for key, value in node.sortinfo.items()}
        sort = pairs.pop("cvarsort", "")
        place = (node.lnk.start, node.lnk.end) if node.lnk else None
        nodes.append(Node(node.nodeid, node.predicate, place, node.carg, sort, pairs, line))
    links = [
        Link(link.start, link.end, link.rargname or "", link.post or "", line)
        for link in graph.links
    ]
    name = "" if graph.identifier is None else str(graph.identifier)
    return Links(nodes, links, graph.top, graph.index, name, graph.surface or "", line)


def render(graph: Graph) -> str:
    """Return the line of a graph."""
    parts = parts_of(graph)
    nodes: list[dict[str, Any]] = []
    for node in parts.nodes:
        own: dict[str, Any] = {"nodeid": node.name, "predicate": node.predicate}
        if sort := ({"cvarsort": node.sort} if node.sort else {}) | node.properties:
            own["sortinfo"] = sort
        if node.constant is not None:
            own["carg"] = node.constant
        if node.place:
            own["lnk"] = {"from": node.place[0], "to": node.place[1]}
        nodes.append(own)
    links = [
        {"from": link.start, "to": link.end, "rargname": link.role or None, "post": link.post}
        for link in parts.links
    ]
    whole: dict[str, Any] = {"nodes": nodes, "links": links}
    whole |= {key: n for key, n in (("top", parts.top), ("index", parts.index)) if n}
    whole |= {key: v for key, v in (("surface", parts.text), ("identifier", parts.name)) if v}
    return msgspec.json.encode(whole).decode("utf-8") + "\n"


def cut(_: bytes) -> int:
    """Cut nowhere: graphs stand in one list."""
    return 0


NOTATION = GraphNotation("DMRS-JSON", find, render, carried, reason, "[\n", "]\n", ",")

FORMAT = Format(
    name="dmrsjson",
    title="DMRS in JSON",
    corpus=Graphs,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=cut,
    write=NOTATION.write,
    concatenable=False,
)
