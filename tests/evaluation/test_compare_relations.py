"""Relations between yields in comparisons: scores, controls, laws, and how they are shown."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import command
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import heads
from three_theories import DM, PSD, TREE, arcs, bank, graph, tree_of

import commonground as cg
from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.evaluation.comparison_result import CompareResult
from commonground.evaluation.controls import know_no_relations
from commonground.evaluation.prepared_relations import PreparedRelations
from commonground.evaluation.prepared_trees import PreparedTrees
from commonground.evaluation.protocols import ComparisonTerms
from commonground.ground.label_map import parse_label_map
from commonground.metrics.settings import Settings
from commonground.statistics.bias import REWRITTEN

PARSES = {"ud": ("example:ud", "example:ud-parse"), "ptb": ("example:ptb", "example:ptb-parse")}


def relations(systems: object, **options: object) -> PreparedRelations:
    study = PreparedTrees(systems, Settings(), ComparisonTerms(), related=True, **options)  # type: ignore[arg-type]
    assert study.relations
    return study.relations


@pytest.fixture(scope="module")
def three() -> dict[str, tuple[object, object]]:
    """Three theories, each its own parse."""
    dm, psd = bank(graph(arcs(DM), 4)), bank(graph(arcs(PSD), 4))
    tree = tree_of(TREE)
    return {"dm": (dm, dm), "psd": (psd, psd), "ud": (tree, tree)}


@pytest.fixture(scope="module")
def result() -> CompareResult:
    return cg.compare(PARSES, relations=True)


# ── what is found ────────────────────────────────────────────────────────────────────────────────


def test_theories_share_relations_and_graphs_share_one_more(
    three: dict[str, tuple[object, object]],
) -> None:
    found = cg.compare(three, labels="own")
    # Over old, baker, wants, sing, Lisbon: baker → old, wants → baker, wants → sing, sing → Lisbon
    # are in all three; that the baker sings is in the two graphs.
    assert {pair: s.unlabelled.value for pair, s in found.relation_overlap.items()} == {
        ("dm", "psd"): 1.0,
        ("dm", "ud"): 8 / 9,
        ("psd", "ud"): 8 / 9,
    }
    dm = found["dm"].relations
    assert dm
    assert {kind: score.value for kind, score in dm.common.items()} == {
        "unlabelled": 1.0,
        "labelled": None,
        "coverage": 4 / 5,
        "noise": 0.0,
    }
    assert dm.common["labelled"].undefined == (
        "the gold standards have no labelled relation in common"
    )
    assert dm.subsets["dm", "psd"].unlabelled.counts.totals["gold"] == 5


def test_graphs_that_differ_only_in_a_shared_argument_are_two_gold_standards() -> None:
    shared = bank(graph(arcs(PSD), 4))
    alone = bank(graph(arcs(PSD.replace("; 6 3 ACT-arg", "")), 4))
    assert cg.to_functions(shared).nodes == cg.to_functions(alone).nodes
    systems = {"one": (shared, shared), "two": (alone, alone)}
    found = cg.compare(systems)
    assert (found["one"].gold, found["two"].gold) == ("one", "two")
    assert found.relation_overlap["one", "two"].unlabelled.value == 8 / 9
    assert cg.compare(systems, relations=False)["two"].gold == "one"


def test_trees_have_relations_only_where_they_are_asked_for() -> None:
    assert cg.compare(PARSES)["ud"].relations is None


def test_a_parse_loses_the_relations_of_words_that_it_segments_in_another_way() -> None:
    gold = Dependencies.of([("I can not go .".split(), [4, 4, 4, 0, 4], list("abcrp"))])
    parse = Dependencies.of([("I cannot go .".split(), [3, 3, 0, 3], list("abrp"))])
    found = cg.compare({"a": (gold, parse), "b": (gold, gold)}, relations=True)["a"].relations
    assert found
    counts = found.common["unlabelled"].counts.totals
    assert (counts["correct"], counts["gold"]) == (2, 4)
    assert found.common["noise"].counts.totals["correct"] == 1


def test_what_says_nothing_about_heads_is_told(three: dict[str, tuple[object, object]]) -> None:
    trees = cg.to_functions(three["ud"][0])
    systems = {"psd": three["psd"], "sets": (trees, trees)}
    found = cg.compare(systems)
    assert found["psd"].relations is None
    assert "Relations are not compared: sets: functions do not tell" in " ".join(found.remarks)
    with pytest.raises(UsageError, match="sets: functions do not tell which words are heads"):
        cg.compare(systems, relations=True)
    with pytest.raises(UsageError, match="the protocol of 2011 knows no relations"):
        cg.compare(three, relations=True, protocol="2011")


def test_a_map_of_labels_is_a_map_of_relations(three: dict[str, tuple[object, object]]) -> None:
    map_ = parse_label_map("RSTR = amod\nACT-arg = nsubj\nPAT-arg = xcomp\nLOC = obl\n")
    both = {name: three[name] for name in ("psd", "ud")}
    found = cg.compare(both, label_maps={"psd": map_})
    # All relations of UD have the labels of PSD.
    assert found.relation_overlap["psd", "ud"].labelled.value == 8 / 9


# ── controls ─────────────────────────────────────────────────────────────────────────────────────


def test_a_gold_standard_has_all_relations_of_itself() -> None:
    study = relations({"ud": ("example:ud",) * 2, "ptb": ("example:ptb",) * 2})
    for name in study.own_golds:
        assert study.overlap(name, name).unlabelled.value == 1.0
        assert study.single(name).labelled.value == 1.0


def test_relations_of_other_sentences_are_wrong() -> None:
    ud = cg.read("example:ud")
    assert isinstance(ud, Dependencies)
    heads_of = ud.head.copy()
    for length in set(ud.words.lengths.tolist()):
        same = np.flatnonzero(ud.words.lengths == length)
        starts = ud.offsets[same]
        for start, other in zip(starts, np.roll(starts, 1), strict=True):
            heads_of[start : start + length] = ud.head[other : other + length]
    shuffled = Dependencies({**ud.tables, "words": ud.words.replace(head=heads_of)})
    alone = np.isin(ud.words.lengths, [n for n, c in zip(*np.unique(ud.words.lengths, return_counts=True), strict=True) if c > 1])  # fmt: skip
    gold, parse = ud.take(np.flatnonzero(alone)), shuffled.take(np.flatnonzero(alone))
    found = cg.compare({"a": (gold, parse), "b": (gold, gold)}, relations=True)["a"].relations
    assert found
    assert found.common["unlabelled"].value < 0.35  # type: ignore[operator]


def test_who_knows_nothing_finds_next_to_nothing(result: CompareResult) -> None:
    assert 0 < result.floor["relations_unlabelled"] < 0.2
    study = relations(PARSES)
    general = study.generalized(study.own_golds)
    for parse in know_no_relations(study.golds["ud"]):
        scores = study.scores(parse, study.golds["ud"], general)
        counts = scores.unlabelled.counts.totals
        assert counts["correct"] / counts["gold"] <= result.floor["relations_unlabelled"]


@pytest.mark.parametrize("number", [1, 7, 20])
def test_each_planted_error_costs_two_relations(number: int) -> None:
    """A leaf below the root is put below a sister: its own relation is lost, and the sister's."""
    ud = cg.read("example:ud")
    assert isinstance(ud, Dependencies)
    above = ud.head.copy()
    planted = 0
    for start, stop in pairwise(ud.offsets.tolist()):
        own = ud.head[start:stop].tolist()
        root = own.index(0) + 1
        leaves = [n for n, head in enumerate(own, 1) if head == root and n not in own]
        if planted < number and len(leaves) > 1:
            above[start + leaves[1] - 1] = leaves[0]
            planted += 1
    assert planted == number
    parse = Dependencies({**ud.tables, "words": ud.words.replace(head=above)})
    found = cg.compare({"a": (ud, parse), "b": (ud, ud)}, relations=True)["a"].relations
    assert found
    counts = found.common["unlabelled"].counts.totals
    assert counts["gold"] - counts["correct"] == 2 * number
    assert found.common["noise"].counts.totals["correct"] == 2 * number


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
@given(st.integers(2, 7).flatmap(lambda n: st.tuples(heads(n), heads(n), heads(n))))
def test_overlap_is_symmetric_and_shards_add_up(arcs_of: tuple[list[int], ...]) -> None:
    banks = []
    for n, each in enumerate(arcs_of):
        words = [f"w{place}" for place in range(len(each))]
        other = arcs_of[(n + 1) % 3]
        banks.append(Dependencies.of([(words, each, ["x"] * len(each)), (words, other, ["y"] * len(each))]))  # fmt: skip
    gold, other, parse = banks
    systems = {"a": (gold, parse), "b": (other, other)}
    study = relations(systems, labels="own")
    one, two = study.overlap(*study.own_golds[:1] * 2), study.overlap(study.own_golds[0], study.own_golds[-1])  # fmt: skip
    assert one.unlabelled.value == 1.0
    back = study.overlap(study.own_golds[-1], study.own_golds[0])
    assert [s.value for s in two.both.values()] == [s.value for s in back.both.values()]
    halves = [
        cg.compare(
            {name: tuple(side[at : at + 1] for side in pair) for name, pair in systems.items()},
            labels="own",
            relations=True,
        )["a"].relations
        for at in (0, 1)
    ]
    whole = cg.compare(systems, labels="own", relations=True)["a"].relations
    assert whole
    for kind in ("unlabelled", "labelled", "noise"):
        parts = [half.common[kind].counts.totals for half in halves if half]
        total = whole.common[kind].counts.totals
        assert {name: sum(part[name] for part in parts) for name in total} == total


