"""How the files of a request are read."""

from __future__ import annotations

from dataclasses import dataclass, field

from commonground.evaluation.signature import signed

__all__ = ["ReadOptions"]


@signed
@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The `format` of the files, unless their content tells, and whether trees are `partial`.

    Parses can be repaired by a policy (:mod:`commonground.repair`).
    """

    format: str | None = None
    partial: bool = False
    repair: str | None = field(default=None, metadata={"if set": True})
