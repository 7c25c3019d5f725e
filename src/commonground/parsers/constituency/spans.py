"""A parser that scores spans: a tree is as good as its labelled spans are together.

The score of a span with a label is linear in hashed features of the words at and around its ends
(after Stern, Andreas & Klein 2017, with weights instead of a network); a span without a phrase
scores 0. The few best labels of each span are looked at again, below each label that could be the
next one above them: what parent annotation (Johnson 1998) does for grammars. CKY finds the best
tree. Learning is a structured perceptron with a margin: every label that a span should not have is
made better by the margin before the best tree is looked for (Taskar, Guestrin & Koller 2003), and
the average of all weights is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import chain as chained
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Table
from commonground.corpus.table import offsets_of
from commonground.kernels import load
from commonground.kernels.perceptron import SCALE, Weights
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
from commonground.parsers.constituency.stretches import stretches
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
from commonground.parsers.parser import Model, Parser, TrainingTask
from commonground.parsers.scoring import bracket_f1
from commonground.parsers.sparse_weights import read_weights, weight_arrays
from commonground.parsers.templates import compiled
from commonground.random import stream

__all__ = ["PARSERS", "SpanModel", "SpanSettings"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]

_MOST = 100_000  # spans that are looked at together
_KEPT = 2_000_000  # spans that are kept from one iteration to the next
LONGEST = 1_000
"""Longer sentences are parsed in stretches, and nothing is learned from them."""

_FEW = 2  # labels of a span that are looked at below each label

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

_BELOW = """
label
label b.tag
label e.tag
label b-1.tag
label e+1.tag
label length
label b.lower
label e.lower
label b-1.lower
label e+1.lower
label b.tag e.tag
label b-1.tag e+1.tag
label b-1.tag b.tag
label e.tag e+1.tag
label b-1.tag b.lower
label e.lower e+1.tag
label b-1.lower b.tag
label pattern
label v.tag
label v.lower
"""

TEMPLATES = compiled(_TEMPLATES.strip().split("\n"), ANCHORS, ATTRIBUTES, EXTRAS)
BELOW = compiled(_BELOW.strip().split("\n"), ANCHORS, ATTRIBUTES, (*EXTRAS, "label"))
"""What is looked at to choose a span's label, and to choose the label above it."""


@dataclass(frozen=True, slots=True)
class SpanSettings:
    """How spans are learned.

    The right label of a span has to be ahead of others by the `margin`; `functions` tells whether
    labels keep their function tags.
    """

    iterations: int = 8
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


class Chooser(Protocol):
    """What scores labels: a learner or a classifier of the kernel ``sparse``."""

    def few(
        self, rows: Rows, wanted: Codes, margin: int, most: int, least: Numbers
    ) -> tuple[Numbers, Codes, Numbers]:
        """Return the best labels of each row: the row, the label and the score of each."""

    def scores(self, rows: Rows) -> Codes:
        """Return the score of each row with each label."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Labels that spans could have: the row of the span, the chain, and the label above it.

    `above` is -1 where a candidate is not in the best tree.
    """

    row: Numbers
    chain: Codes
    above: Codes
    below: Rows


def best_candidates(
    choosers: tuple[Chooser, Chooser],
    lowest: Codes,
    words: TaggedWords,
    rows: SpanRows,
    wanted: Codes,
    margins: tuple[int, int],
) -> Candidates:
    """Return the candidates of some sentences, and which of them are in the best trees.

    `lowest` is the number of the lowest label of each chain, `wanted` the right chain of each span
    (-1: none), `margins` by what wrong chains are made better and what they need to be candidates.
    """
    margin, least = margins
    labels, above = choosers
    enough = np.full(len(wanted), least, np.int64)
    whole = rows.rows[:-1] + np.diff(rows.words) - 1
    enough[whole[np.diff(rows.words) > 0]] = np.iinfo(np.int64).min  # it always is a phrase
    given = words.attributes, rows.anchors, rows.extras, TEMPLATES
    row, chain, score = labels.few(given, wanted, margin, _FEW, enough)
    score -= margin * (wanted[row] >= 0)  # nothing is wrong there too
    extras = np.column_stack([rows.extras[row], chain + 1])
    below = words.attributes, rows.anchors[row], extras, BELOW
    first = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(wanted)))])
    in_tree = load("cky").best_trees(rows.words, first, lowest[chain], score, above.scores(below))
    return Candidates(row, chain, in_tree, below)


