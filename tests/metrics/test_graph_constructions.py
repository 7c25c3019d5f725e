"""Scores of graphs by construction, and by the nodes of any pattern."""

from __future__ import annotations

import pytest
from command import run

import commonground as cg
from commonground.metrics.by.graph_pieces import constructions_of_graphs
from commonground.patterns.language import parse_pattern

CONTROL = "U -[ARG2]-> V; U -[ARG1]-> S; V -[ARG1]-> S"


def rows(*arguments):
    told = run("evaluate", *arguments, "--output-format", "tsv", "--tables", "by")
    assert told.returncode == 0, told.stderr
    lines = [line.split("\t") for line in told.stdout.rstrip("\n").split("\n")]
    return {line[0]: dict(zip(lines[0], line, strict=True)) for line in lines[1:]}


def test_the_constructions_of_dm_are_told_apart():
    found = rows("example:dm", "example:dm-parse", "--by", "construction", "--metrics", "sdp_f1")
    assert {name: (row["gold"], row["correct"]) for name, row in found.items()} == {
        "–": ("19", "14"),
        "determiner": ("7", "7"),
        "control": ("4", "3"),
        "coordination": ("2", "2"),
        "relative clause": ("2", "2"),
    }


def test_an_edge_has_the_names_of_its_ends_and_a_node_its_own():
    by = ("--by", f"pattern:{CONTROL}")
    found = rows("example:dm", "example:dm-parse", *by, "--metrics", "sdp_f1")
    assert {name: (row["gold"], row["correct"]) for name, row in found.items()} == {
        "–": ("30", "25"),
        "U": ("1", "1"),  # the top
        "U → S": ("1", "1"),
        "U → V": ("1", "1"),
        "V → S": ("1", "0"),  # the subject that both verbs share
    }


@pytest.mark.parametrize("example", ["dm", "eds", "amr"])
@pytest.mark.parametrize("metric", ["mrp_f1", "smatch", "sdp_f1", "edm_all"])
def test_the_pieces_of_all_constructions_are_all_pieces(example, metric):
    arguments = (f"example:{example}", f"example:{example}-parse", "--metrics", metric)
    found = rows(*arguments, "--by", "construction")
    whole = cg.evaluate(*arguments[:2], metrics=[metric])[metric].counts.totals
    for name in ("gold", "system", "correct"):
        assert sum(int(row[name]) for row in found.values()) == whole[name]


def test_graphs_without_matches_are_in_no_construction():
    found = rows("example:dm", "example:dm", "--by", "pattern:A -[x]-> B", "--metrics", "smatch")
    assert set(found) == {"–"}


def test_frameworks_without_patterns_have_no_constructions(tmp_path):
    path = tmp_path / "a.mrp"
    cg.write(cg.read("example:dm"), path)
    path.write_text(path.read_text().replace('"framework":"dm"', '"framework":"drg"'))
    found = rows(str(path), str(path), "--by", "construction", "--metrics", "smatch")
    assert set(found) == {"–"}


def test_every_pattern_of_a_construction_can_be_read():
    for of_framework in constructions_of_graphs().values():
        for text in of_framework.values():
            assert parse_pattern(text).names
