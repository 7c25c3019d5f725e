"""Chromium, driven by Playwright: the browser in which pages are tested."""

from __future__ import annotations

import shutil

import pytest

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-software-rasterizer", "--disable-extensions"),
    *("--disable-background-networking", "--renderer-process-limit=1"),
]


@pytest.fixture(scope="module")
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()
