"""The phenomena and the kinds of dependencies that are annotated for each."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonground.phenomena.gold import Target

__all__ = ["UNBOUNDED", "Kind", "Phenomenon", "kind_of", "phenomena", "title_of"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of dependency: what its head, its type and its dependent are (the paper's Table 3)."""

    name: str
    head: str
    type: str
    dependent: str
    when: str = ""


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """A phenomenon: its frequency in per cent and the candidates vetted (the paper's Table 1)."""

    name: str
    title: str
    share: float
    candidates: int
    kinds: tuple[Kind, ...]


@cache
def phenomena() -> Mapping[str, Phenomenon]:
    """Return the ten phenomena by name.

    >>> [kind.name for kind in phenomena()["ned"].kinds]
    ['inner', 'mod']
    """
    data = tomllib.loads(Path(__file__).with_name("ten.toml").read_text(encoding="utf-8"))
    return {
        name: Phenomenon(
            name,
            entry["title"],
            entry["share"],
            entry["candidates"],
            tuple(Kind(**kind) for kind in entry["kinds"]),
        )
        for name, entry in data.items()
    }


UNBOUNDED = {
    "obj_extract_rel_clause": "object extraction from a relative clause",
    "obj_extract_red_rel": "object extraction from a reduced relative clause",
    "sbj_extract_rel_clause": "subject extraction from a relative clause",
    "obj_free_rels": "free relative",
    "obj_qus": "object wh-question",
    "right_node_raising": "right node raising",
    "sbj_embedded": "subject extraction from an embedded clause",
}
"""The seven constructions of Rimell et al. (2009), by the names of their files."""


CONSTRUCTIONS = {"npn": "noun, preposition and the same noun"}
"""Constructions of UCxn (Weissweiler et al. 2024) whose names do not tell what they are."""


def title_of(name: str) -> str:
    """Return what a phenomenon is called in full.

    >>> title_of("ned"), title_of("obj_qus"), title_of("my_own")
    ('noun + -ed', 'object wh-question', 'my own')
    """
    known = phenomena().get(name)
    also = {**UNBOUNDED, **CONSTRUCTIONS}
    return known.title if known else also.get(name, name.replace("_", " "))


def kind_of(target: Target, item: Sequence[Target]) -> str:
    """Return which kind of dependency a target is, from the targets of its item.

    Of a phenomenon that is none of the ten the types are the kinds.
    """
    known = phenomena().get(target.phenomenon)
    if known is None:
        return target.type.lower()
    for kind in known.kinds[:-1]:
        if any(_fits(each, target, item) for each in kind.when.split("|")):
            return kind.name
    return known.kinds[-1].name


def _fits(when: str, target: Target, item: Sequence[Target]) -> bool:
    head, dependent = target.heads[0].position, target.dependents[0].position
    if when == "negative":
        return not target.positive
    if when == "backward":
        return head > dependent
    if when == "chained":
        return any(set(target.heads) & set(other.dependents) for other in item)
    if when == "earlier":
        return any(
            set(target.dependents) & set(other.dependents) and other.heads[0].position > head
            for other in item
        )
    return target.type == when
