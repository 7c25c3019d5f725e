"""Locutions: several words that a treebank annotates as one, and the hub word by word.

The Turin treebanks tie *in spite of* together: its words have the tag of the whole, and each hangs
on the one before it. Universal Dependencies have a noun with an adposition there, and what follows
modifies that noun (*da parte di il governo*, *a causa di la pioggia*). :func:`spell_out` gives the
words of locutions the shape that the treebank has for the same words outside of them:

* an adposition or a subordinator of three words and more: adposition, noun, and an adposition or a
  subordinator that hangs on the noun and heads the rest;
* an adverb or an adjective of two words and more: an adposition and its noun (*in particolare*);
* a noun of three words: the noun, and an adposition with its noun (*entrata in vigore*).

Two words that make an adposition (*grazie a*), and names, are fixed expressions in the hub too.
"""

from __future__ import annotations

from commonground.schemes.scheme import Locution
from commonground.schemes.tree import Tree

__all__ = ["spell_out"]

_LINKS = ("ADP", "SCONJ")
_ADVERBIAL = ("ADV", "ADJ")
_LONG = 3


def spell_out(tree: Tree, locution: Locution) -> None:
    """Give the words of all locutions the shape of phrases, in a tree that was read.

    >>> labels = ["RMOD", "CONTIN", "CONTIN", "ARG", "TOP"]
    >>> tags, feats = ["ADP", "ADP", "ADP", "NOUN", "VERB"], ["LOC", "LOC", "LOC", "_", "_"]
    >>> tree = Tree([5, 1, 2, 1, 0], labels, tags, feats)
    >>> spell_out(tree, Locution("CONTIN", "LOC", "ARG", "RMOD"))
    >>> tree.heads(), tree.label[1:4], tree.tag[2]
    ([5, 1, 2, 3, 0], ['RMOD', 'ARG', 'RMOD'], 'NOUN')
    """
    if locution.label not in tree.label:
        return
    for first in range(1, len(tree.head)):
        if tree.label[first] != locution.label and locution.feature in tree.feats[first].split("|"):
            words = _words(tree, first, locution)
            if len(words) > 1:
                _spell(tree, words, locution)


def _words(tree: Tree, first: int, locution: Locution) -> list[int]:
    """Return the words of a locution, in order; one alone if there is none."""
    words = [first]
    while True:
        here = tree.children[words[-1]]
        following = [c for c in here if c > words[-1] and tree.label[c] == locution.label]
        if not following:
            return words
        words.append(min(following))


def _spell(tree: Tree, words: list[int], locution: Locution) -> None:
    first, last, tag = words[0], words[-1], tree.tag[words[0]]
    if tag in _LINKS and len(words) >= _LONG:
        rest = [c for c in tree.children[first] if c > last]
        noun = words[-2]
        _phrase(tree, first, words[1:-2], noun, locution)
        _hang(tree, last, noun, locution.modifier, tag)
        for child in rest:
            tree.move(child, last)
    elif tag in _ADVERBIAL:
        _phrase(tree, first, words[1:-1], last, locution)
    elif tag == "NOUN" and len(words) == _LONG:
        _hang(tree, words[1], first, locution.modifier, "ADP")
        _phrase(tree, words[1], [], last, locution)


def _phrase(
    tree: Tree, adposition: int, modifiers: list[int], noun: int, locution: Locution
) -> None:
    """Make an adposition of one word, and a noun that it heads of another."""
    tree.tag[adposition] = "ADP"
    _hang(tree, noun, adposition, locution.argument, "NOUN")
    for word in modifiers:
        _hang(tree, word, noun, locution.modifier, "ADJ")


def _hang(tree: Tree, word: int, head: int, label: str, tag: str) -> None:
    tree.move(word, head)
    tree.governor[word] = head
    tree.label[word], tree.tag[word] = label, tag
