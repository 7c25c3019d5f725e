"""Tags of several columns at once, and their pieces.

UPOS, XPOS and FEATS of a word are chosen together, from the combinations that were seen. A
combination has pieces: its UPOS, its XPOS, each attribute of its FEATS, and itself. Its score is
the sum of theirs, so that *Case=Acc* is learned from all words that have it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.kernels.tagging import Tags

__all__ = ["SEPARATOR", "joined", "pieces_of", "tags_of", "values_of"]

SEPARATOR = "\t"


def joined(values: Sequence[str]) -> str:
    """Return the tag of several columns."""
    return SEPARATOR.join(values)


def values_of(columns: Sequence[str], tag: str) -> list[str]:
    """Return the value of each column in a tag."""
    values = tag.split(SEPARATOR) if len(columns) > 1 else [tag]
    if len(values) != len(columns):
        raise ValueError("tags of other columns")
    return values


def pieces_of(columns: Sequence[str], tag: str) -> list[str]:
    r"""Return the pieces of a tag, each once.

    >>> pieces_of(["upos", "feats"], "NOUN\tCase=Nom|Number=Sing")[:-1]
    ['upos=NOUN', 'Case=Nom', 'Number=Sing']
    >>> pieces_of(["xpos"], "NN")
    ['NN']
    """
    pieces = []
    for column, value in zip(columns, values_of(columns, tag), strict=True):
        if column == "feats":
            pieces += [] if value == "_" else value.split("|")
        elif len(columns) > 1:
            pieces.append(f"{column}={value}")
    return list(dict.fromkeys([*pieces, f"{tag}{SEPARATOR}" if pieces else tag]))


def tags_of(columns: Sequence[str], tags: Sequence[str]) -> Tags:
    """Return tags as the kernel reads them."""
    number: dict[str, int] = {}
    lists = [
        [number.setdefault(piece, len(number)) for piece in pieces_of(columns, tag)] for tag in tags
    ]
    firsts = np.cumsum([0, *map(len, lists)]).astype(np.int32)
    return firsts, np.array([piece for each in lists for piece in each], np.int32)
