"""The claims that a result allows: which systems differ, by which metric, and by how much.

What is tested are systems with counts per sentence, from an evaluation, a comparison or saved
results. Systems that were scored on different sentences are tested on those that all have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import combinations
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from commonground.engine import Engine, Jobs, engine_for
from commonground.errors import UsageError, quoted, setting
from commonground.evaluation.result import Result, Score, System
from commonground.evaluation.signature import join, rendered, short_form, signed
from commonground.metrics.metric import Metric
from commonground.metrics.names import resolved
from commonground.metrics.sentences import Sentences
from commonground.statistics.bootstrap import Method
from commonground.statistics.claim import Alternative, Interval
from commonground.statistics.intervals import Resamples
from commonground.statistics.pairs import Pair, Pairs, all_pairs
from commonground.statistics.power import (
    Detectable,
    Process,
    counts_right_items,
    detectable,
)
from commonground.statistics.ranking import ranks

__all__ = [
    "UNITS",
    "Asked",
    "Claims",
    "Unit",
    "claims_of",
    "document_groups",
    "on_common_sentences",
]

Unit = Literal["sentences", "documents", "files"]
UNITS: tuple[Unit, ...] = get_args(Unit)
"""What can be resampled and swapped."""


@signed
@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for: tests between all pairs of systems, and how they are made.

    With `intervals` every score gets one, with `power` it is simulated which difference the test
    set could show. Pairs are corrected for their number, metric by metric.
    """

    tests: tuple[str, ...] = field(default=(), metadata={"key": "test"})
    iterations: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    alternative: Alternative = "two-sided"
    correction: str = "holm"
    resample: Unit = field(default="sentences", metadata={"key": "units"})
    method: Method = field(default="bca", metadata={"key": "interval"})
    intervals: bool = False
    power: bool = False

    @property
    def signature(self) -> str:
        """What the claims depend on, in one line."""
        return join(rendered(self))


@dataclass(frozen=True, repr=False)
class Claims(Result):
    """What was found about the differences between systems.

    `pairs` are by the metric and the test, `intervals` by the system and the metric, `differences`
    by the metric and the two systems, `detectable` by the metric. `left_out` are sentences that not
    all systems have.
    """

    kind: ClassVar[str] = "claims"

    asked: Asked
    systems: tuple[str, ...]
    metrics: dict[str, Metric]
    pairs: dict[tuple[str, str], Pairs]
    intervals: dict[tuple[str, str], Interval]
    differences: dict[tuple[str, str, str], Interval]
    detectable: dict[str, Detectable]
    left_out: int = 0

    def worse_than(self, system: str, metric: str) -> list[str]:
        """Return the systems that a system is significantly better than, by the first test."""
        found = self.pairs.get((metric, self.asked.tests[0])) if self.asked.tests else None
        beaten = {
            worse
            for pair in (found.pairs if found else ())
            for better, worse in [self._ranked(pair, metric)]
            if better == system
        }
        return [name for name in self.systems if name in beaten]

    def _ranked(self, pair: Pair, metric: str) -> tuple[str, str]:
        """Return the better system of a pair and the worse one; two empty names without a claim."""
        if not pair.different or not pair.claim.difference:
            return "", ""
        first_better = (pair.claim.difference > 0) == self.metrics[metric].share
        return (pair.one, pair.other) if first_better else (pair.other, pair.one)

    @property
    def signature(self) -> str:
        """What the claims depend on besides the scores, in one line."""
        return self.asked.signature

    def signed(self, signature: str) -> str:
        """Return the signature of the scores with what the claims depend on added."""
        return f"{signature}|{self.asked.signature}" if signature else self.asked.signature

    def __repr__(self) -> str:
        lines = [
            f"{metric}: {pair.one} – {pair.other} {pair.claim.difference:+.4f}, "
            f"p = {pair.corrected:.4g}{' *' * pair.different}"
            for (metric, _), pairs in self.pairs.items()
            for pair in pairs.pairs
        ]
        return "\n".join([*lines, short_form(self.signature)])

    def to_json(self) -> dict[str, Any]:
        """Return the claims as JSON has them by themselves."""
        return {
            **self.added_json(),
            "kind": self.kind,
            "signature": self.signature,
            "asked": asdict(self.asked),
            "systems": list(self.systems),
            "metrics": list(self.metrics),
            "pairs": [{"test": test, **pairs.to_json()} for (_, test), pairs in self.pairs.items()],
            "intervals": [
                {"system": system, "metric": metric, **interval.to_json()}
                for (system, metric), interval in self.intervals.items()
            ],
            "differences": [
                {"metric": metric, "systems": [one, other], **interval.to_json()}
                for (metric, one, other), interval in self.differences.items()
            ],
            "detectable": [
                {"metric": metric, **each.to_json()} for metric, each in self.detectable.items()
            ],
            "left_out": self.left_out,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = "<memory>") -> Claims:
        """Return the claims that JSON holds."""
        from commonground.statistics.restored import claims_from  # noqa: PLC0415  # only for saved ones

        return claims_from(data, path)

    def added_json(self) -> dict[str, Any]:
        """Return the claims as keys to be added to the JSON of the result that they are about."""
        found: dict[str, Any] = {
            "tests": [
                {"metric": metric, **pair.to_json(), **self._more(metric, pairs, pair)}
                for (metric, _), pairs in self.pairs.items()
                for pair in pairs.pairs
            ]
        }
        if self.pairs:
            found["groups"] = [
                {
                    "metric": metric,
                    "test": pairs.pairs[0].claim.test,
                    "letters": dict(zip(pairs.systems, pairs.letters, strict=True)),
                    **self._ranks(metric, test, pairs),
                }
                for (metric, test), pairs in self.pairs.items()
            ]
        if self.intervals:
            found["intervals"] = [
                {"system": system, "metric": metric, **interval.to_json()}
                for (system, metric), interval in self.intervals.items()
            ]
        if self.detectable:
            found["detectable"] = [
                {"metric": metric, **each.to_json()} for metric, each in self.detectable.items()
            ]
        return found

    def _ranks(self, metric: str, test: str, pairs: Pairs) -> dict[str, Any]:
        """Return the first and the last rank of each system by the first test, as JSON has them."""
        if test != self.asked.tests[0]:
            return {}
        values = dict(zip(pairs.systems, pairs.scores, strict=True))
        found = ranks(values, self.metrics[metric], self)
        return {"ranks": {name: list(rank) for name, rank in found.items()}}

    def _more(self, metric: str, pairs: Pairs, pair: Pair) -> dict[str, Any]:
        """Return the correction and the interval of a difference, as JSON has them."""
        found: dict[str, Any] = {"correction": pairs.correction, "alpha": pairs.alpha}
        if interval := self.differences.get((metric, pair.one, pair.other)):
            found["interval"] = [interval.low, interval.high]
            found["interval_method"] = interval.method
            found["confidence"] = interval.confidence
        return found


