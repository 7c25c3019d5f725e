"""Figures as files: SVG, PDF and PNG; the same figure gives the same bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from commonground import __version__
from commonground.report.drawing.export import refuse_other_scripts
from commonground.report.plots.canvas import styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FILES", "as_pdf", "as_png", "as_svg"]

_CREATOR = f"commonground {__version__}"

_SMALLER = (
    (re.compile(r"\A.*?(?=<svg)", re.DOTALL), ""),
    # In a page, this style would be that of everything else too.
    (re.compile(r"<style[^>]*>[^<]*</style>"), ""),
    (re.compile(r"<svg "), '<svg stroke-linejoin="round" stroke-linecap="butt" '),
    (re.compile(r"\s*\n\s*"), ""),
    (re.compile(r"<defs\s*/>|<defs></defs>"), ""),
)
"""What of matplotlib's SVG is changed for it to be small, and to stand in a page."""


def as_svg(figure: Figure) -> str:
    """Return a figure as SVG that can stand by itself or in a page.

    Its text is text, in whatever font there is; its title is the description of the figure.
    """
    about = {"Title": figure.get_label(), "Creator": _CREATOR, "Date": None}
    svg = _written(figure, "svg", about).decode("utf-8")
    for pattern, replacement in _SMALLER:
        svg = pattern.sub(replacement, svg)
    return f"{svg}\n"


def as_pdf(figure: Figure) -> bytes:
    """Return a figure as PDF with its fonts."""
    about = {"Title": figure.get_label(), "Creator": _CREATOR, "CreationDate": None}
    return _painted(figure, "pdf", about)


def as_png(figure: Figure) -> bytes:
    """Return a figure as PNG, 200 pixels for each inch."""
    return _painted(figure, "png", {"Software": _CREATOR})


FILES: dict[str, Callable[[Figure], bytes]] = {
    "svg": lambda figure: as_svg(figure).encode("utf-8"),
    "pdf": as_pdf,
    "png": as_png,
}
"""How a figure is written, by the kind of file."""


def _painted(figure: Figure, kind: str, metadata: dict[str, Any]) -> bytes:
    """Return a figure as a file that has its own letters, which are those of a few scripts."""
    from matplotlib.text import Text  # noqa: PLC0415  # an extra

    refuse_other_scripts("".join(part.get_text() for part in figure.findobj(Text)))
    return _written(figure, kind, metadata)


def _written(figure: Figure, kind: str, metadata: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    with styled():
        figure.savefig(buffer, format=kind, metadata=metadata)
    return buffer.getvalue()
