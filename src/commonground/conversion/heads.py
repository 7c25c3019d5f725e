"""Find the head child of every phrase at once.

Every child gets the rank of the first choice of its parent's rule that takes it, and the direction
of that choice says whether its place counts from the left or from the right. The head is the child
with the lowest rank, and of these the first one in that direction:

    head(p) = argmin over the children c of p:  (rank(c), place(c) or -place(c))

Ranks depend on the categories and functions of parent and child only, so that a rule is consulted
once for each distinct pair of these, however many phrases there are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.conversion.forest import Flags, Forest, Items
from commonground.conversion.head_rules import HeadRules
from commonground.corpus import Strings

__all__ = ["PUNCTUATION", "Heads", "find_heads", "numbered"]

PUNCTUATION = frozenset({",", ".", ":", "``", "''", "-LRB-", "-RRB-", "(", ")", "HYPH", "NFP", '"'})
"""The tags of words that head a phrase only where there is nothing else in it."""

_CONJUNCTIONS = frozenset({"CC", "CONJP"})
_NONE = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Heads:
    """The head child of each item, -1 where there is none, and the phrases headed by default.

    `default` tells which phrases of several children have no rule, or none that their rule names.
    """

    child: Items
    default: Flags


def find_heads(
    forest: Forest,
    rules: HeadRules,
    *,
    candidate: Flags | None = None,
    rule: Strings | None = None,
) -> Heads:
    """Return the head child of every phrase.

    Only a `candidate` can be one; without them it is whatever has words. `rule` has the category
    of each item whose rule counts, its own one if nothing is said.

    >>> from commonground.formats import read_text
    >>> from commonground.conversion.head_rules import find_rules
    >>> trees = read_text("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))", "brackets")
    >>> forest = Forest.of(trees)
    >>> heads = find_heads(forest, find_rules("collins")).child.tolist()
    >>> [forest.category[heads[item]] for item in range(forest.words, len(forest))]
    ['VP', 'NN', 'VBZ', 'S']
    """
    children = forest.children
    below = children.order
    allowed = (forest.full if candidate is None else candidate)[below]
    rank, leftmost, last = _ranks(forest, rules, forest.category if rule is None else rule)
    place = children.place[below]
    key = (rank << 33) + np.where(leftmost, place, (np.int64(1) << 32) - 1 - place)
    key[~allowed] = _NONE
    head = np.full(len(forest), -1, np.int64)
    default = np.zeros(len(forest), np.bool_)
    parents = np.flatnonzero(children.count)
    if len(parents):
        best = np.minimum.reduceat(key, children.start[parents])
        chosen = np.flatnonzero((key == np.repeat(best, children.count[parents])) & allowed)
        head[forest.parent[below[chosen]]] = below[chosen]
        several = np.add.reduceat(allowed, children.start[parents]) > 1
        default[forest.parent[below[chosen]]] = last[chosen]
        default[parents[~several]] = False
    default[forest.roots] = False
    if rules.first_conjunct:
        _prefer_first_conjunct(forest, head)
    return Heads(head, default)


def _ranks(forest: Forest, rules: HeadRules, rule: Strings) -> tuple[Items, Flags, Flags]:
    """Return the rank of each child, the direction of its choice, and whether it is the last one.

    They are those of the children in their order. A punctuation mark that only the last choice
    takes, which takes anything, comes after all others.
    """
    below = forest.children.order
    categories, functions = forest.category.vocabulary, forest.function.vocabulary
    kind = forest.category.codes.astype(np.int64) * max(len(functions), 1) + forest.function.codes
    span = max(len(categories) * len(functions), 1)
    pair = rule.codes.astype(np.int64)[forest.parent[below]] * span + kind[below]
    pairs, which = numbered(pair)
    ranks = np.zeros((len(pairs), 3), np.int64)
    for row, number in enumerate(pairs.tolist()):
        phrase, child = divmod(number, span)
        labels = categories[child // len(functions)], functions[child % len(functions)]
        ranks[row] = _rank(rules, rule.vocabulary[phrase], *labels)
    rank, leftmost, last = ranks[which].T
    return rank, leftmost > 0, last > 0


def _rank(rules: HeadRules, phrase: str, category: str, function: str) -> tuple[int, bool, bool]:
    choices = rules.choices(phrase)
    number = next(i for i, choice in enumerate(choices) if choice.takes(category, function))
    choice = choices[number]
    by_default = not choice.labels and rules.heads.get(phrase) != choices[number:]
    behind = choice.anything and category in PUNCTUATION
    return number + behind, choice.leftmost, by_default


def numbered(values: Items) -> tuple[Items, Items]:
    """Return the distinct values (none is negative), and the number of each value among them.

    >>> [result.tolist() for result in numbered(np.array([7, 3, 7]))]
    [[3, 7], [1, 0, 1]]
    """
    size = int(values.max(initial=-1)) + 1
    if size > 4 * len(values) + 1_000_000:
        distinct = np.unique(values, return_inverse=True)
        return distinct[0], distinct[1].reshape(-1)
    used = np.zeros(size, np.bool_)
    used[values] = True
    number = np.cumsum(used) - 1
    return np.flatnonzero(used), number[values]


def _prefer_first_conjunct(forest: Forest, head: Items) -> None:
    """Move heads that follow a conjunction to the conjunct before it (Collins 1999, appendix A)."""
    children = forest.children
    conjunction = forest.category.where(_CONJUNCTIONS.__contains__)
    skipped = forest.category.where(PUNCTUATION.__contains__) | ~forest.full
    phrases = np.flatnonzero(head >= 0)
    later = phrases[children.place[head[phrases]] >= 2]
    before = children.order[children.start[later] + children.place[head[later]] - 1]
    for phrase in later[conjunction[before]].tolist():
        siblings = children.of(phrase)[: int(children.place[head[phrase]]) - 1]
        conjuncts = [item for item in siblings if not skipped[item]]
        if conjuncts:
            head[phrase] = conjuncts[-1]
