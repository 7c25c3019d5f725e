"""What a transition-based parser looks at: templates over the words round the stack and the buffer.

An atom is ``PLACE.FIELD``. Places are words: S0, S1, S2 from the top of the stack; N0 to N3 from
the front of the buffer; ``S0h`` the head of S0, ``S0hh`` the head of that; ``S0l`` and ``S0r`` its
leftmost and rightmost dependents so far, ``S0l2`` and ``S0r2`` the second ones; ``S0-``, ``S0+``,
``N0-``, ``N0--`` the neighbours in the text. Fields of a word are its form (w), lemma (l), UPOS
(u), XPOS (x), FEATS (f), first three letters (p), last three letters (s), shape (h), and four,
eight or all bits of its cluster (a, b, c), which only parsers with clusters look at; and, of the
tree so far, the label of its arc (d), how many dependents it has on the left (L) and on the right
(R), and the sets of their labels (M, Z). Two atoms are of the whole state: ``distance`` (between
S0 and N0) and ``depth`` (of the stack).

The first block are the templates of Zhang & Nivre (2011). In arc-standard and swap, where arcs join
the two words on the top of the stack, S0 is the second one of them and N0 the first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.parsers.atoms import atom

__all__ = ["FIELDS", "PLACES", "STATE_FIELDS", "Compiled", "compiled", "templates"]

PLACES = (
    "S0 S1 S2 N0 N1 N2 N3 S0h S0hh S0l S0l2 S0r S0r2 N0l N0l2 N0r S1l S1r S0- S0+ N0- N0-- S1h"
).split()
FIELDS = tuple("wluxfpshabc")
STATE_FIELDS = tuple("dLRMZ")
WHOLE = ("distance", "depth")

_ZHANG_NIVRE = """
S0.w S0.x | S0.w | S0.x | N0.w N0.x | N0.w | N0.x
N1.w N1.x | N1.w | N1.x | N2.w N2.x | N2.w | N2.x
S0.w S0.x N0.w N0.x | S0.w S0.x N0.w | S0.w N0.w N0.x | S0.w S0.x N0.x | S0.x N0.w N0.x
S0.w N0.w | S0.x N0.x | N0.x N1.x
N0.x N1.x N2.x | S0.x N0.x N1.x | S0h.x S0.x N0.x | S0.x S0l.x N0.x | S0.x S0r.x N0.x
S0.x N0.x N0l.x
S0.w distance | S0.x distance | N0.w distance | N0.x distance
S0.w N0.w distance | S0.x N0.x distance
S0.w S0.R | S0.x S0.R | S0.w S0.L | S0.x S0.L | N0.w N0.L | N0.x N0.L
S0h.w | S0h.x | S0.d | S0l.w | S0l.x | S0l.d | S0r.w | S0r.x | S0r.d | N0l.w | N0l.x | N0l.d
S0hh.w | S0hh.x | S0h.d | S0l2.w | S0l2.x | S0l2.d | S0r2.w | S0r2.x | S0r2.d
N0l2.w | N0l2.x | N0l2.d
S0.x S0l.x S0l2.x | S0.x S0r.x S0r2.x | S0.x S0h.x S0hh.x | N0.x N0l.x N0l2.x
S0.w S0.Z | S0.x S0.Z | S0.w S0.M | S0.x S0.M | N0.w N0.M | N0.x N0.M
"""

_BEYOND = """
S0.u N0.u | S0.u N0.u N1.u | S1.u S0.u N0.u | S0.u N0.u N0-.u | S0.u S0+.u N0.u
S0h.u S0.u N0.u | S0.u S0l.u N0.u | S0.u S0r.u N0.u | S0.u N0.u N0l.u | N0.u N1.u N2.u
S0.u N0.u distance | S0.u N0.u S0.d
S0.l | N0.l | S0.l N0.l | S0.l N0.x | S0.x N0.l | S0.l N0.u | S0.u N0.l | N1.l | S0.l N0.u N1.u
S0.f | N0.f | S0.f N0.f | S0.f S0.x N0.x | S0.x N0.x N0.f | S0.f N0.f S0.u N0.u distance
S0.s | S0.p | N0.s | N0.p | S0.s N0.x | S0.x N0.s | S0.s N0.s | S0.h | N0.h | S0.h N0.h
S1.w | S1.x | S1.l | S1.x S0.x | S1.x S0.x N0.x | S1.l N0.l | S1.w N0.x | S1.u N0.u
S1.d S1.x S0.x | S2.x | S2.x S1.x S0.x
S0.x S0l.d N0.x | S0.x S0r.d N0.x | S0.x N0.x N0l.d | S0.x S0.d N0.x | S0.l S0r.d N0.x
S0.x N0.x S0.Z | S0.x N0.x S0.M | S0.u S0.d S0.Z N0.u | S0.x N0.x N0.M
N0-.w | N0-.x | N0-.x N0.x | N0-.x N0.x N1.x | N0--.x N0-.x N0.x | S0+.x | S0+.w
S0-.x | S0-.x S0.x S0+.x | S0-.x S0.x N0.x | S0+.x S0.x N0.x N0-.x
depth | depth S0.x N0.x | S0.x N0.x N1.x N2.x | N3.x | N1.x N2.x N3.x | S0.w N0.w N1.w
S0.l N0.l N1.x | S0.x N0.x N1.w | S0.w N1.w | S0.x N1.x | S0.l N0.x distance | S0.x N0.l distance
S0.u S0.R N0.u | S0.u S0.L N0.u | S0.x N0.x N0.L | S0r.w S0.x N0.x | S0l.w S0.x N0.x
S0.l S0r.l N0.l | S0.d S0h.x S0.x N0.x
"""

_STANDARD = """
N0r.x | N0r.d | N0r.w | S0.x N0.x N0r.x | S0.x N0.x N0r.d | N0.x N0.R | S0.x N0.x N0.R
N0.w N0.Z | N0.x N0.Z | S1l.x | S1r.x
"""

_HYBRID = """
S1.w S1.x S0.w S0.x | S1.w S0.w | S1.l S0.l | S1.l S0.x | S1.x S0.l | S1.u S0.u | S1.f S0.f
S1.x S0.x S0l.x | S1.x S0.x S0r.x | S1.x S1r.x S0.x | S1.x S1l.x S0.x | S1.x S0.x S1r.d
S1.x S1.Z S0.x | S1.w S0.x | S1.x S0.w | S1.u S0.u N0.u N1.u
"""

_CLUSTERS = """
S0.c | N0.c | S0.c N0.c | S0.b N0.b | S0.a N0.a | S0.c N0.x | S0.x N0.c | S0.b S0.x N0.b N0.x
N1.c | S1.c | N1.b N0.b | S0.b N0.b N1.b | S0.b N0.b distance | S0.a N0.a S0.x N0.x distance
S0h.b S0.b N0.b | S0r.b S0.b N0.b | S0l.b S0.b N0.b | S0.b N0l.b N0.b | S0.b S0.x | N0.b N0.x
S0r.c S0.x N0.c | S0.c S0.M | S0.c S0.Z | S0.u N0.c S0r.b
"""
"""What a parser looks at besides, if words have clusters (Koo, Carreras & Collins 2008)."""

_OF_SYSTEM = {
    "arc-eager": _ZHANG_NIVRE + _BEYOND,
    "arc-hybrid": _ZHANG_NIVRE + _BEYOND + _HYBRID,
    "arc-standard": _ZHANG_NIVRE + _BEYOND + _STANDARD,
    "swap": _ZHANG_NIVRE + _BEYOND + _STANDARD,
}


def templates(system: str, *, clusters: bool = False) -> list[list[str]]:
    """Return the templates of a transition system, each a list of atoms.

    >>> templates("arc-eager")[0]
    ['S0.w', 'S0.x']
    """
    text = _OF_SYSTEM[system] + (_CLUSTERS if clusters else "")
    lines = text.replace("\n", "|").split("|")
    return [line.split() for line in lines if line.strip()]


@dataclass(frozen=True, slots=True)
class Compiled:
    """Templates as numbers for the kernels.

    `atoms` has a row (place, field) for each atom that any template uses; fields after `FIELDS`
    are of the tree so far, and place -1 has the fields of the whole state. A template is
    ``parts[starts[t]:starts[t + 1]]``, rows of `atoms`; its hash begins with ``seeds[t]``.
    """

    atoms: NDArray[np.int32]
    starts: NDArray[np.int32]
    parts: NDArray[np.int32]
    seeds: NDArray[np.uint64]


def compiled(system: str, *, clusters: bool = False) -> Compiled:
    """Return the templates of a transition system for the kernels."""
    lists = templates(system, clusters=clusters)
    names = list(dict.fromkeys(name for each in lists for name in each))
    number = {name: place for place, name in enumerate(names)}
    return Compiled(
        np.array([_atom(name) for name in names], np.int32),
        np.cumsum([0, *map(len, lists)]).astype(np.int32),
        np.array([number[name] for each in lists for name in each], np.int32),
        np.array([atom(" ".join(each)) for each in lists], np.uint64),
    )


def _atom(name: str) -> tuple[int, int]:
    if name in WHOLE:
        return -1, WHOLE.index(name)
    place, _, field = name.partition(".")
    return PLACES.index(place), (*FIELDS, *STATE_FIELDS).index(field)
