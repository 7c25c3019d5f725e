"""What metrics of graphs look at: the pieces of both sides, and which of them are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Graphs, Strings, Table
from commonground.corpus.table import offsets_of
from commonground.metrics.graphs.keys import first_rows, packed
from commonground.metrics.graphs.normal import Codes, NormalGraphs, normal_graphs
from commonground.metrics.items import Items, Side
from commonground.metrics.mismatch import equally_many
from commonground.metrics.settings import Settings

__all__ = ["COMPONENTS", "GraphComparison", "Pieces", "compared", "items_of", "of_components"]

Numbers = NDArray[np.int64]

COMPONENTS = ("tops", "labels", "properties", "anchors", "edges", "attributes")


def compared(
    gold: Graphs, system: Graphs, settings: Settings
) -> tuple[GraphComparison, tuple[str, ...]]:
    """Return the comparison of two banks of graphs; no sentence is ever skipped."""
    equally_many(gold, system)
    return GraphComparison(gold, system, settings), ()


class GraphComparison:
    """A gold standard and a parse in graphs, whose sentences are paired by their order."""

    def __init__(self, gold: Graphs, system: Graphs, settings: Settings) -> None:
        self.gold, self.system, self.settings = gold, system, settings
        self.codes = Codes()

    @cached_property
    def normal(self) -> tuple[NormalGraphs, NormalGraphs]:
        """The graphs of both sides as they are compared."""
        return normal_graphs(self.gold, self.codes), normal_graphs(self.system, self.codes)


_WIDTH = 5
"""How many numbers the key of a piece has."""


@dataclass
class Pieces:
    """The pieces of the graphs of one side: equal ones of a graph have the same component and key.

    What a piece says is the number of a text. It is said of a node, or of an edge from one node to
    another; nodes are counted through all graphs, and `graph_of` has the graph of each.
    """

    graph_of: Numbers
    component: list[Numbers] = field(default_factory=list)
    node: list[Numbers] = field(default_factory=list)
    end: list[Numbers] = field(default_factory=list)
    keys: list[Numbers] = field(default_factory=list)
    text: list[Numbers] = field(default_factory=list)

    def add(
        self,
        component: int,
        ends: tuple[Numbers, Numbers] | Numbers,
        text: Numbers | int,
        *key: NDArray[np.integer] | int,
    ) -> None:
        """Add pieces of one component: of the nodes in `ends`, or of edges between them."""
        node, end = ends if isinstance(ends, tuple) else (ends, ends)
        rows = np.zeros((_WIDTH, len(node)), np.int64)
        for row, each in zip(rows, key, strict=False):
            row[:] = each
        self.component.append(np.full(len(node), component))
        self.node.append(node)
        self.end.append(end)
        self.keys.append(rows)
        self.text.append(np.broadcast_to(np.asarray(text, np.int64), len(node)))


def items_of(
    pair: GraphComparison,
    sides: Sequence[Pieces],
    names: Sequence[str] = COMPONENTS,
    further: dict[str, Numbers] | None = None,
) -> Items:
    """Return pieces as items, each once in its graph; `names` are those of the components."""
    columns = [
        [np.concatenate(each, axis=-1) for each in (s.component, s.keys, s.text, s.node, s.end)]
        for s in sides
    ]
    graphs = [s.graph_of[each[3]] for s, each in zip(sides, columns, strict=True)]
    numbers = packed(
        [
            np.concatenate([one, two])
            for one, two in zip(
                *([graph, each[0], *each[1]] for graph, each in zip(graphs, columns, strict=True)),
                strict=True,
            )
        ]
    )
    size = len(columns[0][0])
    keys, kept = [numbers[:size], numbers[size:]], []
    for graph, own in zip(graphs, keys, strict=True):
        once = first_rows(own)
        kept.append(once[np.argsort(graph[once], kind="stable")])
    vocabulary = tuple(pair.codes.texts)
    found, corpora = [], []
    for side, corpus in enumerate((pair.gold, pair.system)):
        (component, _, text, node, end), rows = columns[side], kept[side]
        sentence = graphs[side][rows]
        first = corpus.nodes.offsets[sentence]
        table = Table(
            offsets_of(np.bincount(sentence, minlength=len(pair.gold))),
            component=Strings(component[rows].astype(np.int32), tuple(names)),
            label=Strings(text[rows].astype(np.int32), vocabulary),
            node=(node[rows] - first).astype(np.int32),
            end=(end[rows] - first).astype(np.int32),
        )
        corpora.append(Graphs({**corpus.tables, "pieces": table}))
        correct = np.isin(keys[side][rows], keys[1 - side])
        every = np.ones(len(rows), np.bool_)
        found.append(Side(np.arange(len(rows)), sentence, correct, every))
    return Items(
        found[0], found[1], len(pair.gold), "pieces", further or {}, (corpora[0], corpora[1])
    )


def of_components(items: Items, components: Sequence[str]) -> Items:
    """Return only the pieces of some components."""
    assert items.corpora
    gold, system = (
        side.where(corpus.tables["pieces"].strings("component").where(components.__contains__))
        for side, corpus in zip((items.gold, items.system), items.corpora, strict=True)
    )
    return replace(items, gold=gold, system=system)
