"""Convention or error for several parses of one gold standard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import msgspec

from commonground.evaluation.conventions import Conventions, conventions
from commonground.evaluation.decoding import decoded, unique_names
from commonground.evaluation.result import MEMORY, Result
from commonground.formats.objects import as_corpus

__all__ = ["ConventionsBySystem", "conventions_by_system"]


@dataclass(frozen=True, repr=False)
class ConventionsBySystem(Result):
    """What the wrong heads and labels of several parses are due to, by the name of the parse."""

    kind: ClassVar[str] = "conventions_by_system"
    verb: ClassVar[str] = "evaluate"

    systems: dict[str, Conventions]

    @property
    def signature(self) -> str:
        """What the numbers depend on, which is the same for all parses."""
        return next(iter(self.systems.values())).signature

    def to_json(self) -> dict[str, Any]:
        """Return the parts of each parse as JSON has them."""
        return {
            "kind": self.kind,
            "signature": self.signature,
            "systems": [{"name": name, **each.to_json()} for name, each in self.systems.items()],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Self:
        """Return the result that JSON holds."""
        saved = decoded(data, _Json, path)
        names = [decoded(each.get("name"), str, path, "systems.name") for each in saved.systems]
        unique_names(path, names)
        parts = (Conventions.from_json(each, path) for each in saved.systems)
        return cls(dict(zip(names, parts, strict=True)))

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {each.sentence()}" for name, each in self.systems.items())


class _Json(msgspec.Struct, frozen=True):
    systems: tuple[dict[str, Any], ...]

    def __post_init__(self) -> None:
        if not self.systems:
            raise ValueError("there are no systems")


def conventions_by_system(
    gold: Any, parses: Mapping[str, Any], **options: Any
) -> ConventionsBySystem:
    """Tell conventions from errors in several parses; `options` are those of :func:`conventions`.

    >>> result = conventions_by_system("example:ud", {"a": "example:ud-parse", "b": "example:ud"})
    >>> {name: each.by_convention for name, each in result.systems.items()}
    {'a': 0, 'b': 0}
    """
    reference = as_corpus(gold)
    return ConventionsBySystem(
        {name: conventions(reference, parse, **options) for name, parse in parses.items()}
    )
