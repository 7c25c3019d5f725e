"""Figures of scores and differences: what they show, that they are safe, and always the same."""

import re
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground import Dependencies, evaluate, read
from commonground.errors import MissingExtraError, UsageError
from commonground.evaluation.evaluate import evaluate as evaluate_corpora
from commonground.evaluation.metric_score import Score
from commonground.metrics.confusion import ConfusionCell
from commonground.metrics.items import Counts
from commonground.report.plots import findings
from commonground.report.plots.agreement import agreement_map
from commonground.report.plots.bins import DISTANCES, LENGTHS, bins_of
from commonground.report.plots.canvas import new_figure, styled
from commonground.report.plots.confusion import confusion_matrix
from commonground.report.plots.curves import curves_by_length, curves_of_items
from commonground.report.plots.differences import difference_histograms, spreads
from commonground.report.plots.export import as_pdf, as_png, as_svg
from commonground.report.plots.marks import marks, short_names
from commonground.report.plots.measure import Measure
from commonground.report.plots.pairs import Difference, forest
from commonground.report.plots.power import power_line
from commonground.report.plots.runs import run_points
from commonground.report.plots.score_lines import score_lines
from commonground.statistics.claim import Interval
from commonground.statistics.power import Detectable, PowerPoint
from commonground.statistics.runs import Runs
from commonground.statistics.test_plan import TestPlan

LAS = Measure("LAS", share=True)
HOSTILE = [
    "<script>alert(1)</script>",
    "$\\frac{1}{2}$",
    "$unbalanced",
    "_hidden",
    "a&b\"c'd",
    "\x1b[31mred\x00",
    "new\nline\rand\ttab",
    "\u202eleft",
    "\ud800",
    "]]>--><!--",
    "{0} %s \\n",
    "",
    "中文 العربية עברית",
    "x" * 500,
]


@pytest.fixture(scope="module")
def result():
    """An evaluation of two parses of the example, one of them the gold standard with errors."""
    gold = read("example:ud")
    worse = gold.head.copy()
    place = gold.words.row_in_sentence() + 1
    worse[(place % 7 == 3) & (gold.head > 1)] = 1
    worse[worse == place] = 0
    parses = {"parse": "example:ud-parse", "worse": gold.replace("words", head=worse)}
    return evaluate("example:ud", parses, metrics=["las"])


def texts(svg):
    """All texts of an SVG; it must be XML."""
    root = ET.fromstring(svg)
    return ["".join(part.itertext()) for part in root.iter("{http://www.w3.org/2000/svg}text")]


def length_curves(result):
    lengths = [np.asarray(s.comparison.gold.words.lengths, np.int64) for s in result.systems]
    return curves_by_length(result.systems, "las", lengths, "Words in the sentence")


# ── bins ─────────────────────────────────────────────────────────────────────────────────────────


@given(st.lists(st.integers(-3, 200), max_size=300), st.sampled_from(["", "root"]))
def test_every_number_is_in_one_bin_and_the_counts_say_how_many(values, others):
    numbers = np.array(values, np.int64)
    bins = bins_of(numbers, DISTANCES, others)
    codes = bins.codes(numbers)
    outcome = np.bincount(codes[codes >= 0], minlength=len(bins.counts))
    assert tuple(outcome.tolist()) == bins.counts
    assert len(bins.names) == len(bins.counts) == len(set(bins.names))
    assert all(bins.counts)


def test_thin_bins_are_put_together_and_the_last_one_is_open():
    bins = bins_of(np.array([3] * 100 + [18] * 100 + [22] * 3 + [60] * 3), LENGTHS)
    assert bins.names == ["1–10", "11+"]
    assert bins.counts == (100, 106)


def test_a_single_value_is_a_bin_of_its_own():
    assert bins_of(np.array([1, 1, 1]), DISTANCES).names == ["1"]


# ── scores by a number ───────────────────────────────────────────────────────────────────────────


def test_the_scores_of_the_bins_are_those_of_their_sentences(result):
    curves = length_curves(result)
    system = result.systems[0]
    lengths = system.comparison.gold.words.lengths
    inside = np.flatnonzero(curves.bins.codes(np.asarray(lengths, np.int64)) == 0)
    assert curves.scores["parse"][0].value == pytest.approx(system["las"].only(inside).value)


def test_the_scores_by_distance_are_those_of_the_breakdown(result):
    curves = curves_of_items(result.systems, "las", "distance")
    system = result.systems[1]
    buckets = {bucket.values[0]: bucket.f1 for bucket in system.breakdown("las", ["distance"])}
    assert curves.bins.names[:3] == ["root", "1", "2"]
    for name, point in list(zip(curves.bins.names, curves.scores["worse"], strict=True))[:3]:
        assert point.value == pytest.approx(buckets[name])


