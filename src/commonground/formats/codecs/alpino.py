"""Alpino XML, the format of the Alpino parser and of the Dutch treebanks; it can only be read.

Van Noord et al. (2013), *Large Scale Syntactic Annotation of Written Dutch: Lassy*, and the DTD of
``alpino_ds``, versions 1.3 to 1.17::

    <alpino_ds version="1.3">
      <node begin="0" cat="top" end="3" id="0" rel="top">
        <node begin="0" cat="smain" end="3" id="1" rel="--">
          <node begin="0" end="1" id="2" index="1" pt="vnw" rel="su" word="Wij" …/>
          <node begin="1" end="2" id="3" pt="ww" rel="hd" word="willen" …/>
          <node begin="0" cat="inf" end="3" id="4" rel="vc">
            <node begin="0" end="1" id="5" index="1" rel="su"/>
            <node begin="2" end="3" id="6" pt="ww" rel="hd" word="slapen" …/>
      …
      <sentence sentid="7">Wij willen slapen</sentence>
    </alpino_ds>

A file has one sentence, several inside ``<treebank>``, or several documents one after the other. A
node with a ``word`` is a word, and ``begin`` tells its place; one with a ``cat`` is a phrase with
that label. ``rel`` is the edge (``--`` is nothing). The tag is the part of speech of the Dutch
corpora, ``pt``, or where it is absent that of Alpino, ``pos``; the lemma is ``lemma`` or ``root``,
the features are ``postag`` or ``frame``. The many other attributes are not kept, nor are Universal
Dependencies.

A node with only an ``index`` stands for the word or phrase that has the same index: it becomes a
secondary edge from its parent, labelled with its ``rel``. A phrase of nothing but such nodes has no
words; it is left out, and its edges with it.

The ``sentid`` (or else the name in the comment ``Q#name|…``) is the sent_id, the sentence is the
text; ``<meta>`` data keep their names, the attributes of ``<parser>`` and the comments become
``alpino.cats``, ``alpino.skips``, ``alpino.comment`` and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from commonground.corpus import Constituents
from commonground.errors import Problem, quoted
from commonground.formats.format import Format, FormatOptions
from commonground.formats.notation.graphs import Graphs, Row, Secondary, graphs_in, something

__all__ = ["FORMAT"]

_PLACE = re.compile(r"0|[1-9][0-9]{0,8}")
_QUERY = re.compile(r"Q#([^|\s]+)\|")
_DOCUMENT = re.compile(r"<alpino_ds\b")
_COLLECTIONS = ("treebank", "alpino")
"""The elements that sentences are put into; the second one in the copy of NLTK."""


def looks_like(start: str) -> float:
    """Tell from the first lines whether a file is Alpino XML.

    >>> looks_like('<?xml version="1.0"?><alpino_ds version="1.6">')
    1.0
    """
    return float(start.lstrip().startswith("<") and _DOCUMENT.search(start) is not None)


def read(data: bytes, path: str, line: int, _options: FormatOptions) -> Constituents:
    """Read a whole file."""
    return graphs_in(data, _AlpinoReader(), several=True).corpus(path, line)


def problems(data: bytes, _options: FormatOptions) -> Iterator[Problem]:
    """Find everything that is wrong with a file, up to where it stops being XML."""
    return graphs_in(data, _AlpinoReader(), several=True).problems()


@dataclass(slots=True, eq=False)
class _AlpinoNode:
    """A word, a phrase, or what only has the index of another node."""

    line: int
    attributes: Mapping[str, str]
    parent: _AlpinoNode | None
    place: int = -1
    has_words: bool = False

    @property
    def is_word(self) -> bool:
        return "word" in self.attributes

    @property
    def is_phrase(self) -> bool:
        return "cat" in self.attributes

    @property
    def index(self) -> str:
        return self.attributes.get("index", "")


@dataclass(slots=True)
class _AlpinoSentence:
    """The sentence that is being read."""

    line: int
    nodes: list[_AlpinoNode] = field(default_factory=list)
    metadata: list[tuple[str, str]] = field(default_factory=list)
    name: str = ""
    text: str = ""


class _AlpinoReader:
    """What is known between two elements of a file."""

    def __init__(self) -> None:
        self.graphs = Graphs()
        self._sentence: _AlpinoSentence | None = None
        self._above: list[_AlpinoNode] = []
        self._text: list[str] = []
        self._is_first = True

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        if self._is_first and name not in ("alpino_ds", *_COLLECTIONS):
            message = f"the first element is {quoted(name)}; it must be alpino_ds or treebank"
            self.graphs.problem(line, message)
        self._is_first = False
        if name == "alpino_ds":
            if self._sentence is not None:
                self.graphs.problem(line, "<alpino_ds> inside <alpino_ds>")
            self._sentence = _AlpinoSentence(line)
            self._above = []
        elif self._sentence is not None:
            self._inside(name, attributes, line, self._sentence)

    def _inside(
        self, name: str, attributes: dict[str, str], line: int, sentence: _AlpinoSentence
    ) -> None:
        if name == "node":
            node = _AlpinoNode(line, attributes, self._above[-1] if self._above else None)
            self._check(node)
            sentence.nodes.append(node)
            self._above.append(node)
        elif name == "sentence":
            sentence.name = attributes.get("sentid", "")
        elif name == "meta":
            sentence.metadata.append((attributes.get("name", ""), attributes.get("value", "")))
        elif name == "parser":
            sentence.metadata += [(f"alpino.{key}", value) for key, value in attributes.items()]
        self._text = []

    def _check(self, node: _AlpinoNode) -> None:
        """Note what is wrong with a node by itself."""
        begin = node.attributes.get("begin", "")
        if node.is_word and node.is_phrase:
            self.graphs.problem(node.line, "a node has a cat or a word, but not both")
        elif not (node.is_word or node.is_phrase or node.index):
            self.graphs.problem(node.line, "a node needs a cat, a word or an index")
        elif node.is_word and not _PLACE.fullmatch(begin):
            self.graphs.problem(
                node.line, f"begin is {quoted(begin)}; the place of the word, from 0"
            )
        elif node.is_word:
            node.place = int(begin)
        if node.parent and not node.parent.is_phrase:
            self.graphs.problem(node.line, "a node inside a node that is not a phrase (with a cat)")

    def end(self, name: str) -> None:
        sentence = self._sentence
        if sentence is None:
            return
        text = " ".join("".join(self._text).split("\n")).strip()
        if name == "node":
            self._above.pop()
        elif name == "sentence":
            sentence.text = text
        elif name == "comment" and text:
            sentence.metadata.append(("alpino.comment", text))
        elif name == "alpino_ds":
            self._finish(sentence)
            self._sentence = None

    def text(self, text: str) -> None:
        self._text.append(text)

    def _finish(self, sentence: _AlpinoSentence) -> None:
        """Add a sentence to the treebank."""
        words = self._ordered([node for node in sentence.nodes if node.is_word])
        for node in reversed(sentence.nodes):
            if node.parent and (node.is_word or node.has_words):
                node.parent.has_words = True
        phrases = [node for node in sentence.nodes if node.is_phrase and node.has_words]
        rows = {node: row for row, node in enumerate(phrases)}
        self.graphs.add(
            sentence.line,
            _comments(sentence),
            [_row(word, rows) for word in words],
            [_row(phrase, rows) for phrase in phrases],
            self._secondary(sentence, {word: row for row, word in enumerate(words)}, rows),
        )

    def _ordered(self, words: list[_AlpinoNode]) -> list[_AlpinoNode]:
        places: set[int] = set()
        for word in words:
            if word.place in places and word.place >= 0:
                self.graphs.problem(word.line, f"there is another word with begin {word.place}")
            places.add(word.place)
        return sorted(words, key=lambda word: word.place)

    def _secondary(
        self,
        sentence: _AlpinoSentence,
        words: Mapping[_AlpinoNode, int],
        phrases: Mapping[_AlpinoNode, int],
    ) -> Iterator[Secondary]:
        """Return an edge for each node that only has an index."""
        known: dict[str, _AlpinoNode] = {}
        for node in sentence.nodes:
            if node.index and (node.is_word or node.is_phrase):
                if node.index in known:
                    message = f"there is another node with the index {quoted(node.index)}"
                    self.graphs.problem(node.line, message)
                known[node.index] = node
        for node in sentence.nodes:
            if node.is_word or node.is_phrase or not node.index:
                continue
            target = known.get(node.index)
            if target is None:
                message = f"no word or phrase has the index {quoted(node.index)}"
                self.graphs.problem(node.line, message)
            elif node.parent and node.parent in phrases and (target in words or target in phrases):
                at = (words.get(target, -1), phrases.get(target, -1))
                yield phrases[node.parent], *at, something(node.attributes.get("rel", ""))


def _comments(sentence: _AlpinoSentence) -> list[str]:
    matches = (_QUERY.match(value) for key, value in sentence.metadata if key == "alpino.comment")
    name = sentence.name or next((match.group(1) for match in matches if match), "")
    pairs = [("sent_id", name), ("text", sentence.text), *sentence.metadata]
    return [f"# {key} = {value}".replace("\n", " ") for key, value in pairs if value]


def _row(node: _AlpinoNode, phrases: Mapping[_AlpinoNode, int]) -> Row:
    attributes = node.attributes
    texts = {"edge": something(attributes.get("rel", ""))}
    if node.is_word:
        texts["form"] = attributes["word"]
        texts["tag"] = something(attributes.get("pt") or attributes.get("pos", ""))
        texts["lemma"] = something(attributes.get("lemma") or attributes.get("root", ""))
        texts["feats"] = something(attributes.get("postag") or attributes.get("frame", ""))
    else:
        texts["label"] = something(attributes["cat"])
    return texts, phrases.get(node.parent, -1) if node.parent else -1, node.line


FORMAT = Format(
    name="alpino",
    title="Alpino XML",
    corpus=Constituents,
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=lambda _: 0,
    aliases=("alpino_ds", "lassy"),
)
