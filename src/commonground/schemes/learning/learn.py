"""The choices of an unknown scheme, read off a treebank beside one whose scheme is known.

Both have the same words. The known one (the *reference*) is moved, construction by construction, to
where it has most heads in common with the other one (the *sample*):

1. The reference is moved as a whole into each scheme that comes along. The one with most heads in
   common is the start, if that is more than without any move.
2. For each construction in the order of the table, each of its ways is tried on top of what was
   chosen before, also such as no scheme has; the best one stays. What climbs to a function word
   that becomes a head is told by the heads of the sample (see
   :mod:`commonground.schemes.learning.climbing`) or as some scheme has it, whichever has more heads
   in common. This is done twice, since the ways of one construction can depend on those of another.
3. What else there is (final marks on a technical root, or all that the nearest scheme does
   otherwise) is the last move, called ``other``, if it gains anything.

A way is taken if it gains g heads and loses l, with g − l > 2√l: a way that random errors seem to
favour gains about as many as it loses. Other details of the same way must gain more than three
heads, so that what a scheme does is not left for one odd sentence. Only heads are looked at, so
that the labels of the sample may be anything. Of two ways with as many heads in common the first
one stays.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.labels import LabelRule
from commonground.schemes.learning.climbing import seen_climbing
from commonground.schemes.learning.moving import Moving
from commonground.schemes.library import bundled_scheme_names, find_scheme
from commonground.schemes.scheme import Climb, Scheme, When
from commonground.schemes.transform import tagging_of

__all__ = ["OTHER", "SAMPLE", "Choice", "Learned", "learn", "mixed"]

OTHER = "other"
"""The move to all that is otherwise in the sample and that no construction tells."""

FINAL_MARKS = "final marks on the root"

SAMPLE = 200
"""How many sentences, from the first one on, are looked at to choose."""

_ROUNDS = 2
_OWN = 3
"""How many heads another detail of the same way must gain more than."""

_FINAL = LabelRule(
    ("punct",),
    "technical:final",
    {
        "feats": ("PunctType=Peri", "PunctType=Qest", "PunctType=Excl"),
        "head_label": ("root",),
    },
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A way of a construction, what climbs to its function words, and which of these are meant.

    The rest is about coordination: where shared dependents hang, and whether commas are heads.
    """

    way: str
    climb: Climb | None = None
    when: When | None = None
    shared: str = "first"
    nested: str = ""
    comma: bool = False

    @classmethod
    def of(cls, scheme: Scheme, construction: str) -> Choice:
        """Return the choice of a scheme."""
        way = scheme.way(construction)
        if construction == "coordination":
            return cls(way, shared=scheme.shared, nested=scheme.nested, comma=scheme.comma)
        if CONSTRUCTIONS[construction].kind != "word":
            return cls(way)
        return cls(way, scheme.climbing(construction), scheme.when.get(construction))

    def beside(self, other: Choice) -> str:
        """Return the way in words; with its details, where another choice differs only in them.

        >>> Choice("first", shared="last").beside(Choice("chain"))
        'first'
        >>> Choice("first", shared="last", comma=True).beside(Choice("first"))
        'first (shared dependents on the last, commas as heads)'
        """
        if self.way != other.way or self == other:
            return self.way
        details = {
            f"shared dependents on the {self.shared}": self.shared != other.shared,
            "commas as heads": self.comma and not other.comma,
            "no commas as heads": other.comma and not self.comma,
            "other words": self.when != other.when,
            "other dependents climb": self.climb != other.climb,
            "nested ones told apart": self.nested != other.nested,
        }
        return f"{self.way} ({', '.join(text for text, holds in details.items() if holds)})"


