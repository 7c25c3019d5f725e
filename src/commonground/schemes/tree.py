"""One sentence that is being rewritten: heads, labels and children, kept in step."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Tree"]


class Tree:
    """The tree of a sentence; words count from 1, and 0 stands for the root.

    A word without a head hangs, like the root, on nothing that could be rewritten: on one more
    place after the last word. `label` is the label of a word in the scheme that is being read or
    written, `hub` the one that it has in the hub; both belong to the arc *to* the word. `governor`
    is the word from which that arc came at first. `turned` has the function words that were turned,
    each with the word that hung on it, or hangs on it now, in the scheme. `children` are in order
    of arrival, as keys, so that each is found and taken away at once; `order` is that of
    :meth:`bottom_up`, until one moves.

    >>> tree = Tree([2, 0], ["nsubj", "root"], ["NOUN", "VERB"])
    >>> [*map(list, tree.children)]
    [[2], [], [1], []]
    >>> tree.flip(1, 2)
    >>> tree.heads(), tree.label[1:]
    ([0, 1], ['root', 'nsubj'])
    """

    __slots__ = (
        *("children", "feats", "governor", "head", "hub", "label", "misc", "order", "tag"),
        "turned",
    )

    def __init__(
        self,
        heads: Sequence[int],
        labels: Sequence[str],
        tags: Sequence[str],
        feats: Sequence[str] = (),
        misc: Sequence[str] = (),
    ) -> None:
        size = len(heads)
        self.head = [-1, *heads]
        self.governor = self.head.copy()
        self.label = ["", *labels]
        self.hub = self.label.copy()
        self.tag = ["", *tags]
        self.turned: dict[int, int] = {}
        self.feats = ["_", *(feats or ["_"] * size)]
        self.misc = ["_", *(misc or ["_"] * size)]
        self.order: list[int] | None = None
        self.children: list[dict[int, None]] = [{} for _ in range(size + 2)]
        children, unattached = self.children, size + 1
        for word, head in enumerate(heads, 1):
            children[head if head >= 0 else unattached][word] = None

    def copy(self) -> Tree:
        """Return the same tree, to be rewritten; tags and features are those of this one."""
        other = Tree.__new__(Tree)
        other.head, other.governor = self.head.copy(), self.governor.copy()
        other.label, other.hub, other.misc = self.label.copy(), self.hub.copy(), self.misc.copy()
        other.tag, other.feats = self.tag, self.feats
        other.turned = self.turned.copy()
        other.order = None
        other.children = [children.copy() for children in self.children]
        return other

    def note(self, word: int, entry: str) -> None:
        """Add an entry to the MISC of a word, in alphabetical order."""
        entries = [] if self.misc[word] == "_" else self.misc[word].split("|")
        self.misc[word] = "|".join(sorted({*entries, entry}, key=str.lower))

    def drop(self, word: int, entry: str) -> None:
        """Take an entry away from the MISC of a word."""
        left = [other for other in self.misc[word].split("|") if other != entry]
        self.misc[word] = "|".join(left) or "_"

    def forget(self, *entries: str) -> None:
        """Take entries away from the MISC of all words."""
        whole = "|".join(self.misc)
        for entry in entries:
            if entry in whole:
                for word, misc in enumerate(self.misc):
                    if entry in misc:
                        self.drop(word, entry)

    def heads(self) -> list[int]:
        """Return the head of each word."""
        return self.head[1:]

    def bottom_up(self) -> list[int]:
        """Return all words, each after those that hang on it; fewer where there is a cycle."""
        known = self.order
        if known is not None:
            return known
        children = self.children
        order = [*children[0], *children[-1]]
        for word in order:  # it grows while it is read
            below = children[word]
            if below:
                order += below
        order.reverse()
        self.order = order
        return order

    def move(self, word: int, head: int) -> None:
        """Hang a word on another head."""
        heads, children = self.head, self.children
        before, after = children[heads[word]], children[head]
        del before[word]
        after[word] = None
        heads[word] = head
        self.order = None

    def take_place(self, word: int, other: int) -> None:
        """Hang a word, with the labels of another one, where that one hangs; leave that one."""
        self.move(word, self.head[other])
        self._swap(word, other)

    def flip(self, word: int, head: int) -> None:
        """Turn the arc between a word and its present head around.

        The arc keeps its label, and so does the arc from above, which leads to the other word now.
        """
        self.move(word, self.head[head])
        self.move(head, word)
        self._swap(word, head)

    def _swap(self, word: int, other: int) -> None:
        """Give two words the labels, and the governors, of each other."""
        label, hub, governor = self.label, self.hub, self.governor
        label[word], label[other] = label[other], label[word]
        hub[word], hub[other] = hub[other], hub[word]
        governor[word], governor[other] = governor[other], governor[word]
