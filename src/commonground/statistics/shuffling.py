r"""The shuffling test: paired approximate randomization.

Were the two systems equal, it would not matter which of the two parses of a sentence is whose. So
each unit's counts are swapped between the systems with probability ½, the sums are put into the
metric's formula, and the difference of the two scores is compared with the one seen:

    p = (c + 1) / (n + 1)        c of n shuffles have a difference as extreme as the one seen

Two-sided, the absolute differences are compared; 'greater' (the first system is better) and 'less'
compare the signed ones. Ties are extreme. With m units whose counts differ there are 2^m shuffles;
where these are no more than the iterations asked for, all are enumerated instead, what was seen
among them, and p = c / 2^m is exact (`exact` in the claim).

From: Noreen (1989), Computer-intensive methods for testing hypotheses; Yeh (2000), More accurate
tests for the statistical significance of result differences. Dan Bikel's randomized parsing
evaluation comparator is this test by ``precision`` and by ``recall`` of PARSEVAL's counts:
``shuffling(Pairing.of(one, other, formula=precision))``.

How it is computed. Let d be the differences of the counts of the units, x the sum of d over the
swapped units; then the sums are A − x and B + x. Units that do not differ are left out. Eight units
share a byte of the random bits, and a table has the sum of their d for each of its 256 values
(``kernels/swapping.py``): n · m / 8 additions of whole numbers, and no matrix of n × m.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import load
from commonground.random import stream
from commonground.statistics.claim import Alternative, Claim, check_alternative
from commonground.statistics.extremes import count_extreme, rounding, sampled_p
from commonground.statistics.iterations import check_iterations
from commonground.statistics.pairing import Pairing
from commonground.statistics.strata import spread_out, sums

__all__ = ["shuffled_differences", "shuffling"]

Numbers = NDArray[np.int64]
Bytes = NDArray[np.uint8]

_BYTES_AT_ONCE = 256
"""How many bytes of swaps (eight units each) are drawn at the same time."""
_MOST_KEPT = 20_000
"""How many iterations there can be for their bits to be kept: 5 MB of them."""


def shuffling(
    pairing: Pairing,
    *,
    iterations: int = 10_000,
    seed: int = 0,
    alternative: Alternative = "two-sided",
) -> Claim:
    """Test whether two systems differ, by swapping their counts on random units.

    Three sentences of four words; the first system has one more word right in each. Of the 8
    shuffles, the one that swaps nothing and the one that swaps all are as extreme as this:

    >>> from commonground.metrics.metric import recall
    >>> one, other = np.array([[4, 4], [3, 4], [2, 4]]), np.array([[3, 4], [2, 4], [1, 4]])
    >>> print(shuffling(Pairing(recall, ("correct", "gold"), one, other)))
    difference +0.2500, p = 0.25 (shuffling test, two-sided, 3 sentences, 8 iterations)
    """
    check_alternative(alternative)
    differences, exact = shuffled_differences(pairing, iterations=iterations, seed=seed)
    drawn = len(differences)
    slack = rounding(*pairing.scores)
    extreme = count_extreme(differences, pairing.difference, alternative, slack)
    return Claim(
        "shuffling",
        pairing.difference,
        extreme / drawn if exact else sampled_p(extreme, drawn),
        alternative,
        units=pairing.units,
        unit=pairing.unit,
        iterations=drawn,
        exact=exact,
        effective=int(pairing.different.sum()),
        seed=None if exact else seed,
    )


def shuffled_differences(
    pairing: Pairing, *, iterations: int = 10_000, seed: int = 0
) -> tuple[NDArray[np.float64], bool]:
    """Return the difference of the scores after each shuffle, and whether these are all there are.

    >>> from commonground.metrics.metric import recall
    >>> pairing = Pairing(recall, ("correct", "gold"), np.array([[2, 2]]), np.array([[1, 2]]))
    >>> [result.tolist() for result in shuffled_differences(pairing)[:1]]
    [[0.5, -0.5]]
    """
    check_iterations(iterations)
    apart = spread_out(pairing.one - pairing.other, pairing.strata)[pairing.different]
    exact = len(apart) < iterations.bit_length()  # which is 2^m ≤ iterations
    drawn = 2 ** len(apart) if exact else iterations

    def swaps(part: int) -> Bytes:
        if exact:
            return _all_swaps(drawn, -(-len(apart) // 8))
        return _random_swaps(part, drawn, seed)

    one, other = (sums(side, pairing.strata) for side in (pairing.one, pairing.other))
    moved = _sums_of_swapped(apart, swaps, drawn).reshape(drawn, *one.shape)
    return pairing.score(one - moved) - pairing.score(other + moved), exact


def _random_swaps(part: int, iterations: int, seed: int) -> Bytes:
    """Return random bits: a row for each eight units of a part, a byte for each iteration.

    All pairs of systems are shuffled by the same bits, so those of one part are kept.
    """
    draw = _kept_swaps if iterations <= _MOST_KEPT else _drawn_swaps
    return draw(part, iterations, seed)


def _drawn_swaps(part: int, iterations: int, seed: int) -> Bytes:
    bits = stream(seed, "shuffling").bit_generator
    assert isinstance(bits, np.random.PCG64)
    words = -(-iterations // 8)  # of eight bytes, for each row
    bits.advance(part * _BYTES_AT_ONCE * words)
    drawn = bits.random_raw(_BYTES_AT_ONCE * words).astype("<u8", copy=False).view(np.uint8)
    return np.ascontiguousarray(drawn.reshape(_BYTES_AT_ONCE, -1)[:, :iterations])


_kept_swaps = lru_cache(maxsize=1)(_drawn_swaps)


def _all_swaps(iterations: int, rows: int) -> Bytes:
    """Return for each eight units their bits in the binary number of the iteration.

    >>> _all_swaps(4, 2).tolist()
    [[0, 1, 2, 3], [0, 0, 0, 0]]
    """
    number = np.arange(iterations)
    return (number >> (8 * np.arange(rows))[:, None]).astype(np.uint8)


def _sums_of_swapped(apart: Numbers, swaps: Callable[[int], Bytes], iterations: int) -> Numbers:
    """Return for each iteration the sum, by column, of the differences of the swapped units."""
    units, columns = apart.shape
    moved = np.zeros((columns, iterations), np.int64)
    for part, start in enumerate(range(0, units, 8 * _BYTES_AT_ONCE)):
        part_apart = apart[start : start + 8 * _BYTES_AT_ONCE]
        varying = np.flatnonzero(part_apart.any(axis=0))  # with strata, few of the columns
        moved[varying] += load("swapping").sums(part_apart[:, varying], swaps(part))
    return moved.T
