"""Kinds of edges: by their label, the tags of head and dependent, and the direction."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from fnmatch import translate

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.errors import UsageError, quoted

__all__ = ["SIDES", "Edges", "head_rows"]

Flags = NDArray[np.bool_]

SIDES = ("either", "left", "right")
"""On which side of its head a dependent stands."""


@dataclass(frozen=True, slots=True)
class Edges:
    """The edges between words with some label, between some tags, in some direction.

    `label`, `head` and `dependent` are patterns as shells have them (``aux*``), several between
    ``|``. A tag fits when the treebank's own one does or the universal one. `side` is where the
    dependent stands: ``left`` or ``right`` of its head.

    >>> words, labels = "to eat the fish".split(), ["mark", "root", "det", "obj"]
    >>> corpus = Dependencies.of([(words, [2, 0, 4, 2], labels)])
    >>> Edges(label="det|mark").where(corpus).tolist()
    [True, False, True, False]
    >>> Edges.parse("label=*,side=right").where(corpus).tolist()
    [False, False, False, True]
    """

    label: str = "*"
    head: str = "*"
    dependent: str = "*"
    side: str = "either"

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise UsageError(f"side can be {', '.join(SIDES)}, not {quoted(self.side)}")

    @classmethod
    def parse(cls, text: str) -> Edges:
        """Return the kind that a text like ``label=case,head=NOUN|PROPN,side=left`` describes."""
        conditions: dict[str, str] = {}
        known = [field.name for field in fields(cls)]
        for condition in text.split(","):
            name, equals, value = (part.strip() for part in condition.partition("="))
            if not (equals and value) or name not in known or name in conditions:
                raise UsageError(
                    f"{quoted(condition)} is not a condition on edges; {', '.join(known)} can be "
                    "given, each once: label=case,dependent=ADP,side=left"
                )
            conditions[name] = value
        return cls(**conditions)

    def where(self, corpus: Dependencies) -> Flags:
        """Return which words are the dependents of such edges; no edge comes from the root."""
        above = head_rows(corpus)
        chosen = above >= 0
        if self.label != "*":
            chosen &= corpus.deprel.where(_matcher(self.label))
        if self.dependent != "*":
            chosen &= _tagged(corpus, self.dependent)
        if self.head != "*":
            chosen &= _tagged(corpus, self.head)[above]
        if self.side != "either":
            chosen &= (np.arange(len(above)) < above) == (self.side == "left")
        return chosen


def head_rows(corpus: Dependencies) -> NDArray[np.int64]:
    """Return the row of each word's head, -1 where it is the root or unknown."""
    start = np.repeat(corpus.offsets[:-1], corpus.words.lengths)
    return np.where(corpus.head > 0, corpus.head + start - 1, -1)


def _tagged(corpus: Dependencies, pattern: str) -> Flags:
    fits = _matcher(pattern)
    return corpus.xpos.where(fits) | corpus.upos.where(fits)


def _matcher(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile("|".join(map(translate, pattern.split("|"))))
    return lambda text: compiled.match(text) is not None
