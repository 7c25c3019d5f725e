"""Parameter flips: force a model to choose the other direction of some kind of edge.

Schwartz (2011, §3.1). For an edge ``w1->w2``, whose head w1 stands on the left, the flip sets

    P_ATTACH(w2 | w1, right) = ε,    P_ATTACH(w1 | w2, left) = 1 − ε

and, where the edge still prevails in what the model parses,

    P_STOP(w2, left, none) = ε,      P_STOP(w1, right, none) = 1 − ε

and mirrored for ``w1<-w2``, whose head w2 stands on the right. The result is not normalised: it is
a model to parse and to argue with, no estimate of anything. An edge can also be *forbidden*: then
only its own probability becomes ε.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from commonground.errors import UsageError, quoted
from commonground.parsers.dmv.grammar import Grammar

__all__ = ["EPSILON", "PUBLISHED", "STRUCTURES", "Edge", "ParameterFlips", "flipped"]

EPSILON = 1e-6

LEFT, RIGHT, NONE = 0, 1, 0


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """A kind of edge: the tags of the `left` and the `right` word, and which one is the head.

    >>> Edge.parse("TO->VB"), str(Edge.parse("IN<-NN"))
    (Edge(left='TO', right='VB', head='left'), 'IN<-NN')
    """

    left: str
    right: str
    head: str

    @classmethod
    def parse(cls, text: str) -> Edge:
        """Return the edge that ``A->B`` (A is the head) or ``A<-B`` (B is) describes."""
        plain = text.replace("→", "->").replace("←", "<-")
        for arrow, head in (("->", "left"), ("<-", "right")):
            left, sign, right = (part.strip() for part in plain.partition(arrow))
            if sign and left and right:
                return cls(left, right, head)
        raise UsageError(f"{quoted(text)} is not an edge; 'TO->VB' and 'IN<-NN' are")

    @property
    def reversed(self) -> Edge:
        """The same two words with the other one as the head."""
        return replace(self, head="right" if self.head == "left" else "left")

    def ends(self, grammar: Grammar) -> tuple[int, int, int]:
        """Return the codes of head and dependent, and the side of the dependent."""
        left, right = grammar.code(self.left), grammar.code(self.right)
        return (left, right, RIGHT) if self.head == "left" else (right, left, LEFT)

    def __str__(self) -> str:
        return f"{self.left}{'->' if self.head == 'left' else '<-'}{self.right}"


@dataclass(frozen=True, slots=True)
class ParameterFlips:
    """Edges to turn round, and edges to forbid."""

    edges: tuple[Edge, ...] = ()
    forbidden: tuple[Edge, ...] = ()

    @classmethod
    def parse(cls, edges: Sequence[str], forbidden: Sequence[str] = ()) -> ParameterFlips:
        """Return the flips that texts describe."""
        return cls(tuple(map(Edge.parse, edges)), tuple(map(Edge.parse, forbidden)))


def _published(edges: str, forbidden: str = "") -> ParameterFlips:
    return ParameterFlips.parse(edges.split(), forbidden.split())


PUBLISHED: Mapping[str, ParameterFlips] = {
    "km04": _published("DT->NN IN<-NN IN<-NNP NNP->NNP", "IN->DT"),
    "cs09": _published("CC->NNP DT->NN DT->NNP IN<-NN IN<-NNS MD<-VB TO->VB", "IN->DT"),
    "saj10a": _published("DT->NN DT->NNP DT->NNS PRP$->NN TO->VB"),
}
"""The edges of Table 3.1 of the thesis, by algorithm.

``IN->DT`` is part of *in the house* where the determiner heads the noun. Its other direction is in
no gold standard either (there the noun heads the determiner), so it is forbidden, not turned.
"""


STRUCTURES: Mapping[str, tuple[Edge, ...]] = {
    name: tuple(map(Edge.parse, edges.split()))
    for name, edges in {
        "coordination": "CC->NNP",
        "prepositional phrase": "DT->NN DT->NNP DT->NNS IN->DT IN<-NN IN<-NNP IN<-NNS PRP$->NN",
        "modal verb": "MD<-VB",
        "infinitive": "TO->VB",
        "proper names": "NNP->NNP",
    }.items()
}
"""The edges of Table 3.1 by the structures that they are part of."""


def flipped(
    grammar: Grammar,
    flips: ParameterFlips,
    *,
    epsilon: float = EPSILON,
    prevails: Callable[[Grammar, Edge], bool] | None = None,
) -> Grammar:
    """Return a grammar with turned parameters.

    `prevails` tells whether a grammar still makes an edge more often than its reverse; without it,
    only the probabilities of attaching are changed.
    """
    if not 0 < epsilon < 0.5:
        raise UsageError(f"epsilon is {epsilon}; it must lie between 0 and 0.5")
    attach, stop = grammar.attach.copy(), grammar.stop.copy()
    for edge in flips.forbidden:
        attach[_place(grammar, edge)] = epsilon
    for edge in flips.edges:
        attach[_place(grammar, edge)] = epsilon
        attach[_place(grammar, edge.reversed)] = 1 - epsilon
    turned = replace(grammar, attach=attach)
    for edge in flips.edges if prevails is not None else ():
        assert prevails is not None
        if edge.left != edge.right and prevails(turned, edge):
            head, dependent, side = edge.ends(grammar)
            stop[dependent, 1 - side, NONE] = epsilon
            stop[head, side, NONE] = 1 - epsilon
            turned = replace(turned, stop=stop.copy())
    return turned


def _place(grammar: Grammar, edge: Edge) -> tuple[int, int, slice, int]:
    head, dependent, side = edge.ends(grammar)
    return head, side, slice(None), dependent
