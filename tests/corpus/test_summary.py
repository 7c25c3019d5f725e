"""What is in a corpus."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from strategies import conllu_files

from commonground.corpus import Corpus, Dependencies
from commonground.corpus.summary import sample, summary
from commonground.formats import read_text

MULTIWORD = """\
# text = Vámonos al mar
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\tV\t_\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\tP\t_\t1\tobj\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\tS\t_\t5\tcase\t_\t_
4\tel\tel\tDET\tD\t_\t5\tdet\t_\t_
5\tmar\tmar\tNOUN\tN\t_\t1\tobl\t_\t_

1\tSí\tsí\tINTJ\tI\t_\t0\troot\t_\t_
1.1\tnada\tnada\tNOUN\tN\t_\t_\t_\t_\t_

"""
CROSSED = Dependencies.of(
    [
        (
            ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today"],
            [2, 4, 4, 0, 7, 7, 2, 4],
            ["x"] * 8,
        ),
        (["Hi"], [-1], ["_"]),
    ]
)


def test_counts_of_dependencies():
    counts = summary(read_text(MULTIWORD)).counts
    assert (counts["sentences"], counts["words"]) == (2, 6)
    assert (counts["multiword tokens"], counts["empty nodes"]) == (2, 1)


def test_lengths_and_depths():
    result = summary(read_text(MULTIWORD))
    assert (result.mean("length"), result.spreads["length"].max) == (3.0, 5)
    assert (result.mean("depth"), result.spreads["depth"].max) == (2.0, 3)


def test_labels_and_tags_are_counted_and_nothing_is_not():
    result = summary(read_text(MULTIWORD))
    assert result.tallies["labels"] == {"root": 2, "case": 1, "det": 1, "obj": 1, "obl": 1}
    assert summary(CROSSED).tallies["universal tags"] == {}


def test_crossing_arcs_are_counted_with_their_share():
    result = summary(CROSSED)
    assert result.counts["non-projective sentences"] == 1
    assert result.share("non-projective sentences") == 0.5
    assert result.share("non-projective arcs") == pytest.approx(1 / 9)
    assert result.counts["words without a head"] == 1


def test_a_count_that_is_part_of_nothing_has_no_share():
    assert summary(CROSSED).share("words") is None
    assert summary(Dependencies.of([])).share("non-projective arcs") is None


def test_nothing_has_a_summary():
    result = summary(Dependencies.of([]))
    assert set(result.counts.values()) == {0}
    assert result.mean("length") == 0.0


def test_a_kind_without_a_summary_is_refused():
    with pytest.raises(TypeError, match="have no summary"):
        summary(object.__new__(Corpus))


def test_kinds_do_not_add_up():
    one = summary(CROSSED)
    with pytest.raises(ValueError, match="do not add up"):
        one + summary(read_text("(S (NP (NN a)))", "brackets"))


@given(conllu_files(), conllu_files())
def test_summaries_of_parts_add_up(one, other):
    parts = [read_text(one, "conllu"), read_text(other, "conllu")]
    assert summary(parts[0]) + summary(parts[1]) == summary(Dependencies.concatenate(parts))


def test_as_json():
    data = json.loads(json.dumps(summary(CROSSED).as_dict()))
    assert data["counts"]["words"] == 9
    assert data["spreads"]["length"] == {"mean": 4.5, "max": 8}
    assert data["shares"]["non-projective sentences"] == 0.5


def test_a_sample_depends_on_the_seed_alone():
    corpus = Dependencies.of([([str(n)], [0], ["root"]) for n in range(100)])
    drawn = [sentence.place for sentence in sample(corpus, 5, seed=1)]
    assert drawn == [sentence.place for sentence in sample(corpus, 5, seed=1)]
    assert drawn == sorted(drawn)
    assert drawn != [sentence.place for sentence in sample(corpus, 5, seed=2)]


def test_a_sample_is_at_most_everything():
    assert [sentence.place for sentence in sample(CROSSED, 9)] == [0, 1]


def test_the_text_is_what_the_comments_say_or_else_the_words():
    assert read_text(MULTIWORD)[0].text == "Vámonos al mar"
    assert CROSSED[0].text == "A hearing is scheduled on the issue today"
