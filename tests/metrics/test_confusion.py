"""What is taken for what."""

from __future__ import annotations

import pytest

import commonground
from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.metrics.confusion import EXAMPLES, ConfusionCell
from commonground.metrics.settings import Settings

GOLD = "".join(
    f"# sent_id = s{number}\n"
    "1\tBirds\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
    "3\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n"
    for number in range(7)
)
PARSE = GOLD.replace("2\tnsubj", "2\tobj").replace("2\tpunct", "1\tpunct", 1)


def cells(what, gold=GOLD, parse=PARSE, **settings):
    result = evaluate(gold, parse, metrics=["uas"], settings=Settings(**settings))
    return result.systems[0].confusion(what)


def test_labels_that_are_taken_for_others_are_counted_with_examples():
    by_name = {(cell.gold, cell.system): cell for cell in cells("label")}
    assert set(by_name) == {("nsubj", "obj"), ("root", "root"), ("punct", "punct")}
    assert by_name["nsubj", "obj"] == ConfusionCell(
        "nsubj",
        "obj",
        7,
        tuple((f"s{number}", 1) for number in range(EXAMPLES)),
        ("[Birds] sing .",) * EXAMPLES,
    )


def test_the_most_frequent_come_first_and_ties_are_in_alphabetical_order():
    results = [(cell.gold, cell.count) for cell in cells("label")]
    assert results == [("nsubj", 7), ("punct", 7), ("root", 7)]
    assert [cell.count for cell in cells("head-tag")] == [13, 7, 1]


def test_tags_of_heads_that_are_taken_for_others():
    by_name = {(cell.gold, cell.system): cell.count for cell in cells("head-tag")}
    assert by_name == {("VERB", "VERB"): 13, ("root", "root"): 7, ("VERB", "NOUN"): 1}
    wrong = next(cell for cell in cells("head-tag") if cell.gold != cell.system)
    assert wrong.examples == (("s0", 3),)


def test_a_tag_called_root_is_that_of_no_word():
    tagged = GOLD.replace("VERB", "root")
    assert {(cell.gold, cell.count) for cell in cells("head-tag", tagged, tagged)} == {("root", 21)}


def test_words_that_do_not_count_are_not_confused():
    assert {cell.gold for cell in cells("label", punctuation="unicode")} == {"nsubj", "root"}


def test_labels_are_as_the_settings_compare_them():
    [cell] = [c for c in cells("label", equivalent={"obj": "nsubj"}) if c.gold == "nsubj"]
    assert (cell.system, cell.count) == ("nsubj", 7)


def test_words_that_the_parse_does_not_have_are_not_confused():
    gold = Dependencies.of([(["can", "not", "go"], [3, 3, 0], ["aux", "advmod", "root"])])
    parse = Dependencies.of([(["cannot", "go"], [2, 0], ["aux", "root"])])
    [cell] = cells("label", gold, parse, on_mismatch="realign")
    assert (cell.gold, cell.system, cell.count) == ("root", "root", 1)


def test_an_empty_treebank_has_no_confusions():
    assert cells("label", Dependencies.of([]), Dependencies.of([])) == []


def test_unknown_confusions_are_told():
    with pytest.raises(
        UsageError, match="no confusions of 'colour'; there are those of label, head-tag"
    ):
        cells("colour")


def test_confusions_are_those_of_dependencies():
    tree = commonground.read_text("(S (A a))\n")
    result = evaluate(tree, tree)
    with pytest.raises(UsageError, match="dependencies only"):
        result.systems[0].confusion("label")
