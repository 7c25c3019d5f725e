"""What is compared of each sentence: a set for each gold standard and each parse.

The sets are those of the nodes of function trees (:mod:`commonground.evaluation.prepared_trees`),
or of relations between yields (:mod:`commonground.evaluation.prepared_relations`). What gold
standards agree on, and how a parse is scored, is the same for both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions
from commonground.evaluation.comparison_result import Scores
from commonground.evaluation.metric_score import Score
from commonground.evaluation.protocols import Protocol
from commonground.metrics.items import Items
from commonground.metrics.lost import without_credit

__all__ = ["ComparedSets"]

Flags = NDArray[np.bool_]


class ComparedSets(ABC):
    """The sets of all gold standards and parses.

    `counted` is what their members are called, without labels and with them.
    """

    counted: tuple[str, str] = ("node", "label")
    protocol: Protocol

    @property
    @abstractmethod
    def golds(self) -> dict[str, Functions]:
        """The sets of the gold standards by name."""

    @property
    @abstractmethod
    def parses(self) -> dict[str, Functions]:
        """The sets of the parses by name."""

    @property
    @abstractmethod
    def gold_of(self) -> dict[str, str]:
        """What the gold standard of each system is called."""

    @property
    @abstractmethod
    def own_golds(self) -> tuple[str, ...]:
        """The names of the different gold standards."""

    @property
    @abstractmethod
    def lost(self) -> dict[str, Flags]:
        """Which sentences of each parse count as wrong, as they have other words than the gold."""

    @property
    @abstractmethod
    def scoring(self) -> Callable[..., Items]:
        """What compares a parse with its own gold standard and with what all agree on."""

    @abstractmethod
    def bare_golds(self, *names: str) -> str:
        """Say which of some gold standards has no function labels at all, if any."""

    @abstractmethod
    def bare(self, name: str, *golds: str) -> str:
        """Say whether a parse, or a gold standard that it is scored on, has no function labels."""

    @abstractmethod
    def single(self, name: str) -> Scores:
        """Return the scores of a parse on its own gold standard, over the words of that."""

    @cached_property
    def _generalized(self) -> dict[tuple[str, ...], Functions]:
        return {}

    def generalized(self, names: Sequence[str]) -> Functions:
        """Return what some gold standards agree on; it is found out once."""
        key = tuple(names)
        if key not in self._generalized:
            self._generalized[key] = self.protocol.common(*(self.golds[name] for name in names))
        return self._generalized[key]

    def overlap(self, one: str, other: str) -> Scores:
        """Return the score of one gold standard against another."""
        return self.scores(self.golds[one], self.golds[other], reason=self.bare_golds(one, other))

    def scores(
        self,
        parse: Functions,
        own: Functions,
        gold: Functions | None = None,
        *,
        reason: str = "",
        lost: Flags | None = None,
    ) -> Scores:
        """Return TedEval of a parse; `reason` says why a labelled score means nothing.

        Sentences that are `lost` get no credit.
        """
        both = [self.scoring(parse, own, gold, labelled=flag) for flag in (True, False)]
        if lost is not None:
            both = [without_credit(items, lost) for items in both]
        scored = []
        for metric, items, labelled in zip(self.protocol.metrics, both, (True, False), strict=True):
            why = (reason if labelled else "") or self._undefined(items, labelled=labelled)
            scored.append(Score(metric, items.counts, items, reason=why))
        return Scores(*scored)

    def _undefined(self, items: Items, *, labelled: bool) -> str:
        """Say why a score means nothing: a gold standard without anything a parse could find."""
        if items.counts.totals["gold"]:
            return ""
        return f"the gold standards have no {self.counted[labelled]} in common"
