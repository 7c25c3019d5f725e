"""The kinds of plots by name: what each shows, and who draws it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from commonground.errors import UsageError, nearest, setting
from commonground.plugins import Plugin, plugins

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PLOTS", "Plot", "find_plot", "plot_plugins", "plots"]


@dataclass(frozen=True, slots=True)
class Plot:
    """A kind of plot: what it shows, in a few words, and the function that draws it.

    `draw` takes a :class:`~commonground.report.plots.source.Source`, and the size and the title of
    the figure by name. A kind `again` reads the treebanks of a result again.
    """

    shows: str
    draw: Callable[..., Figure] | None = None
    again: bool = False


PLOTS = {
    "length": Plot("scores by the length of sentences"),
    "distance": Plot("scores by the distance to the head", again=True),
    "depth": Plot("scores by the depth in the tree", again=True),
    "confusion": Plot("labels, gold by parse, of one system", again=True),
    "agreement": Plot("how far analyses agree, of agreement or compare"),
    "differences": Plot("how differences come out on resampled sentences"),
    "pairs": Plot("the differences of all pairs of systems"),
    "runs": Plot(f"scores of training runs, of test {setting('runs')}"),
    "power": Plot("how often a difference would be found"),
    "phenomena": Plot("recall per phenomenon, of phenomena score"),
    "matches": Plot(f"matches of a search by a property or two, of search {setting('by')}"),
    "waterfall": Plot(f"conventions and errors, of evaluate {setting('conventions')}"),
}
"""The kinds of plots of this package, which ``draw_KIND`` in ``kinds.py`` draws."""


def plots() -> dict[str, Plot]:
    """Return all kinds of plots by name; those of other packages come last."""
    return PLOTS | {plugin.name: plugin.value for plugin in plot_plugins()}


def plot_plugins() -> tuple[Plugin, ...]:
    """Return the kinds of plots that other packages add."""
    return plugins("plots", _refusal, PLOTS)


def _refusal(plugin: Plugin) -> str:
    """Say why something is no plot that can be added."""
    if not isinstance(plugin.value, Plot):
        return f"it is of the type {type(plugin.value).__name__}, not Plot"
    return "" if plugin.value.draw else "it has no function that draws it"


def find_plot(kind: str) -> Callable[..., Figure]:
    """Return the function that draws a kind of plot."""
    known = plots()
    if kind not in known:
        near = nearest(kind, known)
        raise UsageError(f"there is no plot {kind!r}; there are {', '.join(known)}{near}")
    draw = known[kind].draw or getattr(
        import_module("commonground.report.plots.kinds"), f"draw_{kind}"
    )
    function: Callable[..., Figure] = draw
    return function
