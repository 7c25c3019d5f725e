"""Does a parse follow another scheme than its gold standard? Then most of its loss is no error.

A parse of another scheme is the classic mistake of evaluations: nothing fails, and the scores say
that the parser is bad. It is looked for where many heads are wrong, in three steps, each of which
few ordinary parses pass:

1. The heads of the gold standard and those of the parse, both with the tags of the gold standard,
   are evidence for the ways of constructions (:mod:`commonground.schemes.learning.evidence`). For
   some construction most evidence must be for one way in the gold standard, and for another one in
   the parse.
2. The gold standard is moved into all schemes that come along, and into its own one with the ways
   of the parse; the one with most heads in common with the parse tells annotation from errors, as
   :mod:`commonground.evaluation.conventions` does with more patience.
3. So much of the loss must be annotation, and so many heads right in the other scheme, that no
   parser of the same scheme comes near it, be it as bad as it may.

The settings were made on 13 languages; ``benchmarks/other_scheme.py`` has what others say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.corpus import Dependencies
from commonground.errors import CommonGroundError, InputError, setting

if TYPE_CHECKING:
    from commonground.corpus import Corpus
    from commonground.evaluation.result import System
    from commonground.schemes.learning.evidence import Ways
    from commonground.schemes.learning.recognition import Recognition
    from commonground.schemes.scheme import Scheme

__all__ = ["OtherScheme", "other_scheme", "other_scheme_of"]

SAMPLE = 100
"""Number of sentences at the beginning that are looked at."""

_SUSPICIOUS = 0.9
"""Where so many heads (labelled heads, where only these were asked for) are right, all is well."""

_PIECES = 8
"""Minimum number of pieces of evidence about a construction on both sides."""

_MOST = 0.7
"""The share of the evidence that is for the way of the gold standard, and not for it in a parse."""

_SHARE = 0.25
"""The share of the loss that is annotation in a parse of another scheme."""

_RIGHT = 0.6
"""The share of heads that are right in the scheme of the parse; with fewer it is good in none."""

_ALIKE = 0.05
"""A known scheme that explains all heads but this share of those that can be is what it is."""


@dataclass(frozen=True, slots=True)
class OtherScheme:
    """A parse in another scheme: what its loss of heads is due to, in some sentences.

    `gold` and `parse` are the schemes that the two look like, "" for one that nobody knows. Of
    `words` in the first `sentences`, `lost` have another head than in the gold standard, and
    `annotation` of these only because the scheme is another one.
    """

    gold: str
    parse: str
    sentences: int
    words: int
    lost: int
    annotation: int

    @property
    def lost_points(self) -> float:
        """The points of UAS lost, from 0 to 100."""
        return 100 * self.lost / self.words

    @property
    def annotation_points(self) -> float:
        """The points of UAS lost to annotation alone."""
        return 100 * self.annotation / self.words

    def line(self, name: str) -> str:
        """Return what a reader must know about a system.

        >>> OtherScheme("ud", "sud", 100, 1000, 400, 385).line("mine")
        'mine looks like sud, but the gold standard like ud: of the 40.0 points of UAS lost, 38.5 \
are annotation and 1.5 errors (first 100 sentences; --conventions looks at all of them)'
        """
        parse = f"looks like {self.parse}" if self.parse else "follows another scheme"
        gold = f"like {self.gold}" if self.gold else "does not"
        errors = self.lost_points - self.annotation_points
        return (
            f"{name} {parse}, but the gold standard {gold}: of the {self.lost_points:.1f} points "
            f"of UAS lost, {self.annotation_points:.1f} are annotation and {errors:.1f} errors "
            f"(first {self.sentences:,} sentences; {setting('conventions')} looks at all of them)"
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Any, path: str = "<memory>") -> OtherScheme:
        """Return what JSON holds."""
        import msgspec  # noqa: PLC0415  # only for saved ones

        try:
            decoded = msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise InputError(path, 0, f"this is no other scheme of a parse: {error}") from error
        if not 0 <= decoded.annotation <= decoded.lost <= decoded.words or not decoded.words:
            raise InputError(path, 0, "the other scheme of a parse has numbers that do not fit")
        return decoded


def other_scheme_of(system: System) -> OtherScheme | None:
    """Return the other scheme that a scored parse follows, if its scores look like it."""
    pair = system.comparison
    if pair is None or not isinstance(pair.gold, Dependencies):
        return None
    names = [name for name in ("uas", "las") if name in system.scores]
    value = system[names[0]].value if names else None
    if value is None or value >= _SUSPICIOUS:
        return None
    return other_scheme(pair.gold, pair.system)


def other_scheme(gold: Corpus, parse: Corpus) -> OtherScheme | None:
    """Return the other scheme that a parse follows, and what it costs; None if there is none.

    >>> import commonground
    >>> result = other_scheme(commonground.read("example:ud"), commonground.read("example:sud"))
    >>> result.parse, result.lost == result.annotation
    ('sud', True)
    >>> other_scheme(commonground.read("example:ud"), commonground.read("example:ud-parse"))
    """
    if not (isinstance(gold, Dependencies) and isinstance(parse, Dependencies)):
        return None
    gold, parse = gold[:SAMPLE], parse[:SAMPLE]
    if not np.array_equal(gold.words.offsets, parse.words.offsets) or not gold.words.rows:
        return None
    try:
        return _found(gold, parse)
    except CommonGroundError:  # unknown tags, or no tree
        return None


def _found(gold: Dependencies, parse: Dependencies) -> OtherScheme | None:
    from commonground.schemes.learning.evidence import evidence  # noqa: PLC0415  # seldom needed
    from commonground.schemes.learning.moving import Moving  # noqa: PLC0415
    from commonground.schemes.learning.recognition import recognise_scheme  # noqa: PLC0415
    from commonground.schemes.library import find_scheme  # noqa: PLC0415
    from commonground.schemes.tag_set import recognise  # noqa: PLC0415
    from commonground.schemes.transform import tagging_of  # noqa: PLC0415

    tagging = recognise(gold)
    turned = gold.replace("words", head=parse.head)
    ways = _other_ways(evidence(gold, tagging), evidence(turned, tagging))
    if not ways:
        return None
    own = recognise_scheme(gold)
    origin = find_scheme(own.nearest if own.enough else "ud")
    moving = Moving.of(gold, parse, origin, tagging_of(gold, origin))
    words, correct = moving.words, sum(moving.commons(origin))
    candidates = _candidates(recognise_scheme(turned), ways, origin)
    common = {name: sum(moving.commons(scheme)) for name, scheme in candidates.items()}
    best = max(common, key=lambda name: common[name])
    gained = common[best] - correct
    if gained < _SHARE * (words - correct) or common[best] < _RIGHT * words:
        return None
    known = {name: number for name, number in common.items() if name}
    near = max(known, key=lambda name: known[name])
    return OtherScheme(
        own.nearest if own.enough else "",
        near if known[near] >= common[best] - _ALIKE * words else "",
        len(gold),
        words,
        words - correct,
        gained,
    )


def _candidates(seen: Recognition, ways: Mapping[str, str], origin: Scheme) -> dict[str, Scheme]:
    """Return the schemes that the parse may be in, the likeliest first, and what its ways make.

    The last one, which has no name, is the scheme of the gold standard with the ways of the parse.
    """
    from commonground.schemes.learning.learn import Choice, mixed  # noqa: PLC0415
    from commonground.schemes.library import find_scheme  # noqa: PLC0415

    likely = {name: find_scheme(name) for name in seen.ranked() if name != origin.name}
    choices = {
        name: next(
            (Choice.of(each, name) for each in likely.values() if each.way(name) == way),
            Choice(way),
        )
        for name, way in ways.items()
    }
    return {**likely, "": mixed(origin, choices)}


def _other_ways(
    gold: Counter[tuple[str, Ways]], parse: Counter[tuple[str, Ways]]
) -> dict[str, str]:
    """Return the ways of the parse where it has another one than the gold standard."""
    first, second = _by_construction(gold), _by_construction(parse)
    both = {name: (first[name], second[name]) for name in first if name in second}
    return {name: _usual(two)[0] for name, (one, two) in both.items() if _differs(one, two)}


def _by_construction(seen: Counter[tuple[str, Ways]]) -> dict[str, Counter[Ways]]:
    counts: dict[str, Counter[Ways]] = {}
    for (name, ways), number in sorted(seen.items()):
        counts.setdefault(name, Counter())[ways] += number
    return counts


def _differs(gold: Mapping[Ways, int], parse: Mapping[Ways, int]) -> bool:
    totals = sum(gold.values()), sum(parse.values())
    if min(totals) < _PIECES:
        return False
    way, most = _usual(gold)
    same = sum(number for ways, number in parse.items() if way in ways)
    return most >= _MOST * totals[0] and same <= (1 - _MOST) * totals[1]


def _usual(seen: Mapping[Ways, int]) -> tuple[str, int]:
    """Return the way that most evidence is for, and how much."""
    votes: Counter[str] = Counter()
    for ways, number in seen.items():
        votes.update(dict.fromkeys(ways, number))
    return votes.most_common(1)[0]