def test_the_scores_by_depth_are_those_of_the_breakdown(result):
    curves = curves_of_items(result.systems, "las", "depth")
    system = result.systems[1]
    buckets = {bucket.values[0]: bucket.f1 for bucket in system.breakdown("las", ["depth"])}
    assert curves.scores["worse"][1].value == pytest.approx(buckets["2"])


def test_intervals_hold_the_scores(result):
    for by in ("distance", "depth"):
        for points in curves_of_items(result.systems, "las", by).scores.values():
            assert all(p.low <= p.value <= p.high for p in points if p is not None)


def test_depth_is_there_for_phrases_and_distance_is_not():
    phrases = evaluate("example:ptb", "example:ptb-parse", metrics=["parseval_f1"])
    assert curves_of_items(phrases.systems, "parseval_f1", "depth").unit == "phrases"
    with pytest.raises(UsageError, match="have no distance"):
        curves_of_items(phrases.systems, "parseval_f1", "distance")


def test_a_curve_tells_its_axes_its_bins_and_how_many_are_in_them(result):
    shown = texts(as_svg(score_lines(length_curves(result))))
    assert {"LAS (%)", "Words in the sentence", "sentences", "parse", "worse"} <= set(shown)
    curves = length_curves(result)
    assert set(curves.bins.names) <= set(shown)
    assert {f"{count:,}" for count in curves.bins.counts} <= set(shown)


def test_one_system_needs_no_legend(result):
    lengths = [np.asarray(result.systems[0].comparison.gold.words.lengths, np.int64)]
    curves = curves_by_length(result.systems[:1], "las", lengths, "Words")
    assert "parse" not in texts(as_svg(score_lines(curves)))


def test_one_sentence_is_one_bin_without_an_interval():
    birds = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    result = evaluate_corpora(birds, {"a": birds}, metrics=["las"])
    curves = length_curves(result)
    assert [(p.low, p.high) for p in curves.scores["a"]] == [(1.0, 1.0)]
    assert "100" in texts(as_svg(score_lines(curves)))


def test_nothing_to_score_is_nothing_to_plot():
    empty = evaluate_corpora(Dependencies.of([]), {"a": Dependencies.of([])}, metrics=["las"])
    with pytest.raises(UsageError, match="nothing to plot"):
        curves_of_items(empty.systems, "las", "distance")


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


def test_a_confusion_matrix_has_the_frequent_labels_and_the_rest_together():
    cells = [ConfusionCell(f"label{n}", f"label{n}", 100 - n, ()) for n in range(30)]
    cells.append(ConfusionCell("label0", "label1", 7, ()))
    shown = texts(as_svg(confusion_matrix(cells, "mine")))
    assert {"label0", "label14", "(others)", "7", "100", "Gold standard", "mine"} <= set(shown)
    assert "label15" not in shown
    assert str(sum(100 - n for n in range(15, 30))) in shown


def test_a_confusion_matrix_of_one_label_is_one_cell():
    assert "3" in texts(as_svg(confusion_matrix([ConfusionCell("x", "x", 3, ())], "mine")))
    with pytest.raises(UsageError, match="nothing to plot"):
        confusion_matrix([], "mine")


def test_agreement_is_shown_in_per_cent_for_each_metric():
    table = np.array([[1.0, 0.856], [0.9, 1.0]])
    shown = texts(as_svg(agreement_map(["ud", "sud"], {"UAS": table, "NED": table})))
    assert shown.count("85.6") == shown.count("90.0") == 2
    assert {"UAS", "NED"} <= set(shown)


def test_only_what_is_the_same_agrees_in_100_per_cent():
    table = np.array([[1.0, 0.9996], [0.9996, 1.0]])
    shown = texts(as_svg(agreement_map(["old", "new"], {"UAS": table})))
    assert (shown.count("100.0"), shown.count("99.96")) == (2, 2)


def test_heat_maps_are_vectors():
    table = np.array([[1.0, 0.5], [0.5, 1.0]])
    for figure in (
        agreement_map(["a", "b"], {"UAS": table}),
        confusion_matrix(
            [ConfusionCell("x", "y", 3, ()), ConfusionCell("y", "y", 300, ())], "mine"
        ),
    ):
        assert "<image" not in as_svg(figure)


# ── differences ──────────────────────────────────────────────────────────────────────────────────


