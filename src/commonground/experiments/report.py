"""The page of a study: its tables, and the results behind them to look into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

from commonground.experiments.plan import Plan
from commonground.experiments.run import CellOutcome, mixture
from commonground.experiments.store import Store
from commonground.formats.storage.files import write_bytes
from commonground.grid import Grid
from commonground.plurals import number_of
from commonground.report.page.make import chapter_of
from commonground.report.page.page import page
from commonground.report.page.sections import Chapter, ReportPage, Section, TableBlock, Text

__all__ = ["study_page", "write_study_page"]

_MOST = 6
"""A page has at most so many results to look into; each may have hundreds of drawings."""


def study_page(
    plan: Plan,
    outcomes: Mapping[str, CellOutcome],
    tables: Mapping[str, Sequence[Grid]],
    folder: Path,
) -> str:
    """Return the page of a study: all of its tables, then the results that they are made of."""
    results = list(_results(plan, outcomes))
    with chdir(folder):  # the page names files as seen from there, wherever the study is kept
        chapters = [
            _tables_chapter(plan, outcomes, tables, left=len(results) - _MOST),
            *(chapter_of(str(path)) for path in results[:_MOST]),
        ]
    return page(ReportPage(plan.recipe.title, tuple(chapters)))


def write_study_page(
    plan: Plan,
    outcomes: Mapping[str, CellOutcome],
    tables: Mapping[str, Sequence[Grid]],
    folder: Path,
) -> Path:
    """Write the page of a study into its folder."""
    path = folder / "report.html"
    text = study_page(plan, outcomes, tables, folder)
    write_bytes(path, [text.encode("utf-8", "backslashreplace")])
    return path


def _tables_chapter(
    plan: Plan, outcomes: Mapping[str, CellOutcome], tables: Mapping[str, Sequence[Grid]], left: int
) -> Chapter:
    sections = [_section(_title(plan, name), grids) for name, grids in tables.items()]
    if left > 0:
        told = number_of(left, "more result is", "more results are")
        told += " in the folder of the study, for report to show."
        sections.append(Section("Further results", (Text(told),)))
    failed = sum(each.state in ("failed", "left out") for each in outcomes.values())
    facts = {"Paper": plan.recipe.paper} if plan.recipe.paper else {}
    facts["Steps"] = f"{len(outcomes)}, {failed} failed" if failed else str(len(outcomes))
    if mixed := mixture(outcomes):
        facts["Code"] = mixed
    return Chapter("Tables", tuple(sections), facts=facts)


def _section(title: str, grids: Sequence[Grid]) -> Section:
    """Return the tables under one title, which each of them would repeat."""
    shorter = [replace(grid, title=grid.title.removeprefix(title).lstrip(": ")) for grid in grids]
    return Section(title, tuple(map(TableBlock, shorter)))


def _title(plan: Plan, name: str) -> str:
    table = next(table for table in plan.recipe.tables if table.name == name)
    return table.title or name


def _results(plan: Plan, outcomes: Mapping[str, CellOutcome]) -> Iterator[Path]:
    """Return the results that whole tables are about, each once, if they can be looked into.

    A table over many results is about none of them.
    """
    store = Store(Path("store"))
    for step in dict.fromkeys(table.of for table in plan.recipe.tables):
        cell, *others = plan.of_step(step)
        outcome = outcomes[cell.digest]
        ended = outcome.state in ("kept", "done")
        if cell.do in ("evaluate", "compare") and ended and not others:
            yield store.place(outcome.digest) / "result.json"
