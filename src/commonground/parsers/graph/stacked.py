"""The parser ``stacked``: graph-based, with the output of another parser as features.

Nivre & McDonald (2008). In training, the guesses of the parser below, a transition-based one, come
from models that have not seen the sentence (jackknifing); a model trained on everything makes them
later. Or the parser below is a guide that has been trained before, on other sentences: one without
words from other languages, where the trees to learn from are few or doubtful.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.parsers.graph.guesses import guesses_of
from commonground.parsers.graph.learner import GraphLearner
from commonground.parsers.graph.model import GraphModel, load_graph, store_graph
from commonground.parsers.graph.settings import GraphSettings
from commonground.parsers.graph.words import words_of
from commonground.parsers.jackknife import jackknifed
from commonground.parsers.learning import learned
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import Model, Parser, TrainingTask, changed_settings
from commonground.parsers.registry import find_parser, load_model
from commonground.parsers.scoring import labelled_attachment
from commonground.schemes.projectivity import BASELINE, projectivize

__all__ = ["PARSERS", "StackedModel", "StackedSettings"]


@dataclass(frozen=True, slots=True)
class StackedSettings(GraphSettings):
    """How a stacked parser learns: as ``mst`` does, on what the parser `below` it says.

    The parser below learns in so many iterations, for each of the `folds` and for all of them. A
    `guide`, the file of a model that has not seen the treebank, takes its place.
    """

    iterations: int = 6
    below: str = "arc-eager"
    below_iterations: int = 8
    folds: int = 4
    guide: str = ""

    def __post_init__(self) -> None:
        super(StackedSettings, self).__post_init__()
        if self.folds < 2:
            raise ValueError(f"there are {self.folds} folds; at least 2 are needed")


@dataclass(frozen=True, slots=True)
class StackedModel:
    """A trained parser, and the one below it."""

    below: Model
    graph: GraphModel

    def parse(self, corpus: Dependencies) -> Dependencies:
        """Return the corpus with the trees of this model."""
        guesses = guesses_of(words_of(corpus), self.below.parse(corpus))
        return self.graph.parse(corpus, guesses)

    def store(self) -> Stored:
        """Return what a file of the model holds."""
        return replace(store_graph("stacked", self.graph), parts={"below": self.below.store()})


@dataclass(frozen=True, slots=True)
class _StackedLearner:
    """Learns trees from words and guesses."""

    below: Model
    graph: GraphLearner

    def iterate(self, number: int) -> float:
        return self.graph.iterate(number)

    def model(self) -> StackedModel:
        return StackedModel(self.below, self.graph.model())


def train(task: TrainingTask) -> Model:
    """Train a parser, and the one below it."""
    settings: StackedSettings = task.settings
    if settings.guide:
        guide = _guide(settings.guide)
        return _stacked(task, guide, guide.parse(task.corpus))
    kind = find_parser(settings.below)
    if not kind.partial and (task.corpus.head < 0).any():
        raise UsageError(f"{kind.name}, which is below, cannot learn from partial trees")
    if not kind.weighted and task.weights:
        raise UsageError(f"{kind.name}, which is below, cannot learn from weighted heads")
    wanted = changed_settings(kind.settings(), {"iterations": settings.below_iterations})

    lifted = kind.projective(wanted) and not settings.projective
    corpus = projectivize(task.corpus, BASELINE)[0] if lifted else task.corpus

    def trained(corpus: Dependencies) -> Model:
        below = TrainingTask(corpus, wanted, None, task.seed, keep=task.keep)
        return kind.train(replace(below, interruption=task.interruption, weights=task.weights))

    def guess(seen: Dependencies, rest: Dependencies, _: int) -> Dependencies:
        return trained(seen).parse(rest)

    parsed = jackknifed(corpus, settings.folds, guess)
    return _stacked(task, trained(corpus), parsed)


def _guide(path: str) -> Model:
    """Return a model that was trained before, from its file."""
    from commonground.parsers.trained import load_parser  # noqa: PLC0415  # it stands around this

    guide = load_parser(path)
    if guide.kind is not Dependencies or guide.name == "tagger":
        raise UsageError(f"{path} is a model of {guide.name}, which does not make dependencies")
    return guide


def _stacked(task: TrainingTask, below: Model, parsed: Dependencies) -> Model:
    """Train on what the parser below says of the treebank."""
    settings: StackedSettings = task.settings
    guesses = guesses_of(words_of(task.corpus), parsed)
    graph = GraphLearner(task.corpus, settings, task.seed, guesses, task.weights)
    return learned(
        _StackedLearner(below, graph),
        task,
        iterations=settings.iterations,
        patience=settings.patience,
        score=None if task.dev is None else partial(labelled_attachment, task.dev),
    )


def load(stored: Stored) -> StackedModel:
    """Make a model from what a file holds."""
    if "below" not in stored.parts:
        raise ModelError("it has no model for the parser below")
    below = stored.parts["below"]
    model = _restored(below) if "model" in below.parts else load_model(below)
    return StackedModel(model, load_graph(stored, stacked=True))


def _restored(stored: Stored) -> Model:
    from commonground.parsers.trained import restored  # noqa: PLC0415  # it stands around this

    return restored(stored)


PARSERS = {
    "stacked": Parser(
        "stacked",
        "graph-based, with the guesses of a transition-based parser as features",
        Dependencies,
        StackedSettings,
        train,
        load,
        partial=True,
        weighted=True,
        clusters=True,
        projective=lambda settings: settings.projective,
        settled=StackedSettings.settled,
        files=("guide",),
    )
}
