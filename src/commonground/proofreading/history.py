"""What of a treebank was changed later: the silver truth about its errors.

Of two versions of the same sentences, each word whose head or label differs was probably wrong in
the older one, or the guidelines have changed. Many changes of the same kind (ten or more with the
same old and new label) are a *wave*, a decision that was carried out everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.proofreading.arc_columns import Codes, combined
from commonground.tokens.sentences import pair_sentences

__all__ = ["WAVE", "History", "later_analysis"]

WAVE = 10
"""So many changes from one label to another are a wave."""


@dataclass(frozen=True)
class History:
    """The later head and label of each word; `known` where the later version has the same words.

    Labels are codes of `labels`, which begin with those of the older version.
    """

    known: NDArray[np.bool_]
    changed: NDArray[np.bool_]
    head: Codes
    label: Codes
    labels: tuple[str, ...]
    kind: Codes

    @property
    def wave(self) -> NDArray[np.bool_]:
        """Which words were changed in a wave."""
        count = np.bincount(self.kind, self.changed, minlength=1)
        many: NDArray[np.bool_] = self.changed & (count[self.kind] >= WAVE)
        return many


def later_analysis(old: Dependencies, new: Dependencies) -> History:
    """Compare each word with what became of it.

    >>> old = Dependencies.of([(["Birds", "sing"], [2, 0], ["obj", "root"])])
    >>> new = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> later_analysis(old, new).changed.tolist()
    [True, False]
    """
    size = old.words.rows
    known = np.zeros(size, np.bool_)
    head, label = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    vocabulary = {text: code for code, text in enumerate(old.deprel.vocabulary)}
    later = new.deprel.values(lambda text: vocabulary.setdefault(text, len(vocabulary)))
    before, after = old.form.tolist(), new.form.tolist()
    for mine, theirs in zip(*pair_sentences([old, new], main=1).groups, strict=True):
        if len(mine) != 1 or len(theirs) != 1:
            continue
        here = slice(*old.offsets[mine[0] : mine[0] + 2].tolist())
        there = slice(*new.offsets[theirs[0] : theirs[0] + 2].tolist())
        if before[here] == after[there]:
            known[here], head[here], label[here] = True, new.head[there], later[there]
    own = old.deprel.codes.astype(np.int64)
    moved = head != old.head
    changed = known & (moved | (label != own))
    kind = combined([own, label, moved])
    return History(known, changed, head, label, tuple(vocabulary), kind)
