"""The report: what it says, what it costs, and that nothing in it acts."""

from __future__ import annotations

import base64
import hashlib
import random
import re
import sys

import pytest
from hostile import HOSTILE, hostile_treebank
from pages import Seen, block, saved

import commonground as cg
from commonground.errors import UsageError
from commonground.evaluation.compare import compare
from commonground.metrics.breakdown import Bucket
from commonground.report.page.breakdowns import breakdown_tables
from commonground.report.page.make import report_html
from commonground.report.views.comparison import grids as comparison_grids

UD, PARSE = "example:ud", "example:ud-parse"
PTB = "ptb=example:ptb:example:ptb-parse"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="module")
def evaluation(folder):
    """A saved evaluation of two parses."""
    return saved(folder / "evaluation.json", "evaluate", UD, f"mine={PARSE}", f"best={UD}")


@pytest.fixture(scope="module")
def comparison(folder):
    """A saved comparison of two parsers."""
    return saved(folder / "comparison.json", "compare", f"ud={UD}:{PARSE}", PTB)


@pytest.fixture(scope="module")
def comparison_page(comparison):
    return report_html([comparison])


@pytest.fixture(scope="module")
def page_of_one(folder):
    """The page of a single parse."""
    return report_html([saved(folder / "one.json", "evaluate", UD, PARSE)])


@pytest.fixture(scope="module")
def page(evaluation):
    return report_html([evaluation])


# ── one page, which needs nothing else ───────────────────────────────────────────────────────────


def test_the_page_loads_nothing(page):
    seen = Seen(page)
    for tag in ("link", "iframe", "object", "embed", "base"):
        assert not seen.of(tag)
    assert all(image["src"].startswith("data:") for image in seen.of("img"))
    assert all("src" not in script for script in seen.of("script"))
    assert not re.search(r"""(?:href|src|action)=["']?(?:https?:)?//""", page)


