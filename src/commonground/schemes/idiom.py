"""Fixed expressions that a treebank analyses inside, and the hub does not.

Treebanks in SUD give *d'abord* and *as well as* the structure that their words have elsewhere, and
tell by entries of MISC that they are one expression: ``Idiom=Yes`` stands with its head, and
``InIdiom=Yes`` with its other words. ``ExtPos`` is its part of speech. In the hub all words hang on
the first one. :func:`join` brings them there.
"""

from __future__ import annotations

from commonground.schemes.hub import TAGS
from commonground.schemes.scheme import Idiom, Scheme
from commonground.schemes.tree import Tree

__all__ = ["join"]

_POS = "ExtPos="


def join(tree: Tree, idiom: Idiom, scheme: Scheme) -> None:
    """Hang the words of each expression on the first one, with what hangs on them.

    The first word stands for the whole then, and has its part of speech.

    >>> sud = Scheme("mine", table={"fixed": "unk"})
    >>> misc, feats = ["Idiom=Yes", "InIdiom=Yes", "_"], ["ExtPos=ADV", "_", "_"]
    >>> tree = Tree([3, 1, 0], ["mod", "comp:obj", "root"], ["ADP", "NOUN", "VERB"], feats, misc)
    >>> join(tree, Idiom("Idiom=Yes", "InIdiom=Yes"), sud)
    >>> tree.heads(), tree.label[1:], tree.tag[1]
    ([3, 1, 0], ['mod', 'unk', 'root'], 'ADV')
    """
    label = scheme.writing.plain("fixed")
    for head in range(1, len(tree.head)):
        if idiom.head in tree.misc[head] and idiom.head in tree.misc[head].split("|"):
            words = _words(tree, head, idiom)
            if len(words) > 1:
                _join(tree, head, words, label)


def _words(tree: Tree, head: int, idiom: Idiom) -> list[int]:
    """Return the words of an expression in order, found from its head down."""
    words = [head]
    for word in words:  # it grows while it is read
        words += [c for c in tree.children[word] if idiom.part in tree.misc[c].split("|")]
    return sorted(words)


def _join(tree: Tree, head: int, words: list[int], label: str) -> None:
    first = words[0]
    entries = tree.feats[head].split("|")
    tag = next((entry[len(_POS) :] for entry in entries if entry.startswith(_POS)), "")
    if first != head:
        tree.take_place(first, head)
    for word in words:
        for child in [c for c in tree.children[word] if c not in words]:
            tree.move(child, first)
            tree.governor[child] = first
    for word in words[1:]:
        tree.move(word, first)
        tree.governor[word], tree.label[word] = first, label
    if tag in TAGS:
        tree.tag[first] = tag
