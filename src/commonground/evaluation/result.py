"""What all results share: one protocol, and the scores of systems with the counts behind them.

A result holds data. It can be written as JSON and read again, it tells what its numbers depend on,
and it becomes tables, a data frame or HTML. Testing, plotting and showing it is the business of
later rooms (see :mod:`commonground.dispatch`). To add a kind of result, write its class on
:class:`Result`, and a module named after its kind in ``report/views``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from commonground.dispatch import perform
from commonground.errors import (
    InputError,
    MissingExtraError,
    UndefinedScoreError,
    UsageError,
    nearest,
    setting,
)
from commonground.grid import Grid
from commonground.metrics.items import Counts, Items
from commonground.metrics.metric import Metric, precision, recall
from commonground.metrics.registry import comparison_for
from commonground.plurals import number_of
from commonground.streamed_json import ListInParts, TextInParts, whole

if TYPE_CHECKING:
    from commonground.corpus import Corpus
    from commonground.evaluation.other_scheme import OtherScheme
    from commonground.evaluation.request import Request
    from commonground.metrics.breakdown import Bucket
    from commonground.metrics.confusion import ConfusionCell
    from commonground.metrics.sentences import Headings, Sentences

__all__ = [
    "MEMORY",
    "NOTHING",
    "Origin",
    "Result",
    "Score",
    "System",
    "find_kind",
    "find_system",
    "percent",
]

NOTHING = "neither side has anything to count"
"""Why a score of no item is undefined."""


# ── the protocol ─────────────────────────────────────────────────────────────────────────────────

MEMORY = "<memory>"
"""What stands for the file of a result that was not read from one."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a result comes from: the file that it was read from, what was asked for, and how."""

    path: str = MEMORY
    request: Request | None = None
    command: str = ""


@dataclass(frozen=True)
class Result:
    """What every result can do; a kind of result says what its data are.

    `kind` names the kind of result in JSON, and `verb` the command that makes it. `signature` names
    all that the numbers depend on. `origin` tells what a result was made of; it is saved with it.
    """

    kind: ClassVar[str] = "result"
    verb: ClassVar[str] = ""

    origin: Origin = field(default=Origin(), kw_only=True, repr=False, compare=False)  # a value

    if TYPE_CHECKING:

        @property
        def signature(self) -> str:
            """All that the numbers depend on, in one line."""

    @property
    def request(self) -> Request:
        """What was asked for; an empty request where nobody has said it."""
        from commonground.evaluation.request import Request  # noqa: PLC0415  # only for saved ones

        return self.origin.request or Request()

    @property
    def saved_claims(self) -> Any:
        """What tests have found about the systems, which is saved beside the result, or None."""
        return self.claims if "claims" in self.__dataclass_fields__ else None  # type: ignore[attr-defined]

    @property
    def whole_signature(self) -> str:
        """The signature with what the claims of the result depend on, if it has any."""
        claims = self.saved_claims
        return claims.signed(self.signature) if claims else self.signature

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        raise NotImplementedError

    def json_in_parts(self) -> dict[str, Any]:
        """Return the same with what is long in parts, if anything is."""
        return self.to_json()

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Self:
        """Return the result that JSON holds, which was read from a file `path`.

        What is not as it should be is refused, with the place.
        """
        del data
        raise InputError(path, 0, f"a result of the kind {cls.kind!r} cannot be read again")

    def grids(self, **options: Any) -> list[Grid]:
        """Return the tables of the result."""
        return list(perform("grids", self, **options))

    def tables(self, output_format: str = "text", **options: Any) -> str:
        """Return the tables as text, tsv, markdown, latex or html: ``result.tables("latex")``.

        `options` are those of the command that shows the result: of an evaluation ``top``,
        ``sentences``, ``files``, ``rank_by``, and ``claims``, as :meth:`test` returns them.
        """
        text: str = perform("tables", self, output_format, **options)
        return text

    def records(self) -> list[dict[str, Any]]:
        """Return the numbers of the result as flat rows, those of its first table if not told."""
        first = self.grids()[0]
        titles = [column.title for column in first.columns]
        return [dict(zip(titles, (cell.value for cell in row), strict=True)) for row in first.rows]

    def to_pandas(self) -> Any:
        """Return the numbers of the result as a data frame."""
        try:
            import pandas as pd  # noqa: PLC0415  # an extra
        except ImportError as error:
            raise MissingExtraError("a data frame", "pandas") from error
        return pd.DataFrame(self.records())

    @property
    def files(self) -> Mapping[str, tuple[System, ...]]:
        """The systems on each of several files, by its name; nothing where there is only one."""
        return {}

    def scored(self) -> tuple[System, ...]:
        """Return the systems with all of their scores."""
        return self.tested()

    def tested(self) -> tuple[System, ...]:
        """Return the systems with the scores that are fair to test between them."""
        raise UsageError(f"a result of the kind {self.kind!r} has no systems to test")

    def test(self, *tests: str, **options: Any) -> Any:
        """Test all pairs of systems: ``result.test("shuffle", iterations=1000)``."""
        return perform("test", self, *tests, **options)

    def to_latex(self, **options: Any) -> str:
        """Return the tables for a paper."""
        return self.tables("latex", **options)

    def to_markdown(self, **options: Any) -> str:
        """Return the tables in Markdown."""
        return self.tables("markdown", **options)

    def plot(self, kind: str = "", **options: Any) -> Any:
        """Return a figure of the result, the usual one or another: ``result.plot("length")``."""
        return perform("plot", self, kind, **options)

    def _repr_html_(self) -> str:
        page: str = perform("html", self)
        return page


