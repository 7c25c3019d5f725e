"""What a reader must know about the sentences of a parse before believing its scores.

Notes are ids of sentences under a few names; they are told below tables, on standard error, in JSON
and, as numbers, in the signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from commonground.plurals import number_of

__all__ = [
    "NOTES",
    "WRONG",
    "Noted",
    "all_note_lines",
    "facts_of",
    "left_out",
    "listed",
    "merged",
    "note_lines",
    "wrong_sentences",
]

Noted = Mapping[str, tuple[str, ...]]
"""The ids of sentences that something is to be said about, by what it is."""

NOTES = {
    "missing": "sentences that are missing, counted as wrong",
    "retokenised": "sentences with different words, counted as wrong",
    "lost": "sentences that are missing or have different words, counted as wrong",
    "extra": "sentences left out because the gold standard does not have them",
    "joined": "sentences put together, as gold standard and parse have different boundaries",
    "other-words": "sentences with different words, scored word by word all the same",
    "cycles": "sentences with a cycle, which are not trees but were scored as they are",
    "in-training": "sentences that are also in the training data",
    "rootless": (
        "sentences with a cycle and no root, which are not trees but were scored as they are"
    ),
}
"""What can be noted about sentences, and how it is said; files of 0.1.0 have the third one."""

WRONG = ("missing", "retokenised", "lost")
"""What sentences have in which everything counts as wrong."""

_LISTED = 5


def note_lines(name: str, noted: Noted) -> Iterator[str]:
    """Return what is to be said about the sentences of a parse, a line each.

    >>> list(note_lines("mine", {"missing": ("s1", "s2")}))
    ['mine: sentences that are missing, counted as wrong (2): s1, s2']
    """
    for what, ids in noted.items():
        if ids and what in NOTES:
            yield f"{name}: {NOTES[what]} ({len(ids):,}): {listed(ids)}"


_OF_GOLD = "in-training"
"""What is noted about the gold standard, and is the same for all parses."""


def all_note_lines(parses: Sequence[tuple[str, Noted]]) -> Iterator[str]:
    """Return what is to be said about all parses, given by name, and about the gold standard.

    >>> list(all_note_lines([("a", {"in-training": ("s1",)}), ("b", {"in-training": ("s1",)})]))
    ['the gold standard: sentences that are also in the training data (1): s1']
    """
    if parses and _OF_GOLD in parses[0][1]:
        yield from note_lines("the gold standard", {_OF_GOLD: parses[0][1][_OF_GOLD]})
    for name, noted in parses:
        own = {what: ids for what, ids in noted.items() if what != _OF_GOLD}
        yield from note_lines(name, own)


def listed(ids: Sequence[str]) -> str:
    """Return some ids, the first five if there are more.

    >>> listed(["a", "b"])
    'a, b'
    """
    return ", ".join(ids[:_LISTED]) + (", …" * (len(ids) > _LISTED))


def left_out(ids: Sequence[str]) -> str:
    """Return how many sentences were left out, and which.

    >>> left_out(["a"]), left_out(["a", "b"])
    ('1 sentence left out: a', '2 sentences left out: a, b')
    """
    return f"{number_of(len(ids), 'sentence')} left out: {listed(ids)}"


def merged(parts: Iterable[Noted]) -> dict[str, tuple[str, ...]]:
    """Return the notes of several parts together.

    >>> merged([{"missing": ("a",)}, {"missing": ("b",), "extra": ("c",)}])
    {'missing': ('a', 'b'), 'extra': ('c',)}
    """
    together: dict[str, tuple[str, ...]] = {}
    for part in parts:
        for what, ids in part.items():
            together[what] = together.get(what, ()) + ids
    return together


def facts_of(noted: Sequence[Noted]) -> dict[str, Any]:
    """Return the numbers of sentences of each parse that something was noted about, by name.

    >>> facts_of([{"missing": ("a", "b")}, {}])
    {'missing': '2,0'}
    """
    names = dict.fromkeys(what for each in noted for what, ids in each.items() if ids)
    return {what: ",".join(str(len(each.get(what, ()))) for each in noted) for what in names}


def wrong_sentences(noted: Noted) -> tuple[str, ...]:
    """Return the sentences in which everything counts as wrong.

    >>> wrong_sentences({"missing": ("a",), "cycles": ("b",), "retokenised": ("c",)})
    ('a', 'c')
    """
    return tuple(sent_id for what in WRONG for sent_id in noted.get(what, ()))
