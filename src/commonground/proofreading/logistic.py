"""Logistic regression by Newton's method, for a handful of columns and many rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError

__all__ = ["LogisticModel", "fit"]

Numbers = NDArray[np.float64]

_STEPS, _SMALL, _STEEP = 25, 1e-7, 30.0
"""The most steps, an improvement that is none, and odds beyond which nothing changes."""


@dataclass(frozen=True)
class LogisticModel:
    """log(p / (1 − p)) = intercept + Σ weight · (x − mean) / scale."""

    names: tuple[str, ...]
    mean: Numbers
    scale: Numbers
    weight: Numbers
    intercept: float

    def standardised(self, names: tuple[str, ...], table: Numbers) -> Numbers:
        """Return a table as the model looks at it."""
        if names != self.names:
            raise UsageError("these weights are for other kinds of evidence; learn them again")
        return (table - self.mean) / self.scale

    def probability(self, names: tuple[str, ...], table: Numbers) -> Numbers:
        """Return the probability of each row."""
        odds = self.intercept + self.standardised(names, table) @ self.weight
        return _sigmoid(odds)

    def to_json(self) -> dict[str, Any]:
        """Return the model as JSON has it, a line per column."""
        rows = zip(self.names, self.mean, self.scale, self.weight, strict=True)
        return {
            "intercept": round(self.intercept, 4),
            "columns": [
                [name, *(float(f"{number:.4g}") for number in numbers)] for name, *numbers in rows
            ],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> LogisticModel:
        """Return the model that JSON holds."""
        names, *numbers = zip(*data["columns"], strict=True)
        mean, scale, weight = (np.array(each, float) for each in numbers)
        return cls(tuple(names), mean, scale, weight, float(data["intercept"]))


def fit(
    names: tuple[str, ...],
    table: Numbers,
    truth: NDArray[np.bool_],
    rows: Numbers,
    *,
    penalty: float,
    start: LogisticModel | None = None,
) -> LogisticModel:
    """Fit a model to weighted rows: Σ loss + penalty/2 · Σ (weight − start)² is least.

    Without a `start`, weights are pulled towards 0.

    >>> table = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> truth = np.array([False, False, True, True])
    >>> model = fit(("x",), table, truth, np.ones(4), penalty=0.1)
    >>> model.probability(("x",), table).round(1).tolist()
    [0.0, 0.2, 0.8, 1.0]
    """
    if start is None:
        mean = np.average(table, axis=0, weights=rows)
        scale = np.sqrt(np.average((table - mean) ** 2, axis=0, weights=rows))
        scale = np.where(scale > 1e-9, scale, 1.0)
        pull = np.zeros(table.shape[1] + 1)
        pull[0] = np.log(np.average(truth, weights=rows) / (1 - np.average(truth, weights=rows)))
    else:
        mean, scale = start.mean, start.scale
        pull = np.concatenate([[start.intercept], start.weight])
    x = np.concatenate([np.ones((len(table), 1)), (table - mean) / scale], axis=1)
    penalties = np.full(x.shape[1], penalty)
    penalties[0] = 1e-6  # the base rate is free
    weight = pull.copy()

    def loss(given: Numbers) -> float:
        odds = np.clip(x @ given, -_STEEP, _STEEP)
        fits = rows @ (np.logaddexp(0, odds) - truth * odds)
        return float(fits + 0.5 * (penalties * (given - pull) ** 2).sum())

    now = loss(weight)
    for _ in range(_STEPS):
        p = _sigmoid(x @ weight)
        gradient = x.T @ (rows * (p - truth)) + penalties * (weight - pull)
        curve = (x * (rows * p * (1 - p))[:, None]).T @ x + np.diag(penalties)
        step = np.linalg.solve(curve, gradient)
        while (then := loss(weight - step)) > now and np.abs(step).max() > _SMALL:
            step = step / 2  # Newton's step can lead too far
        weight = weight - step
        if now - then < _SMALL * max(now, 1):
            break
        now = then
    return LogisticModel(names, mean, scale, weight[1:], float(weight[0]))


def _sigmoid(odds: Numbers) -> Numbers:
    p: Numbers = 1 / (1 + np.exp(-np.clip(odds, -_STEEP, _STEEP)))
    return p
