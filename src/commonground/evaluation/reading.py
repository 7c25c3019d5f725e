"""How the files of a request are read."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.evaluation.signature import signed

__all__ = ["Reading"]


@signed
@dataclass(frozen=True, slots=True)
class Reading:
    """The `format` of the files, unless their content tells, and whether trees are `partial`."""

    format: str | None = None
    partial: bool = False
