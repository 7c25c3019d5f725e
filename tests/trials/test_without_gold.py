"""Trials without a gold standard: where systems disagree, what to annotate, and the verdict."""

from __future__ import annotations

import numpy as np
import pytest
from command import run, write
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.corpus import Strings
from commonground.errors import InputError
from commonground.random import stream
from commonground.statistics.survey import draw, estimate, inclusion, size, units_needed
from commonground.trials.decision import decision
from commonground.trials.disagreement import disagreement_of, sheet

GOLD = cg.read("example:ud")[:40]


def damaged(share, seed=0):
    """The gold standard with a share of wrong labels."""
    random = np.random.default_rng(seed)
    wrong = random.random(GOLD.words.rows) < share
    labels = np.where(wrong, "wrong", np.array(GOLD.deprel.tolist(), object))
    return GOLD.replace("words", deprel=Strings.of(labels.tolist()))


def annotated(result, name):
    """The text of the sheet as one of the systems would fill it in."""
    return "".join(
        f"# unit = {unit.unit}\n{''.join(rows_of(unit.parses[name]))}\n" for unit in result.chosen
    )


def rows_of(text):
    return [f"{line}\n" for line in text.split("\n") if line and not line.startswith("#")]


def test_systems_that_agree_everywhere_cannot_be_told_apart():
    result = disagreement_of({"a": GOLD, "b": GOLD}, annotate=5)
    assert result.pairs[0].agreement == 1
    assert not result.chosen
    assert all(each.chosen is None for each in result.pairs[0].needed)
    with pytest.raises(cg.CommonGroundError, match="agree everywhere"):
        sheet(result)


def test_the_odd_one_is_the_one_that_differs_from_all_others():
    parses = {"a": damaged(0.05, 1), "b": damaged(0.05, 2), "odd": damaged(0.4, 3)}
    assert disagreement_of(parses).odd == "odd"
    alike = {name: damaged(0.1, seed) for seed, name in enumerate("abc")}
    assert disagreement_of(alike).odd == ""


def test_a_scheme_of_its_own_is_named_by_construction():
    result = disagreement_of({"ud": GOLD, "sud": cg.read("example:sud")[:40]})
    (pair,) = result.pairs
    assert "adposition" in pair.parts.conventions
    assert pair.parts.in_points()["convention"] > 50


def test_the_sheet_leaves_open_what_systems_disagree_on_and_nothing_else():
    parses = {"a": damaged(0.2, 1), "b": GOLD}
    result = disagreement_of(parses, annotate=6)
    made = sheet(result)
    whole = {unit.unit: cg.formats.read_text(unit.parses["b"], "conllu") for unit in result.chosen}
    labels = [label for unit in whole.values() for label in unit.deprel.tolist()]
    told = made.deprel.tolist()
    assert all(mine in ("_", other) for mine, other in zip(told, labels, strict=True))
    assert (np.array(told) == "_").tolist() == (made.head < 0).tolist()
    assert 0 < (made.head < 0).sum() < made.words.rows


def test_the_whole_text_annotated_gives_the_difference_itself():
    parses = {"bad": damaged(0.2, 1), "good": damaged(0.02, 2), "gold": GOLD}
    result = disagreement_of(parses, annotate=len(GOLD))
    told = decision(result, annotated(result, "gold"))
    pair = told.pairs[0]
    scores = cg.evaluate(GOLD, {name: parses[name] for name in ("bad", "good")}, metrics=["las"])
    bad, good = (scores.system(name)["las"].value for name in ("bad", "good"))
    assert pair.difference == pytest.approx(bad - good, abs=1e-9)
    assert pair.low == pytest.approx(pair.high) == pytest.approx(pair.difference)
    assert pair.sentence.startswith("good is better than bad by ")


def test_the_beginning_of_a_sheet_is_enough_but_no_other_part(tmp_path):
    result = disagreement_of({"a": damaged(0.3, 1), "b": GOLD}, annotate=10)
    text = annotated(result, "b")
    blocks = text.strip("\n").split("\n\n")
    some = decision(result, "\n\n".join(blocks[:6]) + "\n\n")
    assert some.annotated == 6
    assert some.pairs[0].difference < 0
    later = write(tmp_path / "later.conllu", "\n\n".join(blocks[3:]) + "\n\n")
    with pytest.raises(InputError, match=r"later\.conllu.*the beginning of the sheet"):
        decision(result, later)
    other = write(tmp_path / "other.conllu", text.replace("\n1\t", "\n1\tX", 1))
    with pytest.raises(InputError, match="not the text of the sheet"):
        decision(result, other)


