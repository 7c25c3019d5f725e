"""Two trees of the same words: that of a parse above them, that of the gold standard below.

Nodes that both have are thin and grey. A node with another label over the same words has a dashed
box, a node whose words are those of no node on the other side a solid one, and thick branches.
Traces are words of one side only; what has nothing but traces below it is not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from commonground.corpus import Sentence
from commonground.corpus.labels import split_label
from commonground.report.drawing.constituents import constituent_tree
from commonground.report.drawing.dependencies import runs_from_right
from commonground.report.drawing.functions import Marks, function_tree, label_sets
from commonground.report.drawing.legend import NODES
from commonground.report.drawing.tree_diagram import TreeDiagram
from commonground.report.drawing.tree_layout import DrawnTree, Leaf

__all__ = ["constituent_difference", "function_difference", "matched"]


def function_difference(gold: Sentence[Any], system: Sentence[Any]) -> TreeDiagram | None:
    """Return two function trees together; None where they have not equally many words."""
    if len(gold.column("form")) != len(system.column("form")):
        return None
    sets = label_sets(gold), label_sets(system)
    below = function_tree(gold, _against(sets[1], "right"))
    above = function_tree(system, _against(sets[0], "wrong"))
    return _together(gold, above, below)


def _against(other: Mapping[str, Sequence[str]], side: str) -> Marks:
    def marks(words: str, labels: Sequence[str]) -> tuple[str, Sequence[str]]:
        if words not in other:
            return side, [""] * len(labels)
        others = other[words]
        kinds = ["" if label in others else side for label in labels]
        return ("same" if sorted(others) == sorted(labels) else f"{side} renamed"), kinds

    return marks


def constituent_difference(gold: Sentence[Any], system: Sentence[Any]) -> TreeDiagram | None:
    """Return two constituent trees together; None where, without traces, the words differ."""
    sides = [constituent_tree(sentence) for sentence in (gold, system)]
    texts = [
        [
            form
            for form, tag in zip(sentence.column("form"), sentence.column("tag"), strict=True)
            if tag != "-NONE-"
        ]
        for sentence in (gold, system)
    ]
    if texts[0] != texts[1]:
        return None
    below, above = _with_both_traces(*sides)
    keys = [_keys(tree) for tree in (below, above)]
    kinds = matched(*keys)
    below, above = (
        DrawnTree(
            tree.leaves,
            [node._replace(kind=kind) for node, kind in zip(tree.nodes, of_tree, strict=True)],
        )
        for tree, of_tree in zip((below, above), kinds, strict=True)
    )
    return _together(gold, above, below)


def _together(gold: Sentence[Any], above: DrawnTree, below: DrawnTree) -> TreeDiagram:
    title = f"{gold.text} (parse above, gold below)"
    return TreeDiagram(title, above, below, runs_from_right(gold.column("form")), NODES)


def _with_both_traces(gold: DrawnTree, system: DrawnTree) -> tuple[DrawnTree, DrawnTree]:
    """Return two trees over the words of both: a trace of one side has no place in the other."""
    order: list[tuple[int, int]] = []
    one, two = (
        [place for place, leaf in enumerate(tree.leaves) if leaf.kind != "trace"]
        for tree in (gold, system)
    )
    a = b = 0
    for next_a, next_b in [
        *zip(one, two, strict=True),
        (len(gold.leaves), len(system.leaves)),
    ]:
        order += [(-1, place) for place in range(b, next_b)]
        order += [(place, -1) for place in range(a, next_a)]
        order.append((next_a, next_b))
        a, b = next_a + 1, next_b + 1
    order.pop()
    forms = [gold.leaves[a] if a >= 0 else system.leaves[b] for a, b in order]
    return (
        _moved(gold, forms, [a for a, _ in order]),
        _moved(system, forms, [b for _, b in order]),
    )


def _moved(tree: DrawnTree, forms: Sequence[Leaf], own: Sequence[int]) -> DrawnTree:
    """Return a tree over more words, of which it has those with a number of its own."""
    place_of = {number: place for place, number in enumerate(own) if number >= 0}
    leaves = [
        tree.leaves[number]._replace(form=leaf.form, kind=leaf.kind)
        if number >= 0
        else Leaf(leaf.form, kind=leaf.kind)
        for leaf, number in zip(forms, own, strict=True)
    ]
    nodes = [
        node._replace(children=[c if c >= 0 else ~place_of[~c] for c in node.children])
        for node in tree.nodes
    ]
    return DrawnTree(leaves, nodes)


Key = tuple[int, str]
"""The words of a node, traces left out, as the bits of a number, and its label."""


def _keys(tree: DrawnTree) -> list[Key]:
    masks = [0] * len(tree.nodes)
    for number in range(len(tree.nodes) - 1, -1, -1):
        for child in tree.nodes[number].children:
            masks[number] |= masks[child] if child >= 0 else _bit(tree.leaves[~child], ~child)
    return [(mask, node.text) for mask, node in zip(masks, tree.nodes, strict=True)]


def _bit(leaf: Leaf, place: int) -> int:
    return 0 if leaf.kind == "trace" else 1 << place


def matched(gold: Sequence[Key], system: Sequence[Key]) -> tuple[list[str], list[str]]:
    """Return the kinds of the nodes of both sides.

    Over the same words, equal labels are the same node; what is left is matched in its order, as
    nodes with other labels. Functions of labels count only where both sides have some, indices
    never.

    >>> matched([(3, "NP-SBJ"), (7, "S")], [(3, "VP"), (6, "S")])
    (['right renamed', 'right'], ['wrong renamed', 'wrong'])
    """
    functions = all(
        any(split_label(label).functions for _, label in side) for side in (gold, system)
    )
    kinds: tuple[list[str], list[str]] = ([], [])
    over: dict[int, tuple[list[tuple[str, int]], list[tuple[str, int]]]] = {}
    for side, (nodes, names) in enumerate(zip((gold, system), kinds, strict=True)):
        for number, (mask, label) in enumerate(nodes):
            parts = split_label(label)
            names.append("" if not mask else ("right", "wrong")[side])
            text = "-".join((parts.category, *(parts.functions if functions else ())))
            over.setdefault(mask, ([], []))[side].append((text, number))
    for mask, (one, two) in over.items():
        for a, b, kind in _pairs(one, two) if mask else ():
            kinds[0][a] = "same" if kind else "right renamed"
            kinds[1][b] = "same" if kind else "wrong renamed"
    return kinds


def _pairs(
    gold: Sequence[tuple[str, int]], system: Sequence[tuple[str, int]]
) -> Iterator[tuple[int, int, bool]]:
    """Return pairs of numbers, and whether their labels are the same."""
    left = list(system)
    rest = []
    for label, number in gold:
        other = next((item for item in left if item[0] == label), None)
        if other is None:
            rest.append(number)
        else:
            left.remove(other)
            yield number, other[1], True
    for number, (_, other_number) in zip(rest, left, strict=False):
        yield number, other_number, False
