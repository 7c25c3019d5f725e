"""Agreement of graphs: piece by piece in one framework, by yields and relations across them."""

from __future__ import annotations

import json
from pathlib import Path

import command
import pytest
from three_theories import DM, PSD, TREE, arcs, bank, graph, tree_of

import commonground as cg
from commonground.errors import UsageError
from commonground.evaluation.agreement import Agreement


@pytest.fixture(scope="module")
def annotators() -> Agreement:
    return cg.agreement(
        {"one": "example:dm", "two": "example:dm-parse"}, by=["construction", "component"]
    )


def test_two_annotations_of_a_framework_are_compared_piece_by_piece(annotators: Agreement) -> None:
    alone = cg.evaluate("example:dm", "example:dm-parse", metrics=["mrp_f1", "mrp_edges"])
    for name in ("mrp_f1", "mrp_edges"):
        assert annotators.value(name, "one", "two") == alone.systems[0][name].value
        assert annotators.value(name, "two", "one") == alone.systems[0][name].value
    assert annotators.symmetric("mrp_f1")


def test_pieces_of_all_values_are_all_pieces(annotators: Agreement) -> None:
    by_name = {each.by: each for each in annotators.pieces}
    assert set(by_name) == {"construction", "component"}
    totals = annotators.scores["one", "two"]["mrp_f1"].counts.totals
    for each in by_name.values():
        for key in ("gold", "system", "correct"):
            assert sum(row.counts[key] for row in each.rows) == totals[key]
    assert by_name["construction"].rows[-1].values == ("–",)


def test_an_annotation_agrees_with_itself(annotators: Agreement) -> None:
    same = cg.agreement({"a": "example:eds", "b": "example:eds"}, by=["component"])
    assert same.value("mrp_f1", "a", "b") == 1.0
    assert all(row.counts["correct"] == row.counts["gold"] for row in same.pieces[0].rows)


def test_frameworks_agree_on_yields_and_relations() -> None:
    dm, psd, tree = bank(graph(arcs(DM), 4)), bank(graph(arcs(PSD), 4)), tree_of(TREE)
    psd = psd.replace("sentences", comments=psd.comments.map(lambda t: t.replace("= dm", "= psd")))
    found = cg.agreement({"dm": dm, "psd": psd, "ud": tree})
    assert found.value("tedeval_unlabelled", "dm", "psd") == 1.0
    assert found.value("relation_overlap_unlabelled", "dm", "psd") == 1.0
    # Seven and six relations, of which five are shared: *in* heads *Lisbon* in DM and depends on it
    # in UD, and only DM says that the baker sings.
    assert found.value("relation_overlap_unlabelled", "ud", "dm") == 10 / 13
    assert all(found.symmetric(metric.name) for metric in found.metrics)
    back = Agreement.from_json(json.loads(json.dumps(found.to_json())))
    assert [grid.rows for grid in back.grids()] == [grid.rows for grid in found.grids()]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": True}, "--alpha needs dependencies, not graphs"),
        ({"confusion": True}, "--label-pairs needs dependencies"),
        ({"columns": True}, "--by-column needs dependencies"),
        ({"by": ["component"]}, "--by needs analyses of one framework"),
        ({"metrics": ["mrp_f1"]}, "--metrics needs analyses of one framework"),
    ],
)
def test_what_frameworks_do_not_share_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cg.agreement({"dm": "example:dm", "eds": "example:eds"}, **options)  # type: ignore[arg-type]


def test_graphs_without_anchors_have_nothing_to_share() -> None:
    with pytest.raises(UsageError, match="no node of these graphs is anchored"):
        cg.agreement({"dm": "example:dm", "amr": "example:amr"})


@pytest.mark.long
def test_the_command_saves_and_shows_agreement_of_graphs(tmp_path: Path) -> None:
    files = ["one=example:dm", "two=example:dm-parse", "--by", "construction"]
    told = command.run("agreement", *files)
    assert "MRP edges" in told.stdout
    assert "relative clause" in told.stdout
    saved = tmp_path / "a.json"
    assert command.run("agreement", *files, "-o", str(saved)).returncode == 0
    back = cg.read_result(saved)
    assert isinstance(back, Agreement)
    assert back.pieces[0].by == "construction"
    page = command.run("report", str(saved), "-o", str(tmp_path / "a.html"))
    assert page.returncode == 0, page.stderr
    assert "Pieces of one and two" in (tmp_path / "a.html").read_text()
    sheet = command.run("agreement", *files[:2], "--sheet", str(tmp_path / "s.tsv"))
    assert (sheet.returncode, sheet.stderr.count("\n")) == (2, 1)
