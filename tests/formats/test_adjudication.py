"""Decisions on what annotators disagree about make one file, and nothing else is touched."""

from __future__ import annotations

import command
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import UsageError
from commonground.formats.adjudication import adjudicated, disagreements
from commonground.formats.disagreement import Choice

BASE = (
    b"# sent_id = s1\n# text = Birds sing\n"
    b"1\tBirds\tbird\tNOUN\tNNS\tCase=Nom|Number=Plur\t2\tobj\t2:obj\tSpaceAfter=No|X=1\n"
    b"2\tsing\tsing\tVERB\tVBP\tMood=Ind\t0\troot\t0:root\t_\n\n"
    b"# sent_id = s2\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n"
    b"1\tde\tde\tADP\tIN\t_\t3\tcase\t3:case\t_\n2\tel\tel\tDET\tDT\t_\t3\tdet\t3:det\t_\n"
    b"3\tmar\tmar\tNOUN\tNN\t_\t0\troot\t0:root\t_\n3.1\tx\tx\tVERB\t_\t_\t_\t_\t0:root\t_\n\n"
    b"1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"
    b"# sent_id = s4\n1\tNo\tno\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"
)


def changed(*pairs: tuple[bytes, bytes]) -> bytes:
    data = BASE
    for old, new in pairs:
        assert data.count(old) >= 1
        data = data.replace(old, new, 1)
    return data


def asked(*files: bytes) -> list[tuple[str, str, str, tuple[str, ...]]]:
    named = {chr(ord("A") + place): data for place, data in enumerate(files)}
    return [(e.sentence, e.word, e.column, e.values) for e in disagreements(named)]


EDITS = [
    (b"\tNOUN\t", b"\tPROPN\t"), (b"Case=Nom|", b""), (b"Plur", b"Sing"), (b"2\tobj", b"0\troot"),
    (b"Case=Nom|Number=Plur", b"Number=Plur|Case=Nom"), (b"X=1", b"X=2|Y"), (b"0\troot", b"1\tdep"),
    (b"2:obj", b"2:nsubj"), (b"2\tobj\t2:obj", b"2\tnsubj\t2:nsubj"), (b"# text = Birds", b"# text = B"),
    (b"1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n", b""), (b"3.1\tx\tx\tVERB\t_\t_\t_\t_\t0:root\t_\n", b""),
    (b"\n\n# sent_id = s2", b""), (b"# sent_id = s4\n", b""), (b"s4", b"s2"), (b"Yes", b"Yeah"),
    (b"1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_\n\n", b""), (b"\n", b"\r\n"), (b"\n\n", b"\n\n\n"),
    (b"3\tmar", b"4\tmar"), (b"Number=Plur", b"Number=Plur|Number=Sing"), (b"sing\tsing", b"sings\tsing"),
]  # fmt: skip


@st.composite
def annotations(draw: st.DrawFn) -> dict[str, bytes]:
    files = {}
    for name in "ABC"[: draw(st.integers(2, 3))]:
        data = BASE
        for old, new in draw(st.lists(st.sampled_from(EDITS), max_size=6)):
            data = data.replace(old, new, draw(st.sampled_from([1, 1, 99])))
        data = data.replace(b"\n", b"\r\n") if draw(st.integers(0, 9)) == 0 else data
        data = data.rstrip(b"\r\n") if draw(st.integers(0, 9)) == 0 else data
        files[name] = data
    return files


@given(annotations())
def test_decided_for_one_annotator_everywhere_the_file_is_theirs(files):
    questions = disagreements(files)
    assert len({each.key for each in questions}) == len(questions)
    for place, (name, data) in enumerate(files.items()):
        decisions = {each.key: Choice(place) for each in questions}
        result = adjudicated(files, decisions)
        assert (result.data, result.undecided, result.no_trees) == (data, [], [])
        assert adjudicated(files, {}, [name]).data == data


@given(annotations(), st.data())
def test_no_word_is_lost_and_none_asked_about_twice_whatever_is_decided(files, data):
    questions = disagreements(files)
    places = [(each.sentence, each.word, each.column) for each in questions]
    assert len(set(places)) == len(places)
    some = {e.key: Choice(data.draw(st.integers(0, len(files) - 1))) for e in questions}
    result = adjudicated(files, some)
    assert result.asked >= 0
    assert not result.undecided
    again = adjudicated({**files, "Z": result.data}, {}, ["Z"])
    assert again.data == result.data


def test_what_all_agree_on_is_taken_and_each_column_asked_about_once():
    other = changed(
        (b"\tNOUN\t", b"\tPROPN\t"), (b"Plur", b"Sing"), (b"2\tobj\t2:obj", b"2\tnsubj\t2:nsubj"),
        (b"X=1", b"X=2"), (b"3\tcase", b"2\tfixed"), (b"sing\tsing", b"sing\tsang"),
    )  # fmt: skip
    assert asked(BASE, other) == [
        ("s1", "1", "UPOS", ("NOUN", "PROPN")),
        ("s1", "1", "FEATS Number", ("Number=Plur", "Number=Sing")),
        ("s1", "1", "DEPREL", ("obj", "nsubj")),  # and the enhanced arc with it
        ("s1", "1", "MISC X", ("X=1", "X=2")),
        ("s1", "2", "LEMMA", ("sing", "sang")),
        ("s2", "1", "HEAD:DEPREL", ("3:case", "2:fixed")),
    ]


def test_an_enhanced_arc_of_its_own_is_a_question_of_its_own():
    other = changed((b"2:obj", b"2:obj|2:nsubj:xsubj"))
    assert asked(BASE, other) == [("s1", "1", "DEPS", ("2:obj", "2:obj|2:nsubj:xsubj"))]