def claims_of(
    systems: Sequence[System],
    asked: Asked,
    *,
    metrics: Sequence[str] = (),
    skip: bool = False,
    same_gold: bool = True,
    jobs: Jobs = 1,
    watch: Callable[[int], None] = lambda _: None,
) -> Claims:
    """Test all pairs of systems by some metrics, or by all that they have in common.

    With `skip`, sentences that not all systems have are left out; without, they are an error. So
    are systems that were scored against different gold standards, unless `same_gold` is False.
    `watch` is called with the number of metrics that are done.

    >>> from commonground import evaluate
    >>> parses = {"mine": "example:ud-parse", "best": "example:ud"}
    >>> result = evaluate("example:ud", parses, metrics=["uas", "las"])
    >>> found = claims_of(result.systems, Asked(tests=("shuffle",)))
    >>> found.worse_than("best", "las"), found.pairs["las", "shuffle"].pairs[0].claim.p < 0.001
    (['mine'], True)
    """
    if asked.tests and len(systems) < 2:
        raise UsageError("there is one system, and nothing to test it against")
    engine = engine_for(jobs)
    same, left_out = on_common_sentences(systems, skip=skip)
    known = _metrics(same, metrics)
    if same_gold:
        _refuse_different_golds(same, known)
    groups = document_groups(same[0].sentences, asked)
    fit = {test: _fit(same, known, test) for test in asked.tests}
    simulated = _simulated(same, known) if asked.power else []
    pairs: dict[tuple[str, str], Pairs] = {}
    found: dict[str, Detectable] = {}
    for metric in known:
        scores = {system.name: system[metric] for system in same}
        for test in asked.tests:
            if metric in fit[test]:
                pairs[metric, test] = all_pairs(
                    scores,
                    test=test,
                    iterations=asked.iterations,
                    seed=asked.seed,
                    alternative=asked.alternative,
                    correction=asked.correction,
                    confidence=asked.confidence,
                    method=asked.method,
                    groups=groups,
                    jobs=engine,
                )
        if metric in simulated:
            found[metric] = _detectable(scores, known[metric], asked, groups, engine)
        watch(1)
    intervals, differences = _intervals(same, known, pairs, asked, groups)
    if left_out:
        intervals = _own_intervals(systems, known, asked)
    names = tuple(system.name for system in systems)
    return Claims(asked, names, known, pairs, intervals, differences, found, left_out)


