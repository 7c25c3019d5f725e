"""The labels of a tree between the hub and a scheme, mixed schemes included."""

from __future__ import annotations

from commonground.schemes.constructions import CONSTRUCTIONS, construction_of
from commonground.schemes.scheme import Scheme
from commonground.schemes.tree import Tree

__all__ = ["construction_at", "read_labels", "write_labels"]


def construction_at(tree: Tree, word: int) -> str | None:
    """Return the construction that a word of a tree in the hub makes."""
    head = max(tree.head[word], 0)
    return construction_of(
        tree.hub[word], tree.tag[word], tree.feats[head], tree.feats[word], tree.hub[head]
    )


def read_labels(tree: Tree, scheme: Scheme) -> None:
    """Give all words of a tree, which has the hub's shape, their labels of the hub.

    Words come after those that hang on them, whose labels rules can ask for.
    """
    tree.hub = tree.label.copy()
    hub, label, own = tree.hub, tree.label, scheme.reading.of_word
    if scheme.other is None:
        scheme.reading.of_words(tree, tree.bottom_up(), label, hub)
        return
    other = scheme.other.reading.of_word
    borrowed = _borrowed(scheme)
    for word in tree.bottom_up():
        theirs = scheme.is_one(label[word], borrowed)
        hub[word] = (other if theirs else own)(tree, word, label)


def write_labels(tree: Tree, scheme: Scheme) -> None:
    """Give all words of a tree that is in the hub their labels of a scheme."""
    hub, own = tree.hub, scheme.writing.of_word
    tree.label = hub.copy()
    words = list(range(1, len(hub)))
    if scheme.other is None:
        written = hub.copy()
        scheme.writing.of_words(tree, words, hub, written)
        tree.label = written
        return
    other = scheme.other.writing.of_word
    written = [""]
    for word in words:
        construction = construction_at(tree, word)
        theirs = (construction or ("coordination" if hub[word] == "cc" else None)) in scheme.only
        written.append((other if theirs else own)(tree, word, hub))
    tree.label = written


def _borrowed(scheme: Scheme) -> frozenset[str]:
    """Return the labels that a mixed scheme has from the other one, and not itself."""
    assert scheme.other is not None
    borrowed: set[str] = set()
    for name in scheme.only:
        labels = CONSTRUCTIONS[name].labels
        borrowed |= scheme.other.labels_of(*labels) - scheme.writing.images(labels)
    return frozenset(borrowed)
