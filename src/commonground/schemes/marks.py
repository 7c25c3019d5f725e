"""Where marks hang by the guidelines of the hub, found from the words alone.

Some treebanks say nothing about their marks: all hang on the root of the sentence. Others hang the
comma of a subordinate clause on the clause above it. The guidelines of Universal Dependencies tell
where marks belong: what encloses something, on what it encloses; what sets off a phrase, on that
phrase; what separates conjuncts, on the conjunct after it; and always as high as possible without
crossing an arc. So a mark belongs to the lower one of the two phrases that meet at it (the way in
which Udapi's ``ud.FixPunct`` decides; Popel, Žabokrtský & Vojtek 2017).
"""

from __future__ import annotations

from collections.abc import Collection

from commonground.schemes.labels import has_label
from commonground.schemes.tree import Tree
from commonground.schemes.word_classes import CLOSING, FINAL, OPENING

__all__ = ["enclosed", "opened_and_closed", "phrase_ends", "place", "place_at_clauses"]

_CLAUSES = ("advcl", "acl", "ccomp", "csubj", "xcomp")


def place(tree: Tree, only: Collection[int] | None = None) -> None:
    """Hang marks of a tree that has the shape of the hub where the guidelines want them.

    These are all marks, or `only` some.

    >>> tags = ["NOUN", "PUNCT", "VERB", "PUNCT"]
    >>> tree = Tree([3, 3, 0, 3], ["obl", "punct", "root", "punct"], tags)
    >>> place(tree)
    >>> tree.heads()
    [3, 1, 0, 3]
    """
    for mark, home in _homes(tree):
        if home != tree.head[mark] and (only is None or mark in only):
            tree.move(mark, home)


def place_at_clauses(tree: Tree) -> None:
    """Hang marks at the edge of subordinate clauses on these, and leave all other marks.

    >>> tree = Tree([3, 3, 0], ["advcl", "punct", "root"], ["VERB", "PUNCT", "VERB"])
    >>> place_at_clauses(tree)
    >>> tree.heads()
    [3, 1, 0]
    """
    for mark, home in _homes(tree):
        if has_label(tree.hub[home], _CLAUSES) and tree.head[home] == tree.head[mark]:
            tree.move(mark, home)


def opened_and_closed(tree: Tree, marks: list[int]) -> list[tuple[int, int]]:
    """Return the marks that open something, each with the one that closes it."""
    pairs: list[tuple[int, int]] = []
    opened: list[int] = []
    feats = tree.feats
    for mark in marks:
        own = feats[mark]
        if OPENING in own:
            opened.append(mark)
        elif opened and CLOSING in own:
            pairs.append((opened.pop(), mark))
    return pairs


def _homes(tree: Tree) -> list[tuple[int, int]]:
    """Return marks with the words on which the guidelines want them."""
    tag, head, children = tree.tag, tree.head, tree.children
    size = len(tag)
    marks = [w for w in range(1, size) if tag[w] == "PUNCT" and not children[w] and head[w] > 0]
    homes: list[tuple[int, int]] = []
    if not marks or len(marks) == sum(map(bool, tag)):
        return homes
    first, last = phrase_ends(tree)
    before, after = _neighbours(tree)
    paired: dict[int, int] = {}
    for opening, closing in opened_and_closed(tree, marks):
        top = enclosed(tree, opening, closing)
        if top:
            paired[opening] = paired[closing] = top
    for mark in marks:
        home = paired.get(mark, 0)
        if not home:
            left, right = before[mark], 0 if _is_final(tree.feats[mark]) else after[mark]
            while left and 0 < head[left] < mark and last[left] < mark:
                left = head[left]
            while right and head[right] > mark and first[right] > mark:
                right = head[right]
            home = left if not right or (left and _below(head, left, right)) else right
        if home:
            homes.append((mark, home))
    return homes


def _is_final(feats: str) -> bool:
    return any(kind in feats for kind in FINAL)


def phrase_ends(tree: Tree) -> tuple[list[int], list[int]]:
    """Return the first and the last word of each phrase, marks left out."""
    heads, tags = tree.head, tree.tag
    first, last = list(range(len(tags))), list(range(len(tags)))
    for word in tree.bottom_up():
        head = heads[word]
        if head > 0 and tags[word] != "PUNCT":
            low, high = first[word], last[word]
            first[head] = min(first[head], low)
            last[head] = max(last[head], high)
    return first, last


def _neighbours(tree: Tree) -> tuple[list[int], list[int]]:
    """Return the nearest word before and after each place that is no mark; 0: there is none."""
    tags = tree.tag
    size, near = len(tags), 0
    before, after = [0] * size, [0] * size
    for word in range(2, size):
        if tags[word - 1] != "PUNCT":
            near = word - 1
        before[word] = near
    near = 0
    for word in range(size - 2, 0, -1):
        if tags[word + 1] != "PUNCT":
            near = word + 1
        after[word] = near
    return before, after


def enclosed(tree: Tree, opening: int, closing: int) -> int:
    """Return the head of what two marks enclose, or of all its parts; 0 if there is no such."""
    heads, tags = tree.head, tree.tag
    words = (word for word in range(opening + 1, closing) if tags[word] != "PUNCT")
    tops = [word for word in words if not opening < heads[word] < closing]
    if len(tops) == 1:
        return tops[0]
    above = {heads[word] for word in tops}
    return max(above.pop(), 0) if len(above) == 1 else 0


def _below(heads: list[int], word: int, top: int) -> bool:
    while word > 0 and word != top:
        word = heads[word]
    return word == top
