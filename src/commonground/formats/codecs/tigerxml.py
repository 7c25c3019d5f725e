"""TIGER-XML, the format of TIGERSearch and of the TIGER treebank.

König, Lezius and Voormann (2003), *TIGERSearch User's Manual*, chapter V::

    <s id="s1">
      <graph root="s1_500" discontinuous="true">
        <terminals>
          <t id="s1_1" word="Birds" lemma="bird" pos="NNS" morph="--">
            <secedge label="SB" idref="s1_501"/>
          </t> …
        </terminals>
        <nonterminals>
          <nt id="s1_500" cat="S">
            <edge label="SB" idref="s1_1"/> …

``word``, ``pos``, ``lemma`` and ``morph`` are the form, tag, lemma and features, ``cat`` is the
label of a node; other attributes are further columns (with ``tiger.`` before the name where it is
taken). ``--`` is nothing. A secondary edge stands at its lower end, and its idref is its parent.
Where that is a word and the edge stands at a phrase, it leads the other way; between two words
there is no phrase that it could lead from, and it is left out. A node ``VROOT`` without a parent
only stands for the top: it is left out on reading, and written where a sentence has not just one
top (or one that has itself this label). Words and nodes on no edge are at the top, too. Other
elements (matches of queries, semantic frames) are skipped, as is the head, which is made of the
data on writing.

The attributes of ``<s>`` become the comment lines: ``id`` the sent_id, any other one itself. They
are written as attributes again where that gives the same lines; where it does not, all of them go
into one attribute, ``comments``. A sentence without a sent_id, or with one that an earlier sentence
has, is given the id ``s`` and its number.

XML has characters that it cannot hold (control characters, most of all); a treebank with one of
them is refused on writing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Strings, Table
from commonground.corpus.arrange import extents
from commonground.errors import Problem, UsageError, quoted
from commonground.formats.format import Format, FormatOptions
from commonground.formats.notation.graphs import (
    Graphs,
    Row,
    Secondary,
    graphs_in,
    post_order,
    something,
)
from commonground.formats.notation.markup import escaped

__all__ = ["FORMAT"]

_WORD_ATTRIBUTES = {"word": "form", "lemma": "lemma", "pos": "tag", "morph": "feats"}
_NODE_ATTRIBUTES = {"cat": "label", "morph": "feats"}
_TAKEN = frozenset({"form", "tag", "label", "feats", "edge", "parent"})
_PREFIX = "tiger."
_NAME = re.compile(r"(?![Xx][Mm][Ll])[A-Za-z_À-ÖØ-öø-ÿ][A-Za-z0-9_À-ÖØ-öø-ÿ.-]*")
_COMMENT = re.compile(rf"# ((?!(?:id|comments) ){_NAME.pattern}) = (.*)")
_VIRTUAL = "VROOT"
_FIRST_NODE = 500

# ── recognising ──────────────────────────────────────────────────────────────────────────────────

_GRAPH = re.compile(r"<s\b[^>]*>\s*<graph\b[^>]*>\s*<terminals\b")
_HEAD = re.compile(r"<corpus\b.*<feature\b[^>]*\bdomain\s*=", re.DOTALL)


def looks_like(start: str) -> float:
    """Tell from the first lines whether a file is TIGER-XML; its successor <tiger2/> is not.

    >>> looks_like('<corpus id="x"><body><s id="s1"><graph root="s1_1"><terminals>')
    1.0
    """
    if not start.lstrip().startswith("<") or "tiger2" in start:
        return 0.0
    return float(bool(_GRAPH.search(start) or _HEAD.search(start)))


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def read(data: bytes, path: str, line: int, _options: FormatOptions) -> Constituents:
    """Read a whole file."""
    return graphs_in(data, _TigerReader()).corpus(path, line)


def problems(data: bytes, _options: FormatOptions) -> Iterator[Problem]:
    """Find everything that is wrong with a file, up to where it stops being XML."""
    return graphs_in(data, _TigerReader()).problems()


class _TigerNode:
    """A word or a node of the sentence that is being read."""

    __slots__ = ("edge", "key", "line", "parent", "secondary", "texts", "virtual")

    def __init__(self, key: str, texts: dict[str, str], line: int) -> None:
        self.key = key
        self.texts = texts
        self.line = line
        self.parent: _TigerNode | None = None
        self.edge = "_"
        self.virtual = False
        self.secondary: list[tuple[str, str, int]] = []


class _TigerSentence:
    """The sentence that is being read."""

    def __init__(self, line: int, comments: list[str]) -> None:
        self.line = line
        self.comments = comments
        self.words: list[_TigerNode] = []
        self.nodes: list[_TigerNode] = []
        self.edges: list[tuple[_TigerNode, str, str, int]] = []
        self.root: tuple[str, int] | None = None


class _TigerReader:
    """What is known between two elements of a file."""

    def __init__(self) -> None:
        self.graphs = Graphs()
        self._sentence: _TigerSentence | None = None
        self._node: _TigerNode | None = None
        self._names: set[str] = set()
        self._subcorpora: list[str] = []
        self._is_first = True

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        if self._is_first and name not in ("corpus", "subcorpus", "s"):
            self.graphs.problem(line, f"the first element is {quoted(name)}; it must be corpus")
        self._is_first = False
        if name == "s":
            if self._sentence is not None:
                self.graphs.problem(line, "<s> inside <s>")
            self._sentence = _TigerSentence(line, self._comments(attributes, line))
        elif name == "subcorpus":
            self._subcorpora.append(attributes.get("name", ""))
            if "external" in attributes:
                place = quoted(attributes["external"])
                self.graphs.problem(line, f"the subcorpus is in another file, {place}; read that")
        elif self._sentence is not None:
            self._inside(name, attributes, line, self._sentence)

    def _inside(
        self, name: str, attributes: dict[str, str], line: int, sentence: _TigerSentence
    ) -> None:
        if name == "t":
            if "word" not in attributes:
                self.graphs.problem(line, "<t> without an attribute word")
            self._node = _node(attributes, _word_column, line)
            sentence.words.append(self._node)
        elif name == "nt":
            self._node = _node(attributes, _node_column, line)
            sentence.nodes.append(self._node)
        elif name in ("edge", "secedge") and self._node is not None:
            label, target = something(attributes.get("label", "")), attributes.get("idref", "")
            if name == "edge":
                sentence.edges.append((self._node, label, target, line))
            else:
                self._node.secondary.append((label, target, line))
        elif name == "graph":
            sentence.root = (attributes["root"], line) if attributes.get("root") else None

    def end(self, name: str) -> None:
        if name in ("t", "nt"):
            self._node = None
        elif name == "s" and self._sentence is not None:
            self._finish(self._sentence)
            self._sentence = None
        elif name == "subcorpus":
            self._subcorpora.pop()

    def text(self, text: str) -> None:
        """Skip it: TIGER-XML has no text outside the head."""

    def _comments(self, attributes: Mapping[str, str], line: int) -> list[str]:
        name = attributes.get("id", "")
        if not name:
            self.graphs.problem(line, "<s> without an id")
        elif name in self._names:
            self.graphs.problem(line, f"there is another sentence with the id {quoted(name)}")
        self._names.add(name)
        if "comments" in attributes:
            return attributes["comments"].split("\n")
        metadata = {"sent_id": name}
        if self._subcorpora:
            metadata["subcorpus"] = "/".join(self._subcorpora)
        metadata.update(
            (n, value) for n, value in attributes.items() if n != "id" and _NAME.fullmatch(n)
        )
        return [
            "# {} = {}".format(key, value.replace("\n", " ")) for key, value in metadata.items()
        ]

    def _finish(self, sentence: _TigerSentence) -> None:
        """Add a sentence to the treebank."""
        everyone = self._numbered(sentence)
        self._connect(sentence, everyone)
        nodes = [node for node in sentence.nodes if not node.virtual]
        rows = {id(node): row for row, node in enumerate(nodes)}
        secondary = list(self._secondary(sentence.words, nodes, everyone))
        words = [_row(node, rows) for node in sentence.words]
        phrases = [_row(node, rows) for node in nodes]
        self.graphs.add(sentence.line, sentence.comments, words, phrases, secondary)

    def _secondary(
        self,
        words: Sequence[_TigerNode],
        nodes: Sequence[_TigerNode],
        everyone: Mapping[str, _TigerNode],
    ) -> Iterator[Secondary]:
        """Return the secondary edges, each told by one of its ends."""
        word_rows = {id(word): row for row, word in enumerate(words)}
        rows = {id(node): row for row, node in enumerate(nodes)}
        for end in (*words, *nodes):
            word, node = word_rows.get(id(end), -1), rows.get(id(end), -1)
            for label, target, line in end.secondary:
                up = everyone.get(target)
                if up is None:
                    self._unknown(target, line)
                elif id(up) not in word_rows:
                    yield rows.get(id(up), -1), word, node, label
                elif node >= 0:  # it stands at its upper end
                    yield node, word_rows[id(up)], -1, label

    def _numbered(self, sentence: _TigerSentence) -> dict[str, _TigerNode]:
        """Return the words and nodes by their ids."""
        everyone: dict[str, _TigerNode] = {}
        for node in [*sentence.words, *sentence.nodes]:
            if not node.key:
                self.graphs.problem(node.line, "a word or node without an id")
            elif node.key in everyone:
                self.graphs.problem(node.line, f"the id {quoted(node.key)} occurs again")
            everyone[node.key] = node
        if sentence.root and sentence.root[0] not in everyone:
            self._unknown(*sentence.root)
        return everyone

    def _connect(self, sentence: _TigerSentence, everyone: Mapping[str, _TigerNode]) -> None:
        """Give everyone a parent, and find the nodes that stand for the top."""
        for parent, label, target, line in sentence.edges:
            child = everyone.get(target)
            if child is None:
                self._unknown(target, line)
            elif child.parent is not None:
                message = f"{quoted(target)} has two parents; a second one needs a secedge"
                self.graphs.problem(line, message)
            else:
                child.parent, child.edge = parent, label
        for node in sentence.nodes:
            node.virtual = node.parent is None and node.texts.get("label") == _VIRTUAL

    def _unknown(self, target: str, line: int) -> None:
        message = f"idref {quoted(target)}; there is no such word or node in the sentence"
        self.graphs.problem(line, message)


def _node(attributes: Mapping[str, str], column: Callable[[str], str], line: int) -> _TigerNode:
    texts = {}
    for attribute, value in attributes.items():
        name = column(attribute)
        if name == "form" or (name == "tag" and not value):
            texts[name] = value
        elif name == "label":
            texts[name] = "" if value == "--" else value
        elif name:
            texts[name] = something(value)
    return _TigerNode(attributes.get("id", ""), texts, line)


@cache
def _word_column(attribute: str) -> str:
    return _column(attribute, _WORD_ATTRIBUTES)


@cache
def _node_column(attribute: str) -> str:
    return _column(attribute, _NODE_ATTRIBUTES)


def _column(attribute: str, known: Mapping[str, str]) -> str:
    """Return the column for an attribute, or nothing for an id or for what is XML's own."""
    if attribute == "id" or not _NAME.fullmatch(attribute):
        return ""
    return known.get(attribute) or (_PREFIX if attribute in _TAKEN else "") + attribute


