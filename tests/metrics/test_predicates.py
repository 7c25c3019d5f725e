"""Predicates and arguments of CoNLL-2008 and -2009, with the numbers of the script eval09.pl."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.errors import InputError
from commonground.metrics.settings import preset

GOLD = """\
1 The _ _ DT DT _ _ 2 2 NMOD NMOD _ _ _ _
2 girl _ _ NN NN _ _ 3 3 SBJ SBJ _ _ A0 A0|A1
3 wants _ _ VB VB _ _ 0 0 ROOT ROOT Y want.01 _ _
4 to _ _ TO TO _ _ 3 3 OPRD OPRD _ _ A1 _
5 sing _ _ VB VB _ _ 4 4 IM IM Y sing.02 _ _
6 today _ _ NN NN _ _ 5 5 TMP TMP _ _ _ AM-TMP

1 He _ _ PR PR _ _ 2 2 SBJ SBJ _ _ A0
2 left _ _ VB VB _ _ 0 0 ROOT ROOT Y leave.01 _
3 . _ _ . . _ _ 2 2 P P _ _ _

1 Birds _ _ NN NN _ _ 2 2 SBJ SBJ _ _ A0
2 sing _ _ VB VB _ _ 0 0 ROOT ROOT Y zpívat _

1 Why _ _ WH WH _ _ 0 0 ROOT ROOT _ _
2 ? _ _ . . _ _ 1 1 P P _ _

"""
PARSE = """\
1 The _ _ DT DT _ _ 2 2 NMOD NMOD Y the.01 _ _ _
2 girl _ _ NN NN _ _ 5 3 SBJ SBJ _ _ A1 A0 A0|A2
3 wants _ _ VB VB _ _ 0 0 ROOT ROOT Y want.1 _ _ _
4 to _ _ TO TO _ _ 3 3 OPRD OPRD _ _ _ A1 _
5 sing _ _ VB VB _ _ 4 4 OBJ IM Y sing.03 _ _ _
6 today _ _ NN NN _ _ 3 5 TMP TMP _ _ _ AM-TMP AM-LOC

1 He _ _ PR PR _ _ 2 2 SBJ SBJ _ _ A0
2 left _ _ VB VB _ _ 0 0 ROOT ROOT Y leave.001 _
3 . _ _ . . _ _ 2 2 P P _ _ _

1 Birds _ _ NN NN _ _ 2 2 SBJ SBJ _ _
2 sing _ _ VB VB _ _ 0 0 ROOT ROOT _ _

1 Why _ _ WH WH _ _ 0 0 ROOT ROOT _ _
2 ? _ _ . . _ _ 1 1 P P _ _

"""

BARE = "\n".join(
    " ".join([*fields[:12], "_", "_"]) if len(fields := line.split(" ")) > 1 else ""
    for line in GOLD.split("\n")
)
"""The gold standard without predicates."""


def read(text):
    return cg.read_text(text.replace(" ", "\t"), "conll2009")


def scores_of(gold, parse, *metrics):
    found = cg.evaluate(read(gold), read(parse), metrics=metrics)
    return [found[name].value for name in metrics]


EVAL09 = {
    "las": "76.92",
    "uas": "84.62",
    "la": "92.31",
    "semantic_precision": "50.00",
    "semantic_recall": "54.55",
    "semantic_f1": "52.17",
    "semantic_unlabelled_precision": "75.00",
    "semantic_unlabelled_recall": "81.82",
    "semantic_unlabelled_f1": "78.26",
    "semantic_sense_f1": "50.00",  # 2 right of 4 and 4, over all tags
    "semantic_proposition_f1": "25.00",
    "semantic_exact_match": "50.00",
    "semantic_macro_f1": "64.58",
    "semantic_unlabelled_macro_f1": "81.48",
}


def test_the_numbers_are_those_of_eval09():
    scores = cg.evaluate(read(GOLD), read(PARSE), settings=preset("conll2009"))
    assert {name: f"{100 * scores[name].value:.2f}" for name in EVAL09} == EVAL09
    assert tuple(EVAL09) == preset("conll2009").metrics


def test_a_proposition_against_itself_is_right_and_order_does_not_matter():
    metrics = [name for name in preset("conll2009").metrics if name.startswith("semantic")]
    backwards = "\n\n".join(reversed(GOLD.strip().split("\n\n"))) + "\n\n"
    assert set(scores_of(GOLD, GOLD, *metrics)) == {1}
    there = scores_of(GOLD, PARSE, "semantic_precision", "semantic_recall", "semantic_f1")
    back = scores_of(PARSE, GOLD, "semantic_recall", "semantic_precision", "semantic_f1")
    assert there == back
    assert set(scores_of(backwards, backwards, *metrics)) == {1}


@pytest.mark.parametrize(
    ("gold", "parse", "same"),
    [
        *(("want.01", "want.1", True), ("want.01", "wish.01", True), ("a.b.01", "a.b.1", False)),
        *(("want.x", "wish.x", True), ("want.0", "want.00", True), ("want", "want.01", False)),
    ],
)
def test_senses_are_compared_as_numbers_behind_one_dot(gold, parse, same):
    texts = (GOLD.replace("leave.01", sense) for sense in (gold, parse))
    right = scores_of(*texts, "semantic_sense_f1")[0] == 1
    assert right is same


def test_a_word_with_fillpred_but_no_sense_is_no_predicate():
    text = GOLD.replace("Y leave.01", "Y _")
    counts = cg.evaluate(read(GOLD), read(text), metrics=["semantic_unlabelled_f1"])
    assert counts["semantic_unlabelled_f1"].counts.totals["system"] == 9  # of 11


def test_chinese_hyphens_say_that_there_is_nothing():
    assert scores_of(GOLD, GOLD.replace(" _ A0\n2 left", " - A0\n2 left"), "semantic_f1") == [1]


def test_a_file_without_predicates_has_no_score():
    assert scores_of(BARE, BARE, "semantic_f1") == [None]
    assert scores_of(GOLD, BARE, "semantic_f1", "semantic_recall") == [0, 0]


@pytest.mark.parametrize("sides", [(GOLD, BARE), (BARE, GOLD)])
def test_who_finds_no_predicate_gets_half_of_the_syntax(sides):
    """eval09.pl: labelled macro precision, recall and F1 are all 50.00 %."""
    assert scores_of(*sides, "las", "semantic_macro_f1") == [1, 0.5]


def test_uneven_columns_are_an_error_with_file_and_line(tmp_path):
    path = tmp_path / "a.conll09"
    path.write_text(GOLD.replace("A0|A1", "A0 A1").replace(" ", "\t"))
    with pytest.raises(InputError, match=r"a\.conll09:\d+: .* columns? of arguments"):
        cg.evaluate(path, path, metrics=["semantic_f1"])


@given(st.lists(st.sampled_from(["_", "A0", "A1", "A0|A1", "A1|A2|A0"]), min_size=4, max_size=4))
def test_unlabelled_is_never_below_labelled(labels):
    parse = GOLD
    for old, new in zip((" A0 A0|A1", " A1 _", "_ AM-TMP", "_ _ A0\n2 left"), labels, strict=True):
        parse = parse.replace(old, old.rsplit(" ", 1)[0] + f" {new}" if "\n" not in old else old)
    labelled, unlabelled = scores_of(GOLD, parse, "semantic_f1", "semantic_unlabelled_f1")
    assert 0 <= labelled <= unlabelled <= 1
