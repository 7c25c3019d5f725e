"""Convention or error: the laws of the parts, and the commands that tell them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from command import assert_refused, assert_silent_success, run

import commonground as cg
from commonground.corpus import Strings
from commonground.errors import InputError, MismatchError, UsageError
from commonground.evaluation.conventions import ATTRIBUTIONS, ConventionPart, Conventions
from commonground.evaluation.conventions_by_system import ConventionsBySystem
from commonground.evaluation.shapley import shapley
from commonground.report.page.make import report_html
from commonground.report.plots.kinds import plot
from commonground.schemes.learning.learn import learn
from commonground.schemes.transform import transform

GOLD = cg.read("example:ud")[:20]
SUD = transform(GOLD, "ud", "sud")[0]


def with_errors(corpus, share, seed=1):
    """Hang some words on another word of their sentence, or on the root, at random."""
    random = np.random.default_rng(seed)
    lengths = np.repeat(corpus.words.lengths, corpus.words.lengths)
    other = random.integers(0, lengths + 1).astype(np.int32)
    chosen = random.random(len(other)) < share
    return corpus.replace("words", head=np.where(chosen, other, corpus.head).astype(np.int32))


def lost(found):
    return found.words - found.correct


@pytest.mark.parametrize("scheme", ["sud", "prague", "lth", "tut"])
def test_a_gold_standard_in_another_scheme_has_conventions_and_no_errors(scheme):
    result = cg.conventions(GOLD, transform(GOLD, "ud", scheme)[0])
    assert result.by_convention >= 0.95 * lost(result) > 0


def test_a_choice_that_differs_only_in_details_tells_them():
    """*cats and dogs of Rome*: the conjuncts are as in UD, but what they share is on the last."""
    labels = ["root", "cc", "conj", "case", "nmod"]
    gold = cg.Dependencies.of([("cats and dogs of Rome".split(), [0, 3, 1, 5, 1], labels)])
    gold = gold.replace("words", upos=cg.Strings.of(["NOUN", "CCONJ", "NOUN", "ADP", "PROPN"]))
    parse = gold.replace("words", head=np.array([0, 3, 1, 5, 3], np.int32))
    (part,) = cg.conventions(gold, parse).parts
    assert (part.gold, part.parse) == ("first", "first (shared dependents on the last)")


def test_random_errors_are_errors():
    result = cg.conventions(GOLD, with_errors(GOLD, 0.2))
    assert result.errors >= 0.95 * lost(result) > 0


@pytest.mark.parametrize("scheme", ["sud", "lth"])
def test_both_at_once_are_what_was_put_in(scheme):
    moved = transform(GOLD, "ud", scheme)[0]
    wrong = with_errors(moved, 0.1)
    result = cg.conventions(GOLD, wrong)
    put_in = int((wrong.head != moved.head).sum())
    assert abs(result.errors - put_in) <= 0.05 * lost(result)


def test_the_laws_hold_on_a_real_treebank_for_a_scheme_that_is_not_known(shared):
    gold = cg.read(shared / "data/ewt/dev.conllu")[20:50]
    moved = transform(gold, "ud", "sud")[0]
    wrong = with_errors(moved, 0.1)
    put_in = int((wrong.head != moved.head).sum())
    result = cg.conventions(gold, wrong, schemes=["lth", "prague"])
    assert abs(result.errors - put_in) <= 0.05 * lost(result)


def test_ways_that_no_scheme_has_are_found():
    turned = transform(GOLD, "ud", "ud+tut:determiner")[0]
    result = cg.conventions(GOLD, turned, schemes=["sud"])
    assert [(part.construction, part.parse) for part in result.parts] == [
        ("determiner", "function")
    ]
    assert result.errors <= 0.05 * lost(result)


def test_final_marks_on_the_root_are_a_convention():
    marks = GOLD.form.where(lambda form: form in ".!?")
    last = np.zeros(len(GOLD.head), bool)
    last[GOLD.offsets[1:] - 1] = True
    moved = GOLD.replace("words", head=np.where(marks & last, 0, GOLD.head).astype(np.int32))
    result = cg.conventions(GOLD, moved, schemes=["sud"])
    assert [part.parse for part in result.parts] == ["final marks on the root"]
    assert result.errors <= 0.1 * lost(result)


@pytest.mark.parametrize("attribution", ["order", "shapley"])
def test_the_parts_add_up_to_what_was_lost(attribution):
    wrong = with_errors(SUD, 0.1)
    result = cg.conventions(GOLD, wrong, attribution=attribution, schemes=["sud"])
    added = sum(part.heads for part in result.parts) + result.errors
    assert added == pytest.approx(lost(result), abs=1e-9)
    assert result.correct + result.by_convention == result.own


def test_how_conventions_are_parted_does_not_change_their_sum():
    order, shapley = (
        cg.conventions(GOLD, SUD, attribution=each, schemes=["sud"]) for each in ATTRIBUTIONS
    )
    assert (order.by_convention, order.errors) == (shapley.by_convention, shapley.errors)
    assert [p.construction for p in order.parts] == [p.construction for p in shapley.parts]
    with pytest.raises(UsageError, match="no attribution 'x'"):
        cg.conventions(GOLD, SUD, attribution="x")


def test_sampled_orders_are_near_the_exact_values_and_add_up():
    def worth(who):
        return len(who) ** 2

    players = list("abcdef")
    result = shapley(players, worth, np.random.default_rng(1))
    assert sum(result.values()) == worth(players)
    assert all(abs(value - 6) <= 1 for value in result.values())
    assert set(shapley("abc", worth, np.random.default_rng(1)).values()) == {3}
    assert shapley([], worth, np.random.default_rng(1)) == {}


def test_a_treebank_against_itself_has_neither():
    result = cg.conventions(GOLD, GOLD)
    assert (result.parts, result.errors, result.correct) == ((), 0, result.words)


def test_labels_of_the_parse_are_no_matter_to_heads():
    moved = SUD
    nameless = moved.replace("words", deprel=moved.deprel.map(lambda _: "x"))
    one, other = (cg.conventions(GOLD, each, schemes=["sud"]) for each in (nameless, moved))
    assert {**one.to_json(), "labels": {}} == {**other.to_json(), "labels": {}}


def test_the_choices_of_a_scheme_are_read_off_its_heads():
    learned = learn(transform(GOLD, "ud", "lth")[0], GOLD, schemes=["lth", "sud"])
    assert learned.nearest == "lth"
    ways = [learned.way(name) for name in ("adposition", "determiner", "coordination")]
    assert ways == ["function", "content", "chain-conjunction"]


def test_the_result_comes_back_from_json():
    result = cg.conventions(GOLD, SUD, attribution="shapley", schemes=["sud"])
    assert cg.Conventions.from_json(result.to_json()).to_json() == result.to_json()
    with pytest.raises(
        InputError, match=r"parts\[0\]: Object missing required field `construction`"
    ):
        cg.Conventions.from_json({"parts": [{}]})


def test_other_words_and_other_trees_are_refused():
    with pytest.raises(
        MismatchError, match=r"3 sentences, but the gold standard .* the same words"
    ):
        cg.conventions(GOLD, GOLD[:3])
    other = GOLD.replace("words", form=GOLD.form.map(lambda form: form.replace("knots", "ropes")))
    with pytest.raises(
        MismatchError, match=r"sentence cg-07 has other words than in .* same words"
    ):
        cg.conventions(GOLD, other)
    with pytest.raises(UsageError, match="found in dependencies"):
        cg.conventions(GOLD, "example:ptb")
    with pytest.raises(UsageError, match="same number of words"):
        learn(GOLD[:3], GOLD)


def test_brackets_may_be_spelled_as_in_the_penn_treebank():
    """As everywhere else where the words of two files are compared."""
    gold = cg.Dependencies.of([(["(", "yes", ")"], [2, 0, 2], ["punct", "root", "punct"])])
    parse = cg.Dependencies.of([(["-LRB-", "yes", "-RRB-"], [2, 0, 2], ["_", "_", "_"])])
    assert cg.conventions(gold, parse).correct == 3


@pytest.mark.long
def test_the_command_tells_conventions_from_errors_and_its_result_is_shown(tmp_path):
    saved = tmp_path / "found.json"
    done = run(
        *("evaluate", "example:ud", "example:sud", "--conventions"),
        *("--attribution", "shapley", "--output-format", "json", "-o", str(saved)),
    )
    assert_silent_success(done)
    data = json.loads(saved.read_text(encoding="utf-8"))
    assert data["nearest"]["scheme"] == "sud"
    assert data["conventions"] + data["errors"] == data["words"] - data["correct"]
    page = report_html([saved])
    assert "of the 38.5 points lost 38.5 are conventions" in page
    assert "From UAS to 100: conventions, then errors" in page


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--conventions", "--by", "upos"], "--by has no effect with --conventions"),
        (["--gold-scheme", "ud"], "--gold-scheme has no effect without --conventions"),
        (["--attribution", "order"], "--attribution has no effect without --conventions"),
    ],
)
def test_what_has_no_place_beside_conventions_is_refused(more, message):
    assert_refused(run("evaluate", "example:ud", "example:ud-parse", *more), message)


@pytest.mark.long
def test_the_command_reads_a_scheme_off_a_treebank():
    done = run(
        "schemes", "learn", "example:sud", "--against", "example:ud", "--output-format", "json"
    )
    assert_silent_success(done)
    assert json.loads(done.stdout)["choices"]["adposition"] == "function"


def test_the_waterfall_goes_from_uas_over_conventions_and_errors_to_100():
    conventions = Conventions(
        "s",
        100,
        60,
        (ConventionPart("copula", "a", "b", 10), ConventionPart("adposition", "a", "b", 25)),
        "sud",
        0.9,
    )
    figure = plot(conventions, "waterfall")
    (axes,) = figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ["UAS", "adposition", "copula", "UAS, own scheme", "errors"]
    bars = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in axes.patches]
    assert np.allclose(bars, [(0, 60), (60, 85), (85, 95), (0, 95), (95, 100)])


def test_a_waterfall_of_several_parses_is_of_the_one_that_is_chosen():
    parts = (ConventionPart("copula", "a", "b", 10),)
    both = ConventionsBySystem(
        {name: Conventions("s", 100, 60, parts, "sud", 0.9) for name in ("one", "other")}
    )
    assert plot(both, systems=["other"]).axes
    with pytest.raises(UsageError, match=r"a waterfall is of one system; .* one of one, other"):
        plot(both)
    with pytest.raises(UsageError, match="no system 'third'"):
        plot(both, "waterfall", systems=["third"])


def test_a_waterfall_of_another_result_is_refused(tmp_path):
    other = tmp_path / "other.json"
    cg.write_result(cg.agreement({"a": "example:ud", "b": "example:ud-parse"}), other)
    with pytest.raises(InputError, match="not a result of evaluate --conventions"):
        plot(other, "waterfall")


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
def test_a_construction_that_costs_nothing_is_no_part(attribution):
    result = cg.conventions(GOLD, SUD, attribution=attribution, schemes=["sud"])
    assert all(part.heads for part in result.parts)


# ── labels ───────────────────────────────────────────────────────────────────────────────────────


def test_the_parts_of_las_add_up():
    found = cg.conventions("example:ud", "example:sud")
    parts = found.labels
    las = cg.evaluate("example:ud", "example:sud", check_scheme=False)["las"]
    assert parts.correct == las.counts.totals["correct"]
    assert parts.lost == found.words - parts.correct
    assert parts.wrong_heads == found.errors == 0
    assert parts.wrong_labels <= 0.01 * parts.lost


@pytest.mark.parametrize("scheme", ["sud", "stanford"])
def test_wrong_labels_are_told_from_names_of_labels(scheme):
    gold = cg.read("example:ud")
    own = transform(gold, "ud", scheme)[0]
    labels = own.deprel.tolist()
    chosen = range(0, len(labels), 10)
    for place in chosen:
        labels[place] = "wrong"
    parse = own.replace("words", deprel=Strings.of(labels))
    parts = cg.conventions(gold, parse).labels
    assert abs(parts.wrong_labels - len(chosen)) <= 0.02 * parts.lost


def test_other_names_for_the_same_labels_are_a_convention():
    gold = cg.read("example:ud")
    parse = gold.replace("words", deprel=gold.deprel.map(str.upper))
    parts = cg.conventions(gold, parse).labels
    assert parts.names > 0.95 * parts.lost
    assert parts.structure == parts.wrong_heads == 0


def test_a_parse_without_labels_has_no_parts_of_las():
    gold = cg.read("example:ud")
    bare = gold.replace("words", deprel=Strings.constant("_", gold.words.rows))
    assert cg.conventions(gold, bare).labels is None


# ── several parses ───────────────────────────────────────────────────────────────────────────────


def test_several_parses_are_shown_together():
    done = run("evaluate", "example:ud", "sud=example:sud", "ud=example:ud-parse", "--conventions")
    rows = {row.split()[0]: row.split()[1:] for row in done.stdout.splitlines()[3:5]}
    assert rows["sud"][:3] == ["61.47", "38.53", "0.00"]
    assert rows["ud"][:3] == ["97.95", "0.00", "2.05"]
    assert "Convention or error: sud" in done.stdout


def test_few_words_are_told_to_be_uncertain():
    gold, parse = cg.read("example:ud")[:9], cg.read("example:sud")[:9]
    assert "words are few to read choices off" in cg.conventions(gold, parse).uncertain
    assert cg.conventions("example:ud", "example:sud").uncertain == ""
