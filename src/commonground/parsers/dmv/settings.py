"""How a dependency model with valence is learned, and how it parses."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.kernels.dmv import MOST_VALENCES
from commonground.parsers.dmv.decode import DECODERS
from commonground.parsers.dmv.grammar import PLAIN, Valences
from commonground.parsers.dmv.initial import INITIAL
from commonground.parsers.dmv.logistic_normal import FAMILIES
from commonground.parsers.dmv.symbols import COLUMNS

__all__ = ["CURRICULA", "VARIANTS", "DmvSettings"]

VARIANTS = {
    "km04": 10,
    "cs09": 10,
    "bbdk10": 10,
    "gggtp10": 10,
    "evg": 10,
    "baby-steps": 45,
    "less-is-more": 15,
    "leapfrog": 45,
    "viterbi": 10,
    "supervised": 0,
}
"""The variants, and how long the sentences are at most that they learn from (0: any length)."""

CURRICULA = ("baby-steps", "less-is-more", "leapfrog")
"""The variants of Spitkovsky et al. (2010a)."""


@dataclass(frozen=True, slots=True)
class DmvSettings:
    """The settings of a DMV; below 0, or 0 where that means nothing: those of the variant.

    `variant`: ``km04`` (Klein & Manning 2004, EM), ``cs09`` (Cohen & Smith 2009, shared logistic
    normal priors), ``bbdk10`` (Berg-Kirkpatrick et al. 2010, features), ``gggtp10`` (Gillenwater et
    al. 2010, few kinds of edges), ``evg`` (Headden et al. 2009, richer valences), ``baby-steps``,
    ``less-is-more`` and ``leapfrog`` (Spitkovsky et al. 2010a), ``viterbi`` (Spitkovsky et al.
    2010c), ``supervised`` (counts of the trees).

    `smoothing` is added to every count in each iteration; for ``baby-steps`` and ``leapfrog`` only
    where a grammar is handed on to longer sentences. EM ends when the likelihood rises by less than
    `tolerance`, relatively. `start`: where EM begins: ``harmonic``, ``smith06``, ``uniform`` or
    ``random``; with ``random``, `restarts` grammars are learned and the one with the greatest
    likelihood is kept. `families` (of cs09): ``none``, ``verbs``, ``nouns``, ``both``. `penalty`:
    of the weights of bbdk10 (κ), or of the kinds of edges of gggtp10 (σ per sentence).
    `stop_valence` and `child_valence`: how many values the valences have. `backoff`: the share of a
    dependent's probability that is the same for all heads. `frequent`: words that are seen so often
    stand for themselves, 0 for none. `column`: ``xpos`` or ``upos``; empty: the first that has
    tags.
    """

    variant: str = "km04"
    max_length: int = 0
    column: str = ""
    start: str = ""
    restarts: int = 1
    smoothing: float = -1.0
    iterations: int = 0
    tolerance: float = -1.0
    families: str = "both"
    penalty: float = -1.0
    stop_valence: int = 0
    child_valence: int = 0
    backoff: float = -1.0
    decoder: str = "viterbi"
    frequent: int = 0

    def __post_init__(self) -> None:
        for name, known in (
            ("variant", tuple(VARIANTS)),
            ("start", ("", *INITIAL)),
            ("families", tuple(FAMILIES)),
            ("decoder", DECODERS),
            ("column", ("", *COLUMNS)),
        ):
            if (value := getattr(self, name)) not in known:
                shown = ", ".join(each for each in known if each)
                raise ValueError(f"there is no {name} {value!r}; there are {shown}")
        for name, least in (("max_length", 0), ("restarts", 1), ("iterations", 0), ("frequent", 0)):
            if (value := getattr(self, name)) < least:
                raise ValueError(f"{name} is {value}; it must be {least} or more")
        for name in ("stop_valence", "child_valence"):
            if not 0 <= (value := getattr(self, name)) <= MOST_VALENCES:
                raise ValueError(f"{name} is {value}; it must be 1 to {MOST_VALENCES}")
        if self.backoff > 1:
            raise ValueError(f"backoff is {self.backoff}; it must be 0 to 1")
        if self.variant in CURRICULA and self.valences != PLAIN:
            raise ValueError(
                f"{self.variant} has a stop_valence of 2 and a child_valence of 1 only"
            )
        if self.backoff > 0 and self.variant in (*CURRICULA, "cs09", "bbdk10"):
            raise ValueError(f"{self.variant} has no backoff")

    @property
    def longest(self) -> int:
        """Up to how many words sentences have that are learned from; 0 for any number."""
        return self.max_length or VARIANTS[self.variant]

    @property
    def passes(self) -> int:
        """How often the corpus is gone over at most."""
        return self.iterations or {"cs09": 40, "bbdk10": 200}.get(self.variant, 100)

    @property
    def added(self) -> float:
        """What is added to every count; chosen on the dev part of the English Web Treebank."""
        return self.smoothing if self.smoothing >= 0 else _ADDED.get(self.variant, 0.1)

    @property
    def begins(self) -> str:
        """Where learning begins; chosen like the penalty."""
        return self.start or _START.get(self.variant, "harmonic")

    @property
    def valences(self) -> Valences:
        """How many values the valences have."""
        usual = _VALENCES.get(self.variant, PLAIN)
        return Valences(self.stop_valence or usual.stop, self.child_valence or usual.child)

    @property
    def backed_off(self) -> float:
        """The share of a dependent's probability that does not depend on the head."""
        return self.backoff if self.backoff >= 0 else _BACKOFF.get(self.variant, 0.0)

    @property
    def least_rise(self) -> float:
        """The relative rise of the likelihood below which EM ends."""
        if self.tolerance >= 0:
            return self.tolerance
        return 1e-6 if self.variant in (*CURRICULA, "bbdk10") else 1e-5

    @property
    def charged(self) -> float:
        """The penalty; chosen on the dev part of the English Web Treebank."""
        if self.penalty >= 0:
            return self.penalty
        return 0.3 if self.variant == "bbdk10" else 0.01


# Chosen on the dev part and on halves of the train part of the English Web Treebank.
_START = {"evg": "smith06", "gggtp10": "smith06"}
_VALENCES = {"evg": Valences(2, 2), "gggtp10": Valences(2, 2)}
_BACKOFF = {"evg": 1 / 3, "gggtp10": 1 / 3}
_ADDED = {
    "evg": 0.0,
    "gggtp10": 0.0,
    "viterbi": 1.0,
    "baby-steps": 1.0,
    "leapfrog": 1.0,
    "less-is-more": 0.0,
}
