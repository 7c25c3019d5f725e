"""The pages in a real browser: Chromium, driven by Playwright.

Screenshots go to the folder that COMMONGROUND_SCREENSHOTS names, build/screenshots without it.
"""

from __future__ import annotations

import os
import subprocess
import threading
from itertools import pairwise
from pathlib import Path

import pytest
from chromium import CHROMIUM
from command import COMMAND
from hostile import HOSTILE, hostile_treebank

from commonground.cli import main
from commonground.formats.storage.files import write_bytes
from commonground.report.page.make import report_html
from commonground.report.page.pair_chart import pair_chart
from commonground.report.plots.measure import Measure
from commonground.report.plots.pairs import Difference

ROOT = Path(__file__).parents[2]
SCREENSHOTS = Path(os.environ.get("COMMONGROUND_SCREENSHOTS", ROOT / "build/screenshots"))
EXAMPLE = ROOT / "src/commonground/example"

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium was found to test pages in")


@pytest.fixture
def opened(chromium):
    """Opens addresses in new windows; in the end nothing in them has failed or been asked for."""
    contexts, problems = [], []

    def window(address, status=200, **options):
        context = chromium.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on(
            "console",
            lambda said: (
                None
                if said.type != "error" or f"status of {status} " in said.text
                else problems.append(said.text)
            ),
        )
        page.on("dialog", lambda dialog: (problems.append("dialog"), dialog.dismiss()))
        own = address.partition("#")[0]
        page.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith((own, "data:"))
                else problems.append(f"request: {asked.url}")
            ),
        )
        page.goto(address)
        return page

    yield window
    for context in contexts:
        context.close()
    assert problems == []


def shot(page, name):
    """Keep a screenshot."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The address of the report of an evaluation and a comparison."""
    folder = tmp_path_factory.mktemp("browser")
    json = ("--output-format", "json", "-o")
    parses = ("mine=example:ud-parse", "best=example:ud")
    pairs = ("ud=example:ud:example:ud-parse", "ptb=example:ptb:example:ptb-parse")
    assert main(["evaluate", "example:ud", *parses, *json, str(folder / "e.json")]) == 0
    assert main(["compare", *pairs, *json, str(folder / "c.json")]) == 0
    html = report_html([folder / "e.json", folder / "c.json"], title="Report of the example")
    write_bytes(folder / "report.html", [html.encode()])
    return (folder / "report.html").as_uri()


def table(page, title):
    return page.get_by_role("table", name=title, exact=True)


def column(found, place):
    """The texts of a column, of the rows that are shown."""
    cells = found.locator(f"tbody tr:visible > :nth-child({place})").all_inner_texts()
    return [text.split("\n")[0].strip() for text in cells]


def test_a_click_on_a_header_sorts(report, opened):
    result = table(opened(report), "LAS by label, F1")
    head = result.get_by_role("columnheader", name="gold")
    assert head.get_attribute("aria-sort") == "none"
    for order in ("descending", "ascending"):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == order
        numbers = [int(text.replace(",", "")) for text in column(result, 2)]
        assert numbers == sorted(numbers, reverse=order == "descending")
    result.get_by_role("button", name="label").press("Enter")
    assert (
        result.get_by_role("columnheader", name="label").get_attribute("aria-sort") == "ascending"
    )
    assert head.get_attribute("aria-sort") == "none"
    names = column(result, 1)
    assert names == sorted(names)


def test_a_leaderboard_is_ranked_and_can_be_sorted(tmp_path, opened):
    results = tmp_path / "results"
    results.mkdir()
    bad = results / "bad.conllu"
    bad.write_text("<img src=x onerror=alert(1)>\n")
    parses = (f"<b>bad={bad}", "mine=example:ud-parse", "best=example:ud")
    options = ("--on-error", "skip", "--output-format", "json", "-o", str(results / "r.json"))
    assert main(["evaluate", "example:ud", *parses, *options]) == 0
    write_bytes(tmp_path / "board.html", [report_html([results]).encode()])
    page = opened((tmp_path / "board.html").as_uri())
    board = table(page, "All systems (shares in per cent)")
    assert [column(board, place) for place in (1, 3)] == [["1", "2"], ["best", "mine"]]
    board.get_by_role("button", name="LAS").click()
    board.get_by_role("button", name="LAS").click()
    assert column(board, 3) == ["mine", "best"]
    assert column(table(page, "What happened to submissions"), 1) == ["<b>bad"]
    shot(page, "leaderboard")


