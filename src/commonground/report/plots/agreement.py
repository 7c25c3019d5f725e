"""How far analyses of the same text agree, as a figure: one by the other, metric by metric."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError
from commonground.report.plots.canvas import WIDTH, Size, new_figure
from commonground.report.plots.heat import draw_cells
from commonground.report.plots.marks import short_names, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["agreement_map"]

_IN_A_ROW = 3
_CELL = 0.46
_LONGEST = 24


def agreement_map(
    names: Sequence[str],
    tables: Mapping[str, NDArray[np.float64]],
    *,
    size: Size | None = None,
    title: str = "",
) -> Figure:
    """Return a figure of agreement between analyses; `tables` are shares of 1 by their titles.

    A row is what is taken for the gold standard, a column what is scored against it; NaN is a pair
    that was not compared. All tables have the same shades, from the lowest agreement to 100 %.
    """
    if len(names) < 2 or not tables:
        raise UsageError("there is nothing to plot: two analyses are needed")
    directed = any(not np.array_equal(table, table.T, equal_nan=True) for table in tables.values())
    known = np.concatenate([table[~np.isnan(table)] for table in tables.values()])
    lowest = float(known.min()) if len(known) else 0.0
    across = 2 if len(tables) == 4 else min(len(tables), _IN_A_ROW)
    down = math.ceil(len(tables) / across)
    labels = short_names(names, _LONGEST)
    margin = 0.4 + 0.07 * max(map(len, labels))
    wanted = (
        min(WIDTH, margin + across * (_CELL * len(names) + 0.3)),
        down * (0.4 * len(names) + 0.75 * margin + 0.4),
    )
    description = (
        f"Agreement of {', '.join(labels)} by {', '.join(map(shown, tables))}, in per cent"
    )
    with new_figure(size or wanted, description, title) as figure:
        panels = figure.subplots(down, across, squeeze=False)
        for place, axes in enumerate(panels.flat):
            if place >= len(tables):
                axes.set_visible(False)
                continue
            heading, table = list(tables.items())[place]
            texts = [["" if np.isnan(v) else _per_cent(v) for v in row] for row in table]
            shades = (table - lowest) / max(1 - lowest, 1e-9)
            rows = labels if place % across == 0 else [""] * len(labels)
            draw_cells(axes, shades, texts, rows, labels)
            if place % across == 0 and directed:
                axes.set_ylabel("Gold standard")
            axes.set_title(shown(heading), loc="center")
        return figure


def _per_cent(share: float) -> str:
    """Return a share of 1 in per cent, and 100 only for what is the same.

    >>> _per_cent(0.984), _per_cent(0.9996), _per_cent(0.99999), _per_cent(1)
    ('98.4', '99.96', '99.99', '100.0')
    """
    whole = share < 1 and f"{100 * share:.1f}" == "100.0"
    return f"{min(100 * share, 99.99):.2f}" if whole else f"{100 * share:.1f}"
