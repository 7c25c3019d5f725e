"""What must not break: bombs, numbers as memory, inputs as outputs, links, names with escapes."""

from __future__ import annotations

import gzip
import json
import lzma
import signal
import subprocess
import sys
import time
from functools import partial

import numpy as np
import pytest
import zstandard
from command import COMMAND, assert_refused, assert_silent_success, run, write

from commonground.corpus import Dependencies
from commonground.errors import InputError, UsageError
from commonground.formats import read, read_text, write_text
from commonground.formats import write as write_file

SENTENCE = "1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"
EXPORT = """#FORMAT 4
#BOS 1
the\tthe\tDT\t--\tNK\t500
dog\tdog\tNN\t--\tNK\t500
#500\t--\tNP\t--\t--\t0
#EOS 1
#BOS 2
#EOS 2
"""


# ── sentences without words ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "line",
    [
        ["convert", "FILE", "-", "--to", "functions"],
        ["convert", "FILE", "-", "--to", "tigerxml"],
        ["generalize", "FILE", "FILE"],
        ["unify", "FILE", "FILE"],
        ["subsumes", "FILE", "FILE"],
        ["compare", "a=FILE:FILE", "b=FILE:FILE"],
        ["compare", "a=FILE:FILE", "b=FILE:FILE", "--protocol", "2011"],
        ["evaluate", "FILE", "FILE", "--metrics", "all"],
        ["view", "FILE", "--all"],
    ],
)
def test_a_sentence_without_words_breaks_nothing(line, tmp_path):
    path = write(tmp_path / "a.export", EXPORT)
    done = run(*(word.replace("FILE", str(path)) for word in line))
    assert_silent_success(done)


def test_function_trees_of_a_sentence_without_words_come_back(tmp_path):
    path = write(tmp_path / "a.export", EXPORT)
    text = run("convert", path, "-", "--to", "functions").stdout
    assert len(read_text(text, "functions")) == 2


# ── what is written can be read ──────────────────────────────────────────────────────────────────

CONLL2009 = (
    "1\tBirds\tbird\tbird\tNNS\tNNS\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\t_\n"
    "2\tsing\tsing\tsing\tVBP\tVBP\t_\t_\t0\t0\tROOT\tROOT\tY\tsing.01\t_\tA1\n\n"
    "1\tHi\thi\thi\tUH\tUH\t_\t_\t0\t0\tROOT\tROOT\t_\t_\n\n"
)


def test_arguments_of_predicates_survive_conllu_plus():
    corpus = read_text(CONLL2009, "conll2009")
    text = write_text(corpus, "conllup")
    again = read_text(text, "conllup")
    assert again.words.strings("apreds").tolist() == ["A0|_", "_|A1", ""]
    assert write_text(again, "conllup") == text
    assert write_text(again, "conll2009") == CONLL2009


@pytest.mark.parametrize("form", ["a\tb", "a\nb", "", "\N{NO-BREAK SPACE}"])
def test_a_form_that_could_not_be_read_again_is_not_written(form):
    corpus = Dependencies.of([([form], [0], ["root"])])
    with pytest.raises(UsageError, match="form"):
        write_text(corpus, "conllu")


def test_a_sentence_without_words_has_no_lines_in_conllu():
    with pytest.raises(UsageError, match="no words"):
        write_text(Dependencies.of([([], [], [])]), "conllu")


# ── numbers and files that ask for all memory ────────────────────────────────────────────────────


def test_a_word_far_behind_its_sentence_is_refused(tmp_path):
    path = write(tmp_path / "a.sd", "nsubj(b-999999999, a-1)\n")
    assert_refused(run("info", path), "a.sd:1: word 999999999 in this sentence")
    assert "word 999999999" in run("check", path).stdout


@pytest.mark.parametrize(
    ("suffix", "packed"),
    [
        (".gz", gzip.compress),
        (".xz", partial(lzma.compress, preset=0)),
        (".zst", zstandard.ZstdCompressor().compress),
    ],
)
def test_a_bomb_is_refused_unless_it_is_wanted(suffix, packed, tmp_path):
    path = tmp_path / f"bomb.conllu{suffix}"
    path.write_bytes(packed(b"\n" * (80 << 20) + SENTENCE.encode()))
    assert_refused(run("info", path), "unpacks to more than 200 times its size")
    if suffix == ".zst":
        assert_silent_success(run("info", path, COMMONGROUND_EXPANSION="0"))


def test_the_allowed_expansion_must_be_a_number(tmp_path):
    path = tmp_path / "a.conllu.gz"
    path.write_bytes(gzip.compress(SENTENCE.encode()))
    assert_refused(run("info", path, COMMONGROUND_EXPANSION="much"), "must be a number")


