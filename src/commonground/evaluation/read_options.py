"""How the files of a request are read."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.evaluation.signature import signed

__all__ = ["ReadOptions"]


@signed
@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The `format` of the files, unless their content tells, and whether trees are `partial`."""

    format: str | None = None
    partial: bool = False
