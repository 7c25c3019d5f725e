"""One tree from a scheme into the hub, and from there into another scheme."""

from __future__ import annotations

from commonground.schemes.analyse import analyse
from commonground.schemes.fixed_labels import settle, unsettle
from commonground.schemes.idiom import join
from commonground.schemes.labels import Fitting
from commonground.schemes.locution import spell_out
from commonground.schemes.marks import place, place_at_clauses
from commonground.schemes.punctuation import NOTES, inside
from commonground.schemes.realise import realise
from commonground.schemes.scheme import Scheme
from commonground.schemes.technical import gather, release
from commonground.schemes.translate import read_labels, write_labels
from commonground.schemes.tree import Tree

__all__ = ["from_hub", "to_hub", "to_shape"]


def to_hub(tree: Tree, scheme: Scheme, *, unplaced: bool = False) -> None:
    """Bring a tree from a scheme into the hub: its shape first, then its labels.

    Marks that are `unplaced` hang on the root, which says nothing about them.
    """
    nowhere = to_shape(tree, scheme)
    read_labels(tree, scheme)
    if scheme.finds:
        _part_auxiliaries(tree)
    if unplaced:
        place(tree)
    elif scheme.way("punctuation") != "inside":
        inside(tree)
    elif scheme.above:
        place_at_clauses(tree)
    if nowhere and not unplaced:
        place(tree, nowhere)
    tree.forget(*NOTES)
    tree.turned.clear()


def to_shape(tree: Tree, scheme: Scheme) -> list[int]:
    """Bring a tree from a scheme into the shape of the hub; it keeps the labels of the scheme.

    The value is the marks that hung on the technical root, which says nothing about them.
    """
    nowhere = gather(tree, scheme) if scheme.technical or scheme.roots else []
    if scheme.locution:
        spell_out(tree, scheme.locution)
    if scheme.idiom:
        join(tree, scheme.idiom, scheme)
    if scheme.joint or scheme.settled:
        unsettle(tree, scheme)
    analyse(tree, scheme)
    return nowhere


def _part_auxiliaries(tree: Tree) -> None:
    """Hang an auxiliary that hangs on another one where that hangs: *has been seen* has two."""
    hub, head = tree.hub, tree.head
    for word in range(1, len(hub)):
        if not _AUXILIARY[hub[word]]:
            continue
        while _VERBAL[hub[max(head[word], 0)]]:
            above = head[head[word]]
            if above <= 0:  # the root, whatever its label
                break
            tree.move(word, above)


_AUXILIARY, _VERBAL = Fitting(("aux",)), Fitting(("aux", "cop"))


def from_hub(tree: Tree, scheme: Scheme) -> list[tuple[str, str]]:
    """Bring a tree from the hub into a scheme: its labels first, then its shape.

    The value is what could not be done: pairs of a construction and a reason.
    """
    write_labels(tree, scheme)
    failures = [] if scheme.like_hub else realise(tree, scheme)
    if scheme.joint or scheme.settled:
        settle(tree, scheme)
    if scheme.technical:
        release(tree, scheme)
    return failures
