"""``commonground generalize``, ``unify``, ``label-unify``, ``subsumes``, and ``convert --to functions``."""

from __future__ import annotations

import gzip
import json

import pytest
from command import assert_refused, assert_silent_success, run, write

import commonground
from commonground.corpus import Functions
from commonground.formats import read_text
from commonground.ground import generalize, label_unify

UD = """\
# sent_id = a
1\tJohn\t_\t_\t_\t_\t2\tsbj\t2:sbj\t_
2\tloves\t_\t_\t_\t_\t0\troot\t0:root\t_
3\tMary\t_\t_\t_\t_\t2\tobj\t2:obj|1:x\t_

"""
PTB = "(S (NP-SUB (NN John)) (VP (V loves) (NP-OBJ-TMP (NN Mary))))\n"


@pytest.fixture
def files(tmp_path):
    return write(tmp_path / "ud.conllu", UD), write(tmp_path / "ptb.mrg", PTB)


def tree(done):
    """The last line of the output: the tree of the only sentence."""
    assert_silent_success(done)
    return done.stdout.strip().split("\n")[-1]


def test_what_two_frameworks_agree_on(files):
    assert tree(run("generalize", *files)) == "({} ({} John) ({} loves) ({} Mary))"


def test_any_number_of_treebanks(files, tmp_path):
    other = write(tmp_path / "other.functions", "({x} John loves) Mary\n")
    assert tree(run("generalize", *files, other)) == "John loves Mary"
    assert tree(run("generalize", files[0])) == "({root} ({sbj} John) ({hd} loves) ({obj} Mary))"


def test_labels_can_be_declared_the_same(files, tmp_path):
    same = write(tmp_path / "same.txt", "sbj = SUB\nobj OBJ\n")
    done = run("generalize", *files, "--equivalent-labels", same)
    assert tree(done) == "({} ({sbj} John) ({} loves) ({obj} Mary))"


def test_the_functions_that_count_can_be_chosen(files):
    assert "({OBJ} Mary)" in tree(run("generalize", files[1], "--functions", "SUB,OBJ"))
    assert "({TMP} Mary)" in tree(run("generalize", files[1], "--functions", "TMP"))
    assert "({} Mary)" in tree(run("generalize", files[1], "--functions", ""))


def test_the_head_can_be_a_wildcard(files):
    assert "({*} loves)" in tree(run("unify", files[0], "--head", "*"))


def test_unify_has_all_that_any_says(files):
    done = run("unify", *files)
    assert tree(done) == "({root} ({SUB,sbj} John) ({} ({hd} loves) ({OBJ,TMP,obj} Mary)))"


def test_unify_lists_what_crosses_and_writes_nothing(files, tmp_path):
    other = write(tmp_path / "other.functions", "({x} John loves) Mary\n")
    target = tmp_path / "out.functions"
    done = run("unify", files[1], other, "-o", target)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "sentence 1: the words 1-2 and 2-3 cross\n"
    assert not target.exists()


def test_label_unify_keeps_the_structure(files):
    done = run("label-unify", files[1], files[0], "--functions", "")
    assert tree(done) == "({root} ({sbj} John) ({} ({hd} loves) ({obj} Mary)))"


def test_subsumes_tells_about_each_sentence(files, tmp_path):
    common = tmp_path / "common.functions"
    assert_silent_success(run("generalize", *files, "-o", common))
    done = run("subsumes", common, files[0])
    assert_silent_success(done)
    assert "a          yes" in done.stdout
    assert f"1 of 1 sentences of {common} subsume {files[0]}" in done.stdout
    done = run("subsumes", files[0], common, "--output-format", "json")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert data["subsumes"] is False
    assert data["sentences"] == [{"sent_id": "a", "subsumes": False}]


def test_json(files):
    data = json.loads(run("generalize", *files, "--output-format", "json").stdout)
    (sentence,) = data["sentences"]
    assert sentence["sent_id"] == "a"
    assert sentence["nodes"][0] == {"yields": "1-3", "label": ""}
    assert data["skipped"] == []


