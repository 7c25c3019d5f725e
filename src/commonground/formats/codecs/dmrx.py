"""DMRX: DMRS in XML, as the LKB, ACE's tools and pydelphin write it.

::

    <dmrs-list><dmrs cfrom="0" cto="11" ident="1" surface="Birds sing." top="10002" index="10002">
      <node nodeid="10001" cfrom="0" cto="5"><realpred lemma="bird" pos="n" sense="1"/>
        <sortinfo cvarsort="x" num="pl"/></node>
      <node nodeid="10002" cfrom="6" cto="10"><realpred lemma="sing" pos="v" sense="1"/>
        <sortinfo cvarsort="e" tense="pres"/></node>
      <link from="10002" to="10001"><rargname>ARG1</rargname><post>NEQ</post></link>
    </dmrs></dmrs-list>

``ident`` is the sent_id, ``surface`` the text. What nodes and links become,
:mod:`commonground.formats.notation.dmrs` tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.corpus import Graphs
from commonground.errors import Problem, quoted
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
from commonground.formats.notation.graph_builder import Graph, GraphNotation
from commonground.formats.notation.markup import escaped, gathered

__all__ = ["FORMAT", "NOTATION"]

_START = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>\[]*>\s*)?<dmrs(?:-list)?[\s>/]")
_SURFACE = re.compile(r"_([^\s_]+)_([nvajrscpqxud])(?:_([^\s_]+))?")
_NUMBER = re.compile("-?[0-9]{1,9}")


def looks_like(start: str) -> float:
    """Tell from the first lines whether a file is DMRX.

    >>> looks_like('<dmrs-list><dmrs cfrom="0" cto="4">')
    1.0
    """
    return float(bool(_START.match(start)))


class _File:
    """What is known between two elements of a file."""

    def __init__(self) -> None:
        self.found: list[Graph | Problem] = []
        self._parts: Links | None = None
        self._node: Node | None = None
        self._link: Link | None = None
        self._inside = ""
        self._sound = True

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        self._inside = name
        parts = self._parts
        if name == "dmrs":
            self._sound = True
            top, index = (self._number(attributes, key, line) for key in ("top", "index"))
            name, text = attributes.get("ident", ""), attributes.get("surface", "")
            self._parts = Links([], [], top, index, name, text, line)
        elif parts is None:
            if name != "dmrs-list":
                self._wrong(line, f"the element {quoted(name)}; dmrs-list or dmrs is expected")
        elif name == "node":
            ends = [self._number(attributes, key, line) for key in ("cfrom", "cto")]
            place = None if None in ends else (ends[0] or 0, ends[1] or 0)
            number = self._number(attributes, "nodeid", line) or 0
            self._node = Node(number, "", place, attributes.get("carg"), line=line)
            parts.nodes.append(self._node)
        elif name == "link":
            ends = [self._number(attributes, key, line) for key in ("from", "to")]
            if None in ends:
                self._wrong(line, "a link without from and to")
            self._link = Link(ends[0] or 0, ends[1] or 0, "", "", line)
            parts.links.append(self._link)
        elif self._node is not None and name == "realpred":
            said = [attributes.get(key, "") for key in ("lemma", "pos", "sense")]
            self._node.predicate = "_" + "_".join(filter(None, said))
        elif self._node is not None and name == "sortinfo":
            pairs = dict(attributes)
            self._node.sort = pairs.pop("cvarsort", "")
            self._node.properties = pairs

    def end(self, name: str) -> None:
        self._inside = ""
        if name == "node":
            self._node = None
        elif name == "link":
            self._link = None
        elif name == "dmrs" and self._parts is not None:
            parts, self._parts = self._parts, None
            if self._sound:
                try:
                    self.found.append(graph_of(parts))
                except DmrsError as error:
                    self.found.append(Problem(error.line, str(error)))

    def text(self, text: str) -> None:
        if self._node is not None and self._inside == "gpred":
            self._node.predicate += text
        elif self._link is not None and self._inside == "rargname":
            self._link.role += text.strip()
        elif self._link is not None and self._inside == "post":
            self._link.post += text.strip()

    def _number(self, attributes: dict[str, str], key: str, line: int) -> int | None:
        value = attributes.get(key)
        if value is None or not value.strip():
            return None
        if not _NUMBER.fullmatch(value):
            self._wrong(line, f"{key} is {quoted(value)}; a number is expected")
            return None
        return int(value)

    def _wrong(self, line: int, message: str) -> None:
        self.found.append(Problem(line, message))
        self._sound = False


def find(data: bytes) -> Iterator[Graph | Problem]:
    """Find the graphs of a file, and its problems."""
    return gathered(data, _File())


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def render(graph: Graph) -> str:
    """Return the lines of a graph."""
    parts = parts_of(graph)
    whole = {"cfrom": "0" if parts.text else "-1", "cto": str(len(parts.text) or -1)}
    whole |= {key: str(n) for key, n in (("top", parts.top), ("index", parts.index)) if n}
    whole |= {key: v for key, v in (("surface", parts.text), ("ident", parts.name)) if v}
    lines = [f"<dmrs {_attributes(whole)}>"]
    for node in parts.nodes:
        start, end = node.place or (-1, -1)
        own = {"nodeid": str(node.name), "cfrom": str(start), "cto": str(end)}
        own |= {} if node.constant is None else {"carg": node.constant}
        sort = {"cvarsort": node.sort} if node.sort else {}
        sort |= {key.lower(): value for key, value in node.properties.items()}
        information = f"<sortinfo {_attributes(sort)}/>" if sort else "<sortinfo/>"
        lines.append(f"<node {_attributes(own)}>{_predicate(node.predicate)}{information}</node>")
    for link in parts.links:
        ends = f'from="{link.start}" to="{link.end}"'
        role, post = escaped(link.role), escaped(link.post)
        lines.append(f"<link {ends}><rargname>{role}</rargname><post>{post}</post></link>")
    return "\n".join([*lines, "</dmrs>"]) + "\n"


def _attributes(values: dict[str, str]) -> str:
    return " ".join(f'{key}="{escaped(value)}"' for key, value in values.items())


def _predicate(label: str) -> str:
    """Return the element of a predicate.

    >>> _predicate("_bird_n_1"), _predicate("udef_q")
    ('<realpred lemma="bird" pos="n" sense="1"/>', '<gpred>udef_q</gpred>')
    """
    match = _SURFACE.fullmatch(label)
    if not match:
        return f"<gpred>{escaped(label)}</gpred>"
    said = zip(("lemma", "pos", "sense"), match.groups(), strict=True)
    return f"<realpred {_attributes({key: value for key, value in said if value})}/>"


def cut(_: bytes) -> int:
    """Cut nowhere: graphs stand in one element."""
    return 0


NOTATION = GraphNotation(
    "DMRX", find, render, carried, reason, start="<dmrs-list>\n", end="</dmrs-list>\n"
)

FORMAT = Format(
    name="dmrx",
    title="DMRX, DMRS in XML",
    corpus=Graphs,
    looks_like=looks_like,
    read=NOTATION.read,
    problems=NOTATION.problems,
    cut=cut,
    write=NOTATION.write,
    concatenable=False,
)
