"""Rules for labels, learned from two analyses of the same words (Brill 1995).

A scheme that is nearly right labels all words; where many of one kind get a wrong label, a rule is
added that is asked before all others. A kind is a label, with up to two conditions that a rule of a
scheme can have: tags, side, features, labels of dependents. Of all rules that would mend something
the one is taken that mends most, g words, and spoils fewest, l, if g − l > 2√l and it mends more
than three; then the next is looked for, until there is none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from commonground.schemes.labels import LabelRule, Translation
from commonground.schemes.tree import Tree

__all__ = ["Labelled", "labelled", "learned_rules"]

Condition = tuple[str, str]
Kind = tuple[Condition, ...]

_LEAST = 3
"""How many labels a rule must mend more than."""

_TRIED = 50
"""How many rules are weighed each time: those that would mend most."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A word: its label in one scheme, that which it should and that which it does get in another.

    `conditions` are all that hold of it.
    """

    old: str
    wanted: str
    got: str
    conditions: frozenset[Condition]


def labelled(
    tree: Tree, word: int, labels: Sequence[str], wanted: str, got: str, *, reading: bool = False
) -> Labelled:
    """Return a word of a tree in the shape of the hub with all that rules can ask about it."""
    head = tree.head[word]
    held = {("word", tree.tag[word]), ("head", tree.tag[head] if head > 0 else "ROOT")}
    if head > 0:
        held.add(("side", "left" if word < head else "right"))
    held |= {("child", tree.hub[child].partition(":")[0]) for child in tree.children[word]}
    held |= {("feats", entry) for entry in tree.feats[word].split("|") if "=" in entry}
    if reading:
        turned = tree.turned.get(word)
        held.add(("function", "true" if turned else "false"))
        held |= {("over", tree.tag[turned])} if turned else set()
    return Labelled(labels[word], wanted, got, frozenset(held))


def learned_rules(words: Iterable[Labelled], exact: Callable[[str], str]) -> list[LabelRule]:
    """Return the rules that mend labels, in the order in which a scheme asks them.

    `exact` makes a pattern of a label that fits this one alone.

    >>> verb = Labelled("obl", "comp:obl", "udep", frozenset({("head", "VERB"), ("word", "NOUN")}))
    >>> noun = Labelled("obl", "udep", "udep", frozenset({("head", "NOUN"), ("word", "NOUN")}))
    >>> for rule in learned_rules([verb] * 9 + [noun] * 9, lambda label: f"{label}:"):
    ...     print(rule.old, rule.new, dict(rule.conditions))
    ('obl:',) comp:obl {'head': ('VERB',)}
    """
    groups: dict[str, list[Labelled]] = defaultdict(list)
    for word in words:
        groups[word.old].append(word)
    rules = []
    for old in sorted(groups):
        ordered = reversed([*_rules_of(groups[old])])
        rules += [LabelRule((exact(old),), new, _as_table(kind)) for kind, new in ordered]
    return rules


def _rules_of(words: list[Labelled]) -> Iterator[tuple[Kind, str]]:
    """Return what mends the labels of words that have the same one in the other scheme."""
    while True:
        wrong = [word for word in words if word.got != word.wanted]
        mended = Counter((kind, word.wanted) for word in wrong for kind in _kinds(word.conditions))
        if not mended:
            return
        ranked = sorted(mended.items(), key=lambda entry: (-entry[1], len(entry[0][0]), entry[0]))
        spoiled = {rule: _spoiled(words, *rule) for rule, _ in ranked[:_TRIED]}
        best = max(spoiled, key=lambda rule: mended[rule] - spoiled[rule])
        gained, lost = mended[best], spoiled[best]
        if gained <= _LEAST or gained - lost <= 2 * lost**0.5:
            return
        kind, new = best
        held = frozenset(kind)
        words = [replace(w, got=new) if held <= w.conditions else w for w in words]
        yield kind, new


def _kinds(conditions: frozenset[Condition]) -> Iterator[Kind]:
    """Return all sets of up to two conditions on different things."""
    ordered = sorted(conditions)
    yield ()
    yield from ((one,) for one in ordered)
    yield from ((one, two) for one, two in combinations(ordered, 2) if one[0] != two[0])


def _spoiled(words: Sequence[Labelled], kind: Kind, new: str) -> int:
    held = frozenset(kind)
    return sum(w.got == w.wanted != new and held <= w.conditions for w in words)


def _as_table(kind: Kind) -> dict[str, tuple[str, ...]]:
    return {name: (value,) for name, value in kind}


def exact_in(translation: Translation) -> Callable[[str], str]:
    """Return what makes a pattern that fits one label alone, without its subtypes."""
    separator = translation.old_separator

    def exact(label: str) -> str:
        return label if not separator or separator in label else f"{label}{separator}"

    return exact
