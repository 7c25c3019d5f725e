"""What climbs to a function word that heads its partner, told by the heads of a sample.

In the hub, a function word f and other words d hang on a partner p. Where the sample hangs d on f,
or on a function word further out, d has climbed; where it hangs d on p, or on a function word
further in, d has stayed. What most words with a label do at a place (beyond f, between f and p,
behind p) is what the label does there.
"""

from __future__ import annotations

from collections import Counter

from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.function_words import Climb, Patterns
from commonground.schemes.learning.moving import Moving
from commonground.schemes.translate import construction_at
from commonground.schemes.tree import Tree

__all__ = ["seen_climbing"]

_PLACES = ("beyond", "between", "behind")


def seen_climbing(moving: Moving, construction: str) -> Climb:
    """Return what climbs to the function words of a construction in the sample."""
    votes: Counter[tuple[str, str]] = Counter()
    for place in moving.sentences_with(construction):
        tree = moving.trees[place]
        if tree is not None:
            wanted = [0, *moving.wanted[place]]
            for word in range(1, len(tree.head)):
                if construction_at(tree, word) == construction and tree.head[word] > 0:
                    _vote(tree, word, wanted, votes)
    beyond, between, behind = (_patterns(place, votes) for place in _PLACES)
    return Climb(beyond=beyond, between=between, behind=behind)


def _vote(tree: Tree, function: int, wanted: list[int], votes: Counter[tuple[str, str]]) -> None:
    partner = tree.head[function]
    others = {
        child
        for child in tree.children[partner]
        if (name := construction_at(tree, child)) and CONSTRUCTIONS[name].kind == "word"
    }
    far = abs(function - partner)
    for child in tree.children[partner]:
        above = wanted[child]
        if child in others:
            continue
        if above == function or (above in others and abs(above - partner) > far):
            climbs = 1
        elif above == partner or above in others:
            climbs = -1
        else:
            continue
        votes[_place(function, partner, child), tree.hub[child]] += climbs


def _place(function: int, partner: int, child: int) -> str:
    """Return where a dependent of the partner stands.

    >>> [_place(2, 5, child) for child in (1, 3, 6)], _place(5, 2, 6)
    (['beyond', 'between', 'behind'], 'beyond')
    """
    step = 1 if function < partner else -1
    if (child - function) * step < 0:
        return "beyond"
    return "between" if (child - partner) * step < 0 else "behind"


def _patterns(place: str, votes: Counter[tuple[str, str]]) -> Patterns:
    """Return the labels that climb at a place; those never seen do beyond, and nowhere else."""
    labels = {label: number for (where, label), number in votes.items() if where == place}
    stay = tuple(f"!{label}" for label, number in sorted(labels.items()) if number <= 0)
    go = tuple(label for label, number in sorted(labels.items()) if number > 0)
    return ("*", *stay) if place == "beyond" else go
