"""The words of graphs of meaning whose format has none: cut out of the text, by the anchors.

A boundary between words is white space, the edge of an anchor, or the edge of punctuation at the
begin or end of what stands between spaces, each character by itself: *N.V.,* is ``N.V`` ``.``
``,``. There may be more boundaries than a treebank would have; common units
(:mod:`commonground.ground.units`) keep those that all sides share.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from commonground.corpus.corpus import Sentence
from commonground.corpus.graphs import Graphs
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table, offsets_of

__all__ = ["is_anchored", "with_words"]

_CHUNK = re.compile(r"\S+")
_EDGE = re.compile(r"^\W+|\W+$")


def is_anchored(corpus: Graphs) -> bool:
    """Tell whether some node is anchored in the text, or there is no node at all."""
    return bool(corpus.anchors.rows or not corpus.nodes.rows)


def with_words(corpus: Graphs) -> Graphs:
    """Return graphs with words that all know where they stand in the text, cut as told above.

    The words of a format are boundaries as well, and its text where there is no other.

    >>> graph = Graphs({
    ...     "nodes": Table([0, 1], id=Strings.of("0"), label=Strings.of("x"), top=np.array([1])),
    ...     "anchors": Table([0, 1], node=np.array([0]), start=np.array([5]), end=np.array([8])),
    ...     "sentences": Table([0, 1], comments=Strings.of(["# text = It isn't so."])),
    ... })
    >>> with_words(graph).form.tolist()
    ['It', 'is', "n't", 'so', '.']
    """
    texts = [sentence.text for sentence in corpus]
    bounds = [_bounds(sentence, text) for sentence, text in zip(corpus, texts, strict=True)]
    forms = (text[a:b] for text, rows in zip(texts, bounds, strict=True) for a, b in rows)
    start, end = (
        np.array([row[side] for rows in bounds for row in rows], np.int32) for side in (0, 1)
    )
    lengths = offsets_of([len(rows) for rows in bounds])
    words = Table(lengths, form=Strings.of(forms), start=start, end=end)
    return Graphs({**corpus.tables, "words": words})


def _bounds(sentence: Sentence[Graphs], text: str) -> list[tuple[int, int]]:
    """Return where each word of a sentence begins and ends."""
    edges = {
        int(edge)
        for table in ("anchors", "words")
        for name in ("start", "end")
        for edge in sentence.column(name, table)
    }
    words: list[tuple[int, int]] = []
    for chunk in _CHUNK.finditer(text):
        first, last = chunk.span()
        cuts = {first, last, *(edge for edge in edges if first < edge < last)}
        for outside in _EDGE.finditer(chunk[0]):
            cuts.update(range(first + outside.start(), first + outside.end() + 1))
        words += pairwise(sorted(cuts))
    return words
