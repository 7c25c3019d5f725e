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


IN_A_BROWSER = pytest.mark.skipif(not CHROMIUM, reason="no Chromium was found to test pages in")

# What people look for, and the page that should be among the first three.
SEARCHES = {
    "neutral edge direction": "reading-scores.html",
    "significance": "statistics.html",
    "p-value": "statistics.html",
    "inter-annotator": "agreement.html",
    "error analysis": "report.html",
    "convert": "formats.html",
    "leaderboard": "shared-task.html",
    "tokenization": "raw-text.html",
}

# Rules that the theme itself does not follow, each with the reason why it is left.
THEME_RULES = {
    "landmark-unique": {"enabled": False},  # each button that copies code is a landmark of its own
}


def _pages(site: Path) -> list[Path]:
    return sorted(path for path in site.rglob("*.html") if path.name != "404.html")


@pytest.mark.long
@IN_A_BROWSER
def test_no_code_is_cut_off_at_any_width(page, chromium):
    """Sentences are wrapped everywhere; tables fit, but on a telephone, where the keyboard scrolls them, too."""
    window = chromium.new_page()
    cut = []
    for path in _pages(page):
        window.goto(path.as_uri(), wait_until="domcontentloaded")
        for width in (360, 768, 1280):
            window.set_viewport_size({"width": width, "height": 800})
            blocks = window.evaluate(BLOCKS, width > 360)
            if blocks:  # a busy machine may not have laid the page out yet
                window.wait_for_timeout(1000)
                blocks = window.evaluate(BLOCKS, width > 360)
            cut += [(path.relative_to(page).as_posix(), width, text) for text in blocks]
    window.close()
    assert cut == [], "\n".join(map(str, cut))


# The beginnings of the blocks that are cut off, and the page itself if it is wider than the window.
BLOCKS = """async tables => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const cut = [...document.querySelectorAll('article pre > code')].filter(code =>
    (code.scrollWidth > code.clientWidth + 1 && (tables || code.tabIndex !== 0))
    || [...code.querySelectorAll('.sentence')].some(line => line.getBoundingClientRect().width > code.clientWidth));
  const page = document.documentElement;
  return cut.map(code => code.innerText.slice(0, 60)).concat(page.scrollWidth > innerWidth ? ['the page'] : []);
}"""


@pytest.mark.long
@IN_A_BROWSER
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_can_be_read_by_everybody(page, chromium, scheme):
    """Contrast, landmarks, names of buttons and pictures: what axe finds wrong is a failure."""
    from axe_playwright_python.sync_playwright import Axe

    window = chromium.new_page(color_scheme=scheme)
    for name in ("index", "evaluate", "gallery", "start/parser"):
        window.goto((page / f"{name}.html").as_uri())
        found = Axe().run(window, options={"rules": THEME_RULES})
        assert found.violations_count == 0, (name, found.generate_report())
    window.close()


@pytest.mark.long
@IN_A_BROWSER
def test_the_search_finds_the_words_that_people_use(page, chromium):
    window = chromium.new_page()
    asked = []
    window.on("request", lambda request: asked.append(request.url))
    window.goto((page / "index.html").as_uri())
    for words, target in SEARCHES.items():
        assert target in _addresses(window, words), words
    assert [address for address in asked if not address.startswith(("file:", "about:"))] == []
    window.close()


def _addresses(window, words: str) -> list[str]:
    """The pages that the search lists first, in order."""
    query = window.locator('[data-md-component="search-query"]').first
    links = window.locator(".md-search-result__link")
    until = time.monotonic() + 120
    found: list[str] = []
    # What is typed before the index is there is not looked up, so it is typed like people do: again.
    while not found and time.monotonic() < until:
        query.focus()
        query.fill("")
        window.wait_for_timeout(300)
        query.press_sequentially(words)
        window.wait_for_timeout(900)
        found = [link.get_attribute("href") for link in links.all()]
    pages = [re.sub(r".*/([\w-]+\.html).*", r"\1", address) for address in found]
    return list(dict.fromkeys(pages))[:3]
