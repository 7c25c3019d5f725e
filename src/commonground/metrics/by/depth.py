"""How deep a word or a phrase is in its tree."""

from __future__ import annotations

import numpy as np

from commonground.corpus import Constituents, Dependencies, Strings
from commonground.corpus.shape import word_depth
from commonground.metrics.by.property import Property, numbers
from commonground.metrics.settings import Settings

__all__ = ["PROPERTIES"]


def _of_words(corpus: Dependencies, _: Settings) -> Strings:
    return numbers(word_depth(corpus).astype(np.int64))


def _of_phrases(corpus: Constituents, _: Settings) -> Strings:
    # A parent stands before its children, so that one pass from the top settles all depths.
    start = np.repeat(corpus.nodes.offsets[:-1], corpus.nodes.lengths)
    depth = np.ones(corpus.nodes.rows, np.int64)
    parent = np.where(corpus.parent >= 0, start + corpus.parent, -1).tolist()
    for row, above in enumerate(parent):
        if above >= 0:
            depth[row] = depth[above] + 1
    return numbers(depth)


PROPERTIES = (
    Property("depth", "depth in the tree", "words", ("dependencies",), _of_words, "size"),
    Property("depth", "depth in the tree", "nodes", ("constituents",), _of_phrases, "size"),
)