def test(result: Result, *tests: str, metrics: Sequence[str] = (), **options: Any) -> Claims:  # noqa: PT028  # a test of differences
    """Test all pairs of systems of a result; without a name, by shuffling.

    `options` are those of :class:`Asked`, and ``jobs``.

    >>> from commonground import evaluate
    >>> result = evaluate("example:ud", {"a": "example:ud-parse", "b": "example:ud"})
    >>> result.test("sign", metrics=["las"]).worse_than("b", "las")
    ['a']
    """
    jobs = options.pop("jobs", 1)
    known = [each.name for each in fields(Asked) if each.name != "tests"]
    for name in options:
        if name not in known:
            raise UsageError(f"tests have no option {name!r}; there are {', '.join(known)}")
    asked = Asked(tests or ("shuffle",), **options)
    return claims_of(result.tested(), asked, metrics=metrics, skip=True, jobs=jobs)


def _metrics(systems: Sequence[System], wanted: Sequence[str]) -> dict[str, Metric]:
    """Return the metrics to test: those wanted, or those that all systems have something of."""
    common = [
        name
        for name in systems[0].scores
        if all(name in system.scores and not system[name].undefined for system in systems)
    ]
    metrics = {name: systems[0][name].metric for name in common}
    wanted = [resolved(name, metrics) or name for name in wanted]
    for name in wanted:
        if name not in common:
            there = ", ".join(common) or "none"
            raise UsageError(f"not all systems have scores by {name}; all have {there}")
    if not common:
        raise UsageError("there is no metric that all systems have scores by")
    return {name: systems[0][name].metric for name in wanted or common}


def document_groups(sentences: Sentences | None, asked: Asked) -> Sequence[str] | None:
    """Return the document of each sentence if these are what is resampled."""
    if asked.resample != "documents":
        return None
    if sentences is None or not sentences.documents:
        raise UsageError(
            "nothing names the documents: neither '# newdoc' nor ids such as NAME-12 in the gold "
            "standard"
        )
    if len(set(sentences.documents)) < 2:
        raise UsageError("all sentences are of one document; two or more can be resampled")
    return sentences.documents


def _fit(systems: Sequence[System], metrics: Iterable[str], test: str) -> list[str]:
    """Return the metrics that a test can be about; McNemar's is about single items."""
    found = [
        metric
        for metric in metrics
        if test != "mcnemar" or all(system[metric].right is not None for system in systems)
    ]
    if not found:
        raise UsageError(
            "McNemar's test needs a metric that counts the same items on both sides, such as las; "
            f"none of {', '.join(metrics)} does"
        )
    return found


def _simulated(systems: Sequence[System], metrics: Iterable[str]) -> list[str]:
    """Return the metrics whose power can be simulated."""
    if systems[0][next(iter(metrics))].unit == "file":
        raise UsageError("power is simulated for sentences or documents, not for files")
    found = [metric for metric in metrics if counts_right_items(systems[0][metric])]
    if not found:
        raise UsageError(
            "power can be simulated for metrics that count right items, such as las; none of "
            f"{', '.join(metrics)} does"
        )
    return found


def _detectable(
    scores: Mapping[str, Score],
    metric: Metric,
    asked: Asked,
    groups: Sequence[str] | None,
    engine: Engine,
) -> Detectable:
    """Return the smallest difference that could be shown, to a system better than the best.

    How much systems differ in what they have right is seen from the two best ones.
    """
    best = sorted(scores.values(), key=float, reverse=metric.share)
    test = next((test for test in asked.tests if test != "mcnemar"), "shuffle")
    return detectable(
        Process.of(best[0], best[1] if len(best) > 1 else None, groups),
        test=test,
        confidence=asked.confidence,
        iterations=min(asked.iterations, 1000),
        seed=asked.seed,
        jobs=engine,
    )


def _intervals(
    systems: Sequence[System],
    metrics: Mapping[str, Metric],
    pairs: Mapping[tuple[str, str], Pairs],
    asked: Asked,
    groups: Sequence[str] | None,
) -> tuple[dict[tuple[str, str], Interval], dict[tuple[str, str, str], Interval]]:
    """Return the intervals of the scores, if asked for, and those of the differences in pairs."""
    units = len(set(groups)) if groups else len(systems[0][next(iter(metrics))].counts)
    if not asked.intervals and (not pairs or units < 2):  # nothing can be drawn from one unit
        return {}, {}
    resamples = Resamples(
        {(system.name, metric): system[metric] for system in systems for metric in metrics},
        groups=groups,
        iterations=asked.iterations,
        seed=asked.seed,
        confidence=asked.confidence,
        method=asked.method,
    )
    scores = {
        (system.name, metric): resamples.score((system.name, metric))
        for system in systems
        for metric in metrics
        if asked.intervals
    }
    chosen = dict.fromkeys(
        (metric, pair.one, pair.other)
        for (metric, _), found in pairs.items()
        for pair in found.pairs
    )
    return scores, {
        (metric, one, other): resamples.difference((one, metric), (other, metric))
        for metric, one, other in chosen
    }


