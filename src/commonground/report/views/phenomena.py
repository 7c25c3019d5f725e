"""The recall of phenomena as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.evaluation.metric_score import percent
from commonground.grid import Cell, Column, Grid
from commonground.metrics.phenomena import ALL, MACRO
from commonground.phenomena.kinds import phenomena, title_of
from commonground.phenomena.result import Phenomena
from commonground.plurals import number_of
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
    potentials = _potentials(result)
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
                    *(Cell(_share(result, name, right)) for _, right in potentials),
                ]
            )
    for title, name in (("all targets", ALL), ("mean of phenomena", MACRO)):
        total = counts[name].counts.totals["gold"]
        shown = [Cell(percent(system[name]), bold=True) for system in result.systems]
        most = [
            Cell(_share(result, name, right)) if name == ALL else None for _, right in potentials
        ]
        rows.append([title, "", "", total, None, None, *shown, *most])
    columns = [
        Column("phenomenon"),
        Column("name"),
        Column("dependency"),
        Column("targets", "right"),
        Column("distance", "right"),
        Column("max", "right"),
        *(Column(system.name, "right", 1) for system in result.systems),
        *(Column(title, "right", 1) for title, _ in potentials),
    ]
    return Grid.of("Recall of phenomena, in %", columns, rows, _notes(result), result.signature)


def _potentials(result: Phenomena) -> list[tuple[str, Sequence[bool]]]:
    """Return what is recoverable in each system, and what each mapping finds in gold trees."""
    several = len(result.systems) > 1
    by_rules = [
        (f"{name}, recoverable" if several else "recoverable", scheme.recoverable)
        for name, scheme in result.schemes.items()
        if scheme.recoverable is not None
    ]
    ceilings = {
        f"ceiling of {scheme.mapping}": scheme.ceiling
        for scheme in result.schemes.values()
        if scheme.ceiling is not None
    }
    return [*by_rules, *ceilings.items()]


def _share(result: Phenomena, name: str, right: Sequence[bool]) -> float | None:
    share = result.share(name, right)
    return None if share is None else 100 * share


def _notes(result: Phenomena) -> list[str]:
    """Say what the columns mean, and which mappings have never met what they are for."""
    notes = []
    if any(scheme.recoverable is not None for scheme in result.schemes.values()):
        notes.append("Recoverable: with what rules add to the parse that its scheme leaves out.")
    if any(scheme.ceiling is not None for scheme in result.schemes.values()):
        notes.append("Ceiling: what the mapping finds in gold trees; the rest no parser can earn.")
    for name, scheme in result.schemes.items():
        if scheme.status == "from the manual":
            notes.append(
                f"{name}: the mapping {scheme.mapping} is from the manual, not run on real output."
            )
    return notes


def _described(phenomenon: str, kind: str) -> str:
    known = phenomena().get(phenomenon)
    for each in known.kinds if known else ():
        if each.name == kind:
            return f"{each.head} {each.type} {each.dependent}"
    return kind


def _unanalysed(result: Phenomena) -> Grid:
    """Return the dependencies that systems virtually do not analyse, counted as the paper does."""
    rows: list[list[Cell | str | int | float | None]] = []
    by_phenomenon: dict[str, set[str]] = {}
    for system, name, value in result.unanalysed():
        phenomenon = name.split(".")[1]
        by_phenomenon.setdefault(phenomenon, set()).add(system)
        best = result.schemes[system].ceiling if system in result.schemes else None
        limit = None if best is None else _share(result, name, best)
        kind = name.removeprefix(f"{ALL}.")
        rows.append([system, title_of(phenomenon), kind, Cell(100 * value, 1), Cell(limit, 1)])
    columns: list[Column | str] = [
        "system",
        "phenomenon",
        "name",
        Column("recall", "right", 1),
        Column("ceiling", "right", 1),
    ]
    order = sorted(by_phenomenon.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    counts = ", ".join(f"{name} by {len(systems)}" for name, systems in order)
    note = (
        f"{len(order)} of {number_of(len(result.phenomena), 'phenomenon', 'phenomena')} have a "
        f"dependency that a system does not analyse: {counts}."
    )
    return Grid.of("Virtually unanalysed: recall below 10 %", columns, rows, [note])


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