@dataclass(frozen=True, slots=True)
class Learned:
    """What brings a reference nearest to a sample: a choice for some constructions.

    `moves` are these constructions, each with the scheme in which all up to it are as in the
    sample; `gains` are the heads in common that each brings. `nearest` is the scheme that comes
    along with most heads in common, and `shares` the shares of heads in common with each of them;
    `identity` is that of the reference itself. `other` is the scheme with all that is otherwise.
    """

    reference: Scheme
    choices: Mapping[str, Choice]
    other: Scheme | None
    gains: tuple[int, ...]
    nearest: str
    shares: dict[str, float]
    identity: float

    @property
    def moves(self) -> tuple[tuple[str, Scheme], ...]:
        """The constructions, in the order of the table, and the schemes up to each of them."""
        names = list(self.choices)
        moves = [(name, self.scheme(names[:place])) for place, name in enumerate(names, 1)]
        return (*moves, *([(OTHER, self.other)] if self.other else ()))

    @property
    def rest(self) -> str:
        """What the last move is: that to a scheme, or that of final marks; nothing without one."""
        if self.other is None:
            return ""
        return FINAL_MARKS if self.other.technical == _FINAL.new else self.other.name

    def scheme(self, constructions: Collection[str]) -> Scheme:
        """Return the scheme of the reference with some constructions as in the sample."""
        chosen = {name: each for name, each in self.choices.items() if name in constructions}
        return mixed(self.reference, chosen)

    def way(self, construction: str) -> str:
        """Return the choice of the sample for a construction; of the reference without evidence."""
        return self.scheme(self.choices).way(construction)

    def told(self, construction: str) -> str:
        """Return the choice of the sample in words that differ from those of the reference."""
        if construction not in self.choices:
            return self.way(construction)
        return self.choices[construction].beside(Choice.of(self.reference, construction))


def learn(
    sample: Dependencies,
    reference: Dependencies,
    scheme: str | os.PathLike[str] | Scheme = "ud",
    *,
    schemes: Sequence[str] | None = None,
) -> Learned:
    """Read the choices of a sample off its heads, beside a reference in a known scheme.

    `schemes` are those that the sample may be in; without it, all that come along.

    >>> from commonground.corpus import Strings
    >>> rome = Dependencies.of([(["in", "Rome"], [2, 0], ["case", "root"])])
    >>> rome = rome.replace("words", upos=Strings.of(["ADP", "PROPN"]))
    >>> turned = Dependencies.of([(["in", "Rome"], [0, 1], ["a", "b"])])
    >>> result = learn(turned, rome)
    >>> [name for name, _ in result.moves], result.way("adposition")
    (['adposition'], 'function')
    """
    if not np.array_equal(sample.words.offsets, reference.words.offsets):
        raise UsageError("the two treebanks do not have the same number of words in each sentence")
    origin = find_scheme(scheme)
    first = reference[:SAMPLE]
    moving = Moving.of(first, sample[:SAMPLE], origin, tagging_of(first, origin))
    known = {
        name: find_scheme(name) for name in schemes or bundled_scheme_names() if name != origin.name
    }
    commons = {origin.name: moving.commons(origin)}
    commons |= {name: moving.commons(each) for name, each in known.items()}
    counts = {name: sum(common) for name, common in commons.items()}
    nearest = max(counts, key=lambda name: counts[name])
    search = _Search(moving, [origin, *known.values()])
    if counts[nearest] > counts[origin.name]:
        search.start(known[nearest])
    search.refine()
    choices = {name: search.chosen[name] for name in CONSTRUCTIONS if name in search.chosen}
    learned = Learned(origin, choices, None, (), nearest, {}, 0.0)
    others = [_with_final_marks(learned.scheme(choices))]
    others += [known[nearest]] if nearest in known else []
    best = sum(search.commons)
    for other in others:
        count = sum(moving.commons(other))
        if count > best:
            learned, best = replace(learned, other=other), count
    steps = [counts[origin.name], *(sum(moving.commons(step)) for _, step in learned.moves)]
    words = max(moving.words, 1)
    return replace(
        learned,
        gains=tuple(after - before for before, after in pairwise(steps)),
        shares={name: count / words for name, count in counts.items()},
        identity=counts[origin.name] / words,
    )


def _with_final_marks(scheme: Scheme) -> Scheme:
    """Return a scheme in which final marks hang on the technical root."""
    rules = (_FINAL, *scheme.write_rules)
    return replace(scheme, technical=_FINAL.new, write_rules=rules)


def mixed(origin: Scheme, chosen: Mapping[str, Choice]) -> Scheme:
    """Return a scheme with other choices for some constructions."""
    if not chosen:
        return origin
    joint = chosen.get("coordination", Choice(""))
    donor = Scheme(
        "learned",
        choices={name: choice.way for name, choice in chosen.items()},
        climb={name: choice.climb for name, choice in chosen.items() if choice.climb},
        when={name: choice.when for name, choice in chosen.items() if choice.when},
        shared=joint.shared,
        nested=joint.nested,
        comma=joint.comma,
    )
    return origin.with_choices_of(donor, chosen)


