"""The technical root of the Prague treebanks: more than the predicate hangs on it.

There the final stop (``AuxK``) hangs on the root of the sentence, beside the predicate, and so does
what makes no one phrase with it. In the hub a sentence has one root, and all else hangs below it.
:func:`gather` makes one root of several, :func:`release` lets final marks go.
"""

from __future__ import annotations

from commonground.schemes.scheme import Scheme
from commonground.schemes.tree import Tree

__all__ = ["gather", "release"]


def gather(tree: Tree, scheme: Scheme) -> list[int]:
    """Hang all words on the technical root but one on that one; return marks that are not placed.

    It is the first verb with the label of a root, else the first word with it, else the first that
    is no mark, else the first. Where sentences have several roots, what is no clause hangs on the
    verb before it. Of commas and other marks that are not final, the technical root
    says nothing: they are nowhere in the sentence.

    >>> prague = Scheme("mine", technical="AuxK", table={"root": "Pred", "punct": "AuxK"})
    >>> tree = Tree([0, 0, 0], ["Pred", "AuxX", "AuxK"], ["VERB", "PUNCT", "PUNCT"])
    >>> gather(tree, prague), tree.heads()
    ([2], [0, 1, 1])
    """
    roots = sorted(tree.children[0])
    if len(roots) < 2:
        return []
    labels = scheme.labels_of("root")
    *_, root = min([_rank(tree, word, labels, scheme) for word in roots])
    for word in roots:
        if word != root:
            home = _verb_before(tree, word) if scheme.roots else 0
            tree.move(word, home or root)
            tree.governor[word] = home or root
    return [
        word
        for word in roots
        if word != root
        and tree.tag[word] == "PUNCT"
        and not tree.children[word]
        and tree.label[word] != scheme.technical
    ]


def _rank(
    tree: Tree, word: int, labels: frozenset[str], scheme: Scheme
) -> tuple[bool, bool, bool, int]:
    mark = tree.tag[word] == "PUNCT" and len(tree.children[word]) < 2
    plain = not _is_root(tree.label[word], labels, scheme)
    return mark, plain, scheme.roots and tree.tag[word] not in ("VERB", "AUX"), word


def _verb_before(tree: Tree, word: int) -> int:
    """Return the nearest verb before a word that cannot be a root, 0: there is none, or it can.

    In a treebank without crossing arcs, what would cross others hangs on the root: *komme over*.
    """
    if tree.tag[word] in _ROOTS:
        return 0
    verb = word - 1
    while verb and tree.tag[verb] not in ("VERB", "AUX"):
        verb -= 1
    above = verb
    while above > 0 and above != word:
        above = tree.head[above]
    return 0 if above == word else verb


_ROOTS = ("VERB", "AUX", "CCONJ", "INTJ", "PUNCT")


def _is_root(label: str, labels: frozenset[str], scheme: Scheme) -> bool:
    return label == scheme.joint or label.removesuffix(scheme.member) in labels


def release(tree: Tree, scheme: Scheme) -> None:
    """Hang final marks, which have a label of their own, on the technical root."""
    label, technical = tree.label, scheme.technical
    for word in range(1, len(label)):
        if label[word] == technical and not tree.children[word] and tree.head[word] > 0:
            tree.move(word, 0)
