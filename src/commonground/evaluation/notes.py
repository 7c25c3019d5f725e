"""What a reader must know about the sentences of a parse before believing its scores.

Notes are ids of sentences under a few names; they are told below tables, on standard error, in JSON
and, as numbers, in the signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

__all__ = ["Noted", "facts_of", "listed", "merged", "note_lines"]

Noted = Mapping[str, tuple[str, ...]]
"""The ids of sentences that something is to be said about, by what it is."""

_SAID = {
    "lost": "sentences that are missing or have other words, which count as wrong",
    "extra": "sentences left out that the gold standard does not have",
    "cycles": "sentences with a cycle, no trees but scored as they stand",
    "rootless": "sentences with a cycle and no root, no trees but scored as they stand",
}

_LISTED = 10


def note_lines(name: str, noted: Noted) -> Iterator[str]:
    """Return what is to be said about the sentences of a parse, a line each.

    >>> list(note_lines("mine", {"lost": ("s1", "s2")}))
    ['mine: sentences that are missing or have other words, which count as wrong (2): s1, s2']
    """
    for what, ids in noted.items():
        if ids and what in _SAID:
            yield f"{name}: {_SAID[what]} ({len(ids):,}): {listed(ids)}"


def listed(ids: Sequence[str]) -> str:
    """Return some ids, the first ten if there are more.

    >>> listed(["a", "b"])
    'a, b'
    """
    return ", ".join(ids[:_LISTED]) + (", …" * (len(ids) > _LISTED))


def merged(parts: Iterable[Noted]) -> dict[str, tuple[str, ...]]:
    """Return the notes of several parts together.

    >>> merged([{"lost": ("a",)}, {"lost": ("b",), "extra": ("c",)}])
    {'lost': ('a', 'b'), 'extra': ('c',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    for part in parts:
        for what, ids in part.items():
            found[what] = found.get(what, ()) + ids
    return found


def facts_of(noted: Sequence[Noted]) -> dict[str, Any]:
    """Return the numbers of sentences of each parse that something was noted about, by name.

    >>> facts_of([{"lost": ("a", "b")}, {}])
    {'lost': '2,0'}
    """
    names = dict.fromkeys(what for each in noted for what, ids in each.items() if ids)
    return {what: ",".join(str(len(each.get(what, ()))) for each in noted) for what in names}
