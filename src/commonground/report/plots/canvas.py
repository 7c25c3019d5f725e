"""An empty figure: matplotlib with settings of our own, whatever those of the user are.

Only figures and the writers of files are used, never pyplot, so that no window, display or global
list of figures is involved. Matplotlib's settings are one for the whole process; they are changed
only while a figure is made or written, by one thread at a time.
"""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from commonground.errors import MissingExtraError, UsageError
from commonground.report.visible import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["HEIGHT", "LIGHT", "WIDTH", "Size", "new_figure", "styled"]

Size = tuple[float, float]
"""Width and height in inches."""

WIDTH, HEIGHT = 6.3, 3.5
"""The text of a page is so many inches wide; a figure in it has such a shape."""

LIGHT = "#d9d9d9"

_SETTINGS: dict[str, Any] = {
    "font.family": "sans-serif",
    # The first one comes with matplotlib and is rather wide: text that fits in it fits in others.
    "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "figure.titlesize": 10,
    "legend.fontsize": 8.5,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "axes.axisbelow": True,
    "axes.titlelocation": "left",
    "grid.color": LIGHT,
    "grid.linewidth": 0.6,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
    "lines.markersize": 5.2,
    # Letters are measured as they are, not as they would be fitted to a screen.
    "figure.dpi": 200,
    "text.hinting": "none",
    # Nothing that a treebank holds is a formula.
    "text.parse_math": False,
    # Text stays text: it can be searched, and a browser has letters of every script.
    "svg.fonttype": "none",
    "svg.hashsalt": "commonground",
    "pdf.fonttype": 42,
}

_ONE_AT_A_TIME = threading.RLock()


@contextmanager
def styled() -> Iterator[None]:
    """Let matplotlib work with our settings, and keep to itself what it has to remark."""
    try:
        import matplotlib as mpl  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("a plot", "plots") from error
    log = logging.getLogger("matplotlib")
    level = log.level
    with _ONE_AT_A_TIME, mpl.rc_context(), warnings.catch_warnings():
        # Letters that its font has not are drawn by whoever shows the SVG.
        warnings.filterwarnings("ignore", message="(Glyph|Matplotlib currently does not support)")
        log.setLevel(logging.ERROR)
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        try:
            yield
        finally:
            log.setLevel(level)


@contextmanager
def new_figure(size: Size, description: str, title: str = "") -> Iterator[Figure]:
    """Return an empty figure to be drawn on; `description` tells in words what it will show.

    Where its parts stand is decided once, at the end, so that it is the same in every file.
    """
    with styled():
        from commonground.report.plots.figure import ShownFigure  # noqa: PLC0415  # an extra

        figure = ShownFigure(figsize=size, layout="constrained")
        engine = figure.get_layout_engine()
        figure.set_label(description)
        if title:
            figure.suptitle(visible(title))
        yield figure
        warnings.filterwarnings("error", message="constrained_layout not applied")
        try:
            engine.execute(figure)
        except UserWarning as error:
            raise UsageError(
                f"a plot of {size[0]:g} × {size[1]:g} inches has no room for its labels; make it "
                "larger"
            ) from error
        # With any engine, even one that does nothing, figures are drawn twice to be written.
        figure.set_layout_engine(None)
