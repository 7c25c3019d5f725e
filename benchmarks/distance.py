"""How fast the distance of ordered trees is found, beside the libraries that people use for it."""

from __future__ import annotations

from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

_MATERIAL = """
import random
import numpy as np

def shape(labels, leftmost):
    # The children of each node of a tree in postorder, and its label as text.
    below, roots = [], []
    for node, first in enumerate(leftmost):
        children = []
        while roots and roots[-1] >= first:
            children.append(roots.pop())
        below.append(children[::-1])
        roots.append(node)
    return [str(label) for label in labels], below

def tree(random, size):
    # Each node has as its last children some of the subtrees that stand before it.
    leftmost, starts = [], []
    for node in range(size):
        taken = random.choice([0, 0, 1, 1, 2, 3]) if node < size - 1 else node
        first = node
        for _ in range(min(taken, len(starts))):
            first = starts.pop()
        starts.append(first)
        leftmost.append(first)
    return [random.randrange(8) for _ in range(size)], leftmost

def random_pairs(count):
    found = random.Random(1)
    return [(tree(found, 30), tree(found, 30)) for _ in range(count)]

def function_pairs(count):
    from commonground.formats import read
    from commonground.ground.dependencies import dependency_functions
    from commonground.ground.ordered import ordered_trees
    corpus = read(PATH)
    corpus = corpus[(corpus.words.lengths >= 18) & (corpus.words.lengths <= 22)]
    trees = ordered_trees(dependency_functions(corpus))
    cut = trees.offsets.tolist()
    each = [(trees.label[a:b].codes.tolist(), trees.leftmost[a:b].tolist())
            for a, b in zip(cut, cut[1:]) if trees.leftmost[b - 1] == 0]
    return list(zip(each, each[1:]))[:count]

def columns(trees):
    return (np.cumsum([0] + [len(labels) for labels, _ in trees]),
            np.array([label for labels, _ in trees for label in labels], np.int32),
            np.array([first for _, leftmost in trees for first in leftmost], np.int32))
"""

_OURS = """
from commonground.kernels import load
distances = load("tree_distance").distances
one, two = (columns(side) for side in zip(*pairs))
"""

_ZSS = """
import zss
def node(labels, below, at):
    return zss.Node(labels[at], [node(labels, below, child) for child in below[at]])
pairs = [tuple(node(*shape(*each), len(each[0]) - 1) for each in pair) for pair in pairs]
"""

_EDIST = """
from edist.ted import standard_ted
def lists(labels, below):
    # In preorder, as edist wants it.
    order, path = [], [len(labels) - 1]
    while path:
        order.append(path.pop())
        path += below[order[-1]][::-1]
    place = {node: number for number, node in enumerate(order)}
    return [labels[n] for n in order], [[place[c] for c in below[n]] for n in order]
pairs = [(lists(*shape(*a)), lists(*shape(*b))) for a, b in pairs]
"""

_MANY, _FEW = 300, 10
"""So many pairs of trees are compared, but only a few where that takes seconds."""


def rows(folder: Path) -> list[Row]:
    """Measure."""
    path = str(material.conllu(folder))
    return [
        *_compared("random trees of 30 nodes", f"random_pairs({_MANY})"),
        *_compared("function trees of 20 words", f"function_pairs({_MANY})", f"PATH = {path!r}\n"),
    ]


def _compared(what: str, pairs: str, before: str = "") -> list[Row]:
    setup = f"{before}{_MATERIAL}\npairs = {pairs}\n"
    few = f"pairs = pairs[:{_FEW}]\n"
    ours = "distances(one, two)"
    tasks = [
        Task("compiled", ours, setup + _OURS, environment={"COMMONGROUND_KERNELS": "compiled"}),
        Task("plain", ours, setup + few + _OURS, environment={"COMMONGROUND_KERNELS": "python"}),
        Task("zss", "[zss.simple_distance(*pair) for pair in pairs]", setup + few + _ZSS),
        Task("edist", "[standard_ted(*a, *b) for a, b in pairs]", setup + _EDIST),
    ]
    best = best_times(tasks, rounds=3)
    zss = best["zss"] / _FEW / (best["compiled"] / _MANY)
    plain = best["zss"] / best["plain"]
    edist = best["edist"] / best["compiled"]
    return [
        Row(f"distance of {what}, compiled, against zss", f"{zss:.0f} ×", "≥ 500 ×", zss >= 500),
        Row(f"distance of {what}, compiled, against edist", f"{edist:.1f} ×", "≥ 1 ×", edist >= 1),
        Row(f"distance of {what}, plain, against zss", f"{plain:.1f} ×", "", met=True),
    ]
