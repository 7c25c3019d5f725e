"""Transition-based parsing: learning and decoding.

This is the plain twin of ``_transitions.pyx``. Beside it, each with its compiled twin in a .pxd,
are the states and transitions (``transition_state.py``), what a state looks like
(``transition_features.py``), what a transition costs (``transition_oracles.py``) and the best
sequences of them (``transition_beam.py``).

All arithmetic is in integers; where scores are equal, the action with the smaller number is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels.perceptron import Frozen, Weights, WeightTable, checked_weights, drawn
from commonground.kernels.transition_beam import Beam, steps
from commonground.kernels.transition_features import (
    PLACES,
    STATE_FIELDS,
    WORD_FIELDS,
    Templates,
    features,
)
from commonground.kernels.transition_oracles import costs, label_cost
from commonground.kernels.transition_state import (
    EAGER,
    HYBRID,
    LEFT,
    REDUCE,
    RIGHT,
    SHIFT,
    SWAP,
    SWAPPING,
    SYSTEMS,
    State,
)

__all__ = [
    "TransitionDecoder",
    "TransitionLearner",
    "checked_beam",
    "checked_sentences",
    "checked_templates",
    "transition_costs",
]

Fields = NDArray[np.uint64]
Numbers = NDArray[np.int32]
Costs = list[tuple[int, int, int]]


def transition_costs(
    system: int, heads: Numbers, labels: Numbers, order: Numbers, done: Numbers, classes: int
) -> Costs | None:
    """Return (kind, label, cost) of all transitions that are possible after those already `done`.

    `heads`, `labels` and `order` have an entry for each place, from 0 to the root (n + 1), which is
    the head of whatever hangs on the root. It is None where what is done is not possible, and the
    empty list at the end.
    """
    words = len(heads) - 2
    fits = 0 <= system < len(SYSTEMS) and words >= 0 and len(labels) == len(order) == words + 2
    if not fits or done.ndim != 2 or done.shape[1] != 2 or not 0 < classes < 65536:
        raise ValueError("buffers that do not fit together")
    state = State(system, words)
    for kind, label in done.tolist():
        if not state.allowed(kind, one_root=False):
            return None
        state.apply(kind, label)
    if state.done():
        return []
    gold, named = heads.tolist(), labels.tolist()
    priced = []
    for kind, cost in sorted(costs(state, gold, order.tolist()).items()):
        for label in range(classes if kind in (LEFT, RIGHT) else 1):
            extra = label_cost(state, gold, named, kind, label)
            priced.append((kind, label, cost + extra))
    return priced


class _System:
    """A transition system: its actions, and what it looks at."""

    def __init__(
        self, system: int, kinds: Numbers, labels: Numbers, templates: Templates, special: Fields
    ) -> None:
        checked_templates(system, kinds, labels, templates, special)
        self.system, self.templates = system, templates
        self.kinds, self.labels = kinds.tolist(), labels.tolist()
        self.special = special.tolist()

    def words(self, fields: Fields) -> list[list[int]]:
        """Return the numbers of each place of a sentence: nothing, the words, the root."""
        return [self.special[0], *fields.tolist(), self.special[1]]

    def features(self, state: State, words: list[list[int]]) -> list[int]:
        """Return the features of a state."""
        return features(state, self.templates, words)


class TransitionLearner(_System):
    """Weights that are learned by going over sentences."""

    def __init__(
        self, system: int, kinds: Numbers, labels: Numbers, templates: Templates, special: Fields
    ) -> None:
        super().__init__(system, kinds, labels, templates, special)
        self.table, self.now = WeightTable(), 0

    def iterate(  # noqa: PLR0917  # a kernel's signature
        self,
        fields: Fields,
        offsets: NDArray[np.int64],
        heads: Numbers,
        labels: Numbers,
        order: Numbers,
        sentences: NDArray[np.int64],
        margin: int,
        explore: float,
        seed: int,
    ) -> tuple[int, int]:
        """Go over the sentences once; return how many decisions were wrong, and how many made.

        An update makes the best action without cost better and the best one with a cost worse,
        where that is not behind by `margin`; in a partial tree, what is not annotated costs nothing
        (Spreyer & Kuhn 2009). The model's own action is followed with the probability `explore`,
        else the best right one.
        """
        checked_sentences(fields, offsets, heads, labels, order, sentences, WORD_FIELDS)
        random, threshold = [seed], int(explore * 4294967296.0)
        wrong = made = 0
        for sentence in sentences.tolist():
            rows = slice(int(offsets[sentence]), int(offsets[sentence + 1]))
            size = rows.stop - rows.start
            if not size:
                continue
            gold, named, ordered = _placed(heads[rows], labels[rows], order[rows])
            words, state = self.words(fields[rows]), State(self.system, size)
            while not state.done():
                features = self.features(state, words)
                scores = self.table.scores(features, len(self.kinds))
                best, right, costly = self.choices(state, scores, gold, named, ordered)
                self.now += 1
                made += 1
                wrong += best == costly
                if costly >= 0 and (best == costly or scores[right] - scores[costly] < margin):
                    self.table.add(features, right, 1, self.now)
                    self.table.add(features, costly, -1, self.now)
                if threshold and drawn(random) >> 32 < threshold:
                    right = best
                state.apply(self.kinds[right], self.labels[right])
        return wrong, made

    def choices(
        self,
        state: State,
        scores: list[int],
        gold: Sequence[int],
        labels: Sequence[int],
        order: Sequence[int],
    ) -> tuple[int, int, int]:
        """Return the best action, the best one without cost, and the best one with a cost.

        Where no action is without cost, because an arc's label never occurred in its direction,
        nothing is to be learned.
        """
        prices = costs(state, gold, order)
        best = right = costly = -1
        for action, (kind, label) in enumerate(zip(self.kinds, self.labels, strict=True)):
            if kind not in prices:
                continue
            if best < 0 or scores[action] > scores[best]:
                best = action
            if prices[kind] + label_cost(state, gold, labels, kind, label):
                if costly < 0 or scores[action] > scores[costly]:
                    costly = action
            elif right < 0 or scores[action] > scores[right]:
                right = action
        return (best, right, costly) if right >= 0 else (best, best, -1)

    def iterate_beam(
        self,
        fields: Fields,
        offsets: NDArray[np.int64],
        heads: Numbers,
        labels: Numbers,
        order: Numbers,
        sentences: NDArray[np.int64],
        size: int,
    ) -> tuple[int, int]:
        """Go over the sentences once with a beam; return how many were wrong, and how many.

        The sequence of transitions that makes the gold tree, and the best one in the beam, are
        compared after each step; where that one is furthest ahead, the weights of both sequences up
        to there are updated (max-violation: Huang, Fayong & Guo 2012).
        """
        checked_sentences(fields, offsets, heads, labels, order, sentences, WORD_FIELDS)
        checked_beam(self.system, size)
        wrong = 0
        for sentence in sentences.tolist():
            rows = slice(int(offsets[sentence]), int(offsets[sentence + 1]))
            if rows.start < rows.stop:
                placed = _placed(heads[rows], labels[rows], order[rows])
                wrong += self.learn_beam(self.words(fields[rows]), *placed, size)
        return wrong, len(sentences)

    def learn_beam(
        self,
        words: list[list[int]],
        gold: Sequence[int],
        labels: Sequence[int],
        order: Sequence[int],
        size: int,
    ) -> bool:
        """Learn from one sentence, and tell whether there was anything to learn."""
        count = len(words) - 2
        beam = Beam(self.system, count)
        state, total, gap = State(self.system, count), 0, 0
        rights: list[int] = []
        worst: list[int] = []

        def scores_of(state: State) -> list[int]:
            return self.table.scores(self.features(state, words), len(self.kinds))

        for _ in range(steps(self.system, count)):
            right = self.free(state, gold, labels, order)
            if right < 0:  # an arc whose label never occurred in this direction
                break
            total += scores_of(state)[right]
            rights.append(right)
            beam.move(size, self.kinds, self.labels, scores_of, one_root=False)
            state.apply(self.kinds[right], self.labels[right])
            best = beam.entries[0]
            if best.actions != rights and best.score - total >= gap:
                gap, worst = best.score - total, best.actions
        self.now += 1
        if worst:
            self.update_path(words, rights[: len(worst)], 1)
            self.update_path(words, worst, -1)
        return bool(worst)

    def free(
        self, state: State, gold: Sequence[int], labels: Sequence[int], order: Sequence[int]
    ) -> int:
        """Return the first action that costs nothing, -1 where there is none."""
        prices = costs(state, gold, order)
        for action, (kind, label) in enumerate(zip(self.kinds, self.labels, strict=True)):
            if prices.get(kind) == 0 and not label_cost(state, gold, labels, kind, label):
                return action
        return -1

    def update_path(self, words: list[list[int]], path: Sequence[int], delta: int) -> None:
        """Add to the weights of all decisions of a sequence."""
        state = State(self.system, len(words) - 2)
        for action in path:
            self.table.add(self.features(state, words), action, delta, self.now)
            state.apply(self.kinds[action], self.labels[action])

    def averaged(self) -> Weights:
        """Return the weights averaged over all decisions."""
        return self.table.averaged(self.now + 1)


class TransitionDecoder(_System):
    """Averaged weights that parse."""

    def __init__(
        self,
        system: int,
        kinds: Numbers,
        labels: Numbers,
        templates: Templates,
        special: Fields,
        weights: Weights,
    ) -> None:
        super().__init__(system, kinds, labels, templates, special)
        self.table = Frozen(checked_weights(weights, len(kinds)))

    def parse(
        self, fields: Fields, offsets: NDArray[np.int64], other: int, size: int = 1
    ) -> tuple[Numbers, Numbers]:
        """Return the heads and labels of all words; a beam keeps the `size` best sequences.

        The first word on the root stays there; other ones hang on it, with the label `other`.
        """
        checked_beam(self.system, size)
        heads, labels = np.zeros((2, len(fields)), np.int32)
        none = np.empty(0, np.int64)
        checked_sentences(fields, offsets, heads, labels, labels, none, WORD_FIELDS)
        for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
            if start < stop:
                tree = list(self.decode(fields[start:stop], other, size))
                heads[start:stop], labels[start:stop] = np.array(tree, np.int32).T
        return heads, labels

    def decode(self, fields: Fields, other: int, size: int) -> Iterator[tuple[int, int]]:
        """Return the head and the label of each word of a sentence."""
        words = self.words(fields)

        def scores_of(state: State) -> list[int]:
            return self.table.scores(self.features(state, words), len(self.kinds))

        beam = Beam(self.system, len(fields))
        while not beam.entries[0].state.done():
            beam.move(size, self.kinds, self.labels, scores_of, one_root=True)
        state, root = beam.entries[0].state, 0
        for word in range(1, len(fields) + 1):
            head, label = state.head[word], state.label[word] - 1
            if head != state.root:
                yield head, label
            elif root:
                yield root, other
            else:
                root = word
                yield 0, label


def _placed(
    heads: Numbers, labels: Numbers, order: Numbers
) -> tuple[list[int], list[int], list[int]]:
    """Return the columns of a sentence by place: nothing, the words, the root."""
    root = len(heads) + 1
    gold = [-1, *(head or root for head in heads.tolist()), -1]
    return gold, [-1, *labels.tolist(), -1], [0, *order.tolist(), root]


# ── what both twins check at their entries ───────────────────────────────────────────────────────


def checked_templates(system: int, kinds: Any, labels: Any, templates: Any, special: Any) -> None:
    """Raise ValueError unless actions and templates are such that no place is out of range."""
    kinds, labels, special = np.asarray(kinds), np.asarray(labels), np.asarray(special)
    atoms, starts, parts, seeds = map(np.asarray, templates)
    good = 0 <= system < len(SYSTEMS) and 0 < len(kinds) == len(labels) < 65536
    good = good and bool(((kinds >= 0) & (kinds <= SWAP) & (labels >= 0)).all())
    good = good and bool((labels < 65536).all())  # one more is a number of 32 bits, too
    good = good and special.shape == (2, WORD_FIELDS) and 0 < len(seeds) <= 512
    good = good and atoms.ndim == 2 and atoms.shape[0] > 0 and atoms.shape[1] == 2
    good = good and len(starts) == len(seeds) + 1 and starts[0] == 0 and starts[-1] == len(parts)
    good = good and bool((np.diff(starts) > 0).all())
    good = good and bool(((parts >= 0) & (parts < len(atoms))).all())
    if not good or not _atoms_fit(atoms) or not _always_possible(system, kinds.tolist()):
        raise ValueError("templates or actions that do not fit together")


def _atoms_fit(atoms: Numbers) -> bool:
    place, field = atoms.T
    whole = (place == -1) & (field >= 0) & (field < 2)
    of_word = (place >= 0) & (place < PLACES) & (field >= 0)
    return bool((whole | (of_word & (field < WORD_FIELDS + STATE_FIELDS))).all())


def _always_possible(system: int, kinds: list[int]) -> bool:
    """Tell whether in every state some action is possible."""
    needed = {EAGER: {SHIFT, REDUCE, LEFT}, HYBRID: {SHIFT, LEFT, RIGHT}}.get(system, {SHIFT, LEFT})
    return needed <= set(kinds)


def checked_beam(system: int, size: int) -> None:
    """Raise ValueError unless a system can have a beam of this size."""
    if not 1 <= size <= 1024 or (size > 1 and system == SWAPPING):
        raise ValueError("a beam that is not possible")


def checked_sentences(
    fields: Any, offsets: Any, heads: Any, labels: Any, order: Any, sentences: Any, width: int
) -> None:
    """Raise ValueError unless the columns are those of the same words, with possible heads."""
    fields, offsets, heads = np.asarray(fields), np.asarray(offsets), np.asarray(heads)
    sentences = np.asarray(sentences)
    rows = len(fields)
    good = fields.ndim == 2 and fields.shape[1] == width and len(offsets) > 0
    good = good and offsets[0] == 0 and offsets[-1] == rows
    lengths = np.diff(offsets)
    good = good and bool((lengths >= 0).all()) and int(lengths.max(initial=0)) < 1 << 24
    good = good and len(heads) == len(np.asarray(labels)) == len(np.asarray(order)) == rows
    good = good and bool(((sentences >= 0) & (sentences < len(lengths))).all())
    if not good or bool(((heads < -1) | (heads > np.repeat(lengths, lengths))).any()):
        raise ValueError("columns that do not fit together")
