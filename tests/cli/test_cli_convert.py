"""``commonground convert``."""

from __future__ import annotations

import gzip
import lzma

import pytest
from command import assert_refused, assert_silent_success, run, write

import commonground
from commonground.formats.registry import formats

UD = """\
# sent_id = a
1\tBirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t2:nsubj\t_
2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t0:root\t_

# sent_id = b
1\tListen\tlisten\tVERB\tVB\t_\t0\troot\t0:root\t_

"""
BROKEN = UD.replace("2:nsubj", "2:nsubj\tmore")


def test_the_same_format_gives_the_same_bytes(tmp_path):
    source, target = write(tmp_path / "in.conllu", UD), tmp_path / "out.conllu"
    assert_silent_success(run("convert", source, target))
    assert target.read_text(encoding="utf-8") == UD


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_compression_follows_the_suffix(suffix, tmp_path):
    if suffix == ".zst":
        pytest.importorskip("zstandard")
    packed, target = tmp_path / f"packed.conllu{suffix}", tmp_path / "out.conllu"
    assert_silent_success(run("convert", write(tmp_path / "in.conllu", UD), packed))
    assert (packed.read_bytes() == UD.encode()) == (not suffix)
    assert_silent_success(run("convert", packed, target))
    assert target.read_text(encoding="utf-8") == UD


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_from_standard_input_to_standard_output(pack):
    done = run("convert", "-", "-", "--to", "conllu", stdin=pack(UD.encode()))
    assert_silent_success(done)
    assert done.stdout == UD


def test_formats_can_be_named(tmp_path):
    target = tmp_path / "out.txt"
    source = write(tmp_path / "in.txt", UD)
    assert_silent_success(run("convert", source, target, "--from", "conllu", "--to", "conllx"))
    assert target.read_text(encoding="utf-8").startswith("1\tBirds\tbird\tNOUN\tNNS\t")


def test_format_means_from(tmp_path):
    source = write(tmp_path / "in.txt", UD)
    assert_silent_success(run("convert", source, "-", "--format", "ud", "--to", "conllu"))


def test_there_and_back_through_every_format_of_dependencies(tmp_path):
    simple = UD.replace("2:nsubj", "_").replace("0:root", "_")
    source = write(tmp_path / "in.conllu", simple)
    for entry in formats():
        if entry.write and entry.corpus is commonground.Dependencies:
            there, back = tmp_path / "there", tmp_path / f"{entry.name}.conllu"
            assert_silent_success(run("convert", source, there, "--to", entry.name))
            assert_silent_success(run("convert", there, back, "--from", entry.name))
            corpus = commonground.read(back)
            assert corpus.form.tolist() == ["Birds", "sing", "Listen"]
            assert corpus.head.tolist() == [2, 0, 0]


def test_dependencies_become_relations(tmp_path):
    source = write(tmp_path / "in.conllu", UD)
    done = run("convert", source, "-", "--to", "stanford")
    assert_silent_success(done)
    assert "nsubj(sing-2, Birds-1)\nroot(ROOT-0, sing-2)\n" in done.stdout


def test_the_enhanced_graph_becomes_relations(tmp_path):
    source = write(tmp_path / "in.conllu", UD.replace("2:nsubj", "2:agent"))
    done = run("convert", source, "-", "--to", "stanford", "--enhanced")
    assert "agent(sing-2, Birds-1)" in done.stdout


def test_a_kind_that_cannot_become_another_is_told_what_it_can_be(tmp_path):
    source = write(tmp_path / "in.stanford", "nsubj(sing-2, Birds-1)\nroot(ROOT-0, sing-2)\n")
    done = run("convert", source, tmp_path / "out", "--to", "export")
    assert_refused(done, "has relations, but ")
    assert "relations can be written as stanford, " in done.stderr
    assert "functions" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["in.stanford"]


def test_dependencies_become_constituents_by_rules_that_the_message_names(tmp_path):
    done = run("convert", "example:ud", tmp_path / "out.mrg")
    assert_refused(done, "dependencies become constituents by --rules projection")
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_there_stays_when_the_input_is_broken(tmp_path):
    source, target = write(tmp_path / "in.conllu", BROKEN), write(tmp_path / "out.conllu", "old")
    assert_refused(run("convert", source, target), f"{source}:2: 11 columns; 10 are expected")
    assert target.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_can_be_converted_into_itself(tmp_path):
    path = write(tmp_path / "a.conllu", UD)
    assert_refused(run("convert", path, path), "--overwrite allows it")
    assert_silent_success(run("convert", path, path, "--overwrite"))
    assert path.read_text(encoding="utf-8") == UD


def test_a_partial_tree_needs_leave(tmp_path):
    source = write(tmp_path / "in.conllu", UD.replace("\t2\tnsubj", "\t_\t_"))
    assert_refused(run("convert", source, "-", "--to", "conllu"), ":2: HEAD is _")
    done = run("convert", source, "-", "--to", "conllu", "--partial")
    assert_silent_success(done)
    assert done.stdout == source.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["example:ud", "out.nothing"], "the suffix '.nothing' does not tell the format"),
        (["example:ud", "-"], "name a --target-format"),
        (["example:ud", "missing/out.conllu"], "missing/out.conllu: cannot be written"),
        (["example:ud", "-", "--to", "nothing"], "there is no format 'nothing'"),
        (["example:ud", "-", "--from", "nothing", "--to", "conllu"], "there is no format 'nothing'"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_refused(arguments, message, tmp_path):
    assert_refused(run("convert", *arguments, cwd=tmp_path), message)
    assert list(tmp_path.iterdir()) == []


def test_nothing_becomes_nothing(tmp_path):
    source, target = write(tmp_path / "in.conllu", ""), tmp_path / "out.conllu"
    assert_silent_success(run("convert", source, target))
    assert target.read_bytes() == b""


def test_every_piece_can_be_watched(tmp_path):
    seen = []
    commonground.convert(
        write(tmp_path / "in.conllu", UD),
        tmp_path / "out.conllu",
        watch=lambda p: seen.append(len(p)),
    )
    assert sum(seen) == 2


def test_what_a_folder_has_to_say_is_told_of_a_few_files(tmp_path):
    (tmp_path / "trees").mkdir()
    for number in range(8):
        write(tmp_path / "trees" / f"{number}.mrg", "(XX (NN Birds) (VBP sing))\n")
    done = run(
        "convert",
        tmp_path / "trees",
        tmp_path / "out",
        "--rules",
        "collins",
        "--target-format",
        "conllu",
    )
    told = done.stderr.splitlines()
    assert len(told) == 6
    assert "headed by default" in told[0]
    assert told[-1].startswith("and similar remarks on 3 more files")
