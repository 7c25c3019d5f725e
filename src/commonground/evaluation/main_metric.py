"""The metric that systems are ranked by, and that reports look into, when none is asked for."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["likeliest"]

_PREFERRED = (
    *(
        "las",
        "parseval_f1",
        "tedeval",
        "relations_f1",
        "common_attached",
        "multiple_labelled",
        "multiple_unlabelled",
    ),
    *("uas", "elas", "clas", "single_labelled"),
)
"""The first of these that was computed."""


def likeliest(names: Sequence[str]) -> str:
    """Return the one of some metrics that is looked into when none is asked for.

    >>> likeliest(["uas", "las"])
    'las'
    """
    return next((name for name in _PREFERRED if name in names), names[0])
