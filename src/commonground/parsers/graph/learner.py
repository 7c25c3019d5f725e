"""Learn arcs, pairs and labels from trees, whole or partial."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.corpus.shape import nonprojective_arcs
from commonground.kernels import load
from commonground.parsers.clusters.word_clusters import has_clusters
from commonground.parsers.confidence import confidences, drawn_heads
from commonground.parsers.graph.arcs import Lines, Pairs, PossibleArcs
from commonground.parsers.graph.features import template_sets
from commonground.parsers.graph.guesses import Guesses
from commonground.parsers.graph.labels import label_rows
from commonground.parsers.graph.mira import UNIT, length_of_step
from commonground.parsers.graph.model import GraphModel
from commonground.parsers.graph.parts import Parts, decoded, parts_of
from commonground.parsers.graph.pruning import batches, kept_arcs, learned_pruning
from commonground.parsers.graph.settings import GraphSettings
from commonground.parsers.graph.words import words_of
from commonground.parsers.templates import Templates
from commonground.parsers.weights import Averaged
from commonground.random import stream

__all__ = ["GraphLearner"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]

_UNIT = UNIT >> 12  # in which weights are kept when they are learned
_FEWER_BITS = (0, 1, 1)  # of places for the weights of arcs, pairs and lines
_BONUS = 1 << 36  # of an annotated arc in the reference: more than all that a model can say


class GraphLearner:
    """Learns by going over its corpus; see :class:`commonground.parsers.learning.Learner`."""

    def __init__(
        self,
        corpus: Dependencies,
        settings: GraphSettings,
        seed: int,
        guesses: Guesses | None = None,
        weights: str = "",
    ) -> None:
        self.settings, self.seed = settings, seed
        self.weights = confidences(corpus, weights) if weights else None
        self.words = words_of(corpus)
        self.stacked, self.clusters = guesses is not None, has_clusters(corpus)
        self.sets = template_sets(stacked=self.stacked, clusters=self.clusters)
        self.offsets = corpus.offsets
        self.gold = self.seen = annotated(corpus)
        self.price = np.where(nonprojective_arcs(corpus), int(settings.crossing * UNIT), UNIT)
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
        self.tables = [Averaged(settings.bits - fewer) for fewer in _FEWER_BITS[: settings.kinds]]
        self.scratch = np.zeros(1 << settings.bits, np.int32)
        self._prepare_labels(corpus, guesses)

    def iterate(self, number: int) -> float:
        """Go over the corpus once; return the share of annotated words with a wrong head."""
        self.seen = drawn_heads(self.gold, self.weights, self.seed, number)
        order = stream(self.seed, "graph", number).permutation(self.words.sentences)
        wrong = sum(self._learn_tree(sentence) for sentence in order.tolist())
        for sentence in order.tolist():
            self._learn_labels(sentence)
        return wrong / max(1, int((self.seen >= 0).sum()))

    def model(self) -> GraphModel:
        """Return the averaged model."""
        tables = [table.average(_UNIT) for table in self.tables]
        tables += [np.empty(0, np.int16)] * (len(_FEWER_BITS) - len(tables))
        arcs, pairs, lines = tables
        return GraphModel(
            self.settings.heads,
            self.labels,
            self.pruning,
            arcs,
            pairs,
            lines,
            self.label.averaged(),
            stacked=self.stacked,
            clusters=self.clusters,
        )

    def _word_rows(self, corpus: Dependencies) -> Numbers:
        rows: Numbers = np.repeat(self.words.base, self.words.lengths)
        return rows + corpus.words.row_in_sentence() + 1

    def _group(self, first: int, last: int, gold: Codes, guesses: Guesses | None) -> Parts:
        arcs = kept_arcs(self.words, first, last, self.pruning, self.settings.heads, gold)
        return parts_of(arcs, self.settings.kinds, guesses)

    def _tree(self, sentence: int) -> Codes:
        return self.seen[self.offsets[sentence] : self.offsets[sentence + 1]]

    # ── heads ────────────────────────────────────────────────────────────────────────────────────

    def _learn_tree(self, sentence: int) -> int:
        """Learn from one sentence; return how many annotated words have a wrong head."""
        for table in self.tables:
            table.tick()
        gold = self._tree(sentence)
        known = gold >= 0
        if not known.any():
            return 0
        group, number = self.place[sentence]
        parts = self.rows[group].sentence(number)
        arcs = parts.arcs
        scores = [
            self._scores(*one)
            for one in zip(self.tables, parts.kinds(), self.sets.parts, strict=False)
        ]
        right = arcs.head == gold[arcs.word - 1]
        price = self.price[self.offsets[sentence] : self.offsets[sentence + 1]] * known
        cost = (int(self.settings.cost * UNIT) * price // UNIT)[arcs.word - 1] * ~right
        predicted = decoded(parts, [scores[0] + cost, *scores[1:]])
        wrong = known & (predicted != gold)
        if not wrong.any():
            return 0
        wanted = decoded(parts, [scores[0] + _BONUS * right, *scores[1:]])
        self._towards(parts, scores, (wanted, predicted), int(price[wrong].sum()))
        return int(wrong.sum())

    def _scores(
        self, learned: Averaged, rows: PossibleArcs | Pairs | Lines, templates: Templates
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
        self, parts: Parts, scores: list[Numbers], trees: tuple[Codes, Codes], loss: int
    ) -> None:
        """Move the weights towards the first tree and away from the second one."""
        chosen = zip(*(parts.of_tree(tree) for tree in trees), strict=True)
        kinds = zip(self.tables, parts.kinds(), self.sets.parts, scores, chosen, strict=False)
        lead, norm, changes = 0, 0, []
        for learned, rows, templates, score, (good, bad) in kinds:
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
        far = length_of_step(loss, lead, norm, most)
        for learned, places, signs in changes:
            learned.add(places, signs * far)

    # ── labels ───────────────────────────────────────────────────────────────────────────────────

    def _prepare_labels(self, corpus: Dependencies, guesses: Guesses | None) -> None:
        known = self.labelled = np.flatnonzero(self.gold >= 0)
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
        first, last = self.label_offsets[sentence : sentence + 2].tolist()
        rows = first + np.flatnonzero(self.seen[self.labelled[first:last]] >= 0)
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
