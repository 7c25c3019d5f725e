r"""The pattern language: from text to a value.

A pattern is a list of items, separated by ``;``, ``,`` or new lines. It holds where all of them do;
``or`` between lists gives alternatives.

- ``V: upos=VERB lemma=see|hear`` names a node and says what its columns read; without a name
  (``deprel=nsubj``) it is a node of its own, called X.
- ``V -[obj]-> N`` is an arc from a head to a dependent, ``V -> N`` one with any label,
  ``V -[!punct]-> N`` one with none of these labels; ``=[nsubj]=>`` is an arc of the enhanced graph.
  ``V -[xcomp]{1,3}-> N`` is a path of one to three such arcs. Arcs can be strung together.
- ``A < B``: A stands immediately before B; ``A << B``: somewhere before it; ``A <{1,4} B``: one to
  four words before it.
- ``A.lemma = B.lemma`` compares two nodes (``!=`` as well).
- ``not { … }`` holds where no nodes can be found for the items inside. Nodes without a name are
  nodes of their own there: X is the one outside.

Where a node is expected, ``*`` is any one and ``[upos=NOUN]`` one of which the conditions hold.

Conditions are ``column=value``; ``!=`` denies, ``==`` takes a label literally (``deprel=nsubj``
holds of ``nsubj:pass``, ``deprel==nsubj`` does not), ``~`` and ``!~`` search for a regular
expression. Values can be alternatives (``a|b``) and have ``*`` for anything (``xpos=VB*``; ``*``
alone is anything that there is); in quotation marks they are taken literally. A column with a capital letter is a feature (``Number=Sing``).

>>> parse_pattern("V: upos=VERB; V -[obj]-> N; V << N").alternatives[0].links[0]
Arc(head='V', dependent='N', labels=Labels(values=('obj',), exact=False, denied=False, expression=False), least=1, most=1, graph='-')
"""  # noqa: E501  # the value of the doctest

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from commonground.errors import UsageError

__all__ = [
    "LONGEST_PATH",
    "UNNAMED",
    "Arc",
    "Condition",
    "Equation",
    "Labels",
    "Order",
    "Part",
    "Pattern",
    "PatternError",
    "column_of",
    "columns_of",
    "parse_pattern",
]

UNNAMED = "X"
"""What the first node without a name is called."""

LONGEST_PATH = 32
"""No path may be longer; real trees are hardly deeper."""


class PatternError(UsageError):
    """A pattern that cannot be understood, and where."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a column of a node must read: one of the `values`; `denied`: none of them.

    With `exact` they are taken literally; with `expression` the values are regular expressions.
    """

    column: str
    values: tuple[str, ...]
    exact: bool = False
    denied: bool = False
    expression: bool = False


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels that an arc may have; no `values`: any."""

    values: tuple[str, ...] = ()
    exact: bool = False
    denied: bool = False
    expression: bool = False


@dataclass(frozen=True, slots=True)
class Arc:
    """A path of `least` to `most` arcs from a head down to a dependent."""

    head: str
    dependent: str
    labels: Labels = Labels()
    least: int = 1
    most: int = 1
    graph: str = "-"


@dataclass(frozen=True, slots=True)
class Order:
    """The second node stands `least` to `most` words after the first; 0: however far."""

    first: str
    second: str
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class Equation:
    """A column of one node reads the same as a column of another; `denied`: it does not."""

    one: tuple[str, str]
    other: tuple[str, str]
    denied: bool = False


Link = Arc | Order | Equation


@dataclass(frozen=True, slots=True)
class Part:
    """Items that must all hold: conditions by node, links between nodes, and what must not be."""

    nodes: dict[str, tuple[Condition, ...]] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    without: tuple[Part, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The nodes that have names of their own."""
        return tuple(name for name in self.nodes if not name.startswith("*"))


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern: the text, and its alternatives."""

    text: str
    alternatives: tuple[Part, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The nodes that are named in all alternatives."""
        first, *others = self.alternatives
        return tuple(name for name in first.names if all(name in part.names for part in others))


def columns_of(pattern: Pattern) -> frozenset[str]:
    """Return the columns of words that a pattern looks at, labels of arcs included.

    >>> sorted(columns_of(parse_pattern("V: upos=VERB; V -[obj]-> N; N.Case = V.Case")))
    ['deprel', 'feats', 'upos']
    """
    names: set[str] = set()
    parts = list(pattern.alternatives)
    while parts:
        part = parts.pop()
        parts += part.without
        names.update(each.column for conditions in part.nodes.values() for each in conditions)
        for link in part.links:
            if isinstance(link, Arc):
                names.add("deps" if link.graph == "=" else "deprel")
            elif isinstance(link, Equation):
                names.update((link.one[1], link.other[1]))
    return frozenset(column_of(name) for name in names)