def _row(node: _TigerNode, rows: Mapping[int, int]) -> Row:
    parent = rows.get(id(node.parent), -1) if node.parent else -1
    return {**node.texts, "edge": node.edge}, parent, node.line


# ── writing ──────────────────────────────────────────────────────────────────────────────────────

Attributes = dict[str, Strings]
_Written = tuple[str, str, int]
"""A word or a node: its attributes as they are written, the label of its edge, its parent."""

_CAT_VIRTUAL = f' cat="{_VIRTUAL}"'


def write(corpus: Constituents) -> Iterator[bytes]:
    """Return the bytes of a file, sentence by sentence."""
    of_words = _attributes(corpus.words, _WORD_ATTRIBUTES)
    of_nodes = _attributes(corpus.nodes, _NODE_ATTRIBUTES)
    yield _lines(_head(corpus, of_words["pos"], of_nodes["cat"], of_words, of_nodes))
    words, nodes = _rows(corpus.words, of_words), _rows(corpus.nodes, of_nodes)
    edges = _secondary(corpus.secondary)
    scattered = ~extents(corpus.words, corpus.nodes).continuous
    tables = (corpus.words, corpus.nodes, corpus.secondary)
    offsets = zip(*(table.offsets.tolist() for table in tables), strict=True)
    for (key, opening), ((w, n, e), (w_end, n_end, e_end)) in zip(
        _openings(corpus), pairwise(offsets), strict=True
    ):
        graph = _graph(key, words[w:w_end], nodes[n:n_end], edges[e:e_end], scattered[n:n_end])
        yield _lines([opening, *graph, "</s>"])
    yield _lines(["</body>", "</corpus>"])


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def _attributes(table: Table, known: Mapping[str, str]) -> Attributes:
    """Return the attributes of words or nodes with their values; nothing is ``--``."""
    attributes: Attributes = {}
    for attribute, name in known.items():
        column = table.strings(name)
        if attribute == "word":
            attributes[attribute] = column
        elif name == "label":
            attributes[attribute] = column.map(lambda text: text or "--")
        elif attribute != "morph" or known is _WORD_ATTRIBUTES or column.where(_is_something).any():
            attributes[attribute] = _marked(column)
    for name, further in table.columns.items():
        if name in (*known.values(), "edge") or not isinstance(further, Strings):
            continue
        attribute = name.removeprefix(_PREFIX)
        if not _NAME.fullmatch(attribute) or attribute in ("id", *known):
            raise UsageError(f"TIGER-XML cannot hold a column with the name {quoted(name)}")
        attributes[attribute] = _marked(further)
    return attributes


