"""A report of saved results."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from commonground.dispatch import perform
from commonground.errors import UsageError
from commonground.evaluation.saved import has_kind, read_json, result_of
from commonground.formats.storage.files import shown
from commonground.report.page.anything import anything_chapter
from commonground.report.page.page import page
from commonground.report.page.sections import Chapter, ReportPage

__all__ = ["chapter_of", "report_html"]


def report_html(
    results: Sequence[str | os.PathLike[str]],
    *,
    title: str = "",
    metric: str = "",
    baselines: Collection[str] = (),
) -> str:
    """Return a report of saved results as one page of HTML, which needs nothing else.

    Results are files that ``evaluate``, ``compare`` and other verbs have written with
    ``--output-format json``. `metric` is the one that the details are about, LAS or the like
    without it. Where the treebanks of a result are still there as they were, they are read again,
    and the report looks into them. A folder of results of ``evaluate`` is a leaderboard, in which
    `baselines` have no rank.
    """
    chapters = tuple(_chapter(os.fspath(path), metric, baselines) for path in results)
    shown = title or (
        chapters[0].title if len(chapters) == 1 else f"Report of {len(chapters)} results"
    )
    return page(ReportPage(shown, chapters))


def _chapter(path: str, metric: str, baselines: Collection[str]) -> Chapter:
    if Path(path).is_dir():
        from commonground.report.page.leaderboard import leaderboard_chapter  # noqa: PLC0415  # seldom

        return leaderboard_chapter(path, metric, baselines=baselines)
    if baselines:
        raise UsageError(f"{path} is one result; only a folder of results has baselines")
    return chapter_of(path, metric)


def chapter_of(path: str, metric: str = "") -> Chapter:
    """Return the chapter of a saved result: that of its kind, or what any JSON has to show."""
    data = read_json(path)
    if not has_kind(data):
        return anything_chapter(shown(path), data)
    chapter: Chapter = perform("chapter", result_of(data, shown(path)), metric)
    return chapter
