"""Several sources vote: the head that most of the trees projected from them have.

Where trees are projected from several languages (Agić et al. 2016), each word is given the head
that most sources give it. How many agree is how sure one can be of it: with `least`, a head needs
so many votes, and a word without them has no head, which parsers that learn from partial trees take
as it is. The result has no circle and at most one root: of the arcs that are in the way, the one
with the fewest votes goes. Votes can have weights: the probabilities of the links behind each head.

Guides vote too: whole trees of the same words, such as those of a parser without words that was
trained on the sources. With them all words get a head, in the tree with the most votes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError
from commonground.kernels import load
from commonground.parsers.ensemble import most_voted_trees

__all__ = ["confidence_of", "guided_vote", "vote"]

Doubles = NDArray[np.float64]

_UNIT = 1 << 24


def vote(
    trees: Sequence[Dependencies], least: int = 1, weights: Sequence[Doubles] | None = None
) -> Dependencies:
    """Return the first trees with the heads that most of all trees give each word, and its label.

    Where as many sources are for one head as for another, the one that stands first decides. With
    `weights` (for each of the trees, those of the heads of all words) these are added up instead.

    >>> words = ["she", "sees", "it"]
    >>> one = Dependencies.of([(words, [2, 0, -1], ["nsubj", "root", "_"])])
    >>> two = Dependencies.of([(words, [3, 0, 2], ["nsubj", "root", "obj"])])
    >>> three = Dependencies.of([(words, [2, -1, -1], ["nsubj", "_", "_"])])
    >>> vote([one, two, three]).head.tolist(), vote([one, two, three], least=2).head.tolist()
    ([2, 0, 2], [2, 0, -1])
    """
    _check(trees, least)
    heads = np.stack([each.head for each in trees], axis=1)
    own = np.ones(heads.shape) if weights is None else np.stack(weights, axis=1)
    known = heads >= 0
    same = (heads[:, :, None] == heads[:, None, :]) & known[:, None, :] & known[:, :, None]
    rows = np.arange(len(heads))
    sums = (same * own[:, None, :]).sum(axis=2)
    winner = sums.argmax(axis=1)
    enough = same[rows, winner].sum(axis=1) >= least
    head = np.where(enough, heads[rows, winner], -1).astype(np.int32)
    _one_root(head, sums[rows, winner], trees[0])
    _no_circle(head, sums[rows, winner], trees[0])
    return _with_heads(trees, head, np.where(head >= 0, winner, -1))


def guided_vote(
    trees: Sequence[Dependencies],
    guides: Sequence[Dependencies],
    weights: Sequence[Doubles] | None = None,
) -> Dependencies:
    """Return the first trees with the whole trees that projected ones and guides vote for.

    `weights` are those of the heads, of the projected trees first. An arc is labelled as the one
    with the greatest weight has labelled it.

    >>> words = ["she", "sees", "it"]
    >>> projected = Dependencies.of([(words, [2, 0, -1], ["nsubj", "root", "_"])])
    >>> guide = Dependencies.of([(words, [3, 0, 2], ["obj", "root", "obj"])])
    >>> result = guided_vote([projected], [guide])
    >>> result.head.tolist(), result.deprel.tolist()
    ([2, 0, 2], ['nsubj', 'root', 'obj'])
    """
    every = [*trees, *guides]
    _check(every, 1)
    if any((guide.head < 0).any() for guide in guides):
        raise UsageError("a guide has words without a head; it must have whole trees")
    heads = np.stack([each.head for each in every], axis=1).astype(np.int32)
    own = np.ones(heads.shape) if weights is None else np.stack(weights, axis=1)
    own = np.where(heads >= 0, own, 0.0)
    best = most_voted_trees(trees[0], heads, (own * _UNIT).astype(np.int64))
    maker = np.where(heads == best[:, None], own, -1.0).argmax(axis=1)
    return _with_heads(every, best, maker)


def confidence_of(
    result: Dependencies, trees: Sequence[Dependencies], weights: Sequence[Doubles]
) -> Doubles:
    """Return how sure the votes for its head make one of each word of a result.

    By the rule of succession it is (v + 1) / (w + 2), for v votes for the head and w votes for any
    head of the word: two thirds if one source is alone, half if two sources contradict each other.

    >>> words = ["she", "sees", "it"]
    >>> one = Dependencies.of([(words, [2, 0, -1], ["nsubj", "root", "_"])])
    >>> two = Dependencies.of([(words, [2, 3, 0], ["nsubj", "dep", "root"])])
    >>> confidence_of(one, [one, two], [np.ones(3), np.ones(3)]).tolist()[:2]
    [0.75, 0.5]
    """
    votes, cast = np.zeros((2, len(result.head)))
    for each, own in zip(trees, weights, strict=True):
        votes += np.where(each.head == result.head, own, 0.0)
        cast += np.where(each.head >= 0, own, 0.0)
    return (votes + 1) / (cast + 2)


def _with_heads(
    trees: Sequence[Dependencies], head: NDArray[np.int32], maker: NDArray[np.int64]
) -> Dependencies:
    """Return the first trees with these heads, and the labels of their makers (-1: none)."""
    labels = Strings.concatenate([*(each.deprel for each in trees), Strings.of(["_"])])
    place = np.where(maker >= 0, maker * len(head) + np.arange(len(head)), -1)
    return trees[0].replace(
        "words", head=head, deprel=Strings(labels.codes[place], labels.vocabulary)
    )


def _check(trees: Sequence[Dependencies], least: int) -> None:
    if not trees:
        raise UsageError("there are no trees to vote")
    if not 1 <= least <= len(trees):
        raise UsageError(f"{least} votes are asked for; there are from 1 to {len(trees)}")
    for each in trees[1:]:
        if not np.array_equal(each.offsets, trees[0].offsets):
            raise UsageError("trees of different sentences cannot vote")


def _one_root(head: NDArray[np.int32], votes: Doubles, corpus: Dependencies) -> None:
    """Keep of several roots of a sentence the one with the most votes, the first of these."""
    roots = np.flatnonzero(head == 0)
    sentence = corpus.words.sentence_of_row()[roots]
    order = np.lexsort((roots, -votes[roots], sentence))
    further = np.concatenate([[False], sentence[order][1:] == sentence[order][:-1]])
    head[roots[order][further[: len(order)]]] = -1


def _no_circle(head: NDArray[np.int32], votes: Doubles, corpus: Dependencies) -> None:
    """Take away, until there is no circle, the head with the fewest votes on one."""
    sentences = corpus.words.sentence_of_row()
    while (circle := np.flatnonzero(load("trees").cycles(head, corpus.offsets))).size:
        order = circle[np.lexsort((-circle, votes[circle], sentences[circle]))]
        first = np.concatenate([[True], sentences[order][1:] != sentences[order][:-1]])
        head[order[first]] = -1
