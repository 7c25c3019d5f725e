"""Makes the pictures of pages that the documentation shows: ``python docs/screenshots.py``.

It needs Chromium and Playwright. Everything is made anew: the demonstration is run, and its pages
are opened in a browser of a fixed size.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from commonground.cli import main

PICTURES = Path(__file__).parent / "pictures"
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


def photographed(browser: Browser, page: Path, name: str, height: int, anchor: str = "") -> None:
    """Save what a window of that height shows of a page, from an anchor on."""
    window = browser.new_page(viewport={"width": 1100, "height": height})
    window.goto(f"{page.as_uri()}{anchor}")
    window.screenshot(path=PICTURES / f"{name}.png")
    window.close()


def photograph() -> None:
    """Run the demonstration, and take pictures of its pages."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        study = Path(folder) / "study"
        main(["experiment", "run", "demo", "--into", str(study), "--quiet", "-o", f"{folder}/log"])
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        photographed(browser, study / "report.html", "report", 820)
        browser.close()


if __name__ == "__main__":
    photograph()
