"""Edge flips: turn the edges of some kind round.

Let w2 be the head of w1, and w3 that of w2. Flipping the edge between w2 and w1 gives w1 the head
w3 and w2 the head w1 (Schwartz 2011, chapter 3). What else hangs on w1 or w2 stays there, so that
the two keep their place in the sentence and only their own edge changes. The label goes with the
edge: w2 gets the label of w1, and w1 that of w2.

    w3 → w2 → w1    becomes    w3 → w1 → w2

Where edges of the kind share words, they are flipped one after the other: nearer to the root first,
and of several dependents of one head the outermost first, of two that are equally far the left
one. A chain is turned round as a whole (w3 → w2 → w1 becomes w1 → w2 → w3), and a head with two
dependents ends below both.

NED forgives a flip: where no two of the flipped edges share a word, NED of the flipped trees
against the others is 1. Where they do, the word that rises more than one step is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.corpus.shape import cyclic, word_depth
from commonground.schemes.edges import Edges, head_rows
from commonground.schemes.structures import edges_of

__all__ = ["Flips", "flip"]


@dataclass(frozen=True, slots=True)
class Flips:
    """What was done to a corpus: so many `edges` in so many `sentences` of `words` were flipped.

    `touching` counts those that share a word with another flipped edge, and `cyclic` the sentences
    with a cycle, where the edges on and under it stay as they are.
    """

    words: int = 0
    edges: int = 0
    sentences: int = 0
    touching: int = 0
    cyclic: int = 0

    def __add__(self, other: Flips) -> Flips:
        return Flips(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def to_json(self) -> dict[str, int]:
        """Return the numbers as JSON has them."""
        return asdict(self)


def flip(
    corpus: Dependencies, kinds: str | Edges | Sequence[str | Edges | NDArray[np.bool_]]
) -> tuple[Dependencies, Flips]:
    """Return the corpus with all edges of some kinds flipped, and how many there were.

    Kinds are names of structures (``penn:infinitive``, ``ud:adposition``) or conditions
    (``label=case,side=left``), or flags of the dependents, see
    :func:`commonground.schemes.structures.edges_of`. Words that are not connected to the root stay
    as they are; the enhanced graph follows the old heads and is dropped.

    >>> words, labels = "I want to eat".split(), ["nsubj", "root", "mark", "xcomp"]
    >>> corpus = Dependencies.of([(words, [2, 0, 4, 2], labels)])
    >>> flipped, done = flip(corpus, "label=mark")
    >>> flipped.head.tolist(), flipped.deprel.tolist(), done.edges
    ([2, 0, 2, 3], ['nsubj', 'root', 'xcomp', 'mark'], 1)
    """
    several = [kinds] if isinstance(kinds, str | Edges) else kinds
    depth = word_depth(corpus)
    chosen = np.any([edges_of(corpus, kind) for kind in several], axis=0) & (depth > 0)
    rows = np.flatnonzero(chosen)
    above = head_rows(corpus)[rows]
    outermost_first = -np.abs(above - rows)
    order = np.lexsort((rows, outermost_first, depth[rows]))
    place = corpus.words.row_in_sentence() + 1
    head, label = corpus.head.tolist(), corpus.deprel.codes.tolist()
    for w1, w2, number in np.stack([rows, above, place[rows]])[:, order].T.tolist():
        head[w1], head[w2] = head[w2], number
        label[w1], label[w2] = label[w2], label[w1]
    flipped = corpus.replace(
        "words",
        head=np.array(head, np.int32),
        deprel=Strings(np.array(label, np.int32), corpus.deprel.vocabulary),
        deps=Strings.constant("_", corpus.words.rows),
    )
    ends = np.bincount(np.concatenate([rows, above]), minlength=corpus.words.rows)
    return flipped, Flips(
        corpus.words.rows,
        len(rows),
        len(np.unique(corpus.words.sentence_of_row()[rows])),
        int(np.count_nonzero((ends[rows] > 1) | (ends[above] > 1))),
        int(cyclic(corpus).sum()),
    )
