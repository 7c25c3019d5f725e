"""Scores on dependencies: what other programs say, and what must hold whatever the trees."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scorer_names import CONLL18
from strategies import heads

from commonground.corpus import Dependencies
from commonground.errors import InputError, UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.metrics.settings import Settings, preset

FAMILY = ["uas", "las", "la", "undirected", "ned"]


def scores(words, gold, parse, metrics=FAMILY):
    labels = ["_"] * len(gold)
    result = evaluate(
        Dependencies.of([(words.split(), gold, labels)]),
        Dependencies.of([(words.split(), parse, labels)]),
        metrics=metrics,
    )
    return {name: result[name].counts.totals["correct"] for name in metrics}


# ── the examples of Schwartz (2011) ──────────────────────────────────────────────────────────────


def test_ned_ignores_an_edge_flip_and_undirected_does_not():
    """In 'I want to eat', the edge between 'to' and 'eat' is turned."""
    result = scores("I want to eat", [2, 0, 4, 2], [2, 0, 2, 3])
    assert (result["uas"], result["undirected"], result["ned"]) == (2, 3, 4)


def test_ned_accepts_each_head_of_a_prepositional_phrase():
    """In 'in the house', every word is a reasonable head."""
    gold = [0, 3, 1]  # 'in' heads 'house', which heads 'the'
    assert scores("in the house", gold, [3, 3, 0])["ned"] == 3  # 'house' is the head
    assert scores("in the house", gold, [0, 1, 2])["ned"] == 3  # 'the' heads 'house'
    assert scores("in the house", gold, [3, 3, 0])["undirected"] == 2
    assert scores("in the house", gold, [0, 1, 2])["undirected"] == 2


def test_ned_accepts_each_head_of_a_coordination():
    """In 'John and Mary', the conjunction or a conjunct can be the head."""
    gold = [2, 0, 2]
    assert scores("John and Mary", gold, [0, 1, 2])["ned"] == 3
    assert scores("John and Mary", gold, [2, 3, 0])["ned"] == 3
    assert scores("John and Mary", gold, [0, 1, 2])["uas"] == 1


def test_ned_does_not_accept_what_is_further_away():
    assert scores("a b c d", [2, 3, 4, 0], [4, 3, 4, 0])["ned"] == 3


# ── the field's own programs ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("answer", "settings"),
    [
        ("eval-conllx", preset("conllx")),
        ("eval-conllx-with-punct", preset("conllx", punctuation="keep")),
        ("eval-2007", preset("conll07")),
        ("eval-2007-no-punct", preset("conll07", punctuation="unicode")),
    ],
)
@pytest.mark.parametrize("suffix", ["conll", "conllu"])
def test_the_conllx_and_2007_scorers_say_the_same(shared, answer, settings, suffix, kernels):
    folder = shared / "golden/attachment"
    said = re.findall(r"(\d+) / (\d+) \* 100 = ([\d.]+) %", (folder / f"{answer}.txt").read_text())
    result = evaluate(
        folder / f"gold.{suffix}",
        folder / f"sys.{suffix}",
        metrics=["las", "uas", "la"],
        settings=settings,
    )
    for metric, (correct, total, percentage) in zip(["las", "uas", "la"], said, strict=True):
        score = result[metric]
        assert score.counts.totals["correct"] == int(correct)
        assert score.counts.totals["gold"] == score.counts.totals["system"] == int(total)
        assert f"{100 * score.value:.2f}" == percentage


def test_the_conll_2018_scorer_says_the_same(shared, kernels):
    folder = shared / "golden/attachment"
    result = evaluate(
        folder / "gold.conllu",
        folder / "sys.conllu",
        metrics=list(CONLL18.values()),
        settings=preset("conll18"),
    )
    lines = (folder / "conll18.txt").read_text().splitlines()[2:]
    assert len(lines) == len(CONLL18)
    for line in lines:
        name, *said = (field.strip() for field in line.split("|"))
        score = result[CONLL18[name]]
        results = [score.precision, score.recall, score.value]
        assert [f"{100 * value:.2f}" for value in results] == said[:3], name
        if said[3]:
            totals = score.counts.totals
            assert f"{100 * totals['correct'] / totals['aligned']:.2f}" == said[3], name


@pytest.mark.parametrize(("longest", "line"), [(None, 0), (10, 1)])
def test_the_ned_program_says_the_same(shared, longest, line, kernels):
    folder = shared / "golden/attachment"
    said = (folder / "ned.txt").read_text().splitlines()[line]
    result = evaluate(
        folder / "ned.gold.txt",
        folder / "ned.sys.txt",
        metrics=["ned"],
        settings=preset("ned", longest=longest),
    )
    totals = result["ned"].counts.totals
    assert f"{totals['correct']}/{totals['gold']} ({result['ned'].value:.3f})" == said


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


@st.composite
def pairs_of_treebanks(draw):
    """Two analyses of the same random sentences."""
    gold, parse = [], []
    for _ in range(draw(st.integers(1, 4))):
        length = draw(st.integers(1, 9))
        words = draw(st.lists(st.sampled_from("a b . c".split()), min_size=length, max_size=length))
        for side in (gold, parse):
            labels = draw(
                st.lists(
                    st.sampled_from(["x", "y:z", "y", "nsubj", "case"]),
                    min_size=length,
                    max_size=length,
                )
            )
            side.append((words, draw(heads(length)), labels))
    return Dependencies.of(gold), Dependencies.of(parse)


ALL_SETTINGS = [Settings(), preset("conll18"), preset("conllx"), preset("ned")]


@given(pairs_of_treebanks())
def test_each_forgiving_score_is_at_least_the_stricter_one(pair):
    result = evaluate(*pair, metrics=FAMILY)
    value = {name: result[name].value for name in FAMILY}
    assert value["las"] <= value["uas"] <= value["undirected"] <= value["ned"]
    assert value["las"] <= value["la"]


@given(pairs_of_treebanks(), st.sampled_from(ALL_SETTINGS))
def test_a_treebank_against_itself_is_perfect_on_everything(pair, settings):
    result = evaluate(pair[0], pair[0], metrics=["all"], settings=settings)
    wrong = {
        name: score.value
        for name, score in result.systems[0].scores.items()
        if score.value != 1 and not (score.value is None and score.empty and score.undefined)
    }
    assert wrong == {}


@given(pairs_of_treebanks(), st.sampled_from(ALL_SETTINGS))
def test_what_is_correct_is_on_both_sides(pair, settings):
    result = evaluate(*pair, metrics=["all"], settings=settings)
    for score in result.systems[0].scores.values():
        if score.items is None:  # no item has a meaning here
            assert score.undefined
            continue
        columns = score.counts.columns
        assert (columns["correct"] >= 0).all()
        assert (columns["correct"] <= np.minimum(columns["gold"], columns["system"])).all()
        assert score.items.system.correct.sum() == columns["correct"].sum()


@given(pairs_of_treebanks(), st.randoms(use_true_random=False))
def test_the_order_of_sentences_does_not_matter(pair, random):
    order = list(range(len(pair[0])))
    random.shuffle(order)
    shuffled = [side[np.array(order)] for side in pair]
    one, two = (evaluate(*sides, metrics=["all"]) for sides in (pair, shuffled))
    for name, score in one.systems[0].scores.items():
        assert score.counts.totals == two[name].counts.totals


@given(pairs_of_treebanks())
def test_swapping_gold_and_parse_keeps_uas_las_and_la(pair):
    one, two = evaluate(*pair, metrics=FAMILY[:3]), evaluate(*pair[::-1], metrics=FAMILY[:3])
    assert [one[name].value for name in FAMILY[:3]] == [two[name].value for name in FAMILY[:3]]


# ── settings and mismatches ──────────────────────────────────────────────────────────────────────

GOLD = Dependencies.of([("A b c".split(), [2, 0, 2], ["x:y", "root", "z"]), (["D"], [0], ["root"])])


def test_labels_are_compared_as_the_settings_say():
    parse = Dependencies.of(
        [("A b c".split(), [2, 0, 2], ["X", "root", "w"]), (["D"], [0], ["root"])]
    )
    assert evaluate(GOLD, parse, metrics=["la"])["la"].value == 2 / 4
    relaxed = Settings(subtypes=False, ignore_case=True)
    assert evaluate(GOLD, parse, metrics=["la"], settings=relaxed)["la"].value == 3 / 4
    equal = Settings(subtypes=False, ignore_case=True, equivalent={"w": "z"})
    assert evaluate(GOLD, parse, metrics=["la"], settings=equal)["la"].value == 1


def test_sentences_out_of_the_length_limits_do_not_count():
    result = evaluate(GOLD, GOLD, metrics=["uas"], settings=Settings(longest=1))
    assert result["uas"].counts.totals["gold"] == 1
    result = evaluate(GOLD, GOLD, metrics=["uas"], settings=Settings(shortest=2))
    assert result["uas"].counts.totals["gold"] == 3


OTHER = Dependencies.of([("A bc".split(), [2, 0], ["x", "root"]), (["D"], [0], ["root"])])


def test_different_words_fail_with_the_place_and_a_way_out():
    with pytest.raises(
        InputError,
        match=r"sentence 1 has 'bc' as word 2, the gold standard has 'b'.*--on-mismatch skip",
    ):
        evaluate(GOLD, OTHER)


def test_different_words_can_be_skipped_and_are_listed():
    result = evaluate(GOLD, OTHER, metrics=["uas"], settings=Settings(on_mismatch="skip"))
    assert result["uas"].counts.totals["gold"] == 1
    assert result.systems[0].skipped == ("1",)
    assert "skipped:1" in result.signature


def test_different_words_can_be_realigned():
    result = evaluate(
        GOLD, OTHER, metrics=["words", "uas"], settings=Settings(on_mismatch="realign")
    )
    assert result["words"].counts.totals == {"correct": 2, "gold": 4, "system": 3, "aligned": 2}
    # 'A' hangs on a word that the gold standard does not have.
    assert result["uas"].counts.totals["correct"] == 1


def test_a_different_number_of_sentences_is_told():
    with pytest.raises(InputError, match=r"1 sentence, but the gold standard .* has 2"):
        evaluate(GOLD, GOLD[:1])


def test_different_texts_cannot_be_realigned():
    with pytest.raises(
        InputError, match=r"the text goes on with 'xD', but in the gold standard .* with 'bcD'"
    ):
        evaluate(
            GOLD,
            Dependencies.of([("A x".split(), [2, 0], ["x", "root"]), (["D"], [0], ["root"])]),
            settings=preset("conll18"),
        )


def test_an_unknown_metric_or_preset_is_told():
    with pytest.raises(UsageError, match="there is no metric 'lass'"):
        evaluate(GOLD, GOLD, metrics=["lass"])
    with pytest.raises(UsageError, match="there is no preset"):
        preset("conll03")


def test_words_without_a_head_in_the_gold_standard_do_not_count():
    partial = Dependencies.of([("A b".split(), [-1, 0], ["_", "root"])])
    assert evaluate(partial, partial, metrics=["uas"])["uas"].counts.totals["gold"] == 1


def test_a_score_knows_its_sentences():
    result = evaluate(GOLD, GOLD, metrics=["las"])
    assert result["las"].by_sentence().tolist() == [1.0, 1.0]
    assert result["las"].counts.columns["gold"].tolist() == [3, 1]


def test_a_single_feature_can_be_asked_for(shared):
    path = shared / "golden/attachment/gold.conllu"
    assert evaluate(path, path, metrics=["feats.Case"])["feats.Case"].value == 1
