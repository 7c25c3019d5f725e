"""On which level conjuncts are: below or above the function words of the first one.

*in Rome and Paris* coordinates below the adposition, *in Rome and in Paris* above it. Universal
Dependencies hang the second conjunct on the noun in both; here it is found out again.
"""

from __future__ import annotations

from commonground.schemes.constructions import construction_of
from commonground.schemes.tree import Tree

__all__ = ["level_of"]

_VERBAL = ("auxiliary", "modal", "copula")
_PARTS = ("coordination", "name", "idiom", "apposition", "repair")
_KINDS = {
    "auxiliary": "verb",
    "modal": "verb",
    "copula": "verb",
    "infinitive": "mark",
    "subordinator": "mark",
}
"""Constructions of which one can stand for another in a conjunct."""


def level_of(tree: Tree, word: int, conjunct: int, ordered: list[tuple[int, str]]) -> int:
    """Return how many function words of a first conjunct belong to it alone.

    That are all up to the last one of whose kind the other conjunct has one of its own; and
    auxiliaries and copulas of a clause that the conjunct does not continue: it has a subject of its
    own, or is finite and the first one is not.
    """
    if not ordered:
        return 0
    alone = _own_kinds(tree, conjunct)
    clause = "clause" in alone or _other_form(tree, word, conjunct)
    level = 0
    for place, (_, construction) in enumerate(ordered, 1):
        kind = _KINDS.get(construction, construction)
        if kind in alone or (clause and construction in _VERBAL):
            level = place
    return level


def _own_kinds(tree: Tree, top: int) -> set[str]:
    """Return the kinds of function words that a finished conjunct has, and whether a subject."""
    kinds = set()
    word: int | None = top
    while word is not None:
        below = None
        for child in tree.children[word]:
            label = tree.hub[child]
            if label.startswith(("nsubj", "csubj", "expl")):
                kinds.add("clause")
            turned = word in tree.turned
            function, partner = (word, child) if turned else (child, word)
            construction = construction_of(
                label, tree.tag[function], tree.feats[partner], tree.feats[function]
            )
            if construction and construction not in _PARTS:
                below = child if turned else below
                kinds.add(_KINDS.get(construction, construction))
        word = below
    return kinds


def _other_form(tree: Tree, word: int, conjunct: int) -> bool:
    """Tell whether a conjunct is a finite verb, and the first conjunct is not."""
    return "VerbForm=Fin" in tree.feats[conjunct] and "VerbForm=Fin" not in tree.feats[word]