class _Search:
    """The search for choices: what is `chosen` so far, and the heads in common by sentence."""

    def __init__(self, moving: Moving, schemes: Sequence[Scheme]) -> None:
        self.moving = moving
        self.schemes = schemes
        self.chosen: dict[str, Choice] = {}
        self.commons = moving.commons(moving.origin)

    def start(self, scheme: Scheme) -> None:
        """Begin with the choices of a scheme, where it has others than the reference."""
        origin = self.moving.origin
        self.chosen = {
            name: Choice.of(scheme, name)
            for name in self.moving.occurring()
            if Choice.of(scheme, name) != Choice.of(origin, name)
        }
        self.commons = self.moving.commons(mixed(origin, self.chosen))

    def refine(self) -> None:
        """Try the ways of all constructions, until nothing changes or after some rounds."""
        for _ in range(_ROUNDS):
            before = dict(self.chosen)
            for name in self.moving.occurring():
                self._refine(name)
            if self.chosen == before:
                return

    def _refine(self, name: str) -> None:
        """Find the best way of a construction, then the best details of that way."""
        details = self._details(name)
        self._try(name, [None, *(one for each in details.values() for one in _first_ones(each))])
        if name in self.chosen:
            self._try(name, details[self.chosen[name].way])

    def _try(self, name: str, tried: Sequence[Choice | None]) -> None:
        """Take the best of some choices, None being that of the reference, if it is better."""
        places = self.moving.sentences_with(name)
        common = [self.commons[place] for place in places]
        without = {each: choice for each, choice in self.chosen.items() if each != name}
        best = self.chosen.get(name)
        for choice in tried:
            if choice == best:
                continue
            changed = mixed(self.moving.origin, {**without, name: choice} if choice else without)
            shared = self.moving.commons(changed, places)
            simpler = choice is None and sum(shared) >= sum(common)
            least = _OWN if choice and best and choice.way == best.way else 0
            if simpler or _better(common, shared, least):
                best, common = choice, shared
        self.chosen = without if best is None else {**without, name: best}
        for place, number in zip(places, common, strict=True):
            self.commons[place] = number

    def _details(self, name: str) -> dict[str, list[Choice]]:
        """Return all that a construction can be, way by way, but for what the reference does.

        What some scheme does comes first, then what none does, then what the sample shows.
        """
        details: dict[str, list[Choice]] = {}
        tried = [Choice.of(scheme, name) for scheme in self.schemes]
        for way in CONSTRUCTIONS[name].ways:
            tried += _variants(name, way)
        if CONSTRUCTIONS[name].kind == "word":
            seen = seen_climbing(self.moving, name)
            tried += [Choice("function", seen, when) for when in (None, *_WHEN.get(name, ()))]
        for choice in tried:
            known = details.setdefault(choice.way, [])
            if choice != Choice.of(self.moving.origin, name) and choice not in known:
                known.append(choice)
        return {way: known for way, known in details.items() if known}


def _first_ones(choices: Sequence[Choice]) -> list[Choice]:
    """Return the first and the last of several choices of one way, with and without what decides.

    The first is what some scheme does, and the last what the sample shows.
    """
    first: dict[tuple[bool, bool], Choice] = {}
    last: dict[tuple[bool, bool], Choice] = {}
    for choice in choices:
        kind = (choice.comma, choice.when is None)
        first.setdefault(kind, choice)
        last[kind] = choice
    return list(dict.fromkeys([*first.values(), *last.values()]))


_NOUNS = (When(side="left"), When(side="left", unless=("det",)))
_WHEN = {"determiner": _NOUNS, "numeral": (*_NOUNS, replace(_NOUNS[1], across=()))}
"""Which words before a noun can head it: all, the first one, that if nothing stands between."""


def _variants(name: str, way: str) -> list[Choice]:
    if CONSTRUCTIONS[name].kind == "word":
        whens = (None, *_WHEN.get(name, ())) if way == "function" else (None,)
        return [Choice(way, Climb(), when) for when in whens]
    if name != "coordination":
        return [Choice(way)]
    places = ("first", "last", "head")
    return [Choice(way, shared=place, comma=comma) for place in places for comma in (False, True)]


def _better(now: Sequence[int], then: Sequence[int], least: int) -> bool:
    """Tell whether gains and losses, sentence by sentence, are more than chance and a least."""
    gained = sum(max(b - a, 0) for a, b in zip(now, then, strict=True))
    lost = sum(max(a - b, 0) for a, b in zip(now, then, strict=True))
    return gained - lost > max(least, 2 * lost**0.5)
