"""A result as plots look at it: what of it is wanted, and what can be found out from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from commonground.engine import Jobs
from commonground.errors import InputError, UsageError, quoted
from commonground.evaluation.comparison_result import CompareResult
from commonground.evaluation.inputs import InputFiles, find_inputs
from commonground.evaluation.main_metric import chosen_metric, likeliest
from commonground.evaluation.result import Result, System
from commonground.report.material.material import Material
from commonground.report.material.treebanks import material_of, scored_again

__all__ = ["Source"]

Value = TypeVar("Value")


@dataclass(frozen=True)
class Source:
    """A result, what of it is wanted, and what can be found out from it.

    The systems of a result in memory may know their items, so that no treebank is read again.
    """

    result: Result
    metric: str = ""
    names: tuple[str, ...] = ()
    jobs: Jobs = 1

    @property
    def path(self) -> str:
        """The file that the result was read from."""
        return self.result.origin.path

    @cached_property
    def systems(self) -> tuple[System, ...]:
        """The wanted systems with their counts."""
        return tuple(self.chosen({each.name: each for each in self.result.scored()}).values())

    @cached_property
    def main(self) -> str:
        """The metric that the plot is about."""
        return chosen_metric(self.systems, self.path, self.metric)

    @cached_property
    def material(self) -> Material:
        """The sentences of the result, with the treebanks if they are still there."""
        return material_of(self.result, self._inputs).only([each.name for each in self.systems])

    @cached_property
    def _inputs(self) -> InputFiles:
        return find_inputs(self.result.request, self.path)

    @cached_property
    def again(self) -> tuple[System, ...]:
        """The systems scored again, which takes the treebanks; then single items are known."""
        if all(each.comparison for each in self.systems):
            return self.systems
        if isinstance(self.result, CompareResult):
            raise UsageError(
                "a result of compare has no single words; plot one of evaluate, for each scheme"
            )
        if self.material.missing:
            why = self.material.missing[0]
            raise InputError(self.path, 0, f"this plot needs the treebanks of the result; {why}")
        return scored_again(self.material, self.result.request, self.main, self._inputs)

    def chosen(self, known: dict[str, Value]) -> dict[str, Value]:
        """Return those of some systems that are wanted, in the order in which they are."""
        for name in self.names:
            if name not in known:
                there = ", ".join(known)
                raise UsageError(f"{self.path} has no system {quoted(name)}; it has {there}")
        return {name: known[name] for name in self.names} if self.names else known

    def about(self, by_metric: dict[str, Value], what: str) -> tuple[str, Value]:
        """Return what was found about the wanted metric, or about the likeliest one."""
        if not by_metric:
            raise InputError(self.path, 0, f"this result has no {what}")
        if self.metric and self.metric not in by_metric:
            there = ", ".join(by_metric)
            raise UsageError(f"{self.path} has no {what} by {self.metric}; it has {there}")
        name = self.metric or likeliest(list(by_metric))
        return name, by_metric[name]
