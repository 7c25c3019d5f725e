"""Several saved results together, if their scores mean the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest

from commonground.errors import UsageError, quoted, setting
from commonground.evaluation.notes import NOTES
from commonground.evaluation.result import System
from commonground.evaluation.saved import Saved, fair

__all__ = ["Together", "refuse_incomparable", "together"]


@dataclass(frozen=True, slots=True)
class Together:
    """The systems of several saved results, which can be compared, and their common signature.

    `files` has the systems on each file, if all results are about the same ones.
    """

    verb: str
    signature: str
    systems: tuple[System, ...]
    files: Mapping[str, tuple[System, ...]] = field(default_factory=dict)

    def tested(self) -> tuple[System, ...]:
        """Return the systems with the scores that are fair to test between them."""
        return fair(self.verb, self.systems)


_NO_MATTER = tuple(
    f"{name}:"
    for name in ("gold", "on-mismatch", "realigned", "skipped", "mappings", "broken", *NOTES)
)
"""Parts of signatures that say which sentences count (the sentences themselves are compared), or
how the output of each system was read."""
_OF_TESTS = "test:"
"""Where the part of a signature begins that is about tests which were made before."""


def together(results: Mapping[str, Saved], *, force: bool = False) -> Together:
    """Put the systems of saved results together; `results` are by the names to call them by.

    A system whose name is in several results is called by that of the result as well. Results whose
    signatures differ in what scores depend on are refused, unless `force` is given.
    """
    (first, *others) = results.values()
    if not force:
        for other in others:
            refuse_incomparable(first, other)
    names = [system.name for saved in results.values() for system in saved.systems]
    called = [
        _only_name(name, saved, system.name, unique=names.count(system.name) == 1)
        for name, saved in results.items()
        for system in saved.systems
    ]
    return Together(
        first.verb,
        "|".join(_ground(first.signature)),
        _renamed([saved.systems for saved in results.values()], called),
        _files_in_common(list(results.values()), called),
    )


def _renamed(groups: Iterable[Sequence[System]], names: Sequence[str]) -> tuple[System, ...]:
    systems = chain.from_iterable(groups)
    return tuple(replace(each, name=name) for each, name in zip(systems, names, strict=True))


def _files_in_common(
    results: Sequence[Saved], names: Sequence[str]
) -> dict[str, tuple[System, ...]]:
    """Return the systems on each file, if all results are about the same files."""
    first, *others = (saved.files for saved in results)
    if any(list(first) != list(other) for other in others):
        return {}
    return {
        file: _renamed([systems, *(other[file] for other in others)], names)
        for file, systems in first.items()
    }


def _only_name(result: str, saved: Saved, system: str, *, unique: bool) -> str:
    """Return what a system is called: its own name, if no other has it, or that of the result."""
    if unique and result == saved.path:
        return system
    return result if len(saved.systems) == 1 else f"{result}:{system}"


def refuse_incomparable(one: Saved, other: Saved) -> None:
    """Raise an error where scores of two results cannot be compared, and say why."""
    if one.verb != other.verb:
        raise UsageError(f"{one.path} is a result of {one.verb}, {other.path} of {other.verb}")
    for here, there in zip_longest(_ground(one.signature), _ground(other.signature)):
        if here != there:
            raise UsageError(
                f"the scores are not comparable: {one.path} has {quoted(str(here), 80)}, "
                f"{other.path} has {quoted(str(there), 80)}; {setting('force')} compares them "
                "anyway"
            )


def _ground(signature: str) -> list[str]:
    """Return the parts of a signature that decide what scores mean."""
    parts = signature.split("|")
    tests = [place for place, part in enumerate(parts) if part.startswith(_OF_TESTS)]
    return [
        part
        for part in parts[: tests[0] if tests else None]
        if not part.startswith(_NO_MATTER) or part == "on-mismatch:realign"
    ]
