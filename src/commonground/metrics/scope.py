"""What counts in a comparison: the filters of the settings, the same for every kind of treebank.

Two masks decide. Of the words, punctuation may be left out; of the sentences, those that are then
too short or too long; of what is left, only the words count that a pattern names, if there is one.
Words that cannot be judged (in partial trees, those without a gold head) are
left out before, and do not count for the length either.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.corpus.punctuation import is_punctuation
from commonground.corpus.table import sums
from commonground.metrics.settings import Settings

__all__ = ["Compared", "fitting", "in_scope", "matched", "punctuation"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Compared(Protocol):
    """What every kind of comparison has: both sides, and how they are compared."""

    gold: Any
    system: Any
    settings: Settings


def punctuation(settings: Settings, form: Strings, *tags: Strings) -> Flags:
    """Tell which words are the punctuation that is left out, by their forms or by their tags.

    Of several columns of tags, the first one is that of the treebank's own (XPOS).

    >>> words = Strings.of(["Hi", "!", "-"])
    >>> punctuation(Settings(punctuation="unicode"), words).tolist()
    [False, True, True]
    >>> punctuation(Settings(punctuation="tag"), words, Strings.of(["UH", ".", "NN"])).tolist()
    [False, True, False]
    """
    if settings.punctuation == "unicode":
        return form.where(is_punctuation)
    marks = np.zeros(len(form), np.bool_)
    columns = {"tag": tags, "xpos": tags[:1]}.get(settings.punctuation, ())
    for column in columns:
        marks |= column.where(settings.punctuation_tags.__contains__)
    return marks


def fitting(settings: Settings, lengths: Numbers) -> Flags:
    """Tell which sentences are neither too short nor too long.

    >>> fitting(Settings(shortest=2, longest=4), np.array([1, 2, 4, 5])).tolist()
    [False, True, True, False]
    """
    long_enough = np.asarray(lengths >= settings.shortest)
    return long_enough if settings.longest is None else long_enough & (lengths <= settings.longest)


def in_scope(settings: Settings, kept: Flags, offsets: Numbers) -> Flags:
    """Tell which words count, of those that are `kept` in sentences that begin at `offsets`.

    >>> kept = np.array([True, True, False, True, True, True])
    >>> in_scope(Settings(longest=2), kept, np.array([0, 3, 6])).tolist()
    [True, True, False, False, False, False]
    """
    return kept & np.repeat(fitting(settings, sums(kept, offsets)), np.diff(offsets))


def matched(settings: Settings, corpus: Dependencies) -> Flags:
    """Tell which words the pattern of the settings names; all of them if there is none.

    >>> birds = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> matched(Settings(where="* -[nsubj]-> N"), birds).tolist()
    [True, False]
    """
    if not settings.where:
        return np.ones(corpus.words.rows, np.bool_)
    from commonground.patterns.nodes import NONE, node_of_word  # noqa: PLC0415  # seldom asked for

    return ~node_of_word(corpus, settings.where).where(NONE.__eq__)
