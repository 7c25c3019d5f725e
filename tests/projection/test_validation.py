"""Validation by k random samples."""

import json
import math
import os
import subprocess
import sys

import numpy as np
import pytest
from command import assert_refused, assert_silent_success, run

import commonground as cg
from commonground.errors import InputError, UsageError
from commonground.metrics.settings import Settings
from commonground.projection import training_runs
from commonground.projection.samples import folds, sample_of
from commonground.projection.training_runs import Training, cross_validate, validate
from commonground.projection.validation import Validation, together
from commonground.report.tables import render
from commonground.report.views.validation import grids

QUICK = Training(settings={"iterations": 1})
TABLE_7 = {
    "nl-ptb": (68.51, 70.07, 69.21, 69.45, 68.47, 69.07, 69.99, 69.71, 68.77, 68.83),
    "nl-tig": (67.25, 66.79, 68.13, 68.29, 67.31, 66.97, 67.87, 66.43, 67.11, 67.67),
    "it-ptb": (66.56, 66.45, 66.07, 66.47, 66.74, 66.20, 66.56, 66.37, 66.05, 66.96),
    "it-tig": (54.01, 54.21, 53.37, 52.77, 52.55, 53.66, 52.70, 52.70, 52.08, 52.82),
}
"""The scores that Spreyer (2010) prints."""


@pytest.fixture(scope="module")
def ud():
    return cg.read("example:ud")


def printed():
    scores = {n: {"uas": tuple(s / 100 for s in each)} for n, each in TABLE_7.items()}
    return Validation("", "10 samples", scores)


def test_the_means_and_deviations_are_those_of_the_paper():
    runs = printed().runs("uas")
    by_name = {name: (round(100 * r.mean, 2), round(100 * r.sd, 2)) for name, r in runs.items()}
    assert by_name == {
        "nl-ptb": (69.21, 0.58), "nl-tig": (67.38, 0.60), "it-ptb": (66.44, 0.29),
        "it-tig": (53.09, 0.69),
    }  # fmt: skip


def test_the_paper_s_differences_are_significant_by_both_t_tests():
    for test in ("student", "welch"):
        for pair in printed().claims("uas", test).pairs:
            assert pair.claim.p < 0.01
    assert printed().ranking("uas") == "nl-ptb > nl-tig > it-ptb > it-tig"


def test_runs_that_do_not_vary_are_told_without_tests():
    scores = {name: {"uas": (0.8, 0.7 + at), "upos": (1.0, 1.0)} for at, name in enumerate("ab")}
    validation = Validation("", "2 folds", scores)
    assert {test["metric"] for test in validation.to_json()["tests"]} == {"uas"}
    assert validation.ranking("upos") == "a ≈ b"
    titles = [grid.title for grid in grids(validation)]
    assert titles == ["Runs by UAS", "Differences by UAS", "Runs by UPOS"]
    assert "No tests: the runs do not vary (a, b)." in render(list(grids(validation)), "text")


def test_means_and_deviations_correlate_negatively_as_the_paper_says():
    assert printed().correlation("uas") == pytest.approx(
        np.corrcoef([69.208, 67.382, 66.443, 53.087], [0.5804, 0.6009, 0.2854, 0.6938])[0, 1],
        abs=0.01,
    )
    assert printed().correlation("uas") < 0


def test_a_sample_is_drawn_without_replacement_and_has_about_so_many_words(ud):
    rows = sample_of(ud, number=0, words=200)
    assert len(set(rows.tolist())) == len(rows)
    words = int(ud.words.lengths[rows].sum())
    assert 200 <= words < 200 + ud.words.lengths.max()


def test_samples_differ_by_sentences_number_and_seed_and_by_nothing_else(ud):
    def draw(corpus=ud, **changes):
        given = {"number": 0, "sentences": 20, "seed": 1} | changes
        return sample_of(corpus, **given).tolist()

    assert draw() == draw() == draw(cg.read("example:sud")) == draw(name="another")
    for change in ({"number": 1}, {"seed": 2}):
        assert draw(**change) != draw()
    assert draw(ud.take(np.arange(len(ud))[::-1])) != draw()


def in_schemes(ud, **options):
    """The same sentences in two schemes, as runs in pairs, and the first once more."""
    sud = cg.read("example:sud")
    systems = {"ud": (ud, ud), "sud": (sud, sud), "again": (ud, ud)}
    given = {"samples": 3, "words": 100, "training": QUICK, "metrics": ["uas"]}
    return validate(systems, **given | options)


