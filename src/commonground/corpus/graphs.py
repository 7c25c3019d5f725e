"""Graphs of meaning in columns: nodes, their anchors and properties, edges and their attributes."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from commonground.corpus.corpus import Corpus, numbers_column, own_table, strings_column
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table

__all__ = ["Graphs"]


class Graphs(Corpus):
    """A bank of graphs, one for each sentence: bilexical (SDP), anchored (EDS, UCCA) or not (AMR).

    ``nodes``: a row per node in the order of the file: its ``id`` as written, its ``label`` (empty
    where it has none) and ``top``, 1 if it is a top node of the graph and 0 otherwise.

    ``anchors``: a row for each piece of the text that a node stands for: ``node`` (its row in the
    sentence), ``start`` and ``end``, in characters of the text from 0, `end` excluded. A node
    without rows here is not anchored.

    ``properties``: a row for each property of a node: ``node``, ``name`` and ``value``.

    ``edges``: a row per edge in the order of the file: its ``source`` and ``target`` (rows of
    ``nodes`` in the sentence) and its ``label``.

    ``attributes``: a row for each attribute of an edge: ``edge`` (its row in the sentence),
    ``name`` and ``value`` (such as ``remote`` in UCCA). Two are not part of the theory but of how
    the edge is written: ``normal``, the name of the opposite of an inverted edge (in AMR), and
    ``anchors``, the pieces of text that the edge itself stands for (``0:3 5:9``).

    ``words``: the words if the format has them: ``form``, ``lemma``, ``tag``, and where each stands
    in the text, ``start`` and ``end``. Otherwise no rows.

    The comments have what is said about a whole graph: ``# sent_id``, ``# text`` (the text that
    anchors count in) and ``# framework`` (``dm``, ``pas``, ``psd``, ``ptg``, ``eds``, ``dmrs``,
    ``ucca``, ``amr``, ``drg``).
    """

    __slots__ = ()

    kind: ClassVar[str] = "graphs"
    main: ClassVar[str] = "nodes"
    required: ClassVar[dict[str, tuple[str, ...]]] = {
        "words": ("form", "lemma", "tag", "start", "end"),
        "nodes": ("id", "label", "top"),
        "anchors": ("node", "start", "end"),
        "properties": ("node", "name", "value"),
        "edges": ("source", "target", "label"),
        "attributes": ("edge", "name", "value"),
    }

    words = own_table("A row per word, if the format has words.")
    nodes = own_table("A row per node.")
    anchors = own_table("A row per piece of text that a node stands for.")
    properties = own_table("A row per property of a node.")
    edges = own_table("A row per edge.")
    attributes = own_table("A row per attribute of an edge.")
    form = strings_column("words", "The words, if the format has them.")
    label = strings_column("nodes", "The label of each node, empty where it has none.")
    source = numbers_column("edges", "The node that each edge begins at.")
    target = numbers_column("edges", "The node that each edge leads to.")

    @classmethod
    def completed(cls, tables: dict[str, Table]) -> dict[str, Table]:
        """Return the tables with those added that a format does not have.

        >>> rain = Strings.of(["rain-01"])
        >>> nodes = Table([0, 1], id=Strings.of(["r"]), label=rain, top=np.array([1]))
        >>> corpus = Graphs({"nodes": nodes})
        >>> corpus.edges.rows, corpus.anchors.sentences
        (0, 1)
        """
        none = np.zeros(tables[cls.main].sentences + 1, np.int64)
        added = {name: _empty(none, name) for name in cls.required if name not in tables}
        words = {**tables, **added}["words"]
        nothing, nowhere = Strings.constant("_", words.rows), np.full(words.rows, -1, np.int32)
        complete = words.completed(lemma=nothing, tag=nothing, start=nowhere, end=nowhere)
        return {**tables, **added, "words": complete}


_NUMBERS = frozenset({"top", "node", "edge", "source", "target", "start", "end"})


def _empty(offsets: np.ndarray, name: str) -> Table:
    columns = Graphs.required[name]
    return Table(
        offsets, **{c: np.zeros(0, np.int32) if c in _NUMBERS else Strings.of([]) for c in columns}
    )
