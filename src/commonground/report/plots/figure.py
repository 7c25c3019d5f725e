"""A figure that notebooks show, whatever they were told about matplotlib."""

from __future__ import annotations

from matplotlib.figure import Figure

__all__ = ["ShownFigure"]


class ShownFigure(Figure):  # type: ignore[misc]  # its types are other ones in every version
    """A figure that draws itself where it is the last value of a cell."""

    def _repr_svg_(self) -> str:
        from commonground.report.plots.export import as_svg  # noqa: PLC0415  # which knows figures

        return as_svg(self)
