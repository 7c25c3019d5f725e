"""What is in a corpus: how many sentences, words and labels, how long, how deep, how crossed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import singledispatch
from heapq import nsmallest
from operator import itemgetter
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.alignments import Alignments
from commonground.corpus.constituents import Constituents
from commonground.corpus.corpus import Corpus, Sentence
from commonground.corpus.dependencies import Dependencies
from commonground.corpus.functions import Functions
from commonground.corpus.graphs import Graphs
from commonground.corpus.labels import functions_of_tag, split_label
from commonground.corpus.relations import Relations
from commonground.corpus.shape import continuous, depth, nonprojective_arcs, projective
from commonground.corpus.strings import Strings

__all__ = ["Spread", "Summary", "lowest", "sample", "summary"]


@dataclass(frozen=True, slots=True)
class Spread:
    """Of one number per sentence: the sum and the greatest."""

    sum: int
    max: int

    @classmethod
    def of(cls, numbers: NDArray[np.integer]) -> Spread:
        """Return the sum and the greatest of some numbers from 0."""
        return cls(int(numbers.sum()), int(numbers.max(initial=0)))

    def __add__(self, other: Spread) -> Spread:
        return Spread(self.sum + other.sum, max(self.max, other.max))


@dataclass(frozen=True, slots=True)
class Summary:
    """What is in a corpus.

    `counts` says how many there are of what (sentences and words first, then what the kind of
    corpus has), `spreads` how large the sentences are in some respects (length, depth), and
    `tallies` how often each label, tag or function occurs, most frequent first. Summaries of parts
    of a corpus add up to the summary of the whole.
    """

    kind: str
    counts: dict[str, int]
    spreads: dict[str, Spread]
    tallies: dict[str, dict[str, int]]

    def mean(self, name: str) -> float:
        """Return the mean over the sentences of one of the spreads, 0 without sentences."""
        return self.spreads[name].sum / max(1, self.counts["sentences"])

    def share(self, name: str) -> float | None:
        """Return one of the counts as a share of all that it could be, None where it is none."""
        whole = self.counts[_WHOLES[name]] if name in _WHOLES else 0
        return self.counts[name] / whole if whole else None

    def __add__(self, other: Summary) -> Summary:
        if self.kind != other.kind:
            raise ValueError(f"{self.kind} and {other.kind} do not add up")
        return Summary(
            self.kind,
            {name: number + other.counts[name] for name, number in self.counts.items()},
            {name: spread + other.spreads[name] for name, spread in self.spreads.items()},
            {
                name: _sorted(Counter(tally) + Counter(other.tallies[name]))
                for name, tally in self.tallies.items()
            },
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as JSON has it, with means and shares."""
        spreads = {
            name: {"mean": self.mean(name), "max": spread.max}
            for name, spread in self.spreads.items()
        }
        shares = {name: self.share(name) for name in self.counts if name in _WHOLES}
        return {
            "kind": self.kind,
            "counts": self.counts,
            "shares": shares,
            "spreads": spreads,
            "tallies": self.tallies,
        }


_WHOLES = {
    "words without a head": "words",
    "non-projective sentences": "sentences",
    "non-projective arcs": "words",
    "discontinuous sentences": "sentences",
    "possible links": "links",
    "anchored nodes": "nodes",
    "reentrant nodes": "nodes",
}
"""The counts that are part of another one."""


@singledispatch
def summary(corpus: Corpus) -> Summary:
    """Return what is in a corpus.

    >>> s = summary(Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])]))
    >>> s.counts["words"], s.mean("depth"), s.tallies["labels"]
    (2, 2.0, {'nsubj': 1, 'root': 1})
    """
    raise TypeError(f"{corpus.kind} have no summary")


@summary.register
def _(corpus: Dependencies) -> Summary:
    return Summary(
        corpus.kind,
        {
            "sentences": len(corpus),
            "words": corpus.words.rows,
            "multiword tokens": corpus.tokens.rows,
            "empty nodes": corpus.empties.rows,
            "words without a head": int((corpus.head < 0).sum()),
            "non-projective sentences": int((~projective(corpus)).sum()),
            "non-projective arcs": int(nonprojective_arcs(corpus).sum()),
        },
        {"length": Spread.of(corpus.words.lengths), "depth": Spread.of(depth(corpus))},
        {
            "labels": _tally(corpus.deprel),
            "universal tags": _tally(corpus.upos),
            "own tags": _tally(corpus.xpos),
        },
    )


@summary.register
def _(corpus: Constituents) -> Summary:
    is_word = ~corpus.traces
    before = np.concatenate([[0], np.cumsum(is_word)])
    return Summary(
        corpus.kind,
        {
            "sentences": len(corpus),
            "words": int(is_word.sum()),
            "traces": int((~is_word).sum()),
            "phrases": corpus.nodes.rows,
            "secondary edges": corpus.secondary.rows,
            "discontinuous sentences": int((~continuous(corpus)).sum()),
        },
        {
            "length": Spread.of(np.diff(before[corpus.words.offsets])),
            "depth": Spread.of(depth(corpus)),
        },
        {
            "labels": _tally(corpus.label.map(lambda label: split_label(label).category)),
            "functions": _functions(corpus),
            "tags": _tally(corpus.tag[is_word].map(lambda tag: split_label(tag).category)),
        },
    )


