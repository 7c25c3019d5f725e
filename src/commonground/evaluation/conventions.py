"""Convention or error: what part of the heads that a parse has wrong is another scheme?

The gold standard is moved towards the parse, construction by construction, with the choices that
the heads of the parse tell (:mod:`commonground.schemes.learning.learn`). Be v(S) the heads in
common of gold standard and parse when the constructions S are moved, n the words and N all
constructions that the parse has otherwise. The heads n − v(∅) that are lost are parted into
conventions v(N) − v(∅) and errors n − v(N). There are two ways to part the conventions among
constructions:

* ``order``: in the order of the table of constructions. With c_i the heads in common after i moves,
  the part of move i is c_i − c_(i−1). Where two constructions meet (the auxiliary and the copula of
  *has been old*), the later one gets what both are needed for.
* ``shapley``: the mean over all orders, the value of Shapley (1953), which no order favours (see
  :mod:`commonground.evaluation.shapley`). A sentence in which a construction does not occur says
  nothing about it, and values of sentences add up to those of the corpus; so they are exact for
  sentences with few of the constructions, and the mean over sampled orders for the others.

In both cases the parts add up to the whole; a construction whose part is 0 has none. What else is
otherwise in the parse, and no construction tells, is the last part, ``other``.

It is the gold standard that moves, since it is a tree in a scheme that is known, with labels that
can be read; of the parse nothing but heads is looked at. An error is therefore what is wrong in the
parse's own scheme. Labels come after it (:mod:`commonground.evaluation.label_conventions`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, Self

import msgspec

from commonground.corpus import Dependencies
from commonground.corpus.fingerprint import fingerprint
from commonground.errors import MismatchError, UsageError
from commonground.evaluation.decoding import Count, Number, decoded
from commonground.evaluation.label_conventions import (
    LabelledSentence,
    LabelParts,
    label_parts,
)
from commonground.evaluation.result import MEMORY, Result
from commonground.evaluation.shapley import ORDERS, shapley
from commonground.evaluation.signature import signature
from commonground.formats.objects import as_corpus
from commonground.formats.registry import format_packages
from commonground.metrics.dependencies.prepare import differing_sentences
from commonground.metrics.mismatch import path_of
from commonground.plurals import number_of
from commonground.random import stream
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.learning.learn import OTHER, Learned, learn
from commonground.schemes.learning.moving import Moving
from commonground.schemes.library import scheme_packages
from commonground.schemes.scheme import Scheme
from commonground.schemes.transform import tagging_of, transform
from commonground.tokens import spelled_out

__all__ = ["ATTRIBUTIONS", "ConventionPart", "Conventions", "conventions"]

_FEW_RIGHT = 0.6
"""Where fewer heads are right in any scheme, a bad parse may look like one in another scheme."""

_FEW_WORDS = 300

ATTRIBUTIONS = ("order", "shapley")
"""How conventions are parted among constructions."""


@dataclass(frozen=True, slots=True)
class ConventionPart:
    """What a construction costs: `heads` that are wrong only because its way is another one.

    `gold` and `parse` are the ways of the two; negative `heads` are lost again by the move. They
    are whole numbers where moves were made in one order, and means over orders otherwise.
    """

    construction: str
    gold: str
    parse: str
    heads: int | float  # whole numbers stay whole when they are read again


@dataclass(frozen=True, repr=False)
class Conventions(Result):
    """The heads of a parse: how many of the `words` are `correct`, and what the others are due to.

    `nearest` is the scheme that comes along which the parse is nearest to, and `share` the share of
    heads that it has in common with the gold standard in that scheme. `labels` are what the loss of
    LAS is due to, where the parse has labels.
    """

    kind: ClassVar[str] = "conventions"
    verb: ClassVar[str] = "evaluate"

    signature: str
    words: int
    correct: int
    parts: tuple[ConventionPart, ...]
    nearest: str
    share: float
    attribution: str = "order"
    labels: LabelParts | None = None

    @property
    def by_convention(self) -> int:
        """The number of wrong heads that are due to another scheme."""
        # Means over orders add up to a whole number, but for the last digit of each.
        return round(sum(part.heads for part in self.parts))

    @property
    def errors(self) -> int:
        """The number of heads that are wrong in the scheme of the parse, too."""
        return self.words - self.correct - self.by_convention

    @property
    def own(self) -> int:
        """The number of heads that are right in the scheme of the parse."""
        return self.correct + self.by_convention

    def points(self, heads: float) -> float:
        """Return heads as points of UAS, from 0 to 100."""
        return 100 * heads / self.words if self.words else 0.0

    def sentence(self) -> str:
        """Return the answer in one sentence."""
        lost = self.words - self.correct
        ranked = sorted(self.parts, key=lambda part: -part.heads)
        named = ", ".join(f"{p.construction} {self.points(p.heads):.1f}" for p in ranked)
        return (
            f"UAS {self.points(self.correct):.1f}; of the {self.points(lost):.1f} points lost "
            f"{self.points(self.by_convention):.1f} are conventions"
            f"{f' ({named})' if named else ''}, {self.points(self.errors):.1f} are errors"
        )

    def label_sentence(self) -> str:
        """Return the answer for heads and labels together; "" where the parse has no labels."""
        if self.labels is None:
            return ""
        parts = self.labels
        named = {
            "structure": parts.structure,
            "names of labels": parts.names,
            "wrong heads": parts.wrong_heads,
            "wrong labels": parts.wrong_labels,
        }
        listed = ", ".join(f"{self.points(words):.1f} {name}" for name, words in named.items())
        return (
            f"LAS {self.points(parts.correct):.1f}; of the {self.points(parts.lost):.1f} points "
            f"lost {self.points(parts.by_convention):.1f} are conventions: {listed}"
        )

    @property
    def uncertain(self) -> str:
        """Why conventions and errors are hard to tell apart here; "" where they are not."""
        if self.by_convention and self.own < _FEW_RIGHT * self.words:
            return (
                f"Uncertain: only {self.points(self.own):.0f} % of the heads are right in the "
                "scheme of the parse, and systematic errors may count as conventions."
            )
        if self.by_convention and self.words < _FEW_WORDS:
            return f"Uncertain: {self.words:,} words are few to read choices off."
        return ""

    def to_json(self) -> dict[str, Any]:
        """Return the parts as JSON has them."""
        return {
            "kind": self.kind,
            "signature": self.signature,
            "words": self.words,
            "correct": self.correct,
            "attribution": self.attribution,
            "conventions": self.by_convention,
            "errors": self.errors,
            "nearest": {"scheme": self.nearest, "share": self.share},
            **({"labels": self.labels.to_json()} if self.labels else {}),
            **({"uncertain": self.uncertain} if self.uncertain else {}),
            "parts": [
                {
                    "construction": part.construction,
                    "gold": part.gold,
                    "parse": part.parse,
                    "heads": part.heads,
                }
                for part in self.parts
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Self:
        """Return the result that JSON holds."""
        saved = decoded(data, _ConventionsJson, path)
        near = saved.nearest
        return cls(
            saved.signature,
            saved.words,
            saved.correct,
            saved.parts,
            near.scheme,
            near.share,
            saved.attribution,
            saved.labels,
        )

    def __repr__(self) -> str:
        return self.sentence()


class _Nearest(msgspec.Struct, frozen=True):
    scheme: str
    share: Number


class _ConventionsJson(msgspec.Struct, frozen=True):
    signature: str
    words: Count
    correct: Count
    parts: tuple[ConventionPart, ...]
    nearest: _Nearest
    attribution: str = "order"
    labels: LabelParts | None = None


def conventions(
    gold: Any,
    parse: Any,
    *,
    gold_scheme: str | os.PathLike[str] | Scheme = "ud",
    attribution: str = "order",
    seed: int = 0,
    schemes: Sequence[str] | None = None,
) -> Conventions:
    """Find which wrong heads of a parse are due to a different scheme, and which are errors.

    The treebanks are dependencies of the same words, or their paths; all words count, including
    punctuation. `gold_scheme` is the scheme of the gold standard, `attribution` how the conventions
    are divided (``order`` or ``shapley``); `seed` is the seed of sampled orders. `schemes` are the
    candidates for the choices of the parse, by default all bundled ones.

    >>> from commonground.corpus import Strings
    >>> labels = ["root", "case", "obl", "advmod"]
    >>> rome = Dependencies.of([("go to Rome now".split(), [0, 3, 1, 1], labels)])
    >>> rome = rome.replace("words", upos=Strings.of(["VERB", "ADP", "PROPN", "ADV"]))
    >>> parse = Dependencies.of([("go to Rome now".split(), [0, 1, 2, 3], ["_"] * 4)])
    >>> conventions(rome, parse)
    UAS 25.0; of the 75.0 points lost 50.0 are conventions (adposition 50.0), 25.0 are errors
    """
    if attribution not in ATTRIBUTIONS:
        raise UsageError(f"there is no attribution {attribution!r}; there are order and shapley")
    reference, sample = _dependencies(gold), _dependencies(parse)
    _refuse_other_words(reference, sample)
    learned = learn(sample, reference, gold_scheme, schemes=schemes)
    origin = learned.reference
    moving = Moving.of(reference, sample, origin, tagging_of(reference, origin))
    if attribution == "order":
        by_construction = _in_order(learned, moving)
        order = {"order": "table"}
    else:
        by_construction = _by_shapley(learned, moving, seed)
        order = {"attribution": "shapley", "orders": str(ORDERS), "seed": str(seed)}
    facts = {"gold-scheme": origin.name, **order}
    packages = [*scheme_packages(gold_scheme), *format_packages([gold, parse])]
    signed = signature(golds=[fingerprint(reference)], packages=packages, **facts)
    return Conventions(
        signed,
        moving.words,
        sum(moving.commons(origin)),
        tuple(_part(learned, name, heads) for name, heads in by_construction.items() if heads),
        learned.nearest,
        learned.shares[learned.nearest],
        attribution,
        _labels(reference, sample, learned, moving),
    )


def _labels(
    reference: Dependencies, sample: Dependencies, learned: Learned, moving: Moving
) -> LabelParts | None:
    """Return what the loss of LAS is due to, if the parse has labels."""
    if set(sample.deprel.counts()) <= {"_"}:
        return None
    scheme = learned.moves[-1][1] if learned.moves else learned.reference
    near = reference
    if learned.nearest != learned.reference.name:
        near = transform(reference, learned.reference, learned.nearest)[0]
    columns = [
        each.tolist() for each in (reference.deprel, sample.deprel, reference.upos, near.deprel)
    ]
    return label_parts(
        LabelledSentence(
            moving.plain[place],
            moving.heads(scheme, place),
            moving.wanted[place],
            *(column[start:stop] for column in columns),
        )
        for place, (start, stop) in enumerate(pairwise(reference.offsets.tolist()))
    )


def _refuse_other_words(gold: Dependencies, parse: Dependencies) -> None:
    """Raise an error for other sentences, or for the first one with other words."""
    why = "conventions can be distinguished from errors only if both have the same words"
    if len(gold) != len(parse):
        count = number_of(len(parse), "sentence")
        counts = f"{count}, but the gold standard ({path_of(gold)}) has {len(gold):,}"
        raise MismatchError(path_of(parse), 0, f"{counts}; {why}")
    different = differing_sentences(spelled_out(gold), spelled_out(parse))
    if different.any():
        one, two = (side[int(different.argmax())] for side in (gold, parse))
        place = f"sentence {two.sent_id} has other words than in {path_of(gold)}:{one.line}"
        raise MismatchError(path_of(parse), two.line, f"{place}; {why}")


def _part(learned: Learned, name: str, heads: float) -> ConventionPart:
    if name == OTHER:
        return ConventionPart(name, learned.reference.name, learned.rest, heads)
    return ConventionPart(name, learned.reference.way(name), learned.told(name), heads)


def _in_order(learned: Learned, moving: Moving) -> dict[str, float]:
    before = sum(moving.commons(learned.reference))
    gains: dict[str, float] = {}
    for name, scheme in learned.moves:
        after = sum(moving.commons(scheme))
        gains[name] = after - before
        before = after
    return gains


def _by_shapley(learned: Learned, moving: Moving, seed: int) -> dict[str, float]:
    """Return the values of Shapley of all constructions, added up sentence by sentence."""
    schemes: dict[frozenset[str], Scheme] = {}

    def scheme_of(chosen: frozenset[str]) -> Scheme:
        if chosen not in schemes:
            schemes[chosen] = learned.scheme(chosen)
        return schemes[chosen]

    sums = dict.fromkeys(learned.choices, Fraction(0))
    whole = learned.scheme(learned.choices)
    for place, present in enumerate(moving.present):
        there = present | {CONSTRUCTIONS[name].like for name in present}
        players = [name for name in learned.choices if name in there]
        random = stream(seed, "orders of constructions", place)

        def common(chosen: frozenset[str], place: int = place) -> int:
            return moving.common(scheme_of(chosen), place)

        for name, value in shapley(players, common, random).items():
            sums[name] += value
    gains = {name: _plain(value) for name, value in sums.items()}
    if learned.other is not None:
        gains[OTHER] = sum(moving.commons(learned.other)) - sum(moving.commons(whole))
    return gains


def _plain(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else float(value)


def _dependencies(treebank: Any) -> Dependencies:
    corpus = as_corpus(treebank)
    if not isinstance(corpus, Dependencies):
        raise UsageError(f"conventions are found in dependencies, and these are {corpus.kind}")
    return corpus
