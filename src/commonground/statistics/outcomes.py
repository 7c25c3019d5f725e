"""How often one system beats another, and by how much in terms of the spread: effect sizes.

A p-value falls with the number of sentences, however small a difference is; an effect size does
not. With d the difference of the two systems' scores on a unit (a sentence, a document), and ranks
of |d| among the units where d is not 0:

    win, tie, loss   the units with d > 0, d = 0, d < 0
    dominance        (wins − losses) / units, Cliff's δ for pairs
    d_z              mean of d / standard deviation of d (n − 1), Cohen's d for pairs
    rank_biserial    (sum of ranks of wins − sum of ranks of losses) / sum of all ranks

The first and the last lie between −1 and 1, and are positive where the first system is the better
one; rank_biserial goes with Wilcoxon's test, d_z with a paired t-test. Where all d are the same but
not 0, d_z is not defined.

From: Cohen (1988), Statistical power analysis for the behavioral sciences; Kerby (2014), The simple
difference formula; Cliff (1993), Dominance statistics.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from commonground.statistics.pairing import Pairing
from commonground.statistics.ranks import sign, wilcoxon

__all__ = ["Outcomes", "outcomes"]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """On how many units the first system wins, ties and loses, and the effect sizes."""

    wins: int
    ties: int
    losses: int
    dominance: float
    d_z: float | None
    rank_biserial: float

    def to_json(self) -> dict[str, Any]:
        """Return the outcomes as JSON has them."""
        return asdict(self)


def outcomes(pairing: Pairing) -> Outcomes:
    """Return how often the first system of two is the better one, and by how much.

    It wins on two sentences by 2 and by 1 words of 4, ties on one, and loses on one by 1; so the
    ranks are 3, 1½ and 1½, of which it has 4½ and the other system 1½:

    >>> import numpy as np
    >>> from commonground.metrics.metric import recall
    >>> one, other = ([[4, 4], [4, 4], [2, 4], [1, 4]], [[2, 4], [3, 4], [2, 4], [2, 4]])
    >>> pairing = Pairing(recall, ("correct", "gold"), np.array(one), np.array(other))
    >>> result = outcomes(pairing)
    >>> (result.wins, result.ties, result.losses), result.dominance, result.rank_biserial
    ((2, 1, 1), 0.25, 0.5)
    """
    signs, ranked = sign(pairing), wilcoxon(pairing)
    assert signs.statistic is not None
    assert ranked.statistic is not None
    unequal = signs.effective or 0
    wins = int(signs.statistic)
    losses = unequal - wins
    ranks = unequal * (unequal + 1) / 2
    return Outcomes(
        wins,
        pairing.units - unequal,
        losses,
        (wins - losses) / pairing.units if pairing.units else 0.0,
        _d_z(pairing),
        2 * ranked.statistic / ranks - 1 if ranks else 0.0,
    )


def _d_z(pairing: Pairing) -> float | None:
    one, other = pairing.by_unit()
    apart = one - other
    if not apart.any():
        return 0.0
    spread = float(apart.std(ddof=1)) if len(apart) > 1 else 0.0
    return float(apart.mean()) / spread if spread > 1e-12 else None
