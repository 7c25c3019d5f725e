"""A saved result as plots look at it: what of it is wanted, and what can be found out from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from commonground.engine import Jobs
from commonground.errors import InputError, UsageError, quoted
from commonground.evaluation.inputs import Found as Inputs
from commonground.evaluation.inputs import find_inputs
from commonground.evaluation.main_metric import likeliest
from commonground.evaluation.result import System
from commonground.evaluation.saved import Saved, result_of
from commonground.report.page.comparison import comparison_material
from commonground.report.page.evaluation import evaluation_material, scored_again
from commonground.report.page.material import Material
from commonground.report.page.summary import chosen_metric
from commonground.report.plots.findings import Findings

__all__ = ["Source"]

Found = TypeVar("Found")


@dataclass(frozen=True)
class Source:
    """A saved result, what of it is wanted, and what can be found out from it.

    Of a result in memory, the `scored` systems know their items, so that no treebank is read again.
    """

    path: str
    data: dict[str, Any]
    metric: str = ""
    systems: tuple[str, ...] = ()
    jobs: Jobs = 1
    scored: tuple[System, ...] = ()

    @cached_property
    def findings(self) -> Findings:
        """What the result itself says about differences, runs, power and agreement."""
        return Findings(self.path, self.data)

    @cached_property
    def _whole(self) -> Saved:
        """The result with the counts of all systems."""
        return result_of(self.data, self.path)

    @cached_property
    def saved(self) -> Saved:
        """The result with the counts of the wanted systems."""
        chosen = self.chosen({system.name: system for system in self._whole.systems})
        return replace(self._whole, systems=tuple(chosen.values()))

    @cached_property
    def main(self) -> str:
        """The metric that the plot is about."""
        return chosen_metric(self.saved, self.metric)

    @cached_property
    def material(self) -> Material:
        """The sentences of the result, with the treebanks if they are still there."""
        of = comparison_material if self._whole.verb == "compare" else evaluation_material
        every = of(self._whole, self._found)
        names = [system.name for system in self.saved.systems]
        sides = {name: every.sides[name] for name in names if every.sides}
        return replace(every, saved=self.saved, sides=sides)

    @cached_property
    def _found(self) -> Inputs:
        return find_inputs(self._whole.request, self.path)

    @cached_property
    def again(self) -> tuple[System, ...]:
        """The systems scored again, which takes the treebanks; then single items are known."""
        if self.scored:
            return tuple(self.chosen({system.name: system for system in self.scored}).values())
        if self.saved.verb == "compare":
            raise UsageError(
                "a result of compare has no single words; plot one of evaluate, for each scheme"
            )
        if self.material.missing:
            why = self.material.missing[0]
            raise InputError(self.path, 0, f"this plot needs the treebanks of the result; {why}")
        return scored_again(self.material, self.main, self._found)

    def chosen(self, known: dict[str, Found]) -> dict[str, Found]:
        """Return those of some systems that are wanted, in the order in which they are."""
        for name in self.systems:
            if name not in known:
                there = ", ".join(known)
                raise UsageError(f"{self.path} has no system {quoted(name)}; it has {there}")
        return {name: known[name] for name in self.systems} if self.systems else known

    def about(self, found: dict[str, Found], what: str) -> tuple[str, Found]:
        """Return what was found about the wanted metric, or about the likeliest one."""
        if not found:
            raise InputError(self.path, 0, f"this result has no {what}")
        if self.metric and self.metric not in found:
            there = ", ".join(found)
            raise UsageError(f"{self.path} has no {what} by {self.metric}; it has {there}")
        name = self.metric or likeliest(list(found))
        return name, found[name]
