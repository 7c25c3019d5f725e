r"""EDS: elementary dependency structures in the notation of DELPH-IN.

Oepen and Lønning (2006), *Discriminant-Based MRS Banking*. A line ``#ID``, and in braces the top
and the nodes, each with its anchor, constant, properties and arguments::

    #1
    {e2:
     _1:udef_q<0:5>[BV x3]
     x3:_bird_n_1<0:5>{x PERS 3, NUM pl}[]
     e2:_sing_v_1<6:10>{e SF prop, TENSE pres}[ARG1 x3]
    }

The constant (``x6:named<7:14>("Ann")[]``) is the property ``CARG``, before the others; the type of
a variable is not kept apart from its name. A top that is no node is none, an anchor at -1 neither.
The text is the comment ``# text = …``, if there is one; such comments stand before the line
``#ID``. Nodes that have numbers as ids are written with a letter before them,
and the property ``carg`` of MRP as ``CARG``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter

from commonground.corpus import Graphs
from commonground.errors import Problem, quoted
from commonground.formats.format import Format, cut_after
from commonground.formats.notation.graph_builder import Graph, GraphNotation, comment, said

__all__ = ["FORMAT", "NOTATION"]

_ID = r'[^\s:{}\[\],"<>()|#]+'
_START = re.compile(rf"(?:\s*#[^\n]*(?:\n|$))*\s*\{{\s*(?:{_ID})?\s*:(?!\S)")
_OPEN = re.compile(rf"\{{\s*({_ID})?\s*:(?:\s*\((?:fragmented|cyclic)[^)\n]*\))?")
_NODE = re.compile(
    rf"\s*\|?\s*({_ID}):(\S+?)(?:<(-?[0-9]{{1,9}}):(-?[0-9]{{1,9}})>)?"
    r'(?:\("((?:[^"\\\n]|\\.)*)"\))?(?:\{([^{}\n]*)\})?\[([^\[\]\n]*)\]'
)
_END = re.compile(r"\s*\}")
_SPACE = re.compile(r"\s*")
_KEYED = re.compile(r"#\s*[^\s=]+\s*=.*")
_NUMBER = re.compile("[0-9]+")
_LETTERS = re.compile("[a-z]+")


def looks_like(start: str) -> float:
    r"""Tell from the first lines whether a file is EDS.

    >>> looks_like("#1\n{e2:\n e2:_rain_v_1<3:8>[]\n}\n")
    1.0
    """
    return float(bool(_START.match(start)))


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def find(data: bytes) -> Iterator[Graph | Problem]:
    """Find the graphs of a file, and its problems; what follows a wrong graph is looked for."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        yield Problem(line, "a byte is not UTF-8; save the file as UTF-8")
        return
    place, line, counted = 0, 1, 0
    comments: list[str] = []
    while (place := _after(_SPACE, text, place)) < len(text):
        line += text.count("\n", counted, place)
        counted = place
        if text[place] == "#":
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            comments.append(text[place:end].rstrip())
            place = end
            continue
        end = text.find("\n}", place)
        stop = _after(re.compile(r"\n\}"), text, end) if end >= 0 else len(text)
        try:
            graph, place = _graph(text, place)
        except _NotationError as error:
            yield Problem(line + text.count("\n", counted, error.place), str(error))
            place = max(stop, place + 1)
        else:
            graph.line, graph.comments = line, _comments(comments)
            yield graph
        comments = []
    if comments:
        yield Problem(line, "a comment without a graph after it")


