"""Relational-realizational trees (Tsarfaty et al. 2012, §4.2), and trees without some parts."""

from __future__ import annotations

import pytest
from command import assert_refused, assert_silent_success, run, write
from hypothesis import given
from tree_pairs import pairs

from commonground import evaluate, generalize, read, read_text, subsumes, to_functions, write_text
from commonground.corpus import Strings
from commonground.corpus.interleaving import interleaved
from commonground.corpus.realizational import without_function_nodes
from commonground.corpus.stripping import strip
from commonground.errors import UsageError
from commonground.ground.constituents import constituent_functions
from commonground.metrics.settings import Settings

GOLD = "(S-root (NP-sbj (NN-hd John)) (VP-prd (V-hd loves) (NP-obj (NN-hd Mary))))\n"
FULL = (
    "(S ({sbj,prd,obj} (sbj (NP ({hd} (hd (NN John))))) (prd (V loves)) "
    "(obj (NP ({hd} (hd (NN Mary)))))))\n"
)
SHORT = "(S (sbj (NP (hd (NN John)))) (prd (V loves)) (obj (NP (hd (NN Mary)))))\n"
NAMES = ("sbj", "prd", "obj", "hd")
TREE = "({hd,sbj} John) ({prd} loves) ({hd,obj} Mary)\n"


def nodes(tree):
    return list(zip(tree.yields, tree.label, strict=True))


def test_parseval_strips_function_nodes_of_full_trees():
    scores = evaluate(read_text(GOLD), read_text(FULL)).systems[0].scores
    assert scores["parseval_f1"].value == pytest.approx(6 / 7)


def test_parseval_strips_function_nodes_that_are_named():
    settings = Settings(function_nodes=NAMES)
    scores = evaluate(read_text(GOLD), read_text(SHORT, "brackets"), settings=settings)
    assert scores.systems[0].scores["parseval_f1"].value == pytest.approx(6 / 7)


def test_tedeval_strips_phrase_nodes():
    full = to_functions(read_text(FULL))
    short = to_functions(read_text(SHORT, "brackets"), function_nodes=NAMES)
    assert write_text(full, "functions") == TREE == write_text(short, "functions")


def test_the_parse_of_figure_1_against_the_gold_tree_of_figure_1():
    """G: sbj John, hd John, prd loves Mary, hd loves, obj Mary, hd Mary; P has 4 of them, and prd."""
    metrics = ["tedeval", "tedeval_unlabelled"]
    scores = evaluate(read_text(GOLD), read_text(FULL), metrics=metrics).systems[0].scores
    assert scores["tedeval"].value == pytest.approx(1 - 3 / 11)
    assert scores["tedeval_unlabelled"].value == pytest.approx(1 - 1 / 7)


def test_written_and_read_again_it_is_recognised(tmp_path):
    source, target = write(tmp_path / "gold.mrg", GOLD), tmp_path / "gold.rr"
    assert_silent_success(run("convert", source, target))
    assert target.read_text(encoding="utf-8") == (
        "# function-nodes = hd obj prd root sbj\n"
        "(root (S (sbj (NP (hd (NN John)))) (prd (VP (hd (V loves)) (obj (NP (hd (NN Mary))))))))\n"
    )
    again = run("convert", target, "-", "--to", "functions")
    native = run("convert", source, "-", "--to", "functions")
    assert again.stdout.split("\n")[1:] == native.stdout.split("\n")


def test_trees_without_functions_cannot_be_written(tmp_path):
    bare = write(tmp_path / "bare.mrg", "(S (NP (NN rain)) (VP (VBZ falls)))\n")
    assert_refused(run("convert", bare, tmp_path / "x.rr"), "no phrase has a function")


@given(pairs())
def test_interleaving_and_stripping_leaves_the_phrases(pair):
    corpus = pair[0]
    bare = strip(corpus, ["functions"])
    assert without_function_nodes(interleaved(corpus)).label == bare.label


def test_edges_become_function_nodes():
    tree = read_text("(S (NP (NN rain)) (VP (VBZ falls)))")
    edges = tree.replace("nodes", edge=type(tree.label).of(["_", "SB", "_"]))
    assert "(SB (NP (NN rain)))" in write_text(edges, "rr")


