"""The charts of a page: what they show, and that nothing of a treebank can break them."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import UsageError
from commonground.report.page.chart import WIDTH, Scale
from commonground.report.page.pair_chart import pair_chart
from commonground.report.page.score_chart import score_chart
from commonground.report.plots.bins import Bins
from commonground.report.plots.curves import Curves
from commonground.report.plots.measure import Measure
from commonground.report.plots.pairs import Difference
from commonground.statistics.claim import Interval

LAS = Measure("LAS", share=True)
SVG = "{http://www.w3.org/2000/svg}"
finite = st.floats(-1, 1).map(lambda value: round(value, 6))


def interval(low, value, high):
    return Interval(value, low, high, 0.95, "bca", 100, "sentence", 2000)


def curves(scores, bins=None):
    return Curves(LAS, bins or Bins((1, 2, 5), (40, 30, 20), 9), "Words", "words", scores)


def texts(svg):
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{SVG}text")]


def places(svg):
    return [
        (float(each.get("x")), float(each.get("y")))
        for each in ET.fromstring(svg).iter(f"{SVG}text")
    ]


@given(low=st.floats(-1e6, 1e6), size=st.floats(1e-3, 1e6), most=st.integers(2, 10))
def test_ticks_stand_at_different_round_values_of_the_scale(low, size, most):
    scale = Scale(low, low + size, 10, 110)
    ticks = scale.ticks(most)
    assert 1 <= len(ticks) <= most + 1
    assert len({said for _, said in ticks}) == len(ticks)
    for at, said in ticks:
        assert 10 - 1e-3 <= at <= 110 + 1e-3
        assert scale.at(float(said.replace("−", "-"))) == pytest.approx(at, abs=1e-3)


@given(value=finite, low=finite, high=finite, one=st.text(max_size=60), other=st.text(max_size=60))
def test_a_pair_is_told_whatever_its_names_are(value, low, high, one, other):
    low, high = sorted((low, high))
    row = Difference(one, other or "x", value, (low, high), 0.5, different=False)
    svg = pair_chart([row], LAS)
    assert "p = 0.500" in "".join(texts(svg))
    assert all(0 <= x <= WIDTH for x, _ in places(svg))
    assert svg == pair_chart([row], LAS)


def test_significant_differences_have_filled_marks_and_others_hollow_ones():
    rows = [
        Difference("a", "b", 0.1, (0.05, 0.15), 0.001, different=True),
        Difference("a", "c", 0.01, (-0.05, 0.07), 0.6, different=False),
    ]
    both = pair_chart(rows, LAS)
    assert {"significant", "not significant"} <= set(texts(both))
    assert both.count('fill="#0072B2"') == both.count('fill="white" stroke="#404040"') == 2
    assert "not significant" not in texts(pair_chart(rows[:1], LAS))


def test_no_pairs_and_too_many_are_refused():
    row = Difference("a", "b", 0.1, None, 0.5, different=False)
    for rows in ([], [row] * 67):
        with pytest.raises(UsageError):
            pair_chart(rows, LAS)


def test_each_score_has_a_mark_and_each_bin_its_count():
    points = [interval(0.7, 0.8, 0.9), None, interval(0.5, 0.6, 0.7)]
    svg = score_chart(curves({"one": points, "<two>": points}))
    assert svg.count("<circle") == 2 + 1  # the scores of the first system, and its legend
    assert {"one", "<two>", "40", "30", "20", "1", "2–4", "5+"} <= set(texts(svg))


def test_a_higher_score_stands_higher_and_one_system_needs_no_legend():
    points = [interval(0.5, 0.5, 0.5), interval(0.6, 0.6, 0.6), interval(0.9, 0.9, 0.9)]
    svg = score_chart(curves({"one": points}))
    heights = [float(each.get("cy")) for each in ET.fromstring(svg).iter(f"{SVG}circle")]
    assert heights == sorted(heights, reverse=True)
    assert len(heights) == 3
    assert "one" not in texts(svg)


@pytest.mark.parametrize("count", [1, 9, 40])
def test_all_systems_that_can_be_told_apart_are_in_the_legend(count):
    points = [interval(0.5, 0.6, 0.7)] * 3
    svg = score_chart(curves({f"system {number}": points for number in range(count)}))
    assert sum(text.startswith("system") for text in texts(svg)) == (count if count > 1 else 0)
    assert all(0 <= x <= WIDTH for x, _ in places(svg))
