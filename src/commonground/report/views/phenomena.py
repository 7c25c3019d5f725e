"""The recall of phenomena as tables."""

from __future__ import annotations

from dataclasses import replace

from commonground.evaluation.metric_score import percent
from commonground.grid import Cell, Column, Grid
from commonground.metrics.phenomena import ALL, MACRO
from commonground.phenomena.kinds import phenomena, title_of
from commonground.phenomena.result import Phenomena
from commonground.report.views.claims import grids as claim_grids
from commonground.statistics.claims import Claims
from commonground.statistics.verdict import verdict_on

__all__ = ["grids", "target_grid"]


def grids(
    result: Phenomena,
    claims: Claims | None = None,
    *,
    targets: bool = False,
    verdict: bool | None = None,
) -> list[Grid]:
    """Return the table of recall; with `targets` also what became of each target.

    It begins with the verdict on several systems by all targets, not tested if `verdict` is False.
    """
    claims = claims or result.claims
    conclusion = verdict_on(result, claims, metric=ALL, tested=verdict)
    recall = _recall(result)
    tables = [replace(recall, lead=conclusion.sentence) if conclusion else recall]
    if result.unanalysed():
        tables.append(_unanalysed(result))
    if targets:
        tables.append(target_grid(result))
    return [*tables, *(claim_grids(claims, verdict=False) if claims else ())]


def _recall(result: Phenomena) -> Grid:
    distances = result.distances()
    counts = result.systems[0].scores
    rows: list[list[Cell | str | int | float | None]] = []
    for phenomenon, names in result.ordered():
        for place, name in enumerate(names):
            average, farthest = distances[name]
            rows.append(
                [
                    title_of(phenomenon) if not place else "",
                    name.removeprefix(f"{ALL}."),
                    _described(phenomenon, name.rpartition(".")[2]),
                    counts[name].counts.totals["gold"],
                    Cell(average, 1),
                    farthest,
                    *(Cell(percent(system[name])) for system in result.systems),
                ]
            )
    for title, name in (("all targets", ALL), ("mean of phenomena", MACRO)):
        total = counts[name].counts.totals["gold"]
        shown = [Cell(percent(system[name]), bold=True) for system in result.systems]
        rows.append([title, "", "", total, None, None, *shown])
    columns = [
        Column("phenomenon"),
        Column("name"),
        Column("dependency"),
        Column("targets", "right"),
        Column("distance", "right"),
        Column("max", "right"),
        *(Column(system.name, "right", 1) for system in result.systems),
    ]
    return Grid.of("Recall of phenomena, in %", columns, rows, (), result.signature)


def _described(phenomenon: str, kind: str) -> str:
    known = phenomena().get(phenomenon)
    for each in known.kinds if known else ():
        if each.name == kind:
            return f"{each.head} {each.type} {each.dependent}"
    return kind


def _unanalysed(result: Phenomena) -> Grid:
    rows: list[list[Cell | str | int | float | None]] = [
        [system, title_of(name), Cell(100 * value, 1)]
        for system, name, value in result.unanalysed()
    ]
    columns: list[Column | str] = ["system", "phenomenon", Column("recall", "right", 1)]
    return Grid.of("Virtually unanalysed: recall below 10 %", columns, rows)


def target_grid(result: Phenomena) -> Grid:
    """Return what became of each target in each system."""
    rows = [
        [
            row.item,
            row.name.removeprefix(f"{ALL}."),
            row.dependency if row.positive else f"not {row.dependency}",
            name,
            "yes" if outcomes[place][0] else "no",
            outcomes[place][1],
        ]
        for place, row in enumerate(result.rows)
        for name, outcomes in result.outcomes.items()
    ]
    columns = ["item", "name", "target", "system", "recalled", "what matched, or why not"]
    return Grid.of("Targets", columns, rows)
