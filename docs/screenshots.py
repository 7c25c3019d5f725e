"""Makes the pictures of pages that the documentation shows: ``python docs/screenshots.py``.

It needs Chromium and Playwright. Everything is made anew: the demonstration is run, and its pages
are opened in a browser of a fixed size.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import chdir
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from commonground.cli import main

PICTURES = Path(__file__).parent / "img"
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


def photographed(browser: Browser, page: Path, name: str, height: int) -> None:
    """Save what a window of that height shows of a page."""
    window = browser.new_page(viewport={"width": 1100, "height": height})
    window.goto(page.as_uri())
    window.screenshot(path=PICTURES / f"{name}.png")
    window.close()


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


def _run(*arguments: str | Path) -> None:
    code = main([str(argument) for argument in arguments])
    if code:
        raise SystemExit(code)


def photograph() -> None:
    """Make all pages, and take pictures of them."""
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        photographed(browser, verdict(Path(scratch)), "verdict", 840)
        photographed(browser, demonstration(Path(scratch)), "report", 820)
        photographed(browser, leaderboard(Path(scratch)), "leaderboard", 900)
        browser.close()


if __name__ == "__main__":
    photograph()
