"""Relative words: *who*, *in which*, *whose house*, and how they are told without a list of words.

Features tell most of them, also where a word can be interrogative as well (``PronType=Int,Rel``),
and tags of the treebank tell others (see :mod:`commonground.schemes.word_classes`). Where neither
does, position does: a pronoun or an adverb that opens a clause behind the noun that this modifies,
before its subject, fills a gap. Its features must not say that it is something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from commonground.schemes.tree import Tree
from commonground.schemes.word_classes import RELATIVE

__all__ = ["heads_clause", "relative_phrase"]

_RELATIVE_TAGS = ("PRON", "DET", "ADV")
_OTHERWISE = ("PronType=", "Person=", "Polarity=", "Poss=")
"""Features of pronouns and adverbs that are no relative words."""
_SUBJECTS = ("nsubj", "csubj", "expl")
_UNLIKELY = ("nsubj", "csubj", "expl", "mark", "cc", "discourse", "acl:relcl")
"""Labels of what fills no gap."""


def relative_phrase(tree: Tree, verb: int, top: int) -> int:
    """Return the phrase of a clause in the hub that has its relative word; 0 if there is none.

    The clause is that of a `verb`, and `top` heads it so far.

    >>> labels, tags = ["root", "obl", "nsubj", "acl:relcl"], ["NOUN", "ADV", "PRON", "VERB"]
    >>> relative_phrase(Tree([0, 4, 4, 1], labels, tags), 4, 4)  # the house where she lives
    2
    """
    heads = [verb]  # the verb, and the function words and conjunctions that head it
    while heads[-1] != top:
        heads.append(tree.head[heads[-1]])
    phrases = [phrase for head in reversed(heads) for phrase in tree.children[head]]
    clauses = [p for p in phrases if p not in heads and tree.hub[p] not in ("acl:relcl", "conj")]
    for phrase in clauses:
        if any(RELATIVE in tree.feats[word] for word in _words(tree, phrase)):
            return phrase
    words = [phrase for phrase in clauses if tree.tag[phrase] not in ("PUNCT", "CCONJ")]
    if not words or tree.head[top] <= 0:
        return 0
    first = min(words)
    subject = any(tree.hub[p].startswith(_SUBJECTS) for p in words if p != first)
    opens = tree.head[top] < first < min(verb, top) and not tree.hub[first].startswith(_UNLIKELY)
    return first if subject and opens and _may_be(tree, first) else 0


def heads_clause(tree: Tree, phrase: int, clause: int) -> bool:
    """Tell whether a phrase that has the label of a relative clause has a relative word.

    `clause` is what hangs on it, and is left out.
    """
    if any(RELATIVE in tree.feats[word] for word in _words(tree, phrase, clause)):
        return True
    below = tree.children[clause]
    verbal = tree.tag[clause] in ("VERB", "AUX") or any(tree.tag[c] == "AUX" for c in below)
    return verbal and tree.head[phrase] < phrase and _may_be(tree, phrase, clause)


def _words(tree: Tree, top: int, without: int = 0) -> Iterator[int]:
    """Return the words of a phrase, apart from those of relative clauses inside it."""
    stack = [top]
    while stack:
        word = stack.pop()
        yield word
        stack += [c for c in tree.children[word] if c != without and tree.hub[c] != "acl:relcl"]


def _may_be(tree: Tree, phrase: int, without: int = 0) -> bool:
    """Tell whether a phrase is a word that can be a relative one, alone or with an adposition."""
    words = [w for w in _words(tree, phrase, without) if tree.tag[w] not in ("ADP", "PUNCT")]
    if len(words) != 1 or tree.tag[words[0]] not in _RELATIVE_TAGS:
        return False
    return not any(name in tree.feats[words[0]] for name in _OTHERWISE)
