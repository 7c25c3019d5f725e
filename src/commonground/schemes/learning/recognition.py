"""The scheme of a treebank, recognised by its own heads, tags and labels.

The choices are told by heads and tags (see :mod:`commonground.schemes.learning.evidence`): of each
construction the way that most of the evidence is for. For each scheme that comes along, its share
of the *choices* is that of all evidence which is for its ways, and its share of the *labels* is
that of all words whose label it has. The scheme with the highest product of the two is the nearest
one; where no scheme has half of the labels, they tell nothing, and the choices decide alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from commonground.corpus import Corpus, Dependencies
from commonground.errors import UsageError
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.learning.evidence import Ways, evidence, seen_as
from commonground.schemes.library import bundled_scheme_names, find_scheme
from commonground.schemes.scheme import Scheme
from commonground.schemes.tag_set import find_tag_set, recognise
from commonground.schemes.transform import tagging_of

__all__ = ["SAMPLE", "Recognition", "recognise_scheme", "recognise_scheme_or_none"]

SAMPLE = 1_000
"""How many sentences, from the first one on, are looked at."""

_ENOUGH = 40
"""How many pieces of evidence are needed before a treebank is said to look like anything."""

_ALIKE = 0.75
"""The share of the choices that a scheme needs for a treebank to be said to look like it."""


@dataclass(frozen=True, slots=True)
class Recognition:
    """The evidence about a treebank, and how far each scheme that comes along agrees with it.

    `counts` has for each construction with evidence how often which ways were seen; `choices` and
    `labels` are the shares of each scheme.
    """

    counts: Mapping[str, Mapping[Ways, int]]
    choices: Mapping[str, float]
    labels: Mapping[str, float]

    @property
    def pieces(self) -> int:
        """How much evidence there is."""
        return sum(self.total(name) for name in self.counts)

    def total(self, construction: str) -> int:
        """Return how many pieces of evidence there are about a construction."""
        return sum(self.counts.get(construction, {}).values())

    def votes(self, construction: str) -> dict[str, int]:
        """Return how much evidence is for each way of a construction, in the order of its ways."""
        seen = self.counts.get(construction, {})
        ways = CONSTRUCTIONS[construction].ways
        votes = {way: sum(n for several, n in seen.items() if way in several) for way in ways}
        return {way: number for way, number in votes.items() if number}

    def way(self, construction: str) -> str | None:
        """Return the way that most evidence is for; of equals the first one, None without any."""
        votes = self.votes(construction)
        return max(votes, key=lambda way: votes[way]) if votes else None

    def ranked(self) -> list[str]:
        """Return the schemes, the nearest one first."""
        telling = max(self.labels.values()) >= 0.5
        return sorted(
            self.choices,
            key=lambda name: -self.choices[name] * (self.labels[name] if telling else 1),
        )

    @property
    def nearest(self) -> str:
        """The scheme that agrees most."""
        return self.ranked()[0]

    @property
    def share(self) -> float:
        """The share of the evidence that is for the ways of the nearest scheme."""
        return self.choices[self.nearest]

    @property
    def enough(self) -> bool:
        """Whether there is enough evidence, and agreement, to say what the treebank looks like."""
        return self.pieces >= _ENOUGH and self.share >= _ALIKE

    def looks(self) -> str:
        """Return what the treebank looks like, or why that cannot be said."""
        if self.enough:
            return f"looks like {self.nearest}, {100 * self.share:.0f} %"
        if self.pieces < _ENOUGH:
            return f"too little evidence to say what it looks like: {self.pieces} of {_ENOUGH}"
        return f"looks like none of these; {self.nearest} is nearest, {100 * self.share:.0f} %"


def recognise_scheme(corpus: Dependencies, tags: str | None = None) -> Recognition:
    """Read the choices of a treebank off its heads and tags, and find the nearest scheme.

    `tags` is its tag set; without it, the tag set is recognised, and a treebank with unknown tags
    is refused.

    >>> import commonground
    >>> guess = recognise_scheme(commonground.read("example:sud"))
    >>> guess.nearest, guess.way("adposition"), guess.way("coordination"), guess.way("apposition")
    ('sud', 'function', 'chain', None)
    """
    first = corpus[:SAMPLE]
    if tags is None:
        tagging = recognise(first)
    else:
        tagging = tagging_of(first, find_scheme("ud"), find_tag_set(tags).name)
    seen = evidence(first, tagging)
    counts = {
        name: {ways: number for (other, ways), number in sorted(seen.items()) if other == name}
        for name in CONSTRUCTIONS
    }
    schemes = [find_scheme(name) for name in bundled_scheme_names()]
    return Recognition(
        {name: ways for name, ways in counts.items() if ways},
        {scheme.name: _chosen(scheme, seen) for scheme in schemes},
        {scheme.name: _labelled(scheme, first) for scheme in schemes},
    )


def recognise_scheme_or_none(corpus: Corpus) -> Recognition | None:
    """Return the same; None of other trees than dependencies, or where tags are unknown."""
    if not isinstance(corpus, Dependencies):
        return None
    try:
        return recognise_scheme(corpus)
    except UsageError:
        return None


def _chosen(scheme: Scheme, seen: Counter[tuple[str, Ways]]) -> float:
    right = sum(n for (name, ways), n in seen.items() if seen_as(scheme.usual_way(name)) in ways)
    return right / max(seen.total(), 1)


def _labelled(scheme: Scheme, corpus: Dependencies) -> float:
    counts = corpus.deprel.counts().items()
    known = sum(count for label, count in counts if scheme.known(label) == scheme.renamed(label))
    return known / max(corpus.words.rows, 1)
