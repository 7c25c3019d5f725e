"""The scores of all systems at a glance: intervals, tests of pairs, groups that do not differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from commonground.errors import UsageError
from commonground.evaluation.main_metric import likeliest
from commonground.evaluation.result import System
from commonground.evaluation.saved import Saved
from commonground.evaluation.scores import Evaluation
from commonground.grid import Note
from commonground.metrics.names import resolved
from commonground.report.page.figures import difference_figure
from commonground.report.page.sections import Section, TableBlock, Text
from commonground.report.views.evaluation import first_grid
from commonground.report.views.leaderboard import ranked_claims
from commonground.statistics.bootstrap import METHODS
from commonground.statistics.claim import ALTERNATIVES
from commonground.statistics.claims import Claims
from commonground.statistics.corrections import CORRECTIONS
from commonground.statistics.registry import TESTS
from commonground.statistics.test_plan import UNITS, TestPlan
from commonground.statistics.testing import significance_tests
from commonground.statistics.units import with_units
from commonground.statistics.verdict import verdict_on

__all__ = ["asked_again", "averaged", "chosen_metric", "claims_about", "summary", "to_test"]

_MANY = 40
"""Tests of all pairs of more systems would take longer than all the rest, and nobody reads them."""

_MOST = 1_000_000

Files = Mapping[str, Sequence[System]]


def chosen_metric(saved: Saved, wanted: str = "") -> str:
    """Return the name of the metric that a report looks into: the wanted one, or the likeliest.

    A score without a single item says nothing; such a metric is not chosen if there is another.
    """
    systems = saved.systems
    scores = systems[0].scores
    if wanted:
        name = resolved(wanted, {each: score.metric for each, score in scores.items()})
        if name is None:
            raise UsageError(f"{saved.path} has no scores of {wanted}; it has {', '.join(scores)}")
        return name
    known = [name for name in scores if not any(system[name].undefined for system in systems)]
    usual = [name for name in known or scores if scores[name].metric.higher_is_better]
    return likeliest(usual or list(scores))


def summary(saved: Saved, claims: Claims | None, main: str, files: Files | None = None) -> Section:
    """Return the table of all scores, with what was found about the differences between systems.

    `files` has the systems on each of several files, where these are not in the result itself.
    """
    files = saved.files if files is None else files
    found = Evaluation.of_files(saved.signature, saved.systems, files)
    ranked = ranked_claims(found, claims, main)
    scores = first_grid(found, claims, main)
    macro = claims is not None and claims.asked.resample == "files"
    notes = (*map(Note, () if macro else averaged(saved, main)), *scores.notes)
    named = replace(scores, title="Scores (shares in per cent)", notes=notes)
    first, *others = (
        TableBlock(replace(grid, signature=""))
        for grid in (named, *(ranked.grids(verdict=False) if ranked else ()))
    )
    said = verdict_on(saved, claims, metric=main)
    lead = [Text(said.sentence)] if said else []
    return Section("Summary", (*lead, first, *difference_figure(claims, main), *others))


def averaged(saved: Saved, main: str) -> list[str]:
    """Say where scores are micro averages, with the macro averages that evaluate shows instead."""
    metric = saved.systems[0][main].metric
    told = []
    for system in saved.data["systems"]:
        macro = system.get("macro")
        value = macro.get(main) if isinstance(macro, Mapping) else None
        if isinstance(value, float):
            told.append(f"{system['name']} {metric.scale * value:.2f}")
    if not told:
        return []
    what = "The scores are micro averages, over the sentences of all files together"
    return [f"{what}; the macro averages by {metric.title}, over files, are: {', '.join(told)}."]


def claims_about(saved: Saved) -> Claims | None:
    """Return the intervals of scores, and the tests of all pairs of systems.

    They are about the scores that are fair between the systems, which for a comparison is MULTIPLE.
    They are made as the result's own were, which gives the same numbers again; where it was not
    asked for tests, by shuffling. There are none where the systems have nothing in common.
    """
    try:
        return significance_tests(*to_test(saved, saved.tested(), saved.files), skip=True)
    except UsageError:  # nothing that can be tested
        return None


def to_test(
    saved: Saved, systems: Sequence[System], files: Files
) -> tuple[Sequence[System], TestPlan]:
    """Return what is tested of some systems of a result, over files or sentences, and how."""
    return with_units(systems, files, asked_again(saved), saved.request.options.resample)


def asked_again(saved: Saved) -> TestPlan:
    """Return how claims about a result are made: as its own were, by shuffling without any."""
    options = saved.request.options
    several = 1 < len(saved.systems) <= _MANY
    given = ("shuffle",) if options.test is None else options.test
    tests = [name.strip() for text in given for name in text.split(",")]
    wanted = tuple(name for name in tests if name in TESTS) if several else ()
    chosen = {
        field: value
        for name, (field, fits) in _FITTING.items()
        if (value := getattr(options, name)) is not None and fits(value)
    }
    return TestPlan(wanted, intervals=True, **chosen)


_FITTING: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "iterations": ("iterations", lambda value: value <= _MOST),
    "seed": ("seed", lambda _: True),
    "confidence": ("confidence", lambda _: True),
    "alternative": ("alternative", lambda value: value in ALTERNATIVES),
    "correction": ("correction", lambda value: value in CORRECTIONS),
    "resample": ("resample", lambda value: value in UNITS and value != "files"),
    "interval": ("method", lambda value: value in METHODS),
}
"""The options of tests that a result was made with, and what they can be; others do not count."""
