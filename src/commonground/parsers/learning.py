"""Iterations over a corpus: the same loop for every parser that learns online.

A learner makes one pass at a time and can say at any moment what its model would be. With a dev
corpus the best model is kept and training stops when it has not become better for some passes; an
interrupt (Ctrl-C) ends training with the best model so far, or the last one without a dev corpus
(``interruption.py``).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeVar

from commonground.parsers.parser import TrainingStep, TrainingTask

__all__ = ["Learner", "learned"]


Learnt = TypeVar("Learnt")
Learnt_co = TypeVar("Learnt_co", covariant=True)


class Learner(Protocol[Learnt_co]):
    """Something that learns by going over its corpus again and again."""

    def iterate(self, number: int) -> float:
        """Go over the corpus for the `number`-th time (from 0); return the share of mistakes."""

    def model(self) -> Learnt_co:
        """Return the model as it is now; further iterations must not change it."""


def learned(
    learner: Learner[Learnt],
    task: TrainingTask,
    *,
    iterations: int,
    patience: int,
    score: Callable[[Learnt], float] | None = None,
) -> Learnt:
    """Return what a learner has learned in so many iterations.

    `score` is that of a model on the dev corpus of the task, None without one. Training stops when
    it has not risen for `patience` iterations.
    """
    best: Learnt | None = None
    most, since = -1.0, 0
    begin, interruption = time.process_time(), task.interruption
    try:
        for number in range(iterations):
            loss = learner.iterate(number)
            interruption.stoppable = task.keep
            dev_score = None
            if score is not None:
                model = learner.model()
                dev_score = score(model)
                better = dev_score > most
                best, most, since = (model, dev_score, 0) if better else (best, most, since + 1)
            spent = time.process_time() - begin
            task.watch(TrainingStep(number + 1, iterations, loss, dev_score, spent))
            if since >= patience or interruption.seen:
                break
    except KeyboardInterrupt:
        if not interruption.stoppable or interruption.seen:
            raise
        interruption.seen = True
    finally:
        interruption.stoppable = False
    return best if best is not None else learner.model()
