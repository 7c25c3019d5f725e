"""What transitions cost: the oracles of transition-based parsers.

Arc-eager and arc-hybrid learn with a dynamic oracle (Goldberg & Nivre 2012, 2013): the cost of a
transition is how many arcs of the gold standard it makes unreachable; a head that is not annotated
(-1) costs nothing. The others have a static oracle.

The compiled twin is ``transition_oracles.pxd``.
"""

from __future__ import annotations

from collections.abc import Sequence

from commonground.kernels.transition_state import (
    EAGER,
    HYBRID,
    LEFT,
    REDUCE,
    RIGHT,
    SHIFT,
    SWAP,
    SWAPPING,
    State,
)

__all__ = ["costs", "label_cost"]


def costs(state: State, gold: Sequence[int], order: Sequence[int]) -> dict[int, int]:
    """Return what each kind of transition that is possible costs, labels apart."""
    if state.system == EAGER:
        possible = _eager_costs(state, gold)
    elif state.system == HYBRID:
        possible = _hybrid_costs(state, gold)
    else:
        wanted = _static(state, gold, order)
        possible = {kind: int(kind != wanted) for kind in range(5)}
    return {k: cost for k, cost in possible.items() if state.allowed(k, one_root=False)}


def _eager_costs(state: State, gold: Sequence[int]) -> dict[int, int]:
    """Return what each kind of transition costs in arc-eager (Goldberg & Nivre 2012).

    With s on the stack and b first in the buffer: SHIFT loses b's arcs to and from the stack;
    RIGHT the same and b's head in the buffer, but not the arc that it makes; LEFT s's head
    further on in the buffer and s's dependents there; REDUCE only these.
    """
    top, following = state.on_stack(0), state.in_buffer(0)
    waiting = sum(gold[word] == following and not state.head[word] for word in state.stack)
    below = int(following != state.root and gold[following] in state.stack)
    missing = sum(gold[word] == top for word in range(following, state.words + 1)) if top else 0
    elsewhere = 0
    if following != state.root and gold[following] != top:
        elsewhere = below + (gold[following] > following)
    return {
        SHIFT: waiting + below,
        REDUCE: missing,
        LEFT: missing + (top != 0 and gold[top] > following),
        RIGHT: waiting + elsewhere,
    }


def _hybrid_costs(state: State, gold: Sequence[int]) -> dict[int, int]:
    """Return what each kind of transition costs in arc-hybrid (Goldberg & Nivre 2013).

    With t, s on the stack and b first in the buffer: SHIFT loses b's dependents on the stack and
    its head below s; LEFT s's head t or further on in the buffer and s's dependents there; RIGHT
    s's head anywhere in the buffer and these dependents.
    """
    top, second, following = state.on_stack(0), state.on_stack(1), state.in_buffer(0)
    waiting = sum(gold[word] == following for word in state.stack)
    below = int(following != state.root and gold[following] in state.stack[:-1])
    missing = sum(gold[word] == top for word in range(following, state.words + 1)) if top else 0
    head = gold[top] if top else -1
    return {
        SHIFT: waiting + below,
        LEFT: missing + (head > following or (second != 0 and head == second)),
        RIGHT: missing + (head >= following),
    }


def _static(state: State, gold: Sequence[int], order: Sequence[int]) -> int:
    """Return the transition that the static oracle makes in arc-standard and swap (Nivre 2009)."""
    top, second = state.on_stack(0), state.on_stack(1)
    if len(state.stack) > 1:
        if second != state.root and gold[second] == top and _collected(state, gold, second):
            return LEFT
        if top != state.root and gold[top] == second and _collected(state, gold, top):
            return RIGHT
        if state.system == SWAPPING and second < top and order[top] < order[second]:
            return SWAP
    return SHIFT


def _collected(state: State, gold: Sequence[int], word: int) -> bool:
    """Tell whether a word has all its dependents."""
    return all(gold[k] != word or state.head[k] for k in range(1, state.words + 1))


def label_cost(
    state: State, gold: Sequence[int], labels: Sequence[int], kind: int, label: int
) -> int:
    """Return 1 for an arc with the right head and another label."""
    if kind not in (LEFT, RIGHT):
        return 0
    head, word = state.arc(kind)
    return int(gold[word] == head and labels[word] >= 0 and labels[word] != label)
