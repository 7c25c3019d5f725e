"""Make a function word the head of its partner, and decide what hangs on which of them."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.schemes.scheme import Climb
from commonground.schemes.tree import Tree

__all__ = ["turn"]


_PARTS = ("flat", "fixed", "goeswith")
"""The labels of words that make one with their head, and never leave it."""


def turn(
    tree: Tree, function: int, heads: Sequence[int], climb: Climb, *, inner: int, outer: bool
) -> None:
    """Make a function word the head of what it belongs to, and let dependents climb to it.

    `heads` are the words that head what it belongs to, from the content word up; those from `inner`
    on have not seen a function word yet (a first conjunct and its conjunction, the parts of a
    name). The copula of an `outer` clause takes only the subject of that. Punctuation behind the
    partner stays where the partner has some before it too: quotation marks. What stands between the
    partner and a word that this one heads stays too: *has been recently seen*.
    """
    top = heads[-1]
    step = 1 if function < top else -1  # from the function word to its partner
    if step < 0 and climb.after:
        climb = climb.after
    hub, parts = tree.hub, {function, *heads}
    climbing: list[int] = []
    between: list[int] = []
    behind: list[int] = []
    for place, head in enumerate(heads):
        for child in tree.children[head]:
            label = _asked(tree, child)
            if child in parts or (outer and _inner_subject(label)):
                continue
            if (child - function) * step < 0:
                own = label.startswith(_PARTS)
                if not own and climb.goes(label, tree.label[child], "beyond", tree.tag[child]):
                    climbing.append(child)
            elif place >= inner:
                (between if (child - top) * step < 0 else behind).append(child)
    between.sort(reverse=step < 0)
    behind += [head for head in heads if (head - top) * step > 0]
    behind.sort(reverse=step > 0)
    quoted = "punct" in [hub[child] for child in between]
    climbing += _going(tree, between, climb, "between", quoted=False)
    climbing += _going(tree, behind, climb, "behind", quoted=quoted, heads=heads)
    tree.flip(function, top)
    tree.turned[function] = top
    for child in climbing:
        tree.move(child, function)


def _asked(tree: Tree, child: int) -> str:
    """Return the label that is asked whether a dependent climbs: ``advmod:neg`` of a negation."""
    label = tree.hub[child]
    return "advmod:neg" if label == "advmod" and "Polarity=Neg" in tree.feats[child] else label


def _inner_subject(label: str) -> bool:
    return label.startswith(("nsubj", "csubj", "expl")) and not label.endswith(":outer")


def _going(
    tree: Tree,
    children: list[int],
    climb: Climb,
    place: str,
    *,
    quoted: bool,
    heads: Sequence[int] = (),
) -> list[int]:
    """Return which dependents at one place climb, those that are to climb first standing first.

    One that stays keeps those after it, so that no arcs cross, and so do the `heads` further in;
    one that always climbs takes all before it along, where no arcs may cross.
    """
    going: list[int] = []
    waiting: list[int] = []
    stopped = False
    for child in children:
        label, written = _asked(tree, child), tree.label[child]
        if child in heads or label.startswith(_PARTS):
            stopped = True
            continue
        stopped = stopped or not climb.goes(label, written, place, tree.tag[child])
        stopped = stopped or (quoted and label == "punct")
        if not stopped:
            going.append(child)
        elif climb.goes(label, written, "always", tree.tag[child]):
            going += [child] if climb.crossing else [*waiting, child]
            waiting = []
        else:
            waiting.append(child)
    return going
