"""Gapped conjuncts: *Tom bought tea and [Ann milk]*.

The Penn Treebank marks the remnants of a gapped conjunct as parallel to phrases of the full one
(``NP=1`` to ``NP-1``). There are two analyses: a remnant hangs on the phrase that it is parallel
to (GAP), or all of them hang where the conjunct would, on the conjunction, labelled by what they
are parallel to (SBJ-GAP, the analysis of the Danish Dependency Treebank).
"""

from __future__ import annotations

from collections import defaultdict

from commonground.conversion.lth.draft import Draft

__all__ = ["hang_on_conjunction", "hang_on_parallels"]


def _remnants(draft: Draft) -> dict[int, dict[int, int]]:
    """Return the remnants of each gapped conjunct, each with the phrase that it is parallel to.

    A conjunct that something else is parallel to is not gapped: it must stay.
    """
    parallels: dict[int, dict[int, int]] = defaultdict(dict)
    for item, target in draft.parallels:
        parent = int(draft.parent[item])
        if draft.full[item] and draft.full[target] and draft.parent[target] != parent:
            parallels[parent][item] = target
    targets = {target for remnants in parallels.values() for target in remnants.values()}
    return {
        conjunct: remnants
        for conjunct, remnants in parallels.items()
        if draft.parent[conjunct] >= 0
        and draft.head[draft.parent[conjunct]] != conjunct
        and conjunct not in targets
    }


def hang_on_parallels(draft: Draft) -> None:
    """Hang each remnant on the phrase that it is parallel to, and all else on a remnant before."""
    for conjunct, remnants in _remnants(draft).items():
        if _tangled(draft, conjunct, remnants):
            continue
        last = next(iter(remnants))
        for child in draft.children.of(conjunct):
            if child in remnants:
                last = child
                draft.put(child, remnants[child])
                draft.give(child, "GAP")
            else:
                draft.put(child, last)
        draft.remove(conjunct)
    draft.settle()


def hang_on_conjunction(draft: Draft) -> dict[int, int]:
    """Hang the remnants on the conjunction before them; return what each is parallel to."""
    labelled: dict[int, int] = {}
    for conjunct, remnants in _remnants(draft).items():
        if _tangled(draft, conjunct, remnants):
            continue
        place = _conjunction(draft, conjunct, next(iter(remnants.values())))
        for child in draft.children.of(conjunct):
            draft.put(child, place)
        labelled |= remnants
        draft.remove(conjunct)
    draft.settle()
    return labelled


def _tangled(draft: Draft, conjunct: int, remnants: dict[int, int]) -> bool:
    """Tell whether a gapped conjunct has to do with another one, so that it must stay."""
    return conjunct in draft.holders or any(
        not draft.full[target] or _above(draft, conjunct, target) or _above(draft, target, conjunct)
        for target in remnants.values()
    )


def _above(draft: Draft, item: int, target: int) -> bool:
    """Tell whether an item is, or stands above, another one."""
    while target >= 0 and target != item:
        target = int(draft.parent[target])
    return target == item


def _conjunction(draft: Draft, conjunct: int, target: int) -> int:
    """Return the conjunction that joins a conjunct to the one with the target.

    Where there is none, it is what holds both of them.
    """
    upper, below = int(draft.parent[conjunct]), conjunct
    while not _above(draft, upper, target):
        upper, below = int(draft.parent[upper]), upper
    children = draft.children.of(upper)
    before = children[: children.index(below)] if below in children else []
    start = next((i for i, child in enumerate(before) if _above(draft, child, target)), len(before))
    for at, child in enumerate(before[start + 1 :], start + 1):
        if draft.full[child] and draft.category[child] in ("CC", "CONJP"):
            for mark in before[at + 1 :]:
                if draft.punctuation[mark]:
                    draft.put(mark, child)
            return child
    return upper
