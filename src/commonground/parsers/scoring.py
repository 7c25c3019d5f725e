"""How good a model is on a dev corpus: one number, by the metrics of this package."""

from __future__ import annotations

from commonground.corpus import Constituents, Dependencies
from commonground.evaluation.evaluate import evaluate
from commonground.parsers.parser import Model

__all__ = ["bracket_f1", "labelled_attachment"]


def labelled_attachment(dev: Dependencies, model: Model) -> float:
    """Return the labelled attachment score of a model, of all words that have a head in `dev`."""
    return evaluate(dev, model.parse(dev), metrics=["las"], check_scheme=False)["las"].value or 0.0


def bracket_f1(dev: Constituents, model: Model) -> float:
    """Return the labelled F1 of the brackets of a model, by PARSEVAL."""
    scores = evaluate(dev, model.parse(dev), metrics=["parseval_f1"])
    return scores["parseval_f1"].value or 0.0
