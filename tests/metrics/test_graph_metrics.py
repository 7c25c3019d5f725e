"""Scores of graphs are those of mtool and smatch, where these are right."""

from __future__ import annotations

import json
import random
import re

import pytest
from command import run

import commonground as cg
from commonground.metrics.graphs import matching
from commonground.metrics.graphs.comparison import compared
from commonground.metrics.registry import metrics_for
from commonground.metrics.settings import Settings

TEXT = "Birds try to sing."
GOLD = {
    "tops": [1],
    "nodes": [
        {"id": 0, "label": "bird", "anchors": [{"from": 0, "to": 5}]},
        {
            "id": 1,
            "label": "try",
            "anchors": [{"from": 6, "to": 9}],
            "properties": ["pos", "frame"],
            "values": ["VBP", "v:e-i"],
        },
        {"id": 2, "label": "sing", "anchors": [{"from": 13, "to": 18}]},
    ],
    "edges": [
        {"source": 1, "target": 0, "label": "ARG1"},
        {"source": 1, "target": 2, "label": "ARG2"},
        {
            "source": 2,
            "target": 0,
            "label": "ARG1",
            "attributes": ["remote"],
            "values": [True],
        },
    ],
}
PARSE = {
    "tops": [7],
    "nodes": [
        {"id": 9, "label": "sing", "anchors": [{"from": 13, "to": 17}]},
        {
            "id": 7,
            "label": "Try",
            "anchors": [{"from": 6, "to": 9}],
            "properties": ["pos", "frame"],
            "values": ["VBP", "v:e"],
        },
        {"id": 8, "label": "fish", "anchors": [{"from": 0, "to": 5}]},
    ],
    "edges": [
        {"source": 8, "target": 7, "label": "ARG1-of"},
        {"source": 7, "target": 9, "label": "ARG3"},
        {"source": 9, "target": 8, "label": "ARG1"},
    ],
}


def mrp(*graphs, framework="dm"):
    lines = (
        json.dumps({"id": str(n), "framework": framework, "input": TEXT, "time": "2020-01-01"} | g)
        for n, g in enumerate(graphs, 1)
    )
    return cg.read_text("".join(f"{line}\n" for line in lines), format="mrp")


def counts(gold, parse):
    pair, _ = compared(gold, parse, Settings())
    rows = {
        name: metric.items(pair).counts.totals for name, metric in metrics_for("graphs").items()
    }
    return {name: (row["gold"], row["system"], row["correct"]) for name, row in rows.items()}


def test_counts_are_those_of_mtool():
    # main.py --read mrp --score mrp|sdp|edm|ucca --gold GOLD PARSE, of these two graphs as EDS
    # (of DM, mtool pairs nodes only in the order of the file, and would find 4 in place of 9)
    found = counts(mrp(GOLD, framework="eds"), mrp(PARSE, framework="eds"))
    assert {name: found[name] for name in ANSWERS} == ANSWERS


ANSWERS = {
    "mrp_f1": (13, 12, 9),
    "mrp_tops": (1, 1, 1),
    "mrp_labels": (3, 3, 2),
    "mrp_properties": (2, 2, 1),
    "mrp_anchors": (3, 3, 3),
    "mrp_edges": (3, 3, 2),
    "mrp_attributes": (1, 0, 0),
    "sdp_f1": (4, 4, 3),
    "sdp_unlabelled_f1": (4, 4, 4),
    "edm_all": (9, 9, 6),
    "edm_names": (3, 3, 2),
    "edm_arguments": (3, 3, 2),
    "ucca_primary": (2, 3, 1),
    "ucca_remote": (1, 0, 0),
}


def test_a_relation_that_is_said_twice_counts_once():
    # smatch 1.0.4 gives such a graph 1.11 against itself
    again = {**GOLD, "edges": [*GOLD["edges"], {"source": 0, "target": 1, "label": "ARG1-of"}]}
    score = cg.evaluate(mrp(again), mrp(again), metrics=["smatch"]).systems[0]["smatch"]
    assert score.value == 1
    assert counts(mrp(again), mrp(GOLD))["smatch"] == (9, 9, 9)


@pytest.mark.parametrize("by", ["component", "label", "sentence-length"])
def test_scores_are_broken_down(by, tmp_path):
    for name, graph in (("gold", GOLD), ("parse", PARSE)):
        cg.write(mrp(graph, graph), tmp_path / f"{name}.mrp")
    files = [str(tmp_path / "gold.mrp"), str(tmp_path / "parse.mrp")]
    told = run("evaluate", *files, "--by", by, "--preset", "smatch")
    assert told.returncode == 0, told.stderr


def test_a_graph_too_large_to_be_searched_is_the_same_as_itself():
    size = 2100  # more than four million pairs of nodes
    chain = {
        "tops": [0],
        "nodes": [{"id": n, "label": f"n{n % 50}"} for n in range(size)],
        "edges": [{"source": n, "target": n + 1, "label": "x"} for n in range(size - 1)],
    }
    less = {**chain, "edges": chain["edges"][:-1]}
    assert counts(mrp(chain), mrp(chain))["smatch"] == (2 * size,) * 3
    gold, system, correct = counts(mrp(chain), mrp(less))["smatch"]
    assert (gold, system) == (2 * size, 2 * size - 1)
    assert 2 * size - 10 < correct <= system


@pytest.mark.parametrize("metric", ["smatch", "mrp_f1"])
def test_what_could_still_be_better_is_told(metric, tmp_path, monkeypatch):
    monkeypatch.setattr(matching, "_STEPS", 1000)
    for side in ("gold", "parse"):
        cg.write(mrp(tangle(side), framework="amr"), tmp_path / f"{side}.mrp")
    paths = [str(tmp_path / f"{side}.mrp") for side in ("gold", "parse")]
    told = run("evaluate", *paths, "--metrics", metric)
    assert re.search(r"could have at most \d+ more pieces right", told.stdout)
    itself = run("evaluate", paths[0], paths[0], "--metrics", metric)
    assert "100.00" in itself.stdout
    assert "at most" not in itself.stdout


def tangle(seed, size=20):
    """Return a graph in which all nodes look alike."""
    chance = random.Random(seed)
    ends = {(chance.randrange(size), chance.randrange(size)) for _ in range(3 * size)}
    return {
        "tops": [0],
        "nodes": [{"id": n, "label": "a"} for n in range(size)],
        "edges": [{"source": a, "target": b, "label": "x"} for a, b in sorted(ends)],
    }


@pytest.mark.parametrize("name", ["mrp2019", "mrp2020"])
def test_presets_of_the_shared_tasks_have_all_components(name):
    told = run("evaluate", "example:dm", "example:dm", "--preset", name)
    assert told.returncode == 0
    assert "MRP anchors" in told.stdout


def test_graphs_of_another_framework_are_refused():
    told = run("evaluate", "example:dm", "example:amr")
    assert told.returncode == 2
    assert "example:amr has graphs of the framework amr, but the gold standard of dm" in told.stderr
    assert "compare" in told.stderr
