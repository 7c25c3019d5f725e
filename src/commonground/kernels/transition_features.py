"""What a state of a transition-based parser looks like: the features of its templates, hashed.

A template joins atoms; an atom is a field of the word at some place of the state, or a number of
the state as a whole (place -1). The compiled twin is ``transition_features.pxd``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.kernels.perceptron import combined
from commonground.kernels.transition_state import EAGER, HYBRID, State

__all__ = ["PLACES", "STATE_FIELDS", "WORD_FIELDS", "Templates", "features"]

PLACES = 23
"""How many places of a state templates can name."""

WORD_FIELDS = 11
"""How many numbers each word has; the fields after them are those of the tree so far."""

STATE_FIELDS = 5

Numbers = NDArray[np.int32]
Templates = tuple[Numbers, Numbers, Numbers, NDArray[np.uint64]]


def _places(state: State) -> list[int]:
    """Return the words at the places that templates name (``parsers/transition_features.py``)."""
    if state.system in (EAGER, HYBRID):
        s0, s1, s2 = (state.on_stack(place) for place in range(3))
        n0, n1, n2, n3 = (state.in_buffer(place) for place in range(4))
    else:
        s0, s1, s2 = (state.on_stack(place) for place in range(1, 4))
        n0, (n1, n2, n3) = state.on_stack(0), (state.in_buffer(place) for place in range(3))
    above = state.head[s0]
    low, low2, high, high2 = state.low, state.low2, state.high, state.high2
    s0_neighbours = [s0 - 1, s0 + 1 if s0 < state.root else 0] if s0 else [0, 0]
    n0_neighbours = [max(n0 - 1, 0), max(n0 - 2, 0)]
    tree = [above, state.head[above], low[s0], low2[s0], high[s0], high2[s0]]
    tree += [low[n0], low2[n0], high[n0], low[s1], high[s1]]
    return [s0, s1, s2, n0, n1, n2, n3, *tree, *s0_neighbours, *n0_neighbours, state.head[s1]]


def _bucket(distance: int) -> int:
    return distance if distance < 5 else 5 if distance < 8 else 6 if distance < 12 else 7


def features(state: State, templates: Templates, words: list[list[int]]) -> list[int]:
    """Return the features of a state; `words` has the numbers of each place of the sentence."""
    atoms, starts, parts, seeds = (column.tolist() for column in templates)
    places = _places(state)
    s0, n0 = places[0], places[3]
    distance = _bucket(abs(n0 - s0)) if s0 and n0 else 15
    whole = (distance, min(len(state.stack), 6))

    def number(place: int, field: int) -> int:
        if place < 0:
            return whole[field]
        word = places[place]
        if field < WORD_FIELDS:
            return words[word][field]
        return (
            state.label[word],
            min(state.lefts[word], 7),
            min(state.rights[word], 7),
            state.left_labels[word],
            state.right_labels[word],
        )[field - WORD_FIELDS]

    numbers = [number(*each) for each in atoms]
    active = []
    for template, seed in enumerate(seeds):
        hashed = seed
        for part in parts[starts[template] : starts[template + 1]]:
            hashed = combined(hashed, numbers[part])
        active.append(hashed or 1)
    return active
