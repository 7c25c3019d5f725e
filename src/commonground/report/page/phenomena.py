"""The chapter about phenomena: recall, the figure, and what became of each target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from commonground.errors import MissingExtraError
from commonground.phenomena.result import Phenomena
from commonground.report.page.sections import Chapter, Figure, Section, TableBlock
from commonground.report.views.phenomena import target_grid

__all__ = ["chapter"]


def chapter(phenomena: Phenomena, metric: str = "") -> Chapter:
    """Return what is to be seen about a result of phenomena."""
    del metric
    names = [system.name for system in phenomena.systems]
    blocks: list[Any] = [*_figure(phenomena), *map(TableBlock, phenomena.grids())]
    gold = phenomena.request.gold
    return Chapter(
        f"Phenomena in {names[0] if len(names) == 1 else f'{len(names)} systems'}",
        (
            Section("Recall", tuple(blocks)),
            Section("Targets", (TableBlock(target_grid(phenomena)),)),
        ),
        facts={
            "Systems": ", ".join(names),
            **({"Gold standard": gold} if gold else {}),
            "Targets": f"{len(phenomena.rows):,}",
        },
        signature=phenomena.whole_signature,
        command=phenomena.origin.command,
    )


def _figure(phenomena: Phenomena) -> Iterator[Figure]:
    from commonground.report.plots.export import as_svg  # noqa: PLC0415  # slow to import
    from commonground.report.plots.phenomena import phenomena_columns  # noqa: PLC0415

    try:
        yield Figure(
            "Recall by phenomenon and kind of dependency", as_svg(phenomena_columns(phenomena))
        )
    except MissingExtraError:
        return
