"""The figures of a study: plots of the results of its steps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from commonground.errors import CommonGroundError
from commonground.experiments.plan import MatrixCell, Plan
from commonground.experiments.recipe import FigureOf
from commonground.experiments.run import CellOutcome
from commonground.experiments.store import Store
from commonground.formats.storage.files import write_bytes

__all__ = ["write_figures"]


def write_figures(plan: Plan, outcomes: Mapping[str, CellOutcome], folder: Path) -> dict[str, str]:
    """Write each figure as SVG; return why some could not be drawn, by their names."""
    missing = {}
    for figure in plan.recipe.figures:
        for name, cell in _named(plan, figure):
            try:
                _write(figure, folder, name, outcomes[cell.digest])
            except CommonGroundError as error:
                missing[name] = str(error)
    return missing


def _write(figure: FigureOf, folder: Path, name: str, outcome: CellOutcome) -> None:
    from commonground.report.plots.export import FILES  # noqa: PLC0415  # only for figures
    from commonground.report.plots.kinds import plot  # noqa: PLC0415

    if outcome.state not in ("kept", "done"):
        raise CommonGroundError(f"{outcome.cell.title}: {outcome.reason}")
    result = Store(folder / "store").place(outcome.digest) / "result.json"
    drawn = FILES["svg"](plot(result, figure.kind, title=figure.title))
    target = folder / "figures" / f"{name}.svg"
    target.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(target, [drawn])


def _named(plan: Plan, figure: FigureOf) -> Iterator[tuple[str, MatrixCell]]:
    """Return the cells that a figure is drawn of; if there are several, their values name them."""
    for cell in plan.of_step(figure.of):
        values = [re.sub(r"[^\w.-]+", "-", str(value)) for value in cell.axes.values()]
        yield "-".join([figure.name, *values]), cell
