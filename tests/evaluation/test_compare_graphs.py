"""Graphs of meaning on the common ground: yields, the words that are compared, and controls."""

from __future__ import annotations

import json
import random
from pathlib import Path

import command
import numpy as np
import pytest
from three_theories import DM, PSD, TREE, arcs, bank, graph, tree_of

import commonground as cg
from commonground.corpus import Dependencies, Graphs
from commonground.errors import UsageError


@pytest.fixture(scope="module")
def dm() -> Graphs:
    return bank(graph(arcs(DM), 4))


@pytest.fixture(scope="module")
def psd() -> Graphs:
    return bank(graph(arcs(PSD), 4))


@pytest.fixture(scope="module")
def tree() -> Dependencies:
    return tree_of(TREE)


def nodes(corpus: cg.Functions) -> set[tuple[str, str]]:
    return set(zip(corpus.yields, corpus.label, strict=True))


# ── yields ───────────────────────────────────────────────────────────────────────────────────────


def test_modifiers_that_point_at_what_they_modify_are_below_it(dm: Graphs) -> None:
    assert nodes(cg.to_functions(dm)) == {
        ("1-4,6-8", "root"),
        ("1-3", "ARG1"),  # the baker, once: singing shares it, as a relation
        ("1", "BV-of"),
        ("2", "ARG1-of"),
        ("3", "hd"),
        ("4", "hd"),
        ("6-8", "ARG2"),
        ("6", "hd"),
        ("7-8", "ARG1-of"),
        ("7", "hd"),
        ("8", "ARG2"),
    }


def test_order_and_names_of_nodes_and_edges_do_not_matter(dm: Graphs) -> None:
    data = json.loads(cg.write_text(dm, "mrp"))
    names = {each["id"]: 100 - 7 * each["id"] for each in data["nodes"]}
    for each in data["nodes"]:
        each["id"] = names[each["id"]]
    for edge in data["edges"]:
        edge |= {"source": names[edge["source"]], "target": names[edge["target"]]}
    data["tops"] = [names[top] for top in data["tops"]]
    random.Random(3).shuffle(data["nodes"])
    random.Random(4).shuffle(data["edges"])
    assert cg.to_functions(bank(data)).nodes == cg.to_functions(dm).nodes


def test_a_tree_as_a_graph_has_the_nodes_of_the_tree() -> None:
    ud = cg.read("example:ud")
    graphs = []
    for sentence in ud:
        heads, labels = sentence.head.tolist(), sentence.deprel
        edges = [
            (h, d, label) for d, (h, label) in enumerate(zip(heads, labels, strict=True), 1) if h
        ]
        graphs.append(graph(edges, heads.index(0) + 1, sentence.sent_id, sentence.form))
    as_graphs = bank(*graphs)
    one, other = cg.to_functions(ud), cg.to_functions(as_graphs)
    # A full stop at the end of an abbreviation is a word of its own where only a graph cuts.
    same = [
        a.column("form", "words") == b.column("form", "words")
        for a, b in zip(one, other, strict=True)
    ]
    kept = np.array(same)
    assert kept.mean() > 0.8
    assert one.take(kept).nodes == other.take(kept).nodes
    result = cg.compare({"tree": (ud, "example:ud-parse"), "graph": (as_graphs, as_graphs)})
    assert (
        result["tree"].gold == result["graph"].gold
    )  # one gold standard, whatever it is written in


def test_cycles_and_parts_without_a_top_have_yields() -> None:
    circle = bank(graph([(4, 3, "a"), (3, 2, "b"), (2, 4, "c"), (8, 7, "d")], 4))
    assert nodes(cg.to_functions(circle)) >= {("2-4", "root"), ("7-8", "root"), ("2-3", "a")}


def test_remote_edges_of_ucca_add_nothing_to_yields() -> None:
    data = graph([(4, 3, "A"), (4, 6, "H"), (6, 3, "A")], 4)
    data["edges"][2] |= {"attributes": ["remote"], "values": [True]}
    assert ("6", "H") in nodes(cg.to_functions(bank(data)))


def test_a_phrase_that_an_abstract_node_is_anchored_in_is_not_its_own() -> None:
    data = graph(arcs("4 3 ARG1; 3 2 x"), 4)
    data["nodes"].append({"id": 50, "label": "udef_q", "anchors": [{"from": 4, "to": 13}]})
    data["edges"].append({"source": 50, "target": 3, "label": "BV"})
    assert ("2-3", "BV-of") not in nodes(cg.to_functions(bank(data)))