@summary.register
def _(corpus: Relations) -> Summary:
    return Summary(
        corpus.kind,
        {
            "sentences": len(corpus),
            "words": corpus.words.rows,
            "nodes": corpus.nodes.rows,
            "relations": corpus.relations.rows,
        },
        {
            "length": Spread.of(corpus.words.lengths),
            "relations": Spread.of(corpus.relations.lengths),
        },
        {"labels": _tally(corpus.label), "tags": _tally(corpus.words.strings("tag"))},
    )


@summary.register
def _(corpus: Graphs) -> Summary:
    nodes, edges, anchors = corpus.nodes, corpus.edges, corpus.anchors
    first = nodes.offsets
    anchored = first[anchors.sentence_of_row()] + anchors.numbers("node")
    entered = np.bincount(first[edges.sentence_of_row()] + corpus.target, minlength=nodes.rows)
    return Summary(
        corpus.kind,
        {
            "sentences": len(corpus),
            "words": corpus.words.rows,
            "nodes": nodes.rows,
            "top nodes": int((nodes.numbers("top") > 0).sum()),
            "anchored nodes": len(np.unique(anchored)),
            "reentrant nodes": int((entered > 1).sum()),
            "properties": corpus.properties.rows,
            "edges": edges.rows,
            "attributes": corpus.attributes.rows,
        },
        {"nodes": Spread.of(nodes.lengths), "edges": Spread.of(edges.lengths)},
        {
            "frameworks": _tally(corpus.metadata("framework")),
            "labels": _tally(edges.strings("label")),
            "node labels": _tally(corpus.label),
            "names of properties": _tally(corpus.properties.strings("name")),
            "names of attributes": _tally(corpus.attributes.strings("name")),
        },
    )


@summary.register
def _(corpus: Alignments) -> Summary:
    sides = {side: corpus.tables[f"{side}_words"] for side in ("source", "target")}
    return Summary(
        corpus.kind,
        {
            "sentences": len(corpus),
            **{f"{side} words": table.rows for side, table in sides.items()},
            "links": corpus.links.rows,
            "possible links": int((corpus.links.numbers("sure") == 0).sum()),
        },
        {
            **{f"{side} length": Spread.of(table.lengths) for side, table in sides.items()},
            "links": Spread.of(corpus.links.lengths),
        },
        {},
    )


@summary.register
def _(corpus: Functions) -> Summary:
    labelled = corpus.label.where(bool)
    sentence, place = corpus.nodes.sentence_of_row(), corpus.yields.codes
    nodes = np.unique(np.stack([sentence, place]), axis=1)
    scattered = corpus.yields.where(lambda text: "," in text)
    return Summary(
        corpus.kind,
        {
            "sentences": len(corpus),
            "words": corpus.words.rows,
            "nodes": nodes.shape[1],
            "labels": int(labelled.sum()),
            "discontinuous sentences": len(np.unique(sentence[scattered])),
        },
        {
            "length": Spread.of(corpus.words.lengths),
            "nodes": Spread.of(np.bincount(nodes[0], minlength=len(corpus))),
        },
        {"labels": _tally(corpus.label)},
    )


def _functions(corpus: Constituents) -> dict[str, int]:
    """Count the functions of phrases and words, whether in their labels or on their edges."""
    tally: Counter[str] = Counter()
    for labels, edges, names_of in (
        (corpus.label, corpus.nodes.strings("edge"), lambda text: split_label(text).functions),
        (corpus.tag, corpus.words.strings("edge"), functions_of_tag),
    ):
        for label, number in labels.counts().items():
            for function in names_of(label):
                tally[function] += number
        tally.update(_tally(edges))
    return _sorted(tally)


def _tally(texts: Strings) -> dict[str, int]:
    """Count texts, but for the ones that mean nothing."""
    return {text: number for text, number in texts.counts().items() if text not in ("_", "")}


def _sorted(tally: Counter[str]) -> dict[str, int]:
    return dict(sorted(tally.items(), key=lambda item: (-item[1], item[0])))


def sample(corpus: Corpus, number: int, seed: int = 0) -> list[Sentence[Corpus]]:
    """Draw some sentences at random, in the order of the corpus."""
    drawn = lowest(Random(seed), len(corpus), number)  # noqa: S311  # no secret
    return [corpus[place] for _, place in sorted(drawn, key=itemgetter(1))]


def lowest(random: Random, sentences: int, number: int) -> list[tuple[float, int]]:
    """Give each of the next sentences a random number; return the lowest ones, and their places.

    The sentences with the lowest numbers are a sample, in whatever pieces they come.
    """
    numbers = [random.random() for _ in range(sentences)]
    places = nsmallest(number, range(sentences), key=numbers.__getitem__)
    return [(numbers[place], place) for place in places]
