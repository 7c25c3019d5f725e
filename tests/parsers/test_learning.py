"""The training loop and the folds that all parsers share."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.parsers.jackknife import folds, jackknifed
from commonground.parsers.learning import learned
from commonground.parsers.parser import TrainingTask, changed_settings
from commonground.parsers.registry import find_parser


class Counting:
    """A learner whose model is the number of its iterations."""

    def __init__(self, interrupted_in=None):
        self.done = 0
        self.interrupted_in = interrupted_in

    def iterate(self, number):
        if number == self.interrupted_in:
            raise KeyboardInterrupt
        self.done += 1
        return 1 / self.done

    def model(self):
        return self.done


def learn(learner, iterations=9, patience=2, score=None):
    steps = []
    task = TrainingTask(None, None, watch=steps.append)
    model = learned(learner, task, iterations=iterations, patience=patience, score=score)
    return model, steps


def test_without_a_dev_corpus_all_iterations_are_made():
    model, steps = learn(Counting())
    assert model == 9
    assert [step.iteration for step in steps] == list(range(1, 10))
    assert steps[-1].loss == 1 / 9


def test_the_best_model_on_dev_is_kept_and_training_stops_when_it_stays_the_best():
    model, steps = learn(Counting(), score=lambda model: -abs(model - 3) / 10)
    assert model == 3
    assert len(steps) == 5


def test_an_interrupt_keeps_the_best_model_so_far():
    assert learn(Counting(interrupted_in=4), score=lambda model: -abs(model - 2) / 10)[0] == 2
    assert learn(Counting(interrupted_in=4))[0] == 4


def test_an_interrupt_before_there_is_anything_to_keep_is_one():
    with pytest.raises(KeyboardInterrupt):
        learn(Counting(interrupted_in=0))


def test_an_interrupt_of_a_step_of_something_larger_ends_it_all():
    with pytest.raises(KeyboardInterrupt):
        learned(
            Counting(interrupted_in=4),
            TrainingTask(None, None, keep=False),
            iterations=9,
            patience=2,
        )


def test_folds_cut_the_corpus_into_stretches():
    cut = folds(10, 3)
    assert np.concatenate(cut).tolist() == list(range(10))
    assert [len(fold) for fold in cut] == [4, 3, 3]


def test_each_fold_is_guessed_by_what_has_not_seen_it():
    corpus = Dependencies.of([([str(i)], [0], ["root"]) for i in range(7)])

    def guess(seen, rest, _):
        assert not set(seen.form) & set(rest.form)
        return rest

    assert jackknifed(corpus, 3, guess) == corpus
    assert jackknifed(corpus, 100, guess) == corpus


def test_one_sentence_is_guessed_by_what_has_seen_it():
    corpus = Dependencies.of([(["a"], [0], ["root"])])
    assert jackknifed(corpus, 3, lambda seen, rest, _: seen + rest) == corpus + corpus


def test_settings_that_do_not_exist_or_do_not_fit_are_refused():
    from commonground.parsers.model_file import Stored

    with pytest.raises(UsageError, match="there is no setting 'size'"):
        changed_settings(Stored("x"), {"size": "1"})


def test_a_parser_that_does_not_exist_is_refused():
    with pytest.raises(UsageError, match="there is no parser 'none'"):
        find_parser("none")