def find_kind(data: Mapping[str, Any], path: str = MEMORY) -> type[Result]:
    """Return the class of the result that JSON holds, by its ``kind``."""
    import commonground  # noqa: PLC0415  # which names all kinds of results

    kind = data.get("kind")
    if kind is None:
        written = f"evaluate, compare and others write one with {setting('output_format', 'json')}"
        raise InputError(path, 0, f"this is not a saved result, which names its kind; {written}")
    if not isinstance(kind, str) or kind not in commonground.RESULTS:
        known = ", ".join(commonground.RESULTS)
        raise InputError(path, 0, f"there is no kind of result {kind!r}; there are {known}")
    result_class: type[Result] = getattr(commonground, commonground.RESULTS[kind])
    return result_class


AnySystem = TypeVar("AnySystem")


def find_system(systems: Mapping[str, AnySystem], name: str) -> AnySystem:
    """Return one of the systems of a result, given by name."""
    if name not in systems:
        raise UsageError(f"there is no system {name!r}; there are {', '.join(systems)}")
    return systems[name]


def percent(score: Score) -> float | None:
    """Return a score as tables show it: a share in per cent, None where it is undefined."""
    return score.metric.shown(score.value)


# ── scores ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Score:
    """A metric's score on a corpus, with the counts per sentence behind it.

    Behind these are the `items` that were counted, unless counts were merged or read from a file;
    then `judged` may still tell, part by part, which of the items are right. An undefined score has
    no value: `reason` says why; a score without any items gives its own reason. A `unit` that is
    counted is a sentence, or a file where scores of files were averaged. With `strata`, how many
    units each of several files has, the value is the mean over these files.

    >>> from commonground.metrics.dependencies.attachment import METRICS
    >>> none = np.array([0])
    >>> score = Score(METRICS[0], Counts({"correct": none, "gold": none, "system": none}))
    >>> print(score.value, "-", score.undefined)
    None - neither side has anything to count
    """

    metric: Metric
    counts: Counts
    items: Items | None = field(default=None, repr=False, compare=False)
    judged: Iterable[NDArray[np.bool_]] | None = field(default=None, repr=False, compare=False)
    reason: str = ""
    unit: str = "sentence"
    strata: tuple[int, ...] = ()

    @classmethod
    def of(cls, metric: Metric, comparison: Any, lost: NDArray[np.bool_] | None = None) -> Score:
        """Return the score of a comparison; a metric can tell that it has no meaning here.

        Sentences that are `lost` get no credit.
        """
        try:
            items = metric.items(comparison)
        except UndefinedScoreError as error:
            none = np.zeros(len(comparison.gold), np.int64)
            counts = Counts(dict.fromkeys(("correct", "gold", "system", "aligned"), none))
            return cls(metric, counts, reason=str(error))
        if lost is None:
            return cls(metric, items.counts, items)
        from commonground.metrics.lost import LOWER_IS_BETTER, without_credit  # noqa: PLC0415  # seldom

        items = without_credit(items, lost)
        return cls(
            metric, items.counts, items, reason="" if metric.higher_is_better else LOWER_IS_BETTER
        )

    def __repr__(self) -> str:
        """Return the score in short.

        >>> from commonground.metrics.dependencies.attachment import METRICS
        >>> two = np.array([2, 2])
        >>> Score(METRICS[0], Counts({"correct": np.array([1, 2]), "gold": two, "system": two}))
        Score(uas=0.75, 2 sentences)
        """
        shown = "undefined" if self.value is None else f"{self.value:.4g}"
        units = len(next(iter(self.counts.columns.values()), ()))
        return f"Score({self.metric.name}={shown}, {number_of(units, self.unit)})"

    @cached_property
    def value(self) -> float | None:
        """The score of the corpus, from the summed counts: a fraction of 1; None if undefined."""
        if self.undefined:
            return None
        if not self.strata:
            return self.metric.formula(self.counts.totals)
        starts = np.cumsum((0, *self.strata[:-1]))
        columns = self.counts.columns
        summed = {name: np.add.reduceat(column, starts) for name, column in columns.items()}
        return float(np.mean(self.metric.formula(summed)))

    @cached_property
    def undefined(self) -> str:
        """Why the score means nothing; the empty string where it means something."""
        nothing = self.empty and self.metric.empty is None
        return self.reason or (NOTHING if nothing else "")

    @property
    def empty(self) -> bool:
        """Whether neither side had anything to count."""
        totals = self.counts.totals
        return not (totals.get("gold") or totals.get("system"))

    def __float__(self) -> float:
        """Return the value of a score that has one."""
        if self.value is None:
            raise UsageError(f"{self.metric.name} is undefined: {self.undefined}")
        return float(self.value)

    @property
    def precision(self) -> float:
        """The share of the parse's items that are right."""
        return precision(self.counts.totals)

    @property
    def recall(self) -> float:
        """The share of the gold standard's items that are found."""
        return recall(self.counts.totals)

    @property
    def right(self) -> NDArray[np.bool_] | None:
        """Which items are right, sentence by sentence; None unless both sides have the same."""
        judged = self.right_in_parts
        return None if judged is None else np.concatenate(list(judged))

    @property
    def right_in_parts(self) -> Iterable[NDArray[np.bool_]] | None:
        """The same part by part, which is all at once unless scores come in parts."""
        if self.items is None:
            return self.judged
        right = self.items.right
        return None if right is None else (right,)

    def by_sentence(self) -> NDArray[np.float64]:
        """Return the score of each sentence by itself."""
        values: NDArray[np.float64] = self.metric.formula(self.counts.columns)
        return values

    def only(self, sentences: NDArray[np.int64]) -> Score:
        """Return the score of some sentences, by their places."""
        columns = {name: column[sentences] for name, column in self.counts.columns.items()}
        right, judged = self.right, None
        if right is not None:
            each = np.split(right, np.cumsum(self.counts.columns["gold"])[:-1])
            judged = [right[:0], *(each[place] for place in sentences)]
        return Score(
            self.metric, Counts(columns), judged=judged, reason=self.reason, unit=self.unit
        )

    def to_json(self) -> dict[str, Any]:
        """Return the score as JSON has it."""
        totals = self.counts.totals
        sides = {"precision": self.precision, "recall": self.recall}
        shown = (
            sides
            if {"gold", "system"} <= totals.keys() and totals["gold"] != totals["system"]
            else {}
        )
        why = {"undefined": self.undefined} if self.undefined else {}
        return {"score": self.value, **why, **shown, "counts": totals}

    def details_json(self, *, scores: bool = False) -> dict[str, Any]:
        """Return what there is for each sentence, as JSON in parts has it.

        These are the columns of the counts, with `scores` the scores, and which items are right as
        bits in base64 (the first item is the highest bit of the first byte).
        """
        columns = self.counts.parts
        data: dict[str, Any] = {
            "by_sentence": {name: _in_parts(column) for name, column in columns.items()}
        }
        if scores:
            data["sentence_scores"] = ListInParts(self._scores_in_parts)
        if (right := self.right_in_parts) is not None:
            data["items"] = TextInParts(lambda: _bits_in_base64(right))
        return data

    def _scores_in_parts(self) -> Iterator[list[float]]:
        columns = self.counts.parts
        for part in zip(*columns.values(), strict=True):
            scores: NDArray[np.float64] = self.metric.formula(dict(zip(columns, part, strict=True)))
            yield scores.tolist()