def test_compressed_output_and_standard_input(files, tmp_path):
    target = tmp_path / "out.functions.gz"
    assert_silent_success(run("generalize", "-", files[1], "-o", target, stdin=UD.encode()))
    assert gzip.decompress(target.read_bytes()).startswith(b"# sent_id = a\n({}")


def test_enhanced_graphs(files):
    done = run("generalize", files[0], "--enhanced")
    assert tree(done) == "({root} ({sbj} ({hd} 1=John) ({obj,x} 3=Mary)) ({hd} 2=loves))"


def test_different_segmentation_is_no_obstacle(files, tmp_path):
    other = write(tmp_path / "o.mrg", "(S (NP-SBJ (N Jo) (N hn)) (VP (V loves) (N Mary)))")
    assert (
        tree(run("label-unify", files[0], other))
        == "({root} ({SBJ,sbj} John) ({hd} loves) ({obj} Mary))"
    )


def test_other_texts_are_refused_skipped_or_realigned(files, tmp_path):
    other = write(tmp_path / "o.mrg", PTB.replace("John", "Jim"))
    assert_refused(
        run("generalize", files[0], other), "o.mrg:1: the sentence goes on with 'imloves"
    )
    done = run("generalize", files[0], other, "--on-mismatch", "realign")
    assert done.stdout.endswith("({} ({} Jim) ({} loves) ({} Mary))\n")
    assert "realigned: 1 (a" in done.stderr
    done = run("generalize", files[0], other, "--on-mismatch", "skip", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["generalize"], "Missing argument 'FILE…'"),
        (["generalize", "missing.conllu"], "missing.conllu: cannot be read"),
        (["label-unify", "example:ud"], "Missing argument 'LABELS…'"),
        (["subsumes", "example:ud"], "Missing argument 'B'"),
        (["unify", "example:ud", "--head", "x"], "'x' is not one of 'hd', '*'"),
        (["unify", "example:ptb", "--format", "conllu"], "example:ptb:1:"),
    ],
)
def test_bad_usage_is_told_in_one_line(arguments, message):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


# ── convert ──────────────────────────────────────────────────────────────────────────────────────


def test_everything_can_be_written_as_function_trees(files, tmp_path):
    relations = write(tmp_path / "a.sd", "nsubj(runs-2, Ann-1)\nroot(ROOT-0, runs-2)\n")
    for source, wanted in (
        (files[0], "({root} ({sbj} John) ({hd} loves) ({obj} Mary))"),
        (files[1], "({} ({SUB} John) ({} ({} loves) ({OBJ,TMP} Mary)))"),
        (relations, "({root} ({nsubj} Ann) ({hd} runs))"),
    ):
        assert tree(run("convert", source, "-", "--to", "functions")) == wanted


def test_the_suffix_tells_function_trees(files, tmp_path):
    target = tmp_path / "a.functions"
    assert_silent_success(run("convert", files[0], target))
    assert isinstance(commonground.read(target), Functions)
    assert_silent_success(run("convert", target, tmp_path / "b.functions"))
    assert (tmp_path / "b.functions").read_text() == target.read_text()


def test_options_of_function_trees(files):
    arguments = ["-", "--to", "functions"]
    assert "({*} loves)" in tree(run("convert", files[0], *arguments, "--head", "*"))
    assert "({SUB} John)" in tree(run("convert", files[1], *arguments, "--functions", "SUB"))
    assert "({obj,x} 3=Mary)" in tree(run("convert", files[0], *arguments, "--enhanced"))


def test_function_trees_become_nothing_else(files, tmp_path):
    source = write(tmp_path / "a.functions", "({a} b)\n")
    message = "holds dependencies; functions can be written as functions"
    assert_refused(run("convert", source, "-", "--to", "conllu"), message)
    links = write(tmp_path / "a.align", "0-0\n")
    done = run("convert", links, "-", "--to", "functions")
    assert_refused(done, "alignments can be written as pharaoh")


# ── the same from Python ─────────────────────────────────────────────────────────────────────────


