"""Relations between yields: what they are in each framework, the laws, and other words."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads
from three_theories import DM, PSD, TREE, WORDS, arcs, bank, graph, tree_of

import commonground as cg
from commonground.corpus import Constituents, Dependencies, Functions, Strings
from commonground.corpus.arcs import to_relations
from commonground.errors import UsageError
from commonground.ground.related_yields import (
    graph_relations,
    relation_text,
    relations_on,
    tree_relations,
)

Told = set[tuple[str, str]]


def told(relations: Functions, place: int = 0) -> Told:
    """Return the relations of a sentence for people to read."""
    sentence = relations[place]
    length = len(sentence.column("form", "words")) // 2
    columns = (sentence.column(name, "nodes") for name in ("yields", "label"))
    return {(relation_text(text, length), label) for text, label in zip(*columns, strict=True)}


def of_tree(text: str) -> Told:
    corpus = cg.read_text(text)
    return told(tree_relations(corpus, cg.to_functions(corpus)))


# ── frameworks ───────────────────────────────────────────────────────────────────────────────────


def test_a_shared_argument_has_two_relations_and_one_yield() -> None:
    relations = told(graph_relations(bank(graph(arcs(DM), 4))))
    assert relations == {
        ("3 → 1", "BV-of"),
        ("3 → 2", "ARG1-of"),
        ("4 → 1-3", "ARG1"),
        ("4 → 6-8", "ARG2"),
        ("6 → 1-3", "ARG1"),  # who sings is who wants
        ("6 → 7-8", "ARG1-of"),
        ("7 → 8", "ARG2"),
    }


def test_a_dependency_tree_has_a_relation_for_each_arc() -> None:
    tree = tree_of(TREE)
    relations = told(tree_relations(tree, cg.to_functions(tree)))
    assert {("4 → 1-3", "nsubj"), ("4 → 5-8", "xcomp"), ("6 → 7-8", "obl")} < relations
    assert len(relations) == len(WORDS) - 1


def test_constituents_have_the_heads_of_collins() -> None:
    relations = of_tree("(S (NP-SBJ (DT The) (NN cat)) (VP (VBZ sees) (NP (NNS birds))))")
    assert relations == {("3 → 1-2", "SBJ"), ("2 → 1", ""), ("3 → 4", "")}


def test_constituents_have_the_heads_that_they_mark() -> None:
    export = (
        "#FORMAT 4\n#BOS 1\n"
        "Katzen\t--\tNN\t--\tSB\t500\nsehen\t--\tVVFIN\t--\tHD\t500\n"
        "kleine\t--\tADJA\t--\tNK\t501\nVögel\t--\tNN\t--\tNK\t501\n"
        "#500\t--\tS\t--\t--\t0\n#501\t--\tNP\t--\tOA\t500\n#EOS 1\n"
    )
    corpus = cg.read_text(export, "export")
    # Nobody says what is the head of the noun phrase, so that nothing depends on it.
    relations = told(tree_relations(corpus, cg.to_functions(corpus)))
    assert relations == {("2 → 1", "SB"), ("2 → 3-4", "OA")}


def test_traces_are_neither_heads_nor_words() -> None:
    text = "(S (NP-SBJ (-NONE- *)) (VP (VB Go) (ADVP-DIR (RB home))))"
    assert of_tree(text) == {("1 → 2", "DIR")}


def test_phrases_that_no_rule_knows_say_nothing_about_heads() -> None:
    trees = cg.read_text("(ROOT (XX (A a) (B b)) (YY (C c) (D d)))", "brackets")
    assert isinstance(trees, Constituents)
    with pytest.raises(UsageError, match="the rules of Collins do not know"):
        tree_relations(trees, cg.to_functions(trees))


def test_function_trees_do_not_say_what_is_a_head() -> None:
    trees = cg.read_text("({} ({sbj} John) ({} sleeps))", "functions")
    with pytest.raises(UsageError, match="do not tell which words are heads"):
        tree_relations(trees, trees)


def test_a_unit_of_ucca_has_the_words_of_its_process_or_centers() -> None:
    data = graph(arcs("9 3 P; 9 2 A; 3 1 F"), 9)
    data["framework"] = "ucca"
    data["nodes"] = [each for each in data["nodes"] if each["id"] != 9]
    data["nodes"].append({"id": 9})
    assert told(graph_relations(bank(data))) == {("3 → 2", "A"), ("3 → 1", "F")}


def test_a_head_without_words_is_in_no_relation() -> None:
    data = graph(arcs("4 3 a; 3 2 b"), 4)
    del data["nodes"][1]["anchors"]
    assert told(graph_relations(bank(data))) == {("4 → 2", "a")}


def test_an_empty_node_is_no_head_but_a_way_to_words() -> None:
    text = "1\tSue\t_\t_\t_\t_\t2\tnsubj\t2:nsubj\t_\n2\tate\t_\t_\t_\t_\t0\troot\t0:root\t_\n3\tpie\t_\t_\t_\t_\t2\tx\t2.1:obj\t_\n"
    empty = text.replace("3\tpie", "2.1\tate\t_\t_\t_\t_\t_\t_\t2:conj\t_\n3\tpie")
    corpus = cg.read_text(empty, "conllu")
    assert told(graph_relations(corpus)) == {("2 → 1", "nsubj"), ("2 → 3", "conj")}


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────

EDGE = st.tuples(st.integers(1, 6), st.integers(1, 6), st.sampled_from("ab"))
EDGES = st.lists(EDGE, min_size=1, max_size=9)
FORMS = [f"w{place}" for place in range(1, 7)]


@given(st.integers(1, 7).flatmap(heads))
def test_a_tree_as_a_graph_has_the_relations_of_the_tree(arcs_of: list[int]) -> None:
    words = [f"w{place}" for place in range(len(arcs_of))]
    tree = Dependencies.of([(words, arcs_of, [f"l{arc}" for arc in arcs_of])])
    one = tree_relations(tree, cg.to_functions(tree))
    assert told(graph_relations(to_relations(tree))) == told(one)


@given(EDGES, st.integers(1, 6), st.randoms(use_true_random=False))
def test_order_and_names_of_nodes_do_not_matter(
    edges: list[tuple[int, int, str]], top: int, rng: random.Random
) -> None:
    data = graph(edges, top, words=FORMS)
    before = told(graph_relations(bank(data)))
    names = {each["id"]: 100 - 7 * each["id"] for each in data["nodes"]}
    for each in data["nodes"]:
        each["id"] = names[each["id"]]
    for edge in data["edges"]:
        edge |= {"source": names[edge["source"]], "target": names[edge["target"]]}
    data["tops"] = [names[top]]
    rng.shuffle(data["nodes"])
    rng.shuffle(data["edges"])
    assert told(graph_relations(bank(json.loads(json.dumps(data))))) == before


@given(st.tuples(EDGES, EDGES, EDGES))
def test_generalization_is_commutative_associative_and_idempotent(
    three: tuple[list[tuple[int, int, str]], ...],
) -> None:
    # All have all words, so that they are about the same ones.
    a, b, c = (graph_relations(bank(_complete(edges))) for edges in three)
    both = cg.generalize(a, b)
    assert both == cg.generalize(b, a)
    assert cg.generalize(both, c) == cg.generalize(a, cg.generalize(b, c)) == cg.generalize(a, b, c)
    assert cg.generalize(a, a) == a
    assert cg.subsumes(both, a).all()


def _complete(edges: list[tuple[int, int, str]]) -> dict[str, object]:
    return graph([*edges, *((6, word, "c") for word in range(1, 6))], 6, words=FORMS)


@given(st.integers(2, 7).flatmap(heads), st.data())
def test_what_remains_when_words_are_left_out_are_parts_of_what_was_there(
    arcs_of: list[int], data: st.DataObject
) -> None:
    length = len(arcs_of)
    tree = Dependencies.of([([f"w{n}" for n in range(length)], arcs_of, ["x"] * length)])
    relations = tree_relations(tree, cg.to_functions(tree))
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=length, max_size=length)))
    number = np.where(kept, np.cumsum(kept), 0)
    model = Functions.of([([f"w{n}" for n in np.flatnonzero(kept)], [])])
    short = relations_on(relations, tree.words, model, np.zeros(length, np.int64), number)
    names = {f"w{n}": place for place, n in enumerate(np.flatnonzero(kept), 1)}
    wanted = set()
    trees = cg.to_functions(tree)
    subtree = {n + 1: {n + 1} for n in range(length)}
    for _ in range(length):
        for word, head in enumerate(arcs_of, 1):
            if head:
                subtree[head] |= subtree[word]
    for word, head in enumerate(arcs_of, 1):
        below = {names.get(f"w{each - 1}", 0) for each in subtree[word]} - {0}
        above = names.get(f"w{head - 1}", 0) if head else 0
        if above and below:
            wanted.add((above, frozenset(below)))
    found = set()
    for text, _ in told(short):
        above_text, _, below_text = text.partition(" → ")
        words = cg.corpus.functions.mask_of(below_text)
        found.add((int(above_text), frozenset(n for n in range(1, 9) if words >> n & 1)))
    assert found == wanted
    assert trees.words.rows == length


# ── real and large ones ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["dm", "eds"])
def test_the_examples_have_relations_whose_ends_have_words(name: str) -> None:
    corpus = cg.read(f"example:{name}")
    for place in range(len(corpus)):
        for text, label in told(graph_relations(corpus), place):
            head, _, dependent = text.partition(" → ")
            assert all([head, dependent, label])


def test_labels_are_those_of_the_function_trees_that_are_given() -> None:
    tree = tree_of(TREE)
    trees = cg.to_functions(tree)
    upper = Functions(
        {**trees.tables, "nodes": trees.nodes.replace(label=trees.label.map(str.upper))}
    )
    assert {label for _, label in told(tree_relations(tree, upper))} == {
        label.upper() for _, _, label in arcs(TREE) if label != "root"
    }


def test_psd_has_no_relation_of_a_preposition() -> None:
    relations = told(graph_relations(bank(graph(arcs(PSD), 4))))
    assert ("6 → 8", "LOC") in relations
    assert Strings.of(text for text, _ in relations).where(lambda text: "7" in text).sum() == 0
