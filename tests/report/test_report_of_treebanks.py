"""Reports straight from treebanks and from results in memory."""

from __future__ import annotations

import pytest
from command import assert_refused, run

import commonground as cg
from commonground.errors import UsageError

GOLD, PARSE = "example:ud", "example:ud-parse"


def test_a_gold_standard_and_parses_are_a_report_without_further_options(tmp_path, without_plots):
    out = tmp_path / "r.html"
    done = run("report", GOLD, f"mine={PARSE}", f"best={GOLD}", "-o", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    page = out.read_text(encoding="utf-8")
    assert "best is better than mine by 5.2 LAS" in page
    assert "Confusions" in page
    assert "Where systems disagree" in page
    assert "commonground report example:ud mine=example:ud-parse best=example:ud" in page


def test_a_gold_standard_alone_is_refused(tmp_path):
    done = run("report", GOLD, "-o", str(tmp_path / "r.html"))
    assert_refused(done, "give a parse of it, too")


def test_a_result_in_memory_has_a_page_with_its_sentences(without_plots):
    page = cg.report(cg.evaluate(GOLD, {"mine": PARSE}), title="My page")
    assert "My page" in page
    assert "could not be read again" not in page
    assert "LAS by label" in page
    assert "cg-23" in page


def test_treebanks_in_memory_are_evaluated_for_their_page(without_plots):
    gold, parse = cg.read(GOLD)[:20], cg.read(PARSE)[:20]
    assert "parse 2" in cg.report(gold, parse, gold)
    assert PARSE in cg.report(GOLD, PARSE)


def test_a_page_shows_in_a_notebook_and_is_saved(tmp_path, without_plots):
    page = cg.report(cg.read(GOLD)[:3], cg.read(GOLD)[:3])
    assert page._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    page.save(tmp_path / "x.html")
    assert (tmp_path / "x.html").read_text(encoding="utf-8") == page


def test_a_saved_result_is_reported_whatever_its_suffix(tmp_path, without_plots):
    path = tmp_path / "result"
    done = run("evaluate", GOLD, PARSE, "--output-format", "json", "-o", str(path))
    assert done.returncode == 0
    assert "94.81" in cg.report(path)


@pytest.mark.parametrize("results", [(), ("example:ud",)])
def test_too_little_is_refused(results):
    with pytest.raises(UsageError):
        cg.report(*results)


def test_the_room_of_reports_is_still_a_package():
    import commonground.report.page.make as make  # noqa: PLR0402  # as people may write it

    assert callable(cg.report)
    assert make.report_html
    with pytest.raises(UsageError, match="nothing to report"):
        cg.report()


def test_frames_of_results_by_the_name_of_the_table():
    result = cg.evaluate(GOLD, {"a": PARSE, "b": GOLD}, metrics=["las"], by=["upos"])
    frame = result.to_pandas("breakdown")
    assert set(frame.columns) >= {"parse", "metric", "upos", "gold", "correct", "f1"}
    assert frame[(frame["parse"] == "b")]["f1"].tolist() == [1.0] * (len(frame) // 2)
    assert result.to_pandas("las by upos")["upos"][0] == frame["upos"][0]
    with pytest.raises(UsageError, match="this result has no table 'x'"):
        result.to_pandas("x")
    with pytest.raises(UsageError, match="no score was broken down"):
        cg.evaluate(GOLD, PARSE).to_pandas("breakdown")


def test_two_systems_are_compared_by_relation_distance_and_length(without_plots):
    page = cg.report(cg.evaluate(GOLD, {"mine": PARSE, "best": GOLD}))
    section = page.partition("Where best and mine differ</h2>")[2].partition("</section>")[0]
    for title in ("LAS by relation", "LAS by distance to the head", "LAS by length"):
        assert title in section
    row = section.partition(">ccomp<")[2].partition("</tr>")[0]
    assert row.count("<button data-open=") == 2  # the difference, and what best has gained
    assert "The most instructive sentences" in section
    assert section.count("<details data-sentence=") == 10


def test_one_system_and_two_that_are_equal_have_no_such_section(without_plots):
    for parses in ({"a": PARSE}, {"a": PARSE, "b": PARSE}):
        assert "a and b differ" not in cg.report(cg.evaluate(GOLD, parses))
