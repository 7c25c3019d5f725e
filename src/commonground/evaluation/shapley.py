"""What each of several players contributes to what they reach together: values of Shapley (1953).

With v(S) what the players S reach, the value of player i is the mean, over all orders of the
players, of v(those before i, and i) − v(those before i). The values add up to v(all) − v(none).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np

__all__ = ["ORDERS", "shapley"]

FEW = 5
"""Of so many players, all orders are taken."""

ORDERS = 32
"""How many orders are sampled of more players: half of them, and these backwards."""


def shapley(
    players: Sequence[str],
    value: Callable[[frozenset[str]], int],
    random: np.random.Generator,
) -> dict[str, Fraction]:
    """Return the value of each player; exact for few players, the mean of sampled orders else.

    A glove is worth something only with its pair; there are two left ones.

    >>> worth = lambda who: int("right" in who and len(who) > 1)
    >>> result = shapley(["left", "other left", "right"], worth, np.random.default_rng(0))
    >>> [str(result[name]) for name in ("left", "other left", "right")]
    ['1/6', '1/6', '2/3']
    """
    if not players:
        return {}
    known: dict[frozenset[str], int] = {}

    def reached(who: frozenset[str]) -> int:
        if who not in known:
            known[who] = value(who)
        return known[who]

    sums = dict.fromkeys(players, 0)
    orders = _orders(players, random)
    for order in orders:
        before: frozenset[str] = frozenset()
        for player in order:
            after = before | {player}
            sums[player] += reached(after) - reached(before)
            before = after
    return {player: Fraction(number, len(orders)) for player, number in sums.items()}


def _orders(players: Sequence[str], random: np.random.Generator) -> list[tuple[str, ...]]:
    if len(players) <= FEW:
        return list(permutations(players))
    drawn = [
        tuple(players[i] for i in random.permutation(len(players))) for _ in range(ORDERS // 2)
    ]
    return [*drawn, *(order[::-1] for order in drawn)]
