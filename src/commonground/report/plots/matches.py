"""The matches of a search by what they were counted by: bars, or a table of two properties."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from commonground.errors import UsageError, setting
from commonground.evaluation.search_result import SearchResult
from commonground.report.plots.canvas import WIDTH, Size, new_figure
from commonground.report.plots.heat import draw_cells
from commonground.report.plots.marks import short_names, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["match_counts"]

_MOST, _LONGEST, _REST = 20, 24, "(others)"


def match_counts(result: SearchResult, *, size: Size | None = None, title: str = "") -> Figure:
    """Return a figure of the numbers of matches by one property or two; rare values together."""
    found = result.occurrences
    if not found.properties or not found.clusters:
        wanted = setting("by", "N.lemma")
        raise UsageError(f"there is nothing to plot: search again with {wanted}, or the like")
    names = [shown(str(each)) for each in found.properties[:2]]
    description = f"Matches of {shown(found.pattern)} by {' and '.join(names)}"
    values, table = _table(found.clusters, len(names))
    labels = [short_names([value or "_" for value in each], _LONGEST) for each in values]
    wide = 0.4 * len(labels[1]) + 1.8 if len(names) > 1 else WIDTH
    wanted_size = min(WIDTH, wide), 0.27 * len(labels[0]) + 0.9
    with new_figure(size or wanted_size, description, title) as figure:
        axes = figure.subplots()
        if len(names) > 1:
            shades = np.log1p(table) / math.log1p(int(table.max()))
            shades[table == 0] = math.nan
            texts = [[f"{int(count):,}" if count else "" for count in row] for row in table]
            draw_cells(axes, shades, texts, labels[0], labels[1], fontsize=6)
            axes.set_xlabel(names[1])
        else:
            rest = values[0][-1] == _REST  # it would dwarf all others
            counts = table[: len(table) - rest, 0].tolist()
            bars = axes.barh(range(len(counts)), counts, color="#0068ad")
            axes.bar_label(bars, [f"{count:,}" for count in counts], padding=2, fontsize=7)
            axes.set_yticks(range(len(counts)), labels[0][: len(counts)])
            axes.invert_yaxis()
            axes.set_xlabel(
                f"matches ({table[-1, 0]:,} more of rarer values)" if rest else "matches"
            )
            axes.margins(x=0.1)
        axes.set_ylabel(names[0])
    return figure


def _table(
    clusters: Counter[tuple[str, ...]], properties: int
) -> tuple[list[list[str]], np.ndarray[tuple[int, int], np.dtype[np.int64]]]:
    """Return the most frequent values of the first two properties, and the counts.

    >>> _table(Counter({("a", "x"): 3, ("b", "y"): 1}), 2)[1].tolist()
    [[3, 0], [0, 1]]
    """
    values: list[list[str]] = [[], [""]]
    for place in range(properties):
        weight: Counter[str] = Counter()
        for each, count in clusters.items():
            weight[each[place]] += count
        order = sorted(weight, key=lambda value: (-weight[value], value))
        values[place] = order if len(order) <= _MOST + 1 else [*order[:_MOST], _REST]
    table = np.zeros((len(values[0]), len(values[1])), np.int64)
    places = [{value: number for number, value in enumerate(each)} for each in values]
    for each, count in clusters.items():
        row = places[0].get(each[0], len(values[0]) - 1)
        column = places[1].get(each[1], len(values[1]) - 1) if properties > 1 else 0
        table[row, column] += count
    return values, table
