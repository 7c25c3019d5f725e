"""The dependency model with valence as a parser like any other."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.errors import InputError, UsageError, quoted
from commonground.formats import read
from commonground.formats.storage.files import shown
from commonground.parsers.dmv.curriculum import baby_steps, leapfrog, less_is_more
from commonground.parsers.dmv.decode import decoded
from commonground.parsers.dmv.grammar import Grammar
from commonground.parsers.dmv.grammar_text import grammar_of, text_of
from commonground.parsers.dmv.initial import initial_grammar
from commonground.parsers.dmv.layout import GrammarLayout
from commonground.parsers.dmv.learn import LearnedGrammar, learn, learn_from_best_trees
from commonground.parsers.dmv.log_linear import learn_log_linear
from commonground.parsers.dmv.logistic_normal import learn_logistic_normal
from commonground.parsers.dmv.settings import DmvSettings
from commonground.parsers.dmv.sparsity import learn_sparsely
from commonground.parsers.dmv.supervised import counted
from commonground.parsers.dmv.symbols import (
    Alphabet,
    Symbols,
    alphabet_of,
    heads_with_punctuation,
)
from commonground.parsers.model_file import Stored, read_model
from commonground.parsers.parser import Parser, TrainingStep, TrainingTask

__all__ = ["PARSERS", "DmvModel", "read_dmv", "train", "treebank"]

_AT_ONCE = 2000
"""How many sentences are laid out at once: long ones need much room."""


@dataclass(frozen=True)
class DmvModel:
    """A grammar, how words become its symbols, and how trees are chosen."""

    grammar: Grammar
    alphabet: Alphabet
    decoder: str = "viterbi"

    def parse(self, corpus: Dependencies, /) -> Dependencies:
        """Return the corpus with the trees of this model; arcs have no labels.

        Punctuation hangs on its neighbour.
        """
        heads = np.concatenate(
            [
                np.zeros(0, np.int32),
                *(
                    self._heads(corpus[start : start + _AT_ONCE])
                    for start in range(0, len(corpus), _AT_ONCE)
                ),
            ]
        )
        labels = Strings.of("root" if head == 0 else "dep" for head in heads.tolist())
        return corpus.replace("words", head=heads, deprel=labels)

    def _heads(self, corpus: Dependencies) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        symbols = Symbols.of(corpus, self.alphabet, self.grammar.tags)
        if len(symbols.codes) and (symbols.codes == len(self.grammar.tags)).all():
            raise UsageError(
                f"the model knows none of the tags in the column {self.alphabet.column}; it has "
                f"{quoted(' '.join(self.grammar.tags), 80)}"
            )
        layout = GrammarLayout(symbols, self.grammar.valences, unknown=True)
        heads = decoded(layout, self.grammar, self.decoder)
        return heads_with_punctuation(corpus, symbols.rows, heads)

    def text(self) -> str:
        """Return the model as text."""
        settings = {"column": self.alphabet.column, "decoder": self.decoder}
        return text_of(self.grammar, settings)

    @classmethod
    def of_text(cls, text: str, path: str) -> DmvModel:
        """Return the model that a text holds; `path` is where it comes from."""
        grammar, settings = grammar_of(text, path)
        words = frozenset(tag for tag in grammar.tags if "/" in tag[1:-1] and len(tag) > 2)
        alphabet = Alphabet(settings.get("column", "xpos"), words)
        return cls(grammar, alphabet, settings.get("decoder", "viterbi"))

    def store(self) -> Stored:
        """Return what a file of the model holds: its text."""
        return Stored("dmv", text=self.text())


def train(task: TrainingTask) -> DmvModel:
    """Learn a grammar from the tags of a corpus; of the supervised variant, from its trees."""
    settings: DmvSettings = task.settings
    alphabet = alphabet_of(task.corpus, settings.column, settings.frequent)
    symbols = Symbols.of(task.corpus, alphabet, longest=settings.longest or None)
    grammar = learned(task, symbols)
    return DmvModel(grammar, alphabet, settings.decoder)


def learned(task: TrainingTask, symbols: Symbols) -> Grammar:
    """Return the grammar that a variant learns."""
    settings: DmvSettings = task.settings
    if settings.variant == "supervised":
        return counted(task.corpus, symbols, settings.added, settings.valences, settings.backed_off)
    steps = partial(
        learn,
        iterations=settings.passes,
        tolerance=settings.least_rise,
        smoothing=0.0 if settings.variant in ("baby-steps", "leapfrog") else settings.added,
        backoff=settings.backed_off,
        watch=_watch(task),
    )
    longest = settings.longest
    match settings.variant:
        case "baby-steps":
            result = baby_steps(symbols, longest, settings.added, steps)
        case "less-is-more":
            result = less_is_more(symbols, longest, steps)
        case "leapfrog":
            result = leapfrog(symbols, longest, settings.added, steps)
        case "cs09":
            result = _best_start(task, symbols, _logistic_normal(task))
        case "bbdk10":
            result = _best_start(task, symbols, _log_linear(task))
        case "gggtp10":
            result = _best_start(task, symbols, _sparse(task))
        case "viterbi":
            result = _best_start(task, symbols, _viterbi(task))
        case _:
            result = _best_start(task, symbols, steps)
    return result.grammar


def _best_start(
    task: TrainingTask, symbols: Symbols, steps: Callable[[GrammarLayout, Grammar], LearnedGrammar]
) -> LearnedGrammar:
    """Return what is learned from a start; of several random ones, the most probable."""
    settings = task.settings
    tries = settings.restarts if settings.begins == "random" else 1
    once = partial(_from_start, symbols, settings, _silent(steps) if tries > 1 else steps)
    attempts = task.engine.map(once, range(task.seed, task.seed + tries))
    return max(attempts, key=lambda each: each.likelihoods[-1])


def _from_start(
    symbols: Symbols,
    settings: DmvSettings,
    steps: Callable[[GrammarLayout, Grammar], LearnedGrammar],
    seed: int,
) -> LearnedGrammar:
    layout = GrammarLayout(symbols, settings.valences)
    return steps(layout, initial_grammar(layout, settings.begins, seed))


def _silent(
    steps: Callable[[GrammarLayout, Grammar], LearnedGrammar],
) -> Callable[[GrammarLayout, Grammar], LearnedGrammar]:
    """Return the same steps, telling nobody: other processes have nobody to tell."""
    assert isinstance(steps, partial)
    told = {name: value for name, value in steps.keywords.items() if name != "watch"}
    return partial(steps.func, **told)


def _logistic_normal(task: TrainingTask) -> Callable[[GrammarLayout, Grammar], LearnedGrammar]:
    settings: DmvSettings = task.settings
    return partial(
        learn_logistic_normal,
        families=settings.families,
        iterations=settings.passes,
        tolerance=settings.least_rise,
        watch=_watch(task),
    )


def _log_linear(task: TrainingTask) -> Callable[[GrammarLayout, Grammar], LearnedGrammar]:
    settings: DmvSettings = task.settings
    return partial(
        learn_log_linear,
        penalty=settings.charged,
        iterations=settings.passes,
        tolerance=settings.least_rise,
        watch=_watch(task),
    )


def _sparse(task: TrainingTask) -> Callable[[GrammarLayout, Grammar], LearnedGrammar]:
    settings: DmvSettings = task.settings
    return partial(
        learn_sparsely,
        penalty=settings.charged,
        iterations=settings.passes,
        tolerance=settings.least_rise,
        smoothing=settings.added,
        backoff=settings.backed_off,
        watch=_watch(task),
    )


def _viterbi(task: TrainingTask) -> Callable[[GrammarLayout, Grammar], LearnedGrammar]:
    settings: DmvSettings = task.settings
    return partial(
        learn_from_best_trees,
        iterations=settings.passes,
        smoothing=settings.added,
        backoff=settings.backed_off,
        watch=_watch(task),
    )


def _watch(task: TrainingTask) -> Callable[[int, float], None]:
    """Return what tells the task of an iteration; the loss is minus the log-likelihood per word."""
    step = TrainingStep(0, task.settings.passes, 0.0)
    return lambda number, likelihood: task.watch(replace(step, iteration=number, loss=-likelihood))


def read_dmv(path: str | os.PathLike[str]) -> DmvModel:
    """Read a model that must be a dependency model with valence."""
    stored = read_model(path)
    if stored.parser != "dmv":
        raise InputError(shown(path), 0, f"this is a model of {stored.parser}, not a DMV model")
    return _load(stored)


def treebank(path: str | os.PathLike[str], format: str | None = None) -> Dependencies:
    """Read a treebank that must have dependencies."""
    corpus = read(path, format)
    if not isinstance(corpus, Dependencies):
        raise UsageError(f"{shown(path)} has {corpus.kind}; a DMV parses dependencies")
    return corpus


def _load(stored: Stored) -> DmvModel:
    return DmvModel.of_text(stored.text, str(stored.metadata.get("path", "the model")))


PARSERS = {
    "dmv": Parser(
        name="dmv",
        title="Dependency model with valence, unsupervised (Klein & Manning 2004)",
        corpus=Dependencies,
        settings=DmvSettings,
        train=train,
        load=_load,
        tags=False,
        partial=True,
        trees=False,
    )
}
