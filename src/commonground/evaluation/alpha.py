"""Agreement on trees, corrected for chance: Krippendorff's α over tree distances.

Skjærholt (2014), "A chance-corrected measure of inter-annotator agreement for syntax": the distance
δ of two analyses is the tree edit distance (insertions, deletions and relabellings cost 1) of the
trees whose nodes are the words with the labels of their arcs, below a root without a label; words
themselves are no part of it. His α_plain, which he recommends, is

    α = 1 − D_o / D_e

where D_o is the mean of δ² over all pairs of analyses of the same sentence (the mean over sentences
of the means over their pairs), and D_e the mean of δ² over all pairs of different analyses of any
sentences, those of the same sentence among them, as Krippendorff has it. 1 is perfect agreement, 0
what chance would give; below 0 analyses disagree more than by chance.

D_o is always exact. D_e is exact where there are few pairs, and else the mean of pairs drawn at
random, with a standard error that follows from their variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.corpus.strings import Vocabulary
from commonground.errors import UsageError
from commonground.kernels import load
from commonground.random import stream

__all__ = ["Alpha", "alpha"]

Numbers = NDArray[np.int64]
Codes = NDArray[np.int32]

EXACT = 20_000
"""Maximum number of pairs that are all looked at; of more, as many are drawn at random."""

_BLOCK = 2_000


@dataclass(frozen=True, slots=True)
class Alpha:
    """α of some analyses: the `observed` and the `expected` disagreement, both means of δ².

    `pairs` is how many pairs the expected one is the mean of, and `error` its standard error, 0
    where these are all pairs. `sentences` counts what was compared; a sentence whose heads form a
    cycle is no tree, and left out.
    """

    observed: float
    expected: float
    pairs: int
    error: float
    sentences: int

    @property
    def value(self) -> float | None:
        """α itself; None where all trees are the same, so that chance cannot be told."""
        return 1 - self.observed / self.expected if self.expected else None

    @property
    def spread(self) -> float:
        """The standard error of α that comes from drawing pairs."""
        return self.observed * self.error / self.expected**2 if self.expected else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as JSON has them."""
        return {
            "alpha": self.value,
            "error": self.spread,
            "observed": self.observed,
            "expected": self.expected,
            "expected_error": self.error,
            "pairs": self.pairs,
            "sentences": self.sentences,
        }


def alpha(analyses: Sequence[Dependencies], *, labelled: bool = True, seed: int = 0) -> Alpha:
    """Return α of two or more analyses of the same sentences; without labels, of bare trees.

    Of two sentences, the first is analysed as root(a(b)) and root(b(a)) with the labels s and r:
    two relabellings, δ = 2. Both analyse the second as a root alone: δ = 0, so D_o = (4 + 0) / 2.
    The six pairs of the four analyses have δ = 2 once, 0 once, and four times 1 (delete the s):
    D_e = (4 + 0 + 1 + 1 + 1 + 1) / 6 = 4/3, and α = 1 − 2 / (4/3).

    >>> one = Dependencies.of([(["a", "b"], [0, 1], ["r", "s"]), (["a"], [0], ["r"])])
    >>> two = Dependencies.of([(["a", "b"], [0, 1], ["s", "r"]), (["a"], [0], ["r"])])
    >>> result = alpha([one, two])
    >>> result.observed, round(result.expected, 4), result.value
    (2.0, 1.3333, -0.5)
    """
    sizes = {len(each) for each in analyses}
    if len(analyses) < 2 or len(sizes) > 1:
        raise UsageError("α needs two or more analyses of the same sentences")
    labels = Vocabulary()
    forests = [_trees(each, labels, labelled=labelled) for each in analyses]
    sentences = [each for each in zip(*forests, strict=True) if None not in each]
    trees = [tree for each in sentences for tree in each if tree is not None]
    several, total = len(analyses), len(trees)
    same = _squares(trees, np.array(_within(several, len(sentences))).reshape(-1, 2))
    observed = float(same.mean()) if len(same) else 0.0
    expected, pairs, error = _expected(trees, total, seed)
    return Alpha(observed, expected, pairs, error, len(sentences))


def _within(several: int, sentences: int) -> list[tuple[int, int]]:
    """Return the pairs of trees of the same sentence; those of a sentence follow each other."""
    return [
        (several * place + one, several * place + other)
        for place in range(sentences)
        for one, other in combinations(range(several), 2)
    ]


def _expected(trees: list[_Tree], total: int, seed: int) -> tuple[float, int, float]:
    """Return the mean of δ² of all pairs, or of some, how many these are, and its error."""
    if total < 2:
        return 0.0, 0, 0.0
    everything = total * (total - 1) // 2
    if everything <= EXACT:
        squares = _squares(trees, np.array(list(combinations(range(total), 2))))
        return float(squares.mean()), everything, 0.0
    random = stream(seed, "pairs of analyses")
    one = random.integers(0, total, EXACT)
    other = (one + random.integers(1, total, EXACT)) % total
    squares = _squares(trees, np.stack([one, other], axis=1))
    return float(squares.mean()), EXACT, float(squares.std(ddof=1) / EXACT**0.5)


def _squares(trees: list[_Tree], pairs: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return δ² of pairs of trees."""
    distances = load("tree_distance").distances
    squares = [
        distances(_columns(trees, block[:, 0]), _columns(trees, block[:, 1]))
        for start in range(0, len(pairs), _BLOCK)
        if len(block := pairs[start : start + _BLOCK])
    ]
    return np.concatenate([np.empty(0), *squares]).astype(np.float64) ** 2


# ── trees ────────────────────────────────────────────────────────────────────────────────────────

_Tree = tuple[Codes, Codes]
"""The labels of a tree in postorder, and the leftmost leaf below each node."""


def _columns(trees: list[_Tree], chosen: NDArray[np.integer]) -> tuple[Numbers, Codes, Codes]:
    picked = [trees[place] for place in chosen.tolist()]
    lengths = [len(label) for label, _ in picked]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    labels, leftmost = zip(*picked, strict=True)
    return offsets, np.concatenate(labels), np.concatenate(leftmost)


def _trees(corpus: Dependencies, labels: Vocabulary, *, labelled: bool) -> list[_Tree | None]:
    """Return the tree of each sentence below a root of its own; None where there is a cycle.

    The root has the label 0, and words without a head hang on it.
    """
    codes = corpus.deprel.codes_in(labels).astype(np.int32) + 1
    if not labelled:
        codes = np.ones_like(codes)
    heads = np.maximum(corpus.head, 0).tolist()
    bounds = pairwise(corpus.offsets.tolist())
    return [_tree(heads[start:stop], codes[start:stop]) for start, stop in bounds]


def _tree(heads: list[int], labels: Codes) -> _Tree | None:
    children: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads, 1):
        children[head].append(word)
    order: list[int] = []
    waiting = [0]
    while waiting:  # the reverse of a postorder: parents first, last children first
        word = waiting.pop()
        order.append(word)
        waiting += children[word]
    if len(order) <= len(heads):
        return None
    order.reverse()
    place = {word: number for number, word in enumerate(order)}
    leftmost = [0] * len(order)
    for number, word in enumerate(order):
        leftmost[number] = leftmost[place[children[word][0]]] if children[word] else number
    nodes = np.concatenate([[0], labels]).astype(np.int32)[order]
    return nodes, np.array(leftmost, np.int32)