def column_of(name: str) -> str:
    """Return the column that something asked of a word stands in.

    >>> column_of("Case"), column_of("misc.Gloss"), column_of("word")
    ('feats', 'misc', 'form')
    """
    source = "feats" if name[0].isupper() else name.partition(".")[0]
    return "form" if source == "word" else source


_NAME = r"[A-Za-z_][A-Za-z_0-9]*"
_SPACE = re.compile(r"(?:[ \t\r]|#[^\n]*)*")
_END = re.compile(r"[;,\n]")
_NAMED = re.compile(rf"({_NAME})[ \t]*:(?=\s|[;,\n]|$)")
_NODE = re.compile(rf"(?:({_NAME})(?![A-Za-z_0-9.=~!])|(\*)|(\[))")
_SIZE = r"\{(\d+)(?:,(\d+))?\}"
_ARCS = re.compile(
    r"(?P<graph>[-=])(?:(?:\[(?P<labels>(?:\"[^\"]*\"|[^\]\"])*)\])?(?:"
    + _SIZE.replace("(\\d+)", "(?P<least>\\d+)", 1).replace("(\\d+)", "(?P<most>\\d+)", 1)
    + r")?(?P=graph))?>"
)
_ORDER = re.compile(rf"<<|<(?:{_SIZE})?")
_CONDITION = re.compile(
    r"([A-Za-z_][A-Za-z_0-9.]*(?:\[[a-z]+\])?)[ \t]*(==|!=|!~|=|~)[ \t]*"
    r"(\"[^\"]*\"|[^\s;,{}\[\]\"]+)"
)
_COMPARED = re.compile(rf"({_NAME})\.({_NAME})[ \t]*(!?=)[ \t]*({_NAME})\.({_NAME})")


@lru_cache(maxsize=1024)
def parse_pattern(text: str) -> Pattern:
    """Read a pattern.

    >>> parse_pattern("upos=VERB; not { * -[nsubj]-> * }").alternatives[0].nodes
    {'X': (Condition(column='upos', values=('VERB',), exact=False, denied=False, expression=False),)}
    >>> parse_pattern("A -[obj N")
    Traceback (most recent call last):
    commonground.patterns.language.PatternError: pattern, character 3: '-[obj N': an arc, an order \
or the end of the item is expected
    """  # noqa: E501  # the value of the doctest
    reader = _PatternReader(text)
    alternatives = [reader.part(UNNAMED)]
    while reader.word("or"):
        alternatives.append(reader.part(UNNAMED))
    if not reader.at_end:
        reader.refuse("the end is expected")
    for part in alternatives:
        if part.without and not part.nodes:
            reader.refuse("a node is expected beside 'not { … }', such as deprel=root")
        if not part.nodes:
            reader.refuse("an empty pattern finds nothing; deprel=nsubj would be one")
        _check(part, set(part.nodes), reader)
    return Pattern(text, tuple(alternatives))


def _check(part: Part, known: set[str], reader: _PatternReader) -> None:
    """See that what compares nodes compares those that there are."""
    for link in part.links:
        if isinstance(link, Equation):
            for name, _ in (link.one, link.other):
                if name not in known | set(part.nodes):
                    reader.refuse(f"there is no node {name}")
    for inner in part.without:
        _check(inner, known | set(part.nodes), reader)