def lowest_labels(chains: tuple[Chain, ...]) -> tuple[Codes, int]:
    """Return the number of the lowest label of each chain, and how many labels there are."""
    lowest = [chain[-1:] for chain in chains]
    number = {label: place for place, label in enumerate(sorted(set(lowest)))}
    return np.array([number[label] for label in lowest], np.int32), len(number)


def _parts(words: Table) -> tuple[Table, Numbers]:
    """Return words with long sentences cut into stretches, and which sentence each part is of."""
    form, long = words.strings("form"), np.flatnonzero(words.lengths > LONGEST)
    sizes = [[length] for length in words.lengths.tolist()]
    for sentence in long.tolist():
        rows = slice(int(words.offsets[sentence]), int(words.offsets[sentence + 1]))
        cuts = stretches(form[rows].tolist(), LONGEST)
        sizes[sentence] = [stop - start for start, stop in cuts]
    owner = np.repeat(np.arange(len(sizes)), list(map(len, sizes)))
    return Table(
        offsets_of(np.array(list(chained.from_iterable(sizes)), np.int64)), **words.columns
    ), owner


def _joined(trees: list[list[Span]], parts: Table, owner: Numbers) -> list[list[Span]]:
    """Return the trees of sentences whose parts have these trees, below the top of the first."""
    if len(owner) == 0 or owner[-1] + 1 == len(owner):
        return trees
    whole: list[list[Span]] = [[] for _ in range(int(owner[-1]) + 1)]
    done = [0] * len(whole)
    for sentence, n, tree in zip(owner.tolist(), parts.lengths.tolist(), trees, strict=True):
        start = done[sentence]
        whole[sentence] += [(start + i, start + j, labels) for i, j, labels in tree]
        done[sentence] += n
    for tree, n in zip(whole, done, strict=True):
        if n > LONGEST:
            tree.append((0, n, next(labels for i, _, labels in tree if i == 0)))
    return whole


@dataclass(frozen=True)
class SpanModel:
    """A trained parser: what the labels are, and the weights of labels and of those above them."""

    chains: tuple[Chain, ...]
    labels: Weights
    above: Weights
    least: int
    """The score that a label needs to be a candidate."""
    _choosers: tuple[Chooser, Chooser] = field(init=False, repr=False, compare=False)
    _lowest: Codes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lowest, count = lowest_labels(self.chains)
        classifier = load("sparse").SparseClassifier
        choosers = classifier(len(self.chains), self.labels), classifier(count + 1, self.above)
        object.__setattr__(self, "_choosers", choosers)
        object.__setattr__(self, "_lowest", lowest)

    def parse(self, corpus: Constituents) -> Constituents:
        """Return the corpus with the trees of this model."""
        parts, owner = _parts(without_traces(corpus))
        trees = self._trees(tagged_words(parts))
        return with_phrases(corpus, _joined(trees, parts, owner))

    def _trees(self, words: TaggedWords) -> list[list[Span]]:
        trees: list[list[Span]] = []
        for first, last in batches(words):
            rows = span_rows(words, first, last)
            wanted = np.full(len(rows.start), -1, np.int32)
            candidates = best_candidates(
                self._choosers, self._lowest, words, rows, wanted, (0, self.least)
            )
            chosen = candidates.above >= 0
            row, chain = candidates.row[chosen], candidates.chain[chosen]
            sentence = np.searchsorted(rows.rows, row, side="right") - 1
            made: list[list[Span]] = [[] for _ in range(last - first)]
            columns = sentence, rows.start[row], rows.end[row], chain
            for s, i, j, k in zip(*(column.tolist() for column in columns), strict=True):
                made[s].append((i, j, self.chains[k]))
            trees += made
        return trees

    def store(self) -> Stored:
        """Return what a file of the model holds."""
        arrays = weight_arrays(self.labels) | weight_arrays(self.above, "above_")
        metadata = {"chains": stored_chains(self.chains), "least": self.least}
        return Stored("spans", metadata, arrays)


