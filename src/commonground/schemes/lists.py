"""Nouns that only commas tell apart: lists, and appositions without a label of their own.

Head rules make one flat phrase of *cups, red plates and glasses*: all that stands before the noun
next to the conjunction hangs on it. The commas tell where conjuncts end. *Rome, the capital* looks
the same where the last noun is the head.
"""

from __future__ import annotations

from collections.abc import Collection

from commonground.schemes.scheme import Find
from commonground.schemes.tree import Tree
from commonground.schemes.word_classes import COMMA

__all__ = ["split_apposition", "split_list"]


def split_list(tree: Tree, word: int, find: Find, label: str, parts: Collection[int]) -> int:
    """Make conjuncts of the nouns before a first conjunct that commas set off.

    They are told by the label that they have as its dependents, and by their tags. `label` is that
    of conjuncts, and `parts` are the other conjuncts of the word, with conjunctions and commas. The
    value is the first conjunct of all.

    >>> tree = Tree([4, 4, 4, 0, 4, 4], ["NMOD", "P", "NMOD", "ROOT", "CC", "COORD"],
    ...             ["NOUN", "PUNCT", "ADJ", "NOUN", "CCONJ", "NOUN"], ["_", COMMA, *"____"])
    >>> nouns = frozenset({"NOUN"})
    >>> split_list(tree, 4, Find(frozenset({"NMOD"}), nouns, nouns), "COORD", [5, 6])
    1
    >>> tree.heads(), tree.label[1], tree.label[4]
    ([0, 1, 4, 1, 1, 1], 'ROOT', 'COORD')
    """
    runs, commas = _runs(tree, word, find)
    if not (runs and commas) or not all(_is_noun(tree, run, find) for run in runs):
        return word
    return _split(tree, word, runs, label, [*commas, *parts])


def split_apposition(tree: Tree, word: int, find: Find, label: str) -> int:
    """Make a noun before a comma the head of the noun that it hangs on; return the head.

    A noun with a determiner of its own needs no comma: *the film Metropolis*.

    >>> tree = Tree([3, 3, 0], ["NMOD", "P", "ROOT"], ["PROPN", "PUNCT", "NOUN"], ["_", COMMA, "_"])
    >>> split_apposition(tree, 3, Find(frozenset({"NMOD"}), partner=frozenset({"PROPN"})), "NMOD")
    1
    >>> tree.heads()
    [0, 1, 1]
    """
    runs, commas = _runs(tree, word, find)
    if len(runs) != 1 or not _is_noun(tree, runs[0], find):
        return word
    behind = [child for child in tree.children[word] if child > word and tree.tag[child] == "PUNCT"]
    return _split(tree, word, runs, label, [*commas, *behind])


def _runs(tree: Tree, word: int, find: Find) -> tuple[list[list[int]], list[int]]:
    """Return the dependents before a noun, one list for each phrase of them, and their commas."""
    runs: list[list[int]] = [[]]
    commas: list[int] = []
    proper = tree.tag[word] == "PROPN"
    if not find.meant(tree.tag[word], tree.feats[word]):
        return [], []
    for child in sorted(child for child in tree.children[word] if child < word):
        if COMMA in tree.feats[child]:
            commas.append(child)
        elif tree.tag[child] != "PUNCT":
            runs[-1].append(child)
        if runs[-1] and (COMMA in tree.feats[child] or (proper and _is_phrase(tree, child))):
            runs.append([])
    return runs[:-1], commas


def _is_phrase(tree: Tree, word: int) -> bool:
    """Tell whether a word is a noun with a determiner of its own, and without an adposition."""
    own = {tree.tag[child] for child in tree.children[word]}
    return tree.tag[word] == "NOUN" and "DET" in own and "ADP" not in own


def _is_noun(tree: Tree, run: list[int], find: Find) -> bool:
    return bool(run) and tree.label[run[-1]] in find.labels and tree.tag[run[-1]] in find.partner


def _split(
    tree: Tree, word: int, runs: list[list[int]], label: str, others: Collection[int]
) -> int:
    """Hang the last words of runs, and the word after them, on the first one of all."""
    nouns = [run[-1] for run in runs]
    first = nouns[0]
    for run in runs:
        for modifier in run[:-1]:
            tree.move(modifier, run[-1])
    tree.take_place(first, word)
    for part in [*nouns[1:], word]:
        tree.move(part, first)
        tree.label[part] = label
    for child in others:
        tree.move(child, first)
    return first