def test_too_little_memory_is_one_line(tmp_path):
    program = (
        "import sys; from commonground import cli\n"
        "def run(_): raise MemoryError\n"
        "cli._run = run; sys.exit(cli.main(['info']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert_refused(done, "not enough memory")


# ── inputs, links, names ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "line",
    [
        ["convert", "a.conllu", "a.conllu"],
        ["convert", "a.conllu", "link.conllu"],
        ["evaluate", "a.conllu", "a.conllu", "-o", "a.conllu"],
        ["evaluate", "a.conllu", "mine=a.conllu", "-o", "a.conllu", "--jobs", "2"],
        ["info", "a.conllu", "-o", "a.conllu"],
        ["projectivize", "a.conllu", "a.conllu"],
    ],
)
def test_an_input_is_not_overwritten_by_mistake(line, tmp_path):
    path = write(tmp_path / "a.conllu", SENTENCE)
    (tmp_path / "link.conllu").symlink_to("a.conllu")
    done = run(*line, cwd=tmp_path)
    assert_refused(done, "is an input file and would be overwritten; --overwrite allows it")
    assert path.read_text() == SENTENCE


@pytest.mark.parametrize(
    "line",
    [
        ["train", "a.conllu", "-o", "out", "--log", "a.conllu"],
        ["align", "a.conllu", "a.conllu", "-o", "out", "--save-model", "a.conllu"],
        ["flip", "a.conllu", "out", "--edges", "ud:name", "--report-file", "a.conllu"],
    ],
)
def test_nothing_is_written_where_another_output_is_an_input(line, tmp_path):
    write(tmp_path / "a.conllu", SENTENCE)
    assert_refused(run(*line, cwd=tmp_path), "a.conllu is an input file")
    assert [path.name for path in tmp_path.iterdir()] == ["a.conllu"]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        (["train", "example:ud", "-o", "out", "--log", "./out"], "--output and --log"),
        (
            ["train", "example:ud", "-o", "out", "--folds", "2", "--parses", "out"],
            "--output and --parses",
        ),
        (
            ["align", "example:ud", "example:sud", "--save-model", "out", "-o", "out"],
            "--save-model and --output",
        ),
        (
            ["phenomena", "mine", "example:ud", "--sample", "1", "--sheet", "out", "-o", "out"],
            "--sheet and --output",
        ),
    ],
)
def test_one_output_does_not_overwrite_another(line, names, tmp_path):
    assert_refused(run(*line, cwd=tmp_path), f"{names} are both ")
    assert not list(tmp_path.iterdir())


def test_a_device_takes_two_outputs():
    line = ["phenomena", "agree", "example:phenomena", "example:phenomena"]
    assert_silent_success(run(*line, "--merged", "/dev/null", "-o", "/dev/null"))


def test_a_missing_folder_is_told_before_the_work(tmp_path):
    done = run("train", "no-such-file", "-o", tmp_path / "none" / "a.model")
    assert_refused(done, "a.model: cannot be written: ")


def test_a_folder_in_the_place_of_a_file_is_told_before_the_work(tmp_path):
    done = run("train", "no-such-file", "-o", tmp_path)
    assert_refused(done, "cannot be written: Is a directory")
    line = ["phenomena", "mine", "example:ud", "--sample", "1", "--sheet"]
    assert_refused(run(*line, ".", cwd=tmp_path), "cannot be written: Is a directory")
    assert not list(tmp_path.iterdir())


def test_a_sheet_does_not_overwrite_its_sentences(tmp_path):
    line = ["phenomena", "mine", "example:ud", "--sample", "1", "--sheet", tmp_path / "a.txt"]
    assert_refused(run(*line), "a.txt is where the sentences go")


def test_a_result_may_lie_in_the_folder_that_the_verb_makes(tmp_path):
    line = ["validate", "example:ud", "--folds", "2", "--set", "iterations=1", "--folder", "runs"]
    assert_silent_success(run(*line, "-o", "runs/all.json", "--quiet", cwd=tmp_path))


def test_an_input_is_overwritten_where_that_is_said(tmp_path):
    path = write(tmp_path / "a.conllu", SENTENCE.replace("\n\n", "\n\n\n"))
    assert_silent_success(run("convert", path, path, "--overwrite"))
    assert path.read_text() == SENTENCE


def test_the_library_writes_what_it_read(tmp_path):
    path = write(tmp_path / "a.conllu", SENTENCE)
    run("info", path)
    write_file(read(path), path)
    assert path.read_text() == SENTENCE


def test_a_link_stays_a_link(tmp_path):
    target, link = write(tmp_path / "old.conllu", "old"), tmp_path / "link.conllu"
    link.symlink_to(target)
    assert_silent_success(run("convert", "example:ud", link))
    assert link.is_symlink()
    assert len(read(target)) == len(read("example:ud"))


def test_a_name_with_escapes_does_not_reach_the_terminal():
    done = run("info", "no\x1b[31mthing\a")
    assert_refused(done, r"no\x1b[31mthing\x07: ")


