"""Several saved results together, if their scores mean the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest

from commonground.errors import UsageError, quoted, setting
from commonground.evaluation.notes import NOTES
from commonground.evaluation.result import Result, System

__all__ = ["CombinedResults", "combine_results", "refuse_incomparable"]


@dataclass(frozen=True, slots=True)
class CombinedResults:
    """The systems of several saved results, which can be compared, and their common signature.

    `systems` have all of their scores, `tested` those that are fair to test between them. `files`
    has the systems on each file, if all results are about the same ones.
    """

    signature: str
    systems: tuple[System, ...]
    tested: tuple[System, ...]
    files: Mapping[str, tuple[System, ...]] = field(default_factory=dict)


_NO_MATTER = tuple(
    f"{name}:"
    for name in (
        "gold",
        "on-mismatch",
        "realigned",
        "skipped",
        "mappings",
        "broken",
        "parsed-by",
        *NOTES,
    )
)
"""Parts of signatures that say which sentences count (the sentences themselves are compared), or
how the output of each system was read."""
_OF_TESTS = "test:"
"""Where the part of a signature begins that is about tests which were made before."""


def combine_results(results: Mapping[str, Result], *, force: bool = False) -> CombinedResults:
    """Put the systems of saved results together; `results` are by the names to call them by.

    A system whose name is in several results is called by that of the result as well. Results whose
    signatures differ in what scores depend on are refused, unless `force` is given.
    """
    (first, *others) = results.values()
    if not force:
        for other in others:
            refuse_incomparable(first, other)
    scored = {name: result.scored() for name, result in results.items()}
    names = [system.name for systems in scored.values() for system in systems]
    called = [
        _only_name(name, results[name], len(systems), each.name, unique=names.count(each.name) == 1)
        for name, systems in scored.items()
        for each in systems
    ]
    return CombinedResults(
        "|".join(_ground(first.signature)),
        _renamed(scored.values(), called),
        _renamed([result.tested() for result in results.values()], called),
        _files_in_common(list(results.values()), called),
    )


def _renamed(groups: Iterable[Sequence[System]], names: Sequence[str]) -> tuple[System, ...]:
    systems = chain.from_iterable(groups)
    return tuple(replace(each, name=name) for each, name in zip(systems, names, strict=True))


def _files_in_common(
    results: Sequence[Result], names: Sequence[str]
) -> dict[str, tuple[System, ...]]:
    """Return the systems on each file, if all results are about the same files."""
    first, *others = (result.files for result in results)
    if any(list(first) != list(other) for other in others):
        return {}
    return {
        file: _renamed([systems, *(other[file] for other in others)], names)
        for file, systems in first.items()
    }


def _only_name(name: str, result: Result, count: int, system: str, *, unique: bool) -> str:
    """Return what a system is called: its own name, if no other has it, or that of the result."""
    if unique and name == result.origin.path:
        return system
    return name if count == 1 else f"{name}:{system}"


def refuse_incomparable(one: Result, other: Result) -> None:
    """Raise an error where scores of two results cannot be compared, and say why."""
    here, there = one.origin.path, other.origin.path
    if one.kind != other.kind:
        raise UsageError(f"{here} is a result of {one.verb}, {there} of {other.verb}")
    for first, second in zip_longest(_ground(one.signature), _ground(other.signature)):
        if first != second:
            raise UsageError(
                f"the scores are not comparable: {here} has {quoted(str(first), 80)}, "
                f"{there} has {quoted(str(second), 80)}; {setting('force')} compares them anyway"
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
