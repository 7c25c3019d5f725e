"""Relational-realizational trees in brackets: ``(S (sbj (NP (NN rain))) (prd (VBZ falls)))``.

Which labels are functions stands in a comment before each tree, ``# function-nodes = prd sbj``, so
that the file is recognised when it is read again. Projections, ``({sbj,prd} …)``, are read as well,
but not written (Tsarfaty et al. 2012, §4.2). Trees whose functions are dash tags or edge labels are
written with a node for each function; see :mod:`commonground.corpus.realizational`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.corpus import Constituents
from commonground.corpus.interleaving import interleaved
from commonground.corpus.realizational import COMMENT, realizational
from commonground.errors import UsageError
from commonground.formats.codecs import brackets
from commonground.formats.format import Format

__all__ = ["FORMAT"]

_SAID = re.compile(rf"^#\s*{COMMENT}\s*=", re.MULTILINE)


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file is one of these: it says so."""
    return brackets.FORMAT.looks_like(start) if _SAID.search(start) else 0.0


def write(corpus: Constituents) -> Iterator[bytes]:
    """Return the bytes of a file with one tree per line."""
    trees = interleaved(corpus)
    if corpus.nodes.rows and realizational(trees) is None:
        raise UsageError("no phrase has a function (a dash tag or an edge label) to make a node of")
    assert brackets.FORMAT.write is not None
    return iter(brackets.FORMAT.write(trees))


FORMAT = Format(
    name="rr",
    title="relational-realizational trees",
    corpus=Constituents,
    looks_like=looks_like,
    read=brackets.FORMAT.read,
    problems=brackets.FORMAT.problems,
    cut=brackets.FORMAT.cut,
    write=write,
    aliases=("relational-realizational",),
    ends=brackets.FORMAT.ends,
)
