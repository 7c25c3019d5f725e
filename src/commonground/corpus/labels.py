"""The parts of a Penn label: ``NP-SBJ-1=2`` is an NP, a subject, antecedent 1, parallel to 2."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Label", "functions_of_tag", "split_label"]

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


_FRENCH = "SUJ OBJ A_OBJ DE_OBJ P_OBJ ATS ATO MOD AFF DIS"
_TIGER = (
    "AC AG AMS APP AVC CC CD CJ CM CVC DA DH DM EP HD JU MNR MO NG NK NMC OA OA2 OC OG OP PAR PD "
    "PG PH PM PNC RC RE RS SB SBP SP SVP UC VO"
)
_ON_TAGS = frozenset(f"{_FRENCH} {_TIGER} hd".split())
"""Functions that treebanks have on tags: the French Treebank those of clitics, ``(CLS-SUJ il)``,
TIGER in brackets those of all words, ``(ART-NK die)``; heads have them anywhere."""


def functions_of_tag(tag: str, functions: Collection[str] | None = None) -> tuple[str, ...]:
    """Return the functions of a word: what follows a dash on its tag, if it is known to be one.

    It is a case or a class in most treebanks that have it, ``(PRO-N it)``, ``(NPR-D God)``. Only
    `functions` that were asked for count, or those of treebanks that have them on tags.

    >>> functions_of_tag("NPR-D"), functions_of_tag("CLS-SUJ"), functions_of_tag("NN-SB", ["SB"])
    ((), ('SUJ',), ('SB',))
    """
    known = _ON_TAGS if functions is None else functions
    return tuple(name for name in split_label(tag).functions if name in known)
