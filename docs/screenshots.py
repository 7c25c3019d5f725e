"""Makes the pictures of pages that the documentation shows: ``python docs/screenshots.py``.

It needs Chromium, Playwright, MkDocs and uvicorn. Everything is made anew: the demonstration is
run, a small task is held, and the pages are opened in browsers of fixed sizes. A contact sheet for
each page shows it on a phone, a tablet and a screen, in light and in dark mode; ``--into FOLDER``
also keeps the single pictures, to look at.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

from commonground.cli import main

ROOT = Path(__file__).parents[1]
PICTURES = Path(__file__).parent / "img"
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
WIDTHS = (360, 768, 1280)
MODES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
HEIGHT = 800


# ── pages ────────────────────────────────────────────────────────────────────────────────────────


def verdict(folder: Path) -> Path:
    """Return the page of the result that the first page of the documentation shows."""
    systems = ("mine=example:ud-parse", "other=example:sud")
    result, page = folder / "verdict.json", folder / "verdict.html"
    _run("evaluate", "example:ud", *systems, "-o", result)
    _run("report", result, "-o", page, "--quiet")
    return page


def demonstration(folder: Path) -> Path:
    """Run the demonstration; return its page."""
    study = folder / "study"
    _run("experiment", "run", "demo", "--into", study, "--quiet", "-o", folder / "log.txt")
    return study / "report.html"


def leaderboard(folder: Path) -> Path:
    """Return the page of a small shared task, with a submission that cannot be read."""
    results = folder / "results"
    results.mkdir()
    (folder / "fourth.conllu").write_text("our parser crashed\n", encoding="utf-8")
    boards = {
        "june": ["first=example:ud-parse", "second=example:ud"],
        "july": ["third=example:ud-parse", "fourth=fourth.conllu"],
    }
    with chdir(folder):  # so that the page names files as participants do
        for name, systems in boards.items():
            line = ["--on-error", "skip", "-o", f"results/{name}.json"]
            _run("evaluate", "example:ud", *systems, *line)
        _run("report", "results", "-o", "board.html", "--title", "Shared task")
    return folder / "board.html"


def task_board(folder: Path) -> Path:
    """Hold a small task; return the folder of its board."""
    with chdir(folder):
        _run("task", "new", "mytask", "--title", "Parsing of examples", "-q")
        for team, lines in (("Gull Island", 0), ("Lighthouse", 40)):
            Path(team).mkdir()
            text = Path("mytask/gold/example.conllu").read_text(encoding="utf-8")
            sentences = text.split("\n\n")[lines // 10 :]
            (Path(team) / "example.conllu").write_text("\n\n".join(sentences), encoding="utf-8")
            _run("task", "score", team, "--team", team, "--task", "mytask", "-o", "log.txt")
        _run("task", "board", "--task", "mytask", "-o", "board", "-q")
    return folder / "board"


def review(folder: Path) -> Path:
    """Return the page to review probable errors of a treebank."""
    page = folder / "review.html"
    _run("errors", "example:ud", "--top", "20", "--page", page, "-o", folder / "log.txt", "-q")
    return page


def site(folder: Path) -> Path:
    """Build the documentation; return its folder."""
    subprocess.run(  # noqa: S603  # our own command
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "-d", str(folder / "site")],
        cwd=ROOT,
        check=True,
    )
    return folder / "site"


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the results in a folder for a while; give the address."""
    command = [sys.executable, "-m", "commonground", "serve", str(folder), "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603  # our own
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def _run(*arguments: str | Path) -> None:
    code = main([str(argument) for argument in arguments])
    if code:
        raise SystemExit(code)


# ── pictures ─────────────────────────────────────────────────────────────────────────────────────


def photographed(browser: Browser, page: Path, name: str, height: int) -> None:
    """Save what a window of that height shows of a page."""
    window = browser.new_page(viewport={"width": 1100, "height": height})
    window.goto(page.as_uri())
    window.screenshot(path=PICTURES / f"{name}.png")
    window.close()


def contact_sheet(browser: Browser, address: str, name: str, singles: Path) -> None:
    """Save a page at all widths and in both modes, one picture each and all of them on a sheet."""
    for mode in MODES:
        for width in WIDTHS:
            window = browser.new_page(
                viewport={"width": width, "height": HEIGHT}, color_scheme=mode
            )
            window.goto(address)
            window.wait_for_timeout(300)
            window.screenshot(path=singles / f"{name}-{width}-{mode}.png")
            window.close()
    images = "".join(
        f'<img src="{(singles / f"{name}-{width}-{mode}.png").as_uri()}">'
        for mode in MODES
        for width in WIDTHS
    )
    sheet = singles / f"{name}.html"
    sheet.write_text(
        "<style>body{margin:0;background:#888;display:flex;flex-wrap:wrap;gap:6px;padding:6px;"
        "width:938px}img{height:302px}</style>" + images
    )
    window = browser.new_page(viewport={"width": 950, "height": 622})
    window.goto(sheet.as_uri())
    window.screenshot(path=PICTURES / f"sheet-{name}.jpg", type="jpeg", quality=70)
    window.close()


def photograph(singles: Path | None, only: list[str]) -> None:
    """Make all pages, and take pictures of them."""
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = Path(scratch)
        kept = singles or folder / "singles"
        kept.mkdir(exist_ok=True)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        report, board = verdict(folder), leaderboard(folder)
        if not only:
            photographed(browser, report, "verdict", 840)
            photographed(browser, demonstration(folder), "report", 820)
            photographed(browser, board, "leaderboard", 900)
        documentation, pages = site(folder), task_board(folder)
        sheets = {
            "landing": documentation / "index.html",
            "tutorial": documentation / "start/parser.html",
            "report": report,
            "board": pages / "index.html",
            "team": pages / "team-lighthouse.html",
            "review": review(folder),
        }
        with served(folder / "results") as address:
            places = {name: page.as_uri() for name, page in sheets.items()} | {"serve": address}
            for name, place in places.items():
                if not only or name in only:
                    contact_sheet(browser, place, name, kept)
        browser.close()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description="Make the pictures of the documentation.")
    options.add_argument("--into", type=Path, help="keep the single pictures here")
    options.add_argument("only", nargs="*", help="only the sheets of these pages")
    chosen = options.parse_args()
    photograph(chosen.into, chosen.only)
