"""Templates of features, written as text and turned into what the kernel ``linear`` reads.

``h.form m-1.xpos far`` is the form of the word at anchor h, the XPOS of the word before anchor m,
and the extra called far, taken together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Templates", "compiled"]

Templates = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]
"""The atoms, where those of each template begin, and which they are: see ``kernels/linear.py``."""

_ATOM = re.compile(r"([a-z]+)([+-][0-9]+)?\.([a-z0-9]+)")


def compiled(
    templates: Iterable[str],
    anchors: Sequence[str],
    attributes: Sequence[str],
    extras: Sequence[str] = (),
) -> Templates:
    """Return templates as the kernel reads them.

    >>> atoms, starts, parts = compiled(["h.tag", "far h.tag m-1.tag"], "hm", ["tag"], ["far"])
    >>> atoms.tolist(), starts.tolist(), parts.tolist()
    ([[0, 0, 0], [-1, 0, 0], [1, -1, 0]], [0, 1, 4], [0, 1, 0, 2])
    """
    known: dict[tuple[int, int, int], int] = {}
    starts, parts = [0], []
    for template in templates:
        for text in template.split():
            atom = _atom(text, anchors, attributes, extras)
            parts.append(known.setdefault(atom, len(known)))
        starts.append(len(parts))
    atoms = np.array(list(known), np.int32).reshape(-1, 3)
    return atoms, np.array(starts, np.int32), np.array(parts, np.int32)


def _atom(
    text: str, anchors: Sequence[str], attributes: Sequence[str], extras: Sequence[str]
) -> tuple[int, int, int]:
    match = _ATOM.fullmatch(text)
    if match is None:
        return -1, 0, extras.index(text)
    anchor, offset, attribute = match.groups()
    return anchors.index(anchor), int(offset or 0), attributes.index(attribute)
