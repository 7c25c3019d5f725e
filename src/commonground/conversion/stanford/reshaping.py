"""Trees in the shape that relations are read from.

- *expect [people to come]*: the object of the verb stands beside the infinitive, not in it;
- *that she fell on _*: a question word or relative pronoun stands with its preposition;
- flat coordinations get phrases for their conjuncts: *[old and new] houses*, *and [then come]*;
- *more than ten*: the words before a number that belong together are a phrase.
"""

from __future__ import annotations

from commonground.conversion.stanford.trees import PUNCTUATION, PhraseNode

__all__ = ["reshape"]

_CONJUNCTIONS = ("CC", "CONJP")
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})


def reshape(tree: PhraseNode) -> None:
    """Change a tree."""
    for node in list(tree.walk()):
        if node.label == "VP":
            _free_object(node)
        if node.label in ("SBAR", "SBARQ"):
            _return_to_preposition(node)
        if node.category in ("NP", "NX", "NML"):
            _join_modifiers(node)
            _join_conjuncts(node)
        if node.label == "QP":
            _join_comparison(node)
        _join_adverbs(node)


def _grouped(node: PhraseNode, start: int, stop: int, label: str) -> None:
    """Put some children of a node into a phrase."""
    phrase = PhraseNode(label)
    children = node.children
    phrase.put(children[start:stop])
    node.put([*children[:start], phrase, *children[stop:]])


def _free_object(node: PhraseNode) -> None:
    for place, child in enumerate(node.children):
        if child.label != "S" or len(child.children) < 2:
            continue
        subject, verb = child.children[0], child.children[-1]
        if subject.label == "NP" and verb.label == "VP" and verb.opening == "TO":
            child.put(child.children[1:])
            node.put([*node.children[:place], subject, *node.children[place:]])
            return


def _return_to_preposition(node: PhraseNode) -> None:
    pronoun = next((child for child in node.children if child.label == "WHNP"), None)
    clause = next((c for c in node.children if c.label in ("S", "SQ")), None)
    if pronoun is None or clause is None or not any(c.label == "NP" for c in clause.children):
        return
    phrase: PhraseNode | None = clause
    while phrase is not None:
        lonely = next((c for c in phrase.children if _is_stranded(c)), None)
        if lonely is not None and phrase.label == "VP":
            lonely.put([*lonely.children, pronoun])
            node.put([child for child in node.children if child is not pronoun])
            return
        inner = [c for c in phrase.children if c.label in ("VP", "S")]
        phrase = inner[-1] if inner else None


def _is_stranded(node: PhraseNode) -> bool:
    return node.label == "PP" and len(node.children) == 1 and node.children[0].label in ("IN", "TO")


_MODIFIERS = {"JJ": "ADJP", "JJR": "ADJP", "VBN": "ADJP", "VBG": "ADJP", "ADJP": "ADJP"}


def _join_modifiers(node: PhraseNode) -> None:
    """Join *old and new* in *old and new houses*."""
    labels = [child.label for child in node.children]
    for place in range(1, len(labels) - 2):
        if labels[place] != "CC" or labels[place - 1] not in (*_MODIFIERS, ","):
            continue
        if labels[place + 1] not in _MODIFIERS or not _NOUNS.intersection(labels[place + 2 :]):
            continue
        start = place - 1
        while start > 0 and labels[start] == "," and labels[start - 1] in _MODIFIERS:
            start -= 1
            if start > 1 and labels[start - 1] == ",":
                start -= 1
        if labels[start] not in _MODIFIERS:
            continue
        _grouped(node, start, place + 2, "ADJP")
        return


def _join_conjuncts(node: PhraseNode) -> None:
    """Join *Jóola Fogny areas* in *the Jóola Búluf and Jóola Fogny areas*."""
    labels = [child.label for child in node.children]
    places = [i for i, label in enumerate(labels) if label in _CONJUNCTIONS and i]
    if len(places) != 1 or not set(labels) & _NOUNS:
        return
    place = places[0]
    one = sum(label in _NOUNS for label in labels[:place])
    two = [label for label in labels[place + 1 :] if label not in PUNCTUATION]
    last = sum(label in _NOUNS for label in two)
    if one == 1 and last > 1 and labels[place - 1] in _NOUNS and set(two) <= _NOUNS:
        _grouped(node, place - 1, place + 2, "NML")  # museum and gallery practice
    elif one > 1 and last > 1 and len(two) == len(labels) - place - 1:
        _grouped(node, place + 1, len(labels), "NP")


def _join_comparison(node: PhraseNode) -> None:
    labels = [child.label for child in node.children]
    if len(labels) > 2 and labels[0] in ("RBR", "JJR", "RB", "IN") and labels[1] in ("IN", "JJS"):
        _grouped(node, 0, 2, "XS")


def _join_adverbs(node: PhraseNode) -> None:
    """Join *then come* in *go and then come*."""
    if node.label not in ("VP", "NP", "PP", "ADJP", "S", "SBAR"):
        return
    children = node.children
    for place in range(2, len(children)):
        before, here = children[place - 1], children[place]
        if here.label != node.label or before.label not in ("ADVP", "RB"):
            continue
        earlier = children[place - 2]
        if earlier.label in _CONJUNCTIONS or (earlier.label == "," and node.label == "NP"):
            _grouped(node, place - 1, place + 1, node.label)
            return
