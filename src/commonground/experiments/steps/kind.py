"""A kind of step: what it does, its values, and which of them are taken from other steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from commonground.experiments.steps.values import Value

__all__ = ["StepKind", "Values"]

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StepKind:
    """A kind of step: what it does, its values, and which of them are taken from other steps.

    Of what is taken, some is `optional`; of the `options`, some are `needed`. What `foreseen` finds
    will make a step fail here, though its values are right. A change in what a kind makes of the
    same values raises its `version`.
    """

    name: str
    title: str
    make: Callable[[Values, Path], None]
    taken: tuple[str, ...]
    options: Mapping[str, Value] = field(default_factory=dict)
    optional: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    foreseen: Callable[[Values], str] = lambda _: ""
    version: int = 1

    @property
    def values(self) -> tuple[str, ...]:
        """The names of all values."""
        return (*self.taken, *self.options)

    @property
    def required(self) -> tuple[str, ...]:
        """The values that must be given."""
        return (*(name for name in self.taken if name not in self.optional), *self.needed)
