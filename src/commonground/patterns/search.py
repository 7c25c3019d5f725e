"""Finding patterns in a whole corpus at once; what is known of its texts is known of all rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from commonground.corpus import Corpus
from commonground.patterns.graph import Graph, Rows, graph_of
from commonground.patterns.language import Pattern, parse_pattern
from commonground.patterns.plan import Plan

__all__ = ["Finder", "Matches", "find", "finder_of"]


@dataclass(frozen=True)
class Matches:
    """Where a pattern was found: the `sentence` of each match, and the row of each named node.

    The rows are those of the corpus's words (of constituents: phrases first, then words; of
    relations: nodes), counted in the whole corpus.
    """

    sentence: Rows
    rows: dict[str, Rows]

    def __len__(self) -> int:
        return len(self.sentence)

    @property
    def sentences(self) -> Rows:
        """The places of the sentences with a match, each once, in order."""
        return np.unique(self.sentence)


class Finder:
    """Finds patterns together, with one plan for all corpora of a kind, or pieces of one.

    >>> from commonground.corpus import Dependencies
    >>> birds = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> finder = Finder([parse_pattern("V -[nsubj]-> S"), parse_pattern("V -[obj]-> O")])
    >>> [len(matches) for matches in finder.find(graph_of(birds))]
    [1, 0]
    """

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._patterns = tuple(patterns)
        self._plans: dict[str, Plan] = {}

    def find(self, graph: Graph) -> list[Matches]:
        """Return the matches of each pattern."""
        kind = graph.corpus.kind
        if kind not in self._plans:
            self._plans[kind] = Plan(self._patterns, graph)
        found = zip(self._patterns, self._plans[kind].found(graph), strict=True)
        return [
            Matches(rows[:, 0], dict(zip(pattern.names, rows[:, 1:].T, strict=True)))
            for pattern, rows in found
        ]


@lru_cache(maxsize=64)
def finder_of(patterns: tuple[str, ...]) -> Finder:
    """Return what finds patterns in many corpora of a kind, or in the pieces of one."""
    return Finder([parse_pattern(text) for text in patterns])


def find(pattern: Pattern | str, corpus: Corpus | Graph) -> Matches:
    """Find a pattern in a corpus; different nodes of a pattern are different nodes of the corpus.

    To search a corpus for many patterns, compute what they share once with :func:`graph_of`.

    >>> from commonground.corpus import Dependencies
    >>> birds = Dependencies.of([(["Birds", "sing", "songs"], [2, 0, 2], ["nsubj", "root", "obj"])])
    >>> result = find("V -[nsubj]-> S; V -[obj]-> O; S << O", birds)
    >>> {name: rows.tolist() for name, rows in result.rows.items()}
    {'V': [1], 'S': [0], 'O': [2]}
    >>> len(find("V -[nsubj]-> S; not { V -[obj]-> * }", birds))
    0
    """
    graph = corpus if isinstance(corpus, Graph) else graph_of(corpus)
    wanted = parse_pattern(pattern) if isinstance(pattern, str) else pattern
    return Finder([wanted]).find(graph)[0]
