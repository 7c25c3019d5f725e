"""Verbs that behave in a way of their own."""

from __future__ import annotations

from commonground.conversion.forest import Flags
from commonground.conversion.lth.draft import Draft

__all__ = ["is_copula", "is_going"]

_COPULA = "am 's is are was were be being been become became becoming becomes".split()


def is_copula(draft: Draft) -> Flags:
    """Tell which items are forms of *be* or *become*."""
    return draft.reads(*_COPULA)


def is_going(draft: Draft) -> Flags:
    """Tell which items are *going*, whose infinitive is no object."""
    return draft.reads("going")