class SpanLearner:
    """Learns spans by going over its corpus again and again."""

    def __init__(self, corpus: Constituents, settings: SpanSettings, seed: int) -> None:
        self.settings, self.seed = settings, seed
        trees = _whole(corpus, phrases_of(corpus, functions=settings.functions))
        self.words = tagged_words(without_traces(corpus))
        self.chains = tuple(sorted({chain for tree in trees for _, _, chain in tree}))
        number = {chain: place for place, chain in enumerate(self.chains)}
        self.lowest, count = lowest_labels(self.chains)
        self.gold = [
            _with_parents([(i, j, number[chain]) for i, j, chain in tree], self.lowest, count)
            for tree in trees
        ]
        self.made: dict[int, SpanRows] = {}
        self.room = _KEPT
        self.labels = load("sparse").SparseLearner(len(self.chains))
        self.above = load("sparse").SparseLearner(count + 1)

    def iterate(self, number: int) -> float:
        """Go over the corpus once; return the share of gold spans that were not found."""
        order = stream(self.seed, "spans", number).permutation(len(self.gold)).tolist()
        missed = sum(self._learn(sentence) for sentence in order)
        return missed / max(1, sum(map(len, self.gold)))

    def model(self) -> SpanModel:
        """Return the averaged model."""
        least = _least(self.settings.margin) * SCALE
        return SpanModel(self.chains, self.labels.averaged(), self.above.averaged(), least)

    def _rows(self, sentence: int) -> SpanRows:
        """Return the spans of a sentence; as long as there is room, they are made once."""
        rows = self.made.get(sentence)
        if rows is None:
            rows = span_rows(self.words, sentence, sentence + 1)
            self.room -= len(rows.start)
            if self.room >= 0:
                self.made[sentence] = rows
        return rows

    def _learn(self, sentence: int) -> int:
        """Learn from one sentence; return how many of its spans were not found."""
        self.labels.tick()
        self.above.tick()
        n = int(self.words.lengths[sentence])
        if not 0 < n <= LONGEST:
            return 0
        rows = self._rows(sentence)
        wanted = np.full(len(rows.start), -1, np.int32)
        parent = np.full(len(rows.start), -1, np.int32)
        for i, j, right, above in self.gold[sentence]:
            row = i * n - i * (i - 1) // 2 - i - 1 + j
            wanted[row], parent[row] = right, above
        margin = self.settings.margin
        candidates = best_candidates(
            (self.labels, self.above),
            self.lowest,
            self.words,
            rows,
            wanted,
            (margin, margin + _least(margin)),
        )
        chosen = candidates.above >= 0
        labels = np.full(len(wanted), -1, np.int32)
        labels[candidates.row[chosen]] = candidates.chain[chosen]
        wrong = np.flatnonzero(labels != wanted)
        given = self.words.attributes, rows.anchors, rows.extras, TEMPLATES
        _towards(self.labels, given, wrong, wanted, labels)
        gold = candidates.chain == wanted[candidates.row]
        higher = np.where(gold, parent[candidates.row], -1).astype(np.int32)
        different = np.flatnonzero(higher != candidates.above)
        _towards(self.above, candidates.below, different, higher, candidates.above)
        return int((wanted[wrong] >= 0).sum())


def _least(margin: int) -> int:
    """Return the score that a label needs to be a candidate, by the margin of the training."""
    return -margin // 2


def _towards(learner: Any, given: Rows, which: Numbers, right: Codes, wrong: Codes) -> None:
    """Strengthen the right classes of some rows, and weaken the wrong ones."""
    attributes, anchors, extras, templates = given
    some = attributes, anchors[which], extras[which], templates
    learner.add(some, right[which], 1)
    learner.add(some, wrong[which], -1)


def _with_parents(
    tree: list[tuple[int, int, int]], lowest: Codes, nothing: int
) -> list[tuple[int, int, int, int]]:
    """Return the spans of a tree with the label above each; above the outermost is nothing."""
    labelled, around = [], [(1 << 62, nothing)]
    for i, j, chain in sorted(tree, key=lambda span: (span[0], -span[1])):
        while around[-1][0] <= i:
            around.pop()
        labelled.append((i, j, chain, around[-1][1]))
        around.append((j, int(lowest[chain])))
    return labelled


def _whole(corpus: Constituents, trees: list[list[Span]]) -> list[list[Span]]:
    """Return trees with a span over the whole sentence, labelled with nothing where it has none."""
    lengths = without_traces(corpus).lengths.tolist()
    complete = []
    for n, tree in zip(lengths, trees, strict=True):
        whole = any((i, j) == (0, n) for i, j, _ in tree)
        complete.append(tree if whole or not n else [(0, n, ()), *tree])
    return complete


def train(task: TrainingTask) -> Model:
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
    labels, above = read_weights(stored), read_weights(stored, "above_")
    try:
        return SpanModel(chains, labels, above, stored.value("least", int))
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
