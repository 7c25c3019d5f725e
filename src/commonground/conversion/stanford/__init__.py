"""Constituents as Stanford typed dependencies (de Marneffe & Manning 2008, revised 2013).

The trees are reshaped a little (reshaping.py), each phrase gets its semantic head (heads.py and
rules/stanford.toml), and the relation of each other child is the first pattern of relations.toml
that fits. That is the basic tree; collapsing.py makes the collapsed graph with propagated
dependencies of it (``CCprocessed``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from commonground.conversion.stanford.collapsing import Arc, collapsed
from commonground.conversion.stanford.heads import find_heads
from commonground.conversion.stanford.relations import relation_of
from commonground.conversion.stanford.reshaping import reshape
from commonground.conversion.stanford.trees import PhraseNode, tree_of
from commonground.corpus import Constituents

__all__ = ["Typed", "convert"]


@dataclass(frozen=True, slots=True)
class Typed:
    """The typed dependencies of a sentence: head and relation per word, and the collapsed arcs."""

    head: list[int]
    relation: list[str]
    arcs: list[Arc]


def convert(corpus: Constituents) -> Iterator[Typed]:
    """Return the typed dependencies of each sentence.

    >>> from commonground.formats import read_text
    >>> text = "(S (NP (NNS Birds)) (VP (VBP sing) (PP (IN in) (NP (NNP May)))))"
    >>> result = next(convert(read_text(text, "brackets")))
    >>> result.head, result.relation
    ([2, 0, 2, 3], ['nsubj', 'root', 'prep', 'pobj'])
    >>> result.arcs
    [(2, 1, 'nsubj'), (0, 2, 'root'), (2, 4, 'prep_in')]
    """
    for sentence in corpus:
        tree = tree_of(sentence)
        reshape(tree)
        find_heads(tree)
        words = sorted(tree.words(), key=lambda word: word.number)
        arcs = list(map(_arc, words))
        yield Typed(
            [head for head, _, _ in arcs],
            [relation for _, _, relation in arcs],
            collapsed([word.form for word in words], [word.label for word in words], arcs),
        )


def _arc(word: PhraseNode) -> Arc:
    """Return the arc to a word: from the head of the phrase that its own phrase depends in."""
    node = word
    while node.parent is not None and node.parent.head is node:
        node = node.parent
    if node.parent is None:
        return 0, word.number, "root"
    return node.parent.word.number, word.number, relation_of(node)