def test_a_name_changes_no_score_and_schemes_of_one_treebank_are_in_pairs(ud):
    result = in_schemes(ud)
    assert result.scores["again"] == result.scores["ud"] != result.scores["sud"]
    assert result.in_pairs
    assert result.compared_by == ("paired", "shuffle")
    assert not result.differ("uas", "ud", "again", alpha=1)
    for test in ("paired", "shuffle"):
        claims = {frozenset((c.one, c.other)): c.claim for c in result.claims("uas", test).pairs}
        assert claims[frozenset(("ud", "again"))].p == 1
        difference = abs(claims[frozenset(("ud", "sud"))].difference)
        runs = result.runs("uas")
        assert difference == pytest.approx(abs(runs["ud"].mean - runs["sud"].mean))
    assert Validation.from_json(json.loads(json.dumps(result.to_json()))).to_json() == (
        result.to_json()
    )


def test_the_shuffling_test_of_runs_is_that_of_all_their_sentences(ud):
    result = in_schemes(ud)
    one, other = (np.array(result.counts[name]["uas"]["correct"]) for name in ("ud", "sud"))
    gold = np.array(result.counts["ud"]["uas"]["gold"])
    claim = next(
        pair.claim
        for pair in result.claims("uas", "shuffle").pairs
        if {pair.one, pair.other} == {"ud", "sud"}
    )
    assert abs(claim.difference) == pytest.approx(abs(one.sum() - other.sum()) / gold.sum())
    assert (claim.units, claim.unit) == (len(ud), "sentence")
    assert gold.sum() == 3 * ud.words.rows


