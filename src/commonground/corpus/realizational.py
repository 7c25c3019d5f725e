"""Relational-realizational trees: grammatical functions as nodes of their own between phrases.

In ``(S (sbj (NP (hd (NN rain)))) (prd (VBZ falls)))`` the nodes sbj, prd and hd are functions; S
and NP realize them (Tsarfaty & Sima'an 2008). In full, the functions below a phrase stand in their
projection, ``(S ({sbj,prd} (sbj …) (prd …)))``; Tsarfaty et al. (2012, §4.2) leave it out.

The labels of function nodes are told by the user, by the comment ``# function-nodes = hd prd sbj``,
which stands in all files that are written, or by the projections, which have braces.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.constituents import Constituents
from commonground.corpus.table import Table

__all__ = ["COMMENT", "Realizational", "realizational", "without_function_nodes"]

Flags = NDArray[np.bool_]

COMMENT = "function-nodes"
"""The comment that names the labels of function nodes."""


class Realizational(NamedTuple):
    """Which nodes and words of trees are functions, and which nodes are projections."""

    function_nodes: Flags
    function_words: Flags
    projections: Flags


def realizational(
    corpus: Constituents, function_nodes: Collection[str] = ()
) -> Realizational | None:
    """Return which nodes are functions, None where no node is one.

    >>> from commonground.formats import read_text
    >>> tree = read_text("(S (sbj (NP (hd (NN rain)))) (prd (VBZ falls)))", "brackets")
    >>> realizational(tree) is None
    True
    >>> realizational(tree, ["sbj", "prd", "hd"]).function_nodes.tolist()
    [False, True, False, True, True]
    """
    label, tag = corpus.label, corpus.tag
    told = {name for text in _said(corpus) for name in text.replace(",", " ").split()}
    names = {*function_nodes, *told}
    if not any(text.startswith("{") or text in names for text in label.vocabulary):
        return None
    projections = label.where(lambda text: text.startswith("{"))
    # In files that tell their functions, words have tags, and PRP above one is a pronoun's.
    nodes, words = label.where(names.__contains__), tag.where(set(function_nodes).__contains__)
    if projections.any():
        nodes |= _under(projections, corpus.parent, corpus.nodes, corpus.nodes) & ~projections
        words |= _under(projections, corpus.words.numbers("parent"), corpus.words, corpus.nodes)
    elif not nodes.any():
        return None
    return Realizational(nodes, words, projections)


def _said(corpus: Constituents) -> tuple[str, ...]:
    comments = corpus.comments.vocabulary
    return corpus.metadata(COMMENT).vocabulary if any(COMMENT in c for c in comments) else ()


def _under(below: Flags, parent: NDArray[np.int32], rows: Table, nodes: Table) -> Flags:
    """Tell which rows have one of these nodes as their parent."""
    start = np.repeat(nodes.offsets[:-1], rows.lengths)
    return np.asarray((parent >= 0) & below[np.where(parent >= 0, start + parent, 0)])


def without_function_nodes(
    corpus: Constituents, function_nodes: Collection[str] = ()
) -> Constituents:
    """Return the phrases alone, without functions and projections.

    >>> from commonground.formats import read_text, write_text
    >>> tree = read_text("(S ({sbj,prd} (sbj (NP (NN rain))) (prd (VBZ falls))))", "brackets")
    >>> print(write_text(without_function_nodes(tree), "brackets"), end="")
    (S (NP (NN rain)) (VBZ falls))
    """
    kinds = realizational(corpus, function_nodes)
    if kinds is None:
        return corpus
    from commonground.corpus.pruning import pruned  # noqa: PLC0415  # most trees have no such nodes

    every = np.ones(corpus.words.rows, np.bool_)
    return pruned(corpus, every, ~(kinds.function_nodes | kinds.projections))
