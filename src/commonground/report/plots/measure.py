"""What a metric is called in figures, and how its scores are shown."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.errors import UsageError
from commonground.evaluation.protocols import named_metrics
from commonground.metrics.metric import Metric
from commonground.metrics.registry import explained
from commonground.report.plots.marks import shown

__all__ = ["Measure"]


@dataclass(frozen=True, slots=True)
class Measure:
    """The title of a metric; a `share` of 1 is shown in per cent.

    >>> las = Measure("LAS", share=True)
    >>> las.scale, las.axis, las.difference
    (100, 'LAS (%)', 'Difference in LAS (points)')
    """

    title: str
    share: bool

    @classmethod
    def of(cls, metric: Metric) -> Measure:
        """Return what a metric is in figures."""
        return cls(metric.title, metric.share)

    @classmethod
    def named(cls, name: str) -> Measure:
        """Return the same by the name of a metric; one that nobody knows has plain numbers.

        >>> Measure.named("las").axis, Measure.named("multiple_labelled").axis
        ('LAS (%)', 'TedEval MULTIPLE (labelled) (%)')
        """
        compared = {metric.name: metric for metric in named_metrics(()).values()}
        if name in compared:
            return cls.of(compared[name])
        try:
            return cls.of(next(iter(explained(name).values()))[0])
        except UsageError:
            return cls(shown(name), share=False)

    @property
    def scale(self) -> int:
        """What scores are multiplied by."""
        return 100 if self.share else 1

    @property
    def axis(self) -> str:
        """What stands at an axis of scores."""
        return f"{self.title} (%)" if self.share else self.title

    @property
    def difference(self) -> str:
        """What stands at an axis of differences."""
        return f"Difference in {self.title}" + (" (points)" if self.share else "")
