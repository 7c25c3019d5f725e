"""What all results share: one protocol, and systems with their scores.

A result holds data. It can be written as JSON and read again, it tells what its numbers depend on,
and it becomes tables, a data frame or HTML. Testing, plotting and showing it is the business of
later rooms (see :mod:`commonground.dispatch`). To add a kind of result, write its class on
:class:`Result`, and a module named after its kind in ``report/views``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np

from commonground.dispatch import perform
from commonground.errors import (
    InputError,
    MissingExtraError,
    UsageError,
    nearest,
    setting,
)
from commonground.evaluation.metric_score import Score, percent
from commonground.evaluation.notes import wrong_sentences
from commonground.grid import Grid
from commonground.metrics.names import resolved
from commonground.metrics.registry import comparison_for
from commonground.streamed_json import whole

if TYPE_CHECKING:
    from commonground.corpus import Corpus
    from commonground.evaluation.other_scheme import OtherScheme
    from commonground.evaluation.repairs import Repairs
    from commonground.evaluation.request import Request
    from commonground.metrics.breakdown import Bucket, Cells
    from commonground.metrics.confusion import ConfusionCell
    from commonground.metrics.sentences import Headings, Sentences

__all__ = [
    "MEMORY",
    "Origin",
    "Result",
    "System",
    "find_kind",
    "find_system",
]

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

    def to_pandas(self, table: str = "") -> Any:
        """Return the numbers of the result as a data frame.

        `table` is the title of one of its tables, or how it begins (``"differences"``); of an
        evaluation it can be ``"breakdown"``, too.
        """
        try:
            import pandas as pd  # noqa: PLC0415  # an extra
        except ImportError as error:
            raise MissingExtraError("a data frame", "pandas") from error
        return pd.DataFrame(self.records() if not table else self.table_records(table))

    def table_records(self, table: str) -> list[dict[str, Any]]:
        """Return the rows of a table of the result, by its title or how that begins."""
        wanted = table.casefold()
        grids = self.grids()
        titles = [grid.title for grid in grids if grid.title]
        for grid in grids:
            if grid.title and grid.title.casefold().startswith(wanted):
                columns = [column.title for column in grid.columns]
                return [
                    dict(zip(columns, (cell.value for cell in row), strict=True))
                    for row in grid.rows
                ]
        known = f"there are {', '.join(titles)}" if titles else "it has only one table"
        raise UsageError(f"this result has no table {table!r}; {known}")

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


# ── systems ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class System:
    """A parse and its scores, by the names of the metrics; `skipped` sentences were not scored.

    `comparison` is what the metrics have looked at, and `gold` the whole gold standard, unless
    scores were merged or read from a file; `kept` are then the sentences that they are about, if
    anybody has asked for them. `noted` are sentences that something is to be said about;
    `other_scheme` is that of a parse which follows another one than its gold standard;
    `error_costs` are what the same errors cost in its gold standard and in those of others, by
    metric, where these differ; `gold_name` is what its gold standard is called in a comparison;
    `repairs` are what was repaired in the parse before.
    """

    name: str
    scores: dict[str, Score]
    skipped: tuple[str, ...] = ()
    comparison: Any = field(default=None, repr=False, compare=False)
    gold: Corpus | None = field(default=None, repr=False, compare=False)
    kept: Sentences | None = field(default=None, repr=False, compare=False)
    noted: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    other_scheme: OtherScheme | None = None
    repairs: Repairs | None = field(default=None, kw_only=True, repr=False)
    error_costs: Mapping[str, float] = field(default_factory=dict, repr=False)
    gold_name: str = field(default="", repr=False)

    def __getitem__(self, metric: str) -> Score:
        """Return the score of a metric, by its name or by its title, in any case."""
        if metric in self.scores:
            return self.scores[metric]
        name = resolved(metric, {each: score.metric for each, score in self.scores.items()})
        if name is None:
            near = nearest(metric.lower(), self.scores)
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
        from commonground.metrics.breakdown import buckets  # noqa: PLC0415  # seldom asked for

        return buckets(self.cells(metric, by))

    def cells(self, metric: str, by: str | Sequence[str]) -> Cells:
        """Return what :meth:`breakdown` does in columns, where there are too many to name each."""
        from commonground.metrics.breakdown import cells  # noqa: PLC0415  # seldom asked for

        items, pair = self[metric].items, self.comparison
        if items is None:
            raise UsageError(f"{self.name} has only counts; ask for breakdowns when it is scored")
        by = (by,) if isinstance(by, str) else by
        gold, parse = items.corpora or (pair.gold, pair.system)
        return cells(items, gold, parse, by, pair.settings)

    def confusion(self, what: str = "label") -> list[ConfusionCell]:
        """Return what was taken for what: ``label``, or ``head-tag`` for the heads' tags."""
        from commonground.metrics.confusion import confusion  # noqa: PLC0415  # seldom asked for

        pair = self.comparison
        if lost := wrong_sentences(self.noted):  # nothing was taken for anything there
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
        if self.repairs:
            metrics = {name: score.metric for name, score in self.scores.items()}
            data["repairs"] = self.repairs.to_json(metrics)
        return {**data, **known.json_in_parts()} if known else data


def _shown(score: Score) -> str:
    """Return a score in a few characters."""
    value = percent(score)
    return f"{score.metric.name} {'undefined' if value is None else f'{value:.2f}'}"
