"""Learn arcs, pairs and labels from trees, whole or partial."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.kernels import load
from commonground.parsers.clusters.word_clusters import has_clusters
from commonground.parsers.graph.arcs import Pairs, PossibleArcs, pairs_of
from commonground.parsers.graph.features import template_sets
from commonground.parsers.graph.guesses import Guesses, with_guesses
from commonground.parsers.graph.labels import label_rows
from commonground.parsers.graph.mira import UNIT, length_of_step
from commonground.parsers.graph.model import GraphModel, decoded
from commonground.parsers.graph.pruning import batches, kept_arcs, learned_pruning
from commonground.parsers.graph.words import words_of
from commonground.parsers.templates import Templates
from commonground.parsers.weights import Averaged
from commonground.random import stream

__all__ = ["GraphLearner", "GraphSettings"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]

_UNIT = UNIT >> 12  # in which weights are kept when they are learned
_BONUS = 1 << 36  # of an annotated arc in the reference: more than all that a model can say


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """How a graph-based parser learns.

    `order` 2 scores neighbouring dependents and makes projective trees, 1 scores single arcs and
    makes any trees. `heads` is how many heads of a word are looked at closely, `aggressiveness`
    the C of MIRA, `cost` what a wrong arc is made better by before the best tree is looked for, and
    `margin` by how much the right label has to be ahead of others. There are 2^`bits` weights of
    arcs.
    """

    order: int = 2
    iterations: int = 8
    patience: int = 3
    heads: int = 8
    aggressiveness: float = 0.004
    cost: float = 1.0
    margin: int = 80
    bits: int = 24

    def __post_init__(self) -> None:
        if self.order not in (1, 2):
            raise ValueError(f"the order is {self.order}; it can be 1 or 2")
        if not 8 <= self.bits <= 26:
            raise ValueError(f"there are {self.bits} bits; from 8 to 26 are possible")
        if self.heads < 1:
            raise ValueError(f"there are {self.heads} heads to look at; 1 is the least")


_Table = tuple[Averaged, PossibleArcs | Pairs, Templates, Numbers, list[Numbers]]


class GraphLearner:
    """Learns by going over its corpus; see :class:`commonground.parsers.learning.Learner`."""

    def __init__(
        self,
        corpus: Dependencies,
        settings: GraphSettings,
        seed: int,
        guesses: Guesses | None = None,
    ) -> None:
        self.settings, self.seed = settings, seed
        self.words = words_of(corpus)
        self.stacked, self.clusters = guesses is not None, has_clusters(corpus)
        self.sets = template_sets(stacked=self.stacked, clusters=self.clusters)
        self.offsets = corpus.offsets
        self.gold = annotated(corpus)
        by_row = np.full(len(self.words.attributes), -1, np.int32)
        by_row[self._word_rows(corpus)] = self.gold
        self.pruning = learned_pruning(self.words, by_row, settings.bits - 2, seed)
        self.groups = batches(self.words)
        self.rows = [self._group(first, last, by_row, guesses) for first, last in self.groups]
        self.place = {
            first + number: (group, number)
            for group, (first, last) in enumerate(self.groups)
            for number in range(last - first)
        }
        self.arcs = Averaged(settings.bits)
        self.pairs = Averaged(settings.bits - 1 if settings.order == 2 else 4)
        self.scratch = np.zeros(1 << settings.bits, np.int32)
        self._prepare_labels(corpus, guesses)

    def iterate(self, number: int) -> float:
        """Go over the corpus once; return the share of annotated words with a wrong head."""
        order = stream(self.seed, "graph", number).permutation(self.words.sentences)
        wrong = sum(self._learn_tree(sentence) for sentence in order.tolist())
        for sentence in order.tolist():
            self._learn_labels(sentence)
        return wrong / max(1, int((self.gold >= 0).sum()))

    def model(self) -> GraphModel:
        """Return the averaged model."""
        return GraphModel(
            self.settings.heads,
            self.labels,
            self.pruning,
            self.arcs.average(_UNIT),
            self.pairs.average(_UNIT) if self.settings.order == 2 else np.empty(0, np.int16),
            self.label.averaged(),
            stacked=self.stacked,
            clusters=self.clusters,
        )

    def _word_rows(self, corpus: Dependencies) -> Numbers:
        rows: Numbers = np.repeat(self.words.base, self.words.lengths)
        return rows + corpus.words.row_in_sentence() + 1

    def _group(
        self, first: int, last: int, gold: Codes, guesses: Guesses | None
    ) -> tuple[PossibleArcs, Pairs | None]:
        arcs = kept_arcs(self.words, first, last, self.pruning, self.settings.heads, gold)
        pairs = pairs_of(arcs) if self.settings.order == 2 else None
        return with_guesses(guesses, arcs, pairs) if guesses is not None else (arcs, pairs)

    def _tree(self, sentence: int) -> Codes:
        return self.gold[self.offsets[sentence] : self.offsets[sentence + 1]]

    # ── heads ────────────────────────────────────────────────────────────────────────────────────

    def _learn_tree(self, sentence: int) -> int:
        """Learn from one sentence; return how many annotated words have a wrong head."""
        self.arcs.tick()
        self.pairs.tick()
        gold = self._tree(sentence)
        known = gold >= 0
        if not known.any():
            return 0
        group, number = self.place[sentence]
        whole, every = self.rows[group]
        arcs = whole.sentence(number)
        pairs = None if every is None else every.sentence(whole, number)
        score = self._scores(self.arcs, arcs, self.sets.arcs)
        more = None if pairs is None else self._scores(self.pairs, pairs, self.sets.pairs)
        right = arcs.head == gold[arcs.word - 1]
        cost = int(self.settings.cost * UNIT) * (known[arcs.word - 1] & ~right)
        predicted = decoded(arcs, score + cost, pairs, more)
        loss = int((known & (predicted != gold)).sum())
        if not loss:
            return 0
        wanted = decoded(arcs, score + _BONUS * right, pairs, more)
        self._towards(arcs, pairs, (score, more), (wanted, predicted), loss)
        return loss

    def _scores(
        self, learned: Averaged, rows: PossibleArcs | Pairs, templates: Templates
    ) -> Numbers:
        sums: Numbers = load("linear").scores(
            learned.weights,
            self.words.attributes,
            rows.anchors,
            rows.extras,
            rows.near,
            templates,
            learned.bits,
        )
        return sums

    def _towards(
        self,
        arcs: PossibleArcs,
        pairs: Pairs | None,
        scores: tuple[Numbers, Numbers | None],
        trees: tuple[Codes, Codes],
        loss: int,
    ) -> None:
        """Move the weights towards the first tree and away from the second one."""
        chosen = [arcs.tree(tree) for tree in trees]
        tables: list[_Table] = [(self.arcs, arcs, self.sets.arcs, scores[0], chosen)]
        if pairs is not None and scores[1] is not None:
            beside = [pairs.rows(arcs, one) for one in chosen]
            tables.append((self.pairs, pairs, self.sets.pairs, scores[1], beside))
        lead, norm, changes = 0, 0, []
        for learned, rows, templates, score, (good, bad) in tables:
            lead += int(score[good].sum() - score[bad].sum())
            sign = np.zeros(len(score), np.int64)
            sign[good] += 1
            sign[bad] -= 1
            which = np.flatnonzero(sign)
            places = load("linear").near_features(
                self.words.attributes,
                rows.anchors[which],
                rows.extras[which],
                rows.near[which],
                templates,
                learned.bits,
            )
            signs = np.repeat(sign[which], places.shape[1])
            norm += load("linear").squared(places.ravel(), signs, self.scratch)
            changes.append((learned, places.ravel(), signs))
        most = int(self.settings.aggressiveness * UNIT)
        far = length_of_step(loss * UNIT, lead, norm, most)
        for learned, places, signs in changes:
            learned.add(places, signs * far)

    # ── labels ───────────────────────────────────────────────────────────────────────────────────

    def _prepare_labels(self, corpus: Dependencies, guesses: Guesses | None) -> None:
        known = np.flatnonzero(self.gold >= 0)
        sentence = corpus.words.sentence_of_row()[known]
        word = corpus.words.row_in_sentence()[known] + 1
        heads = self.gold[known].astype(np.int64)
        self.label_rows = label_rows(self.words, sentence, heads, word, guesses)
        used = corpus.deprel[known]
        self.labels = tuple(sorted(set(used.tolist()))) or ("_",)
        number = {label: place for place, label in enumerate(self.labels)}
        self.wanted = used.values(lambda label: number.get(label, -1)).astype(np.int32)
        counts = np.bincount(sentence, minlength=self.words.sentences)
        self.label_offsets = np.concatenate([[0], np.cumsum(counts)])
        self.label = load("sparse").SparseLearner(len(self.labels))

    def _learn_labels(self, sentence: int) -> None:
        self.label.tick()
        rows = slice(int(self.label_offsets[sentence]), int(self.label_offsets[sentence + 1]))
        anchors, extras = self.label_rows[0][rows], self.label_rows[1][rows]
        wanted = self.wanted[rows]
        given = self.words.attributes, anchors, extras, self.sets.labels
        _, predicted = self.label.best(given, wanted, self.settings.margin)
        wrong = np.flatnonzero(predicted != wanted)
        given = self.words.attributes, anchors[wrong], extras[wrong], self.sets.labels
        self.label.add(given, wanted[wrong], 1)
        self.label.add(given, predicted[wrong], -1)


def annotated(corpus: Dependencies) -> Codes:
    """Return the heads of a corpus, -1 where there is none or one that no tree can have."""
    head = np.asarray(corpus.head, np.int32)
    own = corpus.words.row_in_sentence() + 1
    last = np.repeat(corpus.words.lengths, corpus.words.lengths)
    return np.where((head == own) | (head > last), -1, head).astype(np.int32)