def test_the_distribution_of_a_difference_is_that_of_the_tests(result):
    from commonground.statistics.bootstrap import bootstrap
    from commonground.statistics.pairing import Pairing
    from commonground.statistics.shuffling import shuffling

    asked = TestPlan(iterations=500, seed=3)
    scores = {system.name: system["las"] for system in result.systems}
    (outcome,) = spreads(scores, asked)
    assert (outcome.one, outcome.other) == ("parse", "worse")  # the better one first
    pairing = Pairing.of(scores["parse"], scores["worse"])
    claim = bootstrap(pairing, iterations=500, seed=3)
    assert (outcome.low, outcome.high) == claim.interval
    assert outcome.claim == shuffling(pairing, iterations=500, seed=3)
    shown = " ".join(texts(as_svg(difference_histograms([outcome], LAS, 0.95))))
    assert "parse − worse" in shown
    assert f"+{100 * claim.difference:.2f}" in shown


def test_systems_that_are_the_same_have_a_figure_too(result):
    score = result.systems[0]["las"]
    outcome = spreads({"a": score, "b": score}, TestPlan(iterations=50))
    assert "p = 1.000" in " ".join(texts(as_svg(difference_histograms(outcome, LAS, 0.95))))


def test_a_forest_has_a_row_for_each_pair_with_its_numbers():
    rows = [
        Difference("a", "b", 0.0125, (0.005, 0.02), 0.0001, different=True),
        Difference("a", "c", -0.001, None, 0.4, different=False),
    ]
    shown = texts(as_svg(forest(rows, LAS, confidence=0.95, correction="holm")))
    assert "+1.25 [+0.50, +2.00], p < 0.001" in shown
    assert "−0.10, p = 0.400" in shown
    assert "difference [95 % interval], p (holm)" in shown
    assert {"significant", "not significant", "a − b", "a − c"} <= set(shown)


def test_too_many_pairs_are_refused():
    row = Difference("a", "b", 0.1, None, 0.5, different=False)
    with pytest.raises(UsageError, match="too many"):
        forest([row] * 67, LAS)
    with pytest.raises(UsageError, match="between two systems"):
        forest([], LAS)
    with pytest.raises(UsageError, match="too many"):
        marks([str(n) for n in range(41)])


def test_runs_have_a_point_each_and_what_a_paper_prints_has_none():
    runs = {"mine": Runs.of([0.9, 0.91, 0.905]), "theirs": Runs(0.88, 0.004, 8)}
    around = {
        name: Interval(r.mean, r.mean - 0.01, r.mean + 0.01, 0.9, "t", 3, "run", 0)
        for name, r in runs.items()
    }
    svg = as_svg(run_points(runs, around, LAS))
    assert {"mine", "3 runs", "theirs", "8 runs", "mean, 90 % interval"} <= set(texts(svg))


def test_a_power_curve_marks_the_difference_that_is_found_often_enough():
    curve = (PowerPoint(0.0, 0.05, 0.01), PowerPoint(0.01, 0.9, 0.02))
    detectable = Detectable(
        0.0088, 0.001, 0.8, 0.05, 1.0, "shuffle", 64, "sentence", 100, 40, 0, curve
    )
    shown = texts(as_svg(power_line(detectable, LAS)))
    assert "0.88 is found 80 % of the time" in shown
    never = Detectable(None, None, 0.8, 0.05, 1.0, "shuffle", 64, "sentence", 100, 40, 0, curve)
    assert not any("of the time" in text for text in texts(as_svg(power_line(never, LAS))))
    perfect = replace(never, curve=curve[:1])
    with pytest.raises(UsageError, match="no system could be better"):
        power_line(perfect, LAS)


# ── the same every time, and safe ────────────────────────────────────────────────────────────────


def test_a_figure_is_written_with_the_same_bytes_whatever_was_written_before(result):
    once, again = (score_lines(length_curves(result)) for _ in range(2))
    for write_figure in (as_svg, as_pdf, as_png):
        first = write_figure(once)
        assert first == write_figure(once) == write_figure(again)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_show_as_text_in_every_figure(name):
    table = np.array([[1.0, 0.5], [0.5, 1.0]])
    rows = [Difference(name, "other", 0.01, None, 0.5, different=False)]
    around = Interval(0.9, 0.8, 1.0, 0.95, "t", 2, "run", 0)
    figures = [
        agreement_map([name, "other"], {name or "x": table}),
        confusion_matrix([ConfusionCell(name, "y", 3, ())], name),
        forest(rows, LAS, title=name),
        run_points(
            {name: Runs.of([0.9, 0.91]), "b": Runs.of([0.9, 0.8])}, {name: around, "b": around}, LAS
        ),
    ]
    for figure in figures:
        svg = as_svg(figure)
        shown = texts(svg)
        assert "<script" not in svg
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", svg)
        wanted = short_names([name])[0]
        assert not wanted or any(wanted in text for text in shown), (wanted, shown)
        assert "mathtext" not in svg


