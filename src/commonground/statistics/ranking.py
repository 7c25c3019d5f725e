"""Ranks of systems, with as much certainty as there is.

A system's rank is a range: it is behind every system that is better, and before every system that
is worse, and nothing is known about the others.

    from   1 + the number of systems that are better
    to     n − the number of systems that are worse

Without a test, a system is better whose score is higher, so that equal scores share their ranks.
With one, a system is better if it is so significantly; systems that were not found to differ share
ranks then, as in the tables of shared tasks on machine translation.

From: Bojar et al. (2016), Findings of the conference on machine translation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from commonground.metrics.metric import Metric

if TYPE_CHECKING:
    from commonground.statistics.claims import Claims

__all__ = ["Ranks", "in_order", "rank_text", "ranks"]

Ranks = dict[str, tuple[int, int]]
"""The first and the last rank that each system may have."""


def in_order(values: Mapping[str, float | None], metric: Metric) -> list[str]:
    """Return systems by their scores, the best first, those without a score last.

    >>> from commonground.metrics.dependencies.attachment import METRICS
    >>> in_order({"a": 0.5, "b": None, "c": 0.9}, METRICS[0])
    ['c', 'a', 'b']
    """

    def key(name: str) -> tuple[bool, float]:
        value = values[name]
        return value is None, -metric.sign * (value or 0.0)

    return sorted(values, key=key)


def ranks(
    values: Mapping[str, float | None], metric: Metric, claims: Claims | None = None
) -> Ranks:
    """Return the ranks of systems by the scores of a metric; systems without a score have none.

    >>> from commonground.metrics.dependencies.attachment import METRICS
    >>> ranks({"a": 0.5, "b": 0.9, "c": 0.5}, METRICS[0])
    {'a': (2, 3), 'b': (1, 1), 'c': (2, 3)}
    """
    known = {name: value for name, value in values.items() if value is not None}
    worse = {name: _worse(name, known, metric, claims) for name in known}
    count = len(known)
    return {
        name: (1 + sum(name in others for others in worse.values()), count - len(worse[name]))
        for name in known
    }


def _worse(
    name: str, values: Mapping[str, float], metric: Metric, claims: Claims | None
) -> Sequence[str]:
    """Return the systems that are worse than this one."""
    if claims is not None and any(tested == metric.name for tested, _ in claims.pairs):
        return [other for other in claims.worse_than(name, metric.name) if other in values]
    return [other for other in values if metric.sign * (values[name] - values[other]) > 0]


def rank_text(rank: tuple[int, int] | None) -> str:
    """Return a range of ranks as tables have it.

    >>> rank_text((1, 1)), rank_text((2, 3)), rank_text(None)
    ('1', '2–3', '–')
    """
    if rank is None:
        return "–"
    first, last = rank
    return str(first) if first == last else f"{first}–{last}"