def _is_something(text: str) -> bool:
    return text != "_"


def _marked(column: Strings) -> Strings:
    return column.map(lambda text: "--" if text == "_" else text)


def _head(
    corpus: Constituents, tags: Strings, labels: Strings, of_words: Attributes, of_nodes: Attributes
) -> Iterator[str]:
    """Return the lines before the first sentence; they declare what is used in the data."""
    yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    yield '<corpus id="corpus">'
    yield "<head>"
    yield "<annotation>"
    for domain, attributes, listed in (("T", of_words, tags), ("NT", of_nodes, labels)):
        for name, column in attributes.items():
            values = column.counts() if column is listed else {}
            yield from _declared(f'feature name="{name}" domain="{domain}"', values)
    edges = {**_edges(corpus.words).counts(), **_edges(corpus.nodes).counts(), "--": 1}
    yield from _declared("edgelabel", edges)
    if corpus.secondary.rows:
        yield from _declared("secedgelabel", _marked(corpus.secondary.strings("label")).counts())
    yield "</annotation>"
    yield "</head>"
    yield "<body>"


def _edges(table: Table) -> Strings:
    return _marked(table.strings("edge"))


def _declared(element: str, values: Iterable[str]) -> list[str]:
    return _element(element, [f'<value name="{escaped(value)}"/>' for value in sorted(values)])


