"""A parser that scores spans: a tree is as good as its phrases are, each in its family.

Which labels a span could have is found first (``shortlist.py``). The score of each of them is
linear in hashed features of the words at and around its ends (after Stern, Andreas & Klein 2017,
with weights instead of a network); a span without a phrase scores 0. What is above a phrase and
beside it is scored, too (``families.py``): the label above, as parent annotation (Johnson 1998)
does for grammars, the first word above, and neighbouring children. A chart finds the best tree.
Learning is a structured perceptron with a margin: every label that a span should not have is made
better by the margin before the best tree is looked for (Taskar, Guestrin & Koller 2003), and the
average of all weights is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import chain as chained
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Table
from commonground.corpus.table import offsets_of
from commonground.kernels import load
from commonground.kernels.constituents import ABSENT
from commonground.kernels.perceptron import SCALE, Weights
from commonground.kernels.sparse import Rows
from commonground.parsers.constituency.families import Families, families, gold_tree
from commonground.parsers.constituency.phrases import (
    Chain,
    Span,
    loaded_chains,
    phrases_of,
    stored_chains,
    with_phrases,
    without_traces,
)
from commonground.parsers.constituency.shortlist import (
    TEMPLATES,
    Candidates,
    Shortlist,
    learn_shortlist,
    mean_weights,
)
from commonground.parsers.constituency.stretches import stretches
from commonground.parsers.constituency.words import (
    SpanRows,
    TaggedWords,
    span_rows,
    tagged_words,
)
from commonground.parsers.jackknife import folds
from commonground.parsers.learning import learned
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import Model, Parser, TrainingTask
from commonground.parsers.scoring import bracket_f1
from commonground.parsers.sparse_weights import read_weights, weight_arrays
from commonground.random import stream

__all__ = ["PARSERS", "SpanModel", "SpanSettings"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]

_MOST = 50_000  # spans that are looked at together
_KEPT = 2_000_000  # spans that are kept from one iteration to the next
LONGEST = 250
"""Longer sentences are parsed in stretches, and nothing is learned from them."""

_FOLDS = 4
_TURNS = 3
"""How often the others are gone over to learn the first look at the sentences of a fold."""


@dataclass(frozen=True, slots=True)
class SpanSettings:
    """How spans are learned.

    The right label of a span has to be ahead of others by the `margin`; `functions` tells whether
    labels keep their function tags.
    """

    iterations: int = 6
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


@dataclass(frozen=True)
class Choosers:
    """What scores candidates on their own, below a label, inside of a phrase, and neighbours."""

    labels: Any
    below: Any
    inside: Any
    beside: Any

    def best_trees(
        self,
        words: TaggedWords,
        candidates: Candidates,
        seen: Families,
        score: Numbers,
        lowest: Codes,
    ) -> tuple[Numbers, Numbers]:
        """Return what is above each word and candidate, as the kernel ``constituents`` does.

        `lowest` are the lowest labels of the candidates; `score` is what is added to.
        """
        given = words.attributes, candidates.anchors, candidates.extras, TEMPLATES
        own = self.labels.scores(given)[candidates.at, candidates.chain]
        trees: tuple[Numbers, Numbers] = load("constituents").best_trees(
            candidates.words,
            candidates.start,
            candidates.end,
            lowest,
            score + own,
            self.below.scores(seen.below),
            self.inside.scores(seen.inside),
            self.beside.scores(seen.beside),
        )
        return trees


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


WEIGHTS = ("shortlist", "labels", "below", "inside", "beside")
"""The weights of a model, in the order in which they are learned."""


@dataclass(frozen=True)
class SpanModel:
    """A trained parser: what the labels are, and weights (`WEIGHTS`)."""

    chains: tuple[Chain, ...]
    weights: tuple[Weights, ...]
    _shortlist: Shortlist = field(init=False, repr=False, compare=False)
    _choosers: Choosers = field(init=False, repr=False, compare=False)
    _lowest: Codes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        lowest, count = lowest_labels(self.chains)
        sizes = len(self.chains), count + 1, count, count
        classifier = load("sparse").SparseClassifier
        choosers = Choosers(*map(classifier, sizes, self.weights[1:]))
        object.__setattr__(self, "_shortlist", Shortlist(len(self.chains), self.weights[0]))
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
            candidates = self._shortlist.candidates(words, rows)
            _, above = self._choosers.best_trees(
                words,
                candidates,
                families(words, first, candidates),
                candidates.score,
                self._lowest[candidates.chain],
            )
            chosen = above != ABSENT
            row, chain = candidates.span[chosen], candidates.chain[chosen]
            sentence = np.searchsorted(rows.rows, row, side="right") - 1
            made: list[list[Span]] = [[] for _ in range(last - first)]
            columns = sentence, rows.start[row], rows.end[row], chain
            for s, i, j, k in zip(*(column.tolist() for column in columns), strict=True):
                made[s].append((i, j, self.chains[k]))
            trees += made
        return trees

    def store(self) -> Stored:
        """Return what a file of the model holds."""
        arrays: dict[str, NDArray[Any]] = {}
        for name, weights in zip(WEIGHTS, self.weights, strict=True):
            arrays |= weight_arrays(weights, f"{name}_")
        return Stored("spans", {"chains": stored_chains(self.chains)}, arrays)


class SpanLearner:
    """Learns spans by going over its corpus again and again."""

    def __init__(self, corpus: Constituents, settings: SpanSettings, seed: int) -> None:
        self.settings, self.seed = settings, seed
        trees = _whole(corpus, phrases_of(corpus, functions=settings.functions))
        self.words = tagged_words(without_traces(corpus))
        self.chains = tuple(sorted({chain for tree in trees for _, _, chain in tree}))
        number = {chain: place for place, chain in enumerate(self.chains)}
        self.lowest, count = lowest_labels(self.chains)
        self.gold = [[(i, j, number[chain]) for i, j, chain in tree] for tree in trees]
        self.made: dict[int, tuple[SpanRows, Codes]] = {}
        self.room = _KEPT
        self.shortlist: Weights | None = None
        self.lessons: dict[int, Lesson] = {}
        learner = load("sparse").SparseLearner
        sizes = len(self.chains), count + 1, count, count
        self.choosers = Choosers(*map(learner, sizes))

    def iterate(self, number: int) -> float:
        """Go over the corpus once; return the share of gold spans that were not found."""
        if self.shortlist is None:
            self.shortlist = self._first_look()
        order = stream(self.seed, "spans", number).permutation(len(self.gold)).tolist()
        missed = sum(self._learn(sentence) for sentence in order)
        return missed / max(1, sum(map(len, self.gold)))

    def model(self) -> SpanModel:
        """Return the averaged model."""
        assert self.shortlist is not None
        chosen = self.choosers
        learners = chosen.labels, chosen.below, chosen.inside, chosen.beside
        return SpanModel(self.chains, (self.shortlist, *(one.averaged() for one in learners)))

    def _first_look(self) -> Weights:
        """Find the candidates of all sentences; return the mean of what found them."""
        sentences = np.flatnonzero((self.words.lengths > 0) & (self.words.lengths <= LONGEST))
        parts = folds(len(sentences), max(1, min(_FOLDS, len(sentences))))
        found = []
        for number, part in enumerate(parts):
            others = np.delete(sentences, part) if len(parts) > 1 else sentences
            shuffled = [
                stream(self.seed, "first look", number, turn).permutation(others).tolist()
                for turn in range(_TURNS)
            ]
            weights = learn_shortlist(self.words, len(self.chains), self._spans, shuffled)
            shortlist = Shortlist(len(self.chains), weights)
            for sentence in sentences[part].tolist():
                rows, wanted = self._spans(sentence)
                candidates = shortlist.candidates(self.words, rows, wanted)
                self.lessons[sentence] = Lesson(candidates, wanted[candidates.span])
            found.append(weights)
        self.made.clear()
        return mean_weights(found)

    def _spans(self, sentence: int) -> tuple[SpanRows, Codes]:
        """Return the spans of a sentence, and what they are; with room, they are made once."""
        made = self.made.get(sentence)
        if made is None:
            rows = span_rows(self.words, sentence, sentence + 1)
            wanted = np.full(len(rows.start), -1, np.int32)
            n = int(self.words.lengths[sentence])
            for i, j, right in self.gold[sentence]:
                wanted[i * n - i * (i - 1) // 2 - i - 1 + j] = right
            made = rows, wanted
            self.room -= len(rows.start)
            if self.room >= 0:
                self.made[sentence] = made
        return made

    def _learn(self, sentence: int) -> int:
        """Learn from one sentence; return how many of its spans were not found."""
        chosen = self.choosers
        for learner in (chosen.labels, chosen.below, chosen.inside, chosen.beside):
            learner.tick()
        lesson = self.lessons.get(sentence)
        if lesson is None:
            return 0
        candidates = lesson.candidates
        chain, right = candidates.chain, candidates.chain == lesson.wanted
        lowest = self.lowest[chain]
        seen = families(self.words, sentence, candidates)
        margin = self.settings.margin * (~right).astype(np.int64)
        margin -= self.settings.margin * (lesson.wanted >= 0)  # nothing is wrong there too
        score = candidates.score // SCALE + margin
        gold = gold_tree(candidates, right)
        found = chosen.best_trees(self.words, candidates, seen, score, lowest)
        if (gold[1] == found[1]).all():
            return 0
        given = self.words.attributes, candidates.anchors, candidates.extras, TEMPLATES
        highest = self.lowest.max() + 1
        sides = []
        for above_words, above in (gold, found):
            inside = np.flatnonzero(above != ABSENT)
            label = np.where(above[inside] < 0, highest, lowest[above[inside]])
            sides.append(
                [
                    (candidates.at[inside], chain[inside]),
                    (inside, label),
                    *seen.members(lowest, above_words, above),
                ]
            )
        learners = chosen.labels, chosen.below, chosen.inside, chosen.beside
        rows = given, seen.below, seen.inside, seen.beside
        for learner, looked, good, bad in zip(learners, rows, *sides, strict=True):
            _learn(learner, looked, good, bad)
        return int((right & (found[1] == ABSENT)).sum())


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one sentence teaches: its candidates, and what the span of each should be."""

    candidates: Candidates
    wanted: Codes


def _learn(
    learner: Any, seen: Rows, good: tuple[Numbers, Codes], bad: tuple[Numbers, Codes]
) -> None:
    """Strengthen the classes of some rows, and weaken others; what is in both stays as it is."""
    attributes, anchors, extras, templates = seen
    codes = [rows * learner.classes + classes for rows, classes in (good, bad)]
    for one, other, amount in ((codes[0], codes[1], 1), (codes[1], codes[0], -1)):
        rows, classes = np.divmod(np.setdiff1d(one, other, assume_unique=True), learner.classes)
        some = attributes, anchors[rows], extras[rows], templates
        learner.add(some, classes.astype(np.int32), amount)


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
    if "shortlist_keys" not in stored.arrays:
        raise ModelError("it chooses spans as an earlier version did; train it again")
    weights = tuple(read_weights(stored, f"{name}_") for name in WEIGHTS)
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
