"""The review of probable errors in a real browser: by keyboard, a thousand of them, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from chromium import CHROMIUM
from playwright.sync_api import expect
from test_report_browser import EXAMPLE, opened, served, shot  # noqa: F401  # fixtures

import commonground as cg
from commonground.cli import main
from commonground.corpus import Dependencies
from commonground.formats.patch import apply_patch, parse_patch
from commonground.formats.storage.files import write_bytes
from commonground.proofreading.reasons import Reason
from commonground.proofreading.suspects import AnnotationErrors, Suspect
from commonground.report.page.errors import errors_review

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="no Chromium was found to test pages in"),
    pytest.mark.long,
]

COUNT = 1000


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a thousand suspects, in sentences that try to act."""
    forms = ["<img src=x onerror=alert(1)>", "sing"]
    treebank = Dependencies.of([(forms, [2, 0], ["obj", "root"])] * COUNT)
    because = (Reason("parsers", "3 of 3 parsers have </script>nsubj"),)
    suspects = tuple(
        Suspect(f"#{n}", 0, 1, forms[0], 0.5, 2, "obj", 2 if n % 7 else -1, "nsubj" if n % 7 else "",
                0.5, because, " ".join(forms))
        for n in range(1, COUNT + 1)
    )  # fmt: skip
    errors = AnnotationErrors("signature", COUNT, 2 * COUNT, suspects)
    path = tmp_path_factory.mktemp("review") / "review.html"
    write_bytes(path, [errors_review(errors, treebank, "birds.conllu").page().encode()])
    return path.as_uri()


def test_a_thousand_words_are_decided_by_keyboard_and_nothing_is_lost_on_reload(
    address,
    opened,  # noqa: F811  # the fixture
    tmp_path: Path,
) -> None:
    page = opened(address)
    count = page.locator("#review-count")
    expect(count).to_contain_text("1 of 1000; accepted 0")
    for key in "aras":
        page.locator("body").press(key)
    expect(count).to_have_text("5 of 1000; accepted 2, rejected 1, skipped 1")
    shot(page, "review")
    page.reload()
    expect(count).to_have_text("5 of 1000; accepted 2, rejected 1, skipped 1")
    page.locator("body").press("ArrowLeft")
    page.locator("body").press("u")
    expect(count).to_contain_text("skipped 0")
    for _ in range(3):  # up to the seventh, which has no proposal to accept
        page.locator("body").press("ArrowRight")
    page.locator("body").press("a")
    expect(count).to_contain_text("7 of 1000; accepted 2,")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download the patch").click()
    downloading.value.save_as(tmp_path / "p")
    patch = parse_patch((tmp_path / "p").read_text())
    assert [each.sentence for each in patch.sentences] == ["#1", "#3"]
    file = b"1\tx\t_\t_\t_\t_\t2\tobj\t_\t_\n2\ty\t_\t_\t_\t_\t0\troot\t_\t_\n\n" * 4
    assert apply_patch(file, patch)[0].count(b"nsubj") == 2


def test_decisions_of_one_browser_can_be_loaded_in_another(
    address,
    opened,  # noqa: F811  # the fixture
    tmp_path: Path,
) -> None:
    first = opened(address)
    for key in "ar":
        first.locator("body").press(key)
    expect(first.locator("#review-count")).to_contain_text("accepted 1, rejected 1")
    with first.expect_download() as downloading:
        first.get_by_role("button", name="Download all decisions").click()
    downloading.value.save_as(tmp_path / "decisions.tsv")
    second = opened(address)
    assert "accepted 0" in second.locator("#review-count").inner_text()
    second.locator("#review-load").set_input_files(tmp_path / "decisions.tsv")
    second.get_by_text("accepted 1, rejected 1, skipped 0").wait_for()


def test_both_analyses_are_drawn(opened, tmp_path: Path) -> None:  # noqa: F811  # the fixture
    errors = cg.annotation_errors("example:ud", top=3, folds=2)
    treebank = cg.read("example:ud")
    write_bytes(
        tmp_path / "r.html", [errors_review(errors, treebank, "example:ud").page().encode()]
    )
    page = opened((tmp_path / "r.html").as_uri(), color_scheme="dark")
    assert page.locator("#review-drawing svg").count() == 1
    shot(page, "review-dark")


def test_what_annotators_disagree_about_is_decided_where_serve_keeps_it(
    served,  # noqa: F811  # the fixture
    opened,  # noqa: F811  # the fixture
    tmp_path: Path,
) -> None:
    one, two = tmp_path / "one.conllu", tmp_path / "two.conllu"
    one.write_bytes((EXAMPLE / "ud.conllu").read_bytes())
    two.write_bytes((EXAMPLE / "ud-parse.conllu").read_bytes())
    arguments = (
        "agreement",
        f"ann={one}",
        f"ben={two}",
        "--metrics",
        "uas",
        "--no-alpha",
        "--quiet",
    )
    assert main([*arguments, "--output-format", "json", "-o", str(tmp_path / "a.json")]) == 0
    page = opened(served)
    page.get_by_role("link", name="decide").click()
    count, drawing = page.locator("#review-count"), page.locator("#review-drawing svg")
    expect(count).to_contain_text("1 of 936; ann 0, ben 0")
    expect(drawing).to_have_count(1)
    shot(page, "review-agreement")
    for key in "1221":
        page.locator("body").press(key)
    page.locator("body").press("o")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    page.reload()  # at once, while decisions may be on their way
    expect(count).to_have_text("6 of 936; ann 2, ben 2")
    page.locator("body").press("ArrowLeft")
    expect(page.locator("#review-title")).to_contain_text(": 9")
    page.evaluate("localStorage.clear(); window.name = ''")
    page.reload()  # nothing but the file of the server has them
    expect(count).to_have_text("6 of 936; ann 2, ben 2")
    sheet = (tmp_path / "a.decisions.tsv").read_text().splitlines()[1:7]
    assert [line.split("\t")[:2] for line in sheet] == [
        ["ann", ""], ["ben", ""], ["ben", ""], ["ann", ""], ["", "9"], ["", ""]
    ]  # fmt: skip
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download all decisions").click()
    downloading.value.save_as(tmp_path / "downloaded.tsv")
    assert (tmp_path / "downloaded.tsv").read_text().splitlines()[1:] == sheet[:5]