class _PatternReader:
    """Reads a pattern from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self._fresh = 0

    @property
    def at_end(self) -> bool:
        self._skip(separators=True)
        return self.place >= len(self.text)

    def refuse(self, expected: str) -> None:
        rest = self.text[self.place : self.place + 30].split("\n")[0]
        near = f"{rest!r}: " if rest else ""
        raise PatternError(f"pattern, character {self.place + 1}: {near}{expected}")

    def word(self, word: str) -> bool:
        """Go past a word, if it stands here."""
        self._skip(separators=True)
        match = re.compile(rf"{word}(?![A-Za-z_0-9:=.~!])").match(self.text, self.place)
        if match:
            self.place = match.end()
        return match is not None

    def part(self, unnamed: str = "") -> Part:
        """Read items; the first node without a name is called `unnamed`, if that is given."""
        nodes: dict[str, tuple[Condition, ...]] = {}
        links: list[Link] = []
        without: list[Part] = []
        while not self.at_end and not self._sees("}") and not self._or():
            if self.word("not"):
                without.append(self._block())
            elif not (self._comparison(links) or self._named(nodes) or self._chain(nodes, links)):
                conditions = tuple(self._conditions())
                if not conditions:
                    self.refuse("a condition, an arc or an order is expected")
                named = unnamed and unnamed not in nodes
                nodes[unnamed if named else self._anonymous()] = conditions
            self._ended()
        return Part(nodes, tuple(links), tuple(without))

    def _or(self) -> bool:
        place = self.place
        there = self.word("or")
        self.place = place
        return there

    def _block(self) -> Part:
        self._skip()
        if not self._sees("{"):
            self.refuse("'{' is expected after not")
        self.place += 1
        inner = self.part()
        self._skip(separators=True)
        if not self._sees("}"):
            self.refuse("'}' is missing")
        self.place += 1
        return inner

    def _comparison(self, links: list[Link]) -> bool:
        match = _COMPARED.match(self.text, self.place)
        if match:
            one, column, sign, other, second = match.groups()
            links.append(Equation((one, column), (other, second), sign == "!="))
            self.place = match.end()
        return match is not None

    def _named(self, nodes: dict[str, tuple[Condition, ...]]) -> bool:
        match = _NAMED.match(self.text, self.place)
        if match:
            self.place = match.end()
            nodes[match[1]] = nodes.get(match[1], ()) + tuple(self._conditions())
        return match is not None

    def _chain(self, nodes: dict[str, tuple[Condition, ...]], links: list[Link]) -> bool:
        begin = self.place
        if not _NODE.match(self.text, self.place):
            return False
        before = self._node(nodes)
        self._skip()
        if not self._link_here():
            if self.text[begin] == "*" or self.text[begin] == "[":
                self.refuse("an arc or an order is expected")
            if self._sees("}") or _END.match(self.text, self.place) or self.at_end:
                self.place = begin
                self.refuse(f"a name alone says nothing; deprel={before} would be a condition")
            self.refuse("an arc, an order or the end of the item is expected")
        while link := self._link_here():
            self.place = link.end()
            self._skip()
            if not _NODE.match(self.text, self.place):
                self.refuse("a node is expected: a name, * or [conditions]")
            after = self._node(nodes)
            links.append(self._link(link, before, after))
            before = after
            self._skip()
        return True

    def _link_here(self) -> re.Match[str] | None:
        return _ARCS.match(self.text, self.place) or _ORDER.match(self.text, self.place)

    def _link(self, match: re.Match[str], before: str, after: str) -> Link:
        if match.re is _ARCS:
            least = int(match["least"] or 1)
            most = int(match["most"] or least)
            if not 1 <= least <= most <= LONGEST_PATH:
                self.refuse(f"a path has 1 to {LONGEST_PATH} arcs, the smaller number first")
            return Arc(before, after, _labels(match["labels"] or ""), least, most, match["graph"])
        if match[0] == "<<":
            return Order(before, after, 1, 0)
        least = int(match[1] or 1)
        most = int(match[2] or least)
        if not 1 <= least <= most:
            self.refuse("a distance is 1 or more words, the smaller number first")
        return Order(before, after, least, most)

    def _node(self, nodes: dict[str, tuple[Condition, ...]]) -> str:
        match = _NODE.match(self.text, self.place)
        assert match is not None
        self.place = match.end()
        name = match[1] or self._anonymous()
        conditions: tuple[Condition, ...] = ()
        if match[3]:
            conditions = tuple(self._conditions())
            self._skip()
            if not self._sees("]"):
                self.refuse("a condition or ']' is expected")
            self.place += 1
        nodes[name] = nodes.get(name, ()) + conditions
        return name

    def _conditions(self) -> Iterator[Condition]:
        self._skip()
        while match := _CONDITION.match(self.text, self.place):
            column, sign, value = match.groups()
            name, dot, rest = column.partition(".")
            if dot and name[0].isupper():
                self.refuse(f"the conditions of a node follow its name: '{name}: {rest}{sign}…'")
            self.place = match.end()
            yield Condition(
                column,
                _values(value, split="~" not in sign),
                exact=sign == "==" or value.startswith('"'),
                denied=sign.startswith("!"),
                expression="~" in sign,
            )
            self._skip()

    def _ended(self) -> None:
        self._skip()
        if not (
            self.place >= len(self.text)
            or self._sees("}")
            or _END.match(self.text, self.place)
            or self._or()
        ):
            self.refuse("a condition, or ';' before the next item, is expected")

    def _sees(self, sign: str) -> bool:
        return self.text.startswith(sign, self.place)

    def _anonymous(self) -> str:
        self._fresh += 1
        return f"*{self._fresh}"

    def _skip(self, *, separators: bool = False) -> None:
        while True:
            match = _SPACE.match(self.text, self.place)
            assert match is not None
            self.place = match.end()
            more = _END.match(self.text, self.place) if separators else None
            if not more:
                return
            self.place = more.end()


def _values(text: str, *, split: bool) -> tuple[str, ...]:
    if text.startswith('"'):
        return (text[1:-1],)
    return tuple(text.split("|")) if split else (text,)


def _labels(text: str) -> Labels:
    r"""Read the labels of an arc.

    >>> _labels("!punct|cc").values, _labels("=nsubj").exact, _labels("~^n").expression
    (('punct', 'cc'), True, True)
    """
    denied = text.startswith("!")
    text = text.removeprefix("!").strip()
    if text.startswith("~"):
        return Labels(_values(text[1:].strip(), split=False), denied=denied, expression=True)
    exact = text.startswith(("=", '"'))
    text = text.removeprefix("=").strip()
    return Labels(_values(text, split=True) if text else (), exact=exact, denied=denied)
