"""A gold standard annotated as an unsupervised parser would: what Table 7.1 of the thesis compares.

Structures of one edge become what the parser makes of them by an edge flip. Prepositional phrases
(*in the house*, in the gold standard in → house → the) become one of the two structures of Figure
5.2: ``determiner`` (d), in → the → house, which the flip of the determiner's edge makes too; or
``noun`` (e), house → in and house → the.
"""

from __future__ import annotations

from collections.abc import Mapping

from commonground.corpus import Dependencies
from commonground.parsers.dmv.flips import Edge, ParameterFlips
from commonground.schemes.edges import Edges, head_rows
from commonground.schemes.flips import flip

__all__ = ["PHRASES", "own_annotation"]

PHRASES: Mapping[str, str] = {"km04": "determiner", "cs09": "noun", "saj10a": "determiner"}
"""What heads a prepositional phrase, or what is below the preposition, for each algorithm."""

_PREPOSITION = "IN"


def own_annotation(
    gold: Dependencies, flips: ParameterFlips, phrases: str = "determiner"
) -> Dependencies:
    """Return a gold standard with the edges that a parser makes instead of the gold ones.

    `flips` are the edges of the parser; where the gold standard has the opposite one, it is turned.

    >>> from commonground.corpus import Strings
    >>> words, labels = "in the house".split(), ["_"] * 3
    >>> gold = Dependencies.of([(words, [0, 3, 1], labels)])
    >>> gold = gold.replace("words", xpos=Strings.of(["IN", "DT", "NN"]))
    >>> flips = ParameterFlips.parse(["DT->NN", "IN<-NN"])
    >>> own_annotation(gold, flips, "determiner").head.tolist()
    [0, 1, 2]
    >>> own_annotation(gold, flips, "noun").head.tolist()
    [3, 3, 0]
    """
    turned = {edge: _gold_edges(edge).where(gold) for edge in flips.edges}
    if phrases == "noun":
        inside = gold.xpos.where(lambda tag: tag == _PREPOSITION)[head_rows(gold)]
        determiner = inside[head_rows(gold)]  # hangs on a word that hangs on a preposition
        chosen = [
            where if _PREPOSITION in (edge.left, edge.right) else where & ~determiner
            for edge, where in turned.items()
        ]
    else:
        chosen = [
            where for edge, where in turned.items() if _PREPOSITION not in (edge.left, edge.right)
        ]
    return flip(gold, chosen)[0] if chosen else gold


def _gold_edges(edge: Edge) -> Edges:
    """Return the edges of the gold standard that are the reverse of a parser's edge."""
    head, dependent = (edge.right, edge.left) if edge.head == "left" else (edge.left, edge.right)
    return Edges(head=head, dependent=dependent, side="left" if edge.head == "left" else "right")
