"""The recall of phenomena as a figure: a column per kind of dependency, a mark per system.

Bender, Flickinger, Oepen & Zhang (2011), Figure 1: phenomena by rising difficulty; of the kinds of
a phenomenon that one first on which most systems score higher.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonground.errors import UsageError
from commonground.phenomena.result import Phenomena
from commonground.report.plots.canvas import LIGHT, WIDTH, Size, new_figure
from commonground.report.plots.legend import legend_height, put_legend
from commonground.report.plots.marks import marks, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["phenomena_columns"]


def phenomena_columns(
    phenomena: Phenomena,
    *,
    systems: tuple[str, ...] = (),
    size: Size | None = None,
    title: str = "",
) -> Figure:
    """Return the figure of a result, of some of its systems or of all."""
    chosen = [phenomena.system(name) for name in systems] if systems else list(phenomena.systems)
    columns = phenomena.ordered()
    if not columns:
        raise UsageError("there is nothing to plot: the result has no targets")
    looks = marks([system.name for system in chosen])
    names = [look.name for look in looks]
    wanted = (WIDTH, 3.4 + legend_height(names, WIDTH))
    description = f"Recall of phenomena by {', '.join(names)}, in per cent"
    with new_figure(size or wanted, description, title) as figure:
        axes = figure.subplots()
        ticks, place = [], 0.0
        for number, (phenomenon, kinds) in enumerate(columns):
            if number:
                axes.axvline(place - 0.75, color=LIGHT, linewidth=0.7)
            ticks.append((place + (len(kinds) - 1) / 2, shown(phenomenon, 16)))
            for kind in kinds:
                axes.axvline(place, color=LIGHT, linewidth=0.5, linestyle=(0, (1, 2)))
                for system, look in zip(chosen, looks, strict=True):
                    axes.plot(
                        [place],
                        [100 * (system[kind].value or 0.0)],
                        linestyle="none",
                        marker=look.marker,
                        markerfacecolor="none",
                        markeredgecolor=look.colour,
                        markeredgewidth=1.2,
                        label=look.name,
                    )
                place += 1
            place += 0.5
        axes.set_xlim(-0.75, place - 0.75)
        axes.set_ylim(-4, 104)
        axes.set_yticks(range(0, 101, 10))
        axes.set_ylabel("recall, %")
        axes.set_xticks(
            [at for at, _ in ticks], [name for _, name in ticks], rotation=30, ha="right"
        )
        put_legend(figure, axes.get_lines()[-len(looks) :], names)
    return figure
