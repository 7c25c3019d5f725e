"""A table of one thing by another as shaded cells, with the numbers in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh

__all__ = ["draw_cells"]

_PALE, _DARK = 0.04, 0.92
"""Which part of the shades is used: all of them differ from the paper, and from black."""

_SHADES = 40
"""More of them matplotlib would draw as pixels."""


def draw_cells(
    axes: Axes,
    shades: NDArray[np.float64],
    texts: Sequence[Sequence[str]],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    fontsize: float = 7,
) -> QuadMesh:
    """Draw cells, as dark as `shades` between 0 and 1 say (NaN: not at all), with texts in them.

    The shades are of one colour, so that darker is more in print as well.
    """
    from matplotlib import colormaps  # noqa: PLC0415  # an extra
    from matplotlib.colors import ListedColormap  # noqa: PLC0415

    blues = ListedColormap(colormaps["Blues"](np.linspace(_PALE, _DARK, _SHADES)))
    drawn = axes.pcolormesh(
        np.ma.masked_invalid(shades),
        cmap=blues,
        vmin=0,
        vmax=1,
        edgecolors="white",  # keeps cells apart where shades are alike
        linewidth=1.2,
    )
    axes.invert_yaxis()
    for row, cells in enumerate(texts):
        for column, text in enumerate(cells):
            axes.text(
                column + 0.5,
                row + 0.5,
                text,
                ha="center",
                va="center",
                fontsize=fontsize,
                color=_ink(blues(shades[row, column])),
            )
    across, down = np.arange(len(columns)) + 0.5, np.arange(len(rows)) + 0.5
    axes.set_xticks(across, columns, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(down, rows)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return drawn


def _ink(paper: tuple[float, ...]) -> str:
    """Return which of black and white can be read better on a colour (red, green, blue, …).

    The contrast of two colours is (L + 0.05) / (l + 0.05) for their luminances L ≥ l; at 0.179
    black and white have the same.

    >>> _ink((1.0, 1.0, 1.0)), _ink((0.0, 0.2, 0.5))
    ('black', 'white')
    """
    linear = [((c + 0.055) / 1.055) ** 2.4 if c > 0.04045 else c / 12.92 for c in paper[:3]]
    luminance = sum(
        weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
    )
    return "black" if luminance > 0.179 else "white"
