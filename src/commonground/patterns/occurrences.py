"""All places where a pattern matches: how many there are, what they have in common, and examples.

What is found in the pieces of a file, and in several files, adds up, so that a parsebank can be
larger than memory: counts are kept whole, and of the matches themselves only as many as are asked
for, the first ones or a random sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies, Graphs, Strings
from commonground.errors import UsageError
from commonground.patterns.graph import Graph, Rows, graph_of
from commonground.patterns.language import Pattern, column_of, columns_of, parse_pattern
from commonground.patterns.nodes import node_sets
from commonground.patterns.search import Matches, find, finder_of
from commonground.patterns.values import feature_value
from commonground.random import keys_of

__all__ = [
    "Occurrence",
    "Occurrences",
    "OccurrencesTotal",
    "PieceOccurrences",
    "Property",
    "Query",
    "marked_matches",
    "marked_words",
    "occurrences",
    "parse_property",
]


@dataclass(frozen=True, slots=True)
class Property:
    """What matches are counted by: a column (or feature) of a node."""

    node: str
    column: str

    def __str__(self) -> str:
        return f"{self.node}.{self.column}"


def parse_property(text: str, pattern: Pattern) -> Property:
    """Read ``N.lemma``, or ``lemma`` of the only node that is named.

    >>> parse_property("upos", parse_pattern("deprel=obj"))
    Property(node='X', column='upos')
    """
    node, dot, column = text.partition(".")
    if dot and node in pattern.names:
        return Property(node, column)
    if len(pattern.names) == 1:
        return Property(pattern.names[0], text)
    names = ", ".join(pattern.names)
    raise UsageError(
        f"{text!r} does not name a node of the pattern; write NODE.COLUMN, such as "
        f"{pattern.names[0]}.lemma; there are {names}"
    )


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A match: where it is, the words of the sentence, and the words of each node (from 0).

    Nodes of graphs that stand for no word have a label instead.
    """

    path: str
    line: int
    sent_id: str
    text: str
    words: tuple[str, ...]
    nodes: dict[str, tuple[int, int]]
    labels: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the match as JSON has it; words count from 1."""
        nodes = {name: [first + 1, last + 1] for name, (first, last) in self.nodes.items()}
        return {
            "file": self.path, "line": self.line, "sent_id": self.sent_id, "text": self.text,
            "nodes": nodes, "forms": list(self.words),
            "words": {
                name: " ".join(self.words[first : last + 1])
                for name, (first, last) in self.nodes.items()
            } | self.labels,
        }  # fmt: skip


@dataclass
class Occurrences:
    """What was found: numbers of matches and sentences, counts by properties, and examples."""

    pattern: str
    properties: tuple[Property, ...] = ()
    matches: int = 0
    matching: int = 0
    sentences: int = 0
    clusters: Counter[tuple[str, ...]] = field(default_factory=Counter)
    examples: list[Occurrence] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "pattern": self.pattern,
            "matches": self.matches,
            "sentences": {"matching": self.matching, "all": self.sentences},
            "by": [str(each) for each in self.properties],
            "clusters": [
                {"values": list(values), "matches": count} for values, count in self.ranked()
            ],
            "examples": [example.to_json() for example in self.examples],
        }

    def ranked(self) -> list[tuple[tuple[str, ...], int]]:
        """Return the clusters, the largest first."""
        return sorted(self.clusters.items(), key=lambda item: (-item[1], item[0]))


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: a pattern, what matches are counted by, and which ones are shown.

    These are the `first` matches, or a random `sample` of all. With `marks`, the sentences that
    match are wanted too, with the words of nodes marked.
    """

    pattern: Pattern
    properties: tuple[Property, ...] = ()
    first: int = 10
    sample: int = 0
    seed: int = 0
    marks: bool = False

    @classmethod
    def of(cls, pattern: Pattern | str, by: Sequence[str] = (), **options: Any) -> Query:
        """Return a query; `by` names what matches are counted by (``N.lemma``)."""
        wanted = parse_pattern(pattern) if isinstance(pattern, str) else pattern
        return cls(wanted, tuple(parse_property(text, wanted) for text in by), **options)

    @property
    def columns(self) -> frozenset[str]:
        """The columns of words that are looked at to find and count matches."""
        counted = {column_of(each.column) for each in self.properties}
        return columns_of(self.pattern) | counted

    def answer(
        self, path: str, piece: Corpus, *, place: int = 0, room: int | None = None
    ) -> PieceOccurrences:
        """Search a piece of the file that has a `place` among those searched.

        At most `room` examples are of any use: no more are returned.
        """
        graph = graph_of(piece)
        matches = finder_of((self.pattern.text,)).find(graph)[0]
        if self.sample:
            keys = _keys(matches, piece, self.seed, place)
            chosen = np.sort(np.argsort(keys, kind="stable")[: self.sample])
        else:
            chosen = np.arange(min(self.first if room is None else room, len(matches)))
            keys = np.zeros(len(chosen), np.uint64)
        return PieceOccurrences(
            len(matches),
            len(matches.sentences),
            len(piece),
            _clusters(graph, matches, self.properties),
            [(int(keys[n]), _example(path, graph, matches, n)) for n in chosen.tolist()],
            _marked(piece, matches) if self.marks and len(matches) else None,
        )


