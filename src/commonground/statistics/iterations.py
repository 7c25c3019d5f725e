"""How often a test may draw at random."""

from __future__ import annotations

from commonground.errors import UsageError

__all__ = ["MOST_ITERATIONS", "check_iterations"]

MOST_ITERATIONS = 10_000_000
"""More do not make a p-value clearer, and what is drawn has to stay in memory."""


def check_iterations(iterations: int) -> None:
    """Refuse a number of random draws that is none, or that no memory has room for."""
    if iterations < 1:
        raise UsageError(f"{iterations} iterations; 1 or more are needed")
    if iterations > MOST_ITERATIONS:
        raise UsageError(f"{iterations:,} iterations; at most {MOST_ITERATIONS:,} are possible")
