"""What a parse has of the phrases that all gold standards share, whatever its scheme.

Phrases are nodes of two words or more, without the one over the whole sentence; labels do not
matter. Let G be the phrases that all gold standards have, P those of the parse and O those of its
own gold standard.

    attached  =  |{X ∈ G∩P : X is attached as in the gold standards}| / |G|
    found     =  |G∩P| / |G|
    coverage  =  |G| / |O|
    noise     =  |P ∖ (G∪O)| / |P|

The mother of X in a tree is its smallest node that has all words of X and more (or the sentence).
Z is the next larger phrase of G around X (or the sentence). The anchors of X are the words beside X
that all gold standards have in the mother of X, and that are in no other phrase of G inside of Z;
where that leaves nothing, all words beside X that they have there. X is attached as in the gold
standards if its mother in the parse has all anchors of X, and has not all anchors of Z that are in
no gold standard's mother of X.

So only words that all gold standards put beside a phrase tell where it must be attached. Whatever
else is in the same node, and how many nodes a scheme makes of it, does not matter: that is why the
same parse scores nearly the same in all schemes, and why the same error costs nearly the same in
small trees and large ones. Every gold standard scores 1, a flat tree 0. *Found* can be raised by
adding nodes (noise shows who does so); *attached* falls, as mothers become too small.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions, Strings, Table
from commonground.corpus.functions import parse_yield
from commonground.corpus.strings import Vocabulary
from commonground.corpus.table import offsets_of
from commonground.errors import UsageError
from commonground.ground.algebra import check_same_sentences, distinct
from commonground.kernels import load
from commonground.metrics.items import Counts, Items
from commonground.metrics.matching import among
from commonground.metrics.metric import Metric, recall

__all__ = ["METRICS", "metric_across_golds", "phrase_counts", "share"]

Numbers = NDArray[np.int64]


def phrase_counts(
    golds: Sequence[Functions], parses: Sequence[tuple[Functions, int]]
) -> list[dict[str, Counts]]:
    """Count the phrases of parses, each with the place of its own gold standard among `golds`.

    The counts of each parse are by the names of the scores, a part and a whole for each sentence.

    >>> words = "left the station at 9:15".split()
    >>> low, high, flat = (
    ...     Functions.of([(words, [(text, "") for text in nodes.split()])])
    ...     for nodes in ("1-5 2-3 2-5 4-5", "1-5 2-3 4-5", "1-5")
    ... )
    >>> for result in phrase_counts([high, high], [(high, 0), (low, 0), (flat, 0)]):
    ...     print({name: recall(counts.totals) for name, counts in result.items()})
    {'attached': 1.0, 'unlabelled': 1.0, 'coverage': 1.0, 'noise': 0.0}
    {'attached': 0.0, 'unlabelled': 1.0, 'coverage': 1.0, 'noise': 0.3333333333333333}
    {'attached': 0.0, 'unlabelled': 0.0, 'coverage': 1.0, 'noise': 1.0}
    """
    trees = [*golds, *(parse for parse, _ in parses)]
    check_same_sentences(trees)
    known = [_without_foreign_words(tree) for tree in trees]
    numbering = _Numbering([*trees, *known])
    own, others = (
        [numbering.keys(tree) for tree in part]
        for part in (known[: len(golds)], trees[len(golds) :])
    )
    common = own[0]
    for keys in own[1:]:
        common = np.intersect1d(common, keys, assume_unique=True)
    told = load("phrases").attached(
        numbering.yields,
        golds[0].words.lengths,
        numbering.in_sentences(common),
        [numbering.in_sentences(keys) for keys in own],
        [numbering.in_sentences(numbering.keys(tree)) for tree in known[len(golds) :]],
    )
    shared = numbering.counted(common)
    counts = []
    for row, keys, (_, place) in zip(told, others, parses, strict=True):
        here = among(common, keys)  # a node that also has foreign words is another one
        wrong = ~among(keys, common) & ~among(keys, own[place])
        parts = {
            "attached": (common[here & (row > 1)], shared),
            "unlabelled": (common[here], shared),
            "coverage": (common, numbering.counted(own[place])),
            "noise": (keys[wrong], numbering.counted(keys)),
        }
        counts.append(
            {n: share(numbering.counted(part), whole) for n, (part, whole) in parts.items()}
        )
    return counts


def share(part: Numbers, whole: Numbers) -> Counts:
    """Return the counts of a part of a whole in each sentence."""
    return Counts({"correct": part, "gold": whole, "system": whole})


class _Numbering:
    """The yields of several corpora of the same sentences, numbered by their sizes."""

    def __init__(self, trees: Sequence[Functions]) -> None:
        vocabulary = Vocabulary()
        codes = {id(tree): tree.yields.codes_in(vocabulary) for tree in trees}
        stretches = [parse_yield(text) for text in vocabulary]
        size = np.array([sum(b - a + 1 for a, b in each) for each in stretches], np.int64)
        order = sorted(range(len(size)), key=lambda code: (size[code], stretches[code]))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        self._rows = {place: rank[each] for place, each in codes.items()}
        self._several = np.sort(size) > 1
        self._sentences, self._count = len(trees[0]), max(len(order), 1)
        flat = [stretch for code in order for stretch in stretches[code]]
        self.yields = (
            offsets_of([len(stretches[code]) for code in order]),
            np.array([first for first, _ in flat], np.int64),
            np.array([last for _, last in flat], np.int64),
        )

    def keys(self, tree: Functions) -> Numbers:
        """Return the phrases of a corpus in order, each a number for its sentence and yield."""
        rows = self._rows[id(tree)]
        phrases = self._several[rows] & ~tree.roots if len(rows) else np.zeros(0, np.bool_)
        return distinct((tree.nodes.sentence_of_row() * self._count + rows)[phrases])

    def counted(self, keys: Numbers) -> Numbers:
        """Return how many of some phrases each sentence has."""
        counts = np.bincount(keys // self._count, minlength=self._sentences)
        return counts.astype(np.int64)

    def in_sentences(self, keys: Numbers) -> tuple[Numbers, Numbers]:
        """Return where the phrases of each sentence begin, and their yields."""
        return offsets_of(self.counted(keys)), keys % self._count


def _without_foreign_words(tree: Functions) -> Functions:
    """Return trees without the words that their sentences do not have.

    A parse that was put on the words of a gold standard has such words where it is segmented in
    another way; its nodes are still the mothers of what is inside of them.
    """
    last = tree.yields.values(lambda text: parse_yield(text)[-1][1])
    length = np.repeat(tree.words.lengths, tree.nodes.lengths)
    foreign = np.flatnonzero(last > length)
    if not len(foreign):
        return tree
    texts = tree.yields.tolist()
    for row in foreign.tolist():
        most = int(length[row])
        inside = [(a, min(b, most)) for a, b in parse_yield(texts[row]) if a <= most]
        texts[row] = ",".join(str(a) if a == b else f"{a}-{b}" for a, b in inside)
    kept = np.array([bool(text) for text in texts])
    nodes = Table(
        offsets_of(np.bincount(tree.nodes.sentence_of_row()[kept], minlength=len(tree))),
        yields=Strings.of(filter(None, texts)),
        label=tree.label[kept],
    )
    return Functions({**tree.tables, "nodes": nodes})


def metric_across_golds(
    name: str, title: str, explanation: str, *, higher_is_better: bool = True
) -> Metric:
    """Return a metric that only a comparison over several gold standards can count."""

    def items(_: Any) -> Items:
        raise UsageError(f"{name} needs several gold standards: see commonground compare")

    return Metric(name, title, items, explanation, recall, higher_is_better=higher_is_better)


METRICS = {
    "attached": metric_across_golds(
        "common_attached",
        "Common ground, attached",
        "Of the phrases that all gold standards have (two words or more, not the sentence), how "
        "many the parse has and attaches where they do: beside the same words, and no higher.",
    ),
    "unlabelled": metric_across_golds(
        "common_unlabelled",
        "Common ground, found",
        "Of the phrases that all gold standards have, how many the parse has.",
    ),
    "labelled": metric_across_golds(
        "common_labelled",
        "Common ground, labelled",
        "Of the labelled nodes that all gold standards have, how many the parse has.",
    ),
    "coverage": metric_across_golds(
        "common_coverage",
        "Common ground, coverage",
        "Of the phrases of the own gold standard, how many all gold standards have.",
    ),
    "noise": metric_across_golds(
        "common_noise",
        "Common ground, noise",
        "Of the phrases of the parse, how many neither its own nor all gold standards have.",
        higher_is_better=False,
    ),
}
"""The scores on the common ground, by their names in JSON. All are a part (correct) of a whole
(gold)."""
