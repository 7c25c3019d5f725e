"""The studies of Schwartz (2011): what flips do to scores, and which structures can be learned.

A table here is rows of :class:`AttachmentMeasures`; what prints them and what saves them is
elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from commonground.corpus import Dependencies
from commonground.evaluation.evaluate import evaluate
from commonground.metrics.settings import Settings
from commonground.parsers.dmv.candidates import (
    WINDOW,
    TurnedEdge,
    candidates,
    chosen,
    edge_counts,
)
from commonground.parsers.dmv.decode import decoded
from commonground.parsers.dmv.flips import EPSILON, Edge, ParameterFlips, flipped
from commonground.parsers.dmv.grammar import Grammar
from commonground.parsers.dmv.layout import GrammarLayout
from commonground.parsers.dmv.own_annotation import own_annotation
from commonground.parsers.dmv.parser import DmvModel, train
from commonground.parsers.dmv.settings import DmvSettings
from commonground.parsers.dmv.supervised import heads_without_punctuation
from commonground.parsers.dmv.symbols import Symbols
from commonground.parsers.parser import TrainingTask

__all__ = [
    "AttachmentMeasures",
    "FlipStudy",
    "Learnability",
    "candidates_of",
    "flip_model",
    "flip_study",
    "found_flips",
    "learnability",
    "measured",
]

SHORT = 10
"""Scores are those of sentences of at most so many words, and of all, without punctuation."""


@dataclass(frozen=True, slots=True)
class AttachmentMeasures:
    """The three measures of a parse, as fractions of 1."""

    attachment: float
    undirected: float
    ned: float

    def __sub__(self, other: AttachmentMeasures) -> AttachmentMeasures:
        return AttachmentMeasures(
            self.attachment - other.attachment,
            self.undirected - other.undirected,
            self.ned - other.ned,
        )


def measured(
    gold: Dependencies, parse: Dependencies, longest: int | None = None
) -> AttachmentMeasures:
    """Return the three measures, without punctuation, of sentences of at most so many words."""
    settings = Settings(punctuation="tag", longest=longest)
    result = evaluate(
        gold, parse, metrics=["uas", "undirected", "ned"], settings=settings, check_scheme=False
    )
    return AttachmentMeasures(
        *(float(result[name].value or 0.0) for name in ("uas", "undirected", "ned"))
    )


# ── flips ────────────────────────────────────────────────────────────────────────────────────────


def flip_model(
    model: DmvModel,
    flips: ParameterFlips,
    corpus: Dependencies | None = None,
    epsilon: float = EPSILON,
) -> DmvModel:
    """Return a model with turned parameters.

    With a corpus to parse, edges that still prevail there have their probabilities of stopping
    turned as well.
    """
    prevails = None if corpus is None else _prevalence(model, corpus)
    grammar = flipped(model.grammar, flips, epsilon=epsilon, prevails=prevails)
    return replace(model, grammar=grammar)


def _prevalence(model: DmvModel, corpus: Dependencies) -> Callable[[Grammar, Edge], bool]:
    symbols = Symbols.of(corpus, model.alphabet, model.grammar.tags)
    layout = GrammarLayout(symbols, model.grammar.valences, unknown=True)

    def prevails(grammar: Grammar, edge: Edge) -> bool:
        here, turned = edge_counts(symbols, decoded(layout, grammar), edge)
        return here > turned

    return prevails


def found_flips(model: DmvModel, gold: Dependencies, most: int = 8) -> ParameterFlips:
    """Return the flips that a gold standard suggests for a model."""
    return chosen(candidates_of(model, gold), most)


def candidates_of(model: DmvModel, gold: Dependencies, window: int = WINDOW) -> list[TurnedEdge]:
    """Return the edges of a model's parses that a gold standard turns, most frequent first."""
    symbols = Symbols.of(gold, model.alphabet, model.grammar.tags)
    layout = GrammarLayout(symbols, model.grammar.valences, unknown=True)
    heads = decoded(layout, model.grammar)
    return candidates(symbols, heads, heads_without_punctuation(gold, symbols), window)


@dataclass(frozen=True, slots=True)
class FlipStudy:
    """Tables 3.2 and 6.1: the measures before and after flips, of short sentences and of all."""

    before_short: AttachmentMeasures
    after_short: AttachmentMeasures
    before: AttachmentMeasures
    after: AttachmentMeasures


def flip_study(
    model: DmvModel, flips: ParameterFlips, text: Dependencies, gold: Dependencies
) -> FlipStudy:
    """Score a model and its flipped version; `text` is what tells which edges still prevail."""
    parses = [each.parse(gold) for each in (model, flip_model(model, flips, text))]
    short = [measured(gold, parse, SHORT) for parse in parses]
    whole = [measured(gold, parse) for parse in parses]
    return FlipStudy(*short, *whole)


# ── learnability ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Learnability:
    """Table 7.1: the supervised model on its own annotation and on the gold standard's."""

    own: AttachmentMeasures
    gold: AttachmentMeasures


def learnability(
    training: Dependencies,
    test: Dependencies,
    flips: ParameterFlips,
    phrases: str,
    settings: DmvSettings | None = None,
) -> Learnability:
    """Train the supervised model on sentences of up to 20 words, and parse all; twice.

    Once on the gold standard and once on the gold standard with a parser's own structures; each is
    scored on the annotation that it was trained on.
    """
    chosen_settings = settings or DmvSettings(variant="supervised", max_length=20)

    def score(corpus: Dependencies, against: Dependencies) -> AttachmentMeasures:
        model: Any = train(TrainingTask(corpus, chosen_settings))
        return measured(against, model.parse(against))

    own = [own_annotation(corpus, flips, phrases) for corpus in (training, test)]
    return Learnability(score(own[0], own[1]), score(training, test))
