r"""Alignments of two treebanks in the XML of the Stockholm TreeAligner, which is read, not written.

An ``<align>`` links two nodes of TIGER-XML treebanks by their ids (``s7_3``: of sentence ``s7`` the
third word, as nodes from 500 on are phrases); its type is ``good``, which is a sure link, or
``fuzzy``, which is a possible one; a ``comment`` is a remark about two nodes, and no link.
Sentences make a pair where a ``<sen-align>`` or a link says so, in the order of the file; their ids
are the comments ``source_id`` and ``target_id``. The treebank that is named first in the file is
the source.

Links between words are the ``links``; those between phrases, or a phrase and a word, stand with the
ids of their nodes in the table ``phrases``. The words themselves are in the treebanks' own files.

>>> from commonground.formats import read_text
>>> nodes = "<node treebank_id='de' node_id='{}'/><node treebank_id='es' node_id='{}'/>"
>>> corpus = read_text(
...     "<treealign><head><treebanks><treebank id='de'/><treebank id='es'/></treebanks></head>"
...     f"<alignments><align type='good'>{nodes.format('s1_2', 's9_1')}</align>"
...     f"<align type='fuzzy'>{nodes.format('s1_501', 's9_500')}</align></alignments></treealign>"
... )
>>> corpus.source.tolist(), corpus.target.tolist(), corpus.tables["phrases"].rows
([1], [0], 1)
>>> corpus.metadata("source_id").tolist(), corpus.metadata("target_id").tolist()
(['s1'], ['s9'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from commonground.corpus import Alignments, Strings, Table
from commonground.corpus.table import offsets_of
from commonground.errors import InputError, Problem, quoted
from commonground.formats.format import Format, FormatOptions
from commonground.formats.notation.markup import parse

__all__ = ["FORMAT"]

_NODE = re.compile(r"(.+)_([0-9]{1,9}|VROOT)")
_PHRASES = 500
_REMARK = "comment"
_SURE = {"good": 1, "fuzzy": 0}

Node = tuple[str, str]
"""A node: the id of its treebank, and its own."""


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file is of the TreeAligner: by its first element."""
    return 1.0 if re.match(r"\s*(<\?xml[^>]*>\s*)?<treealign[\s>]", start) else 0.0


class _TreealignerReader:
    """The elements of a file: the pairs of sentences, and the links in each."""

    def __init__(self) -> None:
        self.treebanks: list[str] = []
        self.pairs: dict[tuple[str, str], int] = {}
        self.links: list[tuple[int, int, int, int]] = []
        self.phrases: list[tuple[int, str, str, int]] = []
        self.wrong: list[Problem] = []
        self._open: tuple[str, int, int] | None = None
        self._nodes: list[Node] = []

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        """Take the beginning of an element."""
        if name == "treebank":
            self.treebanks.append(attributes.get("id", ""))
        elif name in ("align", "sen-align"):
            kind = attributes.get("type", "good")
            if kind == _REMARK:
                return
            if kind not in _SURE:
                self.wrong.append(Problem(line, f"type is {quoted(kind)}; good or fuzzy expected"))
            self._open, self._nodes = (name, _SURE.get(kind, 1), line), []
        elif name == "node" and self._open:
            self._nodes.append((attributes.get("treebank_id", ""), attributes.get("node_id", "")))

    def text(self, text: str) -> None:
        """Text between two tags says nothing."""

    def end(self, name: str) -> None:
        """Take the end of an element."""
        if self._open is None or name != self._open[0]:
            return
        _, sure, line = self._open
        self._open = None
        try:
            one, two = self._ends()
        except ValueError as error:
            self.wrong.append(Problem(line, str(error)))
            return
        (here, source), (there, target) = one, two
        pair = self.pairs.setdefault((here, there), len(self.pairs))
        if name == "sen-align":
            return
        if source.isdecimal() and target.isdecimal() and max(int(source), int(target)) < _PHRASES:
            self.links.append((pair, int(source) - 1, int(target) - 1, sure))
        else:
            self.phrases.append((pair, f"{here}_{source}", f"{there}_{target}", sure))

    def _ends(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return the sentence and the number of the source node, and of the target node."""
        if len(self.treebanks) != 2:
            raise ValueError("the head names two treebanks before the first link")
        nodes = dict(self._nodes)
        if len(self._nodes) != 2 or set(nodes) != set(self.treebanks):
            raise ValueError(f"a link has a node of each of {' and '.join(self.treebanks)}")
        source, target = (_NODE.fullmatch(nodes[treebank]) for treebank in self.treebanks)
        if source is None or target is None or "0" in (source[2], target[2]):
            raise ValueError("a node has an id such as s1_1 or s1_500")
        return (source[1], source[2]), (target[1], target[2])


def _read(data: bytes) -> tuple[_TreealignerReader, list[Problem]]:
    reader = _TreealignerReader()
    broken = parse(data, reader)
    return reader, [*reader.wrong, *([broken] if broken else [])]


def read(data: bytes, path: str, line: int, _: FormatOptions) -> Alignments:
    """Read a whole file."""
    reader, wrong = _read(data)
    if wrong:
        raise InputError(path, line + wrong[0].line - 1, wrong[0].message)
    count = len(reader.pairs)
    links = np.array(sorted(set(reader.links)), np.int32).reshape(-1, 4)
    phrases = sorted(set(reader.phrases))
    lengths = [np.bincount(pairs, minlength=count) for pairs in (links[:, 0], _pairs(phrases))]
    return Alignments(
        {
            "links": Table(
                offsets_of(lengths[0]),
                **{name: links[:, at] for at, name in enumerate(("source", "target", "sure"), 1)},
            ),
            "phrases": Table(
                offsets_of(lengths[1]),
                source=Strings.of(one for _, one, _, _ in phrases),
                target=Strings.of(two for _, _, two, _ in phrases),
                sure=np.array([sure for *_, sure in phrases], np.int32),
            ),
        },
        comments=[f"# source_id = {one}\n# target_id = {two}" for one, two in reader.pairs],
        path=path,
        lines=np.full(count, line),
    )


def _pairs(phrases: list[tuple[int, str, str, int]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([pair for pair, *_ in phrases], np.int64)


def problems(data: bytes, _: FormatOptions) -> Iterator[Problem]:
    """Find everything that is wrong with a file."""
    return iter(sorted(_read(data)[1], key=lambda problem: problem.line))


def cut(_: bytes) -> int:
    """Cut nowhere: links of a pair may stand anywhere in the file."""
    return 0


FORMAT = Format(
    name="treealigner",
    title="Stockholm TreeAligner (XML, word and phrase alignments)",
    corpus=Alignments,
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=cut,
)
