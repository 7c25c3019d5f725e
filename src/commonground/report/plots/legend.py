"""The legend of a figure, above it, in as many columns as there is room for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["legend_height", "put_legend"]

_LETTER, _SYMBOL, _LINE = 0.072, 0.55, 0.17
"""Inches: the width of a letter and of a mark with its margins, the height of a line."""


def legend_height(names: Sequence[str], width: float) -> float:
    """Return how many inches further lines of a legend take, in a figure of some width."""
    return _LINE * (math.ceil(len(names) / _columns(names, width)) - 1)


def _columns(names: Sequence[str], width: float) -> int:
    widest = max(len(name) for name in names) * _LETTER + _SYMBOL
    return max(1, min(len(names), int(width / widest)))


def put_legend(figure: Figure, handles: Sequence[Any], names: Sequence[str]) -> None:
    """Say above a figure which mark stands for whom; one system needs no legend."""
    if len(names) < 2:
        return
    # Matplotlib leaves out what begins with an underscore.
    labels = [f" {name}" if name.startswith("_") else name for name in names]
    figure.legend(
        handles, labels, loc="outside upper center", ncols=_columns(names, figure.get_figwidth())
    )
