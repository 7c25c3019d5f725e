"""Constituent trees as nodes that can be reshaped, without traces, functions and indices.

Of the functions only those stay that the relations need: ``NP-TMP`` and ``NP-ADV``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from commonground.corpus import Constituents, Sentence
from commonground.corpus.labels import split_label

__all__ = ["PUNCTUATION", "PhraseNode", "tree_of"]

PUNCTUATION = frozenset({",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", '"'})
"""The tags of punctuation."""

_KEPT = {("NP", "TMP"): "NP-TMP", ("NP", "ADV"): "NP-ADV"}


@dataclass(eq=False, slots=True)
class PhraseNode:
    """A phrase, or a tagged word with its number in the sentence (from 1; a phrase has 0)."""

    label: str
    children: list[PhraseNode] = field(default_factory=list)
    number: int = 0
    form: str = ""
    parent: PhraseNode | None = None
    head: PhraseNode | None = None

    @property
    def category(self) -> str:
        """The label without its function."""
        return self.label.partition("-")[0] or self.label

    @property
    def opening(self) -> str:
        """The label of its first child; of a word nothing, even if its tag is that of a phrase."""
        return self.children[0].label if self.children else ""

    @property
    def lower(self) -> str:
        """The word in lower case."""
        return self.form.lower()

    @property
    def word(self) -> PhraseNode:
        """The word that heads it; itself if it is one."""
        node = self
        while node.head is not None:
            node = node.head
        return node

    @property
    def place(self) -> int:
        """Where it stands among its siblings."""
        assert self.parent is not None
        return next(i for i, child in enumerate(self.parent.children) if child is self)

    def left(self) -> list[PhraseNode]:
        """Return its siblings before it, the nearest first."""
        return self.parent.children[: self.place][::-1] if self.parent else []

    def right(self) -> list[PhraseNode]:
        """Return its siblings after it."""
        return self.parent.children[self.place + 1 :] if self.parent else []

    def put(self, children: list[PhraseNode]) -> None:
        """Make these its children."""
        self.children = children
        for child in children:
            child.parent = self

    def walk(self) -> Iterator[PhraseNode]:
        """Return it and all that is below it, parents first."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo.extend(reversed(node.children))

    def words(self) -> list[PhraseNode]:
        """Return its words, in their order."""
        return [node for node in self.walk() if node.number]


def tree_of(sentence: Sentence[Constituents]) -> PhraseNode:
    """Return the tree of a sentence, below a node ROOT."""
    labels = sentence.column("label", "nodes")
    parents = sentence.column("parent", "nodes").tolist()
    nodes = [PhraseNode(_label(label)) for label in labels]
    by_parent: dict[int, list[PhraseNode]] = {}
    columns = (sentence.column(name, "words") for name in ("form", "tag", "parent"))
    number = 0
    for form, tag, parent in zip(*columns, strict=True):
        if tag == "-NONE-":
            continue
        number += 1
        leaf = PhraseNode(split_label(tag).category, number=number, form=form)
        _join(nodes, parents, by_parent, leaf, int(parent))
    root = PhraseNode("ROOT")
    for row, children in by_parent.items():
        (nodes[row] if row >= 0 else root).put(children)
    if len(root.children) == 1 and root.children[0].label in ("ROOT", "TOP", "S1", ""):
        root.put(root.children[0].children)
    return root


def _join(
    nodes: list[PhraseNode],
    parents: list[int],
    by_parent: dict[int, list[PhraseNode]],
    leaf: PhraseNode,
    parent: int,
) -> None:
    """Put a word below its phrases; a phrase stands where its first word stands."""
    child, row = leaf, parent
    while True:
        there = by_parent.setdefault(row, [])
        fresh = not there
        there.append(child)
        if row < 0 or not fresh:
            return
        child, row = nodes[row], parents[row]


def _label(text: str) -> str:
    parts = split_label(text)
    for function in parts.functions:
        if (parts.category, function) in _KEPT:
            return _KEPT[parts.category, function]
    return parts.category
