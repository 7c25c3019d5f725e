"""Between the relations of one sentence at a time, as files have them, and a corpus in columns.

A format of relations is a :class:`Notation`: a function that finds an :class:`Analysis` of each
sentence in a file, and one that returns the text of an analysis. Reading, checking and writing
follow from these two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from commonground.corpus import Relations, Strings, Table
from commonground.corpus.table import Column
from commonground.errors import Problem, UsageError, quoted
from commonground.formats.format import FormatOptions
from commonground.formats.notation.line_reader import problems_among, sound

__all__ = ["Analysis", "Notation", "Relation", "RelationNode"]

_CHUNK = 1000
_LONGEST = 100_000


class RelationNode(NamedTuple):
    """What a relation holds between; `more` is what the notation adds to the columns of nodes."""

    text: str
    first: int = -1
    last: int = -1
    more: tuple[str | int, ...] = ()


class Relation(NamedTuple):
    """A relation, as the columns of :class:`Relations` describe it."""

    label: str
    head: RelationNode | None = None
    dependent: RelationNode | None = None
    subtype: str = "_"
    value: str = "_"


@dataclass(slots=True)
class Analysis:
    """The relations of one sentence, the line it begins on, its comments and its words."""

    line: int = field(compare=False)
    comments: list[str] = field(default_factory=list)
    words: list[tuple[str, ...]] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Notation:
    """How files write relations.

    `find` yields the sentences of a file, and the problems. `render` returns the text of a
    sentence; it gets what `carried` leaves of it, which is what the notation can carry. Files of
    relations are free text with few rules about what a word may contain; so each text is read once
    more before it is written, and a sentence that would come back as something else is refused.

    `node_columns` are the names of what nodes have in `more`, with the value that means nothing.
    Words have either all of the `word_columns` or only the first of them.
    """

    title: str
    find: Callable[[bytes], Iterable[Analysis | Problem]]
    render: Callable[[Analysis], str] = lambda _: ""
    carried: Callable[[Analysis], Analysis] = lambda analysis: analysis
    node_columns: Mapping[str, str | int] = field(default_factory=dict)
    word_columns: Sequence[str] = ("form",)

    def read(self, data: bytes, path: str, line: int, _: FormatOptions) -> Relations:
        """Read a whole file."""
        return self._corpus(sound(_of_sentences(self.find(data)), path, line), path, line)

    def problems(self, data: bytes, _: FormatOptions) -> Iterator[Problem]:
        """Find everything that is wrong with the lines of a file."""
        return problems_among(_of_sentences(self.find(data)))

    def write(self, corpus: Relations) -> Iterator[bytes]:
        """Return the bytes of a file, sentence by sentence."""
        for place, (whole, nodes) in enumerate(self._analyses(corpus)):
            analysis = self.carried(whole)
            text = self.render(analysis)
            if len(set(nodes)) < len(nodes) or not self._comes_back(text, analysis):
                name = corpus[place].sent_id
                reason = self._reason(analysis)
                raise UsageError(f"sentence {name} cannot be written as {self.title}: {reason}")
            yield text.encode("utf-8")

    def _comes_back(self, text: str, analysis: Analysis) -> bool:
        return list(self.find(text.encode("utf-8", "surrogatepass"))) == [analysis]

    def _reason(self, analysis: Analysis) -> str:
        nothing = Analysis(0)
        if not analysis.relations and not self._comes_back(self.render(nothing), nothing):
            return "it has no relations"
        for relation in analysis.relations:
            alone = Analysis(0, analysis.comments, relations=[relation])
            text = self.render(alone)
            if not self._comes_back(text, alone):
                return f"{quoted(text.strip(), 80)} would be read as something else"
        return "its words, its comments or two equal nodes would be read as something else"

    # ── columns ──────────────────────────────────────────────────────────────────────────────────

    def _corpus(self, analyses: Sequence[Analysis], path: str, line: int) -> Relations:
        nodes: list[RelationNode] = []
        pairs: list[tuple[int, int]] = []
        node_offsets, relation_offsets = [0], [0]
        for analysis in analyses:
            places: dict[RelationNode | None, int] = {None: -1}
            for relation in analysis.relations:
                for node in (relation.head, relation.dependent):
                    places.setdefault(node, len(places) - 1)
                pairs.append((places[relation.head], places[relation.dependent]))
            nodes += [node for node in places if node is not None]
            node_offsets.append(len(nodes))
            relation_offsets.append(len(pairs))
        relations = [relation for analysis in analyses for relation in analysis.relations]
        numbers = np.array(pairs, np.int32).reshape(-1, 2)
        return Relations(
            {
                "words": self._word_table(analyses),
                "nodes": Table(node_offsets, **self._node_columns(nodes)),
                "relations": Table(
                    relation_offsets,
                    label=Strings.of(relation.label for relation in relations),
                    head=numbers[:, 0],
                    dependent=numbers[:, 1],
                    subtype=Strings.of(relation.subtype for relation in relations),
                    value=Strings.of(relation.value for relation in relations),
                ),
            },
            comments=["\n".join(analysis.comments) for analysis in analyses],
            path=path,
            lines=np.array([analysis.line + line - 1 for analysis in analyses], np.int64),
        )

    def _word_table(self, analyses: Sequence[Analysis]) -> Table:
        words = [word for analysis in analyses for word in analysis.words]
        width = max(map(len, words), default=1)
        whole = [word + ("_",) * (width - len(word)) for word in words]
        columns = zip(*whole, strict=True) if whole else [()]
        named = zip(self.word_columns, map(Strings.of, columns), strict=False)
        lengths = [len(analysis.words) for analysis in analyses]
        return Table(np.cumsum([0, *lengths]), **dict(named))

    def _node_columns(self, nodes: Sequence[RelationNode]) -> dict[str, Column]:
        columns: dict[str, Column] = {
            "text": Strings.of(node.text for node in nodes),
            "first": np.array([node.first for node in nodes], np.int32),
            "last": np.array([node.last for node in nodes], np.int32),
        }
        for place, (name, nothing) in enumerate(self.node_columns.items()):
            values = [node.more[place] for node in nodes]
            is_text = isinstance(nothing, str)
            columns[name] = Strings.of(map(str, values)) if is_text else np.array(values, np.int32)
        return columns

    def _analyses(self, corpus: Relations) -> Iterator[tuple[Analysis, list[RelationNode]]]:
        for chunk in corpus.chunks(_CHUNK):
            words = _rows(chunk.words, dict.fromkeys(self.word_columns, "_"))
            nodes = _rows(chunk.nodes, {"text": "_", "first": -1, "last": -1, **self.node_columns})
            relations = _rows(chunk.relations, dict.fromkeys(Relation._fields, "_"))
            bounds = [t.offsets.tolist() for t in (chunk.words, chunk.nodes, chunk.relations)]
            for place, comments in enumerate(chunk.comments.tolist()):
                of_words, of_nodes, of_relations = (slice(*b[place : place + 2]) for b in bounds)
                of_sentence = [
                    RelationNode(text, first, last, tuple(more))
                    for text, first, last, *more in nodes[of_nodes]
                ]
                named = [*of_sentence, None]  # -1 is no node
                parsed = [
                    Relation(label, named[head], named[dependent], subtype, value)
                    for label, head, dependent, subtype, value in relations[of_relations]
                ]
                lines = comments.split("\n") if comments else []
                yield Analysis(0, lines, words[of_words], parsed), of_sentence


def _of_sentences(analyses: Iterable[Analysis | Problem]) -> Iterator[Analysis | Problem]:
    """Return what was found, and tell of words that are in no sentence: memory is kept for each."""
    for analysis in analyses:
        if isinstance(analysis, Analysis):
            nodes = (n for r in analysis.relations for n in (r.head, r.dependent) if n is not None)
            far = max((max(node.first, node.last) for node in nodes), default=0)
            if far > _LONGEST:
                message = f"word {far} in this sentence; it can have {_LONGEST:,} words at most"
                yield Problem(analysis.line, message)
        yield analysis


def _rows(table: Table, names: Mapping[str, str | int]) -> list[tuple[Any, ...]]:
    columns = [
        table[name].tolist() if name in table else [nothing] * table.rows
        for name, nothing in names.items()
    ]
    return list(zip(*columns, strict=True))
