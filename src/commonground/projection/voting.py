"""Several sources vote: the head that most of the trees projected from them have.

Where trees are projected from several languages (Agić et al. 2016), each word is given the head
that most sources give it. How many agree is how sure one can be of it: with `least`, a head needs
so many votes, and a word without them has no head, which parsers that learn from partial trees take
as it is. The result has no circle and at most one root: of the arcs that are in the way, the one
with the fewest votes goes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError
from commonground.kernels import load

__all__ = ["vote"]


def vote(trees: Sequence[Dependencies], least: int = 1) -> Dependencies:
    """Return the first trees with the heads that most of all trees give each word, and its label.

    Where as many sources are for one head as for another, the one that stands first decides.

    >>> words = ["she", "sees", "it"]
    >>> one = Dependencies.of([(words, [2, 0, -1], ["nsubj", "root", "_"])])
    >>> two = Dependencies.of([(words, [3, 0, 2], ["nsubj", "root", "obj"])])
    >>> three = Dependencies.of([(words, [2, -1, -1], ["nsubj", "_", "_"])])
    >>> vote([one, two, three]).head.tolist(), vote([one, two, three], least=2).head.tolist()
    ([2, 0, 2], [2, 0, -1])
    """
    _check(trees, least)
    heads = np.stack([each.head for each in trees], axis=1)
    known = heads >= 0
    same = (heads[:, :, None] == heads[:, None, :]) & known[:, None, :] & known[:, :, None]
    votes = same.sum(axis=2)
    rows = np.arange(len(heads))
    winner = votes.argmax(axis=1)
    most = votes[rows, winner]
    head = np.where(most >= least, heads[rows, winner], -1).astype(np.int32)
    _one_root(head, most, trees[0])
    _no_circle(head, most, trees[0])
    labels = Strings.concatenate([*(each.deprel for each in trees), Strings.of(["_"])])
    codes = np.where(head >= 0, labels.codes[winner * len(heads) + rows], labels.codes[-1])
    return trees[0].replace("words", head=head, deprel=Strings(codes, labels.vocabulary))


def _check(trees: Sequence[Dependencies], least: int) -> None:
    if not trees:
        raise UsageError("there are no trees to vote")
    if not 1 <= least <= len(trees):
        raise UsageError(f"{least} votes are asked for; there are from 1 to {len(trees)}")
    for each in trees[1:]:
        if not np.array_equal(each.offsets, trees[0].offsets):
            raise UsageError("trees of different sentences cannot vote")


def _one_root(head: NDArray[np.int32], votes: NDArray[np.int64], corpus: Dependencies) -> None:
    """Keep of several roots of a sentence the one with the most votes, the first of these."""
    roots = np.flatnonzero(head == 0)
    sentence = corpus.words.sentence_of_row()[roots]
    order = np.lexsort((roots, -votes[roots], sentence))
    further = np.concatenate([[False], sentence[order][1:] == sentence[order][:-1]])
    head[roots[order][further[: len(order)]]] = -1


def _no_circle(head: NDArray[np.int32], votes: NDArray[np.int64], corpus: Dependencies) -> None:
    """Take away, until there is no circle, the head with the fewest votes on one."""
    sentences = corpus.words.sentence_of_row()
    while (circle := np.flatnonzero(load("trees").cycles(head, corpus.offsets))).size:
        order = circle[np.lexsort((-circle, votes[circle], sentences[circle]))]
        first = np.concatenate([[True], sentences[order][1:] != sentences[order][:-1]])
        head[order[first]] = -1
