"""``commonground diff``: every change between two versions is told exactly once."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, run
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.corpus import Strings
from commonground.evaluation.treebank_changes import treebank_changes


@pytest.fixture(scope="module")
def example():
    return cg.read("example:ud")


def changed(corpus, **columns):
    """Return a corpus with other texts in some rows: {column: {row: text}}."""
    for name, texts in columns.items():
        values = corpus.words.strings(name).tolist()
        for row, text in texts.items():
            values[row] = text
        corpus = corpus.replace("words", **{name: Strings.of(values)})
    return corpus


def test_a_treebank_has_not_changed_against_itself(example):
    changes = treebank_changes(example, example)
    assert not changes
    assert changes.kinds == ()
    assert changes.unchanged == len(example)


@given(data=st.data())
def test_planted_changes_are_told_exactly_once(example, data):
    rows = data.draw(st.sets(st.integers(0, example.words.rows - 1), min_size=1, max_size=30))
    column = data.draw(st.sampled_from(["upos", "deprel", "lemma", "xpos"]))
    new = changed(example, **{column: dict.fromkeys(rows, "PLANTED")})
    changes = treebank_changes(example, new)
    assert sum(kind.changes for kind in changes.kinds) == len(rows) == changes.changed_words
    assert {(kind.what, kind.new) for kind in changes.kinds} == {(column, "PLANTED")}
    sentences = set(example.words.sentence_of_row()[sorted(rows)].tolist())
    assert len(changes.sentences["changed"]) == len(sentences)


def test_the_way_back_tells_the_same_changes_turned_round(example):
    parse = cg.read("example:ud-parse")
    there, back = treebank_changes(example, parse), treebank_changes(parse, example)
    turned = {
        (kind.what, kind.new, kind.old, kind.changes)
        for kind in back.kinds
        if "head" not in kind.what
    }
    assert {
        (kind.what, kind.old, kind.new, kind.changes)
        for kind in there.kinds
        if "head" not in kind.what
    } == turned


def test_features_are_told_one_by_one(example):
    [row] = [r for r, text in enumerate(example.feats.tolist()) if text.startswith("Case=")][:1]
    old = dict(entry.split("=") for entry in example.feats[row].split("|"))
    new = changed(
        example,
        feats={row: "Case=Odd|" + "|".join(f"{k}={v}" for k, v in old.items() if k != "Case")},
    )
    assert [(k.what, k.old, k.new) for k in treebank_changes(example, new).kinds] == [
        ("Case", old["Case"], "Odd")
    ]


def test_changes_of_many_words_alike_are_a_wave(example):
    rows = [row for row, label in enumerate(example.deprel.tolist()) if label == "det"]
    renamed = treebank_changes(example, changed(example, deprel=dict.fromkeys(rows, "nmod:det")))
    [kind] = renamed.kinds
    assert kind.wave
    assert kind.share == 1.0
    [single] = treebank_changes(example, changed(example, deprel={rows[0]: "amod"})).kinds
    assert not single.wave
    assert single.share == 1 / len(rows)


def test_sentences_that_were_added_removed_or_merged_are_told(example):
    assert treebank_changes(example, example[3:]).sentences["removed"] == tuple(
        example.sent_id[:3].tolist()
    )
    assert len(treebank_changes(example[5:], example).sentences["added"]) == 5
    two = cg.read_text("1\tHi\t_\tX\t_\t_\t0\troot\t_\t_\n\n1\tyou\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    one = cg.read_text("1\tHi\t_\tX\t_\t_\t0\troot\t_\t_\n2\tyou\t_\tX\t_\t_\t1\tdep\t_\t_\n\n")
    assert "merged" in treebank_changes(two, one).sentences
    assert "split" in treebank_changes(one, two).sentences


def test_the_command_exits_with_one_for_ci_where_something_has_changed():
    assert run("diff", "example:ud", "example:ud", "--exit-code").returncode == 0
    done = run("diff", "example:ud", "example:ud-parse", "--exit-code", "--output-format", "json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert {"what": "deprel", "old": "ccomp", "new": "xcomp"}.items() <= told["changes"][1].items()
    assert_refused(run("diff", "example:ud", "example:ptb"), "diff compares dependencies")