def test_the_verbs_are_the_functions(files):
    corpora = [commonground.to_functions(commonground.read(file)) for file in files]
    for verb, function in (("generalize", generalize), ("label-unify", label_unify)):
        assert read_text(run(verb, *files).stdout) == function(*corpora)


def test_info_check_and_view_know_function_trees(tmp_path):
    path = write(tmp_path / "a.functions", "({root} ({sbj} 1=A 3=C) 2=B)\n")
    assert "discontinuous sentences" in run("info", path).stdout
    assert_silent_success(run("check", path))
    done = run("view", path)
    assert_silent_success(done)
    assert "{sbj}" in done.stdout
    assert "1,3" in done.stdout


def chain(tmp_path, name, *rows):
    """A file of 'on Sunday' or the like: (form, head, label) per word."""
    lines = [f"{i}\t{f}\t_\t_\t_\t_\t{h}\t{r}\t_\t_" for i, (f, h, r) in enumerate(rows, 1)]
    return write(tmp_path / f"{name}.conllu", "\n".join(lines) + "\n\n")


@pytest.fixture
def lexical_and_functional(tmp_path):
    """(1a) and (1b) of Tsarfaty et al. (2011): 'on Sunday' with either word as the head."""
    one = chain(tmp_path, "1a", ("on", 2, "prep"), ("Sunday", 0, "tmod"))
    two = chain(tmp_path, "1b", ("on", 0, "tmod"), ("Sunday", 1, "pobj"))
    return one, two


def test_a_wildcard_is_equal_to_any_label(lexical_and_functional):
    """2011, footnote 2: with wildcards (4a) and (4b) subsume each other, with hd they do not."""
    one, two = lexical_and_functional
    assert run("subsumes", one, two, "--head", "*").returncode == 0
    assert run("subsumes", two, one, "--head", "*").returncode == 0
    assert run("subsumes", one, two).returncode == 1


def test_a_wildcard_yields_to_a_specific_label(lexical_and_functional):
    done = run("generalize", *lexical_and_functional, "--head", "*")
    assert tree(done) == "({tmod} ({prep} on) ({pobj} Sunday))"
    assert tree(run("generalize", *lexical_and_functional)) == "({tmod} ({} on) ({} Sunday))"


def test_wildcards_of_function_trees_yield_as_well(tmp_path):
    one = write(tmp_path / "a.functions", "({prep} on) ({*} Sunday)\n")
    two = write(tmp_path / "b.functions", "({*} on) ({pobj} Sunday)\n")
    assert tree(run("unify", one, two)) == "({prep} on) ({pobj} Sunday)"


def test_the_generalization_of_6a_and_6b_is_that_of_the_definitions(tmp_path):
    """(6a) has the yields 1, 2-3, 2, 3; (6b) has 1-2, 1, 2, 3. The common ones are the words.

    The paper prints would/vg, have/vg, worked/*. By its definitions 'would' has {vg} (from 6b) and
    'have' has {*} on both sides here, 'worked' {vg}: the specific label of one side.
    """
    one = chain(tmp_path, "6a", ("would", 0, "root"), ("have", 1, "vg"), ("worked", 2, "vg"))
    two = chain(tmp_path, "6b", ("would", 2, "vg"), ("have", 3, "vg"), ("worked", 0, "root"))
    done = run("generalize", one, two, "--head", "*")
    assert tree(done) == "({root} ({vg} would) ({*} have) ({vg} worked))"


def test_an_arc_without_a_label_gives_no_label(tmp_path):
    bare = chain(tmp_path, "bare", ("Birds", 2, "_"), ("sing", 0, "root"))
    assert tree(run("generalize", bare)) == "({root} ({} Birds) ({hd} sing))"


def test_a_fragment_without_a_head_has_no_label(tmp_path):
    text = "1\tBirds\t_\t_\t_\t_\t_\tx\t_\t_\n2\tsing\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    partial = write(tmp_path / "partial.conllu", text)
    assert tree(run("generalize", partial, "--partial")) == "({} Birds) ({root} sing)"
