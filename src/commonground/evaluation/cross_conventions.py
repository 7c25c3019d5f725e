"""Convention or error across frameworks: what a parse loses on a gold standard of another theory.

P, O and A are the labelled nodes of a parse, of its own gold standard and of another one. TedEval
of the parse on A as it stands loses the |P∖A| + |A∖P| nodes that only one of the two has. They are

    structure  nodes of P that O has, over words that are no node of A; nodes of A over words that
               are no node of O and of P
    labels     nodes of P that O has, over words that A gives other labels; nodes of A over words
               that O gives other labels, and that are a node of P
    errors     all others: the parse has what its own gold standard has not, or the other way round

and the parts add up. Nothing is converted: labels were mapped to one inventory before, and what
such a map does not know is among the labels.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from commonground.ground.algebra import node_sets
from commonground.metrics.matching import among

if TYPE_CHECKING:
    from commonground.corpus import Functions

__all__ = ["CrossParts", "cross_parts"]

Numbers = NDArray[np.int64]

_LABEL_BITS = 24
"""The bits for the label in the number of a labelled node, as in the algebra."""


@dataclass(frozen=True, slots=True)
class CrossParts:
    """What a parse loses on another gold standard, in nodes, of so many on both sides."""

    structure: int
    labels: int
    errors: int
    nodes: int

    @property
    def lost(self) -> int:
        """The nodes that only one of the two has."""
        return self.structure + self.labels + self.errors

    def points(self, nodes: int) -> float:
        """Return nodes as points of TedEval, from 0 to 100."""
        return 100 * nodes / self.nodes if self.nodes else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the parts as JSON has them."""
        return asdict(self)


def cross_parts(parse: Functions, own: Functions, other: Functions) -> CrossParts:
    """Return what a parse loses on another gold standard than its own.

    The other theory has a verb phrase, and no name for the object; the parse has a wrong subject.

    >>> from commonground.corpus import Functions
    >>> words = "John loves Mary".split()
    >>> own = Functions.of([(words, [("1-3", "root"), ("1", "sbj"), ("3", "obj")])])
    >>> parse = Functions.of([(words, [("1-3", "root"), ("1", "mod"), ("3", "obj")])])
    >>> other = Functions.of([(words, [("1-3", "root"), ("1", "sbj"), ("2-3", "vp"), ("3", "x")])])
    >>> cross_parts(parse, own, other)
    CrossParts(structure=1, labels=2, errors=2, nodes=5)
    """
    sets, yields, _ = node_sets([parse, own, other])
    roots = _whole_sentences(parse, yields)
    p, o, a = (_without(each.pairs, roots) for each in sets)
    p_nodes, o_nodes, a_nodes = (each.nodes for each in sets)
    extra, missing = p[~among(p, a)], a[~among(a, p)]
    words = extra >> _LABEL_BITS
    with_own = among(extra, o)
    named = with_own & among(words, a_nodes)
    lacking = missing >> _LABEL_BITS
    in_own, in_parse = among(lacking, o_nodes), among(lacking, p_nodes)
    alone = ~in_own & ~in_parse
    renamed = in_own & in_parse & ~among(missing, o)
    structure = int((with_own & ~named).sum() + alone.sum())
    labels = int(named.sum() + renamed.sum())
    errors = len(extra) + len(missing) - structure - labels
    return CrossParts(structure, labels, errors, len(p) + len(a))


def _without(pairs: Numbers, nodes: Numbers) -> Numbers:
    """Return labelled nodes without those that have one of some numbers; all are in order."""
    return pairs[~among(pairs >> _LABEL_BITS, nodes)]


def _whole_sentences(corpus: Functions, yields: list[str]) -> Numbers:
    """Return the numbers of the nodes over whole sentences, in order."""
    place = {text: number for number, text in enumerate(yields)}
    lengths = corpus.words.lengths.tolist()
    whole = [place.get("1" if size == 1 else f"1-{size}", -1) for size in lengths]
    return np.array(
        [number * len(yields) + at for number, at in enumerate(whole) if at >= 0], np.int64
    )