def test_a_label_with_escapes_does_not_reach_the_terminal_in_a_remark(tmp_path):
    trees = write(tmp_path / "a.mrg", "(S (\x1b[31m (X a) (Y b)))\n")
    done = run("convert", trees, tmp_path / "a.conllu", "--rules", "collins")
    assert r"headed by default (\x1b[31m 1)" in done.stderr


def test_cells_are_no_formulas_where_that_is_asked_for(tmp_path):
    write(tmp_path / "=cmd.conllu", SENTENCE)
    line = ["evaluate", "=cmd.conllu", "=cmd.conllu", "--output-format", "tsv"]
    assert run(*line, cwd=tmp_path).stdout.splitlines()[1].startswith("=cmd")
    assert run(*line, "--safe-cells", cwd=tmp_path).stdout.splitlines()[1].startswith("'=cmd")


def test_a_terminated_command_leaves_no_file(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "convert", "-", tmp_path / "out.conllu", "--from", "conllu"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (143, b"")
    assert list(tmp_path.iterdir()) == []


# ── real files ───────────────────────────────────────────────────────────────────────────────────

TIGER = """<corpus><body><s id="s1"><graph root="s1_500"><terminals>
<t id="s1_1" word="Birds" pos="NNS"><secedge label="X" idref="s1_2"/></t>
<t id="s1_2" word="sing" pos="VBP"/></terminals><nonterminals>
<nt id="s1_500" cat="S"><edge label="SB" idref="s1_1"/><edge label="HD" idref="s1_2"/>
<secedge label="RE" idref="s1_2"/></nt></nonterminals></graph></s></body></corpus>
"""


def test_a_secondary_edge_to_a_word_leads_down_from_its_phrase():
    corpus = read_text(TIGER, "tigerxml")
    secondary = corpus.secondary
    assert secondary.strings("label").tolist() == ["RE"]
    ends = [secondary.numbers(name).tolist() for name in ("parent", "word", "node")]
    assert ends == [[0], [1], [-1]]
    assert read_text(write_text(corpus, "tigerxml")).secondary.numbers("word").tolist() == [1]


def test_a_very_deep_tree_can_be_looked_at(tmp_path):
    depth = 20_000
    path = write(tmp_path / "deep.mrg", "(S " * depth + "(NN dog)" + ")" * depth + "\n")
    done = run("view", path)
    assert_silent_success(done)
    assert done.stdout.count("\n") > depth


# ── the numbers of other programs ────────────────────────────────────────────────────────────────


def test_ned_reads_its_tags_in_the_fifth_column_only(tmp_path):
    rows = [
        "1\tHi\t_\tUH\tUH\t_\t0\troot\t_\t_",
        "2\t!\t_\t.\tXY\t_\t1\tdep\t_\t_",  # a point is a tag of NED, but stands in column 4
        "3\t.\t_\tPUNCT\t.\t_\t1\tpunct\t_\t_",
    ]
    path = write(tmp_path / "a.conllu", "\n".join(rows) + "\n\n")
    data = json.loads(
        run("evaluate", path, path, "--preset", "ned", "--output-format", "json").stdout
    )
    assert data["systems"][0]["metrics"]["uas"]["counts"]["gold"] == 2


def test_wilcoxon_tells_how_small_a_tiny_p_is():
    from commonground.statistics.ranks import _normal_tails

    ranks = np.arange(1.0, 201.0)
    more, less = _normal_tails(ranks, float(ranks.sum()))
    assert 0 < more < 1e-33
    assert less == 1


@pytest.mark.parametrize("kind", ["gr", "hpsg-pa", "parc", "stanford"])
def test_spaces_at_the_ends_of_lines_mean_nothing(shared, tmp_path, kind):
    path = shared / "data/pe08" / f"genia.{kind}"
    spaced = write(tmp_path / f"a.{kind}", path.read_text(encoding="utf-8").replace("\n", "  \n"))
    assert read(spaced) == read(path)


def test_a_feature_may_go_on_and_a_node_may_have_no_number():
    text = "sentence(\nid(1)\nstructure(\npron_type(pro~,demon)\nsubj(sing~0,\n  bird~1)\n)\n)\n"
    corpus = read_text(text, "parc")
    assert corpus.nodes.strings("text").tolist() == ["pro", "sing", "bird"]
    assert corpus.nodes.numbers("number").tolist() == [-1, 0, 1]
    assert read_text(write_text(corpus, "parc"), "parc") == corpus


def test_the_first_problem_of_a_large_bracket_file_is_told_at_once():
    tree = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n"
    text = tree * 257 + "(S (NP))\n" + tree * 100_000
    before = time.process_time()
    with pytest.raises(InputError, match="258: the phrase 'NP' has no words"):
        read_text(text, "brackets")
    assert time.process_time() - before < 2