def test_numbers_are_sorted_as_numbers_and_ranges_by_their_beginnings(report, opened):
    result = table(opened(report), "LAS by distance to the head, F1")
    result.get_by_role("button", name="distance to the head").click()
    assert column(result, 1) == ["1", "2", "3–6", "7–14", "root"]


def test_rows_are_filtered_by_words_and_by_numbers(report, opened):
    page = opened(report)
    result = table(page, "LAS by label, F1")
    box = page.get_by_role("searchbox", name="Filter: LAS by label, F1")
    box.fill("nsubj")
    assert column(result, 1)
    assert all("nsubj" in name for name in column(result, 1))
    box.fill("gold>50")
    assert all(int(number.replace(",", "")) > 50 for number in column(result, 2))
    box.fill("no such label")
    assert column(result, 1) == []
    shot(page, "filtered")


def test_a_long_table_is_shown_in_full_on_demand(report, opened):
    page = opened(report)
    result = table(page, "LAS by label, F1")
    assert len(column(result, 1)) == 12
    page.locator("figure", has=result).get_by_role("button", name="Show all").click()
    assert len(column(result, 1)) > 12


def test_an_example_opens_with_its_drawing(report, opened):
    page = opened(report)
    example = page.locator(".examples details").first
    assert example.locator("svg").count() == 0
    example.locator("summary").click()
    drawing = example.locator("svg.cg-drawing").first
    drawing.wait_for()
    assert drawing.locator("text").count() > 5
    shot(page, "example")


def test_a_cell_of_a_confusion_table_opens_its_examples(report, opened):
    page = opened(report)
    cell = page.locator("table.heat td.h6 button").first
    cell.click()
    title = cell.get_attribute("title")
    dialog = page.get_by_role("dialog")
    assert dialog.get_by_role("heading").inner_text() == title
    dialog.locator("svg.cg-drawing").first.wait_for()
    assert dialog.locator("summary mark").count() >= 1
    shot(page, "confusion")
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert cell.evaluate("cell => cell === document.activeElement")


def test_the_search_finds_sentences_by_words_and_by_ids(report, opened):
    page = opened(report)
    page.locator("body").press("/")
    box = page.locator(".browser input").first
    assert box.evaluate("box => box === document.activeElement")
    rows = page.locator(".browser").first.locator("tbody tr")
    box.fill("stranger coast")
    assert rows.count() == 1
    assert "A stranger arrived one morning" in rows.first.inner_text()
    box.fill("cg-1")
    assert rows.count() == 10
    rows.first.get_by_role("button").click()
    dialog = page.get_by_role("dialog")
    assert dialog.get_by_role("heading").inner_text() == "Sentence cg-10"
    dialog.locator("summary").wait_for()
    shot(page, "sentence")


def test_all_sentences_are_sorted_by_mistakes(report, opened):
    browser = opened(report).locator(".browser").first
    browser.get_by_role("button", name="mine: wrong").click()
    numbers = [int(text) for text in browser.locator("tbody td:nth-child(3)").all_inner_texts()]
    assert len(numbers) == 25
    assert numbers == sorted(numbers, reverse=True)
    browser.get_by_role("button", name="Show more").click()
    assert browser.locator("tbody tr").count() == 50