def test_only_the_style_and_the_script_of_the_page_can_act(page):
    policy = next(
        a["content"] for a in Seen(page).of("meta") if "Policy" in a.get("http-equiv", "")
    )
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    patterns = (
        "<style>(.*?)</style>",
        "<script>(.*?)</script>",
        '<script type="module">(.*?)</script>',
    )
    for pattern in patterns:
        text = re.search(pattern, page, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert not any(name == "style" for _, attributes in Seen(page).elements for name in attributes)


def test_the_same_results_give_the_same_page(evaluation, page):
    assert report_html([evaluation]) == page


def test_2000_sentences_with_three_systems_stay_below_2_mb(tmp_path):
    draw = random.Random(8)
    words = [f"word{n}" for n in range(400)]
    labels = ["nsubj", "obj", "obl", "nmod", "amod", "det", "case", "advmod", "conj", "cc"]
    sentences = []
    for _ in range(2000):
        size = draw.randint(4, 26)
        heads = [0] + [draw.randint(1, n) for n in range(1, size)]
        forms, names = draw.choices(words, k=size), draw.choices(labels, k=size)
        sentences.append((forms, heads, names))

    def noisy(share):
        return [
            (
                forms,
                [
                    h if not n or draw.random() > share else draw.randint(1, n)
                    for n, h in enumerate(heads)
                ],
                [label if draw.random() > share else draw.choice(labels) for label in names],
            )
            for forms, heads, names in sentences
        ]

    files = {}
    for name, share in (("gold", 0), ("a", 0.05), ("b", 0.1), ("c", 0.2)):
        files[name] = tmp_path / f"{name}.conllu"
        cg.write(cg.Dependencies.of(noisy(share)), files[name])
    parses = [f"{name}={files[name]}" for name in "abc"]
    result = saved(tmp_path / "result.json", "evaluate", files["gold"], *parses)
    html = report_html([result])
    assert len(html.encode()) < 2_000_000
    assert len(block(html, "drawings")) > 300


# ── what it says ─────────────────────────────────────────────────────────────────────────────────


def test_the_scores_are_those_of_evaluate_with_intervals(page):
    text = Seen(page).text
    for score in ("97.95", "94.81", "95.89", "99.52"):
        assert score in text
    assert re.search(r"94\.81\s*\[\d\d\.\d\d, \d\d\.\d\d\]", text)


def test_the_differences_between_systems_are_tested(page):
    text = Seen(page).text
    assert "Differences between systems" in text
    assert "significantly better than these (shuffling test" in text


@pytest.mark.usefixtures("without_plots")
def test_the_tests_of_the_result_are_repeated_as_they_were_made(folder):
    options = ("--test", "bootstrap", "--iterations", "200", "--seed", "5", "--correction", "none")
    made = saved(folder / "tested.json", "evaluate", UD, f"mine={PARSE}", f"best={UD}", *options)
    text = Seen(report_html([made])).text
    assert "paired bootstrap" in text
    assert "200 iterations, seed 5" in text


@pytest.mark.parametrize(
    "title",
    [
        "label",
        "part of speech",
        "distance to the head",
        "depth in the tree",
        "length of the sentence",
    ],
)
def test_scores_are_broken_down(page, title):
    assert f"LAS by {title}, F1" in Seen(page).text


def test_a_score_that_only_one_system_has_is_compared_with_nothing():
    counts = {"correct": 1, "gold": 1, "system": 2, "system_correct": 1}
    both, alone = (Bucket((value,), counts) for value in ("obj", "dep"))
    names = {"deprel": {"a": [both], "b": [both, alone]}}
    [table] = breakdown_tables("LAS", names)
    one, other = table.grid.rows
    assert [one[3].bold, one[4].value] == [True, "0.00"]
    assert [other[3].bold, other[4].value] == [False, None]


def test_one_system_has_precision_recall_and_its_share_of_errors(page_of_one):
    text = Seen(page_of_one).text
    assert "% of errors" in text
    assert "Where systems disagree" not in text


def test_scores_and_differences_are_plotted_without_matplotlib(evaluation, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    titles = ["LAS: differences between systems"]
    titles += [
        f"LAS by {about}"
        for about in ("length of the sentence", "distance to the head", "depth in the tree")
    ]
    titles += [
        f"best less mine, by {about}" for about in ("relation", "distance to the head", "length")
    ]
    page = report_html([evaluation])
    assert [image["alt"] for image in Seen(page).of("img")] == titles
    assert "LAS by label, F1" in page


def test_every_number_of_a_confusion_table_opens_its_examples(page):
    heat = re.findall(r'<table class="heat".*?</table>', page, re.DOTALL)
    openings = block(page, "albums")["openings"]
    assert heat
    for table in heat:
        for cell in re.findall(r"<td[^>]*>(.*?)</td>", table):
            if not cell:
                continue
            number = int(re.search(r'data-open="(\d+)"', cell)[1])
            count = int(re.sub(r"<[^>]*>|,", "", cell))
            assert openings[number]["title"].endswith(f", {count:,} times")
            assert 1 <= len(openings[number]["examples"]) <= min(count, 5)


def test_an_example_says_which_word_it_is_about_and_is_drawn(page):
    data, drawings = block(page, "albums"), block(page, "drawings")
    taken = [o for o in data["openings"] if " parsed as " in o["title"]]
    assert taken
    for opening in taken:
        for sentence, pictures, (first, last), remark in opening["examples"]:
            assert re.fullmatch(r"gold: .*; parse: .*", remark)
            assert data["chapters"][0]["texts"][sentence][first:last].strip()
            assert drawings[f"0.{sentence}.{pictures[0]}"].startswith("<svg ")


def test_the_worst_sentences_are_those_with_the_most_mistakes(page_of_one):
    wrong = block(page_of_one, "albums")["chapters"][0]["scales"][1]["values"]
    listed = [int(n) for n in re.findall(r'<details data-sentence="(\d+)"', page_of_one)]
    assert [wrong[place] for place in listed] == sorted(wrong, reverse=True)[: len(listed)]


def test_all_sentences_are_in_the_page_with_their_texts(page):
    album = block(page, "albums")["chapters"][0]
    assert len(album["ids"]) == len(album["texts"]) == 64
    assert album["ids"][9] == "cg-10"
    assert album["texts"][9] == "A stranger arrived one morning who knew the coast well."


def test_the_command_and_the_signature_are_told(page):
    text = Seen(page).text
    assert f"commonground evaluate {UD} mine={PARSE} best={UD} --output-format json" in text
    assert "|preset:none|punctuation:keep|" in text


def test_a_sentence_without_a_drawing_has_the_command_that_draws_it(page):
    album = block(page, "albums")["chapters"][0]
    assert album["commands"][0] == f"commonground view {PARSE} --against {UD} --sentence {{}}"


@pytest.mark.usefixtures("without_plots")
def test_the_metric_of_the_details_can_be_chosen(evaluation):
    assert "UAS by label" in Seen(report_html([evaluation], metric="uas")).text
    with pytest.raises(UsageError, match="has no scores of elas; it has uas, las"):
        report_html([evaluation], metric="elas")


@pytest.mark.usefixtures("without_plots")
def test_several_results_are_chapters_of_one_page(evaluation, comparison):
    seen = Seen(report_html([evaluation, comparison], title="Two"))
    assert [a["id"] for a in seen.of("article")] == ["chapter-0", "chapter-1"]
    anchors = [a["id"] for _, a in seen.elements if "id" in a]
    assert len(set(anchors)) == len(anchors)
    targets = [a["href"][1:] for a in seen.of("a")]
    assert set(targets) <= set(anchors)


@pytest.mark.usefixtures("without_plots")
def test_constituents_are_reported_too(folder):
    made = saved(folder / "ptb.json", "evaluate", "example:ptb", "example:ptb-parse")
    html = report_html([made])
    assert "F1 by label" in Seen(html).text
    assert block(html, "drawings")


# ── comparisons ──────────────────────────────────────────────────────────────────────────────────


def test_the_tables_of_a_comparison_are_those_of_compare(comparison_page):
    text = re.sub(r"\s+", " ", Seen(comparison_page).text)
    result = compare({"ud": (UD, PARSE), "ptb": ("example:ptb", "example:ptb-parse")})
    for grid in comparison_grids(result):
        assert grid.title in text
        for row in grid.rows:
            for cell in row:
                if isinstance(cell.value, float):
                    assert f"{cell.value:.2f}" in text


def test_a_comparison_across_frameworks_tests_what_is_fair(comparison_page):
    text = re.sub(r"\s+", " ", Seen(comparison_page).text)
    assert re.search(r"99\.96 ?b \[\d\d\.\d\d, 100\.00\]", text)
    differences = text.partition("Differences between systems")[2].partition("Parses and gold")[0]
    assert "TedEval MULTIPLE (unlabelled)ptbud1.33" in differences
    assert "SINGLE" not in differences


def test_a_sentence_of_a_comparison_shows_what_the_gold_standards_agree_on(comparison_page):
    pictures = block(comparison_page, "albums")["chapters"][0]["pictures"]
    assert pictures == ["ud", "ptb", "What the gold standards agree on"]
    assert {name.rpartition(".")[2] for name in block(comparison_page, "drawings")} == {
        "0",
        "1",
        "2",
    }


# ── hostile treebanks ────────────────────────────────────────────────────────────────────────────


def test_hostile_texts_are_shown_as_text(tmp_path):
    gold, parse = hostile_treebank(tmp_path)
    made = saved(tmp_path / "r.json", "evaluate", gold, f"<script>alert(1)</script>={parse}")
    html = report_html([made])
    seen = Seen(html)
    assert len(seen.of("script")) == 4
    assert not [a for _, a in seen.elements if any(name.startswith("on") for name in a)]
    assert "\x07" not in html
    assert "\u202e" not in html
    album = block(html, "albums")["chapters"][0]
    assert all(text in "".join(album["texts"]) for text in HOSTILE if text.isprintable())
    for svg in block(html, "drawings").values():
        drawn = Seen(svg).elements
        assert {tag for tag, _ in drawn} <= {"svg", "g", "path", "rect", "text", "title", "tspan"}
        assert not [a for _, a in drawn if any(name.startswith(("on", "href")) for name in a)]
