"""From analyses to function trees: the figures of Tsarfaty et al. (2011, 2012), and what they leave out."""

from __future__ import annotations

import pytest
from function_trees import shown, trees
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads

import commonground
from commonground.corpus import Constituents, Dependencies, Functions
from commonground.corpus.functions import yield_text
from commonground.errors import InputError, UsageError
from commonground.formats import read_text
from commonground.ground import to_functions

JOHN = Dependencies.of([(["John", "loves", "Mary"], [2, 0, 2], ["sbj", "root", "obj"])])


def brackets(text):
    return read_text(text, "brackets")


# ── Figure 1 of 2012: John loves Mary in three frameworks ────────────────────────────────────────


def test_figure_1a_a_dependency_tree():
    assert shown(to_functions(JOHN)) == "({root} ({sbj} John) ({hd} loves) ({obj} Mary))"


def test_figure_1b_a_phrase_structure_tree():
    text = "(S-root (NP-sbj (NN-hd John)) (VP-prd (V-hd loves) (NP-obj (NN-hd Mary))))"
    result = shown(to_functions(brackets(text)))
    assert result == "({root} ({hd,sbj} John) ({prd} ({hd} loves) ({hd,obj} Mary)))"


def test_figure_1c_a_relational_realizational_tree():
    """The paper writes `root` for the node over the sentence; here nothing in the tree says so."""
    text = (
        "(S ({sbj,prd,obj} (sbj (NP ({hd} (hd (NN John))))) (prd (V loves))"
        " (obj (NP ({hd} (hd (NN Mary)))))))"
    )
    assert shown(to_functions(brackets(text))) == "({hd,sbj} John) ({prd} loves) ({hd,obj} Mary)"


def test_figure_1c_with_the_root_named():
    text = (
        "(TOP ({root} (root (S ({sbj,prd,obj} (sbj (NP ({hd} (hd (NN John))))) (prd (V loves))"
        " (obj (NP ({hd} (hd (NN Mary))))))))))"
    )
    result = shown(to_functions(brackets(text)))
    assert result == "({root} ({hd,sbj} John) ({prd} loves) ({hd,obj} Mary))"


# ── Figure 2 of 2012: unary chains ───────────────────────────────────────────────────────────────


def test_figure_2_the_order_of_a_unary_chain_is_no_matter():
    one, two, three = (
        trees(f"({{root}} {text} x)")
        for text in ("({f1} ({f2} w))", "({f2} ({f1} w))", "({f1,f2} w)")
    )
    assert one == two == three
    assert shown(one) == "({root} ({f1,f2} w) x)"


# ── (4) to (6) of 2011: dependency trees with wildcards ──────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "arcs", "labels", "tree"),
    [
        ("on Sunday", [2, 0], "prep …", "({prep} on) ({*} Sunday)"),
        ("on Sunday", [0, 1], "… pobj", "({*} on) ({pobj} Sunday)"),
        (
            "earth wind and fire",
            [3, 3, 0, 3],
            "conj conj … conj",
            "({conj} earth) ({conj} wind) ({*} and) ({conj} fire)",
        ),
        (
            "earth wind and fire",
            [0, 1, 1, 1],
            "… conj cc conj",
            "({*} earth) ({conj} wind) ({cc} and) ({conj} fire)",
        ),
        (
            "earth wind and fire",
            [0, 1, 2, 3],
            "… coord coord conj",
            "({*} earth) ({coord} ({*} wind) ({coord} ({*} and) ({conj} fire)))",
        ),
        (
            "would have worked",
            [0, 1, 2],
            "… vg vg",
            "({*} would) ({vg} ({*} have) ({vg} worked))",
        ),
        (
            "would have worked",
            [2, 3, 0],
            "vg vg …",
            "({vg} ({vg} would) ({*} have)) ({*} worked)",
        ),
    ],
    ids=["4a", "4b", "5a", "5b", "5c", "6a", "6b"],
)
def test_a_head_with_dependents_is_a_wildcard(words, arcs, labels, tree):
    corpus = Dependencies.of([(words.split(), arcs, labels.split())])
    assert shown(to_functions(corpus, head="*")) == f"({{…}} {tree})"


# ── sets of words instead of spans ───────────────────────────────────────────────────────────────


