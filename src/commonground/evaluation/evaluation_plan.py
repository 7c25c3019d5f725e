"""What an evaluation computes of every pair of a gold standard and a parse."""

from __future__ import annotations

from typing import Literal, NamedTuple

from commonground.evaluation.read_options import ReadOptions
from commonground.metrics.metric import Metric
from commonground.metrics.registry import PARTIAL
from commonground.metrics.settings import Settings

__all__ = ["By", "EvaluationPlan", "OnError"]

OnError = Literal["fail", "skip", "zero"]
"""What happens to a parse that cannot be scored: it is an error, it is left out, or it has nothing
right."""

By = tuple[str, ...]
"""Properties that scores are broken down by, together."""


class EvaluationPlan(NamedTuple):
    """What is computed of every pair: metrics under settings, breakdowns, confusions.

    With `sentences`, the counts of each sentence are put aside. `reading` says how files are read,
    `on_error` what happens to those that cannot be scored. With `check_scheme`, it is looked for
    parses in another scheme; with `keep`, systems know their items, so that more can be asked.
    """

    metrics: tuple[str | Metric, ...]
    settings: Settings
    by: tuple[By, ...]
    confusions: tuple[str, ...]
    sentences: bool
    reading: ReadOptions = ReadOptions()
    on_error: OnError = "fail"
    check_scheme: bool = True
    keep: bool = False

    def metrics_for(self, kind: str) -> tuple[str | Metric, ...]:
        """Return what is computed for a kind of corpus; partial trees have metrics of their own."""
        if not self.metrics and self.reading.partial and kind == "dependencies":
            return PARTIAL
        return self.metrics