def paper(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_light_or_dark_as_the_system_until_the_reader_chooses(report, opened, scheme):
    page = opened(report, color_scheme=scheme)
    button = page.get_by_role("button", name="Dark", exact=True)
    assert button.get_attribute("aria-pressed") == str(scheme == "dark").lower()
    before = paper(page)
    shot(page, scheme)
    button.click()
    assert paper(page) != before
    for _ in range(5):  # another process may have to hear of the choice first
        page.reload()
        if paper(page) != before:
            break
    assert paper(page) != before


def test_drawings_follow_the_choice_of_light_or_dark(report, opened):
    page = opened(report)
    page.locator(".examples summary").first.click()
    word = page.locator(".examples svg .form text").first
    word.wait_for()
    before = word.evaluate("word => getComputedStyle(word).fill")
    page.get_by_role("button", name="Dark", exact=True).click()
    assert word.evaluate("word => getComputedStyle(word).fill") != before


def test_no_text_of_a_chart_reaches_beyond_it(opened, tmp_path):
    row = Difference("mine", "other — Ω", 0.6159, (0.5807, 0.6519), 0.0001, different=True)
    (tmp_path / "chart.svg").write_text(pair_chart([row], Measure("LAS", share=True)), "utf-8")
    page = opened((tmp_path / "chart.svg").as_uri())
    beyond = page.evaluate(
        """() => [...document.querySelectorAll("text")].filter(text => {
          const box = text.getBBox(), chart = document.documentElement.viewBox.baseVal;
          return box.x < 0 || box.x + box.width > chart.width;
        }).map(text => text.textContent)"""
    )
    assert beyond == []


def test_a_narrow_page_does_not_scroll_sideways(report, opened):
    page = opened(report, viewport={"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    shot(page, "narrow")


def test_the_page_is_made_for_screen_readers(report, opened):
    page = opened(report)
    for role in ("banner", "navigation", "main", "contentinfo"):
        assert page.get_by_role(role).count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the results"
    unnamed = page.locator("table:not([aria-labelledby]):not([aria-label])")
    assert unnamed.count() == 0
    assert page.locator("th:not([scope])").count() == 0
    assert page.locator("input:not([aria-label])").count() == 0
    levels = page.locator("h1, h2, h3, h4").evaluate_all(
        "all => all.map((h) => Number(h.tagName[1]))"
    )
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_the_page_is_printed_light_with_all_rows_and_without_what_cannot_be_pressed(report, opened):
    page = opened(report, color_scheme="dark")
    page.emulate_media(media="print")
    assert paper(page) == "rgb(255, 255, 255)"
    assert len(column(table(page, "LAS by label, F1"), 1)) > 12
    for hidden in ("nav", ".search", "#theme", ".browser"):
        assert page.locator(hidden).first.is_hidden()
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_the_command_can_be_copied(report, opened):
    page = opened(report, permissions=["clipboard-read", "clipboard-write"])
    page.locator(".origin .copy").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("commonground evaluate ")


def test_nothing_of_a_hostile_treebank_acts_and_all_of_it_is_seen(tmp_path, opened):
    gold, parse = hostile_treebank(tmp_path)
    result = tmp_path / "r.json"
    name = "<script>window.hacked++</script>"
    assert (
        main(
            ["evaluate", str(gold), f"{name}={parse}", "--output-format", "json", "-o", str(result)]
        )
        == 0
    )
    html = report_html([result], title="<script>window.hacked=10</script>")
    write_bytes(tmp_path / "hostile.html", [html.encode()])
    page = opened((tmp_path / "hostile.html").as_uri())
    page.locator(".examples summary").first.click()
    page.locator(".examples svg.cg-drawing").first.wait_for()
    page.locator("table.heat td button").first.click()
    page.get_by_role("dialog").locator("svg.cg-drawing").first.wait_for()
    shot(page, "hostile")
    page.keyboard.press("Escape")
    page.locator(".browser input").fill("hacked")
    page.locator(".browser tbody button").first.click()
    assert page.evaluate("window.hacked") is None
    assert page.locator("iframe, script[src], img:not([src^='data:'])").count() == 0
    text = page.locator("body").inner_text()
    for word in HOSTILE:
        assert word.encode("unicode_escape").decode() in text or word in text
    assert "\u202e" not in text
    assert "\x1b" not in text


def test_a_sentence_without_a_drawing_shows_a_command_that_is_safe_to_copy(tmp_path, opened):
    words = 401
    rows = [f"{n}\tw\t_\t_\t_\t_\t{n - 1}\tdep\t_\t_" for n in range(1, words + 1)]
    text = "\n".join(["# sent_id = $(touch hacked)'", *rows, "", ""])
    gold, parse, result = (tmp_path / name for name in ("gold.conllu", "parse.conllu", "r.json"))
    gold.write_text(text)
    parse.write_text(text.replace("\t7\tdep", "\t6\tdep"))
    json = ("--output-format", "json", "-o", str(result))
    assert main(["evaluate", str(gold), str(parse), *json]) == 0
    write_bytes(tmp_path / "r.html", [report_html([result]).encode()])
    page = opened((tmp_path / "r.html").as_uri())
    page.locator(".examples summary").click()
    shown = page.locator(".examples code").inner_text()
    assert (
        shown == f"""commonground view {parse} --against {gold} --sentence '$(touch hacked)'"'"''"""
    )


# ── the local page ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def served(tmp_path):
    """The address of a local page of an empty folder."""
    process = subprocess.Popen(
        [*COMMAND, "serve", tmp_path, "--max-upload", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    watchdog = threading.Timer(120, process.kill)
    watchdog.start()
    yield process.stdout.readline().strip()
    watchdog.cancel()
    process.terminate()
    process.communicate()


def test_files_that_are_dropped_on_the_local_page_give_a_report(served, opened):
    page = opened(served)
    assert "There are no saved results" in page.locator("main").inner_text()
    page.get_by_label("Gold standard").first.set_input_files(EXAMPLE / "ud.conllu")
    page.get_by_label("Parses").set_input_files(EXAMPLE / "ud-parse.conllu")
    assert page.locator(".chosen").all_inner_texts()[:2] == ["ud.conllu", "ud-parse.conllu"]
    shot(page, "upload")
    page.get_by_role("button", name="Evaluate").click()
    page.wait_for_url("**/result/**")
    assert page.get_by_role("heading", level=1).inner_text().startswith("Evaluation of ud-parse")
    page.locator(".examples summary").first.click()
    page.locator("svg.cg-drawing").first.wait_for()
    shot(page, "uploaded")
    page.goto(served)
    page.get_by_role("link", name="ud-parse.json").click()
    assert page.get_by_role("heading", name="Summary").is_visible()


def test_the_local_page_tells_what_is_wrong_with_files(served, opened, tmp_path):
    bad = tmp_path / "bad.conllu"
    bad.write_text("1\tA\n")
    page = opened(served, status=422)
    with page.expect_navigation():
        page.get_by_label("Gold standard").first.set_input_files(bad)
        page.get_by_label("Parses").set_input_files(bad)
        page.get_by_role("button", name="Evaluate").click()
    assert (
        "The gold standard bad.conllu, line 1: 2 columns; 10 are expected"
        in page.get_by_role("alert").inner_text()
    )
    page.get_by_role("link", name="Back to the results").click()
    large = tmp_path / "large.conllu"
    large.write_bytes(b"#" * 1_100_000)
    page.get_by_label("Gold standard").first.set_input_files(large)
    page.get_by_label("Parses").set_input_files(bad)
    page.get_by_role("button", name="Evaluate").click()
    assert "at most 1 MB can be sent" in page.get_by_role("alert").inner_text()


def test_two_results_that_are_ticked_are_tested_together(served, opened):
    page = opened(served)
    for parse in ("ud-parse.conllu", "ud.conllu"):
        evaluated = page.get_by_role("region", name="Evaluate files")
        evaluated.get_by_label("Gold standard").set_input_files(EXAMPLE / "ud.conllu")
        evaluated.get_by_label("Parses").set_input_files(EXAMPLE / parse)
        evaluated.get_by_role("button", name="Evaluate", exact=True).click()
        page.wait_for_url("**/result/**")
        page.goto(served)
    button = page.get_by_role("button", name="Test together")
    assert button.is_disabled()
    page.get_by_label("ud-parse (").check()
    assert button.is_disabled()
    page.get_by_label("ud (").check()
    shot(page, "ticked")
    button.click()
    page.wait_for_url("**/test?**")
    assert page.get_by_role("heading", level=1).inner_text() == "ud and ud-parse tested together"
    shot(page, "tested")


def test_systems_of_two_schemes_are_compared_on_the_local_page(served, opened):
    page = opened(served)
    form = page.get_by_role("region", name="Compare across schemes")
    for number, (gold, parse) in enumerate(
        [("ud.conllu", "ud-parse.conllu"), ("ptb.mrg", "ptb-parse.mrg")], 1
    ):
        form.get_by_label(f"Gold standard of system {number}").set_input_files(EXAMPLE / gold)
        form.get_by_label(f"Parse of system {number}").set_input_files(EXAMPLE / parse)
    form.get_by_role("button", name="Compare").click()
    page.wait_for_url("**/result/**")
    page.goto(served)
    assert page.get_by_role("link", name="ud-parse-ptb-parse.json").is_visible()
    assert "ptb-parse" in page.locator(".listed").inner_text()
    shot(page, "listed")
