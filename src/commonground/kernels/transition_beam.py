"""The best sequences of transitions so far; the compiled twin is ``transition_beam.pxd``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from commonground.kernels.transition_state import KINDS, STANDARD, State

__all__ = ["Beam", "steps"]


@dataclass(slots=True)
class _Entry:
    """A sequence of actions in a beam, the state that it leads to, and its score."""

    state: State
    score: int
    actions: list[int]


class Beam:
    """The best sequences of actions so far; one with the size 1 is greedy."""

    def __init__(self, system: int, words: int) -> None:
        self.entries = [_Entry(State(system, words), 0, [])]

    def move(
        self,
        size: int,
        kinds: Sequence[int],
        labels: Sequence[int],
        scores_of: Callable[[State], list[int]],
        *,
        one_root: bool,
    ) -> None:
        """Add an action to all sequences, and keep the best; of equally good ones the first."""
        moves = []
        for place, entry in enumerate(self.entries):
            can = [entry.state.allowed(kind, one_root=one_root) for kind in range(len(KINDS))]
            scores = scores_of(entry.state)
            moves += [
                (-entry.score - scores[action], place, action)
                for action, kind in enumerate(kinds)
                if can[kind]
            ]
        kept = []
        for score, place, action in sorted(moves)[:size]:
            entry = self.entries[place]
            state = entry.state.copy()
            state.apply(kinds[action], labels[action])
            kept.append(_Entry(state, -score, [*entry.actions, action]))
        self.entries = kept


def steps(system: int, words: int) -> int:
    """Return how many transitions every sequence has; in the swap system that is not the same."""
    return 2 * words + (system == STANDARD)
