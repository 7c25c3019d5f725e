r"""SimpleDMRS: DMRS as pydelphin writes it for people.

::

    dmrs 1 {
      ["Birds sing." top=10002 index=10002]
      10001 [_bird_n_1<0:5> x NUM=pl];
      10002 [_sing_v_1<6:10> e TENSE=pres];
      10002:ARG1/NEQ -> 10001;
    }

What stands after ``dmrs`` is the sent_id. What nodes and links become,
:mod:`commonground.formats.notation.dmrs` tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.corpus import Graphs
from commonground.errors import Problem, quoted
from commonground.formats.format import Format, cut_after
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
from commonground.formats.notation.graph_builder import Graph, GraphNotation

__all__ = ["FORMAT", "NOTATION"]

_SYMBOL = r"""[^\s"'()/:;<=>\[\]{}]+"""
_TEXT = r'"([^"\\\n]*(?:\\.[^"\\\n]*)*)"'
_ALIGNED = r"(?:<(?:(-?[0-9]{1,9}):(-?[0-9]{1,9})|[^<>\n]*)>)?"
_PAIRS = rf"((?:\s*{_SYMBOL}\s*=\s*{_SYMBOL})*)"
_PAIR = re.compile(rf"({_SYMBOL})\s*=\s*({_SYMBOL})")
_OPEN = re.compile(rf"\s*dmrs(?:\s+({_SYMBOL}))?\s*\{{")
_WHOLE = re.compile(rf"\s*\[\s*{_ALIGNED}\s*(?:{_TEXT})?{_PAIRS}\s*\]")
_LOOSE = re.compile(rf'\s*\[\s*{_ALIGNED}\s*"(.*)"{_PAIRS}\s*\][^\S\n]*\n')
"""What pydelphin writes if there are quotes in the text."""

_NODE = re.compile(
    rf"\s*([0-9]{{1,9}})\s*\[\s*(\S{{1,300}}?){_ALIGNED}(?:\(\s*{_TEXT}\s*\))?"
    rf"(?:\s+({_SYMBOL})(?!\s*=))?((?:\s+{_SYMBOL}\s*=\s*{_SYMBOL})*)\s*\]\s*;"
)
_LINK = re.compile(
    rf"\s*([0-9]{{1,9}})\s*:\s*({_SYMBOL})?\s*/\s*({_SYMBOL})\s*(?:->|--)\s*([0-9]{{1,9}})\s*;"
)
_END = re.compile(r"\s*\}")
_SPACE = re.compile(r"\s*")
_START = re.compile(rf"\s*dmrs(?:\s+{_SYMBOL})?\s*\{{\s*(?:\[|[0-9]|\}})")


def looks_like(start: str) -> float:
    r"""Tell from the first lines whether a file is SimpleDMRS.

    >>> looks_like("dmrs {\n  [top=10000]\n  10000 [_rain_v_1<3:8>];\n}\n")
    1.0
    """
    return float(bool(_START.match(start)))


class _NotationError(Exception):
    """What is not expected, and where it stands."""

    def __init__(self, place: int, message: str) -> None:
        super().__init__(message)
        self.place = place


def find(data: bytes) -> Iterator[Graph | Problem]:
    """Find the graphs of a file, and its problems; what follows a wrong graph is looked for."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        yield Problem(line, "a byte is not UTF-8; save the file as UTF-8")
        return
    place, line, counted = 0, 1, 0
    while (place := _after_space(text, place)) < len(text):
        line += text.count("\n", counted, place)
        counted = place
        try:
            parts, end = _parts(text, place, line)
            graph = graph_of(parts)
        except DmrsError as error:
            yield Problem(error.line, str(error))
            place = _next(text, place)
        except _NotationError as error:
            yield Problem(line + text.count("\n", counted, error.place), str(error))
            place = _next(text, place)
        else:
            yield graph
            place = end


def _after_space(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place


_AGAIN = re.compile(r"\s(?=dmrs\b[^{\n]{0,200}\{)")


def _next(text: str, place: int) -> int:
    """Return where the next graph may begin."""
    match = _AGAIN.search(text, place)
    return match.end() if match else len(text)


def _parts(text: str, place: int, line: int) -> tuple[Links, int]:
    """Read a graph, and return where it ends."""
    opening = _OPEN.match(text, place)
    if not opening:
        raise _NotationError(place, "dmrs { is expected")
    begin, place = place, opening.end()
    parts = Links(name=opening[1] or "", line=line)
    whole = _WHOLE.match(text, place) or _LOOSE.match(text, place)
    if whole:
        pairs = {key.lower(): value for key, value in _PAIR.findall(whole[4])}
        parts.text = _plain(whole[3] or "")
        parts.top, parts.index = (_number(pairs, key, place) for key in ("top", "index"))
        place = whole.end()
    counted = begin
    while not (end := _END.match(text, place)):
        at = _after_space(text, place)
        line += text.count("\n", counted, at)
        counted = at
        if node := _NODE.match(text, place):
            number, predicate, start, stop, constant, sort, pairs_of = node.groups()
            where = None if start is None else (int(start), int(stop))
            carg = None if constant is None else _plain(constant)
            properties = dict(_PAIR.findall(pairs_of))
            parts.nodes.append(
                Node(int(number), predicate, where, carg, sort or "", properties, line)
            )
            place = node.end()
        elif link := _LINK.match(text, place):
            parts.links.append(Link(int(link[1]), int(link[4]), link[2] or "", link[3], line))
            place = link.end()
        else:
            rest = quoted(text[at:].partition("\n")[0][:80])
            message = "a node such as 10000 [_rain_v_1<3:8>]; or a link 10000:ARG1/NEQ -> 10001;"
            raise _NotationError(at, f"{rest}; {message}")
    return parts, end.end()


def _number(pairs: dict[str, str], key: str, place: int) -> int | None:
    value = pairs.get(key)
    if value is not None and not re.fullmatch("[0-9]{1,9}", value):
        raise _NotationError(place, f"{key} is {quoted(value)}; a number is expected")
    return None if value is None else int(value)


def _plain(text: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", text)


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def render(graph: Graph) -> str:
    """Return the lines of a graph."""
    parts = parts_of(graph)
    ends = (("top", parts.top), ("index", parts.index))
    said = [f'"{_escaped(parts.text)}"'] if parts.text else []
    said += [f"{key}={number}" for key, number in ends if number]
    lines = [f"dmrs {parts.name} {{" if parts.name else "dmrs {"]
    lines += [f"  [{' '.join(said)}]"] if said else []
    for node in parts.nodes:
        where = "" if node.place is None else "<{}:{}>".format(*node.place)
        carg = "" if node.constant is None else f'("{_escaped(node.constant)}")'
        pairs = [node.sort] if node.sort else []
        pairs += [f"{key}={value}" for key, value in node.properties.items()]
        about = " ".join([f"{node.predicate}{where}{carg}", *pairs])
        lines.append(f"  {node.name} [{about}];")
    for link in parts.links:
        arrow = "->" if link.role or link.post != "EQ" else "--"
        lines.append(f"  {link.start}:{link.role}/{link.post} {arrow} {link.end};")
    return "\n".join([*lines, "}"]) + "\n"


def _escaped(text: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", text)


NOTATION = GraphNotation("SimpleDMRS", find, render, carried, reason)

FORMAT = Format(
    name="simpledmrs",
    title="SimpleDMRS",
    corpus=Graphs,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=cut_after(b"\n}\n"),  # graphs whose last bracket has a line of its own
    write=NOTATION.write,
)