def test_a_value_of_ones_own_can_be_decided_on():
    other = changed((b"2\tobj\t2:obj", b"0\tdep\t0:dep"), (b"Plur", b"Sing"))
    files = {"A": BASE, "B": other}
    feature, arc = disagreements(files)
    decisions = {arc.key: Choice(value="2:nsubj"), feature.key: Choice(value="Dual")}
    result = adjudicated(files, decisions)
    assert b"Case=Nom|Number=Dual\t2\tnsubj\t2:nsubj\t" in result.data
    with pytest.raises(UsageError, match="no arc"):
        adjudicated(files, {arc.key: Choice(value="nsubj"), feature.key: Choice(0)})


def test_a_majority_decides_only_if_there_is_one():
    tagged = changed((b"\tNOUN\t", b"\tPROPN\t"))
    files = {"A": BASE, "B": tagged, "C": tagged}
    assert adjudicated(files, {}, ["majority"]).data == tagged
    two = {"A": BASE, "B": tagged}
    assert [each.column for each in adjudicated(two, {}, ["majority"]).undecided] == ["UPOS"]
    assert adjudicated(two, {}, ["majority", "B"]).data == tagged


def test_other_words_and_other_sentences_are_decided_as_a_whole():
    glued = changed(
        (b"2\tsing", b"2\tsi"),
        (b"0:root\t_\n\n", b"0:root\t_\n3\tng\t_\t_\t_\t_\t2\tdep\t_\t_\n\n"),
    )
    joined = changed((b"\n\n# sent_id = s2", b""))
    assert asked(BASE, glued) == [("s1", "", "WORDS", ("Birds sing", "Birds si ng"))]
    ((sentence, _, column, values),) = asked(BASE, joined)
    assert (sentence, column, values[0]) == ("s1", "SENTENCES", "Birds sing / del de el mar x")


def test_heads_of_two_annotators_that_close_a_circle_are_told():
    other = changed((b"2\tobj\t2:obj", b"0\troot\t0:root"), (b"0\troot\t0:root", b"1\tdep\t1:dep"))
    other = BASE.replace(b"2\tobj\t2:obj", b"0\troot\t0:root").replace(
        b"VBP\tMood=Ind\t0\troot\t0:root", b"VBP\tMood=Ind\t1\tdep\t1:dep"
    )
    files = {"A": BASE, "B": other}
    one, two = disagreements(files)
    mixed = adjudicated(files, {one.key: Choice(0), two.key: Choice(1)})
    assert mixed.no_trees == ["s1"]
    assert adjudicated(files, {one.key: Choice(1), two.key: Choice(1)}).no_trees == []


def test_a_sheet_goes_through_the_commands_and_gives_every_annotators_file_back(tmp_path):
    other = changed(
        (b"\tNOUN\t", b"\tPROPN\t"), (b"Plur", b"Sing"), (b"s4\n1\tNo", b"s4\n1\tNay"),
        (b"3\tcase\t3:case", b"2\tfixed\t2:fixed"),
    )  # fmt: skip
    for name, data in (("a", BASE), ("b", other)):
        (tmp_path / f"{name}.conllu").write_bytes(data)
    files = ("a=a.conllu", "b=b.conllu")
    made = command.run("agreement", *files, "--sheet", "s.tsv", cwd=tmp_path)
    assert "1 place with other words or sentences" in made.stderr
    open_ = command.run("apply", "s.tsv", *files, "-o", "one.conllu", cwd=tmp_path)
    assert open_.returncode == 1
    assert "4 undecided rows" in open_.stderr
    assert not (tmp_path / "one.conllu").exists()
    head, *rows = (tmp_path / "s.tsv").read_text().splitlines()
    assert [row.split("\t")[3] for row in rows] == [
        "SENTENCES", "HEAD:DEPREL", "UPOS", "FEATS Number",
    ]  # fmt: skip
    for name, data in (("a", BASE), ("b", other)):
        decided = "\n".join([head, *(name + row for row in rows)]).replace("\t", ";")
        (tmp_path / "d.csv").write_text(decided)  # as a spreadsheet may save it
        done = command.run("apply", "d.csv", *files, "-o", f"{name}.out", cwd=tmp_path)
        assert (done.returncode, (tmp_path / f"{name}.out").read_bytes()) == (0, data)
    own = "\n".join([head, "a" + rows[0], "\t9:x" + rows[1][1:], *("b" + row for row in rows[2:])])
    (tmp_path / "s.tsv").write_text(own)
    refused = command.run("apply", "s.tsv", *files, cwd=tmp_path)
    assert "s2: the heads that were decided on do not make a tree" in refused.stderr
    (tmp_path / "s.tsv").write_text("\n".join([head, "a" + rows[0].replace("\t", "\tX", 1)]))
    both = command.run("apply", "s.tsv", *files, cwd=tmp_path)
    assert both.returncode == 2
    assert "s.tsv:2: both an annotator and another value" in both.stderr


def test_what_was_accepted_on_a_sheet_of_probable_errors_is_carried_out(tmp_path):
    sheet = (
        "decision\tsentence\tword\tform\thead\tdeprel\tnew head\tnew deprel\n"
        "accept\ts1\t1\tBirds\t2\tobj\t2\tnsubj\nreject\ts1\t2\tsing\t0\troot\t1\tdep\n"
    )
    (tmp_path / "s.tsv").write_text(sheet)
    (tmp_path / "a.conllu").write_bytes(BASE)
    done = command.run("apply", "s.tsv", "a.conllu", "-o", "b.conllu", cwd=tmp_path)
    assert done.stderr == "1 change made\n"
    assert (tmp_path / "b.conllu").read_bytes() == changed((b"2\tobj", b"2\tnsubj"))