def _rows(table: Table, attributes: Attributes) -> list[_Written]:
    columns = [_pairs(name, column) for name, column in attributes.items()]
    texts = map("".join, zip(*columns, strict=True))
    edges = _edges(table).map(escaped).tolist()
    return list(zip(texts, edges, table.numbers("parent").tolist(), strict=True))


def _pairs(name: str, column: Strings) -> list[str]:
    return column.map(lambda text: f' {name}="{escaped(text)}"').tolist()


def _secondary(table: Table) -> list[tuple[int, int, int, str]]:
    ends = (table.numbers(name).tolist() for name in ("parent", "word", "node"))
    return list(zip(*ends, _marked(table.strings("label")).map(escaped).tolist(), strict=True))


def _openings(corpus: Constituents) -> Iterator[tuple[str, str]]:
    """Return the id of each sentence and the tag that opens it, with its comments."""
    names = corpus.metadata("sent_id").tolist()
    taken = set(names)
    used: set[str] = set()
    for place, (name, block) in enumerate(zip(names, corpus.comments.tolist(), strict=True), 1):
        key = name
        if not name or name in used:
            key = f"s{place}"
            while key in taken or key in used:
                key = f"s{key}"
        used.add(key)
        lines = block.split("\n") if block else []
        keyed = filter(None, map(_COMMENT.fullmatch, lines[1:]))
        attributes = {"id": key, **{match.group(1): match.group(2) for match in keyed}}
        if lines[:1] != [f"# sent_id = {key}"] or len(attributes) != len(lines):
            attributes = {"id": key, "comments": block} if lines else {"id": key}
        texts = [f'{attribute}="{escaped(text)}"' for attribute, text in attributes.items()]
        yield escaped(key), f"<s {' '.join(texts)}>"