def test_runs_of_other_sentences_are_in_no_pairs(ud):
    half = ud.take(np.arange(len(ud) // 2))
    systems = {"all": (ud, ud), "half": (half, ud)}
    options = {"samples": 2, "words": 100, "training": QUICK, "metrics": ["uas"]}
    result = validate(systems, **options, tests=["student", "shuffle"])
    assert not result.in_pairs
    assert {t["test"] for t in result.to_json()["tests"]} == {"student-t", "shuffling"}
    with pytest.raises(UsageError, match="in no pairs"):
        validate(systems, **options, tests=["paired"])
    with pytest.raises(UsageError, match="same test sentences"):
        validate({"a": (ud, ud), "b": (ud, half)}, **options, tests=["shuffle"])
    with pytest.raises(UsageError, match="there is no test 'sign' of runs"):
        validate(systems, **options, tests=["sign"])


def test_runs_put_together_add_the_counts_of_one_test_set_and_join_those_of_several(ud):
    one, two = in_schemes(ud), in_schemes(ud, seed=1)
    both = together([one, two])
    assert both.in_pairs
    assert len(both.scores["ud"]["uas"]) == 6
    correct = [r.counts["ud"]["uas"]["correct"] for r in (one, two, both)]
    assert tuple(map(sum, zip(*correct[:2], strict=True))) == correct[2]
    half = ud.take(np.arange(20))
    folds = [
        validate({"ud": (ud, test)}, samples=2, words=100, training=QUICK, metrics=["uas"])
        for test in (ud, half)
    ]
    assert len(together(folds).counts["ud"]["uas"]["gold"]) == len(ud) + 20


def test_more_than_half_of_the_pool_is_refused(ud):
    half = len(ud) // 2
    assert len(sample_of(ud, number=0, sentences=half)) == half
    with pytest.raises(UsageError, match="more than half of them"):
        sample_of(ud, number=0, sentences=half + 1)
    with pytest.raises(UsageError, match="more than half of them"):
        sample_of(ud, number=0, words=ud.words.rows // 2 + 1)
    for wrong in ({}, {"words": 1, "sentences": 1}, {"words": 0}):
        with pytest.raises(UsageError):
            sample_of(ud, number=0, **wrong)


def test_folds_are_a_partition(ud):
    result = folds(ud, 5, seed=3)
    assert sorted(np.concatenate(result).tolist()) == list(range(len(ud)))
    with pytest.raises(UsageError, match="cannot be divided into 1 folds"):
        folds(ud, 1)


def test_k_parsers_have_k_scores_whatever_the_jobs(ud):
    systems = {"ud": (ud, ud)}
    options = {"samples": 3, "words": 100, "training": QUICK, "metrics": ["uas"]}
    one = validate(systems, **options)
    assert len(one.scores["ud"]["uas"]) == 3
    assert len(set(one.scores["ud"]["uas"])) > 1
    assert validate(systems, **options, jobs=2).scores == one.scores


def test_an_interrupted_validation_goes_on_where_it_stopped(ud, tmp_path, monkeypatch):
    done = []
    original = training_runs._scores

    def counted(each):
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(each.number)
        return original(each)

    monkeypatch.setattr(training_runs, "_scores", counted)
    options = {"samples": 3, "words": 100, "training": QUICK, "folder": tmp_path}
    with pytest.raises(KeyboardInterrupt):
        validate({"ud": (ud, ud)}, **options)
    monkeypatch.setattr(
        training_runs, "_scores", lambda each: done.append(each.number) or original(each)
    )
    result = validate({"ud": (ud, ud)}, **options)
    assert done == [0, 1, 2]
    assert result.scores == validate({"ud": (ud, ud)}, samples=3, words=100, training=QUICK).scores


def test_kept_scores_of_something_else_are_not_used(ud, tmp_path):
    options = {"samples": 2, "words": 100, "folder": tmp_path, "metrics": ["uas"]}
    one = validate({"ud": (ud, ud)}, training=QUICK, **options)
    (tmp_path / "ud-001.json").write_text("{damaged")
    assert validate({"ud": (ud, ud)}, training=QUICK, **options).scores == one.scores
    other = validate({"ud": (ud, ud)}, training=Training(settings={"iterations": 2}), **options)
    assert other.scores != one.scores


def test_cross_validation_tests_each_fold_once(ud):
    result = cross_validate({"ud": ud}, count=3, training=QUICK, metrics=["uas"])
    assert len(result.scores["ud"]["uas"]) == 3
    assert all(0.2 < score <= 1 for score in result.scores["ud"]["uas"])


def test_a_parser_learns_from_partial_trees(ud):
    part = ud.replace(
        "words", head=np.where(np.arange(ud.words.rows) % 3, ud.head, -1).astype(np.int32)
    )
    result = validate({"part": (part, ud)}, samples=2, words=200, training=QUICK)
    assert all(math.isfinite(score) for score in result.scores["part"]["uas"])


def test_a_validation_is_saved_and_read_again():
    result = printed()
    data = json.loads(json.dumps(result.to_json()))
    assert Validation.from_json(data).to_json() == data
    assert len(result.records()) == 40
    assert "mean" in str(next(iter(result.grids())).rows[-2][0].value)
    with pytest.raises(InputError, match=r"this is not a whole result: .* `systems`"):
        Validation.from_json({"signature": ""})


@pytest.mark.parametrize(
    ("systems", "samples", "message"),
    [({}, 3, "there is no system"), ({"a b": 1, "a_b": 1}, 3, "two systems would be called a_b"), ({"a": 1}, 1, "no spread")],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(systems, samples, message):
    with pytest.raises(UsageError, match=message):
        validate(systems, samples=samples, words=10)


def test_the_command_compares_systems_and_tests_them():
    done = run(
        "validate", "example:ud", "example:ud", "--name", "ud", "--against",
        "sud=example:sud:example:sud", "--words", "100", "--samples", "2", "--set", "iterations=1",
        "--output-format", "json", "--metrics", "uas",
    )  # fmt: skip
    assert_silent_success(done)
    data = json.loads(done.stdout)
    assert [system["name"] for system in data["systems"]] == ["ud", "sud"]
    assert {test["test"] for test in data["tests"]} == {"paired-t", "shuffling"}
    assert_refused(run("validate", "example:ud"), "give it, or use --folds K")
    assert_refused(
        run("validate", "example:ud", "example:ud", "--words", "100000"), "more than half of them"
    )


def test_samples_are_half_of_the_smallest_training_set_by_default(ud):
    half = ud.words.rows // 2
    systems = {"all": (ud, ud), "half": (ud.take(np.arange(len(ud) // 2)), ud)}
    result = validate(systems, samples=2, training=QUICK, metrics=["uas"])
    assert result.how == f"2 samples of {systems['half'][0].words.rows // 2} words"
    done = run("validate", "example:ud", "example:ud", "--samples", "2", "--set", "iterations=1")
    assert f"2 samples of {half} words; intervals" in done.stdout
    with pytest.raises(UsageError, match="words or of sentences, not both"):
        validate(systems, words=10, sentences=10)


@pytest.mark.long
def test_what_is_kept_is_known_again_by_another_process(ud):
    code = (
        "import commonground as cg; from commonground.projection import training_runs as v; "
        "ud = cg.read('example:ud'); "
        "print(v._fingerprint(v._Conditions.of(None, ['uas'], None, None).run('a', 0, ud, ud)))"
    )
    marks = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(marks) == 1


@pytest.mark.parametrize("changed", [Settings(subtypes=False), Settings(longest=20)])
def test_the_signature_of_a_validation_has_all_settings(changed):
    usual, other = (
        training_runs._Conditions.of(None, ["las"], settings, None).signed("2 folds", 0)
        for settings in (None, changed)
    )
    assert usual != other


def test_runs_by_other_metrics_are_not_put_together():
    one, two = (Validation("", "samples", {"a": {name: (0.5, 0.6)}}) for name in ("uas", "ned"))
    with pytest.raises(UsageError, match="different metrics"):
        together([one, two])
    with pytest.raises(UsageError, match="no runs"):
        together([])


def test_what_is_better_than_a_baseline_is_told_by_the_test_of_the_paper():
    result = printed()
    assert result.better("uas", "nl-tig") == {"nl-ptb"}
    assert result.better("uas", "it-tig") == {"nl-ptb", "nl-tig", "it-ptb"}
    with pytest.raises(UsageError, match="no system"):
        result.better("uas", "none")