def test_a_non_projective_tree_needs_no_repair():
    forms, arcs = "A hearing is scheduled on the issue".split(), [2, 4, 4, 0, 7, 7, 2]
    labels = ["det", "nsubj", "aux", "root", "case", "det", "nmod"]
    result = to_functions(Dependencies.of([(forms, arcs, labels)]))
    assert "({nsubj} ({det} 1=A) ({hd} 2=hearing) ({nmod} ({case} 5=on)" in shown(result)
    assert ("1-2,5-7", "nsubj") in list(zip(result.yields, result.label, strict=True))


def test_edge_labels_are_the_functions_of_tiger_trees():
    """The edges count, the categories do not."""
    text = (
        "%% word\tlemma\ttag\tmorph\tedge\tparent\n#BOS 1\n"
        "Das\t--\tPDS\t--\tOA\t500\nhabe\t--\tVAFIN\t--\tHD\t501\n"
        "ich\t--\tPPER\t--\tSB\t501\ngesehen\t--\tVVPP\t--\tHD\t500\n"
        "#500\t--\tVP\t--\tOC\t501\n#501\t--\tS\t--\t--\t0\n#EOS 1\n"
    )
    result = to_functions(read_text(text, "export"))
    assert shown(result) == "({} ({OC} ({OA} 1=Das) ({HD} 4=gesehen)) ({HD} 2=habe) ({SB} 3=ich))"


def test_discontinuous_brackets():
    result = to_functions(read_text("(S (NP-SBJ (D 0=a) (N 2=c)) (V 1=b))", "discbracket"))
    assert shown(result) == "({} ({SBJ} ({} 1=a) ({} 3=c)) ({} 2=b))"


@given(st.integers(1, 8).flatmap(heads))
def test_the_yield_of_a_word_is_all_that_climbs_to_it(arcs):
    words = range(1, len(arcs) + 1)
    corpus = Dependencies.of([(list(map(str, words)), arcs, [f"l{word}" for word in words])])
    below = {word: {word} for word in words}
    for word in words:
        above = arcs[word - 1]
        while above:
            below[above].add(word)
            above = arcs[above - 1]
    wanted = [(yield_text(below[word]), f"l{word}") for word in words]
    wanted += [(str(word), "hd") for word in words if len(below[word]) > 1]
    assert to_functions(corpus) == Functions.of([(list(map(str, words)), wanted)])


# ── constituents ─────────────────────────────────────────────────────────────────────────────────


def test_the_dash_tags_that_count_can_be_chosen():
    corpus = brackets("(S (NP-SBJ-TMP-1 (NN a)) (PP-LOC=1 (IN b) (-NONE- *T*)))")
    assert shown(to_functions(corpus)) == "({} ({SBJ,TMP} a) ({LOC} b))"
    assert shown(to_functions(corpus, functions={"SBJ"})) == "({} ({SBJ} a) ({} b))"
    assert shown(to_functions(corpus, functions=())) == "({} ({} a) ({} b))"


def test_traces_are_no_words_and_nodes_over_them_no_nodes():
    corpus = brackets("(S (NP-SBJ (-NONE- *)) (VP (V go)))")
    assert shown(to_functions(corpus)) == "({} go)"


def test_nothing_but_traces():
    corpus = brackets("(S (NP-SBJ (-NONE- *)))\n(S (V go))")
    assert shown(to_functions(corpus)) == "()\n({} go)"


# ── whatever comes ───────────────────────────────────────────────────────────────────────────────


def test_function_trees_are_their_own():
    corpus = trees("({a} b)")
    assert to_functions(corpus) is corpus


def test_comments_and_lines_are_kept():
    ud = commonground.read("example:ud")
    result = to_functions(ud)
    assert result.sent_id == ud.sent_id
    assert result.lines.tolist() == ud.lines.tolist()


def test_a_cycle_is_refused_with_its_line():
    corpus = read_text("1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n", "conllu")
    with pytest.raises(InputError, match="this word is on a cycle"):
        to_functions(corpus)


def test_alignments_have_no_function_trees():
    with pytest.raises(UsageError, match="alignments have no function trees"):
        to_functions(read_text("0-0", "pharaoh"))


def test_no_sentences_at_all():
    assert len(to_functions(Dependencies.of([]))) == 0
    assert len(to_functions(Constituents.concatenate([brackets("(A b)")])[:0])) == 0


def test_depth_and_length_are_no_matter():
    length = 5000
    chain = Dependencies.of([(["w"] * length, list(range(length)), ["x"] * length)])
    assert to_functions(chain).nodes.rows == 2 * length - 1
    deep = brackets("(X " * length + "(N w) v" + ")" * length)
    assert shown(to_functions(deep)) == "({} ({} w) v)"