@dataclass(frozen=True, slots=True)
class PieceOccurrences:
    """What was found in a piece; each example has a key, and those with the least are drawn."""

    matches: int
    matching: int
    sentences: int
    clusters: Counter[tuple[str, ...]]
    examples: list[tuple[int, Occurrence]]
    marked: Corpus | None


class OccurrencesTotal:
    """What was found in all pieces so far, which are added in the order of the files."""

    def __init__(self, query: Query) -> None:
        self._query = query
        self._seen = Occurrences(query.pattern.text, query.properties)
        self._drawn: list[tuple[int, int, Occurrence]] = []

    @property
    def room(self) -> int:
        """How many examples are still wanted at most."""
        return self._query.sample or self._query.first - len(self._drawn)

    def add(self, part: PieceOccurrences) -> None:
        """Add what was found in the next piece."""
        seen, room = self._seen, self.room
        seen.matches += part.matches
        seen.matching += part.matching
        seen.sentences += part.sentences
        seen.clusters.update(part.clusters)
        start = len(self._drawn)
        new = [(key, start + n, each) for n, (key, each) in enumerate(part.examples)]
        if not self._query.sample:
            self._drawn += new[:room]
        elif new:
            least = sorted([*self._drawn, *new], key=lambda each: each[:2])[:room]
            in_order = sorted(least, key=lambda each: each[1])
            self._drawn = [(key, n, each) for n, (key, _, each) in enumerate(in_order)]

    def part(self) -> PieceOccurrences:
        """Return what was found as that of a single piece, without marks."""
        seen = self._seen
        examples = [(key, example) for key, _, example in self._drawn]
        return PieceOccurrences(
            seen.matches, seen.matching, seen.sentences, seen.clusters, examples, None
        )

    def occurrences(self) -> Occurrences:
        """Return what was found."""
        self._seen.examples = [example for _, _, example in self._drawn]
        return self._seen


def occurrences(
    pieces: Iterable[tuple[str, Corpus]],
    pattern: Pattern | str,
    *,
    by: Sequence[str] = (),
    first: int = 10,
    sample: int = 0,
    seed: int = 0,
) -> Occurrences:
    """Search the pieces of treebanks, each with the name of its file, for a pattern.

    `by` names what matches are counted by (``N.lemma``). The examples are the `first` matches, or a
    random `sample` of all of them, which depends on the sentences and on `seed` only.

    >>> from commonground.corpus import Dependencies
    >>> birds = Dependencies.of([(["Birds", "sing", "songs"], [2, 0, 2], ["nsubj", "root", "obj"])])
    >>> seen = occurrences([("birds", birds)], "V -[nsubj|obj]-> N", by=["N.deprel"])
    >>> seen.matches, seen.ranked(), seen.examples[0].nodes
    (2, [(('nsubj',), 1), (('obj',), 1)], {'V': (1, 1), 'N': (0, 0)})
    """
    query = Query.of(pattern, by, first=first, sample=sample, seed=seed)
    total = OccurrencesTotal(query)
    places: dict[str, int] = {}
    for path, piece in pieces:
        place = places.setdefault(path, len(places))
        total.add(query.answer(path, piece, place=place, room=total.room))
    return total.occurrences()


