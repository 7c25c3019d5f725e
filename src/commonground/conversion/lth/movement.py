"""Traces and their antecedents: what was moved goes back to where it belongs.

A phrase that was fronted (``*T*``), extraposed (``*ICH*``) or shared by conjuncts (``*RNR*``) takes
the place of its trace, so that its dependency leads there, be it across other arcs. A parenthetical
inside of what it quotes (*They will, he said, come*) becomes the main clause. Traces of other
kinds, and phrases that head what they stand in, stay where they are.
"""

from __future__ import annotations

import numpy as np

from commonground.conversion.forest import Flags
from commonground.conversion.lth.draft import Draft

__all__ = ["linked", "move_back"]

_MOVED = ("*T*", "*ICH*", "*RNR*")


def linked(draft: Draft) -> Flags:
    """Tell which items have no words, but a trace whose antecedent has some."""
    moved = np.zeros(len(draft.parent), np.bool_)
    for kind, trace, target in draft.links:
        item = trace
        while kind in _MOVED and draft.full[target] and not (draft.full[item] or moved[item]):
            moved[item] = True
            item = int(draft.parent[item])
    return moved


def move_back(draft: Draft, *, relative_heads: bool) -> int:
    """Put all antecedents into the places of their traces; return how many cannot be moved.

    With `relative_heads`, question words and relative words head their clauses and stay.
    """
    left = 0
    for kind, trace, target in draft.links:
        if kind not in _MOVED or not draft.full[target]:
            continue
        if relative_heads and draft.category[target].startswith("W"):
            continue
        parenthetical = _inside(draft, trace, target)
        if parenthetical is not None and not _raise(draft, parenthetical, trace, target):
            left += 1
            continue
        if draft.head[draft.parent[target]] == target:
            left += 1
            continue
        place = int(draft.parent[trace])
        draft.put(target, place)
        if draft.head[place] == trace:
            draft.head[place] = target
    draft.settle()
    return left


def _inside(draft: Draft, trace: int, target: int) -> int | None:
    """Return the parenthetical around a trace inside of its antecedent, -1 where there is none.

    None: the trace is not inside of its antecedent.
    """
    item, parenthetical = trace, -1
    while item >= 0 and item != target:
        if parenthetical < 0 and draft.category[item] == "PRN":
            parenthetical = item
        item = int(draft.parent[item])
    return parenthetical if item == target else None


def _raise(draft: Draft, parenthetical: int, trace: int, target: int) -> bool:
    """Let a parenthetical take the place of what it stands in; False where it cannot."""
    if parenthetical < 0 or draft.head[draft.parent[parenthetical]] == parenthetical:
        return False
    upper, place = int(draft.parent[target]), int(draft.parent[trace])
    draft.put(parenthetical, upper)
    if draft.head[upper] == target:
        draft.head[upper] = parenthetical
    draft.relabel(parenthetical, place)
    return True
