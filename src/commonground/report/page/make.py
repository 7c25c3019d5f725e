"""A report of saved results."""

from __future__ import annotations

import html
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from commonground.dispatch import perform
from commonground.errors import UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.result import Result
from commonground.evaluation.saved import has_kind, read_json, result_of
from commonground.formats.storage.files import (
    STANDARD,
    open_bytes,
    shown,
    unpacked,
    write_bytes,
)
from commonground.report.page.anything import anything_chapter
from commonground.report.page.page import page
from commonground.report.page.sections import Chapter, ReportPage

__all__ = ["Page", "chapter_of", "looks_saved", "report", "report_html"]


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


class Page(str):
    """A page of HTML, which a notebook shows in a frame and ``save`` writes to a file."""

    __slots__ = ()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, completely or not at all."""
        write_bytes(path, [self.encode("utf-8", "backslashreplace")])

    def _repr_html_(self) -> str:
        """Return the page in a frame, so that its style does not touch the notebook."""
        frame = 'width="100%" height="700" style="border: 1px solid #ccc"'
        return f'<iframe srcdoc="{html.escape(self)}" {frame}></iframe>'


def report(*results: Any, title: str = "", metric: str = "") -> Page:
    """Return a page about results: those of ``cg.evaluate`` and the like, or saved ones.

    Files and folders are read as by ``commonground report``; a gold standard and parses, as
    treebanks or as files, are evaluated first.

    >>> import commonground as cg
    >>> result = cg.evaluate("example:ud", "example:ud-parse", metrics=["las"])
    >>> "94.81" in cg.report(result)
    True
    """
    if not results:
        raise UsageError("there is nothing to report about; give a result, or treebanks")
    if not any(isinstance(each, Result) or _is_saved(each) for each in results):
        gold, *parses = results
        if not parses:
            raise UsageError("a gold standard needs at least one parse")
        named = {f"parse {place}" if len(parses) > 1 else "parse": each
                 for place, each in enumerate(parses, 1)}  # fmt: skip
        results = (evaluate(gold, _by_path(parses) or named),)
    chapters = tuple(
        perform("chapter", each, metric)
        if isinstance(each, Result)
        else _chapter(os.fspath(each), metric, ())
        for each in results
    )
    shown_title = title or (
        chapters[0].title if len(chapters) == 1 else f"Report of {len(chapters)} results"
    )
    return Page(page(ReportPage(shown_title, chapters)))


def _is_saved(source: Any) -> bool:
    """Tell whether something is the path of a saved result, or of a folder of them."""
    if not isinstance(source, str | os.PathLike):
        return False
    name = os.fspath(source)
    return looks_saved(name)


def looks_saved(path: str) -> bool:
    """Tell whether a path is that of a saved result, or of a folder of them, and no treebank's.

    >>> looks_saved("example:ud"), looks_saved("result.json")
    (False, True)
    """
    if path == STANDARD or unpacked(path).suffix == ".json":
        return True
    place = Path(path)
    if place.is_dir():
        return any(unpacked(each).suffix == ".json" for each in place.iterdir())
    if not place.is_file():
        return False
    with open_bytes(place) as opened:
        return opened.read(64).lstrip()[:1] == b"{"  # which no treebank begins with


def _by_path(parses: Sequence[Any]) -> dict[str, Any]:
    """Return parses by the names of their files, if all of them are files."""
    paths = [os.fspath(each) for each in parses if isinstance(each, str | os.PathLike)]
    named = {path: path for path in paths}
    return named if len(named) == len(parses) else {}


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