def test_a_legend_shows_names_that_matplotlib_would_hide(result):
    system = result.systems[0]
    pair = [replace(system, name="_one"), replace(system, name="$two$")]
    lengths = [np.asarray(system.comparison.gold.words.lengths, np.int64)] * 2
    shown = texts(as_svg(score_lines(curves_by_length(pair, "las", lengths, "Words"))))
    assert {"_one", "$two$"} <= {text.strip() for text in shown}


def test_long_names_that_are_cut_stay_different():
    names = short_names(["a" * 100, "a" * 101, "a" * 102])
    assert len(set(names)) == 3
    assert all(len(name) < 50 for name in names)


def test_names_do_not_run_into_numbers(result):
    names = ["n" * 100, "m" * 100]
    scores = dict(zip(names, (system["las"] for system in result.systems), strict=True))
    figure = difference_histograms(spreads(scores, TestPlan(iterations=50)), LAS, 0.95)
    (axes,) = figure.axes
    with styled():
        left, right = (
            axes._left_title.get_window_extent(),
            axes._right_title.get_window_extent(),
        )
    assert left.x1 < right.x0


def test_pdf_and_png_refuse_letters_that_they_cannot_show():
    figure = forest([Difference("中文", "b", 0.1, None, 0.5, different=False)], LAS)
    for write_figure in (as_pdf, as_png):
        with pytest.raises(UsageError, match="draw SVG"):
            write_figure(figure)
    assert "中文 − b" in texts(as_svg(figure))


def test_settings_of_the_user_do_not_count_and_are_left_alone():
    import matplotlib as mpl

    rows = [Difference("a", "b", 0.01, None, 0.5, different=False)]
    plain = as_svg(forest(rows, LAS))
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.grid": True}):
        assert as_svg(forest(rows, LAS)) == plain
        assert mpl.rcParams["font.size"] == 30


def test_no_window_and_no_global_list_of_figures_is_made():
    code = (
        "import sys\n"
        "from commonground.report.plots.pairs import Difference, forest\n"
        "from commonground.report.plots.measure import Measure\n"
        "from commonground.report.plots.export import as_svg\n"
        "as_svg(forest([Difference('a', 'b', .1, None, .5, False)], Measure('LAS', share=True)))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_pdf_has_its_fonts_and_an_svg_has_its_text():
    figure = forest([Difference("a", "b", 0.1, None, 0.5, different=False)], LAS)
    pdf = as_pdf(figure)
    assert b"/FontFile2" in pdf
    assert b"CreationDate" not in pdf
    assert "sans-serif" in as_svg(figure)
    assert ET.fromstring(as_svg(figure)).find("{http://www.w3.org/2000/svg}title").text


def test_an_svg_in_a_page_changes_nothing_around_it():
    svg = as_svg(forest([Difference("a", "b", 0.1, None, 0.5, different=False)], LAS))
    assert svg.startswith("<svg ")
    assert "<style" not in svg
    assert "<!DOCTYPE" not in svg


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"commonground\[plots\]"), styled():
        pass
    with pytest.raises(MissingExtraError, match="a plot needs an extra"), new_figure((1, 1), ""):
        pass


# ── what results say ─────────────────────────────────────────────────────────────────────────────


def test_only_the_tests_of_the_first_kind_are_shown():
    result = evaluate("example:ud", {"a": "example:ud-parse", "b": "example:ud"}, metrics=["las"])
    claims = result.test("sign", "wilcoxon")
    assert len(findings.pairs(claims)["las"].rows) == 1
    assert findings.pairs(replace(result, claims=claims)) == findings.pairs(claims)
    assert findings.pairs(result) == findings.runs(claims) == {}


def test_scores_that_are_no_shares_are_not_in_per_cent():
    from commonground.metrics.metric import Metric

    plain = Metric("cost", "Cost", lambda _: None, "", lambda t: t["correct"] / 1, share=False)
    score = Score(plain, Counts({"correct": np.array([1, 2]), "gold": np.array([2, 2])}))
    assert Measure.of(score.metric).axis == "Cost"
    assert Measure.named("score").difference == "Difference in score"


def test_without_a_kind_the_usual_plot_is_drawn():
    result = cg.evaluate("example:ud", {"a": "example:ud-parse", "b": "example:ud"})
    assert as_svg(result.plot()) == as_svg(result.plot("differences"))
    assert as_svg(cg.plot(result)) == as_svg(result.plot())
    assert "\\begin{tabular}" in result.to_latex()
    assert "| " in result.to_markdown()
