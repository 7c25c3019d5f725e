"""The verdict on several systems, in one plain sentence: who is better, and by how much.

It claims no more than interval and test both support (see :class:`TestedPair`). Where they support
nothing, it says what this test set would show: a difference that a test at level α finds with the
power β = 0.8 is about

    (Φ⁻¹(1 − α/2) + Φ⁻¹(β)) · s        s = half of the interval's width / Φ⁻¹(1 − α/2)

with s the standard error of the difference seen. Of many systems it names the best one, and those
that cannot be told apart from it. Of a system whose parse follows another scheme than the gold
standard, it says how many of the points lost are annotation.

From: Cohen (1988), Statistical power analysis for the behavioral sciences, chapter 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from commonground.errors import UsageError, setting
from commonground.evaluation.main_metric import likeliest
from commonground.evaluation.result import Result, System
from commonground.metrics.metric import Metric
from commonground.metrics.names import resolved
from commonground.metrics.phenomena import ALL
from commonground.statistics.claim import Interval
from commonground.statistics.claims import Claims
from commonground.statistics.ranking import in_order
from commonground.statistics.test_plan import TestPlan
from commonground.statistics.testing import significance_tests
from commonground.statistics.units import with_units

if TYPE_CHECKING:
    from commonground.evaluation.request import Request

__all__ = ["Annotation", "Verdict", "cheap_claims", "verdict", "verdict_of", "verdict_on"]

POWER = 0.8
"""How often a difference that the test set "would show" is found."""

RESAMPLES = 2_000
"""Number of resamples for intervals if no tests were requested; drawing them takes longest."""

_CHEAP = 200_000
"""Maximum number of sentences, summed over pairs of systems, that are tested unasked."""

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Annotation:
    """What of a system's loss of heads is another scheme: so many of the points of UAS `lost`."""

    system: str
    scheme: str
    points: float
    lost: float

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it, as fractions of 1."""
        return {
            "system": self.system,
            "scheme": self.scheme,
            "annotation": self.points / 100,
            "lost": self.lost / 100,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who is better by a metric: the `sentence`, and its parts.

    `systems` are in order, the best first. `worse` are those that the best one is shown to be
    better than, `undecided` those that cannot be told apart from it. `difference` is that to the
    next system, with its interval from `low` to `high` and its corrected `p`; the test set would
    show one of `detectable`. All of these are as the metric has them, shares as fractions of 1.
    `same` tells that the best two score the same on every sentence. Without a test, all systems are
    undecided and there is no `p`.
    """

    metric: Metric
    systems: tuple[str, ...]
    scores: tuple[float, ...]
    worse: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    detectable: float | None = None
    same: bool = False
    unit: str = "sentence"
    annotation: tuple[Annotation, ...] = ()

    @property
    def best(self) -> str:
        """The system with the best score, whether or not it is shown to be better."""
        return self.systems[0]

    @property
    def sentence(self) -> str:
        """The verdict as one reads it."""
        but = ", but " if self._other_scheme and self.worse else "; "
        return but.join(filter(None, [self._who(), "; ".join(self._annotations())])) + "."

    @property
    def _other_scheme(self) -> bool:
        """Whether one of the best two follows another scheme than the gold standard."""
        return any(each.system in self.systems[:2] for each in self.annotation)

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as JSON has it."""
        known = {
            "difference": self.difference,
            "interval": None if self.low is None else [self.low, self.high],
            "p": self.p,
            "detectable": self.detectable,
        }
        return {
            "sentence": self.sentence,
            "metric": self.metric.name,
            "systems": list(self.systems),
            "scores": list(self.scores),
            "worse": list(self.worse),
            "undecided": list(self.undecided),
            **{name: value for name, value in known.items() if value is not None},
            **(
                {"annotation": [each.to_json() for each in self.annotation]}
                if self.annotation
                else {}
            ),
        }

    def __str__(self) -> str:
        return self.sentence

    def _who(self) -> str:
        first, second, *more = self.systems
        if self.p is None:
            values = [self._number(score) for score in self.scores[:2]]
            return (
                f"{first} has the {self._top()}, {values[0]}; whether it is better than {second} "
                f"({values[1]}) is not tested, {setting('test', 'shuffle')} tests it"
            )
        if not more:
            return self._of_two()
        if not self.undecided:
            of = len(self.systems)
            if self._other_scheme:
                return f"{self._scores_higher()}, the next of {of}"
            return f"{first} is the best of {of}, better than {second}, the next, {self._by()}"
        unsure = _listed(self.undecided)
        others = f"; it is better than {_listed(self.worse)}" if self.worse else ""
        return (
            f"{first} has the {self._top()}, but {unsure} cannot be told apart from it{others}"
            f"{self._would_show()}"
        )

    def _of_two(self) -> str:
        first, second = self.systems
        if self.worse and self._other_scheme:
            return self._scores_higher()
        if self.worse:
            return f"{first} is better than {second} {self._by()}"
        if self.same:
            return (
                f"{first} and {second} have the same {self.metric.title} on every {self.unit}: no "
                "difference can be shown"
            )
        return f"No difference between {first} and {second} can be shown{self._would_show()}"

    def _scores_higher(self) -> str:
        """Return what can be said where one of the two has another scheme: not who is better."""
        first, second = self.systems[:2]
        amount, certainty = self._amount()
        side = "higher" if self.metric.higher_is_better else "lower"
        return f"{first} scores {amount} {side} than {second} {certainty}"

    def _by(self) -> str:
        amount, certainty = self._amount()
        return f"by {amount} {certainty}"

    def _amount(self) -> tuple[str, str]:
        """Return the difference with the name of the metric, and how certain it is."""
        ends = [value for value in (self.low, self.high) if value is not None]
        size = [abs(self.difference or 0.0), *self._turned(ends)]
        texts = self._numbers(size)
        around = f"{texts[1]} to {texts[2]}, " if ends else ""
        named = (
            self.metric.title if " " not in self.metric.title else f"points of {self.metric.title}"
        )
        return f"{texts[0]} {named}", f"({around}{_p_text(self.p)})"

    def _turned(self, ends: Sequence[float]) -> list[float]:
        """Return the interval as that of an advantage, which is positive."""
        sign = -1 if (self.difference or 0.0) < 0 else 1
        return sorted(sign * end for end in ends)

    def _would_show(self) -> str:
        if not self.detectable:
            return ""
        (text,) = self._numbers([self.detectable])
        of = "points of " if self.metric.share else ""
        return f"; this test set would show {text} {of}{self.metric.title}"

    def _top(self) -> str:
        return f"{'highest' if self.metric.higher_is_better else 'lowest'} {self.metric.title}"

    def _number(self, value: float) -> str:
        return f"{self.metric.scale * value:.2f}"

    def _numbers(self, values: Sequence[float]) -> list[str]:
        """Return numbers with one decimal, or with as many as none of them needs to be 0."""
        scaled = [self.metric.scale * value for value in values]
        for decimals in (1, 2, 3):
            texts = [f"{value:.{decimals}f}" for value in scaled]
            if all(
                text.strip("-0.") or not value for text, value in zip(texts, scaled, strict=True)
            ):
                break
        return texts

    def _annotations(self) -> list[str]:
        return [
            f"{each.points:.1f} of the {each.lost:.1f} points of UAS that {each.system} loses are "
            f"annotation{f' (it looks like {each.scheme})' if each.scheme else ''}"
            for each in self.annotation
        ]


def verdict(result: Result) -> Verdict | None:
    """Return the verdict that the file of a result begins with, if there is one on its kind."""
    if isinstance(result, Claims):
        return verdict_on(result.about, result, tested=False) if result.about else None
    if result.kind not in ("evaluation", "comparison", "phenomena", "trial"):
        return None
    main = ALL if result.kind == "phenomena" else result.request.options.rank_by or ""
    return verdict_on(result, result.saved_claims, metric=main)


def _may_be_tested(request: Request) -> bool:
    """Tell whether a test may be made that was not asked for; ``none`` refuses it."""
    tests = [name.strip() for text in request.options.test or () for name in text.split(",")]
    return "none" not in tests


def verdict_on(
    result: Any,
    claims: Claims | None = None,
    *,
    metric: str = "",
    tested: bool | None = None,
) -> Verdict | None:
    """Return the verdict on a result with two systems or more; None where there is none.

    `claims` are what was tested already. Without any, a shuffling test is made if it is cheap,
    unless it is not to be `tested`, by default as it was asked for. `metric` is the one that
    decides, by default the likeliest.

    >>> from commonground import evaluate
    >>> result = evaluate("example:ud", {"a": "example:ud-parse", "b": "example:ud"})
    >>> print(verdict_on(result))
    b is better than a by 5.2 LAS (4.0 to 6.5, p = 0.0001).
    >>> twice = evaluate("example:ud", {"a": "example:ud-parse", "b": "example:ud-parse"})
    >>> print(verdict_on(twice))
    a and b have the same LAS on every sentence: no difference can be shown.
    """
    systems = result.tested()
    if len(systems) < 2:
        return None
    annotation = [
        Annotation(system.name, other.parse, other.annotation_points, other.lost_points)
        for system in systems
        if (other := system.other_scheme)
    ]
    if tested is None:
        tested = _may_be_tested(result.request)
    if (claims is None or not claims.pairs) and tested:
        claims = cheap_claims(result, metric)
    if claims is not None and claims.pairs:
        return verdict_of(claims, metric=metric, annotation=annotation)
    return _untested(systems, metric, annotation)


def verdict_of(
    claims: Claims, *, metric: str = "", annotation: Sequence[Annotation] = ()
) -> Verdict | None:
    """Return the verdict that claims support, by a metric that they are about."""
    tests = {
        name: pairs for (name, test), pairs in claims.pairs.items() if test == claims.asked.tests[0]
    }
    name = _chosen(metric, {each: claims.metrics[each] for each in tests})
    if not name:
        return None
    chosen, pairs = claims.metrics[name], tests[name]
    scores = dict(zip(pairs.systems, pairs.scores, strict=True))
    order = in_order(scores, chosen)
    first, second = order[:2]
    beaten = claims.worse_than(first, name)
    pair = pairs.between(first, second)
    turned = 1 if pair.one == first else -1
    around = claims.differences.get((name, pair.one, pair.other))
    ends = sorted(turned * end for end in (around.low, around.high)) if around else (None, None)
    return Verdict(
        chosen,
        tuple(order),
        tuple(scores[each] for each in order),
        tuple(each for each in order[1:] if each in beaten),
        tuple(each for each in order[1:] if each not in beaten),
        turned * pair.claim.difference,
        ends[0],
        ends[1],
        pair.corrected,
        _detectable(claims, name, around, len(pairs.pairs)),
        not (pair.outcomes.wins or pair.outcomes.losses),
        pair.claim.unit,
        tuple(annotation),
    )


def cheap_claims(result: Any, metric: str = "") -> Claims | None:
    """Return a shuffling test of all pairs by one metric, if it takes no time worth mentioning.

    Where the systems cannot be tested at all (they have no sentences in common), there is none.
    """
    systems: Sequence[System] = result.tested()
    name = _chosen(metric, _common(systems))
    if not name or systems[0].sentences is None:
        return None
    units = len(systems[0][name].counts)
    if units * len(systems) * (len(systems) - 1) / 2 > _CHEAP:
        return None
    try:
        plan = TestPlan(("shuffle",), resamples=RESAMPLES)
        systems, plan = with_units(systems, result.files, plan)
        return significance_tests(systems, plan, metrics=[name], skip=True)
    except UsageError:
        return None


def _untested(
    systems: Sequence[System], metric: str, annotation: Sequence[Annotation]
) -> Verdict | None:
    name = _chosen(metric, _common(systems))
    if not name:
        return None
    scores = {system.name: float(system[name]) for system in systems}
    chosen = systems[0][name].metric
    order = in_order(scores, chosen)
    return Verdict(
        chosen,
        tuple(order),
        tuple(scores[each] for each in order),
        undecided=tuple(order[1:]),
        annotation=tuple(annotation),
    )


def _common(systems: Sequence[System]) -> dict[str, Metric]:
    """Return the metrics by which all systems have a score."""
    return {
        name: score.metric
        for name, score in systems[0].scores.items()
        if all(name in each.scores and not each[name].undefined for each in systems)
    }


def _chosen(wanted: str, known: Mapping[str, Metric]) -> str:
    """Return the metric that decides: the wanted one, or the likeliest; "" if unknown."""
    if not known:
        return ""
    return (resolved(wanted, known) or "") if wanted else likeliest(list(known))


def _detectable(claims: Claims, metric: str, around: Interval | None, pairs: int) -> float | None:
    """Return the difference that the test set would show: as simulated, or from the interval."""
    if simulated := claims.detectable.get(metric):
        return simulated.difference
    if around is None or around.high <= around.low:
        return None
    alpha = 1 - around.confidence
    error = (around.high - around.low) / 2 / _NORMAL.inv_cdf(1 - alpha / 2)
    family = pairs if claims.asked.correction != "none" else 1
    return (_NORMAL.inv_cdf(1 - alpha / family / 2) + _NORMAL.inv_cdf(POWER)) * error


def _p_text(p: float | None) -> str:
    """Return a p-value as a sentence has it.

    >>> _p_text(0.0421), _p_text(0.00019998), _p_text(0.0000018)
    ('p = 0.042', 'p = 0.0002', 'p < 0.0001')
    """
    if p is None:
        return ""
    if p < 0.000095:
        return "p < 0.0001"
    return f"p = {p:.2g}" if p >= 0.001 else f"p = {p:.4f}"


def _listed(names: Sequence[str]) -> str:
    """Return names in a sentence; of many, how many.

    >>> _listed(["a"]), _listed(["a", "b", "c"]), _listed(["a", "b", "c", "d", "e", "f", "g"])
    ('a', 'a, b and c', 'a, b, c, d and 3 others')
    """
    if len(names) > 6:
        names = [*names[:4], f"{len(names) - 4} others"]
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
