"""The first look at spans: the few labels that each of them could have.

Each span is looked at on its own: a perceptron with a margin learns its label, or that it is no
phrase, from hashed features. That is quick, knows nothing of trees, and is wrong often; but the
right label is nearly always among the best ones. What is chosen from these later learns on
sentences that the first look did not see (jackknifing), for its choices there are as good as they
will be on new text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain as chained
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import load
from commonground.kernels.perceptron import SCALE, Weights
from commonground.parsers.constituency.words import (
    ANCHORS,
    ATTRIBUTES,
    EXTRAS,
    SpanRows,
    TaggedWords,
)
from commonground.parsers.templates import compiled

__all__ = ["TEMPLATES", "Candidates", "Shortlist", "learn_shortlist", "mean_weights"]

Codes = NDArray[np.int32]
Numbers = NDArray[np.int64]

_MARGIN = 100
_ENOUGH = -5 * _MARGIN * SCALE // 2
"""How much worse than no phrase a label may be; few right ones are, and most wrong ones."""

_FEW = 4  # classes of a span that are looked at, of which one can be no phrase
_PER_WORD = 8  # candidates of a sentence, at most

_TEMPLATES = """
b.tag
e.tag
b-1.tag
e+1.tag
length
marks verbs
v.tag
p.form
b.tag e.tag
b.form e.form
b.tag e.form
b.form e.tag
b.form length
b.tag length
e.form length
e.tag length
b-1.form
b-1.tag length
e+1.form
e+1.tag length
b-1.tag b.tag
e.tag e+1.tag
b-1.form b.form
e.form e+1.form
b-1.form b.tag
b-1.tag b.form
e.form e+1.tag
e.tag e+1.form
b-1.tag e+1.tag
b-1.form e+1.form
b-1.tag e+1.form
b-1.form e+1.tag
b.tag e+1.tag
b-1.tag e.tag
b.form e+1.form
b-1.form e.form
b-1.tag b.tag e.tag e+1.tag
b.tag e.tag e+1.tag
b-1.tag b.tag e.tag
b.tag b+1.tag b+2.tag
b.tag b+1.tag e.tag
b.tag e-1.tag e.tag
b.tag b+1.tag e-1.tag e.tag
b-2.tag b-1.tag b.tag
b-1.tag b.tag b+1.tag
e-1.tag e.tag e+1.tag
e.tag e+1.tag e+2.tag
e-2.tag e-1.tag e.tag
b.lower b+1.tag
b.tag b+1.lower
e-1.tag e.lower
b.suffix e.suffix length
b.shape e.shape length
tags
tags b-1.tag
tags e+1.tag
b-1.tag e+1.tag length
b.tag e.tag length
b.tag marks verbs
b.form marks verbs
b.tag e.tag marks verbs
b-1.tag e+1.tag marks verbs
length marks verbs
pattern
pattern b-1.tag
pattern e+1.tag
pattern b-1.tag e+1.tag
b.tag p.form e+1.tag
p-1.lower p.lower
p-1.tag p.lower length
b-1.lower p.lower
b-1.lower p-1.lower p.lower
b-1.tag b.tag p.lower q.lower
q-1.tag q.lower e.tag
b.lower q.lower
v.lower b.tag
v.lower b-1.tag e+1.tag
v.tag b.tag e.tag
v.tag v-1.tag b.tag length
v.lower p.lower
c.lower b.tag e+1.tag
b.tag c-1.tag c.lower c+1.tag
b.tag c.lower c+1.tag e.tag
b-1.tag c.lower c+1.tag
b.lower c.lower c+1.lower
"""

TEMPLATES = compiled(_TEMPLATES.strip().split("\n"), ANCHORS, ATTRIBUTES, EXTRAS)
"""What is looked at to choose the label of a span."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Labels that the spans of some sentences could have.

    `words` are the offsets of the words of each sentence. A candidate is a `chain` for a `span`
    (of the rows that were asked for), which is from the place `start` to `end`, as the kernel
    ``constituents`` counts them; `at` is its row in `anchors` and `extras`. `score` is how much
    better it is than no phrase.
    """

    words: Numbers
    span: Numbers
    start: Numbers
    end: Numbers
    anchors: Codes
    extras: Codes
    at: Numbers
    chain: Codes
    score: Numbers


@dataclass(frozen=True)
class Shortlist:
    """What has learned the first look; the class after those of the `labels` is no phrase."""

    labels: int
    weights: Weights
    _classifier: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        classifier = load("sparse").SparseClassifier(self.labels + 1, self.weights)
        object.__setattr__(self, "_classifier", classifier)

    def candidates(
        self, words: TaggedWords, rows: SpanRows, wanted: Codes | None = None
    ) -> Candidates:
        """Return what these spans could be; what is `wanted` of them (-1: nothing) is among it."""
        count = len(rows.start)
        nothing = np.full(count, self.labels, np.int32)
        least = np.full(count, np.iinfo(np.int64).min)
        given = words.attributes, rows.anchors, rows.extras, TEMPLATES
        span, chain, score = self._classifier.few(given, nothing, 0, _FEW, least)
        none = chain == self.labels
        score = score - score[none][span]
        lengths = np.diff(rows.words)
        always = np.zeros(count, np.bool_)
        always[(rows.rows[:-1] + lengths - 1)[lengths > 0]] = True  # the whole sentence
        kept = np.flatnonzero(~none & (always[span] | (score > _ENOUGH)))
        sentence = np.searchsorted(rows.rows, span[kept], side="right") - 1
        # The best ones of each sentence, and those of the whole.
        order = np.lexsort((-score[kept], ~always[span[kept]], sentence))
        place = np.arange(len(order)) - np.searchsorted(sentence[order], sentence[order])
        kept = np.sort(kept[order[place < _FEW + _PER_WORD * lengths[sentence[order]]]])
        span, chain, score = span[kept], chain[kept], score[kept]
        if wanted is not None:
            found = np.zeros(count, np.bool_)
            found[span[chain == wanted[span]]] = True
            more = np.flatnonzero(~found & (wanted >= 0))
            span = np.concatenate([span, more])
            order = np.argsort(span, kind="stable")
            span = span[order]
            chain = np.concatenate([chain, wanted[more]])[order]
            score = np.concatenate([score, np.full(len(more), _ENOUGH)])[order]
        some, at = np.unique(span, return_inverse=True)
        places = (rows.words[:-1] + np.arange(len(lengths)))[
            np.searchsorted(rows.rows, span, side="right") - 1
        ]
        return Candidates(
            rows.words,
            span,
            places + rows.start[span],
            places + rows.end[span],
            rows.anchors[some],
            rows.extras[some],
            at,
            chain,
            score,
        )


def learn_shortlist(
    words: TaggedWords,
    labels: int,
    spans: Callable[[int], tuple[SpanRows, Codes]],
    passes: Iterable[Iterable[int]],
) -> Weights:
    """Return the weights of a first look at sentences, in the order of some passes over them.

    `spans` gives those of a sentence and what they should be, -1 where they are no phrases.
    """
    learner = load("sparse").SparseLearner(labels + 1)
    for sentence in chained.from_iterable(passes):
        learner.tick()
        rows, wanted = spans(sentence)
        right = np.where(wanted < 0, labels, wanted).astype(np.int32)
        given = words.attributes, rows.anchors, rows.extras, TEMPLATES
        _, best = learner.best(given, right, _MARGIN)
        wrong = np.flatnonzero(best != right)
        some = words.attributes, rows.anchors[wrong], rows.extras[wrong], TEMPLATES
        learner.add(some, right[wrong], 1)
        learner.add(some, best[wrong], -1)
    weights: Weights = learner.averaged()
    return weights


def mean_weights(several: Sequence[Weights]) -> Weights:
    """Return the means of weights, rounded towards 0; a weight that one does not have is 0 there.

    >>> one = np.array([7], np.uint64), np.array([2]), np.array([0, 3]), np.array([5, 1])
    >>> two = np.array([7, 9], np.uint64), np.array([1, 1]), np.array([0, 0]), np.array([6, -4])
    >>> [column.tolist() for column in mean_weights([one, two])]
    [[7, 9], [1, 1], [0, 0], [5, -2]]
    """
    keys = np.concatenate([np.repeat(key, length) for key, length, _, _ in several])
    classes = np.concatenate([column for _, _, column, _ in several])
    values = np.concatenate([column for _, _, _, column in several]).astype(np.int64)
    order = np.lexsort((classes, keys))
    keys, classes, values = keys[order], classes[order], values[order]
    new = np.ones(len(keys), np.bool_)
    new[1:] = (keys[1:] != keys[:-1]) | (classes[1:] != classes[:-1])
    sums = np.add.reduceat(values, np.flatnonzero(new)) if len(values) else values
    means = np.sign(sums) * (np.abs(sums) // len(several))
    keys, classes, means = keys[new][means != 0], classes[new][means != 0], means[means != 0]
    unique, lengths = np.unique(keys, return_counts=True)
    return (
        unique,
        lengths.astype(np.uint16),
        classes.astype(np.uint16),
        means.astype(np.int16),
    )
