"""Wildcards: what the functional trees of Tsarfaty et al. (2011) say about head words.

The node over a head word has the label ``*``. It is equal to every label, and yields to a specific
one wherever there is one. So wildcards are resolved first: each yields to the labels that any of
the trees gives to the same words. Then the algebra is that of all function trees:

    T-subsumption     subsumes(*resolve_wildcards(a, b))
    T-unification     unify(*resolve_wildcards(a, b))
    T-generalization  generalize(*resolve_wildcards(a, b, …))

What is common to {x}, {y} and {*} over the same words is nothing; what is common to {x} and {*} is
{x}, and to {*} and {*} it is {*}. Thereby ⊓ stays associative and commutative, as the paper says it
is. (By its definition alone, a wildcard could also stand for what {x} and {y} have in common; but
then ({x} ⊓ {y}) ⊓ {x} would be {x}, and ({x} ⊓ {x}) ⊓ {y} would not.)

Between trees with wildcards ⊑ is not transitive: {x} ⊑ {*} and {*} ⊑ {y}, but not {x} ⊑ {y}. The
laws of the lattice hold for trees without wildcards only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions, Strings, Table
from commonground.corpus.functions import canonical
from commonground.corpus.table import offsets_of
from commonground.ground.algebra import NodeSet, node_sets
from commonground.ground.dependencies import WILDCARD

__all__ = ["resolve_wildcards"]

Numbers = NDArray[np.int64]


def resolve_wildcards(*corpora: Functions) -> tuple[Functions, ...]:
    """Return the trees with each wildcard replaced by what any of the trees says about its words.

    A wildcard stays where none of the trees says anything specific.

    >>> from commonground.ground import generalize
    >>> one = Functions.of([(["on", "Sunday"], [("1-2", "tmod"), ("1", "prep"), ("2", "*")])])
    >>> two = Functions.of([(["on", "Sunday"], [("1-2", "tmod"), ("1", "*"), ("2", "pobj")])])
    >>> both = generalize(*resolve_wildcards(one, two))
    >>> list(zip(both.yields, both.label))
    [('1-2', 'tmod'), ('1', 'prep'), ('2', 'pobj')]
    """
    sets, yields, labels = node_sets(corpora)
    if WILDCARD not in labels:
        return corpora
    wildcard = labels.index(WILDCARD)
    node = np.concatenate([nodes.node for nodes in sets])
    label = np.concatenate([nodes.label for nodes in sets])
    specific = np.unique(np.stack([node, label])[:, (label > 0) & (label != wildcard)], axis=1)
    return tuple(
        _rebuilt(corpus, *_resolved(nodes, wildcard, specific), yields, labels)
        for corpus, nodes in zip(corpora, sets, strict=True)
    )


def _resolved(nodes: NodeSet, wildcard: int, specific: Numbers) -> tuple[Numbers, Numbers]:
    """Return nodes and labels with each wildcard replaced by the `specific` labels of its node."""
    wild = nodes.label == wildcard
    instead = np.isin(specific[0], nodes.node[wild])
    kept = ~wild | ~np.isin(nodes.node, specific[0])
    return (
        np.concatenate([nodes.node[kept], specific[0][instead]]),
        np.concatenate([nodes.label[kept], specific[1][instead]]),
    )


def _rebuilt(
    corpus: Functions, node: Numbers, label: Numbers, yields: list[str], labels: list[str]
) -> Functions:
    order = np.argsort(node, kind="stable")
    sentence, place = np.divmod(node[order], max(len(yields), 1))
    table = Table(
        offsets_of(np.bincount(sentence, minlength=len(corpus))),
        yields=Strings(place.astype(np.int32), yields),
        label=Strings(label[order].astype(np.int32), labels),
    )
    return Functions({**corpus.tables, "nodes": canonical(table)})
