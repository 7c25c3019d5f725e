"""A sentence of our own as DM, PSD and UD would have it, and graphs whose nodes are words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

import commonground as cg
from commonground.corpus import Dependencies, Graphs

TEXT = "The old baker wants to sing in Lisbon ."
WORDS = TEXT.split()
DM = "1 3 BV; 2 3 ARG1; 4 3 ARG1; 4 6 ARG2; 6 3 ARG1; 7 6 ARG1; 7 8 ARG2"
PSD = "3 2 RSTR; 4 3 ACT-arg; 4 6 PAT-arg; 6 3 ACT-arg; 6 8 LOC"
TREE = "0 4 root; 3 1 det; 3 2 amod; 4 3 nsubj; 4 6 xcomp; 6 5 mark; 6 8 obl; 8 7 case; 4 9 punct"

Arcs = list[tuple[int, int, str]]


def arcs(text: str) -> Arcs:
    parts = [part.split() for part in text.split(";")]
    return [(int(head), int(dependent), label) for head, dependent, label in parts]


def graph(
    edges: Arcs, top: int, sent_id: str = "1", words: Sequence[str] = WORDS
) -> dict[str, Any]:
    """Return a graph of MRP whose nodes are words, each anchored in its own."""
    starts = np.cumsum([0, *(len(word) + 1 for word in words)]).tolist()
    used = sorted({top, *(end for edge in edges for end in edge[:2])} - {0})
    nodes = [
        {
            "id": word,
            "label": words[word - 1],
            "anchors": [{"from": starts[word - 1], "to": starts[word - 1] + len(words[word - 1])}],
        }
        for word in used
    ]
    return {
        "id": sent_id,
        "framework": "dm",
        "flavor": 0,
        "input": " ".join(words),
        "tops": [top],
        "nodes": nodes,
        "edges": [{"source": h, "target": d, "label": label} for h, d, label in edges if h],
    }


def bank(*graphs: dict[str, Any]) -> Graphs:
    graphs_of = cg.read_text("".join(json.dumps(each) + "\n" for each in graphs), "mrp")
    assert isinstance(graphs_of, Graphs)
    return graphs_of


def tree_of(text: str, words: Sequence[str] = WORDS) -> Dependencies:
    """Return a dependency tree of its arcs."""
    ordered = sorted(arcs(text), key=lambda arc: arc[1])
    return Dependencies.of([(words, [arc[0] for arc in ordered], [arc[2] for arc in ordered])])
