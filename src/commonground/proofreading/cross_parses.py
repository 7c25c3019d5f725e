"""What parsers say of sentences that they were not trained on.

The treebank is cut into folds of neighbouring sentences; each fold is parsed by models that were
trained on the others, with the tags of the treebank. Where only some sentences are looked at, only
these are cut into folds, each no larger than a fold of the whole. Parsers of different kinds make
different mistakes, so that what several of them say against the annotation weighs more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.engine import Engine
from commonground.parsers.graph.words import words_of
from commonground.parsers.jackknife import folds
from commonground.parsers.trained import train

__all__ = ["PARSERS", "CrossParses", "cross_parses", "fold_count", "usual_folds"]

PARSERS = {"arc-eager": 6, "arc-hybrid": 6, "mst": 4}
"""The parsers that are asked, and the iterations in which they learn."""


_LARGE = 100_000
"""From so many words on, parsers learn enough from two thirds of a treebank."""


@dataclass(frozen=True)
class CrossParses:
    """The head and the label that each parser gives to each word (a column per parser).

    `given_head` is the label that the graph-based parser would give to the annotated arc. Labels
    are codes of `labels`. Words that were not parsed have -1 everywhere.
    """

    head: NDArray[np.int64]
    label: NDArray[np.int64]
    given_head: NDArray[np.int64]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class _Task:
    parser: str
    corpus: Dependencies
    inside: NDArray[np.bool_]
    seed: int


def cross_parses(
    corpus: Dependencies,
    engine: Engine,
    *,
    count: int = 6,
    only: NDArray[np.bool_] | None = None,
    seed: int = 0,
    advance: Callable[[int], None] = lambda _: None,
) -> CrossParses:
    """Parse each of `count` folds with models trained on the others; `advance` is told of each.

    `only` some sentences: the others are learned from, and not parsed.
    """
    vocabulary = {label: code for code, label in enumerate(corpus.deprel.vocabulary)}
    shape = corpus.words.rows, len(PARSERS)
    head, label = np.full(shape, -1, np.int64), np.full(shape, -1, np.int64)
    given = np.full(shape[0], -1, np.int64)
    number = {name: place for place, name in enumerate(PARSERS)}
    asked = np.flatnonzero(np.ones(len(corpus), np.bool_) if only is None else only)
    tasks = _tasks(corpus, asked, count, seed)
    for parser, inside, heads, labels, arcs in engine.map(_parsed, tasks):
        rows, column = np.repeat(inside, corpus.words.lengths), number[parser]
        head[rows, column] = heads
        label[rows, column] = _coded(labels, vocabulary)
        if arcs is not None:
            given[rows] = _coded(arcs, vocabulary)
        advance(1)
    return CrossParses(head, label, given, tuple(vocabulary))


def _coded(labels: Strings, vocabulary: dict[str, int]) -> NDArray[np.int64]:
    return labels.values(lambda text: vocabulary.setdefault(text, len(vocabulary)))


def usual_folds(words: int) -> int:
    """Return into how many folds a treebank is cut: six, or three if parsers have enough anyway.

    >>> usual_folds(50_000), usual_folds(250_000)
    (6, 3)
    """
    return 6 if words < _LARGE else 3


def fold_count(asked: int, sentences: int, count: int) -> int:
    """Return into how many folds some sentences of a treebank are cut.

    >>> [fold_count(asked, 600, 6) for asked in (600, 150, 100, 1, 0)]
    [6, 2, 1, 1, 0]
    """
    return min(-(-asked * count // max(sentences, 1)), asked)


def _tasks(
    corpus: Dependencies, asked: NDArray[np.int64], count: int, seed: int
) -> Iterator[_Task]:
    number = fold_count(len(asked), len(corpus), count)
    for fold in folds(len(asked), number) if number else ():
        inside = np.zeros(len(corpus), np.bool_)
        inside[asked[fold]] = True
        for parser in PARSERS:
            yield _Task(parser, corpus, inside, seed)


def _parsed(
    task: _Task,
) -> tuple[str, NDArray[np.bool_], NDArray[np.int32], Strings, Strings | None]:
    """Train on all folds but one, and parse that one."""
    settings = {"iterations": PARSERS[task.parser]}
    seen, rest = task.corpus.take(~task.inside), task.corpus.take(task.inside)
    model = train(
        seen, task.parser, gold_tags=True, seed=task.seed, keep=False, segmentation=False,
        settings=settings,
    )  # fmt: skip
    parsed = model.parse(rest)
    arcs = None
    if task.parser == "mst":
        graph: Any = model.model
        arcs = graph.graph.labels_of(rest, words_of(rest), rest.head, None)
    return task.parser, task.inside, parsed.head, parsed.deprel, arcs