@dataclass(frozen=True)
class System:
    """A parse and its scores, by the names of the metrics; `skipped` sentences were not scored.

    `comparison` is what the metrics have looked at, and `gold` the whole gold standard, unless
    scores were merged or read from a file; `kept` are then the sentences that they are about, if
    anybody has asked for them. `noted` are sentences that something is to be said about;
    `other_scheme` is that of a parse which follows another one than its gold standard;
    `error_costs` are what the same errors cost in its gold standard and in those of others, by
    metric, where these differ; `gold_name` is what its gold standard is called in a comparison.
    """

    name: str
    scores: dict[str, Score]
    skipped: tuple[str, ...] = ()
    comparison: Any = field(default=None, repr=False, compare=False)
    gold: Corpus | None = field(default=None, repr=False, compare=False)
    kept: Sentences | None = field(default=None, repr=False, compare=False)
    noted: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    other_scheme: OtherScheme | None = None
    error_costs: Mapping[str, float] = field(default_factory=dict, repr=False)
    gold_name: str = field(default="", repr=False)

    def __getitem__(self, metric: str) -> Score:
        """Return the score of a metric, whose name may be written in capitals."""
        name = metric if metric in self.scores else metric.lower()
        if name not in self.scores:
            near = nearest(name, self.scores)
            known = ", ".join(self.scores)
            raise UsageError(f"there is no score by {metric!r}; there are {known}{near}")
        return self.scores[name]

    def __repr__(self) -> str:
        return f"{self.name}: " + ", ".join(map(_shown, self.scores.values()))

    @cached_property
    def sentences(self) -> Sentences | None:
        """The sentences that the counts are about; None where counts were merged without them."""
        if self.gold is None:
            return self.kept
        from commonground.metrics.sentences import SentencesInParts  # noqa: PLC0415  # seldom

        return SentencesInParts([("", (self.headings(),))])

    def headings(self) -> Headings:
        """Return what the sentences of the gold standard say about themselves."""
        from commonground.metrics.sentences import Headings  # noqa: PLC0415  # seldom asked for

        assert self.gold is not None, "merged scores have no gold standard"
        return Headings.of(self.gold, self.comparison.gold)

    def breakdown(self, metric: str, by: str | Sequence[str]) -> list[Bucket]:
        """Return the counts of a metric by properties such as ``deprel``, ``upos``, ``distance``.

        Labels are the same where they are for the scores.
        """
        from commonground.metrics.breakdown import breakdown  # noqa: PLC0415  # seldom asked for

        items, pair = self[metric].items, self.comparison
        if items is None:
            raise UsageError(f"{self.name} has only counts; ask for breakdowns when it is scored")
        by = (by,) if isinstance(by, str) else by
        gold, parse = items.corpora or (pair.gold, pair.system)
        return breakdown(items, gold, parse, by, pair.settings)

    def confusion(self, what: str = "label") -> list[ConfusionCell]:
        """Return what was taken for what: ``label``, or ``head-tag`` for the heads' tags."""
        from commonground.metrics.confusion import confusion  # noqa: PLC0415  # seldom asked for

        pair = self.comparison
        if lost := self.noted.get("lost"):  # nothing was taken for anything there
            kept = ~np.isin(pair.gold.sent_id.tolist(), lost)
            pair, _ = comparison_for(pair.gold.kind)(
                pair.gold[kept], pair.system[kept], pair.settings
            )
        return confusion(pair, what)

    def to_json(self, *, details: bool = True) -> dict[str, Any]:
        """Return the system as JSON has it, with `details` the counts of each sentence, too."""
        data: dict[str, Any] = whole(self.json_in_parts(details=details))
        return data

    def json_in_parts(self, *, details: bool = True, scores: bool = False) -> dict[str, Any]:
        """Return the same with what is long in parts, with `scores` those of each sentence, too."""
        known = self.sentences if details else None
        data: dict[str, Any] = {
            "name": self.name,
            "metrics": {
                name: {**score.to_json(), **(score.details_json(scores=scores) if known else {})}
                for name, score in self.scores.items()
            },
        }
        if self.skipped:
            data["skipped"] = list(self.skipped)
        if self.noted:
            data["noted"] = {what: list(ids) for what, ids in self.noted.items()}
        if self.other_scheme:
            data["other_scheme"] = self.other_scheme.to_json()
        return {**data, **known.json_in_parts()} if known else data


def _in_parts(column: Iterable[NDArray[Any]]) -> ListInParts:
    return ListInParts(lambda: (part.tolist() for part in column))


def _bits_in_base64(parts: Iterable[NDArray[np.bool_]]) -> Iterator[str]:
    """Return flags as bits in base64, where 24 bits are four characters."""
    from base64 import b64encode  # noqa: PLC0415  # only for results that are saved

    rest = np.zeros(0, np.bool_)
    for part in parts:
        flags = np.concatenate([rest, part])
        ready = len(flags) - len(flags) % 24
        yield b64encode(np.packbits(flags[:ready]).tobytes()).decode()
        rest = flags[ready:]
    yield b64encode(np.packbits(rest).tobytes()).decode()


def _shown(score: Score) -> str:
    """Return a score in a few characters."""
    value = percent(score)
    return f"{score.metric.name} {'undefined' if value is None else f'{value:.2f}'}"