def _clusters(
    graph: Graph, matches: Matches, properties: Sequence[Property]
) -> Counter[tuple[str, ...]]:
    """Count the matches by what nodes read; distinct texts are looked at once."""
    if not properties or not len(matches):
        return Counter()
    codes, texts = np.zeros(len(matches), np.int64), []
    for each in properties:
        numbers, values = _values(graph, matches.rows[each.node], each.column)
        codes = codes * len(values) + numbers
        texts.append(values)
    distinct, counts = np.unique(codes, return_counts=True)
    clusters: Counter[tuple[str, ...]] = Counter()
    shape = tuple(map(len, texts))
    columns = [place.tolist() for place in np.unravel_index(distinct, shape)]
    for places, count in zip(zip(*columns, strict=True), counts.tolist(), strict=True):
        key = tuple(values[place] for values, place in zip(texts, places, strict=True))
        clusters[key] += count
    return clusters


def _values(graph: Graph, rows: Rows, name: str) -> tuple[NDArray[np.integer], Sequence[str]]:
    """Return what a column or feature reads in some rows: a code for each, and the texts."""
    if name == "id":
        places = np.maximum(graph.first[rows] + 1, 0)
        return places, [str(place) for place in range(int(places.max()) + 1)]
    column = graph.column(name)[rows]
    if name[0].isupper() or "." in name:
        feature = name.rpartition(".")[2]
        used = set(column.codes.tolist())
        return column.codes, [
            (feature_value(text, feature) or "_") if code in used else ""
            for code, text in enumerate(column.vocabulary)
        ]
    return column.codes, column.vocabulary


def _keys(matches: Matches, piece: Corpus, seed: int, place: int) -> NDArray[np.uint64]:
    """Return a random number for each match; it is the same however the files are cut."""
    first = np.searchsorted(matches.sentence, matches.sentence)  # of the sentence
    of_sentence = keys_of(piece.numbers[matches.sentence], seed, f"matches {place}")
    return keys_of(of_sentence + (np.arange(len(first)) - first).astype(np.uint64), seed, "match")


def _example(path: str, graph: Graph, matches: Matches, number: int) -> Occurrence:
    sentence = graph.corpus[int(matches.sentence[number])]
    nodes, labels = {}, {}
    for name, rows in matches.rows.items():
        first, last = int(graph.first[rows[number]]), int(graph.last[rows[number]])
        if first < 0 and isinstance(graph.corpus, Graphs):
            labels[name] = graph.corpus.label[int(rows[number])]
        nodes[name] = (first, last) if first >= 0 else (0, -1)
    words = tuple(sentence.column("form", "words"))
    return Occurrence(path, sentence.line, sentence.sent_id, sentence.text, words, nodes, labels)


def marked_words(example: Occurrence) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which words of an example belong to a node of the match."""
    marked = np.zeros(len(example.words), np.bool_)
    for first, last in example.nodes.values():
        marked[first : last + 1] = True
    return marked


def marked_matches(corpus: Corpus, pattern: str) -> Corpus:
    """Return the sentences with a match; the words of nodes are marked in MISC (``Match=V``).

    >>> from commonground.corpus import Dependencies
    >>> birds = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> marked_matches(birds, "V -[nsubj]-> N").words.strings("misc").tolist()
    ['Match=N', 'Match=V']
    """
    return _marked(corpus, find(pattern, corpus))


def _marked(corpus: Corpus, matches: Matches) -> Corpus:
    """Return the sentences with a match, as :func:`marked_matches` does."""
    if isinstance(corpus, Dependencies) and matches.rows:
        rows, sets, which = node_sets({name: matches.rows[name] for name in sorted(matches.rows)})
        misc = corpus.words.strings("misc")
        pairs, of_row = np.unique(misc.codes[rows] * len(sets) + which, return_inverse=True)
        texts = Strings.of(
            _with_nodes(misc.vocabulary[code], sets[place])
            for code, place in zip(*(x.tolist() for x in np.divmod(pairs, len(sets))), strict=True)
        )
        both = Strings.concatenate([misc, Strings(texts.codes[of_row], texts.vocabulary)])
        codes = both.codes[: len(misc)]
        codes[rows] = both.codes[len(misc) :]
        corpus = corpus.replace("words", misc=Strings(codes, both.vocabulary))
    return corpus[matches.sentences]


def _with_nodes(misc: str, nodes: Sequence[str]) -> str:
    """Return the entries of a word that is some nodes of matches."""
    entry = f"Match={','.join(nodes)}"
    return entry if misc in ("_", "") else f"{misc}|{entry}"
