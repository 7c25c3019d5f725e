"""Convention or error: what part of the heads that a parse has wrong is another scheme?

The gold standard is moved towards the parse, construction by construction, with the choices that
the heads of the parse tell (:mod:`commonground.schemes.learn`). With c₀ the heads that gold
standard and parse have in common, and cᵢ those after i moves, the part of move i is cᵢ − cᵢ₋₁, and
the errors are the words n less cₖ after the last move. The parts add up to what was lost:
(c₁ − c₀) + … + (cₖ − cₖ₋₁) + (n − cₖ) = n − c₀.

The order of the moves is that of the table of constructions. Where two constructions meet (the
auxiliary and the copula of *has been old*), the later one gets what both are needed for.

It is the gold standard that moves, since it is a tree in a scheme that is known, with labels that
can be read; of the parse nothing but heads is looked at. An error is therefore what is wrong in the
parse's own scheme.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from commonground.corpus import Dependencies
from commonground.errors import InputError, UsageError
from commonground.evaluation.result import Result
from commonground.evaluation.signature import signature
from commonground.formats.objects import as_corpus
from commonground.schemes.learn import OTHER, learn
from commonground.schemes.scheme import Scheme
from commonground.schemes.transform import tagging_of, transform

__all__ = ["Conventions", "Part", "conventions"]


@dataclass(frozen=True, slots=True)
class Part:
    """What a construction costs: `heads` that are wrong only because its way is another one.

    `gold` and `parse` are the ways of the two; negative `heads` are lost again by the move.
    """

    construction: str
    gold: str
    parse: str
    heads: int


@dataclass(frozen=True, repr=False)
class Conventions(Result):
    """The heads of a parse: how many of the `words` are `correct`, and what the others are due to.

    `nearest` is the scheme that comes along which the parse is nearest to, and `share` the share of
    heads that it has in common with the gold standard in that scheme.
    """

    kind: ClassVar[str] = "conventions"

    signature: str
    words: int
    correct: int
    parts: tuple[Part, ...]
    nearest: str
    share: float

    @property
    def by_convention(self) -> int:
        """The number of wrong heads that are due to another scheme."""
        return sum(part.heads for part in self.parts)

    @property
    def errors(self) -> int:
        """The number of heads that are wrong in the scheme of the parse, too."""
        return self.words - self.correct - self.by_convention

    def points(self, heads: int) -> float:
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

    def to_json(self) -> dict[str, Any]:
        """Return the parts as JSON has them."""
        return {
            "kind": self.kind,
            "signature": self.signature,
            "words": self.words,
            "correct": self.correct,
            "conventions": self.by_convention,
            "errors": self.errors,
            "nearest": {"scheme": self.nearest, "share": self.share},
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
    def from_json(cls, data: Mapping[str, Any], path: str = "<memory>") -> Self:
        """Return the result that JSON holds."""
        try:
            parts = tuple(
                Part(str(p["construction"]), str(p["gold"]), str(p["parse"]), int(p["heads"]))
                for p in data["parts"]
            )
            near = data["nearest"]
            words, correct = int(data["words"]), int(data["correct"])
            scheme, share = str(near["scheme"]), float(near["share"])
            return cls(str(data["signature"]), words, correct, parts, scheme, share)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(path, 0, f"this is no result of the kind {cls.kind!r}") from error

    def __repr__(self) -> str:
        return self.sentence()


def conventions(
    gold: Any, parse: Any, *, gold_scheme: str | os.PathLike[str] | Scheme = "ud"
) -> Conventions:
    """Tell which wrong heads of a parse are due to another scheme, and which are errors.

    The treebanks are dependencies of the same words, or their paths; all words count, punctuation
    too. `gold_scheme` is the scheme of the gold standard.

    >>> from commonground.corpus import Strings
    >>> labels = ["root", "case", "obl", "advmod"]
    >>> rome = Dependencies.of([("go to Rome now".split(), [0, 3, 1, 1], labels)])
    >>> rome = rome.replace("words", upos=Strings.of(["VERB", "ADP", "PROPN", "ADV"]))
    >>> parse = Dependencies.of([("go to Rome now".split(), [0, 1, 2, 3], ["_"] * 4)])
    >>> conventions(rome, parse)
    UAS 25.0; of the 75.0 points lost 50.0 are conventions (adposition 50.0), 25.0 are errors
    """
    reference, sample = _dependencies(gold), _dependencies(parse)
    if reference.form.tolist() != sample.form.tolist():
        raise UsageError("conventions are told from errors where both have the same words")
    learned = learn(sample, reference, gold_scheme)
    origin = learned.reference
    tags = tagging_of(reference, origin)
    before = correct = int((reference.head == sample.head).sum())
    parts = []
    for name, scheme in learned.moves:
        moved = transform(reference, origin, scheme, tags=tags)[0]
        after = int((moved.head == sample.head).sum())
        old, new = (each.name if name == OTHER else each.way(name) for each in (origin, scheme))
        parts.append(Part(name, old, new, after - before))
        before = after
    signed = signature(**{"gold-scheme": origin.name, "order": "table"})
    share = learned.shares[learned.nearest]
    return Conventions(signed, reference.words.rows, correct, tuple(parts), learned.nearest, share)


def _dependencies(treebank: Any) -> Dependencies:
    corpus = as_corpus(treebank)
    if not isinstance(corpus, Dependencies):
        raise UsageError(f"conventions are about dependencies, and these are {corpus.kind}")
    return corpus
