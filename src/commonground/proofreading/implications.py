"""Implications that nearly always hold in a treebank, and the words that violate them.

An implication says that words with some values have another one: ``lemma=be, deprel=aux`` have
``upos=AUX``. It is mined from the treebank itself: at least `SUPPORT` words follow it, and of those
to which it applies no more than one in `EXCEPTIONS` does not. What violates it is suspect, the more
so the more words follow it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.proofreading.arc_columns import ArcColumns, Codes, combined

__all__ = ["IMPLICATIONS", "Violations", "violations"]

SUPPORT, EXCEPTIONS = 20, 25

_ARC = ("deprel", "head.upos", "direction")
IMPLICATIONS: tuple[tuple[tuple[str, ...], str], ...] = (
    *((("deprel", "lemma"), then) for then in ("upos", "head.upos", "direction", "feats")),
    *((("lemma", "upos"), then) for then in _ARC),
    *((("lemma", "upos", "head.upos"), then) for then in ("deprel", "direction")),
    *((("deprel", "upos"), then) for then in ("head.upos", "direction")),
    *((("upos", "feats", "head.upos"), then) for then in ("deprel", "direction")),
    *((("deprel", "form"), then) for then in ("upos", "xpos", "feats", "lemma")),
    (("upos", "case.lemma", "head.upos"), "deprel"),
    (("upos", "mark.lemma"), "deprel"),
    (("deprel", "head.lemma", "head.upos"), "direction"),
    (("head.lemma", "head.deprel", "upos"), "deprel"),
)
"""What is looked for: values of the columns before imply one of the column after."""


@dataclass(frozen=True)
class Violations:
    """For each word the implication that it violates against the most others.

    `strength` is log(followers / violators), 0 where nothing is violated; `number` is the place in
    `IMPLICATIONS`; `followers` have another value, that of the word `example`.
    """

    strength: NDArray[np.float64]
    number: Codes
    followers: Codes
    violators: Codes
    example: Codes

    def text(self, columns: ArcColumns, row: int) -> str:
        """Say it of one word in a line."""
        given, then = IMPLICATIONS[int(self.number[row])]
        among = ", ".join(columns[name].text(row) for name in given)
        usual = columns[then].text(int(self.example[row]))
        own = columns[then].text(row).partition("=")[2]
        return f"{int(self.followers[row]):,} words with {among} have {usual}, here {own}"


def violations(columns: ArcColumns) -> Violations:
    """Mine implications, and return what violates them."""
    size = columns.rows
    strength = np.zeros(size)
    number, followers, violators, example = (np.full(size, -1, np.int64) for _ in range(4))
    for place, (given, then) in enumerate(IMPLICATIONS):
        context, target = columns.codes(given), columns[then].codes
        both = combined([context, target])
        count = np.bincount(both)[both]
        order = np.lexsort((count, context))
        top = order[np.flatnonzero(np.append(np.diff(context[order]) != 0, True))]
        most = count[top][context]
        others = np.bincount(context)[context] - most
        usual = target[top][context]
        fails = (target != usual) & (most >= SUPPORT) & (others * EXCEPTIONS <= most + others)
        now = np.where(fails, np.log(most / np.maximum(others, 1)), 0.0)
        better = now > strength
        strength = np.where(better, now, strength)
        for column, value in (
            (number, np.full(size, place)), (followers, most), (violators, others),
            (example, top[context]),
        ):  # fmt: skip
            column[better] = value[better]
    return Violations(strength, number, followers, violators, example)
