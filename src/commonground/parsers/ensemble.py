"""The parser ``ensemble``: several parsers vote, and the tree with the most votes is found.

Sagae & Lavie (2006). Each member parses the sentence; an arc has as many votes as members have made
it, and the best tree over all arcs is that of Chu–Liu and Edmonds, with one word on ROOT. The label
of an arc is the one that most of its makers have given it. Where votes are equal, the member that
stands first decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError
from commonground.kernels import load as kernel
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import Model, Parser, TrainingStep, TrainingTask, changed_settings
from commonground.parsers.registry import find_parser, load_model

__all__ = ["PARSERS", "EnsembleModel", "EnsembleSettings", "members", "most_voted_trees", "voted"]


_USUAL = ("arc-eager", "mst", "arc-hybrid", "arc-standard")
_NO_MEMBERS = ("ensemble", "tagger")


@dataclass(frozen=True, slots=True)
class EnsembleSettings:
    """Which parsers are the `members` of an ensemble, best ones first, and how they learn.

    Without names they are arc-eager, mst, arc-hybrid and, where all words have heads, arc-standard.
    All learn in so many `iterations`, or in their own number of them where that is 0.
    """

    members: str = ""
    iterations: int = 0

    def __post_init__(self) -> None:
        if self.members and not 2 <= len(self.members.split()) <= 8:
            raise ValueError(f"the members are {self.members!r}; from two to eight can vote")
        if self.iterations < 0:
            raise ValueError(f"there are {self.iterations} iterations; 0 is the least")


def voted(parses: Sequence[Dependencies]) -> Dependencies:
    """Return the first parse with the trees that most parses agree on.

    >>> words = ["she", "sees", "it"]
    >>> one = Dependencies.of([(words, [2, 0, 2], ["nsubj", "root", "obj"])])
    >>> two = Dependencies.of([(words, [3, 0, 2], ["nsubj", "root", "iobj"])])
    >>> three = Dependencies.of([(words, [2, 0, 1], ["dep", "root", "obj"])])
    >>> result = voted([one, two, three])
    >>> result.head.tolist(), result.deprel.tolist()
    ([2, 0, 2], ['nsubj', 'root', 'obj'])
    """
    heads = np.stack([parse.head for parse in parses], axis=1).astype(np.int32)
    weights = np.broadcast_to(_weights(len(parses)), heads.shape)
    best = most_voted_trees(parses[0], heads, weights)
    return parses[0].replace("words", head=best, deprel=_labels(parses, heads == best[:, None]))


def most_voted_trees(
    corpus: Dependencies, heads: NDArray[np.int32], weights: NDArray[np.int64]
) -> NDArray[np.int32]:
    """Return the heads of the trees with the most votes, over a corpus of as many words.

    A row of `heads` has what the voters say about a word, one of `weights` what each vote counts; a
    voter with the head -1 says nothing.
    """
    words = corpus.words
    same = heads[:, :, None] == heads[:, None, :]
    votes = (same * weights[:, None, :]).sum(axis=2)
    new = ~np.tril(same, -1).any(axis=2) & (heads >= 0)  # each arc once
    row, member = np.nonzero(new)
    counts = np.bincount(words.sentence_of_row()[row], minlength=len(corpus))
    best: NDArray[np.int32] = kernel("arborescence").best_trees(
        words.offsets,
        np.concatenate([[0], np.cumsum(counts)]),
        heads[row, member],
        (words.row_in_sentence()[row] + 1).astype(np.int32),
        votes[row, member].astype(np.int64),
    )
    return best


def _weights(members: int) -> NDArray[np.int64]:
    """Return what votes count: all the same, but for a little that decides between ties."""
    return (1 << 24) + (1 << np.arange(members, dtype=np.int64)[::-1])


def _labels(parses: Sequence[Dependencies], makers: NDArray[np.bool_]) -> Strings:
    """Return the label that most makers of each arc have given it."""
    vocabulary = sorted({label for parse in parses for label in parse.deprel.vocabulary})
    number = {label: place for place, label in enumerate(vocabulary)}
    given = np.stack([parse.deprel.values(number.__getitem__) for parse in parses], axis=1)
    weight = _weights(len(parses)) * makers
    same = given[:, :, None] == given[:, None, :]
    best = (same * weight[:, None, :]).sum(axis=2).argmax(axis=1)
    return Strings(given[np.arange(len(given)), best].astype(np.int32), vocabulary)


@dataclass(frozen=True, slots=True)
class EnsembleModel:
    """Trained parsers that vote."""

    members: tuple[Model, ...]

    def parse(self, corpus: Dependencies) -> Dependencies:
        """Return the corpus with the trees that the members vote for."""
        return voted([member.parse(corpus) for member in self.members])

    def store(self) -> Stored:
        """Return what a file of the model holds."""
        parts = {str(place): member.store() for place, member in enumerate(self.members)}
        return Stored("ensemble", {"members": len(self.members)}, parts=parts)


def train(task: TrainingTask) -> Model:
    """Train all members on the same trees."""
    settings: EnsembleSettings = task.settings
    whole = not task.weights and bool((task.corpus.head >= 0).all())
    kinds = members(settings.members.split(), whole=whole)
    if task.weights and (unfit := [kind.name for kind in kinds if not kind.weighted]):
        raise UsageError(f"{unfit[0]}, a member, cannot learn from weighted heads")
    trained = []
    for number, kind in enumerate(kinds, 1):
        own = kind.settings()
        if settings.iterations and "iterations" in {field.name for field in fields(own)}:
            own = changed_settings(own, {"iterations": settings.iterations})
        trained.append(kind.train(replace(task, settings=own, watch=lambda _: None)))
        task.watch(TrainingStep(number, len(kinds), 0.0))
    return EnsembleModel(tuple(trained))


def members(names: list[str], *, whole: bool) -> list[Parser]:
    """Return the members; `whole` tells whether all words have heads."""
    if not names:
        return [kind for kind in map(find_parser, _USUAL) if whole or kind.partial]
    kinds = [find_parser(name) for name in names]
    for kind in kinds:
        if kind.corpus is not Dependencies or not kind.trees or kind.name in _NO_MEMBERS:
            raise UsageError(f"{kind.name} cannot be a member of an ensemble")
        if not (kind.partial or whole):
            raise UsageError(f"{kind.name}, a member, cannot learn from partial trees")
    return kinds


def load(stored: Stored) -> EnsembleModel:
    """Make a model from what a file holds."""
    count = stored.value("members", int)
    if not 2 <= count == len(stored.parts) or set(stored.parts) != set(map(str, range(count))):
        raise ModelError("its members are not there")
    parts = [stored.parts[str(place)] for place in range(count)]
    return EnsembleModel(tuple(load_model(part) for part in parts))


PARSERS = {
    "ensemble": Parser(
        "ensemble",
        "several parsers vote: the tree with the most votes for its arcs",
        Dependencies,
        EnsembleSettings,
        train,
        load,
        partial=True,
        weighted=True,
        clusters=True,
        projective=lambda _: True,
    )
}