TREES = {
    "functions": "(S (NP-1 (NP (NN rain)) (, ,)) (VP (VBZ falls) (NP (-NONE- *T*-1))))",
    "traces": "(S (NP-SBJ-1 (NP (NN rain)) (, ,)) (VP (VBZ falls)))",
    "coindexation": "(S (NP-SBJ (NP (NN rain)) (, ,)) (VP (VBZ falls) (NP (-NONE- *T*))))",
    "punctuation": "(S (NP-SBJ-1 (NP (NN rain))) (VP (VBZ falls) (NP (-NONE- *T*-1))))",
    "unary,punctuation": "(S (NP-SBJ-1 (NN rain)) (VP (VBZ falls) (NP (-NONE- *T*-1))))",
    "functions,traces,coindexation,unary,punctuation": "(S (NP (NN rain)) (VP (VBZ falls)))",
}
ALL = "(S (NP-SBJ-1 (NP (NN rain)) (, ,)) (VP (VBZ falls) (NP (-NONE- *T*-1))))\n"


@pytest.mark.parametrize("parts", TREES)
def test_parts_of_constituents_can_be_stripped(parts, tmp_path):
    done = run(
        "convert", write(tmp_path / "in.mrg", ALL), "-", "--to", "brackets", "--strip", parts
    )
    assert_silent_success(done)
    assert done.stdout == TREES[parts] + "\n"


def test_the_root_is_no_unary_chain():
    tree = read_text("(ROOT (S (VP (VB Go))))")
    assert write_text(strip(tree, ["unary"]), "brackets") == "(ROOT (S (VB Go)))\n"


def test_a_sentence_of_nothing_but_punctuation_keeps_it():
    tree = read_text("(X (. .) (. .))")
    assert strip(tree, ["punctuation"]) == tree


def test_what_cannot_be_stripped_is_named():
    with pytest.raises(UsageError, match="there is no part 'tags'"):
        strip(read_text(ALL), ["tags"])


IDLE = {
    "--functions": ("", "in.mrg", "brackets"),
    "--head": ("*", "in.mrg", "functions"),
    "--function-nodes": ("sbj", "in.mrg", "brackets"),
    "--strip": ("traces", "in.conllu", "conllx"),
}


@pytest.mark.parametrize("option", IDLE)
def test_options_without_effect_are_refused(option, tmp_path):
    write(tmp_path / "in.mrg", ALL)
    write(tmp_path / "in.conllu", "1\tHi\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    value, name, target = IDLE[option]
    done = run("convert", tmp_path / name, "-", "--to", target, option, value)
    assert_refused(done, option)


def test_the_command_strips_function_nodes_that_are_named(tmp_path):
    gold, parse = write(tmp_path / "gold.mrg", GOLD), write(tmp_path / "parse.mrg", SHORT)
    done = run(
        "evaluate", gold, parse, "--function-nodes", "sbj,prd,obj,hd", "--metrics", "parseval_f1"
    )
    assert_silent_success(done)
    assert "85.71" in done.stdout
    assert "85.71" not in run("evaluate", gold, parse, "--metrics", "parseval_f1").stdout


def phrases(corpus):
    """All nodes as they are called, functions or not."""
    texts = corpus.nodes.strings("label"), Strings.constant("word", corpus.words.rows)
    return constituent_functions(corpus, labels=(texts, lambda text: (text,)))


@pytest.mark.parametrize("treebank", ["example:ptb", "data/sequoia/const.mrg"])
def test_what_phrases_and_function_nodes_agree_on_is_the_phrases(treebank, shared):
    """RR trees only add function nodes to PS trees: PS ⊓ RR = PS (Tsarfaty et al. 2012, §4.2)."""
    corpus = read(shared / treebank if treebank.startswith("data") else treebank)
    ps = phrases(strip(corpus, ["functions", "traces"]))
    text = write_text(strip(corpus, ["traces"]), "rr")
    lines = [line for line in text.splitlines() if not line.startswith("# function-nodes")]
    rr = phrases(read_text("\n".join(lines), "brackets"))
    assert rr.nodes.rows > ps.nodes.rows
    assert generalize(ps, rr).nodes == ps.nodes
    assert subsumes(ps, rr).all()
