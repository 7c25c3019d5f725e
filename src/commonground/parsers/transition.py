"""Transition-based parsers: arc-eager, arc-hybrid, arc-standard, swap.

A classifier chooses one transition after the other (Nivre 2008): an averaged perceptron with a
margin over hashed features (``transition_features.py``), with labels and transitions chosen at
once. Arc-eager and arc-hybrid have a dynamic oracle and learn on the states that they come to
themselves (Goldberg & Nivre 2012, 2013), and take partial trees: what is not annotated costs
nothing. What is drawn at random depends on the seed only.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from commonground import kernels
from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError
from commonground.kernels.perceptron import Weights
from commonground.kernels.transition_state import KINDS, SYSTEMS
from commonground.kernels.transitions import TransitionDecoder
from commonground.parsers.atoms import Atoms, atom, atoms, shape
from commonground.parsers.clusters.word_clusters import cluster_atoms, has_clusters
from commonground.parsers.confidence import confidences, drawn_heads
from commonground.parsers.learning import learned
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import Model, Parser, TrainingTask
from commonground.parsers.scoring import labelled_attachment
from commonground.parsers.sparse_weights import read_weights, weight_arrays
from commonground.parsers.transition_features import FIELDS, compiled
from commonground.random import stream

__all__ = ["PARSERS", "TransitionModel", "TransitionSettings"]

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class TransitionSettings:
    """How a transition-based parser learns.

    `iterations` over the corpus, fewer with a dev corpus when its score has not risen for
    `patience` of them; a right action must be better than a wrong one by `margin`; from the second
    iteration on, the parser's own action is followed with the probability `explore`.

    With a `beam` of more than 1, that many sequences of transitions are followed at once, and the
    parser learns to give the gold sequence the best score as a whole (Zhang & Clark 2008); margin
    and explore have no effect then.
    """

    iterations: int = 10
    patience: int = 4
    margin: int = 150
    explore: float = 0.9
    beam: int = 1

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.patience < 1 or self.margin < 0:
            raise ValueError("iterations and patience are at least 1, and margin at least 0")
        if not 1 <= self.beam <= 1024:
            raise ValueError(f"beam is {self.beam}; it can be from 1 to 1024")
        if not 0 <= self.explore <= 1:
            raise ValueError(f"explore is {self.explore}; a probability is between 0 and 1")


# ── words ────────────────────────────────────────────────────────────────────────────────────────


def word_fields(corpus: Dependencies) -> Atoms:
    """Return the numbers of each word: a row of what templates call w l u x f p s h a b c.

    A word without XPOS has its UPOS in this place, and the other way round.
    """
    upos, xpos = atoms(corpus.upos), atoms(corpus.xpos)
    columns = [
        atoms(corpus.form),
        atoms(corpus.lemma),
        np.where(upos == 0, xpos, upos),
        np.where(xpos == 0, upos, xpos),
        atoms(corpus.feats),
        atoms(corpus.form, lambda form: form[:3].lower()),
        atoms(corpus.form, lambda form: form[-3:].lower()),
        atoms(corpus.form, shape),
        *cluster_atoms(corpus),
    ]
    return np.ascontiguousarray(np.stack(columns, axis=1))


def _special() -> Atoms:
    """Return the numbers of what stands beyond the sentence, and of the root."""
    names = [[f"\0{name}.{each}" for each in FIELDS] for name in ("nothing", "root")]
    return np.array([[atom(text) for text in row] for row in names], np.uint64)


# ── actions ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Actions:
    """The actions of a parser: the kind of each transition and the label of the arc it makes."""

    labels: tuple[str, ...]
    kinds: Numbers
    label_of: Numbers
    other: int
    """The label of a word that would be a second root."""


def _actions(system: str, corpus: Dependencies) -> Actions:
    """Return the actions that trees of a corpus need: labels in directions that occur.

    The most frequent labels come first, those equally frequent in alphabetical order.
    """
    annotated = corpus.head >= 0
    labels = tuple(Strings(corpus.deprel.codes[annotated], corpus.deprel.vocabulary).counts())
    number = {label: place for place, label in enumerate(labels)}
    codes = np.array([number.get(text, 0) for text in corpus.deprel.vocabulary] or [0], np.int32)
    code = codes[corpus.deprel.codes][annotated]
    word = (corpus.words.row_in_sentence() + 1)[annotated]
    head = corpus.head[annotated]
    left = (head == 0) | (head > word)
    pairs = [(2, each) for each in np.unique(code[left]).tolist() or [0]]
    pairs += [(3, each) for each in np.unique(code[~left]).tolist() or [0]]
    plain = {"arc-eager": [0, 1], "swap": [0, 4]}.get(system, [0])
    pairs = [(kind, 0) for kind in plain] + pairs
    kinds, label_of = np.array(pairs, np.int32).T
    return Actions(labels, kinds.copy(), label_of.copy(), _other(corpus, code, annotated))


def _other(corpus: Dependencies, code: Numbers, annotated: NDArray[np.bool_]) -> int:
    """Return the commonest label of words with dependents that hang on the first root before them.

    A word that would be a second root is most like these.
    """
    lengths = corpus.words.lengths
    first = np.repeat(corpus.offsets[:-1], lengths)
    heads = corpus.head
    is_head = np.zeros(corpus.words.rows, np.bool_)
    is_head[(first + heads - 1)[heads > 0]] = True
    on_root = heads > 0
    on_root[on_root] = heads[(first + heads - 1)[on_root]] == 0
    after = heads < corpus.words.row_in_sentence() + 1
    fitting = (on_root & is_head & after)[annotated]
    chosen = code[fitting] if fitting.any() else code
    return int(np.bincount(chosen).argmax()) if len(chosen) else 0


def _order(corpus: Dependencies) -> Numbers:
    """Return the place of each word in the projective order of its sentence (Nivre 2009).

    That is the order in which a walk over the tree passes the words, each between its dependents on
    the left and those on the right; the root comes last.
    """
    order = np.zeros(corpus.words.rows, np.int32)
    for start, stop in zip(corpus.offsets[:-1].tolist(), corpus.offsets[1:].tolist(), strict=True):
        below: list[list[int]] = [[] for _ in range(stop - start + 1)]
        for word, head in enumerate(corpus.head[start:stop].tolist(), 1):
            below[max(head, 0)].append(word)
        place = 0
        waiting = [(word, False) for word in reversed(below[0])]
        while waiting:
            word, opened = waiting.pop()
            if opened:
                place += 1
                order[start + word - 1] = place
                continue
            waiting += [(each, False) for each in reversed(below[word]) if each > word]
            waiting.append((word, True))
            waiting += [(each, False) for each in reversed(below[word]) if each < word]
    return order


# ── learning ─────────────────────────────────────────────────────────────────────────────────────


class _TransitionLearner:
    """Goes over a corpus; see ``learning.Learner``."""

    def __init__(self, system: str, task: TrainingTask) -> None:
        corpus = task.corpus
        self.system, self.task, self.settings = system, task, task.settings
        self.actions = _actions(system, corpus)
        number = {label: place for place, label in enumerate(self.actions.labels)}
        codes = [number.get(text, -1) for text in corpus.deprel.vocabulary] or [-1]
        order = _order(corpus) if system == "swap" else np.zeros(corpus.words.rows, np.int32)
        self.words = word_fields(corpus), corpus.offsets
        self.head = corpus.head.astype(np.int32)
        self.rest = np.array(codes, np.int32)[corpus.deprel.codes], order
        self.weights = confidences(corpus, task.weights) if task.weights else None
        self.sentences = len(corpus)
        self.clusters = has_clusters(corpus)
        known = _system(system, self.actions, clusters=self.clusters)
        self.kernel = kernels.load("transitions").TransitionLearner(*known)

    def iterate(self, number: int) -> float:
        """Go over the corpus in a new order."""
        random = stream(self.task.seed, self.system, number)
        order = random.permutation(self.sentences).astype(np.int64)
        seen = drawn_heads(self.head, self.weights, self.task.seed, number)
        columns = (*self.words, seen, *self.rest)
        if self.settings.beam > 1:
            wrong, made = self.kernel.iterate_beam(*columns, order, self.settings.beam)
            return wrong / made if made else 0.0
        dynamic = self.system in ("arc-eager", "arc-hybrid")
        explore = self.settings.explore if number and dynamic else 0.0
        seed = int(random.integers(1 << 62))
        wrong, made = self.kernel.iterate(*columns, order, self.settings.margin, explore, seed)
        return wrong / made if made else 0.0

    def model(self) -> TransitionModel:
        """Return the averaged model."""
        weights = self.kernel.averaged()
        return TransitionModel(self.system, self.settings, self.actions, weights, self.clusters)


def _system(system: str, actions: Actions, *, clusters: bool = False) -> tuple[object, ...]:
    """Return what the kernels need to know of a transition system."""
    features = compiled(system, clusters=clusters)
    templates = (features.atoms, features.starts, features.parts, features.seeds)
    return SYSTEMS.index(system), actions.kinds, actions.label_of, templates, _special()


def train(system: str, task: TrainingTask) -> Model:
    """Train a parser."""
    if task.settings.beam > 1:
        if system == "swap":
            raise UsageError("swap has no beam: its sequences of transitions have all lengths")
        if (task.corpus.head < 0).any() or task.weights:
            raise UsageError(
                "with a beam, whole trees without weights are needed; leave it out for others"
            )
    score = None if task.dev is None else partial(labelled_attachment, task.dev)
    settings = task.settings
    return learned(
        _TransitionLearner(system, task),
        task,
        iterations=settings.iterations,
        patience=settings.patience,
        score=score,
    )


# ── parsing ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class TransitionModel:
    """A trained transition-based parser, which may look at `clusters` of words."""

    system: str
    settings: TransitionSettings
    actions: Actions
    weights: Weights
    clusters: bool = False
    _decoder: TransitionDecoder = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        decoder = kernels.load("transitions").TransitionDecoder(
            *_system(self.system, self.actions, clusters=self.clusters), self.weights
        )
        object.__setattr__(self, "_decoder", decoder)

    def parse(self, corpus: Dependencies) -> Dependencies:
        """Return the corpus with the trees of this model."""
        fields = word_fields(corpus)
        heads, labels = self._decoder.parse(
            fields, corpus.offsets, self.actions.other, self.settings.beam
        )
        return corpus.replace("words", head=heads, deprel=Strings(labels, self.actions.labels))

    def store(self) -> Stored:
        """Return what a file of the model holds."""
        actions = [
            f"{KINDS[kind]} {label}"
            for kind, label in zip(self.actions.kinds, self.actions.label_of, strict=True)
        ]
        metadata = {
            "settings": asdict(self.settings),
            "labels": list(self.actions.labels),
            "actions": actions,
            "other": self.actions.other,
        } | ({"clusters": True} if self.clusters else {})
        return Stored(self.system, metadata, weight_arrays(self.weights))


def load(system: str, stored: Stored) -> TransitionModel:
    """Make a model from what a file holds."""
    labels = tuple(stored.texts("labels"))
    pairs = [text.rpartition(" ") for text in stored.texts("actions")]
    try:
        settings = TransitionSettings(**stored.value("settings", dict))
        kinds = np.array([KINDS.index(kind) for kind, _, _ in pairs], np.int32)
        label_of = np.array([int(label) for _, _, label in pairs], np.int32)
        other = stored.value("other", int)
        if not all(0 <= each < max(len(labels), 1) for each in (other, *label_of.tolist())):
            raise ModelError("an action has a label that is not there")
        actions = Actions(labels, kinds, label_of, other)
        clusters = stored.metadata.get("clusters", False) is True
        return TransitionModel(system, settings, actions, read_weights(stored), clusters)
    except (TypeError, ValueError) as error:
        raise ModelError(f"its {system} model does not fit together: {error}") from error


_TITLES = {
    "arc-eager": "transition-based, arc-eager, dynamic oracle (Goldberg & Nivre 2012)",
    "arc-hybrid": "transition-based, arc-hybrid, dynamic oracle (Goldberg & Nivre 2013)",
    "arc-standard": "transition-based, arc-standard, static oracle (Nivre 2004)",
    "swap": "transition-based, arc-standard with swap: non-projective trees (Nivre 2009)",
}

PARSERS = {
    name: Parser(
        name,
        title,
        Dependencies,
        TransitionSettings,
        partial(train, name),
        partial(load, name),
        partial=name in ("arc-eager", "arc-hybrid"),
        weighted=name in ("arc-eager", "arc-hybrid"),
        clusters=True,
        projective=partial(lambda name, _: name != "swap", name),
    )
    for name, title in _TITLES.items()
}
