"""Function trees, drawn with the set of labels of each node.

Where yields cross (in the graphs of relations and enhanced dependencies), a node or a word has
branches from all of the smallest nodes around it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from commonground.corpus import Sentence
from commonground.corpus.functions import Yield, nesting
from commonground.report.drawing.lettering import shown
from commonground.report.drawing.tree_layout import DrawnNode, DrawnTree, Leaf, Part

__all__ = ["Marks", "function_tree", "label_sets"]

Marks = Callable[[str, Sequence[str]], tuple[str, Sequence[str]]]
"""Tells for a yield and its labels the kind of the node, and that of each of its labels."""

_MANY = 500
"""Of so many nodes that cross, not all branches are looked for."""


def label_sets(sentence: Sentence[Any]) -> dict[str, list[str]]:
    """Return the labels of each yield, in the order of the corpus."""
    labels: dict[str, list[str]] = {}
    columns = (sentence.column(name, "nodes") for name in ("yields", "label"))
    for words, label in zip(*columns, strict=True):
        labels.setdefault(words, []).append(label)
    return {words: [label for label in names if label] for words, names in labels.items()}


def function_tree(sentence: Sentence[Any], marks: Marks | None = None) -> DrawnTree:
    """Return the tree of a sentence, as it is drawn; `marks` tell the kinds of its nodes."""
    forms = sentence.column("form")
    labels = label_sets(sentence)
    children = _children(len(forms), list(map(Yield.of, labels)))
    nodes = []
    for (words, names), below in zip(labels.items(), children, strict=True):
        kind, kinds = marks(words, names) if marks else ("", [""] * len(names))
        nodes.append(DrawnNode(_set(names, kinds), below, kind=kind))
    return DrawnTree([Leaf(shown(form)) for form in forms], nodes)


def _set(labels: Sequence[str], kinds: Sequence[str]) -> tuple[Part, ...]:
    """Return a set of labels as it is written, in parts.

    >>> _set(["sbj", "hd"], ["", "lost"])
    (('{', ''), ('sbj', ''), (', ', ''), ('hd', 'lost'), ('}', ''))
    """
    parts: list[Part] = [("{", "")]
    for place, (label, kind) in enumerate(zip(labels, kinds, strict=True)):
        parts += [(", ", "")] if place else []
        parts.append((shown(label), kind))
    return (*parts, ("}", ""))


def _children(length: int, yields: Sequence[Yield]) -> list[list[int]]:
    """Return what is directly below each node: nodes, and words as ~i.

    >>> _children(2, [Yield.of("1-2"), Yield.of("2")])
    [[-1, 1], [-2]]
    """
    innermost: list[int] = [-1] * (length + 1)
    crossing = False
    for node, words in enumerate(yields):
        around = set()
        for first, last in words.stretches:
            around.update(innermost[first : last + 1])
            innermost[first : last + 1] = [node] * (last + 1 - first)
        crossing = crossing or len(around) > 1
    if crossing and len(yields) <= _MANY:
        return _all_children(length, yields)
    children: list[list[int]] = [[] for _ in yields]
    for node, parent in enumerate(nesting(length, yields)):
        if parent >= 0:
            children[parent].append(node)
    for word, node in enumerate(innermost[1:]):
        if node >= 0:
            children[node].append(~word)
    return [sorted(below, key=lambda c: ~c + 1 if c < 0 else yields[c].first) for below in children]


def _all_children(length: int, yields: Sequence[Yield]) -> list[list[int]]:
    """Return what is directly below each node where yields cross.

    >>> _all_children(3, [Yield.of("1-3"), Yield.of("1-2"), Yield.of("2-3")])
    [[1, 2], [-1, -2], [-2, -3]]
    """
    children: list[list[int]] = []
    for words in yields:
        inside = [
            (other, each.mask)
            for other, each in enumerate(yields)
            if each.mask != words.mask and not each.mask & ~words.mask
        ]
        direct = [
            (other, mask)
            for other, mask in inside
            if not any(mask != around and not mask & ~around for _, around in inside)
        ]
        covered = 0
        for _, mask in direct:
            covered |= mask
        bare = words.mask & ~covered
        leaves = [~word for word in range(length) if bare >> (word + 1) & 1]
        children.append([*(other for other, _ in direct), *leaves])
    return children
