"""Punctuation: inside the phrase that it sets off, as in the hub, or outside, beside the phrase.

In the hub a mark hangs on the phrase that it sets off: the comma of *In Rome, she sang* on *Rome*.
Treebanks that come from constituents have it beside the phrase: that comma hangs where *In Rome*
hangs. :func:`edges` finds the marks that stand at the edge of the phrase they hang on, and
:func:`outside` moves them, once the tree has the shape of its scheme. :func:`inside` leads back: it
looks for the phrase beside each mark. A mark that hangs on the clause in the hub, too, though a
phrase stands beside it, would not be told from the others, nor would one that belongs to another of
the phrases that meet at it than the guidelines say: :func:`note` notes them in MISC.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonground.schemes.labels import Fitting
from commonground.schemes.marks import enclosed, opened_and_closed, phrase_ends, place
from commonground.schemes.tree import Tree

__all__ = ["NOTES", "OUTSIDE", "SIDE", "PhraseEdges", "edges", "inside", "note", "outside"]

OUTSIDE = "Outside=Yes"
"""The note, in MISC, of a mark that is outside of the phrases beside it in the hub, too."""

BEFORE, AFTER = "Inside=Before", "Inside=After"
"""The notes of marks that belong to the phrase before or after them, where that is not clear."""

NOTES = (OUTSIDE, BEFORE, AFTER)
"""All that is noted about marks; none of it stays in the hub."""

_ROOT, _CONJUNCT = Fitting(("root",)), Fitting(("conj",))

_NOTED = "side="
"""What all notes have, and hardly any other entry."""

SIDE = "PunctSide="
"""What the features of a bracket or a quotation mark begin with."""


@dataclass(frozen=True, slots=True)
class PhraseEdges:
    """Marks at the edge of the phrase that they hang on, in the hub.

    `marks` has each with the word that it hangs on and the head of that one; `enter` and `leave`
    number the words so that those of a phrase have numbers between those of its head.
    """

    marks: Sequence[tuple[int, int, int]]
    enter: Sequence[int]
    leave: Sequence[int]

    def within(self, word: int, head: int) -> bool:
        """Tell whether a word belonged to the phrase of another one."""
        return self.enter[head] <= self.enter[word] <= self.leave[head]


def edges(tree: Tree, staying: str = "") -> PhraseEdges:
    """Return the marks of a tree in the hub that stand at the edge of their phrase.

    Those with a feature that begins with `staying` are not among them: see :data:`SIDE`.

    >>> tree = Tree([3, 1, 0], ["obl", "punct", "root"], ["NOUN", "PUNCT", "VERB"])
    >>> edges(tree).marks
    [(2, 1, 3)]
    """
    heads, hub, feats = tree.head, tree.hub, tree.feats
    candidates = [
        mark
        for mark in _marks(tree)
        if not (staying and staying in feats[mark]) and not _ROOT[hub[heads[mark]]]
    ]
    if not candidates:
        return PhraseEdges([], [], [])
    first, last = phrase_ends(tree)
    marks: list[tuple[int, int, int]] = []
    for mark in candidates:
        head = heads[mark]
        if not first[head] < mark < last[head]:
            marks.append((mark, head, heads[head]))
    if not marks:
        return PhraseEdges([], [], [])
    return PhraseEdges(marks, *_numbered(tree))


def _numbered(tree: Tree) -> tuple[list[int], list[int]]:
    """Return the first and the last number of each phrase; one inside another is between these."""
    heads, order = tree.head, tree.bottom_up()
    size = len(heads) + 1
    count, enter, leave, free = [1] * size, [0] * size, [0] * size, [1] * size
    for word in order:
        head = heads[word]
        if head > 0:
            count[head] += count[word]
    for at in range(len(order) - 1, -1, -1):
        word = order[at]
        head = max(heads[word], 0)
        number = free[head]
        enter[word], free[word] = number, number + 1
        free[head] = number + count[word]
        leave[word] = number + count[word] - 1
    return enter, leave


def outside(tree: Tree, at_edge: PhraseEdges) -> None:
    """Hang marks where their phrases hang, in the shape that the tree has now.

    Where a phrase became the head of what it hung on, its marks stay with it.

    >>> tree = Tree([3, 1, 0], ["obl", "punct", "root"], ["NOUN", "PUNCT", "VERB"])
    >>> outside(tree, edges(tree))
    >>> tree.heads()
    [3, 3, 0]
    """
    for mark, head, above in at_edge.marks:
        if tree.children[mark] or not at_edge.within(tree.head[mark], head):
            continue
        top = head
        while tree.head[top] > 0 and at_edge.within(tree.head[top], head):
            top = tree.head[top]
        if tree.head[top] > 0 and not _below(tree, above, top):
            tree.move(mark, tree.head[top])


def note(tree: Tree, at_edge: PhraseEdges) -> None:
    """Note the marks of a tree in the hub that :func:`inside` would take for those of a phrase.

    >>> labels, tags = ["obl", "punct", "root"], ["NOUN", "PUNCT", "VERB"]
    >>> tree = Tree([3, 3, 0], labels, tags)
    >>> note(tree, edges(tree))
    >>> tree.misc[2]
    'Outside=Yes'
    """
    moved = {mark for mark, _, above in at_edge.marks if above > 0}
    marks = _marks(tree)
    if not marks or (not moved and _stay(tree, marks)):
        return
    again = tree.copy()
    for mark, _, above in at_edge.marks:
        if mark in moved:
            again.move(mark, above)
    unsaid = again.head.copy()
    inside(again)
    for mark in marks:
        if again.head[mark] == tree.head[mark]:
            continue
        if mark not in moved:
            tree.note(mark, OUTSIDE)
            continue
        before, after = _beside(tree.tag, unsaid, mark, unsaid[mark])
        if tree.head[mark] in (before, after):
            tree.note(mark, BEFORE if tree.head[mark] == before else AFTER)


def _below(tree: Tree, word: int, head: int) -> bool:
    """Tell whether a word is another one, or hangs on it, directly or not."""
    while word > 0 and word != head:
        word = tree.head[word]
    return word == head


def inside(tree: Tree) -> None:
    """Hang marks on the phrases that they set off, in a tree that has the hub's shape and labels.

    A mark belongs to one of the phrases beside it that hang on the same word: to the one that it
    encloses with its other half, to a conjunct after it, else to the phrase that is further from
    that word. Marks at the ends of a sentence stay on its root. Notes come first. An arc that would
    cross others is no way to a phrase: such marks hang where the guidelines want.

    >>> labels, tags = ["obl", "punct", "root", "punct"], ["NOUN", "PUNCT", "VERB", "PUNCT"]
    >>> tree = Tree([3, 3, 0, 3], labels, tags)
    >>> inside(tree)
    >>> tree.heads()
    [3, 1, 0, 3]
    """
    marks = _marks(tree)
    if not marks:
        return
    for mark, home in _homes(tree, marks).items():
        if home:
            tree.move(mark, home)
    if crossing := [mark for mark in marks if _crosses(tree, mark)]:
        place(tree, crossing)


def _stay(tree: Tree, marks: list[int]) -> bool:
    """Tell whether all marks hang where :func:`inside` wants them."""
    if any(_homes(tree, marks).values()):
        return False
    return not any(_crosses(tree, mark) for mark in marks)


def _homes(tree: Tree, marks: list[int]) -> dict[int, int]:
    """Return the phrases of marks, as they were noted or else by where they stand; 0: it stays."""
    homes = _guessed(tree, marks)
    homes.update(_noted(tree, marks))
    return homes


def _guessed(tree: Tree, marks: list[int]) -> dict[int, int]:
    """Return the phrases that marks set off, by where they stand; 0 for those that stay."""
    heads, hub = tree.head, tree.hub
    first, last = _ends(tree)
    homes: dict[int, int] = {}
    for one, other in opened_and_closed(tree, marks):
        _, after = _beside(tree.tag, heads, one, heads[one])
        before, _ = _beside(tree.tag, heads, other, heads[other])
        homes[one] = after if after == before or heads[other] == after else 0
        homes[other] = before if after == before or heads[one] == before else 0
        if not homes[one] and not homes[other] and heads[one] == heads[other]:
            homes[one] = homes[other] = enclosed(tree, one, other)
    for mark in marks:
        ends = not first < mark < last and _ROOT[hub[heads[mark]]]
        if mark not in homes and not ends:
            homes[mark] = _home(tree, mark)
    return homes


def _noted(tree: Tree, marks: list[int]) -> dict[int, int]:
    """Return the phrases of marks that were noted; 0 for those that stay."""
    homes: dict[int, int] = {}
    misc = tree.misc
    for mark in marks:
        if _NOTED not in misc[mark]:
            continue
        entries = misc[mark].split("|")
        if OUTSIDE in entries:
            homes[mark] = 0
        elif BEFORE in entries or AFTER in entries:
            before, after = _beside(tree.tag, tree.head, mark, tree.head[mark])
            if home := before if BEFORE in entries else after:
                homes[mark] = home
    return homes


def _crosses(tree: Tree, mark: int) -> bool:
    """Tell whether the arc of a mark crosses that of a word."""
    heads, tags, children = tree.head, tree.tag, tree.children
    head = heads[mark]
    low, high = min(mark, head), max(mark, head)
    for word in range(low + 1, high):
        above = heads[word]
        if above > 0 and not low <= above <= high and tags[word] != "PUNCT":
            return True
        for child in children[word]:
            if not low <= child <= high and tags[child] != "PUNCT":
                return True
    return False


def _home(tree: Tree, mark: int) -> int:
    """Return which of the phrases beside a mark it belongs to, 0 if to none.

    A mark before all that hangs on its head, and before that, is inside its phrase already.
    """
    head = tree.head[mark]
    before, after = _beside(tree.tag, tree.head, mark, head)
    if not after and _CONJUNCT[tree.hub[head]]:
        _, after = _beside(tree.tag, tree.head, mark, tree.head[head])
    if after and _CONJUNCT[tree.hub[after]]:
        return after
    if mark > head:
        return after if tree.head[after] == head else 0
    return before


def _ends(tree: Tree) -> tuple[int, int]:
    """Return the first and the last word that is no punctuation."""
    tags = tree.tag
    first, last = 1, len(tags) - 1
    while last and tags[last] == "PUNCT":
        last -= 1
    while first < last and tags[first] == "PUNCT":
        first += 1
    if not last:
        return 0, 0
    return first, last


def _beside(tags: list[str], heads: list[int], mark: int, head: int) -> tuple[int, int]:
    """Return the phrases right before and right after a mark that hang on a word."""
    before, size = mark - 1, len(tags)
    while before > 0 and tags[before] == "PUNCT":
        before -= 1
    while before > 0 and heads[before] != head:
        before = heads[before]
    after = mark + 1
    while after < size and tags[after] == "PUNCT":
        after += 1
    after = after if after < size else 0
    while after > 0 and heads[after] != head:
        after = heads[after]
    return max(before, 0) if before < mark else 0, after if after > mark else 0


def _marks(tree: Tree) -> list[int]:
    tags, children, heads = tree.tag, tree.children, tree.head
    marks: list[int] = []
    for word in range(1, len(tags)):
        if tags[word] != "PUNCT" or children[word] or heads[word] <= 0:
            continue
        marks.append(word)
    return marks