def _graph(
    key: str,
    words: Sequence[_Written],
    nodes: Sequence[_Written],
    edges: Sequence[tuple[int, int, int, str]],
    scattered: NDArray[np.bool_],
) -> Iterator[str]:
    """Return the lines between the tags of a sentence."""
    if not words:
        return
    word_ids = [f"{key}_{place}" for place in range(1, len(words) + 1)]
    first = max(_FIRST_NODE, len(words) + 1)
    order = post_order([parent for _, _, parent in nodes])
    top = f"{key}_{_VIRTUAL}"
    node_ids = [*(f"{key}_{first + place}" for place in order), top]  # the last one for parent -1
    below: list[list[str]] = [[] for _ in node_ids]
    for members, ids in ((words, word_ids), (nodes, node_ids)):
        for (_, label, parent), child in zip(members, ids, strict=False):
            below[parent].append(f'<edge label="{label}" idref="{child}"/>')
    above: dict[tuple[int, int], list[str]] = {}
    for parent, word, node, label in edges:
        line = f'<secedge label="{label}" idref="{node_ids[parent]}"/>'
        above.setdefault((word, node), []).append(line)
    if all(parent >= 0 for parent, *_ in edges):
        top = _top([*zip(word_ids, words, strict=True), *zip(node_ids, nodes, strict=False)]) or top
    gaps = ' discontinuous="true"' if scattered.any() else ""
    yield f'<graph root="{top}"{gaps}>'
    yield "<terminals>"
    for row, ((attributes, _, _), name) in enumerate(zip(words, word_ids, strict=True)):
        yield from _element(f't id="{name}"{attributes}', above.get((row, -1), ()))
    yield "</terminals>"
    yield "<nonterminals>"
    for row in sorted(range(len(nodes)), key=order.__getitem__):
        inner = [*below[row], *above.get((-1, row), ())]
        yield from _element(f'nt id="{node_ids[row]}"{nodes[row][0]}', inner)
    if top == node_ids[-1]:
        yield from _element(f'nt id="{top}"{_CAT_VIRTUAL}', below[-1])
    yield "</nonterminals>"
    yield "</graph>"


def _top(members: Sequence[tuple[str, _Written]]) -> str:
    """Return the id of the top, if there is just one that needs no virtual node above it."""
    tops = [(key, attributes, label) for key, (attributes, label, parent) in members if parent < 0]
    key, attributes, label = tops[0]
    plain = len(tops) == 1 and label == "--" and not attributes.startswith(_CAT_VIRTUAL)
    return key if plain else ""


def _element(start: str, inner: Sequence[str]) -> list[str]:
    return [f"<{start}>", *inner, f"</{start.partition(' ')[0]}>"] if inner else [f"<{start}/>"]


FORMAT = Format(
    name="tigerxml",
    title="TIGER-XML",
    corpus=Constituents,
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=lambda _: 0,
    write=write,
    aliases=("tiger", "tiger-xml"),
    concatenable=False,
)