def _after(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place


class _NotationError(Exception):
    """What is not expected, and where it stands."""

    def __init__(self, place: int, message: str) -> None:
        super().__init__(message)
        self.place = place


def _comments(lines: list[str]) -> list[str]:
    keyed = [line for line in lines if _KEYED.fullmatch(line)]
    named = [line[1:].strip() for line in lines if not _KEYED.fullmatch(line)]
    values = {
        "sent_id": " ".join(filter(None, named)) or said(keyed, "sent_id"),
        "framework": "eds",
        "text": said(keyed, "text"),
    }
    rest = [line for line in keyed if not any(said([line], name) for name in values)]
    return [comment(name, value) for name, value in values.items() if value] + rest


def _graph(text: str, place: int) -> tuple[Graph, int]:
    """Read a graph, and return where it ends."""
    opening = _OPEN.match(text, place)
    if not opening:
        raise _NotationError(place, "{ and the top node are expected, as in {e2:")
    graph, place = Graph(), opening.end()
    rows: dict[str, int] = {}
    arguments: list[tuple[int, str, int]] = []
    while not (end := _END.match(text, place)):
        node = _NODE.match(text, place)
        if not node:
            where = _after(_SPACE, text, place)
            rest = quoted(text[where:].partition("\n")[0])
            raise _NotationError(where, f"{rest}; a node such as e2:_sing_v_1<6:10>[ARG1 x3]")
        row = _add_node(graph, node, opening[1])
        if rows.setdefault(node[1], row) != row:
            raise _NotationError(node.start(1), f"there is another node {quoted(node[1])}")
        if node[7].strip():
            arguments += [(row, part, node.start(7)) for part in node[7].split(",")]
        place = node.end()
    for row, part, where in arguments:
        words = part.split()
        if len(words) != 2 or words[1] not in rows:
            message = f"{quoted(part.strip())}; a role and one of the nodes are expected"
            raise _NotationError(where, message)
        graph.edges.append((row, rows[words[1]], words[0]))
    return graph, end.end()


def _add_node(graph: Graph, node: re.Match[str], top: str | None) -> int:
    row = len(graph.nodes)
    name, label, start, end, constant, properties, _ = node.groups()
    graph.nodes.append((name, label, int(name == top)))
    if start is not None and 0 <= int(start) <= int(end):
        graph.anchors.append((row, int(start), int(end)))
    if constant is not None:
        graph.properties.append((row, "CARG", re.sub(r"\\(.)", r"\1", constant)))
    _, _, pairs = (properties or "").strip().partition(" ")
    for pair in filter(str.strip, pairs.split(",")):
        words = pair.split(maxsplit=1)
        if len(words) != 2 or words[0] == "CARG":
            message = f"{quoted(pair.strip())}; a name and a value are expected"
            raise _NotationError(node.start(6), message)
        graph.properties.append((row, words[0], words[1].strip()))
    return row


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def carried(graph: Graph) -> Graph:
    """Return what EDS can carry: no words, no attributes of edges."""
    values = {name: said(graph.comments, name) for name in ("sent_id", "framework", "text")}
    rest = [line for line in graph.comments if not any(said([line], n) for n in values)]
    values["framework"] = "eds"
    named = graph.nodes
    if any(_NUMBER.fullmatch(node[0]) for node in named):
        named = [(f"n{node[0]}", *node[1:]) for node in named]
    return Graph(
        graph.line,
        [comment(name, value) for name, value in values.items() if value]
        + [line for line in rest if _KEYED.fullmatch(line)],
        nodes=named,
        anchors=sorted(graph.anchors, key=itemgetter(0)),
        properties=sorted(
            ((row, "CARG" if n == "carg" else n, v) for row, n, v in graph.properties),
            key=lambda row: (row[0], row[1] != "CARG"),
        ),
        edges=sorted(graph.edges, key=itemgetter(0)),
    )


def reason(graph: Graph) -> str:
    """Say why a graph cannot be written."""
    if sum(node[2] for node in graph.nodes) > 1:
        return "it has several tops"
    if len({row for row, _, _ in graph.anchors}) < len(graph.anchors):
        return "a node is anchored at several pieces of text"
    if not all(node[1] for node in graph.nodes):
        return "a node has no label"
    return "an id, a label or a property would be read as something else"


def render(graph: Graph) -> str:
    """Return the lines of a graph."""
    lines = [f"# text = {text}"] if (text := said(graph.comments, "text")) else []
    known = ("sent_id", "framework", "text")
    lines += [line for line in graph.comments if not any(said([line], name) for name in known)]
    lines.append(f"#{said(graph.comments, 'sent_id')}")
    top = next((name for name, _, is_top in graph.nodes if is_top), "")
    anchors = {row: f"<{start}:{end}>" for row, start, end in graph.anchors}
    constants: dict[int, str] = {}
    properties: dict[int, list[str]] = {}
    for row, name, value in graph.properties:
        if name == "CARG":
            escaped = re.sub(r'(["\\])', r"\\\1", value)
            constants[row] = f'("{escaped}")'
        else:
            properties.setdefault(row, []).append(f"{name} {value}")
    arguments: dict[int, list[str]] = {}
    for source, target, label in graph.edges:
        arguments.setdefault(source, []).append(f"{label} {graph.nodes[target][0]}")
    lines.append(f"{{{top}:")
    for row, (name, label, _) in enumerate(graph.nodes):
        kind = match[0] if (match := _LETTERS.match(name)) else "u"
        pairs = f"{{{kind} {', '.join(properties[row])}}}" if row in properties else ""
        said_of_node = anchors.get(row, "") + constants.get(row, "") + pairs
        lines.append(f" {name}:{label}{said_of_node}[{', '.join(arguments.get(row, ()))}]")
    return "\n".join([*lines, "}"]) + "\n\n"


NOTATION = GraphNotation("EDS", find, render, carried, reason)

FORMAT = Format(
    name="eds",
    title="EDS, elementary dependency structures",
    corpus=Graphs,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=cut_after(b"}\n"),
    write=NOTATION.write,
)