@given(st.lists(st.floats(0, 9), min_size=1, max_size=40), st.integers(1, 40))
def test_probabilities_add_up_to_the_number_that_is_drawn(sizes, count):
    weights = np.array(sizes)
    probability = inclusion(weights, count)
    assert ((probability >= 0) & (probability <= 1)).all()
    assert not probability[weights == 0].any()
    wanted = min(count, int((weights > 0).sum()))
    assert probability.sum() == pytest.approx(wanted)
    if probability.any():
        drawn = draw(probability, stream(0, "test"))
        assert len(drawn) == wanted
        assert probability[drawn].all()


def test_estimates_are_right_in_the_mean_and_their_intervals_hold():
    random = np.random.default_rng(0)
    differing = random.poisson(3, 300) * 2
    words = random.integers(5, 40, 300)
    gain = np.array([2 * random.integers(-d // 2, d // 2 + 1) if d else 0 for d in differing])
    gain += (differing > 6) * 2
    probability = inclusion(size(differing, words), 60)
    items = int(2 * words.sum())
    made = []
    for _ in range(400):
        drawn = draw(probability, random)
        made.append(estimate(gain[drawn], probability[drawn], items))
    truth = gain.sum() / items
    error = np.std([each.difference for each in made]) / np.sqrt(len(made))
    assert np.mean([each.difference for each in made]) == pytest.approx(truth, abs=4 * error)
    assert 0.91 <= np.mean([each.low <= truth <= each.high for each in made]) <= 0.99


def test_a_larger_difference_needs_less_annotation_and_a_choice_less_than_chance():
    random = np.random.default_rng(0)
    words = random.integers(5, 40, 500)
    differing = np.where(random.random(500) < 0.3, random.poisson(4, 500) * 2, 0)
    items, sizes = int(2 * words.sum()), size(differing, words)
    needed = [units_needed(differing, sizes, items, wanted) for wanted in (0.005, 0.01, 0.02)]
    assert needed == sorted(needed, reverse=True)
    assert needed[1] < units_needed(differing, np.ones(500), items, 0.01)
    assert units_needed(differing, sizes, items, 0.9) is None


@pytest.mark.long
def test_from_text_to_a_verdict_by_the_command(tmp_path):
    write(tmp_path / "a.txt", cg.raw_text(GOLD))
    for name, parser in (("good", "frequent-head"), ("bad", "left-branching")):
        cg.train(GOLD, parser).save(tmp_path / f"{name}.model")
    line = ["trial", "a.txt", "--with", "good=good.model", "--with", "bad=bad.model"]
    done = run(*line, "--annotate", "20", "--sheet", "s.conllu", "-o", "t.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert cg.read(tmp_path / "s.conllu", partial=True).metadata("unit")[0].isdigit()
    refused = run("trial", "t.json", "--annotated", "s.conllu", cwd=tmp_path)
    assert refused.returncode == 2
    assert "nothing is annotated (s.conllu:" in refused.stderr
    result = cg.read_result(tmp_path / "t.json")
    write(tmp_path / "s.conllu", annotated(result, "good"))
    told = run("trial", "t.json", "--annotated", "s.conllu", cwd=tmp_path)
    assert "good is better than bad by " in told.stdout


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("example:ud --with a=x --annotate 3", "--annotate has no effect with a gold standard"),
        ("a.txt --with a=x --gold-scheme ud", "--gold-scheme has no effect without"),
        ("a.txt --with a=x --sheet s.conllu", "--sheet has no effect without --annotate"),
        ("a.txt", "there is no system to try"),
        ("t.json --annotated s.conllu --with a=x", "--with has no effect with --annotated"),
    ],
)
def test_options_that_have_no_effect_are_refused(line, message, tmp_path):
    for name in ("a.txt", "t.json", "s.conllu"):
        write(tmp_path / name, "Hi!\n")
    done = run("trial", *line.split(), cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
