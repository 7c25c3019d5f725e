r"""SDP: semantic dependencies as in the SemEval tasks of 2014 and 2015 (DM, PAS, PSD/PCEDT).

Oepen et al. (2014, 2015), *Broad-Coverage Semantic Dependency Parsing*. A line ``#ID``, then a word
a line: number, form, lemma, tag, ``+`` for a top node, ``+`` for a predicate, the frame (since
2015, after a first line ``#SDP 2015``), and a column for each predicate with the words' roles::

    #SDP 2015
    #1
    1   Birds   bird    NNS     -       -       _       ARG1
    2   sing    sing    VBP     +       +       v:e-i   _

A word is a node if it is a top, a predicate, an argument, or has a frame. The label of a node is
the lemma (the form where that is ``_``), its properties are ``pos`` and ``frame``. The text is that
of the words with spaces between them, and anchors count in it. Files do not say whether they are
DM, PAS or PSD; labels do that only one of them has.

Written are sent_id, words, tops, frames and edges, as the programs of the tasks read them. Where a
graph has no words, they are the pieces of text that its nodes are anchored at, and what stands
between these; graphs with nodes that are not one word each, or with two edges between the same
words, are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from commonground.corpus import Graphs
from commonground.errors import Problem, quoted
from commonground.formats.format import Format, blank_line_cut, blank_line_ends
from commonground.formats.notation.bilexical import Words, between_words, placed, words_of_text
from commonground.formats.notation.graph_builder import Graph, GraphNotation, said
from commonground.formats.notation.line_reader import text_lines

__all__ = ["FORMAT", "NOTATION"]

_START = "#SDP 2015"
_ROW = re.compile(r"1\t[^\t\n]+\t[^\t\n]+\t[^\t\n]+\t[+-]\t[+-](\t|\n|$)")
_PSD = frozenset({"RSTR", "APP", "NE", "TWHEN", "EXT", "DESCR", "CONJ.member", "DISJ.member"})
_DM = frozenset({"BV", "ARG1", "ARG2", "ARG3", "ARG4", "compound", "loc", "mwe", "poss", "_and_c"})


def looks_like(start: str) -> float:
    r"""Tell from the first lines whether a file is SDP.

    >>> looks_like("#1\n1\tBirds\tbird\tNNS\t-\t-\t_\tARG1\n")
    1.0
    """
    lines = start.lstrip("\n").split("\n", 3)
    rows = [line for line in lines if not line.startswith("#")]
    return float(lines[0].startswith("#") and bool(rows) and bool(_ROW.match(rows[0])))


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def find(data: bytes) -> Iterator[Graph | Problem]:
    """Find the graphs of a file, and its problems."""
    lines, wrong = text_lines(data)
    yield from wrong
    if lines[0].strip() == _START:
        lines[0] = ""
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*lines, ""], 1):
        if line:
            block.append((number, line))
        elif block:
            yield from _graph(block)
            block = []


def _graph(block: list[tuple[int, str]]) -> Iterator[Graph | Problem]:
    number, first = block[0]
    name = first[1:].strip() if first.startswith("#") else ""
    rows = [(n, line.split("\t")) for n, line in (block[1:] if first.startswith("#") else block)]
    problems = list(_problems(rows))
    yield from problems
    if not problems:
        graph = _built([row for _, row in rows], name)
        graph.line = number
        yield graph


def _problems(rows: list[tuple[int, list[str]]]) -> Iterator[Problem]:
    predicates = sum(len(row) > 5 and row[5] == "+" for _, row in rows)
    widths = (6 + predicates, 7 + predicates)
    for place, (number, row) in enumerate(rows, 1):
        if row[0].startswith("#"):
            yield Problem(number, "a second line with #; a sentence has one, with its id")
        elif row[0] != str(place):
            yield Problem(number, f"ID is {quoted(row[0])}; {place} is expected")
        elif len(row) < 6 or row[4] not in ("+", "-") or row[5] not in ("+", "-"):
            yield Problem(number, "TOP and PRED must be + or -, after ID, FORM, LEMMA and POS")
        elif len(row) not in widths or len(row) != len(rows[0][1]):
            yield Problem(
                number,
                f"{len(row)} columns; with {predicates} predicates, {widths[0]} or (with a frame) "
                f"{widths[1]} are expected, as many on each line",
            )
        elif not all(field.strip() for field in row):
            yield Problem(number, "an empty column; _ means nothing")


def _built(rows: Sequence[Sequence[str]], name: str) -> Graph:
    """Return the graph of a sentence that has no problems."""
    predicates = [place for place, row in enumerate(rows) if row[5] == "+"]
    base = len(rows[0]) - len(predicates) if rows else 7
    edges = [
        (predicates[column], target, label)
        for target, row in enumerate(rows)
        for column, label in enumerate(row[base:])
        if label != "_"
    ]
    taken = {end for source, target, _ in edges for end in (source, target)}
    framed = {place for place, row in enumerate(rows) if base == 7 and row[6] != "_"}
    tops = {place for place, row in enumerate(rows) if row[4] == "+"}
    words = placed((row[1], row[2], row[3]) for row in rows)
    frames = {place: rows[place][6] for place in framed}
    nodes = taken | framed | tops | set(predicates)
    return between_words(name, words, nodes, tops, frames, edges, _framework(edges))


def _framework(edges: Sequence[tuple[int, int, str]]) -> str:
    """Return the framework that has the labels of these edges, if any tells.

    >>> [_framework([(0, 1, label)]) for label in ("verb_ARG1", "ACT-arg", "BV", "x")]
    ['pas', 'psd', 'dm', '']
    """
    labels = {label for _, _, label in edges}
    if any("_ARG" in label for label in labels):
        return "pas"
    if labels & _PSD or any(label.endswith("-arg") for label in labels):
        return "psd"
    return "dm" if labels & _DM else ""


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


class _RefusedGraphError(Exception):
    """A graph that is not one between words; the text says why."""


def carried(graph: Graph) -> Graph | None:
    """Return what SDP can carry: words, and nodes that are words."""
    try:
        return _bilexical(graph)
    except _RefusedGraphError:
        return None


def reason(graph: Graph) -> str:
    """Say why a graph cannot be written."""
    try:
        _bilexical(graph)
    except _RefusedGraphError as error:
        return str(error)
    return "a word, a label or the id would be read as something else"


def _bilexical(graph: Graph) -> Graph:
    words, places = _words(graph)
    ends = [(places[source], places[target], label) for source, target, label in graph.edges]
    if len({end[:2] for end in ends}) < len(ends):
        raise _RefusedGraphError("two of its edges are between the same words")
    if any(label in ("_", "") for _, _, label in ends):
        raise _RefusedGraphError("one of its edges has no label")
    tops = {places[row] for row, node in enumerate(graph.nodes) if node[2]}
    frames = {places[row]: v for row, n, v in graph.properties if n == "frame" and v != "_"}
    edges = sorted(ends, key=lambda end: (end[1], end[0]))
    again = placed(word[:3] for word in words)
    name, kind = said(graph.comments, "sent_id"), _framework(edges)
    return between_words(name, again, set(places), tops, frames, edges, kind)


def _words(graph: Graph) -> tuple[Words, list[int]]:
    """Return the words of a graph, and which of them each of its nodes is."""
    spans: list[list[tuple[int, int]]] = [[] for _ in graph.nodes]
    for row, start, end in graph.anchors:
        spans[row].append((start, end))
    if not all(len(of_node) == 1 for of_node in spans):
        raise _RefusedGraphError("one of its nodes is not anchored at one piece of text")
    single = [of_node[0] for of_node in spans]
    if len(set(single)) < len(single):
        raise _RefusedGraphError("two of its nodes are anchored at the same word")
    words = graph.words or _words_of_text(graph, single)
    numbers = {(start, end): place for place, (_, _, _, start, end) in enumerate(words)}
    if not all(span in numbers for span in single):
        raise _RefusedGraphError("one of its nodes is not a word")
    return words, [numbers[span] for span in single]


def _words_of_text(graph: Graph, spans: Sequence[tuple[int, int]]) -> Words:
    """Return the words of a graph that has none, with the labels and tags of its nodes."""
    words = words_of_text(said(graph.comments, "text"), spans)
    if words is None:
        raise _RefusedGraphError("its nodes overlap, or are not anchored in the text")
    tags = {row: value for row, name, value in graph.properties if name == "pos"}
    rows = {span: row for row, span in enumerate(spans)}
    return [
        (form, graph.nodes[row][1] or "_", tags.get(row, "_"), start, end)
        if (row := rows.get((start, end))) is not None
        else (form, "_", "_", start, end)
        for form, _, _, start, end in words
    ]


def render(graph: Graph) -> str:
    """Return the lines of a graph that `carried` made."""
    places = [int(name) - 1 for name, _, _ in graph.nodes] if graph.words else []
    frames = {places[row]: v for row, n, v in graph.properties if n == "frame"} if places else {}
    edges = {(places[s], places[t]): label for s, t, label in graph.edges} if places else {}
    tops = {place for place, node in zip(places, graph.nodes, strict=False) if node[2]}
    told = {end for pair in edges for end in pair} | frames.keys() | tops
    predicates = sorted({source for source, _ in edges} | (set(places) - told))
    lines = [f"#{said(graph.comments, 'sent_id')}"]
    for place, (form, lemma, tag, _, _) in enumerate(graph.words):
        flags = ["+" if place in some else "-" for some in (tops, predicates)]
        roles = [edges.get((source, place), "_") for source in predicates]
        row = [str(place + 1), form, lemma, tag, *flags, frames.get(place, "_"), *roles]
        lines.append("\t".join(row))
    return "\n".join(lines) + "\n\n"


_HEADER = re.compile(rb"#SDP 2015[^\S\n]*\n")


def header(data: bytes) -> bytes:
    r"""Return the line that files of 2015 begin with.

    >>> header(b"#SDP 2015\n#1\n"), header(b"#1\n")
    (b'#SDP 2015\n', b'')
    """
    match = _HEADER.match(data)
    return match[0] if match else b""


NOTATION = GraphNotation("SDP", find, render, carried, reason, start=_START + "\n")

FORMAT = Format(
    name="sdp",
    title="SDP semantic dependencies",
    corpus=Graphs,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=blank_line_cut,
    write=NOTATION.write,
    aliases=("sdp2014", "sdp2015"),
    header=header,
    ends=blank_line_ends,
    start=(_START + "\n").encode(),
)
