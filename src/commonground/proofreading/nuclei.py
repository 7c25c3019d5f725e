"""Variation nuclei: the same words in the same context, annotated differently.

Dickinson & Meurers (2003) for tags, Boyd, Dickinson & Meurers (2008) for dependencies. A nucleus is
a pair of words of a sentence, at most `LONGEST` apart, with all words between them; its annotation
is the arc between the two (its label and direction), or that there is none. Where the same words
come again with another annotation, the rarer one is probably wrong, above all if the words before
and after are the same, too (the non-fringe heuristic).

Everything is counted on columns, for all distances and places at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.proofreading.arc_columns import ArcColumns, Codes, combined

__all__ = ["LONGEST", "Variation", "variation"]

LONGEST = 4
"""The greatest distance between the words of a nucleus."""

_NONE = 0
"""The annotation of two words without an arc between them."""


@dataclass(frozen=True)
class Variation:
    """For each word, the nucleus that speaks most against its arc.

    `doubt` is log((majority + ½) / (alike + ½)): how many others have the usual annotation, against
    how many have this one; 0 where nothing speaks against it. `head` and `label` are those of the
    majority (-1 and -1: it has no arc between these words), `example` is a word that has them.
    """

    doubt: NDArray[np.float64]
    alike: Codes
    majority: Codes
    head: Codes
    label: Codes
    example: Codes


def variation(columns: ArcColumns, what: str = "form") -> Variation:
    """Compare all nuclei of a treebank; words are the same if a column (``form``, ``lemma``) is.

    >>> from commonground.corpus import Dependencies
    >>> same = (["old", "men", "sing"], [2, 3, 0], ["amod", "nsubj", "root"])
    >>> other = (["old", "men", "sing"], [3, 3, 0], ["nsubj", "nsubj", "root"])
    >>> seen = variation(ArcColumns(Dependencies.of([same, same, same, other])))
    >>> seen.doubt.round(1).tolist()[-3:], seen.head.tolist()[-3:]
    ([1.9, 0.0, 0.0], [2, -1, -1])
    """
    size = columns.rows
    best = Variation(np.zeros(size), *(np.full(size, -1, np.int64) for _ in range(5)))
    words, labels = columns[what].codes, columns["deprel"].codes
    kinds = int(labels.max(initial=0)) + 1
    run = words
    for gap in range(1, min(LONGEST, max(size - 1, 0)) + 1):
        run = combined([run[:-1], words[gap:]])
        left = np.arange(size - gap)
        right = left + gap
        inside = columns.sentence[left] == columns.sentence[right]
        down = columns.above[right] == left  # the right word hangs on the left one
        up = columns.above[left] == right
        value = np.where(up, 1 + labels[left], np.where(down, 1 + kinds + labels[right], _NONE))
        chosen = np.flatnonzero(inside)
        _compare(columns, best, (left[chosen], right[chosen]), run[chosen], value[chosen], kinds)
    return best


def _compare(
    columns: ArcColumns,
    best: Variation,
    pairs: tuple[Codes, Codes],
    key: Codes,
    value: Codes,
    kinds: int,
) -> None:
    """Note, of the nuclei of one length, what speaks against a word more than before."""
    if not len(key):
        return
    key = np.unique(key, return_inverse=True)[1].astype(np.int64)
    both = combined([key, value])
    count = np.bincount(both)
    alike = count[both] - 1
    among = np.bincount(key)[key] - 1
    # The most frequent annotation of each nucleus, and a place that has it.
    order = np.lexsort((np.arange(len(key)), count[both], key))
    last = np.flatnonzero(np.append(np.diff(key[order]) != 0, True))
    top = order[last]
    usual, majority, example = value[top][key], count[both][top][key], top[key]
    differs = (value != usual) & (among >= 2) & (majority > alike + 1)
    for place in np.flatnonzero(differs).tolist():
        left, right = int(pairs[0][place]), int(pairs[1][place])
        here, wanted = int(value[place]), int(usual[place])
        doubt = float(np.log((majority[place] + 0.5) / (alike[place] + 0.5)))
        # Whose arc is doubted: the one that hangs here, or the one that should.
        told = wanted or here
        word, other = (left, right) if told <= kinds else (right, left)
        if wanted and here and (here <= kinds) != (wanted <= kinds):
            word, other = (left, right) if wanted <= kinds else (right, left)
        if doubt <= best.doubt[word]:
            continue
        best.doubt[word] = doubt
        best.alike[word], best.majority[word] = alike[place], majority[place]
        source = int(example[place])
        best.example[word] = pairs[0 if told <= kinds else 1][source]
        best.head[word] = columns.place[other] if wanted else -1
        best.label[word] = (wanted - 1) % kinds if wanted else -1
