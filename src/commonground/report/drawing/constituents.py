"""Constituent trees, with crossing branches where phrases have gaps.

Function tags and indices of a label are in another colour, traces are slanted, and a dashed arrow
leads from a trace to its antecedent. Labels of edges stand at the ends of the branches, secondary
edges are dashed curves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from commonground.corpus import Sentence
from commonground.corpus.labels import split_label
from commonground.report.drawing.lettering import shown
from commonground.report.drawing.tree_layout import DrawnNode, DrawnTree, Leaf, Link, Movement, Part

__all__ = ["constituent_tree", "label_parts"]

_TRACE = "-NONE-"
_INDEX = re.compile(r"-(\d+)$")


def constituent_tree(sentence: Sentence[Any]) -> DrawnTree:
    """Return the tree of a sentence, as it is drawn: nodes at the top without labels are not."""
    columns = (sentence.column(name, "nodes") for name in ("label", "edge", "parent"))
    nodes = [(label, edge, int(parent)) for label, edge, parent in zip(*columns, strict=True)]
    kept = [number for number, (label, _, parent) in enumerate(nodes) if label or parent >= 0]
    number_of = {-1: -1} | {node: number for number, node in enumerate(kept)}
    children: list[list[int]] = [[] for _ in nodes]
    leaves = []
    columns = (sentence.column(name) for name in ("form", "tag", "edge", "parent"))
    for place, (form, tag, edge, parent) in enumerate(zip(*columns, strict=True)):
        trace = tag == _TRACE
        leaves.append(
            Leaf(shown(form), "" if trace else shown(tag), _edge(edge), "trace" if trace else "")
        )
        if parent >= 0:
            children[parent].append(~place)
    for node in kept:
        parent = nodes[node][2]
        if parent >= 0:
            children[parent].append(number_of[node])
    return DrawnTree(
        leaves,
        [DrawnNode(label_parts(nodes[n][0]), children[n], _edge(nodes[n][1])) for n in kept],
        [link for link in _links(sentence, number_of) if link.parent >= 0],
        list(_movements(sentence, number_of)),
    )


def label_parts(label: str) -> tuple[Part, ...]:
    """Return a label in two parts: the category, and what follows it in another colour.

    >>> label_parts("NP-SBJ-1"), label_parts("-LRB-")
    ((('NP', ''), ('-SBJ-1', 'extra')), (('-LRB-', ''),))
    """
    text = shown(label)
    category = split_label(text).category
    rest = text[len(category) :]
    return ((category, ""), (rest, "extra")) if rest else ((category, ""),)


def _edge(edge: str) -> str:
    return "" if edge in ("_", "--") else shown(edge)


def _links(sentence: Sentence[Any], number_of: Mapping[int, int]) -> Iterator[Link]:
    names = ("parent", "word", "node", "label")
    columns = (sentence.column(name, "secondary").tolist() for name in names[:3])
    for parent, word, node, label in zip(
        *columns, sentence.column("label", "secondary"), strict=True
    ):
        child = number_of.get(node, -1) if node >= 0 else ~word
        if parent in number_of and (node < 0 or child >= 0):
            yield Link(number_of[parent], child, shown(label))


def _movements(sentence: Sentence[Any], number_of: Mapping[int, int]) -> Iterator[Movement]:
    """Return the traces whose index is that of a phrase, each with the first such phrase."""
    antecedents: dict[str, int] = {}
    for node, label in enumerate(sentence.column("label", "nodes")):
        index = split_label(label).index
        if index:
            antecedents.setdefault(index, number_of[node])
    words = zip(sentence.column("form"), sentence.column("tag"), strict=True)
    for place, (form, tag) in enumerate(words):
        match = _INDEX.search(form) if tag == _TRACE else None
        if match and match.group(1) in antecedents:
            yield Movement(place, antecedents[match.group(1)])
