"""``commonground view``."""

from __future__ import annotations

import json

import pytest
from command import assert_refused, assert_silent_success, run, write

UD = "".join(
    f"# sent_id = s{n}\n1\tBirds\tbird\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
    f"2\tsing{n}\tsing\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
    for n in range(1, 10)
)


@pytest.fixture
def ud(tmp_path):
    return write(tmp_path / "ud.conllu", UD)


def shown(done):
    """Which sentences the output shows."""
    assert_silent_success(done)
    return [n for n in range(1, 10) if f"sing{n}" in done.stdout]


def test_the_first_five_are_shown(ud):
    assert shown(run("view", ud)) == [1, 2, 3, 4, 5]


def test_the_first_ones_are_shown(ud):
    assert shown(run("view", ud, "--first", "2")) == [1, 2]
    assert shown(run("view", ud, "--first", "99")) == list(range(1, 10))


def test_sentences_are_found_by_id_and_by_number(ud):
    assert shown(run("view", ud, "--sentence", "s7", "--sentence", "3")) == [3, 7]


def test_a_sample_depends_on_the_seed(ud):
    one, again, other = (
        shown(run("view", ud, "--sample", "3", "--seed", seed)) for seed in ("1", "1", "2")
    )
    assert len(one) == 3
    assert one == again != other


def test_a_sentence_that_is_not_there(ud):
    assert_refused(run("view", ud, "--sentence", "s70"), f"{ud}: no sentence 's70'")
    assert_refused(run("view", ud, "--sentence", "s7..s3"), f"{ud}: s3 is before s7")
    nothing = run("view", ud, "--sentence", "s7", "--where", "deprel=none")
    assert_refused(nothing, f"{ud}: --where or --differing leaves out sentence 's7'")


def test_a_tree_has_its_words_and_labels(ud):
    done = run("view", ud, "--sentence", "s1")
    for text in ("s1", "Birds", "sing1", "nsubj", "root"):
        assert text in done.stdout


def test_ascii_is_ascii(ud):
    strange = write(ud, UD.replace("Birds", "Vögel"))
    assert run("view", strange, "--ascii").stdout.isascii()
    assert not run("view", strange).stdout.isascii()


def test_constituents_are_drawn():
    done = run("view", "example:ptb", "--first", "1")
    assert_silent_success(done)
    assert "NP-SBJ" in done.stdout


def test_relations_are_listed(tmp_path):
    path = write(tmp_path / "a.sd", "nsubj(sing-2, Birds-1)\nroot(ROOT-0, sing-2)\n")
    done = run("view", path)
    assert_silent_success(done)
    for text in ("nsubj", "Birds", "sing"):
        assert text in done.stdout


def test_json_has_the_rows_of_the_sentences(ud):
    done = run("view", ud, "--first", "1", "--output-format", "json")
    assert_silent_success(done)
    [sentence] = json.loads(done.stdout)["sentences"]
    assert (sentence["sent_id"], sentence["line"]) == ("s1", 1)
    assert [word["head"] for word in sentence["words"]] == [2, 0]


def test_tables_list_the_words(ud):
    done = run("view", ud, "--first", "2", "--output-format", "tsv")
    assert_silent_success(done)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows[0] == ["sentence", "row", "form", "lemma", "upos", "xpos", "head", "deprel"]
    assert rows[4] == ["s2", "2", "sing2", "sing", "VERB", "VBP", "0", "root"]


@pytest.mark.parametrize("output_format", ["markdown", "latex", "html"])
@pytest.mark.parametrize("example", ["example:ud", "example:ptb"])
def test_other_formats_list_the_sentences_too(output_format, example):
    done = run("view", example, "--first", "1", "--output-format", output_format)
    assert_silent_success(done)
    assert "lighthouse" in done.stdout


def test_nothing_shows_nothing(tmp_path):
    done = run("view", write(tmp_path / "a.conllu", ""))
    assert_silent_success(done)
    assert done.stdout == ""


def test_a_drawing_is_written_to_a_file(ud, tmp_path):
    target = tmp_path / "trees.txt"
    assert_silent_success(run("view", ud, "--first", "1", "-o", target))
    assert "sing1" in target.read_text(encoding="utf-8")


def test_nothing_in_a_file_can_steer_the_terminal(tmp_path):
    text = UD.replace("Birds", "Bi\x1b[2Jrds").replace("s1\n", "s1\x1b[31m\n")
    assert "\x1b" not in run("view", write(tmp_path / "a.conllu", text)).stdout


def test_sentences_are_put_together_where_the_gold_standard_has_them_as_one(tmp_path):
    row = "{}\t{}\t_\tX\t_\t_\t{}\t{}\t_\t_\n"
    split = row.format(1, "Hi", 0, "root") + "\n" + row.format(1, "you", 0, "root") + "\n"
    whole = row.format(1, "Hi", 0, "root") + row.format(2, "you", 1, "dep") + "\n"
    parse, gold = write(tmp_path / "p.conllu", split), write(tmp_path / "g.conllu", whole)
    done = run("view", parse, "--against", gold, "--all")
    assert done.returncode == 0
    assert done.stderr == "1 sentence put together of several\n"
    assert "Hi" in done.stdout
    assert "you" in done.stdout
