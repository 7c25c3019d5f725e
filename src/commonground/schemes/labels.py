"""Rules that translate labels between the hub and a scheme.

A rule fits a word by its label and by what stands around it *in the hub*, whichever way labels are
translated: first a tree is brought into the shape of the hub, then its labels are read; or first
the labels are written, then the tree is brought into its shape. The first rule that fits counts.

A label consists of a main part and, after a separator, a subtype (``nmod:poss``; SUD writes
``mod@relcl``). A pattern without subtype fits any subtype, which is then kept (``subtypes``) or
dropped; a pattern with subtype fits only that, and it is gone; one that ends with the separator
(``compound:``) fits only the label without subtype.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from commonground.schemes.tree import Tree

__all__ = ["CONDITIONS", "Fitting", "LabelRule", "Translation", "has_label"]

Test = Callable[[Tree, int], bool]
Candidates = list[tuple[str, list[Test]]]

_ENDING = re.compile(r"[:@$/+*_-][^:@$/+*_-]*$")
"""What stands after the last sign in a label."""

_ALIKE = {"mark:prt": "compound:prt"}
"""Two labels for one thing, a particle that makes one verb with another, in different treebanks."""

CONDITIONS = {
    "word": "the UPOS of the word",
    "head": "the UPOS of its head; ROOT is the root",
    "governor": (
        "the UPOS of the head that it had in the scheme, before function words were reversed"
    ),
    "side": "the side of the word: left or right of its head",
    "child": "labels of which one of its dependents has one (mark/ADP: with that UPOS)",
    "no_child": "labels that none of its dependents has",
    "sibling": "labels of which another dependent of its head has one",
    "no_sibling": "labels that no other dependent of its head has",
    "feats": "features of which the word has one (VerbForm: with any value; A=a&B=b: both)",
    "no_feats": "features of which the word has none",
    "head_feats": "features of which its head has one",
    "head_label": "the label of its head",
    "misc": "entries of MISC of which the word has one",
    "over": "the UPOS of what a reversed function word headed in the scheme",
    "function": "true: a reversed function word; false: any other word",
}
"""What a rule can ask for besides the label, and what it means."""


@dataclass(frozen=True, slots=True)
class LabelRule:
    """One rule: from any of the labels `old`, under `conditions`, to `new`."""

    old: tuple[str, ...]
    new: str
    conditions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Translation:
    """All rules of one direction, ready to be applied.

    `table` translates what no rule fits: a label as it stands, else its main part. `old_separator`
    and `new_separator` stand before subtypes; without a new one, subtypes are dropped. `same` are
    the main labels that stay as they are. What is neither in the table nor among these is
    translated as the `nearest` label is that it is said to have; or else it is not known, and stays
    as well, unless there is an `unknown` label for it. Where there are `subtypes` for each new
    label, others are dropped.

    >>> rules = [LabelRule(("advmod", "amod"), "mod"), LabelRule(("acl:relcl",), "mod@relcl")]
    >>> sud = Translation(rules, {"nsubj": "subj"}, ":", "@", same=["det"])
    >>> [sud.plain(label) for label in ("advmod:emph", "acl:relcl", "nsubj", "nsubj:pass", "det")]
    ['mod@emph', 'mod@relcl', 'subj', 'subj@pass', 'det']
    """

    __slots__ = (
        *("_cache", "_named", "_plain", "nearest", "new_separator", "old_separator"),
        *("alike", "rules", "same", "subtypes", "table", "unknown"),
    )

    def __init__(
        self,
        rules: Sequence[LabelRule],
        table: Mapping[str, str],
        old_separator: str,
        new_separator: str,
        *,
        same: Collection[str] = (),
        nearest: Mapping[str, str] | None = None,
        unknown: str = "",
        subtypes: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.rules = tuple(rules)
        self.same = frozenset(same)
        self.nearest = dict(nearest or {})
        self.unknown = unknown
        self.subtypes = subtypes
        own = {label for label in _ALIKE if label.partition(":")[0] in self.same}
        self.alike = {one: other for one, other in _ALIKE.items() if one not in own}
        needed = {label for rule in self.rules for label in rule.old}
        needed |= {label.removesuffix(old_separator) for label in needed if old_separator}
        self._named = needed | set(table) | self.same
        self.table = dict(table)
        self.old_separator = old_separator
        self.new_separator = new_separator
        self._cache: dict[tuple[str, str, str], Candidates] = {}
        self._plain: dict[str, str] = {}

    def __getstate__(self) -> dict[str, object]:
        """Leave out the tests that were made, functions that no other process can be given."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "_cache"}

    def __setstate__(self, state: Mapping[str, object]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._cache = {}

    def of_word(self, tree: Tree, word: int, labels: list[str]) -> str:
        """Return the new label of a word; `labels` has the old one of each word."""
        return _translated(self, self._cache, tree, word, labels)

    def of_words(self, tree: Tree, words: list[int], labels: list[str], new: list[str]) -> None:
        """Write the new labels of words into a list, which the rules may look at meanwhile."""
        known = self._cache
        for word in words:
            new[word] = _translated(self, known, tree, word, labels)

    def known(self, label: str) -> str | None:
        """Return the label that one is translated as: itself, or what is left without its ending.

        Whatever stands after a sign ends a label: ``mod:poss`` is read as ``mod``. None where
        nothing that is left is known.

        >>> sud = Translation([LabelRule(("mod",), "amod")], {}, "@", ":")
        >>> sud.known("mod@emph"), sud.known("mod:poss@x"), sud.known("modal")
        ('mod@emph', 'mod', None)
        """
        if label in self._named:
            return label
        main, _, subtype = label.partition(":")
        if main in self.same and self.subtypes and subtype in self.subtypes.get(main, ()):
            return f"{main}{self.old_separator}{subtype}"  # as the hub writes it
        main, _, subtype = label.partition(self.old_separator or "\0")
        if main in self._named:
            kept = self.subtypes is None or any(subtype in one for one in self.subtypes.values())
            return label if kept else main
        shorter = label
        while shorter:
            shorter = _ENDING.sub("", shorter) if _ENDING.search(shorter) else ""
            if shorter in self._named:
                return shorter
        return None

    def plain(self, label: str) -> str:
        """Return the new label of a word about which nothing but the old label is known."""
        known = self._plain.get(label)
        if known is None:
            known = next(new for new, tests in self.candidates(label, "", "") if not tests)
            self._plain[label] = known
        return known

    def images(self, labels: Sequence[str]) -> frozenset[str]:
        """Return all main labels that words with these labels can get."""
        new = {rule.new for rule in self.rules if set(rule.old) & set(labels)}
        return frozenset(new | {self.plain(label) for label in labels})

    def candidates(self, label: str, tag: str, head: str) -> Candidates:
        """Return what a label can become, in order, each with the tests that are left to do.

        The tags are those of the word and of its head.
        """
        candidates: Candidates = []
        if label in self.alike and not self._asked(label, tag, head):
            label = self.alike[label]
        for rule in self.rules:
            subtype = self._subtype(label, rule.old)
            if subtype is None or not _may_fit(rule.conditions, tag, head):
                continue
            new = self._with_subtype(rule.new, subtype)
            candidates.append((new, _tests(rule.conditions)))
            if not candidates[-1][1]:
                return candidates
        if label in self.table:
            return [*candidates, (self.table[label], [])]
        main, _, subtype = label.partition(self.old_separator or "\0")
        if main in self.table or main in self.same:
            return [*candidates, (self._with_subtype(self.table.get(main, main), subtype), [])]
        if main in self.nearest:
            return candidates + self.candidates(self.nearest[main], tag, head)
        return [*candidates, (self.unknown or self._with_subtype(main, subtype), [])]

    def _asked(self, label: str, tag: str, head: str) -> bool:
        """Tell whether a rule names a label with its subtype, for words with such tags."""
        named = (rule for rule in self.rules if label in rule.old)
        return any(_may_fit(rule.conditions, tag, head) for rule in named)

    def _subtype(self, label: str, patterns: Sequence[str]) -> str | None:
        """Return the subtype that stays when one of the patterns fits, None when none does."""
        if label in patterns or f"{label}{self.old_separator}" in patterns:
            return ""
        main, _, subtype = label.partition(self.old_separator or "\0")
        return subtype if main in patterns else None

    def _with_subtype(self, label: str, subtype: str) -> str:
        if not subtype or not self.new_separator or self.new_separator in label:
            return label
        if self.subtypes is not None and subtype not in self.subtypes.get(label, ()):
            return label
        return f"{label}{self.new_separator}{subtype}"


def _translated(
    translation: Translation,
    known: dict[tuple[str, str, str], Candidates],
    tree: Tree,
    word: int,
    labels: list[str],
) -> str:
    """Return the new label of a word; most need no more than a look at the tags."""
    tags = tree.tag
    head = tree.head[word]
    key = labels[word], tags[word], tags[head] if head > 0 else "ROOT"
    candidates = known.get(key)
    if candidates is None:
        candidates = known[key] = translation.candidates(*key)
    for label, tests in candidates:
        for test in tests:
            if not test(tree, word):
                break
        else:
            return label
    raise AssertionError("the last candidate has no tests")


def _may_fit(conditions: Mapping[str, tuple[str, ...]], tag: str, head: str) -> bool:
    words, heads = conditions.get("word"), conditions.get("head")
    return (words is None or tag in words) and (heads is None or head in heads)


def _tests(conditions: Mapping[str, tuple[str, ...]]) -> list[Test]:
    return [_TESTS[name](values) for name, values in conditions.items() if name in _TESTS]


class Fitting(dict[str, bool]):
    """Whether each label, or its main part, is one of some patterns; ``expl:`` has no subtype."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        super().__init__()
        self.patterns = patterns

    def __missing__(self, label: str) -> bool:
        names = (label, label.partition(":")[0], f"{label}:")
        fits = self[label] = not set(names).isdisjoint(self.patterns)
        return fits


_FITTING: dict[tuple[str, ...], Fitting] = {}
"""The patterns that were asked for."""


def has_label(label: str, patterns: tuple[str, ...]) -> bool:
    """Tell whether a label, or its main part, is one of the patterns; ``expl:`` has no subtype.

    >>> has_label("nsubj:pass", ("nsubj",)), has_label("nsubj", ("nsubj:pass",))
    (True, False)
    >>> has_label("expl:pv", ("expl:",)), has_label("expl", ("expl:",))
    (False, True)
    """
    known = _FITTING.get(patterns)
    if known is None:
        known = _FITTING[patterns] = Fitting(patterns)
    return known[label]


def _side(values: tuple[str, ...]) -> Test:
    left = "left" in values
    return lambda tree, word: (word < tree.head[word]) == left


def _child(values: tuple[str, ...]) -> Test:
    plain = Fitting(tuple(value for value in values if "/" not in value))
    pairs = [value.split("/", 1) for value in values if "/" in value]
    tagged = [(wanted, Fitting((label,))) for label, wanted in pairs]

    return lambda tree, word: _has_child(tree, word, plain, tagged)


def _has_child(tree: Tree, word: int, plain: Fitting, tagged: list[tuple[str, Fitting]]) -> bool:
    hub, tag = tree.hub, tree.tag
    for child in tree.children[word]:
        label = hub[child]
        if plain[label]:
            return True
        for wanted, fitting in tagged:
            if tag[child] == wanted and fitting[label]:
                return True
    return False


_MOST_SIBLINGS = 100
"""How many other dependents a rule looks at, so that time grows with words and not their square."""


def _sibling(values: tuple[str, ...]) -> Test:
    fitting = Fitting(values)
    return lambda tree, word: _has_sibling(tree, word, values, fitting)


def _has_sibling(tree: Tree, word: int, values: tuple[str, ...], fitting: Fitting) -> bool:
    hub, label = tree.hub, tree.label
    for other in islice(tree.children[tree.head[word]], _MOST_SIBLINGS):
        if other != word and (fitting[hub[other]] or label[other] in values):
            return True
    return False


def _governor(values: tuple[str, ...]) -> Test:
    def test(tree: Tree, word: int) -> bool:
        governor = tree.governor[word]
        return (tree.tag[governor] if governor > 0 else "ROOT") in values

    return test


@lru_cache(maxsize=65536)
def _has_feature(feats: str, wanted: frozenset[str]) -> bool:
    """Tell whether there is one of the features that are wanted; ``A=a&B=b``: both of these.

    >>> _has_feature("Tense=Pres|VerbForm=Part", frozenset({"VerbForm=Part&Tense=Pres"}))
    True
    >>> _has_feature("Tense=Past", frozenset({"Tense"})), _has_feature("_", frozenset({"Tense"}))
    (True, False)
    """
    entries = feats.split("|")
    return (
        not wanted.isdisjoint(entries)
        or any(e.partition("=")[0] in wanted for e in entries)
        or any("&" in name and set(name.split("&")) <= set(entries) for name in wanted)
    )


class _Having(dict[str, bool]):
    """Whether features of a word have one of those that are wanted."""

    def __init__(self, wanted: tuple[str, ...]) -> None:
        super().__init__()
        self.wanted = frozenset(wanted)

    def __missing__(self, feats: str) -> bool:
        has = self[feats] = _has_feature(feats, self.wanted)
        return has


def _feats(values: tuple[str, ...]) -> Test:
    having = _Having(values)
    return lambda tree, word: having[tree.feats[word]]


def _head_feats(values: tuple[str, ...]) -> Test:
    having = _Having(values)
    return lambda tree, word: having[tree.feats[max(tree.head[word], 0)]]


def _head_label(values: tuple[str, ...]) -> Test:
    fitting = Fitting(values)
    return lambda tree, word: fitting[tree.label[max(tree.head[word], 0)]]


def _misc(values: tuple[str, ...]) -> Test:
    wanted = frozenset(values)
    return lambda tree, word: _has_feature(tree.misc[word], wanted)


def _function(values: tuple[str, ...]) -> Test:
    wanted = "true" in values
    return lambda tree, word: (word in tree.turned) == wanted


def _over(values: tuple[str, ...]) -> Test:
    return lambda tree, word: tree.tag[tree.turned.get(word, 0)] in values


def _not(maker: Callable[[tuple[str, ...]], Test]) -> Callable[[tuple[str, ...]], Test]:
    def negated(values: tuple[str, ...]) -> Test:
        test = maker(values)
        return lambda tree, word: not test(tree, word)

    return negated


_TESTS: dict[str, Callable[[tuple[str, ...]], Test]] = {
    "governor": _governor,
    "side": _side,
    "child": _child,
    "no_child": _not(_child),
    "sibling": _sibling,
    "no_sibling": _not(_sibling),
    "feats": _feats,
    "no_feats": _not(_feats),
    "head_feats": _head_feats,
    "head_label": _head_label,
    "misc": _misc,
    "function": _function,
    "over": _over,
}
