"""Repairs: *the, the city*; who heads whom, what was said first or what replaces it.

In the hub what was said first hangs on what replaces it, as ``reparandum``, since only that is part
of the sentence. Schemes that read from left to right have it the other way: the first attempt has
the function, and what replaces it hangs on it. Treebanks that have either of the two the other way
round have the other one so as well, so that the arc is turned wherever its dependent stands.
"""

from __future__ import annotations

from commonground.schemes.labels import has_label
from commonground.schemes.scheme import Scheme
from commonground.schemes.tree import Tree

__all__ = ["repair", "unrepair"]


def repair(tree: Tree, word: int, top: int) -> int:
    """Make the first attempt at a phrase its head; return what heads all.

    The phrase is that of a `word`, and `top` is what heads it so far.

    >>> tree = Tree([2, 0], ["repair", "root"], ["DET", "DET"])
    >>> tree.hub = ["", "reparandum", "root"]
    >>> repair(tree, 2, 2), tree.heads(), tree.label[1:]
    (1, [0, 1], ['root', 'repair'])
    """
    abandoned = sorted(c for c in tree.children[top] if tree.hub[c] == "reparandum")
    attempts = [c for c in abandoned if c < top]
    for before in reversed(attempts):
        between = _marks(tree, before, range(before, top))
        outside = [c for c in _marks(tree, top) if not before < c < top and c not in attempts]
        tree.take_place(before, top)
        tree.move(top, before)
        for mark in between:
            tree.move(mark, top)
        for mark in outside:
            tree.move(mark, before)
        top = before
    if not attempts:
        for after in (c for c in abandoned if c > word):
            top = _turned(tree, after, top)
    return top


def _turned(tree: Tree, word: int, head: int) -> int:
    """Turn the arc to a word, which takes the marks of its head along; return the word."""
    marks = [mark for mark in _marks(tree, head) if mark != word]  # a parser's repair may be one
    tree.flip(word, head)
    for mark in marks:
        tree.move(mark, word)
    return word


def _marks(tree: Tree, word: int, places: range | None = None) -> list[int]:
    """Return the marks that hang on a word, all or those at some places."""
    return [
        c for c in tree.children[word] if tree.tag[c] == "PUNCT" and (places is None or c in places)
    ]


def unrepair(tree: Tree, top: int, scheme: Scheme) -> int:
    """Make what replaces a first attempt the head again; return it.

    What stands behind it, and hung on the first attempt, goes along, and so do marks before both;
    marks between them go the other way. A first attempt that hangs on what replaces it, with the
    label of the hub, stays there.

    >>> tree = Tree([0, 1], ["root", "reparandum"], ["DET", "DET"])
    >>> unrepair(tree, 1, Scheme("mine")), tree.heads(), tree.label[1:]
    (2, [2, 0], ['reparandum', 'root'])
    """
    labels = scheme.labels_of("reparandum")
    attempts = sorted(
        c
        for c in tree.children[top]
        if scheme.is_one(tree.label[c], labels)
        and not (c < top and has_label(tree.label[c], ("reparandum",)))
    )
    later = [c for c in attempts if c > top]
    for after in sorted(later):
        between = _marks(tree, after, range(top, after))
        before = _marks(tree, top, range(top))
        behind = [*before, *(c for c in tree.children[top] if c > after and c not in later)]
        tree.flip(after, top)
        for mark in between:
            tree.move(mark, top)
        for child in [*behind, *(c for c in tree.children[top] if c in later)]:
            tree.move(child, after)
        top = after
    if not later:
        for attempt in (c for c in reversed(attempts) if tree.governor[c] != c):  # not turned yet
            top = _turned(tree, attempt, top)
    return top
