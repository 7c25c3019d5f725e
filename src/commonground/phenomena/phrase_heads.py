"""Which word stands for a phrase: the one that heads it in its Stanford dependencies.

Targets are dependencies between words, but patterns over constituents find phrases. The word of a
phrase is the first one below it whose governor in the basic tree is outside the phrase, so that
what is proposed as gold and what is scored (see ``_converted`` in score.py) have the same heads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from commonground.conversion.stanford import convert
from commonground.conversion.stanford.trees import PUNCTUATION
from commonground.corpus import Constituents

__all__ = ["phrase_heads"]


def phrase_heads(corpus: Constituents, sentence: int) -> Callable[[int, int], int]:
    """Return what tells the head of a phrase of a sentence, from its first and last word.

    Both are places from 0, traces included; the head is a place among the words that are there.
    A phrase of traces alone has none: -1.

    >>> from commonground.formats import read_text
    >>> text = "(S (NP (DT The) (NNS birds)) (VP (VBP are) (ADJP (JJ happy))))"
    >>> head = phrase_heads(read_text(text, "brackets"), 0)
    >>> head(0, 1), head(2, 3), head(0, 3)
    (1, 3, 3)
    """
    view = corpus[sentence]
    traces = [tag == "-NONE-" for tag in view.column("tag")]
    alone = corpus.take(np.array([sentence]))
    above = [] if all(traces) else next(convert(alone)).head
    before = np.concatenate([[0], np.cumsum(~np.array(traces))]).tolist()
    marks: Mapping[int, bool] = {
        before[place]: tag in PUNCTUATION
        for place, tag in enumerate(view.column("tag"))
        if not traces[place]
    }

    def head(first: int, last: int) -> int:
        inside = range(before[first], before[last + 1])
        outside = [place for place in inside if above[place] - 1 not in inside]
        return min(outside, key=lambda place: (marks[place], place), default=-1)

    return head