def _own_intervals(
    systems: Sequence[System], metrics: Mapping[str, Metric], asked: Asked
) -> dict[tuple[str, str], Interval]:
    """Return the intervals of scores, if asked for, each from all the sentences of its system.

    A score is about all of them, also where tests are about those that all systems have.
    """
    found: dict[tuple[str, str], Interval] = {}
    for system in systems if asked.intervals else ():
        own, _ = on_common_sentences([system], skip=True)
        groups = document_groups(own[0].sentences, asked)
        found |= _intervals(own, metrics, {}, asked, groups)[0]
    return found


def _refuse_different_golds(systems: Sequence[System], metrics: Iterable[str]) -> None:
    """Raise an error where systems were scored against different gold standards.

    Then the same sentences have different numbers of gold items, and scores cannot be compared.
    """
    for metric in metrics:
        for one, other in combinations(systems, 2):
            sides = [system[metric].counts.columns["gold"] for system in (one, other)]
            if not np.array_equal(sides[0], sides[1]):
                raise UsageError(
                    f"{one.name} and {other.name} were not scored against the same gold standard: "
                    f"the same sentences have other gold items by {metric}; {setting('force')} "
                    "tests them all the same"
                )


# ── the same sentences ───────────────────────────────────────────────────────────────────────────


def on_common_sentences(
    systems: Sequence[System], *, skip: bool = False
) -> tuple[tuple[System, ...], int]:
    """Return the systems on the sentences that all have, and how many sentences are left out.

    Without `skip`, systems that are about other sentences are an error.
    """
    ids = {system.name: _ids(system) for system in systems}
    if len(set(ids.values())) == 1 and not any(_has_gaps(system) for system in systems):
        return tuple(systems), 0
    if len(set(ids.values())) > 1 and not skip:
        raise UsageError(_difference(ids))
    for name, its_ids in ids.items():
        twice = [sent_id for sent_id, count in Counter(its_ids).items() if count > 1]
        if twice:
            raise UsageError(
                f"{name} has several sentences {quoted(twice[0])}, so that its sentences cannot be "
                "found in the others by their ids"
            )
    every = set.intersection(*map(set, ids.values()))
    first = ids[systems[0].name]
    common = [sent_id for sent_id in first if sent_id in every]
    if not common:
        raise UsageError("the systems have no sentence in common")
    left_out = len(set().union(*ids.values())) - len(common)
    return tuple(_only(system, common) for system in systems), left_out


def _ids(system: System) -> tuple[str, ...]:
    """Return the ids of the sentences that a system was scored on."""
    if system.sentences is None:
        raise UsageError(f"nothing is known about the sentences of {system.name}")
    skipped = set(system.skipped)
    return tuple(sent_id for sent_id in system.sentences.ids if sent_id not in skipped)


def _has_gaps(system: System) -> bool:
    """Tell whether sentences were skipped that yet have a place, as evalb does it."""
    known = system.sentences
    return known is not None and not set(known.ids).isdisjoint(system.skipped)


def _only(system: System, ids: Sequence[str]) -> System:
    known = system.sentences
    assert known is not None
    place = {sent_id: place for place, sent_id in enumerate(known.ids)}
    places = np.array([place[sent_id] for sent_id in ids])
    documents = tuple(known.documents[at] for at in places) if known.documents else ()
    scores = {name: score.only(places) for name, score in system.scores.items()}
    return System(system.name, scores, system.skipped, kept=Sentences(tuple(ids), documents))


def _difference(ids: Mapping[str, tuple[str, ...]]) -> str:
    """Say how two systems differ in their sentences."""
    (one, first), (other, second) = next(
        pair for pair in combinations(ids.items(), 2) if pair[0][1] != pair[1][1]
    )
    here, there = set(first), set(second)
    lone = [(name, f"{one} has") for name in first if name not in there]
    lone += [(name, f"{other} has") for name in second if name not in here]
    found = f"only {lone[0][1]} {quoted(lone[0][0])}" if lone else "they are in another order"
    return (
        f"{one} has {len(first):,} sentences and {other} {len(second):,}, and they are not the "
        f"same: {found}; {setting('on_mismatch', 'skip')} tests those that all have"
    )
