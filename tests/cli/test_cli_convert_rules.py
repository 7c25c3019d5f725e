"""``commonground convert --rules``: between constituents and dependencies."""

from __future__ import annotations

import pytest
from command import assert_refused, assert_silent_success, run, write

import commonground
from commonground.errors import UsageError

UD = """\
# sent_id = a
1\tBirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t2:nsubj\t_
2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t0:root\t_

"""
TREES = """\
(S (NP-SBJ (NNS Birds)) (VP (VBP sing) (PP-TMP (IN in) (NP (NNP May)))))
"""


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["collins"], "2 SUB, 0 ROOT, 2 VMOD, 3 PMOD"),
        (["lth"], "2 SBJ, 0 ROOT, 2 TMP, 3 PMOD"),
        (["lth", "--scheme", "lexical"], "2 SBJ, 0 ROOT, 4 PMOD, 2 ADV"),
    ],
)
def test_constituents_become_dependencies_by_rules(options, expected, tmp_path):
    source, target = write(tmp_path / "in.mrg", TREES), tmp_path / "out.conllu"
    assert_silent_success(run("convert", source, target, "--rules", *options))
    corpus = commonground.read(target)
    rows = zip(corpus.head.tolist(), corpus.deprel.tolist(), strict=True)
    assert ", ".join(f"{head} {label}" for head, label in rows) == expected


def test_head_rules_in_a_file_of_ones_own(tmp_path):
    rules = write(tmp_path / "rules.txt", "S\tl NP;l VP\n")
    source = write(tmp_path / "in.mrg", TREES)
    done = run("convert", source, "-", "--to", "conllu", "--rules", rules)
    assert done.returncode == 0
    assert done.stdout.startswith("1\tBirds\t_\tNOUN\tNNS\t_\t0\tROOT")
    assert done.stderr == "2 of 5 phrases are headed by default (PP 1, VP 1)\n"
    assert run("convert", source, "-", "--to", "conllu", "--rules", rules, "--quiet").stderr == ""


def test_dependencies_become_brackets_by_projection(tmp_path):
    source, target = write(tmp_path / "in.conllu", UD), tmp_path / "out.mrg"
    assert_silent_success(run("convert", source, target, "--rules", "projection"))
    lines = target.read_text(encoding="utf-8").split("\n")
    assert lines[1] == "(S (NNS Birds) (VBP sing))"


@pytest.mark.parametrize(
    ("content", "target", "options", "message"),
    [
        (
            TREES,
            "out.conllu",
            [],
            "name them with --rules (alpino, collins, lth,",
        ),
        (TREES, "out.conllu", ["--rules", "no"], "there are no head rules 'no'; the tables are"),
        (TREES, "out.conllu", ["--rules", "projection"], "name them with --rules (alpino,"),
        (TREES, "out.conllu", ["--rules", "lth", "--scheme", "no"], "there is no scheme 'no'"),
        (
            TREES,
            "out.conllu",
            ["--rules", "yamada", "--scheme", "lth"],
            "a scheme has an effect only with the rules",
        ),
        (UD, "out.mrg", ["--rules", "collins"], "head rules are for constituents; dependencies"),
        (
            UD,
            "out.mrg",
            ["--rules", "projection", "--scheme", "lth"],
            "a scheme has an effect only with the rules",
        ),
        (UD, "out.conllu", ["--rules", "collins"], "--rules has no effect here"),
        (UD, "out.conllu", ["--rules", "projection"], "--rules has no effect here"),
        (TREES, "out.mrg", ["--rules", "yamada"], "--rules has no effect here"),
        (TREES, "out.functions", ["--rules", "yamada"], "--rules has no effect here"),
    ],
)
def test_rules_that_do_not_fit_are_refused(content, target, options, message, tmp_path):
    source = write(tmp_path / "in.txt", content)
    assert_refused(run("convert", source, tmp_path / target, *options), message)
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


def test_a_circle_is_refused_with_its_file_and_line(tmp_path):
    source = write(tmp_path / "in.conllu", UD + UD.replace("\t0\troot", "\t1\troot"))
    done = run("convert", source, tmp_path / "out.mrg", "--rules", "projection")
    assert_refused(done, f"{source}:5: sentence a has a cycle; trees are needed")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "projection"}, "has no effect here"),
        ({"scheme": "lexical"}, "a scheme has an effect only with the rules 'lth'"),
    ],
)
def test_the_function_refuses_what_the_verb_refuses(options, message, tmp_path):
    source = write(tmp_path / "in.conllu", UD)
    with pytest.raises(UsageError, match=message):
        commonground.convert(source, tmp_path / "out.conllu", **options)
    assert not (tmp_path / "out.conllu").exists()
