"""What edits cost, and what that does to scores."""

import json

import pytest
from command import assert_refused, assert_silent_success, run
from function_trees import corpora
from function_trees import trees as tree
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import InputError, UsageError
from commonground.evaluation.compare import compare
from commonground.evaluation.explained_sentence import explain_sentence
from commonground.ground.costs import Costs, parse_costs
from commonground.metrics.functions import tedeval, tedeval_2011

UD = "ud=example:ud:example:ud-parse"
PTB = "ptb=example:ptb:example:ptb-parse"


def scored(protocol, parse, own, general=None, **options):
    module = {"2012": tedeval, "2011": tedeval_2011}[protocol]
    items = {"2012": tedeval.tedeval_items, "2011": tedeval_2011.tedeval_2011_items}[protocol]
    formula = module.share_right if protocol == "2012" else module.score
    return formula(items(parse, own, general, **options).counts.totals)


GOLD = tree("({sbj} John) ({*} loves) ({obj} Mary)")
PARSE = tree("({sbj} John) ({*} loves) ({mod} Mary)")


@pytest.mark.parametrize(
    ("protocol", "costs", "score"),
    [
        ("2011", Costs(), 1 - 1 / 6),
        ("2011", Costs(relabel=0.5), 1 - 0.5 / 6),
        ("2011", Costs(relabel=3), 1 - 2 / 6),  # deleting and inserting is cheaper
        ("2011", Costs(relabel=3, delete=0.25), 1 - 1.25 / 3.75),
        ("2011", Costs(pairs={("obj", "mod"): 0}), 1),
        ("2011", Costs(labels={"obj": 3}), 1 - 1 / 8),
        ("2012", Costs(), 1 - 2 / 6),
        ("2012", Costs(labels={"mod": 0, "obj": 0}), 1),
        ("2012", Costs(labels={"obj": 2}), 1 - 3 / 7),
        ("2012", Costs(insert=0.5), 1 - 1.5 / 4.5),
    ],
)
def test_costs_are_what_one_computes_by_hand(kernels, protocol, costs, score):
    assert scored(protocol, PARSE, GOLD, costs=costs) == pytest.approx(score)


@pytest.mark.parametrize("protocol", ["2011", "2012"])
def test_what_other_theories_do_not_have_is_forgiven_whatever_it_costs(kernels, protocol):
    own = tree("({sbj} John) ({prd} ({*} loves) ({obj} Mary))")
    costs = Costs(delete=2, labels={"prd": 7})
    assert scored(protocol, own, own, GOLD, costs=costs) == 1


@pytest.mark.parametrize("protocol", ["2011", "2012"])
@settings(max_examples=20)
@given(corpora(3), st.booleans())
def test_costs_of_one_change_nothing(protocol, trees, labelled):
    plain = scored(protocol, *trees, labelled=labelled)
    assert scored(protocol, *trees, labelled=labelled, costs=Costs()) == pytest.approx(plain)


def test_unlabelled_scores_know_only_kinds():
    costs = Costs(delete=3, labels={"prd": 9})
    parse = tree("({sbj} John) ({prd} ({*} loves) ({obj} Mary))")
    assert scored("2012", parse, GOLD, labelled=False, costs=costs) == 1 - 3 / (4 * 3 + 3)


def test_the_explanation_adds_up_to_the_score():
    systems = {"a": (GOLD, PARSE), "b": (GOLD, GOLD)}
    costs = Costs(relabel=0.5, labels={"sbj": 2})
    outcome = explain_sentence(systems, "1", protocol="2011", costs=costs)[0].blocks[0]
    assert outcome.formula == "δ = 0.5, |P|+|G| = 4+4 = 8, score = 1 − 0.5/8 = 93.75"
    result = compare(systems, protocol="2011", costs=costs)
    assert result["a"].multiple.labelled.value == outcome.score


@pytest.mark.parametrize(
    "text",
    [
        "insert = -1",
        "insert = 1001",
        "insert = 0.0001",
        "insert = 'one'",
        "delete = true",
        "delete = nan",
        "labels = 3",
        "pairs = [['a', 'b']]",
        "pairs = 3",
        "pairs = [['a', 'b', 1], ['b', 'a', 2]]",
        "pairs = [['a', 'b', 1], ['a', 'b', 2]]",
        "[labels]\na = {}",
        "colour = 1",
        "insert = ",
    ],
)
def test_bad_costs_are_refused(text):
    with pytest.raises(InputError, match=r"costs\.toml"):
        parse_costs(text, "costs.toml")


def test_the_protocol_of_2012_refuses_costs_of_relabelling():
    with pytest.raises(UsageError, match="has no relabelling"):
        compare({"a": (GOLD, PARSE), "b": (GOLD, GOLD)}, costs=Costs(relabel=2))


def test_costs_are_in_the_signature_and_the_request(tmp_path):
    file = tmp_path / "costs.toml"
    file.write_text("[labels]\npunct = 0\n")
    done = run("compare", UD, PTB, "--costs", file, "--output-format", "json", "--quiet")
    assert_silent_success(done)
    data = json.loads(done.stdout)
    assert "costs:insert=1 delete=1 relabel=1 punct=0" in data["signature"]
    assert data["request"]["options"]["costs"] == str(file)
    assert str(file) in data["request"]["inputs"]


def test_a_file_of_costs_that_is_none_is_told(tmp_path):
    file = tmp_path / "costs.toml"
    file.write_text("remove = 1\n")
    assert_refused(run("compare", UD, PTB, "--costs", file), "'remove' is not one of insert")
