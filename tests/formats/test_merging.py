"""Two people's changes of one file come together, column by column, and nothing is lost."""

from __future__ import annotations

import subprocess

import command
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.formats.merging import merge_files
from commonground.formats.patch import apply_patch, parse_patch
from commonground.formats.patch_between import patch_between

BASE = (
    b"# sent_id = s1\n# text = Birds sing\n"
    b"1\tBirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tobj\t_\t_\n"
    b"2\tsing\tsing\tVERB\tVBP\tMood=Ind\t0\troot\t_\tX=1\n\n"
    b"# sent_id = s2\n1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"
    b"# sent_id = s3\n1\tNo\tno\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"
)


def changed(*pairs: tuple[bytes, bytes]) -> bytes:
    data = BASE
    for old, new in pairs:
        assert data.count(old) == 1
        data = data.replace(old, new)
    return data


def test_changes_of_one_line_by_two_people_come_together():
    ours = changed((b"obj\t_\t_", b"nsubj\t_\t_"), (b"Mood=Ind", b"Mood=Ind|Tense=Pres"))
    theirs = changed((b"bird\t", b"birds\t"), (b"Mood=Ind", b"Mood=Ind|VerbForm=Fin"))
    merge = merge_files(BASE, ours, theirs)
    assert merge.conflicts == ()
    assert b"1\tBirds\tbirds\tNOUN\tNNS\tNumber=Plur\t2\tnsubj" in merge.data
    assert b"Mood=Ind|Tense=Pres|VerbForm=Fin" in merge.data


def test_a_head_and_its_label_are_one_thing():
    ours = changed((b"2\tobj", b"2\tnsubj"))
    theirs = changed((b"2\tobj", b"0\troot"), (b"0\troot\t_\tX=1", b"1\tobj\t_\tX=1"))
    merge = merge_files(BASE, ours, theirs)
    (conflict,) = merge.conflicts
    assert (conflict.word, conflict.what) == ("", "")  # both heads would close a circle
    assert merge.data == ours
    assert apply_patch(merge.data, merge.theirs)[0] == theirs


def test_in_a_conflict_ours_stays_and_a_patch_takes_theirs():
    ours = changed((b"2\tobj", b"2\tnsubj"), (b"X=1", b"X=2"))
    theirs = changed((b"2\tobj", b"2\tvocative"), (b"bird\t", b"birds\t"))
    merge = merge_files(BASE, ours, theirs)
    (conflict,) = merge.conflicts
    assert (conflict.sentence, conflict.word, conflict.what) == ("s1", "1", "HEAD and DEPREL")
    assert (conflict.base, conflict.ours, conflict.theirs) == ("2; obj", "2; nsubj", "2; vocative")
    assert merge.data == changed(
        (b"2\tobj", b"2\tnsubj"), (b"X=1", b"X=2"), (b"bird\t", b"birds\t")
    )
    patch = parse_patch(merge.theirs.text())
    assert b"2\tvocative" in apply_patch(merge.data, patch)[0]


def test_sentences_come_and_go():
    new = b"# sent_id = s4\n1\tMaybe\t_\tADV\t_\t_\t0\troot\t_\t_\n\n"
    second = BASE[BASE.index(b"# sent_id = s2") : BASE.index(b"# sent_id = s3")]
    ours = changed((b"no\t", b"nope\t"))
    theirs = BASE.replace(second, new)
    merge = merge_files(BASE, ours, theirs)
    assert merge.data == ours.replace(second, new)
    assert not merge.conflicts


def test_what_one_removed_and_the_other_changed_is_kept_and_told():
    second = BASE[BASE.index(b"# sent_id = s2") : BASE.index(b"# sent_id = s3")]
    removed, corrected = BASE.replace(second, b""), changed((b"yes\t", b"yea\t"))
    for ours, theirs in ((removed, corrected), (corrected, removed)):
        merge = merge_files(BASE, ours, theirs)
        assert [conflict.sentence for conflict in merge.conflicts] == ["s2"]
        assert b"yea" in merge.data


