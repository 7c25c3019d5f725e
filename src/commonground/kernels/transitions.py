"""Transition-based parsing: states, what they look like, what transitions cost, learning, decoding.

This is the plain twin of ``_transitions.pyx``. Words count from 1; place 0 is nothing, and the root
stands behind the last word, so that every word gets a head. A transition has a kind and, where it
makes an arc, a label. σ is the stack (its top on the right), β the buffer:

    system         SHIFT          LEFT                RIGHT               REDUCE        SWAP
    arc-eager      σ, bβ → σb, β  σs, bβ → σ, bβ; b→s  σs, bβ → σsb, β; s→b  σs → σ
    arc-hybrid     σ, bβ → σb, β  σs, bβ → σ, bβ; b→s  σts → σt; t→s
    arc-standard   σ, bβ → σb, β  σts → σs; s→t        σts → σt; t→s
    swap           as arc-standard                                        σts, β → σs, tβ

(Nivre 2003, 2004, 2009; Kuhlmann, Gómez-Rodríguez & Satta 2011; the root at the end as Ballesteros
& Nivre 2013 have it.) Arc-eager and arc-hybrid learn with a dynamic oracle (Goldberg & Nivre 2012,
2013): the cost of a transition is how many arcs of the gold standard it makes unreachable; a head
that is not annotated (-1) costs nothing. The others have a static oracle.

All arithmetic is in integers; where scores are equal, the action with the smaller number is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels.perceptron import (
    Frozen,
    Table,
    Weights,
    checked_weights,
    combined,
    drawn,
)

__all__ = [
    "KINDS",
    "PLACES",
    "SYSTEMS",
    "WORD_FIELDS",
    "Decoder",
    "Learner",
    "checked_beam",
    "checked_sentences",
    "checked_templates",
    "transition_costs",
]

KINDS = ("shift", "reduce", "left", "right", "swap")
SHIFT, REDUCE, LEFT, RIGHT, SWAP = range(5)

SYSTEMS = ("arc-eager", "arc-hybrid", "arc-standard", "swap")
EAGER, HYBRID, STANDARD, SWAPPING = range(4)

PLACES = 23
"""How many places of a state templates can name."""

WORD_FIELDS = 8
"""How many numbers each word has; the fields after them are those of the tree so far."""

STATE_FIELDS = 5

Fields = NDArray[np.uint64]
Numbers = NDArray[np.int32]
Templates = tuple[Numbers, Numbers, Numbers, NDArray[np.uint64]]
Costs = list[tuple[int, int, int]]


class State:
    """A stack, a buffer (the next word last) and the tree so far.

    `head` is 0 for a word that has none yet; `label` is the number of the label plus one.
    """

    def __init__(self, system: int, words: int) -> None:
        self.system, self.words, self.root = system, words, words + 1
        self.stack: list[int] = []
        self.buffer = list(range(words + 1, 0, -1))
        size = words + 2
        self.head, self.label = [0] * size, [0] * size
        self.low, self.low2, self.high, self.high2 = ([0] * size for _ in range(4))
        self.lefts, self.rights = [0] * size, [0] * size
        self.left_labels, self.right_labels = [0] * size, [0] * size
        self.steps = 0

    def copy(self) -> State:
        """Return a state that can go another way."""
        return deepcopy(self)

    def on_stack(self, place: int) -> int:
        """Return a word of the stack, counted from the top, or 0."""
        return self.stack[-1 - place] if place < len(self.stack) else 0

    def in_buffer(self, place: int) -> int:
        """Return a word of the buffer, counted from the front, or 0."""
        return self.buffer[-1 - place] if place < len(self.buffer) else 0

    def done(self) -> bool:
        """Tell whether only the root is left."""
        if self.system in (EAGER, HYBRID):
            return not self.stack and len(self.buffer) == 1
        return not self.buffer and len(self.stack) == 1

    def allowed(self, kind: int, *, one_root: bool) -> bool:
        """Tell whether a transition is possible.

        With `one_root` a word hangs on the root only when no other one waits, as far as the system
        can see to that; in arc-eager it cannot. The number of swaps is bounded, so that every
        sequence of transitions ends.
        """
        depth, top, following = len(self.stack), self.on_stack(0), self.in_buffer(0)
        last = following == self.root
        if self.system == EAGER:
            return {
                SHIFT: not last,
                REDUCE: depth > 0 and self.head[top] != 0,
                LEFT: depth > 0 and self.head[top] == 0,
                RIGHT: depth > 0 and not last,
            }.get(kind, False)
        if self.system == HYBRID:
            return {
                SHIFT: not last,
                LEFT: depth > 0 and not (one_root and last and depth > 1),
                RIGHT: depth > 1,
            }.get(kind, False)
        return {
            SHIFT: bool(self.buffer) and not (one_root and last and depth > 1),
            LEFT: depth > 1,
            RIGHT: depth > 1 and top != self.root,
            SWAP: self.system == SWAPPING
            and depth > 1
            and top != self.root
            and self.on_stack(1) < top
            and self.steps < 2 * self.words * self.words,
        }.get(kind, False)

    def arc(self, kind: int) -> tuple[int, int]:
        """Return the head and the dependent that LEFT or RIGHT would join."""
        top, second, following = self.on_stack(0), self.on_stack(1), self.in_buffer(0)
        if self.system == EAGER:
            return (following, top) if kind == LEFT else (top, following)
        if self.system == HYBRID:
            return (following if kind == LEFT else second), top
        return (top, second) if kind == LEFT else (second, top)

    def apply(self, kind: int, label: int) -> None:
        """Make a transition."""
        self.steps += 1
        if kind in (LEFT, RIGHT):
            self.attach(*self.arc(kind), label)
        if kind == SHIFT or (kind == RIGHT and self.system == EAGER):
            self.stack.append(self.buffer.pop())
        elif kind == SWAP:
            self.buffer.append(self.stack.pop(-2))
        elif kind == LEFT and self.system in (STANDARD, SWAPPING):
            self.stack.pop(-2)
        else:
            self.stack.pop()

    def attach(self, head: int, word: int, label: int) -> None:
        """Add an arc to the tree."""
        self.head[word], self.label[word] = head, label + 1
        if word < head:
            self.lefts[head] += 1
            self.left_labels[head] |= 1 << (label & 63)
            if not self.low[head] or word < self.low[head]:
                self.low[head], self.low2[head] = word, self.low[head]
            elif not self.low2[head] or word < self.low2[head]:
                self.low2[head] = word
        else:
            self.rights[head] += 1
            self.right_labels[head] |= 1 << (label & 63)
            if word > self.high[head]:
                self.high[head], self.high2[head] = word, self.high[head]
            elif word > self.high2[head]:
                self.high2[head] = word


# ── features ─────────────────────────────────────────────────────────────────────────────────────


def _places(state: State) -> list[int]:
    """Return the words at the places that templates name (``parsers/transition_features.py``)."""
    if state.system in (EAGER, HYBRID):
        s0, s1, s2 = (state.on_stack(place) for place in range(3))
        n0, n1, n2, n3 = (state.in_buffer(place) for place in range(4))
    else:
        s0, s1, s2 = (state.on_stack(place) for place in range(1, 4))
        n0, (n1, n2, n3) = state.on_stack(0), (state.in_buffer(place) for place in range(3))
    above = state.head[s0]
    low, low2, high, high2 = state.low, state.low2, state.high, state.high2
    s0_neighbours = [s0 - 1, s0 + 1 if s0 < state.root else 0] if s0 else [0, 0]
    n0_neighbours = [max(n0 - 1, 0), max(n0 - 2, 0)]
    tree = [above, state.head[above], low[s0], low2[s0], high[s0], high2[s0]]
    tree += [low[n0], low2[n0], high[n0], low[s1], high[s1]]
    return [s0, s1, s2, n0, n1, n2, n3, *tree, *s0_neighbours, *n0_neighbours, state.head[s1]]


def _bucket(distance: int) -> int:
    return distance if distance < 5 else 5 if distance < 8 else 6 if distance < 12 else 7


def _features(state: State, templates: Templates, words: list[list[int]]) -> list[int]:
    """Return the features of a state; `words` has the numbers of each place of the sentence."""
    atoms, starts, parts, seeds = (column.tolist() for column in templates)
    places = _places(state)
    s0, n0 = places[0], places[3]
    distance = _bucket(abs(n0 - s0)) if s0 and n0 else 15
    whole = (distance, min(len(state.stack), 6))

    def number(place: int, field: int) -> int:
        if place < 0:
            return whole[field]
        word = places[place]
        if field < WORD_FIELDS:
            return words[word][field]
        return (
            state.label[word],
            min(state.lefts[word], 7),
            min(state.rights[word], 7),
            state.left_labels[word],
            state.right_labels[word],
        )[field - WORD_FIELDS]

    numbers = [number(*each) for each in atoms]
    found = []
    for template, seed in enumerate(seeds):
        hashed = seed
        for part in parts[starts[template] : starts[template + 1]]:
            hashed = combined(hashed, numbers[part])
        found.append(hashed or 1)
    return found


# ── oracles ──────────────────────────────────────────────────────────────────────────────────────


def _costs(state: State, gold: Sequence[int], order: Sequence[int]) -> dict[int, int]:
    """Return what each kind of transition that is possible costs, labels apart."""
    if state.system == EAGER:
        costs = _eager_costs(state, gold)
    elif state.system == HYBRID:
        costs = _hybrid_costs(state, gold)
    else:
        wanted = _static(state, gold, order)
        costs = {kind: int(kind != wanted) for kind in range(5)}
    return {k: cost for k, cost in costs.items() if state.allowed(k, one_root=False)}


def _eager_costs(state: State, gold: Sequence[int]) -> dict[int, int]:
    """Return what each kind of transition costs in arc-eager (Goldberg & Nivre 2012).

    With s on the stack and b first in the buffer: SHIFT loses b's arcs to and from the stack;
    RIGHT the same and b's head in the buffer, but not the arc that it makes; LEFT s's head
    further on in the buffer and s's dependents there; REDUCE only these.
    """
    top, following = state.on_stack(0), state.in_buffer(0)
    waiting = sum(gold[word] == following and not state.head[word] for word in state.stack)
    below = int(following != state.root and gold[following] in state.stack)
    missing = sum(gold[word] == top for word in range(following, state.words + 1)) if top else 0
    elsewhere = 0
    if following != state.root and gold[following] != top:
        elsewhere = below + (gold[following] > following)
    return {
        SHIFT: waiting + below,
        REDUCE: missing,
        LEFT: missing + (top != 0 and gold[top] > following),
        RIGHT: waiting + elsewhere,
    }


def _hybrid_costs(state: State, gold: Sequence[int]) -> dict[int, int]:
    """Return what each kind of transition costs in arc-hybrid (Goldberg & Nivre 2013).

    With t, s on the stack and b first in the buffer: SHIFT loses b's dependents on the stack and
    its head below s; LEFT s's head t or further on in the buffer and s's dependents there; RIGHT
    s's head anywhere in the buffer and these dependents.
    """
    top, second, following = state.on_stack(0), state.on_stack(1), state.in_buffer(0)
    waiting = sum(gold[word] == following for word in state.stack)
    below = int(following != state.root and gold[following] in state.stack[:-1])
    missing = sum(gold[word] == top for word in range(following, state.words + 1)) if top else 0
    head = gold[top] if top else -1
    return {
        SHIFT: waiting + below,
        LEFT: missing + (head > following or (second != 0 and head == second)),
        RIGHT: missing + (head >= following),
    }


def _static(state: State, gold: Sequence[int], order: Sequence[int]) -> int:
    """Return the transition that the static oracle makes in arc-standard and swap (Nivre 2009)."""
    top, second = state.on_stack(0), state.on_stack(1)
    if len(state.stack) > 1:
        if second != state.root and gold[second] == top and _collected(state, gold, second):
            return LEFT
        if top != state.root and gold[top] == second and _collected(state, gold, top):
            return RIGHT
        if state.system == SWAPPING and second < top and order[top] < order[second]:
            return SWAP
    return SHIFT


def _collected(state: State, gold: Sequence[int], word: int) -> bool:
    """Tell whether a word has all its dependents."""
    return all(gold[k] != word or state.head[k] for k in range(1, state.words + 1))


def _label_cost(
    state: State, gold: Sequence[int], labels: Sequence[int], kind: int, label: int
) -> int:
    """Return 1 for an arc with the right head and another label."""
    if kind not in (LEFT, RIGHT):
        return 0
    head, word = state.arc(kind)
    return int(gold[word] == head and labels[word] >= 0 and labels[word] != label)


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
    found = []
    for kind, cost in sorted(_costs(state, gold, order.tolist()).items()):
        for label in range(classes if kind in (LEFT, RIGHT) else 1):
            extra = _label_cost(state, gold, named, kind, label)
            found.append((kind, label, cost + extra))
    return found


# ── learning and decoding ────────────────────────────────────────────────────────────────────────


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
        return _features(state, self.templates, words)


class Learner(_System):
    """Weights that are learned by going over sentences."""

    def __init__(
        self, system: int, kinds: Numbers, labels: Numbers, templates: Templates, special: Fields
    ) -> None:
        super().__init__(system, kinds, labels, templates, special)
        self.table, self.now = Table(), 0

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
        costs = _costs(state, gold, order)
        best = right = costly = -1
        for action, (kind, label) in enumerate(zip(self.kinds, self.labels, strict=True)):
            if kind not in costs:
                continue
            if best < 0 or scores[action] > scores[best]:
                best = action
            if costs[kind] + _label_cost(state, gold, labels, kind, label):
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
        beam = _Beam(self.system, count)
        state, total, gap = State(self.system, count), 0, 0
        rights: list[int] = []
        worst: list[int] = []

        def scores_of(state: State) -> list[int]:
            return self.table.scores(self.features(state, words), len(self.kinds))

        for _ in range(_steps(self.system, count)):
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
        costs = _costs(state, gold, order)
        for action, (kind, label) in enumerate(zip(self.kinds, self.labels, strict=True)):
            if costs.get(kind) == 0 and not _label_cost(state, gold, labels, kind, label):
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


class Decoder(_System):
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

        beam = _Beam(self.system, len(fields))
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


@dataclass(slots=True)
class _Entry:
    """A sequence of actions in a beam, the state that it leads to, and its score."""

    state: State
    score: int
    actions: list[int]


class _Beam:
    """The best sequences of actions so far; one with the size 1 is greedy."""

    def __init__(self, system: int, words: int) -> None:
        self.entries = [_Entry(State(system, words), 0, [])]

    def move(
        self,
        size: int,
        kinds: Sequence[int],
        labels: Sequence[int],
        scores_of: Callable[[State], list[int]],
        *,
        one_root: bool,
    ) -> None:
        """Add an action to all sequences, and keep the best; of equally good ones the first."""
        found = []
        for place, entry in enumerate(self.entries):
            can = [entry.state.allowed(kind, one_root=one_root) for kind in range(5)]
            scores = scores_of(entry.state)
            found += [
                (-entry.score - scores[action], place, action)
                for action, kind in enumerate(kinds)
                if can[kind]
            ]
        kept = []
        for score, place, action in sorted(found)[:size]:
            entry = self.entries[place]
            state = entry.state.copy()
            state.apply(kinds[action], labels[action])
            kept.append(_Entry(state, -score, [*entry.actions, action]))
        self.entries = kept


def _steps(system: int, words: int) -> int:
    """Return how many transitions every sequence has; in the swap system that is not the same."""
    return 2 * words + (system == STANDARD)


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
