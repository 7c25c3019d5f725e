"""Precision and recall of relations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground import InputError, read
from commonground.corpus import Relations, Strings, Table
from commonground.corpus.table import offsets_of
from commonground.evaluation.evaluate import evaluate
from commonground.metrics.settings import Settings

WORDS = ["root", "the", "cat", "saw", "dogs"]


def bank(*sentences, places=True):
    """Return a bank of relations (label, head, dependent, subtype, value).

    Nodes are places in WORDS, or texts, which stand for no word; None is no node.
    """
    nodes, relations = [], []
    for sentence in sentences:
        names = {}
        relations.append(
            [
                (label, *(_node(names, end) for end in ends), *(rest + ["_"] * (2 - len(rest))))
                for label, *ends, rest in ((r[0], r[1], r[2], list(r[3:])) for r in sentence)
            ]
        )
        nodes.append([(t, p, p) if places else (t, -1, -1) for t, p in names])
    flat_nodes = [node for names in nodes for node in names]
    flat = [relation for names in relations for relation in names]
    return Relations(
        {
            "nodes": Table(
                offsets_of([len(names) for names in nodes]),
                text=Strings.of(text for text, _, _ in flat_nodes),
                first=np.array([first for _, first, _ in flat_nodes], np.int32),
                last=np.array([last for _, _, last in flat_nodes], np.int32),
            ),
            "relations": Table(
                offsets_of([len(names) for names in relations]),
                label=Strings.of(r[0] for r in flat),
                head=np.array([r[1] for r in flat], np.int32),
                dependent=np.array([r[2] for r in flat], np.int32),
                subtype=Strings.of(r[3] for r in flat),
                value=Strings.of(r[4] for r in flat),
            ),
            "words": Table(np.zeros(len(sentences) + 1, np.int64), form=Strings.of([])),
        }
    )


def _node(found, end):
    if end is None:
        return -1
    key = (WORDS[end], end) if isinstance(end, int) else (end, -1)
    return found.setdefault(key, len(found))


def totals(gold, parse, metric="relations_f1", **settings):
    result = evaluate(gold, parse, metrics=[metric], settings=Settings(**settings))
    counts = result[metric].counts.totals
    return counts["correct"], counts["gold"], counts["system"]


GOLD = [("root", 0, 3), ("nsubj", 3, 2), ("det", 2, 1), ("dobj", 3, 4)]


def test_precision_recall_and_f1():
    result = evaluate(bank(GOLD), bank([*GOLD[:2], ("dobj", 3, 1)]), metrics=["all"])
    assert result["relations_precision"].value == pytest.approx(2 / 3)
    assert result["relations_recall"].value == 0.5
    assert result["relations_f1"].value == pytest.approx(4 / 7)


def test_a_wrong_label_is_wrong_only_with_labels():
    parse = bank([*GOLD[:3], ("iobj", 3, 4)])
    assert totals(bank(GOLD), parse) == (3, 4, 4)
    assert totals(bank(GOLD), parse, "relations_unlabelled_f1") == (4, 4, 4)


def test_head_and_dependent_cannot_be_exchanged():
    turned = bank([("nsubj", 2, 3)])
    assert totals(bank([("nsubj", 3, 2)]), turned, "relations_unlabelled_f1") == (0, 1, 1)


def test_relations_count_as_often_as_they_are_there():
    assert totals(bank([GOLD[1]]), bank([GOLD[1], GOLD[1]])) == (1, 1, 2)


def test_the_order_of_relations_and_nodes_does_not_matter():
    assert totals(bank(GOLD), bank(GOLD[::-1])) == (4, 4, 4)


def test_relations_of_other_sentences_do_not_match():
    gold, parse = bank([GOLD[0]], [GOLD[1]]), bank([GOLD[1]], [GOLD[0]])
    assert totals(gold, parse) == (0, 2, 2)


def test_nodes_with_positions_are_compared_by_these_and_others_by_text():
    gold, parse = bank([("mod", 2, "pro"), ("mod", 2, "pred")]), bank([("mod", 2, "pro")])
    assert totals(gold, parse) == (1, 2, 1)


def test_a_side_without_positions_is_compared_by_text():
    assert totals(bank(GOLD), bank(GOLD, places=False)) == (4, 4, 4)
    assert totals(bank(GOLD), bank([("nsubj", 3, 4)], places=False)) == (0, 4, 1)


def test_subtypes_and_values_count_unless_subtypes_are_left_out():
    gold, parse = bank([("ncsubj", 3, 2, "_", "obj")]), bank([("ncsubj", 3, 2)])
    assert totals(gold, parse) == (0, 1, 1)
    assert totals(gold, parse, subtypes=False) == (1, 1, 1)
    gold, parse = bank([("cmod", 3, 2, "that")]), bank([("cmod", 3, 2, "which")])
    assert totals(gold, parse) == (0, 1, 1)
    assert totals(gold, parse, "relations_unlabelled_f1") == (1, 1, 1)


def test_labels_are_compared_as_the_settings_say():
    gold, parse = bank([("nsubj:pass", 3, 2)]), bank([("NSUBJ", 3, 2)])
    assert totals(gold, parse) == (0, 1, 1)
    assert totals(gold, parse, subtypes=False, ignore_case=True) == (1, 1, 1)


def test_attributes_count_only_when_asked_for():
    gold = bank([GOLD[1], ("num", 2, None, "_", "sg")])
    parse = bank([GOLD[1], ("num", 2, None, "_", "pl")])
    assert totals(gold, parse) == (1, 1, 1)
    assert totals(gold, parse, attributes=True) == (1, 2, 2)
    assert totals(gold, gold, attributes=True) == (2, 2, 2)
    unlabelled = totals(gold, parse, "relations_unlabelled_f1", attributes=True)
    assert unlabelled == (1, 2, 2)


def test_a_relation_of_one_argument_counts():
    assert totals(bank([("passive", 3, None)]), bank([("passive", 3, None)])) == (1, 1, 1)


def test_as_many_sentences_are_needed():
    with pytest.raises(InputError, match="1 sentence, but the gold standard"):
        evaluate(bank(GOLD, GOLD), bank(GOLD))


def test_nothing_against_nothing_is_undefined():
    for gold in (bank(), bank([])):
        result = evaluate(gold, gold, metrics=["all"]).systems[0].scores
        assert {score.value for score in result.values()} == {None}


@pytest.mark.parametrize("name", ["gr", "stanford", "parc", "hpsg-pa"])
def test_real_relations_against_themselves_are_perfect(shared, name):
    gold = read(shared / "data" / "pe08" / f"genia.{name}")
    result = evaluate(gold, gold, metrics=["all"], settings=Settings(attributes=True))
    assert {score.value for score in result.systems[0].scores.values()} == {1.0}
    assert result["relations_f1"].counts.totals["gold"] == gold.relations.rows


NODE = st.sampled_from([0, 1, 2, 3, 4, "pro", "pred"])
RELATION = st.tuples(
    st.sampled_from(["a", "b:x", "B"]),
    NODE,
    NODE | st.none(),
    st.sampled_from(["_", "that"]),
    st.sampled_from(["_", "obj"]),
)
BANK = st.lists(RELATION, max_size=6)


@given(st.lists(st.tuples(BANK, BANK), max_size=3), st.booleans())
def test_no_more_is_correct_than_either_side_has_and_labels_only_take_away(pairs, attributes):
    gold, parse = (bank(*[pair[side] for pair in pairs]) for side in (0, 1))
    result = evaluate(gold, parse, metrics=["all"], settings=Settings(attributes=attributes))
    one, two = (result[f"relations_{n}f1"].counts.columns for n in ("", "unlabelled_"))
    for columns in (one, two):
        assert (columns["correct"] <= np.minimum(columns["gold"], columns["system"])).all()
    assert (one["correct"] <= two["correct"]).all()
    own = evaluate(gold, gold, metrics=["all"], settings=Settings(attributes=attributes))
    assert {score.value for score in own.systems[0].scores.values() if not score.empty} <= {1.0}