def test_unanchored_graphs_are_refused_in_one_line(psd: Graphs) -> None:
    data = graph(arcs(PSD), 4)
    for each in data["nodes"]:
        del each["anchors"]
    with pytest.raises(UsageError, match="no node of these graphs is anchored"):
        cg.compare({"amr": (bank(data),) * 2, "psd": (psd, psd)})


# ── comparisons ──────────────────────────────────────────────────────────────────────────────────


def test_words_that_a_gold_graph_is_silent_about_are_left_out(
    psd: Graphs, dm: Graphs, tree: Dependencies
) -> None:
    result = cg.compare({"dm": (dm, dm), "psd": (psd, psd), "ud": (tree, tree)}, labels="own")
    # Over old, baker, wants, sing, Lisbon all three are the same tree.
    assert {pair: score.unlabelled.value for pair, score in result.overlap.items()} == {
        ("dm", "psd"): 1.0,
        ("dm", "ud"): 1.0,
        ("psd", "ud"): 1.0,
    }
    assert all(each.common["attached"].value == 1.0 for each in result.systems)
    assert result["dm"].single.labelled.counts.totals["gold"] == 10


def _scores(gold: Graphs, parse: Graphs, other: object) -> dict[str, float | None]:
    return {
        kind: score.value
        for kind, score in cg.compare({"a": (gold, parse), "b": (other, other)})["a"].common.items()
    }


def test_who_knows_nothing_gets_nothing(psd: Graphs, tree: Dependencies) -> None:
    alone = bank(graph([], 4))
    flat = bank(graph([(4, word, "x") for word in (2, 3, 6, 8)], 4))
    right = bank(graph([(2, 3, "x"), (3, 4, "x"), (4, 6, "x"), (6, 8, "x")], 2))
    assert _scores(psd, psd, tree)["attached"] == 1.0
    for parse in (alone, flat):
        assert _scores(psd, parse, tree)["attached"] == 0.0
    assert (_scores(psd, right, tree)["attached"] or 0) <= 0.5


def test_a_planted_error_costs_the_same_in_graph_and_tree(
    psd: Graphs, dm: Graphs, tree: Dependencies
) -> None:
    # The old one is in Lisbon: the place is attached to the baker, in all three.
    wrong_psd = bank(graph(arcs(PSD.replace("6 8 LOC", "3 8 LOC")), 4))
    wrong_dm = bank(graph(arcs(DM.replace("7 6", "7 3")), 4))
    heads = tree.head.copy()
    heads[7] = 3
    wrong_tree = Dependencies({**tree.tables, "words": tree.words.replace(head=heads)})
    systems = {"dm": (dm, wrong_dm), "psd": (psd, wrong_psd), "ud": (tree, wrong_tree)}
    found = {each.name: each.common for each in cg.compare(systems).systems}
    assert {name: common["attached"].value for name, common in found.items()} == {
        "dm": 0.0,
        "psd": 0.0,
        "ud": 0.0,
    }
    assert len({common["unlabelled"].value for common in found.values()}) == 1


def test_sentences_are_paired_by_text_not_by_place(tree: Dependencies) -> None:
    short = graph([(2, 1, "ACT-arg")], 2, "2", ["Birds", "sing"])
    there, back = (bank(graph(arcs(PSD), 4), short), bank(short, graph(arcs(PSD), 4)))
    result = cg.compare({"a": (there, there), "b": (back, there)})
    assert result["b"].single.unlabelled.value == 1.0


def test_the_command_compares_graphs_with_trees(
    tmp_path: Path, psd: Graphs, tree: Dependencies
) -> None:
    cg.write(psd, tmp_path / "psd.mrp")
    cg.write(tree, tmp_path / "ud.conllu")
    where = [
        f"{name}={tmp_path}/{file}:{tmp_path}/{file}"
        for name, file in (("psd", "psd.mrp"), ("ud", "ud.conllu"))
    ]
    told = command.run("compare", *where, "-o", str(tmp_path / "r.json"))
    assert told.returncode == 0, told.stderr
    assert json.loads((tmp_path / "r.json").read_text())["overlap"]
    page = command.run("report", str(tmp_path / "r.json"), "-o", str(tmp_path / "r.html"))
    assert page.returncode == 0, page.stderr
