"""The parts of a Penn label: ``NP-SBJ-1=2`` is an NP, a subject, antecedent 1, parallel to 2."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Label", "split_label"]

_PART = re.compile(r"([-=|])([^-=|]*)")


@dataclass(frozen=True, slots=True)
class Label:
    """A label in parts; `index` and `gap` are the empty string where there is none."""

    category: str
    functions: tuple[str, ...] = ()
    index: str = ""
    gap: str = ""


@lru_cache(maxsize=65536)
def split_label(label: str) -> Label:
    """Split a Penn label at its hyphens and equals signs.

    A label that begins with a hyphen (``-NONE-``, ``-LRB-``) is whole.

    >>> split_label("NP-SBJ-TTL-1")
    Label(category='NP', functions=('SBJ', 'TTL'), index='1', gap='')
    >>> split_label("NP=2").gap, split_label("-LRB-").category, split_label("PP-P_OBJ").functions
    ('2', '-LRB-', ('P_OBJ',))
    """
    if not label or label[0] in "-=|":
        return Label(label)
    functions: list[str] = []
    index = gap = ""
    first = _PART.search(label)
    if first is None:
        return Label(label)
    for separator, text in _PART.findall(label, first.start()):
        if separator == "=":
            gap = text
        elif text.isdecimal():
            index = text
        elif text:
            functions.append(text)
    return Label(label[: first.start()], tuple(functions), index, gap)
