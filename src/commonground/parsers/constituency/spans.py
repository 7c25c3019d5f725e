"""A parser that scores spans: a tree is as good as its labelled spans are together.

The score of a span with a label is linear in hashed features of the words at and around its ends
(after Stern, Andreas & Klein 2017, with weights instead of a network); a span without a phrase
scores 0. CKY finds the best tree. Learning is a structured perceptron with a margin: every label
that a span should not have is made better by the margin before the best tree is looked for (Taskar,
Guestrin & Koller 2003), and the average of all weights is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents
from commonground.kernels import load
from commonground.kernels.perceptron import Weights
from commonground.kernels.sparse import Rows
from commonground.parsers.constituency.phrases import (
    Chain,
    Span,
    loaded_chains,
    phrases_of,
    stored_chains,
    with_phrases,
    without_traces,
)
from commonground.parsers.constituency.words import (
    ANCHORS,
    ATTRIBUTES,
    EXTRAS,
    SpanRows,
    TaggedWords,
    span_rows,
    tagged_words,
)
from commonground.parsers.learning import learned
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import Model, Parser, Task
from commonground.parsers.scoring import bracket_f1
from commonground.parsers.templates import compiled
from commonground.random import stream

__all__ = ["PARSERS", "SpanModel", "SpanSettings"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]

_MOST = 100_000  # spans that are looked at together
_KEPT = 2_000_000  # spans that are kept from one iteration to the next
_ARRAYS = (("keys", "u8"), ("lengths", "u2"), ("actions", "u2"), ("weights", "i2"))
_NAMES = tuple(name for name, _ in _ARRAYS)

_TEMPLATES = """
b.tag e.tag
b.form e.form
b.tag e.form
b.form e.tag
b.form length
b.tag length
e.form length
e.tag length
b-1.form
b-1.tag length
e+1.form
e+1.tag length
b-1.tag b.tag
e.tag e+1.tag
b-1.form b.form
e.form e+1.form
b-1.form b.tag
b-1.tag b.form
e.form e+1.tag
e.tag e+1.form
b-1.tag e+1.tag
b-1.form e+1.form
b-1.tag e+1.form
b-1.form e+1.tag
b.tag e+1.tag
b-1.tag e.tag
b.form e+1.form
b-1.form e.form
b-1.tag b.tag e.tag e+1.tag
b.tag e.tag e+1.tag
b-1.tag b.tag e.tag
b.tag b+1.tag b+2.tag
b.tag b+1.tag e.tag
b.tag e-1.tag e.tag
b.tag b+1.tag e-1.tag e.tag
b-2.tag b-1.tag b.tag
b-1.tag b.tag b+1.tag
e-1.tag e.tag e+1.tag
e.tag e+1.tag e+2.tag
e-2.tag e-1.tag e.tag
b.lower b+1.tag
b.tag b+1.lower
e-1.tag e.lower
b.suffix e.suffix length
b.shape e.shape length
tags
tags b-1.tag
tags e+1.tag
b-1.tag e+1.tag length
b.tag e.tag length
b.tag marks verbs
b.form marks verbs
b.tag e.tag marks verbs
b-1.tag e+1.tag marks verbs
length marks verbs
pattern
pattern b-1.tag
pattern e+1.tag
pattern b-1.tag e+1.tag
b.tag p.form e+1.tag
p-1.lower p.lower
p-1.tag p.lower length
b-1.lower p.lower
b-1.lower p-1.lower p.lower
b-1.tag b.tag p.lower q.lower
q-1.tag q.lower e.tag
b.lower q.lower
v.lower b.tag
v.lower b-1.tag e+1.tag
v.tag b.tag e.tag
v.tag v-1.tag b.tag length
v.lower p.lower
c.lower b.tag e+1.tag
b.tag c-1.tag c.lower c+1.tag
b.tag c.lower c+1.tag e.tag
b-1.tag c.lower c+1.tag
b.lower c.lower c+1.lower
"""

TEMPLATES = compiled(_TEMPLATES.strip().split("\n"), ANCHORS, ATTRIBUTES, EXTRAS)


@dataclass(frozen=True, slots=True)
class SpanSettings:
    """How spans are learned.

    The right label of a span has to be ahead of others by the `margin`; `functions` tells whether
    labels keep their function tags.
    """

    iterations: int = 10
    patience: int = 3
    margin: int = 200
    functions: bool = False


def batches(words: TaggedWords) -> list[tuple[int, int]]:
    """Return stretches of sentences that have not too many spans together."""
    cuts, spans = [0], 0
    for sentence, length in enumerate(words.lengths.tolist()):
        more = length * (length + 1) // 2
        if spans and spans + more > _MOST:
            cuts.append(sentence)
            spans = 0
        spans += more
    cuts.append(len(words.lengths))
    return [(first, last) for first, last in pairwise(cuts) if last > first]


def best_labels(
    model: Chooser, words: TaggedWords, rows: SpanRows, wanted: Codes, margin: int
) -> tuple[Numbers, Codes]:
    """Return for each span its score and its label, -1 where it should be no phrase.

    The whole sentence always is one.
    """
    given = words.attributes, rows.anchors, rows.extras, TEMPLATES
    score, label = model.best(given, wanted, margin)
    nothing = np.where(wanted >= 0, margin, 0)
    whole = rows.rows[:-1] + np.diff(rows.words) - 1
    nothing[whole[np.diff(rows.words) > 0]] = np.iinfo(np.int64).min
    none = nothing >= score
    return np.where(none, nothing, score), np.where(none, -1, label).astype(np.int32)


class Chooser(Protocol):
    """What chooses labels: a learner or a classifier of the kernel ``sparse``."""

    def best(self, rows: Rows, wanted: Codes, margin: int) -> tuple[Numbers, Codes]:
        """Return for each row the highest score of a label, and the first label that has it."""


@dataclass(frozen=True)
class SpanModel:
    """A trained parser: what the labels are, and their weights."""

    chains: tuple[Chain, ...]
    weights: Weights
    _chooser: Chooser = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        chooser = load("sparse").Classifier(len(self.chains), self.weights)
        object.__setattr__(self, "_chooser", chooser)

    def parse(self, corpus: Constituents) -> Constituents:
        """Return the corpus with the trees of this model."""
        words = tagged_words(without_traces(corpus))
        trees: list[list[Span]] = []
        for first, last in batches(words):
            rows = span_rows(words, first, last)
            wanted = np.full(len(rows.start), -1, np.int32)
            score, label = best_labels(self._chooser, words, rows, wanted, 0)
            chosen = load("cky").best_spans(rows.words, score) & (label >= 0)
            for sentence in range(last - first):
                inside = slice(int(rows.rows[sentence]), int(rows.rows[sentence + 1]))
                at = np.flatnonzero(chosen[inside]) + inside.start
                columns = rows.start[at].tolist(), rows.end[at].tolist(), label[at].tolist()
                trees.append([(i, j, self.chains[k]) for i, j, k in zip(*columns, strict=True)])
        return with_phrases(corpus, trees)

    def store(self) -> Stored:
        """Return what a file of the model holds."""
        arrays: dict[str, NDArray[Any]] = dict(zip(_NAMES, self.weights, strict=True))
        return Stored("spans", {"chains": stored_chains(self.chains)}, arrays)


class SpanLearner:
    """Learns spans by going over its corpus again and again."""

    def __init__(self, corpus: Constituents, settings: SpanSettings, seed: int) -> None:
        self.settings, self.seed = settings, seed
        trees = _whole(corpus, phrases_of(corpus, functions=settings.functions))
        self.words = tagged_words(without_traces(corpus))
        self.chains = tuple(sorted({chain for tree in trees for _, _, chain in tree}))
        number = {chain: place for place, chain in enumerate(self.chains)}
        self.gold = [[(i, j, number[chain]) for i, j, chain in tree] for tree in trees]
        self.made: dict[int, SpanRows] = {}
        self.room = _KEPT
        self.learner = load("sparse").Learner(len(self.chains))

    def iterate(self, number: int) -> float:
        """Go over the corpus once; return the share of gold spans that were not found."""
        order = stream(self.seed, "spans", number).permutation(len(self.gold)).tolist()
        missed = sum(self._learn(sentence) for sentence in order)
        return missed / max(1, sum(map(len, self.gold)))

    def model(self) -> SpanModel:
        """Return the averaged model."""
        return SpanModel(self.chains, self.learner.averaged())

    def _rows(self, sentence: int) -> SpanRows:
        """Return the spans of a sentence; as long as there is room, they are made once."""
        found = self.made.get(sentence)
        if found is None:
            found = span_rows(self.words, sentence, sentence + 1)
            self.room -= len(found.start)
            if self.room >= 0:
                self.made[sentence] = found
        return found

    def _learn(self, sentence: int) -> int:
        self.learner.tick()
        n = int(self.words.lengths[sentence])
        if not n:
            return 0
        rows = self._rows(sentence)
        wanted = np.full(len(rows.start), -1, np.int32)
        for i, j, right in self.gold[sentence]:
            wanted[i * n - i * (i - 1) // 2 - i - 1 + j] = right
        score, label = best_labels(self.learner, self.words, rows, wanted, self.settings.margin)
        chosen = load("cky").best_spans(rows.words, score)
        found = np.where(chosen, label, -1)
        wrong = np.flatnonzero(found != wanted)
        given = self.words.attributes, rows.anchors[wrong], rows.extras[wrong], TEMPLATES
        self.learner.add(given, wanted[wrong], 1)
        self.learner.add(given, found[wrong], -1)
        return int((wanted[wrong] >= 0).sum())


def _whole(corpus: Constituents, trees: list[list[Span]]) -> list[list[Span]]:
    """Return trees with a span over the whole sentence, labelled with nothing where it has none."""
    lengths = without_traces(corpus).lengths.tolist()
    found = []
    for n, tree in zip(lengths, trees, strict=True):
        whole = any((i, j) == (0, n) for i, j, _ in tree)
        found.append(tree if whole or not n else [(0, n, ()), *tree])
    return found


def train(task: Task) -> Model:
    """Train a parser on trees without discontinuous phrases."""
    settings: SpanSettings = task.settings
    return learned(
        SpanLearner(task.corpus, settings, task.seed),
        task,
        iterations=settings.iterations,
        patience=settings.patience,
        score=None if task.dev is None else partial(bracket_f1, task.dev),
    )


def load_spans(stored: Stored) -> SpanModel:
    """Make a model from what a file holds."""
    chains = loaded_chains(stored)
    weights: Weights = tuple(stored.array(*each) for each in _ARRAYS)  # type: ignore[assignment]
    try:
        return SpanModel(chains, weights)
    except (TypeError, ValueError) as error:
        raise ModelError(f"its weights do not fit together: {error}") from error


PARSERS = {
    "spans": Parser(
        "spans",
        "constituents: labelled spans with hashed features, best tree by CKY",
        Constituents,
        SpanSettings,
        train,
        load_spans,
    )
}
