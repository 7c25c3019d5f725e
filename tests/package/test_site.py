"""The documentation as a site: built strictly, whole without a network, searchable in a browser."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from chromium import CHROMIUM

import commonground

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The folder of the built site; strictly, so that a broken link is a failure."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "-d", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_verb_and_every_public_name_has_its_place_in_the_reference(page):
    from commonground.cli import VERBS

    commands = (page / "reference/commands.html").read_text(encoding="utf-8")
    assert [verb for verb in VERBS if f'<h2 id="{verb}"' not in commands] == []
    python = (page / "reference/python.html").read_text(encoding="utf-8")
    names = [name for name in dir(commonground) if name != "__version__"]
    assert [name for name in names if not re.search(rf'<h3 id="[\w.]+\.{name}"', python)] == []
    assert "&gt;&gt;&gt; " in python or "gp" in python  # examples are code
    assert ":func:" not in python


def test_no_page_asks_for_anything_from_elsewhere(page):
    for path in page.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|iframe)[^>]*\ssrc=\"(https?:[^\"]+)", text)
        loaded += re.findall(r"<link[^>]*rel=\"stylesheet\"[^>]*href=\"(https?:[^\"]+)", text)
        assert loaded == [], path


@pytest.mark.skipif(not CHROMIUM, reason="no Chromium was found to test pages in")
def test_the_verdict_is_read_whole_on_a_telephone(page, chromium):
    window = chromium.new_page(viewport={"width": 360, "height": 740})
    window.goto((page / "index.html").as_uri())
    verdict = window.locator("pre .sentence", has_text="scores 61.6 LAS higher").first
    box = verdict.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert window.evaluate("document.documentElement.scrollWidth") <= 360
    window.close()


@pytest.mark.skipif(not CHROMIUM, reason="no Chromium was found to test pages in")
def test_the_search_finds_a_page_without_a_server_or_a_network(page, chromium):
    window = chromium.new_page()
    asked = []
    window.on("request", lambda request: asked.append(request.url))
    window.goto((page / "index.html").as_uri())
    query = window.locator('[data-md-component="search-query"]').first
    result = window.locator(".md-search-result__link").first
    query.focus()
    # What is typed before the index is there is not looked up, so it is typed like people do: again.
    until = time.monotonic() + 120
    while not result.is_visible() and time.monotonic() < until:
        query.fill("")
        query.press_sequentially("neutral edge direction")
        window.wait_for_timeout(1000)
    result.click()
    window.wait_for_load_state()
    assert "NED" in window.locator("article").inner_text()
    assert [address for address in asked if not address.startswith(("file:", "about:"))] == []
    window.close()
