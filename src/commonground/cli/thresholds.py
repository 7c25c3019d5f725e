"""``--fail-under``: scores that must not be missed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from commonground.cli.significance import (
    parts,
)
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.evaluation.scores import Evaluation

__all__ = [
    "missed_lines",
    "thresholds_of",
]


def thresholds_of(fail_under: Sequence[str]) -> list[tuple[str, float]]:
    """Return the thresholds that ``--fail-under`` names: metrics, and fractions of 1."""
    thresholds = []
    for text in parts(fail_under):
        metric, _, score = text.partition("=")
        try:
            threshold = float(score)
        except ValueError:
            threshold = -1.0
        if not metric or not 0 <= threshold <= 1:
            raise UsageError(
                f"--fail-under {text!r} is not a threshold; write a metric and a fraction of 1, "
                "such as las=0.85"
            )
        thresholds.append((metric, threshold))
    return thresholds


def missed_lines(evaluation: Evaluation, thresholds: Sequence[tuple[str, float]]) -> list[str]:
    """Return a line for each score that is below its threshold."""
    from commonground.metrics.names import resolved

    lines = []
    for system in evaluation.systems:
        for asked, threshold in thresholds:
            metric = resolved(asked, {n: score.metric for n, score in system.scores.items()})
            if metric is None:
                known = ", ".join(system.scores)
                raise UsageError(
                    f"--fail-under {asked}: this metric is not computed; there are {known}"
                )
            score = system[metric]
            if not score.metric.higher_is_better:
                raise UsageError(f"--fail-under {metric}: lower is better, so it has no threshold")
            if score.value is None:
                lines.append(f"{system.name}: {metric} is undefined: {score.undefined}")
            elif score.value < threshold:
                lines.append(f"{system.name}: {metric} is {score.value:.6g}, below {threshold:.6g}")
    return lines
