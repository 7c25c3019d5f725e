"""The treebanks of a comparison as relations between yields, over the same units as their trees.

See :mod:`commonground.ground.related_yields` for what a relation is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions
from commonground.evaluation.compared_sets import ComparedSets
from commonground.evaluation.comparison_result import Scores
from commonground.ground.placing import Units, numbers_of
from commonground.ground.related_yields import relations_on
from commonground.metrics.items import Items

if TYPE_CHECKING:
    from commonground.evaluation.prepared_trees import PreparedTrees

__all__ = ["PreparedRelations"]

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]


class PreparedRelations(ComparedSets):
    """The relations of all gold standards and parses of prepared `trees`."""

    counted = "relation", "labelled relation"

    def __init__(self, trees: PreparedTrees) -> None:
        self._trees = trees
        self.protocol = trees.protocol
        self._own = {
            name: trees.labelling.relations(name, gold) for name, (gold, _) in trees.corpora.items()
        }
        self._told = {
            name: trees.labelling.relations(name, parse) for name, parse in trees.stand_ins.items()
        }

    @cached_property
    def golds(self) -> dict[str, Functions]:
        """The relations of the gold standards."""
        trees = self._trees
        return {
            name: self._gold(name, numbers, trees.units.trees[0])
            for name, numbers in zip(trees.names, trees.units.numbers, strict=False)
        }

    @cached_property
    def parses(self) -> dict[str, Functions]:
        """The relations of the parses."""
        trees = self._trees
        return {
            name: self._parse(name, numbers, trees.units.trees[0])
            for name, numbers in zip(trees.names, trees.units.numbers, strict=False)
        }

    def _gold(self, name: str, numbers: Numbers, model: Functions) -> Functions:
        """Return the relations of a gold standard over numbers of its words."""
        words, kept = self._trees.gold_trees[name].words, self._trees.units.kept
        place = np.zeros(words.sentences, np.int64)
        place[kept] = np.arange(len(kept))
        number = np.where(
            np.repeat(np.isin(np.arange(len(place)), kept), words.lengths), numbers, 0
        )
        sentence = place[words.sentence_of_row()]
        return self._compared(relations_on(self._own[name], words, model, sentence, number))

    def _parse(self, name: str, numbers: Numbers, model: Functions) -> Functions:
        """Return the relations of a parse over numbers of the words of its gold standard."""
        trees = self._trees
        units: Units = trees.gold_trees[name].words, numbers
        tree = trees.parse_trees[name]
        home, number = numbers_of(tree, trees.paired[name], units, model, trees.units.kept)
        return self._compared(relations_on(self._told[name], tree.words, model, home, number))

    def _compared(self, relations: Functions) -> Functions:
        return self.protocol.trees(relations, self._trees.settings.label)

    def single(self, name: str) -> Scores:
        """Return the scores of a parse on its own gold standard, over the words of that."""
        trees, own = self._trees, self.gold_of[name]
        numbers, model = trees.own_numbers(name), trees.model(name).take(trees.units.kept)
        both = self._parse(name, numbers, model), self._gold(name, numbers, model)
        return self.scores(*both, reason=self.bare(name, own), lost=self.lost.get(name))

    @property
    def gold_of(self) -> dict[str, str]:
        """What the gold standard of each system is called."""
        return self._trees.gold_of

    @property
    def own_golds(self) -> tuple[str, ...]:
        """The names of the different gold standards."""
        return self._trees.own_golds

    @property
    def lost(self) -> dict[str, Flags]:
        """Which sentences of each parse count as wrong."""
        return self._trees.lost

    @cached_property
    def scoring(self) -> Callable[..., Items]:
        """What compares relations; it remembers them."""
        return self.protocol.scoring(self._trees.terms.costs)

    def bare_golds(self, *names: str) -> str:
        """Say which of some gold standards has no function labels at all, if any."""
        return self._trees.bare_golds(*names)

    def bare(self, name: str, *golds: str) -> str:
        """Say whether a parse, or a gold standard that it is scored on, has no function labels."""
        return self._trees.bare(name, *golds)
