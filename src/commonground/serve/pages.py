"""The pages of the server besides the reports: the list of results, and errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from urllib.parse import quote

from commonground.errors import UsageError
from commonground.evaluation.saved import read_result
from commonground.metrics.settings import PRESETS
from commonground.report.drawing.svg import escaped
from commonground.report.page.combined import combined_chapter
from commonground.report.page.page import document, page, resource, style
from commonground.report.page.sections import ReportPage, TableBlock
from commonground.report.page.table import table_html
from commonground.serve.boards import ServedBoard, boards
from commonground.serve.folder import Folder, Listed
from commonground.serve.listing import ListedResult, rows
from commonground.serve.upload import WAYS
from commonground.serve.words import in_words
from commonground.statistics.verdict import verdict_on

__all__ = ["MOST_SYSTEMS", "combined_page", "error_page", "index_page"]


MOST_SYSTEMS = (1, 2, 3)
"""Maximum number of systems that are compared across schemes at once."""


def index_page(folder: Folder, limit: int) -> str:
    """Return the page with the results of a folder, and the forms for files."""
    results = folder.results()
    listed = _list(folder, results) if results else _NOTHING
    body = (
        f"{_HEADER}"
        f'<main id="main">\n{_boards(boards(folder.path, results))}'
        '<section aria-labelledby="results">\n'
        f'<h2 id="results">All results, the newest first</h2>\n'
        f'<p class="note">{escaped(folder.path.name)}</p>\n'
        f"{listed}</section>\n{_evaluate(limit)}{_compare(limit)}</main>\n"
    )
    return _document("Common Ground", body)


def _boards(made: Sequence[ServedBoard]) -> str:
    """Return the ranked table of each gold standard, as the page of a leaderboard has it."""
    if not made:
        return ""
    parts = []
    for number, each in enumerate(made):
        grid = each.board.grid()
        name = next(at for at, column in enumerate(grid.columns) if column.title == "parse")
        links = {
            (row, name): f"result/{quote(each.results[system])}"
            for row, system in enumerate(each.board.order)
            if system in each.results
        }
        verdict = verdict_on(
            each.board.evaluation, each.board.claims, metric=each.board.main, tested=False
        )
        said = f"<p>{escaped(verdict.sentence)}</p>\n" if verdict else ""
        titled = replace(grid, title=f"On {each.gold} (shares in per cent)", signature="")
        table = table_html(TableBlock(titled, links=links), f"board-{number}", lambda _: 0)
        parts.append(f"{said}{table}")
    return (
        '<section aria-labelledby="boards">\n<h2 id="boards">Leaderboard</h2>\n'
        f"{''.join(parts)}</section>\n"
    )


def combined_page(results: Mapping[str, Path]) -> str:
    """Return the page that tests the systems of several results against each other."""
    saved = {name: read_result(path) for name, path in results.items()}
    try:
        chapter = combined_chapter(saved)
    except UsageError as error:
        roles = {each.origin.path: ("The result", name) for name, each in saved.items()}
        raise UsageError(in_words(error, roles)) from error
    return page(ReportPage(chapter.title, (chapter,)))


_HEADER = "<header>\n<h1>Common Ground</h1>\n</header>\n"
_NOTHING = "<p>There are no saved results in this folder yet.</p>\n"
_COLUMNS = ("System", "Metric", "Score", "Interval", "Gold standard", "Date", "Result")
"""The newest result is the first row: the list is the history of what was submitted."""


def _list(folder: Folder, results: Sequence[Listed]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in _COLUMNS)
    body = "".join(
        _row(result, row, first=place == 0)
        for result in results
        for place, row in enumerate(rows(folder.path, result))
    )
    return (
        '<form method="get" action="test" class="ticks">\n<div class="scroll">\n'
        '<table class="listed"><thead><tr><th scope="col"><span class="unseen">Tick</span></th>'
        f"{head}</tr></thead>\n<tbody>\n{body}</tbody></table>\n</div>\n"
        "<p><button>Test together</button> "
        '<span class="note">Tick two or more results of the same gold standard.</span></p>\n'
        "</form>\n"
    )


def _row(result: Listed, row: ListedResult, *, first: bool) -> str:
    name = escaped(result.name)
    label = escaped(f"{row.system} ({result.name})")
    tick = f'<input type="checkbox" name="result" value="{name}" aria-label="{label}">'
    link = f'<a href="result/{escaped(quote(result.name))}" title="{escaped(result.command)}">'
    decide = (
        f' <a href="review/{escaped(quote(result.name))}">decide</a>' if result.reviewed else ""
    )
    cells = (
        f"<td>{tick if first and row.metric else ''}</td>"
        f'<th scope="row">{escaped(row.system)}</th><td>{escaped(row.metric)}</td>'
        f'<td class="number">{escaped(row.score)}</td>'
        f'<td class="number">{escaped(row.interval)}</td><td>{escaped(row.gold)}</td>'
        f"<td>{escaped(result.written) if first else ''}</td>"
        f"<td>{f'{link}{escaped(PurePath(result.name).name)}</a>{decide}' if first else ''}</td>"
    )
    return f"<tr>{cells}</tr>\n"


def _evaluate(limit: int) -> str:
    presets = "".join(f"<option>{escaped(name)}</option>" for name in PRESETS)
    ways = "".join(f'<option value="{name}">{text}</option>' for name, text in WAYS.items())
    fields = (
        f"{_drop('gold', 'Gold standard', 'Choose a file, or drop it here')}"
        f"{_drop('parse', 'Parses', 'Choose one or more, or drop them here', several=True)}"
    )
    choices = (
        '<p><label>Score like <select name="preset"><option value="">Common Ground</option>'
        f"{presets}</select></label> "
        '<label>If sentences or words differ <select name="on-mismatch">'
        f'<option value="">stop with an error</option>{ways}</select></label> '
        "<button>Evaluate</button></p>\n"
    )
    return _form("evaluate", "Evaluate files", fields, choices, limit)


def _compare(limit: int) -> str:
    fields = "".join(
        _drop(f"{name}{n}", f"{title} of system {n}", what, needed=n < 3)
        for n in MOST_SYSTEMS
        for what in ["Choose a file, or drop it here" if n < 3 else "Only for a third system"]
        for name, title in (("gold", "Gold standard"), ("parse", "Parse"))
    )
    choices = (
        '<p><input type="hidden" name="schemes" value="yes"><button>Compare</button> '
        '<span class="note">Every system has a gold standard of its own, in whatever scheme or '
        "framework; systems are called by the files of their parses.</span></p>\n"
    )
    return _form("compare", "Compare across schemes", fields, choices, limit)


def _form(anchor: str, title: str, fields: str, choices: str, limit: int) -> str:
    return (
        f'<section aria-labelledby="{anchor}">\n<h2 id="{anchor}">{title}</h2>\n'
        '<form method="post" action="evaluate" enctype="multipart/form-data" '
        f'data-limit="{limit}">\n<div class="drops {anchor}">\n{fields}</div>\n{choices}'
        '<p class="notice" role="alert" hidden></p>\n'
        f'<p class="note">At most {limit / 1e6:,.0f} MB. The files stay on this computer, in the '
        "folder uploads beside the results.</p>\n</form>\n</section>\n"
    )


def _drop(name: str, title: str, text: str, *, several: bool = False, needed: bool = True) -> str:
    marks = " multiple" * several + " required" * needed
    return (
        f'<label class="drop">{title} <span class="chosen">{text}</span>'
        f'<input type="file" name="{name}"{marks}></label>\n'
    )


def error_page(title: str, message: str, back: str) -> str:
    """Return a page that says what went wrong, with a link back to the list at an address."""
    body = (
        f'{_HEADER}<main id="main">\n<h2>{escaped(title)}</h2>\n'
        f'<p class="notice" role="alert">{escaped(message)}</p>\n'
        f'<p><a href="{escaped(back)}">Back to the results</a></p>\n</main>\n'
    )
    return _document(title, body)


def _document(title: str, body: str) -> str:
    script = resource("theme.js") + resource("upload.js") + resource("ticks.js")
    return document(title, body, style(), script, form="'self'")
