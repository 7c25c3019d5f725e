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

A subcorpus may stand in a file of its own, ``<subcorpus name="a" external="file:a.xml"/>``. There
it is ``<subcorpus name="a"><s …``, and it is read where that file is in the same folder.

The attributes of ``<s>`` become the comment lines: ``id`` the sent_id, any other one itself. They
are written as attributes again where that gives the same lines; where it does not, all of them go
into one attribute, ``comments``. A sentence without a sent_id, or with one that an earlier sentence
has, is given the id ``s`` and its number.

XML has characters that it cannot hold (control characters, most of all); a treebank with one of
them is refused on writing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from commonground.corpus import Constituents
from commonground.errors import Problem, quoted
from commonground.formats.format import Format, FormatOptions
from commonground.formats.notation.graphs import (
    Graphs,
    Row,
    Secondary,
    graphs_in,
    something,
)
from commonground.formats.notation.neighbours import neighbour
from commonground.formats.notation.tiger_writing import (
    ATTRIBUTE,
    NODE_ATTRIBUTES,
    PREFIX,
    VIRTUAL,
    WORD_ATTRIBUTES,
    write,
)
from commonground.formats.storage.files import read_bytes

__all__ = ["FORMAT"]

_TAKEN = frozenset({"form", "tag", "label", "feats", "edge", "parent"})

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


def read(data: bytes, path: str, line: int, options: FormatOptions) -> Constituents:
    """Read a whole file, with the subcorpora that stand in files beside it."""
    reader = _TigerReader(path if options.parts else "")
    corpus = graphs_in(data, reader).corpus(path, line)
    pieces, done = [], 0
    for file, (place, above) in reader.external.items():
        part = graphs_in(read_bytes(file), _TigerReader(above=above)).corpus(file, 1)
        pieces += [corpus[done:place], part]
        done = place
    return Constituents.concatenate([*pieces, corpus[done:]]) if pieces else corpus


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

    def __init__(self, path: str = "", above: Sequence[str] = ()) -> None:
        self.graphs = Graphs()
        self.external: dict[str, tuple[int, list[str]]] = {}
        """Files of subcorpora: after how many sentences, and the subcorpora that they are in."""
        self._path = path
        self._sentences = 0
        self._sentence: _TigerSentence | None = None
        self._node: _TigerNode | None = None
        self._names: set[str] = set()
        self._subcorpora = [*above]
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
            if "external" in attributes:
                self._outside(attributes["external"], line)
            self._subcorpora.append(attributes.get("name", ""))
        elif self._sentence is not None:
            self._inside(name, attributes, line, self._sentence)

    def _outside(self, name: str, line: int) -> None:
        """Note the file that a subcorpus is in."""
        file = neighbour(self._path, name) if self._path else None
        if file and file not in self.external:
            self.external[file] = self._sentences, [*self._subcorpora]
            return
        why = ", that was named before" if file else ", that is not beside it" if self._path else ""
        message = f"the subcorpus is in another file, {quoted(name)}{why}; read that"
        self.graphs.problem(line, message)

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
            (n, value) for n, value in attributes.items() if n != "id" and ATTRIBUTE.fullmatch(n)
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
        self._sentences += 1

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
            node.virtual = node.parent is None and node.texts.get("label") == VIRTUAL

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
    return _column(attribute, WORD_ATTRIBUTES)


@cache
def _node_column(attribute: str) -> str:
    return _column(attribute, NODE_ATTRIBUTES)


def _column(attribute: str, known: Mapping[str, str]) -> str:
    """Return the column for an attribute, or nothing for an id or for what is XML's own."""
    if attribute == "id" or not ATTRIBUTE.fullmatch(attribute):
        return ""
    return known.get(attribute) or (PREFIX if attribute in _TAKEN else "") + attribute


def _row(node: _TigerNode, rows: Mapping[int, int]) -> Row:
    parent = rows.get(id(node.parent), -1) if node.parent else -1
    return {**node.texts, "edge": node.edge}, parent, node.line


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
