"""Make a function word the head of its partner, and decide what hangs on which of them."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.schemes.scheme import Climb
from commonground.schemes.tree import Tree

__all__ = ["turn"]


_PARTS = ("flat", "fixed", "goeswith")
"""The labels of words that make one with their head, and never leave it."""


def turn(
    tree: Tree,
    function: int,
    heads: list[int],
    climb: Climb,
    inner: int,
    subjects: tuple[str, ...] = (),
) -> None:
    """Make a function word the head of what it belongs to, and let dependents climb to it.

    `heads` are the words that head what it belongs to, from the content word up; those from `inner`
    on have not seen a function word yet (a first conjunct and its conjunction, the parts of a
    name). The copula of an outer clause takes only the subject of that, and leaves inner `subjects`
    to the verb. Punctuation behind the partner stays where the partner has some before it too:
    quotation marks. What stands between the partner and a word that this one heads stays too: *has
    been recently seen*.
    """
    top = heads[-1]
    step = 1 if function < top else -1  # from the function word to its partner
    if step < 0 and climb.after:
        climb = climb.after
    climbing: list[int] = []
    between: list[int] = []
    behind: list[int] = []
    for place, head in enumerate(heads):
        for child in tree.children[head]:
            if child == function or child in heads or _stays(tree, child, subjects):
                continue
            beyond = (child - function) * step < 0
            if beyond and _goes(tree, child, climb):
                climbing.append(child)
            elif not beyond and place >= inner:
                (between if (child - top) * step < 0 else behind).append(child)
    if between:
        between.sort(reverse=step < 0)
        climbing += _going(tree, between, climb, "between", None, ())
    if behind:
        stop = "punct" if "punct" in [tree.hub[child] for child in between] else None
        behind += [head for head in heads if (head - top) * step > 0]
        behind.sort(reverse=step > 0)
        climbing += _going(tree, behind, climb, "behind", stop, heads)
    tree.flip(function, top)
    tree.turned[function] = top
    for child in climbing:
        tree.move(child, function)


def _stays(tree: Tree, child: int, subjects: tuple[str, ...]) -> bool:
    """Tell whether a dependent is a subject of an inner clause."""
    if not subjects:
        return False
    label: str = tree.hub[child]
    return label.startswith(subjects) and not label.endswith(":outer")


def _goes(tree: Tree, child: int, climb: Climb) -> bool:
    """Tell whether a dependent beyond the function word climbs to it."""
    label = _asked(tree, child)
    if label.startswith(_PARTS):
        return False
    return climb.goes(label, tree.label[child], "beyond", tree.tag[child])


def _asked(tree: Tree, child: int) -> str:
    """Return the label that is asked whether a dependent climbs: ``advmod:neg`` of a negation."""
    label: str = tree.hub[child]
    return "advmod:neg" if label == "advmod" and "Polarity=Neg" in tree.feats[child] else label


def _going(
    tree: Tree,
    children: list[int],
    climb: Climb,
    place: str,
    stop: str | None,
    heads: Sequence[int],
) -> list[int]:
    """Return which dependents at one place climb, those that are to climb first standing first.

    One that stays keeps those after it, so that no arcs cross, and so do the `heads` further in,
    and any with the label that is to `stop` them; one that always climbs takes all before it along,
    where no arcs may cross.
    """
    going: list[int] = []
    waiting: list[int] = []
    stopped = False
    for child in children:
        label, written, tag = _asked(tree, child), tree.label[child], tree.tag[child]
        if child in heads or label.startswith(_PARTS):
            stopped = True
            continue
        stopped = stopped or label == stop or not climb.goes(label, written, place, tag)
        if not stopped:
            going.append(child)
        elif climb.goes(label, written, "always", tag):
            going += [child] if climb.crossing else [*waiting, child]
            waiting = []
        else:
            waiting.append(child)
    return going
