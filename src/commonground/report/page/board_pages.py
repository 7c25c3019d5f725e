"""A leaderboard as a folder of pages: the board, and a page for each system."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePath

from commonground.evaluation.leaderboard import result_files
from commonground.report.page.leaderboard import Board, board_chapter, board_of
from commonground.report.page.page import page
from commonground.report.page.sections import Chapter, ReportPage, Section
from commonground.report.page.team import team_chapters

__all__ = ["board_pages", "page_names", "pages_of"]

INDEX = "index.html"


def board_pages(
    folder: str, *, title: str = "", metric: str = "", baselines: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    """Return the pages of the results in a folder, each with the name of its file."""
    board = board_of(result_files(folder), metric, baselines)
    yield from pages_of(board, title or f"Leaderboard of {PurePath(folder).name or folder}")


def pages_of(
    board: Board, title: str, more: Sequence[Section] = (), command: str = ""
) -> Iterator[tuple[str, str]]:
    """Return the pages of a board; `more` sections stand at the end of the first one."""
    names = page_names(board.order)
    chapter = board_chapter(board, title, command=command, links=names)
    whole = Chapter(
        chapter.title,
        (*chapter.sections, *more),
        facts=chapter.facts,
        signature=chapter.signature,
        command=chapter.command,
    )
    yield INDEX, page(ReportPage(title, (whole,)))
    for name, file in names.items():
        chapters = team_chapters(board, name)
        yield file, page(ReportPage(f"{name} – {title}", chapters, back=(title, INDEX)))


def page_names(systems: Sequence[str]) -> dict[str, str]:
    """Return the file of each system's page; names that look the same get a number.

    >>> page_names(["Team A", "team a", "ÚFAL"])
    {'Team A': 'team-team-a.html', 'team a': 'team-team-a-2.html', 'ÚFAL': 'team-fal.html'}
    """
    files: dict[str, str] = {}
    for name in systems:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "system"
        number, file = 1, f"team-{plain}.html"
        while file in files.values():
            number += 1
            file = f"team-{plain}-{number}.html"
        files[name] = file
    return files