# ── how it is shown ──────────────────────────────────────────────────────────────────────────────


def test_json_has_relations_beside_nodes_and_comes_back(result: CompareResult) -> None:
    data = json.loads(json.dumps(result.to_json()))
    ud = data["systems"][0]
    assert set(ud["relations"]) == {"single", "multiple", "common", "against", "subsets"}
    assert set(ud["relations"]["common"]) >= {"labelled", "unlabelled", "coverage", "noise"}
    assert data["relation_overlap"]["ptb+ud"]["unlabelled"] == pytest.approx(0.5641, abs=1e-4)
    back = CompareResult.from_json(data)
    assert back["ud"].relations
    assert back.to_json() == data
    assert [grid.rows for grid in back.grids()] == [grid.rows for grid in result.grids()]


def test_relations_can_be_tested(result: CompareResult) -> None:
    names = {name for system in result.tested() for name in system.scores}
    assert {"relations_unlabelled", "relations_labelled"} <= names
    assert all(0 < REWRITTEN[name] < 0.1 for name in names if name.startswith("relations"))
    told = result.to_pandas()
    assert {"relations", "relations_single", "relations_multiple"} <= set(told["gold"])


@pytest.mark.long
def test_the_command_shows_and_explains_relations(
    tmp_path: Path, three: dict[str, tuple[object, object]]
) -> None:
    where = []
    for name, suffix in (("dm", "mrp"), ("psd", "mrp"), ("ud", "conllu")):
        path = tmp_path / f"{name}.{suffix}"
        cg.write(three[name][0], path)
        where.append(f"{name}={path}:{path}")
    told = command.run("compare", *where, "--labels", "own")
    assert "Relations, found" in told.stdout
    assert "relations, unlabelled" in told.stdout
    saved = tmp_path / "r.json"
    test = ["--test", "shuffle", "--iterations", "100", "-o", str(saved)]
    assert command.run("compare", *where, "--labels", "own", *test).returncode == 0
    page = command.run("report", str(saved), "-o", str(tmp_path / "r.html"))
    assert page.returncode == 0, page.stderr
    assert "Relations, found" in (tmp_path / "r.html").read_text()
    without = command.run("compare", *where, "--labels", "own", "--no-relations")
    assert "Relations" not in without.stdout
    explained = command.run("compare", *where, "--labels", "own", "--explain-sentence", "1")
    assert "unlabelled MULTIPLE of relations: δ = 0, |P|+|G| = 5+4 = 9" in explained.stdout
    assert "forgiven  delete 4 → 1-2 (not in ud)" in explained.stdout
    as_json = [*where, "--labels", "own", "--explain-sentence", "1", "--output-format", "json"]
    data = json.loads(command.run("compare", *as_json).stdout)
    assert data["systems"][0]["relations"]["unlabelled"]["delta"] == 0
