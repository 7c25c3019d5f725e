"""The parser ``mst``: a maximum spanning tree over arcs, or a good tree over pairs of arcs.

First order is McDonald, Pereira, Ribarov & Hajič (2005), second order McDonald & Pereira (2006),
with projective trees or with any. A small model chooses the heads that are looked at
closely; labels are given to the finished tree, by what stands around each arc in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from commonground.corpus import Dependencies
from commonground.parsers.graph.learner import GraphLearner
from commonground.parsers.graph.model import GraphModel, load_graph, store_graph
from commonground.parsers.graph.settings import GraphSettings
from commonground.parsers.learning import learned
from commonground.parsers.model_file import Stored
from commonground.parsers.parser import Model, Parser, TrainingTask
from commonground.parsers.scoring import labelled_attachment

__all__ = ["PARSERS", "MstModel"]


@dataclass(frozen=True, slots=True)
class MstModel:
    """A trained parser."""

    graph: GraphModel

    def parse(self, corpus: Dependencies) -> Dependencies:
        """Return the corpus with the trees of this model."""
        return self.graph.parse(corpus)

    def store(self) -> Stored:
        """Return what a file of the model holds."""
        return store_graph("mst", self.graph)


@dataclass(frozen=True, slots=True)
class _MstLearner:
    """Learns trees from nothing but words."""

    graph: GraphLearner

    def iterate(self, number: int) -> float:
        return self.graph.iterate(number)

    def model(self) -> MstModel:
        return MstModel(self.graph.model())


def train(task: TrainingTask) -> Model:
    """Train a parser on trees, whole or partial."""
    settings: GraphSettings = task.settings
    return learned(
        _MstLearner(GraphLearner(task.corpus, settings, task.seed, weights=task.weights)),
        task,
        iterations=settings.iterations,
        patience=settings.patience,
        score=None if task.dev is None else partial(labelled_attachment, task.dev),
    )


def load(stored: Stored) -> MstModel:
    """Make a model from what a file holds."""
    return MstModel(load_graph(stored))


PARSERS = {
    "mst": Parser(
        "mst",
        "graph-based: trees of arcs and their neighbours, any trees where 1 % of the arcs cross",
        Dependencies,
        GraphSettings,
        train,
        load,
        partial=True,
        weighted=True,
        clusters=True,
        projective=lambda settings: settings.projective,
        settled=GraphSettings.settled,
    )
}
