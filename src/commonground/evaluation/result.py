"""What an evaluation found, as values: scores with their counts, systems, and the signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from commonground.errors import UsageError
from commonground.metrics.items import Counts, Items
from commonground.metrics.metric import Metric, precision, recall
from commonground.metrics.settings import Settings

if TYPE_CHECKING:
    from commonground.corpus import Corpus
    from commonground.metrics.breakdown import Bucket
    from commonground.metrics.confusion import Cell
    from commonground.metrics.sentences import Headings, Sentences

__all__ = ["Result", "Score", "System"]


@dataclass(frozen=True)
class Score:
    """A metric's score on a corpus, with the counts per sentence behind it.

    Behind these are the `items` that were counted, unless counts were merged or read from a file;
    then `judged` may still tell which of the items are right.
    """

    metric: Metric
    counts: Counts
    items: Items | None = field(default=None, repr=False, compare=False)
    judged: NDArray[np.bool_] | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, metric: Metric, comparison: Any) -> Score:
        """Return the score of a comparison."""
        items = metric.items(comparison)
        return cls(metric, items.counts, items)

    @cached_property
    def value(self) -> float:
        """The score of the corpus, from the summed counts; a fraction of 1."""
        return self.metric.formula(self.counts.totals)

    @property
    def empty(self) -> bool:
        """Whether neither side had anything to count; then the score says nothing."""
        totals = self.counts.totals
        return not (totals.get("gold") or totals.get("system"))

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
        return self.judged if self.items is None else self.items.right

    def by_sentence(self) -> NDArray[np.float64]:
        """Return the score of each sentence by itself."""
        found: NDArray[np.float64] = self.metric.formula(self.counts.columns)
        return found

    def only(self, sentences: NDArray[np.int64]) -> Score:
        """Return the score of some sentences, by their places."""
        columns = {name: column[sentences] for name, column in self.counts.columns.items()}
        right = self.right
        if right is not None:
            each = np.split(right, np.cumsum(self.counts.columns["gold"])[:-1])
            right = np.concatenate([right[:0], *(each[place] for place in sentences)])
        return Score(self.metric, Counts(columns), judged=right)

    def to_json(self) -> dict[str, Any]:
        """Return the score as JSON has it."""
        totals = self.counts.totals
        sides = {"precision": self.precision, "recall": self.recall}
        shown = (
            sides
            if {"gold", "system"} <= totals.keys() and totals["gold"] != totals["system"]
            else {}
        )
        return {"score": self.value, **shown, "counts": totals}

    def details_json(self, *, scores: bool = False) -> dict[str, Any]:
        """Return what there is for each sentence, as JSON has it.

        These are the columns of the counts, with `scores` the scores, and which items are right as
        bits in base64 (the first item is the highest bit of the first byte).
        """
        found: dict[str, Any] = {"by_sentence": self.counts.to_json()}
        if scores:
            found["sentence_scores"] = self.by_sentence().tolist()
        if (right := self.right) is not None:
            from base64 import b64encode  # noqa: PLC0415  # only for results that are saved

            found["items"] = b64encode(np.packbits(right).tobytes()).decode()
        return found


@dataclass(frozen=True)
class System:
    """A parse and its scores, by the names of the metrics; `skipped` sentences took no part.

    `comparison` is what the metrics have looked at, and `gold` the whole gold standard, unless
    scores were merged or read from a file; `kept` are then the sentences that they are about, if
    anybody has asked for them.
    """

    name: str
    scores: dict[str, Score]
    skipped: tuple[str, ...] = ()
    comparison: Any = field(default=None, repr=False, compare=False)
    gold: Corpus | None = field(default=None, repr=False, compare=False)
    kept: Sentences | None = field(default=None, repr=False, compare=False)

    def __getitem__(self, metric: str) -> Score:
        return self.scores[metric]

    @cached_property
    def sentences(self) -> Sentences | None:
        """The sentences that the counts are about; None where counts were merged without them."""
        return self.kept if self.gold is None else self.headings().sentences()

    def headings(self) -> Headings:
        """Return what the sentences of the gold standard say about themselves."""
        from commonground.metrics.sentences import Headings  # noqa: PLC0415  # seldom asked for

        assert self.gold is not None, "merged scores have no gold standard"
        return Headings.of(self.gold, self.comparison.gold)

    def breakdown(
        self, metric: str, by: Sequence[str], settings: Settings | None = None
    ) -> list[Bucket]:
        """Return the counts of a metric by properties such as ``deprel``, ``upos``, ``distance``.

        The settings should be those of the evaluation: they say which labels are the same.
        """
        from commonground.metrics.breakdown import breakdown  # noqa: PLC0415  # seldom asked for

        items, pair = self.scores[metric].items, self.comparison
        assert items is not None, "merged scores have no items"
        gold, parse = items.corpora or (pair.gold, pair.system)
        return breakdown(items, gold, parse, by, settings or Settings())

    def confusion(self, what: str = "label") -> list[Cell]:
        """Return what was taken for what: ``label``, or ``head-tag`` for the heads' tags."""
        from commonground.metrics.confusion import confusion  # noqa: PLC0415  # seldom asked for

        return confusion(self.comparison, what)

    def to_json(self, *, details: bool = True, scores: bool = False) -> dict[str, Any]:
        """Return the system as JSON has it.

        With `details`, the counts of each sentence are there too, and with `scores` its scores.
        """
        known = self.sentences if details else None
        found: dict[str, Any] = {
            "name": self.name,
            "metrics": {
                name: {**score.to_json(), **(score.details_json(scores=scores) if known else {})}
                for name, score in self.scores.items()
            },
        }
        if self.skipped:
            found["skipped"] = list(self.skipped)
        return {**found, **known.to_json()} if known else found


@dataclass(frozen=True)
class Result:
    """The scores of one or more parses of a gold standard.

    `signature` names everything that the numbers depend on. Scores of a single system can be asked
    for at once: ``result["las"].value``.
    """

    signature: str
    systems: tuple[System, ...]

    def __getitem__(self, name: str) -> Score:
        """Return the score of a metric; there must be only one system."""
        if len(self.systems) > 1:
            names = ", ".join(system.name for system in self.systems)
            raise UsageError(f"there are several systems ({names}); system(NAME) returns one")
        return self.systems[0][name]

    def system(self, name: str) -> System:
        """Return a system by its name."""
        return next(system for system in self.systems if system.name == name)

    def to_json(self, *, scores: bool = False) -> dict[str, Any]:
        """Return the result as JSON has it, with `scores` those of each sentence too."""
        return {
            "signature": self.signature,
            "systems": [system.to_json(scores=scores) for system in self.systems],
            "tests": [],
        }

    def __repr__(self) -> str:
        lines = [
            f"{system.name}: "
            + ", ".join(f"{n} {100 * s.value:.2f}" for n, s in system.scores.items())
            for system in self.systems
        ]
        return "\n".join([*lines, self.signature])