@st.composite
def versions(draw):
    """The base with some columns changed, one value of a few for each."""
    lines = BASE.decode().split("\n")
    for place, line in enumerate(lines):
        fields = line.split("\t")
        if len(fields) == 10:
            for column in draw(st.sets(st.sampled_from([2, 3, 4, 7, 9]), max_size=3)):
                fields[column] = draw(st.sampled_from(["a", "b", "c=1"]))
            lines[place] = "\t".join(fields)
    return "\n".join(lines).encode()


@given(versions(), versions())
def test_merging_is_what_its_laws_say(ours, theirs):
    assert merge_files(BASE, ours, BASE).data == ours
    assert merge_files(BASE, BASE, theirs).data == theirs
    assert merge_files(BASE, ours, ours).data == ours
    merge = merge_files(BASE, ours, theirs)
    back = merge_files(BASE, theirs, ours)
    assert len(merge.conflicts) == len(back.conflicts)
    if not merge.conflicts:
        assert merge.data == back.data
    taken = apply_patch(merge.data, merge.theirs)[0]
    assert taken == back.data


@given(versions(), versions())
def test_a_patch_makes_the_other_file_and_leads_back(old, new):
    patch = parse_patch(patch_between(old, new).text())
    assert apply_patch(old, patch)[0] == new
    assert apply_patch(new, patch.reversed())[0] == old


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_patches_have_sentences_that_move_come_and_go(line_end):
    blocks = [block + b"\n\n" for block in BASE.split(b"\n\n") if block]
    old, new = (
        blocks,
        [blocks[2], blocks[0].replace(b"# text", b"# other"), b"# sent_id = n\n1\tx\n\n"],
    )
    files = [b"".join(each).replace(b"\n", line_end) for each in (old, new)]
    assert apply_patch(files[0], patch_between(*files))[0] == files[1]


def test_git_merges_with_the_verb_as_its_driver(tmp_path):
    files = {
        "base": BASE,
        "ours": changed((b"2\tobj", b"2\tnsubj")),
        "theirs": changed((b"bird\t", b"birds\t")),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    done = command.run("merge", "base", "ours", "theirs", "-o", "ours", "--overwrite", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"birds\tNOUN\tNNS\tNumber=Plur\t2\tnsubj" in (tmp_path / "ours").read_bytes()
    both = subprocess.run(
        ["git", "merge-file", "-p", "ours", "base", "theirs"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert both.returncode  # line by line, it is a conflict


def test_conflicts_are_listed_and_the_exit_code_is_1(tmp_path):
    (tmp_path / "base").write_bytes(BASE)
    (tmp_path / "ours").write_bytes(changed((b"2\tobj", b"2\tnsubj")))
    (tmp_path / "theirs").write_bytes(changed((b"2\tobj", b"2\tvocative")))
    names = ["base", "ours", "theirs", "-o", "out", "--conflicts", "theirs.patch"]
    done = command.run("merge", *names, cwd=tmp_path)
    assert done.returncode == 1
    assert "word 1: HEAD and DEPREL was 2; obj, is 2; nsubj in ours" in done.stderr
    assert "vocative" in (tmp_path / "theirs.patch").read_text()


def test_the_arguments_of_git_are_taken(tmp_path):
    (tmp_path / "a").write_bytes(BASE)
    (tmp_path / "b").write_bytes(changed((b"2\tobj", b"2\tnsubj")))
    line = ["x.conllu", "a", "0" * 7, "100644", "b", "1" * 7, "100644"]
    done = command.run("diff", "--git", *line, cwd=tmp_path)
    assert done.stdout.startswith("x.conllu:\n")
    assert "nsubj" in done.stdout
    assert "seven" in command.run("diff", "--git", "a", "b", cwd=tmp_path).stderr
