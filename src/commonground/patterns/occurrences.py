"""All places where a pattern matches: how many there are, what they have in common, and examples.

What is found in the pieces of a file, and in several files, adds up, so that a parsebank can be
larger than memory: counts are kept whole, and of the matches themselves only as many as are asked
for, the first ones or a random sample.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np

from commonground.corpus import Corpus, Dependencies, Strings
from commonground.errors import UsageError
from commonground.patterns.graph import Graph, graph_of
from commonground.patterns.language import Pattern, parse_pattern
from commonground.patterns.search import Matches, find
from commonground.patterns.values import feature_value

__all__ = [
    "Occurrence",
    "Occurrences",
    "Property",
    "counted",
    "empty_count",
    "marked",
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
    """A match: where it is, the words of the sentence, and the words of each node (from 0)."""

    path: str
    line: int
    sent_id: str
    text: str
    words: tuple[str, ...]
    nodes: dict[str, tuple[int, int]]

    def to_json(self) -> dict[str, Any]:
        """Return the match as JSON has it; words count from 1."""
        nodes = {name: [first + 1, last + 1] for name, (first, last) in self.nodes.items()}
        return {
            "file": self.path, "line": self.line, "sent_id": self.sent_id, "text": self.text,
            "nodes": nodes, "forms": list(self.words),
            "words": {
                name: " ".join(self.words[first : last + 1])
                for name, (first, last) in self.nodes.items()
            },
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
    seen = empty_count(pattern, by)
    for _ in counted(pieces, seen, first=first, sample=sample, seed=seed):
        pass
    return seen


def empty_count(pattern: Pattern | str, by: Sequence[str] = ()) -> Occurrences:
    """Return what is known of a pattern before anything was searched."""
    wanted = parse_pattern(pattern) if isinstance(pattern, str) else pattern
    return Occurrences(wanted.text, tuple(parse_property(text, wanted) for text in by))


def counted(
    pieces: Iterable[tuple[str, Corpus]],
    seen: Occurrences,
    *,
    first: int = 10,
    sample: int = 0,
    seed: int = 0,
) -> Iterator[tuple[Corpus, Matches]]:
    """Count the matches of a pattern in `seen`, and return each piece that has some with them."""
    wanted = parse_pattern(seen.pattern)
    drawn: list[tuple[int, int, Occurrence]] = []
    for path, piece in pieces:
        graph = graph_of(piece)
        matches = find(wanted, graph)
        seen.clusters.update(_clusters(graph, matches, seen.properties))
        if sample:
            for weight, number in _weights(len(matches), seed, seen.matches):
                if len(drawn) < sample or weight > drawn[0][0]:
                    example = _example(path, graph, matches, number)
                    heapq.heappush(drawn, (weight, -(seen.matches + number), example))
                    if len(drawn) > sample:
                        heapq.heappop(drawn)
        else:
            room = min(first - len(seen.examples), len(matches))
            seen.examples += [_example(path, graph, matches, number) for number in range(room)]
        seen.matches += len(matches)
        seen.matching += len(matches.sentences)
        seen.sentences += len(piece)
        if len(matches):
            yield piece, matches
    if sample:
        seen.examples = [example for _, _, example in sorted(drawn, key=lambda each: -each[1])]


def _clusters(
    graph: Graph, matches: Matches, properties: Sequence[Property]
) -> Counter[tuple[str, ...]]:
    if not properties:
        return Counter()
    columns = [_values(graph, matches, each) for each in properties]
    return Counter(zip(*columns, strict=True))


def _values(graph: Graph, matches: Matches, wanted: Property) -> list[str]:
    """Return what a column or feature reads, of one node in each match."""
    rows = matches.rows[wanted.node]
    if wanted.column == "id":
        return [str(number) for number in (graph.first[rows] + 1).tolist()]
    column = graph.column(wanted.column)[rows]
    if wanted.column[0].isupper() or "." in wanted.column:
        name = wanted.column.rpartition(".")[2]
        texts = [feature_value(text, name) or "_" for text in column.vocabulary]
        return [texts[code] for code in column.codes.tolist()]
    return column.tolist()


def _example(path: str, graph: Graph, matches: Matches, number: int) -> Occurrence:
    sentence = graph.corpus[int(matches.sentence[number])]
    nodes = {
        name: (int(graph.first[rows[number]]), int(graph.last[rows[number]]))
        for name, rows in matches.rows.items()
    }
    words = tuple(sentence.column("form", "words"))
    return Occurrence(path, sentence.line, sentence.sent_id, sentence.text, words, nodes)


def _weights(count: int, seed: int, before: int) -> Iterator[tuple[int, int]]:
    """Return a random weight for each match; they are the same however the files are cut."""
    for number in range(count):
        key = crc32(f"{seed}:{before + number}".encode())
        yield key * 2654435761 % 2**32, number


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
    return marked(corpus, find(pattern, corpus))


def marked(corpus: Corpus, matches: Matches) -> Corpus:
    """Return the sentences with a match, as :func:`marked_matches` does."""
    if isinstance(corpus, Dependencies):
        names: dict[int, set[str]] = {}
        for name, rows in matches.rows.items():
            for row in rows.tolist():
                names.setdefault(row, set()).add(name)
        misc = corpus.words.strings("misc").tolist()
        for row, those in names.items():
            entry = f"Match={','.join(sorted(those))}"
            misc[row] = entry if misc[row] in ("_", "") else f"{misc[row]}|{entry}"
        corpus = corpus.replace("words", misc=Strings.of(misc))
    return corpus[matches.sentences]
