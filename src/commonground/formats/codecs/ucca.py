"""UCCA's XML: a passage with its words (layer 0) and the units of meaning above them (layer 1).

Abend and Rappoport (2013), *Universal Conceptual Cognitive Annotation*; files as the library
``ucca`` writes them::

    <root passageID="1">
      <layer layerID="0">
        <node ID="0.1" type="Word"><attributes paragraph="1" text="Birds"/></node> …
      <layer layerID="1">
        <node ID="1.2" type="FN">
          <edge toID="1.3" type="A"><attributes remote="True"/><category tag="A"/></edge>
          <edge toID="0.1" type="Terminal"/> …

Units are nodes, anchored at their words; the text is that of the words with spaces between them. An
edge with several categories is several edges; ``remote`` is an attribute of it. As in MRP, units
that are implicit are left out with the edges to them, and so are linkages. Units without a parent
are the tops.

Written are words and units, each with its edges; the words of a graph that has none are the pieces
of text that its units are anchored at, and what stands between these. A unit at the end of edges
``U`` that has only words is one of punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from commonground.corpus import Graphs
from commonground.errors import Problem, quoted
from commonground.formats.format import Format, cut_after
from commonground.formats.notation.bilexical import placed, words_of_text
from commonground.formats.notation.graph_builder import Graph, GraphNotation, comment, said
from commonground.formats.notation.markup import escaped, gathered

__all__ = ["FORMAT", "NOTATION"]

_ROOT = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<root\b[^>]*\bpassageID\s*=")


def looks_like(start: str) -> float:
    """Tell from the first lines whether a file is a passage of UCCA.

    >>> looks_like('<root annotationID="0" passageID="1">')
    1.0
    """
    return float(bool(_ROOT.match(start)))


@dataclass(slots=True)
class _Edge:
    target: str
    kind: str
    line: int
    remote: bool = False
    tags: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Unit:
    key: str
    kind: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    edges: list[_Edge] = field(default_factory=list)


class _Passages:
    """What is known between two elements of a file."""

    def __init__(self) -> None:
        self.found: list[Graph | Problem] = []
        self._name = ""
        self._line = 0
        self._depth = 0
        self._layer = ""
        self._units: dict[str, list[_Unit]] = {}
        self._unit: _Unit | None = None
        self._edge: _Edge | None = None

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        unit, edge = self._unit, self._edge
        self._depth += 1
        if self._depth == 1:
            self._name, self._line, self._units = attributes.get("passageID", ""), line, {}
            if name != "root":
                message = f"the element {quoted(name)}; the element root of a passage is expected"
                self.found.append(Problem(line, message))
        elif name == "layer":
            self._layer = attributes.get("layerID", "")
        elif name == "node":
            self._unit = _Unit(attributes.get("ID", ""), attributes.get("type", ""), line)
            self._units.setdefault(self._layer, []).append(self._unit)
        elif name == "edge" and unit is not None:
            self._edge = _Edge(attributes.get("toID", ""), attributes.get("type", ""), line)
            unit.edges.append(self._edge)
        elif name == "category" and edge is not None:
            edge.tags.append(attributes.get("tag", ""))
        elif name == "attributes" and edge is not None:
            edge.remote = attributes.get("remote") == "True"
        elif name in ("attributes", "extra") and unit is not None:
            unit.attributes = {**attributes, **unit.attributes}

    def end(self, name: str) -> None:
        if name == "edge":
            self._edge = None
        elif name == "node":
            self._unit = None
        self._depth -= 1
        if self._depth == 0 and name == "root":
            self.found += self._passage()

    def text(self, text: str) -> None:
        """Skip it: passages have no text between tags."""

    def _passage(self) -> Iterator[Graph | Problem]:
        words = self._units.get("0", [])
        units = [
            unit
            for unit in self._units.get("1", [])
            if unit.kind in ("FN", "PNCT") and unit.attributes.get("implicit") != "True"
        ]
        known = {unit.key for of_layer in self._units.values() for unit in of_layer}
        problems = list(_problems(words, self._units.get("1", []), known))
        yield from problems
        if not problems:
            yield _graph(self._name, self._line, words, units)


def _problems(words: list[_Unit], units: list[_Unit], known: set[str]) -> Iterator[Problem]:
    seen: set[str] = set()
    for unit in (*words, *units):
        if not unit.key or unit.key in seen:
            yield Problem(unit.line, f"the ID {quoted(unit.key)}; each node needs one of its own")
        seen.add(unit.key)
        for edge in unit.edges:
            if edge.target not in known:
                yield Problem(edge.line, f"toID {quoted(edge.target)}; there is no such node")
    for word in words:
        if not word.attributes.get("text", "").strip():
            yield Problem(word.line, "a word without an attribute text")


def _graph(name: str, line: int, words: list[_Unit], units: list[_Unit]) -> Graph:
    forms = [word.attributes["text"].strip() for word in words]
    values = {"sent_id": name, "framework": "ucca", "text": " ".join(forms)}
    comments = [comment(key, value) for key, value in values.items() if value.strip()]
    lemmas, tags = ([_extra(word, key) for word in words] for key in ("lemma", "tag"))
    graph = Graph(line, comments, placed(zip(forms, lemmas, tags, strict=True)))
    places = {word.key: place for place, word in enumerate(words)}
    rows = {unit.key: row for row, unit in enumerate(units)}
    below = {edge.target for unit in units for edge in unit.edges}
    for row, unit in enumerate(units):
        graph.nodes.append((unit.key, "", int(unit.key not in below)))
        own = sorted(places[edge.target] for edge in unit.edges if edge.target in places)
        graph.anchors += [(row, *graph.words[place][3:]) for place in own]
        for edge in unit.edges:
            if edge.target not in rows:
                continue
            for tag in edge.tags or [edge.kind]:
                if edge.remote:
                    graph.attributes.append((len(graph.edges), "remote", "true"))
                graph.edges.append((row, rows[edge.target], tag))
    return graph


def _extra(word: _Unit, key: str) -> str:
    return word.attributes.get(key, "").strip() or "_"


def find(data: bytes) -> Iterator[Graph | Problem]:
    """Find the passages of a file, and its problems."""
    return gathered(data, _Passages())


# ── writing ──────────────────────────────────────────────────────────────────────────────────────

_KEY = re.compile(r"1\.[1-9][0-9]{0,8}")


def carried(graph: Graph) -> Graph | None:
    """Return what UCCA can carry: words, units at words and their edges."""
    words = _words(graph)
    if words is None or reason(graph) != _OTHERWISE:
        return None
    again = placed(word[:3] for word in words)
    places = {word[3:]: place for place, word in enumerate(words)}
    text = " ".join(word[0] for word in words)
    values = {"sent_id": said(graph.comments, "sent_id"), "framework": "ucca", "text": text}
    remote = {row for row, name, value in graph.attributes if (name, value) == ("remote", "true")}
    links = [(*edge[:2], row in remote, edge[2]) for row, edge in enumerate(graph.edges)]
    first = {link[:3]: row for row, link in reversed(list(enumerate(links)))}
    links.sort(key=lambda link: (link[0], first[link[:3]]))
    anchors = sorted((row, places[start, end]) for row, start, end in graph.anchors)
    return Graph(
        graph.line,
        [comment(key, value) for key, value in values.items() if value.strip()],
        again,
        [(key, "", node[2]) for key, node in zip(_keys(graph), graph.nodes, strict=True)],
        [(row, *again[place][3:]) for row, place in anchors],
        [],
        [(source, target, label) for source, target, _, label in links],
        [(row, "remote", "true") for row, link in enumerate(links) if link[2]],
    )


def _keys(graph: Graph) -> list[str]:
    """Return the ids of units: as they are, or numbered, with the top as 1.1."""
    ids = [node[0] for node in graph.nodes]
    if len(set(ids)) == len(ids) and all(map(_KEY.fullmatch, ids)):
        return ids
    order = sorted(range(len(ids)), key=lambda row: not graph.nodes[row][2])
    numbers = {row: number for number, row in enumerate(order, 1)}
    return [f"1.{numbers[row]}" for row in range(len(ids))]


def _words(graph: Graph) -> list[tuple[str, str, str, int, int]] | None:
    spans = {(start, end) for _, start, end in graph.anchors}
    words = graph.words or words_of_text(said(graph.comments, "text"), spans)
    return words if words is not None and spans <= {word[3:] for word in words} else None


_OTHERWISE = "a word or a label would be read as something else"


def reason(graph: Graph) -> str:
    """Say why a graph cannot be written."""
    below = {target for _, target, _ in graph.edges}
    if any(node[1] for node in graph.nodes):
        return "its nodes have labels, and units have none"
    if any(node[2] == (row in below) for row, node in enumerate(graph.nodes)):
        return "its tops are not the nodes without an edge to them"
    if _words(graph) is None:
        return "one of its nodes is not anchored at words"
    return _OTHERWISE


def render(graph: Graph) -> str:
    """Return the lines of a passage."""
    name = escaped(said(graph.comments, "sent_id"))
    lines = [f'<root annotationID="0" passageID="{name}">', "  <attributes />"]
    keys = {word[3:]: f"0.{place}" for place, word in enumerate(graph.words, 1)}
    own: dict[int, list[str]] = {}
    for row, start, end in graph.anchors:
        own.setdefault(row, []).append(keys[start, end])
    units, marks = _units(graph, own), set[str]()
    for row in units:
        marks.update(own[row])
    lines += ['  <layer layerID="0">', "    <attributes />"]
    for place, (form, lemma, tag, _, _) in enumerate(graph.words, 1):
        kind = "Punctuation" if f"0.{place}" in marks else "Word"
        where = f'paragraph="1" paragraph_position="{place}"'
        lines += [
            f'    <node ID="0.{place}" type="{kind}">',
            f'      <attributes {where} text="{escaped(form)}" />',
        ]
        if (lemma, tag) != ("_", "_"):
            lines.append(f'      <extra lemma="{escaped(lemma)}" tag="{escaped(tag)}" />')
        lines.append("    </node>")
    lines += ["  </layer>", '  <layer layerID="1">', "    <attributes />"]
    edges = _edges(graph)
    for row, (key, _, _) in enumerate(graph.nodes):
        kind = "PNCT" if row in units else "FN"
        lines += [f'    <node ID="{escaped(key)}" type="{kind}">', "      <attributes />"]
        lines += edges.get(row, [])
        for word in own.get(row, []):
            lines += _edge(word, ["Terminal"], is_remote=False)
        lines.append("    </node>")
    return "\n".join([*lines, "  </layer>", "</root>"]) + "\n"


def _units(graph: Graph, own: dict[int, list[str]]) -> set[int]:
    """Return the units of punctuation."""
    labels: dict[int, set[str]] = {}
    for _, target, label in graph.edges:
        labels.setdefault(target, set()).add(label)
    parents = {source for source, _, _ in graph.edges}
    return {row for row in own if labels.get(row) == {"U"} and row not in parents}


def _edges(graph: Graph) -> dict[int, list[str]]:
    """Return the lines of the edges from each unit; those that differ by category are one."""
    remote = {row for row, _, _ in graph.attributes}
    links = [(*edge[:2], row in remote, edge[2]) for row, edge in enumerate(graph.edges)]
    lines: dict[int, list[str]] = {}
    for (source, target, is_remote), group in groupby(links, key=itemgetter(0, 1, 2)):
        tags = [link[3] for link in group]
        lines.setdefault(source, []).extend(
            _edge(graph.nodes[target][0], tags, is_remote=is_remote)
        )
    return lines


def _edge(key: str, tags: list[str], *, is_remote: bool) -> list[str]:
    return [
        f'      <edge toID="{escaped(key)}" type="{escaped(tags[0])}">',
        '        <attributes remote="True" />' if is_remote else "        <attributes />",
        *(f'        <category tag="{escaped(tag)}" />' for tag in tags),
        "      </edge>",
    ]


NOTATION = GraphNotation("UCCA", find, render, carried, reason)

FORMAT = Format(
    name="ucca",
    title="UCCA (XML)",
    corpus=Graphs,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=cut_after(b"</root>\n"),
    write=NOTATION.write,
    aliases=("ucca-xml",),
)
