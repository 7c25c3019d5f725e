"""How good a model is on a dev corpus: one number, by the metrics of this package."""

from __future__ import annotations

from commonground.corpus import Dependencies
from commonground.evaluation.evaluate import evaluate
from commonground.parsers.parser import Model

__all__ = ["labelled_attachment"]


def labelled_attachment(dev: Dependencies, model: Model) -> float:
    """Return the labelled attachment score of a model, of all words that have a head in `dev`."""
    return evaluate(dev, model.parse(dev), metrics=["las"])["las"].value or 0.0
