r"""AMR: abstract meaning representations in PENMAN notation.

Banarescu et al. (2013), *Abstract Meaning Representation for Sembanking*. Comments, a graph in
brackets, and a blank line::

    # ::id 1
    # ::snt The birds want to sing.
    (w / want-01
          :ARG0 (b / bird)
          :ARG1 (s / sing-01
                :ARG0 b))

A node has its variable as id and its concept as label; the first one is the top. A constant
(``:polarity -``, ``:op1 "Ann"``) is a property of the node, without its quotes. An inverted edge
(``:ARG0-of``, and ``:mod``, the inverse of ``domain``) is kept as written, with the attribute
``normal``. Alignments (``~e.3``) are numbers of words: the property ``#`` of a node, ``#polarity``
of a constant, and the attribute ``#`` of an edge. ``::id`` is the sent_id, ``::snt`` the text;
other lines of comments are kept. Comments without a graph, as at the beginning of files, are not.

Nodes and edges are in the order in which a walk from the top meets them, properties before edges.
Other graphs are written where they have one top; an edge that leads towards it is inverted. Nodes
whose ids are no variables are named after their labels.

The reader is our own, not the package ``penman``: it has no recursion that deep brackets could
exhaust, and says on which line a bracket is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Graphs
from commonground.errors import Problem, quoted
from commonground.formats.format import Format, blank_line_cut
from commonground.formats.notation.graph_builder import Graph, GraphNotation, comment, said
from commonground.formats.notation.line_reader import text_lines

__all__ = ["FORMAT", "NOTATION", "normal_role"]

_SPACE = re.compile(r"\s*")
_VARIABLE = re.compile(r'[^\s()/:"~][^\s()/"~]*')
_SLASH = re.compile(r"\s*/\s*")
_ROLE = re.compile(r':([^\s()"~]+)')
_VALUE = re.compile(r'"([^"\n]*)"|([^\s()"~][^\s()"~]*(?:~(?!(?:[a-z]\.)?[0-9])[^\s()"~]*)*)')
_ALIGNED = re.compile(r"~(?:[a-z]\.)?([0-9]{1,9}(?:,[0-9]{1,9})*)")
_METADATA = re.compile(r"::(\S+)[^\S\n]*")
_BARE = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?|[+-]")
_WORD = re.compile("[a-z]+")
_NUMBERS = re.compile("[0-9]{1,9}(?: [0-9]{1,9})*")
_START = re.compile(r"(?:\s*#[^\n]*\n)*\s*\(\s*[^\s()/:]+\s*/\s*[^\s()]")
_DEEPEST = 20
"""Further brackets are not indented, so that a file does not grow with the square of its depth."""

_INDENT = " " * 6
_NOT_INVERTED = frozenset({"consist-of", "subset-of"})


def looks_like(start: str) -> float:
    r"""Tell from the first lines whether a file is AMR.

    >>> looks_like("# ::id 1\n(b / bird)\n"), looks_like("(S (NP birds) (VP sing))")
    (1.0, 0.0)
    """
    return float(bool(_START.match(start)))


def normal_role(role: str) -> str:
    """Return the name of the opposite of an inverted role, nothing if it is not inverted.

    >>> normal_role("ARG0-of"), normal_role("mod"), normal_role("consist-of"), normal_role("op1")
    ('ARG0', 'domain', '', '')
    """
    if role == "mod":
        return "domain"
    inverted = role.endswith("-of") and len(role) > 3
    if inverted and role not in _NOT_INVERTED and not role.startswith("prep-"):
        return role[:-3]
    return ""


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def find(data: bytes) -> Iterator[Graph | Problem]:
    """Find the graphs of a file, and its problems."""
    lines, wrong = text_lines(data)
    yield from wrong
    block: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.strip():
            block.append(line)
        elif block:
            yield from _found(block, number - len(block))
            block = []


def _found(block: list[str], number: int) -> Iterator[Graph | Problem]:
    comments = [line for line in block if line.startswith("#")]
    text = "\n".join("" if line.startswith("#") else line for line in block)
    if not text.strip():
        return
    reader = _Reader(text)
    try:
        graph = reader.graph()
    except _BracketError as error:
        line = text.count("\n", 0, reader.place)
        yield Problem(number + line, str(error))
        return
    graph.line, graph.comments = number, _comments(comments)
    yield _walked(graph)


def _comments(lines: list[str]) -> list[str]:
    values = {"sent_id": said(lines, "sent_id"), "framework": "amr", "text": said(lines, "text")}
    rest = []
    for line in lines:
        start = _METADATA.match(line, len(line) - len(line.lstrip("# \t")))
        if start and start[1] == "snt":
            values["text"] = values["text"] or line[start.end() :].strip()
        elif start and start[1] == "id":
            name, _, more = line[start.end() :].partition("::")
            values["sent_id"] = values["sent_id"] or name.strip()
            rest += [f"# ::{more.strip()}"] if more.strip() else []
        elif not any(said([line], name) for name in values):
            rest.append(line)
    return [comment(name, value) for name, value in values.items() if value] + rest


class _BracketError(Exception):
    """Something in a graph that is not expected; the text says what would be."""


@dataclass(frozen=True, slots=True)
class _Link:
    """What a role leads to: a node if that has this name; `quoted` is never one."""

    source: int
    role: str
    value: str
    role_words: str
    value_words: str = ""
    is_quoted: bool = False


@dataclass(slots=True)
class _Reader:
    """The text of a graph, how far it was read, and what was found."""

    text: str
    place: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    found: Graph = field(default_factory=Graph)
    links: list[_Link] = field(default_factory=list)

    def graph(self) -> Graph:
        """Read the graph."""
        if not self._at("("):
            raise _BracketError("( is expected at the beginning of a graph")
        open_nodes = [self._node()]
        while open_nodes:
            if self._at(")"):
                open_nodes.pop()
                continue
            role, role_words = self._role()
            if self._at("("):
                row = self._node()
                name = self.found.nodes[row][0]
                self.links.append(_Link(open_nodes[-1], role, name, role_words))
                open_nodes.append(row)
            else:
                value, is_quoted = self._value()
                words = self._words()
                self.links.append(_Link(open_nodes[-1], role, value, role_words, words, is_quoted))
        self._skip()
        if self.place < len(self.text):
            raise _BracketError("a blank line is expected after the last bracket of a graph")
        self._connect()
        return self.found

    def _skip(self) -> None:
        match = _SPACE.match(self.text, self.place)
        assert match
        self.place = match.end()

    def _at(self, bracket: str) -> bool:
        """Skip spaces, and a bracket if it comes next."""
        self._skip()
        here = self.text.startswith(bracket, self.place)
        self.place += here
        return here

    def _node(self) -> int:
        """Read a variable and its concept, after the bracket."""
        self._skip()
        match = _VARIABLE.match(self.text, self.place)
        if not match:
            raise _BracketError(f"{self._next()}; a variable is expected after (")
        name, row = match[0], len(self.rows)
        if name in self.rows:
            raise _BracketError(f"the variable {quoted(name)} has a concept already")
        self.place = match.end()
        self.rows[name] = row
        label = ""
        if slash := _SLASH.match(self.text, self.place):
            self.place = slash.end()
            label, _ = self._value()
        self.found.nodes.append((name, label, int(row == 0)))
        if words := self._words():
            self.found.properties.append((row, "#", words))
        return row

    def _role(self) -> tuple[str, str]:
        match = _ROLE.match(self.text, self.place)
        if not match:
            raise _BracketError(f"{self._next()}; a role such as :ARG0, or ), is expected")
        self.place = match.end()
        words = self._words()
        self._skip()
        return match[1], words

    def _value(self) -> tuple[str, bool]:
        match = _VALUE.match(self.text, self.place)
        if not match:
            raise _BracketError(f"{self._next()}; a concept, a variable or a constant is expected")
        self.place = match.end()
        return (match[2], False) if match[1] is None else (match[1], True)

    def _words(self) -> str:
        """Read an alignment, and return the numbers of the words."""
        match = _ALIGNED.match(self.text, self.place)
        if not match:
            return ""
        self.place = match.end()
        return " ".join(str(int(number)) for number in match[1].split(","))

    def _next(self) -> str:
        rest = self.text[self.place :].split(maxsplit=1)
        return f"{quoted(rest[0])} is not expected" if rest else "the graph ends"

    def _connect(self) -> None:
        """Tell edges from constants, now that all variables are known."""
        graph = self.found
        for link in self.links:
            target = None if link.is_quoted else self.rows.get(link.value)
            if target is None:
                graph.properties.append((link.source, link.role, link.value))
                if link.value_words:
                    graph.properties.append((link.source, f"#{link.role}", link.value_words))
                continue
            row = len(graph.edges)
            graph.edges.append((link.source, target, link.role))
            if normal := normal_role(link.role):
                graph.attributes.append((row, "normal", normal))
            if link.role_words:
                graph.attributes.append((row, "#", link.role_words))


# ── order ────────────────────────────────────────────────────────────────────────────────────────


def _walked(graph: Graph) -> Graph:
    """Return a graph in the order in which a walk from its top meets nodes and edges.

    Edges to nodes that were met already are met where they stand. What the walk does not meet is
    left out.
    """
    outgoing: list[list[int]] = [[] for _ in graph.nodes]
    for row, (source, _, _) in enumerate(graph.edges):
        outgoing[source].append(row)
    tops = [row for row, node in enumerate(graph.nodes) if node[2]]
    order = dict.fromkeys(tops[:1], 0)
    edges: list[int] = []
    walks = [iter(outgoing[top]) for top in tops[:1]]
    while walks:
        edge = next(walks[-1], None)
        if edge is None:
            walks.pop()
            continue
        edges.append(edge)
        target = graph.edges[edge][1]
        if target not in order:
            order[target] = len(order)
            walks.append(iter(outgoing[target]))
    new_edges = {edge: row for row, edge in enumerate(edges)}
    return Graph(
        graph.line,
        graph.comments,
        nodes=[graph.nodes[row] for row in order],
        properties=sorted(
            ((order[n], name, value) for n, name, value in graph.properties if n in order),
            key=lambda row: (row[0], row[1] != "#"),
        ),
        edges=[
            (order[source], order[target], label)
            for source, target, label in map(graph.edges.__getitem__, edges)
        ],
        attributes=sorted(
            ((new_edges[e], name, value) for e, name, value in graph.attributes if e in new_edges),
            key=lambda row: (row[0], row[1] != "normal"),
        ),
    )


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def carried(graph: Graph) -> Graph:
    """Return what AMR can carry: no words and anchors, and edges that lead away from the top."""
    values = {name: said(graph.comments, name) for name in ("sent_id", "framework", "text")}
    rest = [line for line in graph.comments if not any(said([line], n) for n in values)]
    values["framework"] = "amr"
    edges = _downward(graph)
    attributes = [row for row in graph.attributes if row[1] == "#"]
    attributes += [
        (row, "normal", normal) for row, e in enumerate(edges) if (normal := normal_role(e[2]))
    ]
    return _walked(
        Graph(
            graph.line,
            [comment(name, value) for name, value in values.items() if value] + rest,
            nodes=[(v, *node[1:]) for v, node in zip(_variables(graph), graph.nodes, strict=True)],
            properties=graph.properties,
            edges=edges,
            attributes=attributes,
        )
    )


def _downward(graph: Graph) -> list[tuple[int, int, str]]:
    """Return the edges, with those inverted that lead to the part that the top does not reach."""
    touching: list[list[int]] = [[] for _ in graph.nodes]
    for row, (source, target, _) in enumerate(graph.edges):
        touching[source].append(row)
        touching[target].append(row)
    edges = list(graph.edges)
    seen = {row for row, node in enumerate(graph.nodes) if node[2]}
    waiting, upward = sorted(seen), list[int]()
    while waiting or upward:
        if waiting:
            node = waiting.pop()
            for row in touching[node]:
                source, target, _ = edges[row]
                if source == node and target not in seen:
                    seen.add(target)
                    waiting.append(target)
                elif source not in seen:
                    upward.append(row)
        else:  # what is left can only be reached against an edge
            row = upward.pop()
            source, target, label = edges[row]
            if source not in seen:
                edges[row] = target, source, normal_role(label) or f"{label}-of"
                seen.add(source)
                waiting.append(source)
    return edges


def _variables(graph: Graph) -> list[str]:
    """Return the ids of nodes, or names after their labels where these are no variables."""
    ids = [node[0] for node in graph.nodes]
    proper = all(_VARIABLE.fullmatch(name) and not name.isdigit() for name in ids)
    if proper and len(set(ids)) == len(ids):
        return ids
    counts: dict[str, int] = {}
    names = []
    for _, label, _ in graph.nodes:
        letter = label[:1].lower() if _WORD.match(label[:1].lower()) else "x"
        counts[letter] = counts.get(letter, 0) + 1
        names.append(letter if counts[letter] == 1 else f"{letter}{counts[letter]}")
    return names


def reason(graph: Graph) -> str:
    """Say why a graph cannot be written."""
    if sum(node[2] for node in graph.nodes) != 1:
        return "it has not just one top"
    return "it is not connected, or a label or value would be read as something else"


def render(graph: Graph) -> str:
    """Return the lines of a graph that `carried` made."""
    tags = {"sent_id": "id", "text": "snt"}
    lines = [f"# ::{t} {v}" for name, t in tags.items() if (v := said(graph.comments, name))]
    known = (*tags, "framework")
    lines += [line for line in graph.comments if not any(said([line], n) for n in known)]
    words = {edge: value for edge, name, value in graph.attributes if name == "#"}
    heads = [[_opening(name, label)] for name, label, _ in graph.nodes]
    for row, name, value in graph.properties:
        if name.startswith("#"):
            heads[row][-1] += _alignment(value)
        else:
            heads[row].append(f":{name} {_constant(name, value)}")
    outgoing: list[list[int]] = [[] for _ in graph.nodes]
    for row, (source, _, _) in enumerate(graph.edges):
        outgoing[source].append(row)
    parts: list[str] = []
    seen: set[int] = set()
    walks: list[Iterator[int]] = []

    def enter(node: int) -> None:
        seen.add(node)
        parts.append(f"\n{_INDENT * min(len(walks) + 1, _DEEPEST)}".join(heads[node]))
        walks.append(iter(outgoing[node]))

    if graph.nodes:
        enter(0)
    while walks:
        edge = next(walks[-1], None)
        if edge is None:
            walks.pop()
            parts.append(")")
            continue
        _, target, label = graph.edges[edge]
        parts.append(
            f"\n{_INDENT * min(len(walks), _DEEPEST)}:{label}{_alignment(words.get(edge, ''))} "
        )
        if target in seen:
            parts.append(graph.nodes[target][0])
        else:
            enter(target)
    return "\n".join([*lines, "".join(parts)]) + "\n\n"


def _opening(name: str, label: str) -> str:
    """Return the beginning of a node: its variable, and its concept if it has one."""
    match = _VALUE.fullmatch(label)
    concept = label if match and match[1] is None else f'"{label}"'
    return f"({name} / {concept}" if label else f"({name}"


def _constant(role: str, value: str) -> str:
    """Return a constant as it is written; of texts, only those of ``:mode`` have no quotes."""
    is_bare = _BARE.fullmatch(value) or (role in ("mode", "polite") and _WORD.fullmatch(value))
    return value if is_bare else f'"{value}"'


def _alignment(words: str) -> str:
    return f"~e.{words.replace(' ', ',')}" if _NUMBERS.fullmatch(words) else ""


_LINE = re.compile(rb"[^\n]*\n")


def ends(block: bytes | memoryview) -> NDArray[np.int64]:
    r"""Return the places after each graph; comments without one belong to what follows.

    >>> ends(b"# AMR\n\n# ::id 1\n(b / bird)\n\n(s / sing-01)\n\n").tolist()
    [28, 43]
    """
    places, has_graph = [], False
    for match in _LINE.finditer(block):
        line = match[0]
        if str(line, "utf-8", "replace").strip():
            has_graph = has_graph or bytes(line[:1]) != b"#"
        elif has_graph:
            places.append(match.end())
            has_graph = False
    return np.array(places, np.int64)


NOTATION = GraphNotation("AMR", find, render, carried, reason)

FORMAT = Format(
    name="amr",
    title="AMR in PENMAN notation",
    corpus=Graphs,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=blank_line_cut,
    ends=ends,
    write=NOTATION.write,
    aliases=("penman",),
)
