"""Semantic heads: the content word heads its phrase, also over auxiliaries and copulas."""

from __future__ import annotations

from functools import cache

from commonground.conversion.head_rules import HeadRules, find_rules
from commonground.conversion.stanford.trees import PUNCTUATION, PhraseNode
from commonground.conversion.stanford.word_lists import AUXILIARIES, COPULAS

__all__ = ["find_heads"]

_VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD", "TO", "AUX", "AUXG", "POS"})
_PREDICATES = frozenset({"NP", "ADJP", "JJP", "WHNP", "WHADJP", "UCP", "NX", "NML"})


def find_heads(tree: PhraseNode) -> None:
    """Give each phrase its head."""
    rules = _rules()
    for node in reversed(list(tree.walk())):
        if node.children:
            node.head = _verbal(node) or _adverbial(node) or _by_rule(node, rules)


@cache
def _rules() -> HeadRules:
    return find_rules("stanford")


def _by_rule(node: PhraseNode, rules: HeadRules) -> PhraseNode:
    children = [child for child in node.children if child.label not in PUNCTUATION]
    if not children:
        children = node.children
    first = _first_group(node)
    if first:
        children = first
    for choice in rules.choices(node.label):
        ordered = children if choice.leftmost else children[::-1]
        chosen = next((c for c in ordered if choice.anything or c.label in choice.labels), None)
        if chosen is not None:
            return _first_conjunct(chosen)
    return children[0]


_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "NP", "NX", "NML", "PRP", "QP"})
_ALIKE = frozenset({"VP", "S", "SBAR", "PP", "ADJP", "ADVP", "NP", "NX", "NML", "SINV", "FRAG"})


def _first_group(node: PhraseNode) -> list[PhraseNode]:
    """Return the first of the conjuncts that stand side by side in a phrase, if there are any.

    ``(NP (DT the) (NN air) (, ,) (NN ground) (CC or) (NN water))`` is *the air*, *ground*, *water*;
    in *old and new houses* the first part has no noun and is no conjunct.
    """
    labels = [child.label for child in node.children]
    if not any(label in ("CC", "CONJP") for label in labels[1:]):
        return []
    if node.category in ("NP", "NX", "NML", "WHNP"):
        wanted = _NOUNS
    elif node.category in _ALIKE:
        wanted = frozenset({node.category})
    else:
        return []
    group: list[PhraseNode] = []
    for child in node.children:
        if child.label in ("CC", "CONJP", ",", ":"):
            if any(c.label in wanted for c in group):
                return [c for c in group if c.label not in PUNCTUATION]
            if child.label in ("CC", "CONJP") and group:
                return []
            group = [] if node.category == "NP" else group
        else:
            group.append(child)
    return []


def _first_conjunct(head: PhraseNode) -> PhraseNode:
    """Return the conjunct before the conjunction that a head follows, or the head itself."""
    before = head.left()
    if before and before[0].label in ("CC", "CONJP"):
        for other in before[1:]:
            if other.label not in PUNCTUATION:
                return other
    return head


def _verbal(node: PhraseNode) -> PhraseNode | None:
    """Return the verb phrase below an auxiliary, or the predicate beside a copula."""
    if node.category not in ("VP", "SQ", "SINV"):
        return None
    children = node.children
    verb = next((i for i, child in enumerate(children) if child.label in _VERBS), None)
    if verb is None:
        return None
    word = children[verb].lower
    after = children[verb + 1 :]
    if word in AUXILIARIES or children[verb].label in ("MD", "TO"):
        phrase = next((c for c in after if c.category == "VP" and not _conjoined(c)), None)
        if phrase is not None:
            return phrase
    if word in COPULAS and not _existential(node):
        return _predicate(node, after)
    return None


def _adverbial(node: PhraseNode) -> PhraseNode | None:
    """Return the preposition of *at least* and *at all*."""
    first = node.children[0]
    if node.label in ("ADVP", "XS") and len(node.children) == 2:
        return next((child for child in node.children if child.label == "IN"), None)
    return first if node.label == "XS" else None


def _existential(node: PhraseNode) -> bool:
    """Tell whether the subject is 'there'."""
    around = [*node.left(), *node.children]
    return any(other.opening == "EX" for other in around)


def _conjoined(node: PhraseNode) -> bool:
    return any(other.label in ("CC", "CONJP") for other in node.left())


def _predicate(node: PhraseNode, after: list[PhraseNode]) -> PhraseNode | None:
    if node.category == "SQ":
        nominal = [c for c in after if c.label in _PREDICATES]
        subject = any(c.category in ("NP", "WHNP") for c in nominal[:1])
        return nominal[1] if subject and len(nominal) > 1 else None
    for child in after:
        if child.label in _PREDICATES:
            return child
    return None
