"""What was taken for what, as a figure: the most frequent labels, gold by parse."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from commonground.errors import UsageError
from commonground.metrics.confusion import ConfusionCell
from commonground.report.plots.canvas import WIDTH, Size, new_figure
from commonground.report.plots.heat import draw_cells
from commonground.report.plots.marks import short_names, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["confusion_matrix"]

_LABELS = 15
_LONGEST = 24
_REST = "(others)"


def confusion_matrix(
    cells: Sequence[ConfusionCell], system: str, *, size: Size | None = None, title: str = ""
) -> Figure:
    """Return a figure of the labels of words, gold by parse, darker by the logarithm of the number.

    Labels beyond the most frequent ones stand together in the last row and column.
    """
    labels, table = _table(cells)
    highest = int(table.max())
    shades = np.log1p(table) / math.log1p(highest)
    shades[table == 0] = math.nan
    texts = [[_number(int(count)) for count in row] for row in table]
    names = short_names([label or "(none)" for label in labels], _LONGEST)
    side = 0.27 * len(labels) + 0.6 + 0.08 * max(map(len, names))
    description = f"Labels of {shown(system)}: rows are the gold standard, columns are the parse"
    with new_figure(size or (min(WIDTH, side + 0.9), side), description, title) as figure:
        axes = figure.subplots()
        image = draw_cells(axes, shades, texts, names, names, fontsize=6)
        axes.set_ylabel("Gold standard")
        axes.set_xlabel(shown(system))
        bar = figure.colorbar(image, ax=axes, pad=0.02, aspect=35)
        ticks = [10**power for power in range(int(math.log10(highest)) + 1)]
        bar.set_ticks(
            [math.log1p(tick) / math.log1p(highest) for tick in ticks],
            labels=[f"{tick:,}" for tick in ticks],
        )
        bar.outline.set_visible(False)
        bar.ax.set_ylabel("Words")
        return figure


def _table(cells: Sequence[ConfusionCell]) -> tuple[list[str], np.ndarray]:
    """Return the labels, the most frequent first, and how often which was taken for which."""
    weight: Counter[str] = Counter()
    for cell in cells:
        weight[cell.gold] += cell.count
        weight[cell.system] += cell.count
    if not weight:
        raise UsageError("there is nothing to plot: no word was scored")
    order = sorted(weight, key=lambda label: (-weight[label], label))
    labels = order if len(order) <= _LABELS + 1 else order[:_LABELS]
    place = {label: number for number, label in enumerate(labels)}
    names = labels if len(labels) == len(order) else [*labels, _REST]
    table = np.zeros((len(names), len(names)), np.int64)
    for cell in cells:
        row, column = (place.get(label, len(labels)) for label in (cell.gold, cell.system))
        table[row, column] += cell.count
    return names, table


def _number(count: int) -> str:
    """Return a count that fits into a cell.

    >>> [_number(count) for count in (0, 12, 12_345, 123_456)]
    ['', '12', '12345', '123k']
    """
    if not count:
        return ""
    return str(count) if count < 100_000 else f"{round(count / 1000)}k"
