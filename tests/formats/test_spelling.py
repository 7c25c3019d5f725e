r"""Words of the Penn Treebank are the same, whether a file has ( or -LRB-, 1/2 or 1\/2."""

import pytest
from command import assert_refused, run, write

import commonground as cg

TREE = r"(S (NP (NN Rates) (-LRB- -LRB-) (CD 1\/2) (-RRB- -RRB-)) (VP (VBD rose)))"
ROWS = [(r"Rates", 5), ("(", 3), ("1/2", 1), (")", 3), ("rose", 0)]
SIGNS = {"(": "-LRB-", ")": "-RRB-", "1/2": r"1\/2"}


def conllx(signs):
    rows = (
        f"{i}\t{signs.get(form, form)}\t_\t_\t_\t_\t{head}\tdep\t_\t_\n"
        for i, (form, head) in enumerate(ROWS, 1)
    )
    return "".join(rows) + "\n"


@pytest.fixture
def files(tmp_path):
    return (
        write(tmp_path / "plain.conll", conllx({})),
        write(tmp_path / "penn.conll", conllx(SIGNS)),
        write(tmp_path / "tree.mrg", TREE + "\n"),
    )


@pytest.mark.parametrize("order", [1, -1])
def test_a_parse_may_write_brackets_as_the_penn_treebank_does(files, order):
    gold, parse = files[:2][::order]
    result = cg.evaluate(gold, parse, metrics=["uas"])
    assert result["uas"].value == 1
    assert result.systems[0].skipped == ()


def test_dependencies_with_such_brackets_are_compared_with_the_trees_they_come_of(files):
    _, penn, tree = files
    done = run("compare", f"a={tree}:{tree}", f"b={penn}:{penn}")
    assert done.returncode == 0, done.stderr
    assert "realigned:0|skipped:0" in done.stdout


def test_what_a_file_says_is_written_as_it_was(files):
    assert cg.read(files[1]).form[1] == "-LRB-"


def test_other_words_still_differ(files, tmp_path):
    other = write(tmp_path / "other.conll", conllx({"(": "-LCB-"}))
    assert_refused(run("evaluate", files[0], other), "sentence 1 has '{' as word 2")
