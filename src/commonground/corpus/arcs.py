"""Dependencies as relations between words: the arcs of the tree, or of the enhanced graph."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from commonground.corpus.corpus import Sentence
from commonground.corpus.dependencies import Dependencies
from commonground.corpus.relations import Relations
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table, offsets_of

__all__ = ["enhanced_arcs", "to_relations"]

Arc = tuple[str, str, str]
"""The ID of the head, the label and the ID of the dependent."""


def to_relations(corpus: Dependencies, *, enhanced: bool = False) -> Relations:
    """Return the arcs of dependencies as relations, in the order of the dependents.

    A node has the text of its word, the root is ``ROOT``; nodes stand in the order in which the
    relations mention them. With `enhanced` the arcs are those of the column DEPS, where words can
    have several heads; an empty node stands for no word. A word without a head has no relation, and
    what is no arc in DEPS is left out.

    >>> birds = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> relations = to_relations(birds)
    >>> relations.label.tolist(), relations.nodes.strings("text").tolist()
    (['nsubj', 'root'], ['sing', 'Birds', 'ROOT'])
    """
    texts: list[str] = []
    spans: list[int] = []
    nodes_in, arcs_in = [], []
    labels: list[str] = []
    ends: list[tuple[int, int]] = []
    for sentence in corpus:
        known = _texts(sentence)
        places: dict[str, int] = {}
        arcs = enhanced_arcs(sentence) if enhanced else _arcs(sentence)
        before = len(labels)
        for head, label, dependent in arcs:
            if head in known and dependent in known:
                one, other = (places.setdefault(node, len(places)) for node in (head, dependent))
                ends.append((one, other))
                labels.append(label)
        texts += [known[node] for node in places]
        spans += [-1 if "." in node else int(node) for node in places]
        nodes_in.append(len(places))
        arcs_in.append(len(labels) - before)
    pairs = np.array(ends, np.int32).reshape(-1, 2)
    words = np.array(spans, np.int32)
    return Relations(
        {
            "words": Table(corpus.offsets, form=corpus.form, tag=corpus.xpos, lemma=corpus.lemma),
            "nodes": Table(offsets_of(nodes_in), text=Strings.of(texts), first=words, last=words),
            "relations": Table(
                offsets_of(arcs_in),
                label=Strings.of(labels),
                head=pairs[:, 0],
                dependent=pairs[:, 1],
            ),
            "sentences": corpus.tables["sentences"],
            "origin": corpus.tables["origin"],
        }
    )


def _texts(sentence: Sentence[Dependencies]) -> dict[str, str]:
    """Return the texts of the nodes of a sentence by their IDs."""
    words = {str(place): form for place, form in enumerate(sentence.column("form"), 1)}
    return {"0": "ROOT", **words, **dict(_empties(sentence, "form"))}


def _arcs(sentence: Sentence[Dependencies]) -> Iterator[Arc]:
    for place, (head, label) in enumerate(
        zip(sentence.column("head").tolist(), sentence.column("deprel"), strict=True), 1
    ):
        yield str(head), label, str(place)


def enhanced_arcs(sentence: Sentence[Dependencies]) -> Iterator[Arc]:
    """Return what the column DEPS says, in the order of the dependents; IDs are as it has them."""
    graphs = [(str(place), deps) for place, deps in enumerate(sentence.column("deps"), 1)]
    if "deps" in sentence.corpus.empties:
        graphs += _empties(sentence, "deps")
    for dependent, deps in sorted(graphs, key=lambda item: _number(item[0])):
        for arc in deps.split("|") if deps != "_" else ():
            head, _, label = arc.partition(":")
            yield head, label, dependent


def _empties(sentence: Sentence[Dependencies], column: str) -> list[tuple[str, str]]:
    """Return the empty nodes of a sentence, each with its ID and what a column says."""
    major, minor = (sentence.column(name, "empties").tolist() for name in ("major", "minor"))
    texts = sentence.column(column, "empties")
    return [(f"{a}.{b}", text) for a, b, text in zip(major, minor, texts, strict=True)]


def _number(node: str) -> tuple[int, int]:
    major, _, minor = node.partition(".")
    return int(major), int(minor or 0)
