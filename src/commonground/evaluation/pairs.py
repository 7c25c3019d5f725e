"""Which files belong together: gold standards, and the parses of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from commonground.errors import InputError, UsageError, setting
from commonground.formats.storage.files import unpacked
from commonground.formats.storage.folders import files_of, is_many

__all__ = ["Pair", "find_pairs"]


class Pair(NamedTuple):
    """A gold standard and a parse of it: their files, the system, and the name of the pair.

    A `problem` says why there is no parse.
    """

    gold: str
    parse: str
    system: str
    name: str = ""
    problem: str = ""


def find_pairs(gold: str, parses: Mapping[str, str], *, lenient: bool = False) -> list[Pair]:
    """Return the pairs of files to be compared; `parses` are paths by the names of the systems.

    Where `gold` is a folder or a pattern such as ``gold/*.conllu``, so is each parse, and files
    belong together when they have the same name, whatever the suffix. Where `gold` is one file, a
    folder or a pattern of parses stands for several systems.

    What a system lacks is an error, unless this is `lenient`: then it is the problem of the pair,
    and files of a system that belong to no gold standard do not matter.
    """
    if not is_many(gold):
        return [
            pair for system, path in parses.items() for pair in _one(gold, system, path, lenient)
        ]
    golds = _by_name(gold)
    pairs = [
        pair
        for system, wanted in parses.items()
        for pair in _many(gold, golds, system, wanted, lenient)
    ]
    order = list(golds)
    return sorted(pairs, key=lambda pair: order.index(pair.name))


def _one(gold: str, system: str, wanted: str, lenient: bool) -> list[Pair]:  # noqa: FBT001
    """Return the pairs of one gold standard and what is called a system: a parse, or several."""
    if not is_many(wanted):
        return [Pair(gold, wanted, system)]
    try:
        return [Pair(gold, path, path) for path in files_of(wanted)]
    except InputError as error:
        if not lenient:
            raise
        return [Pair(gold, wanted, system, problem=str(error))]


def _several(wanted: str) -> str:
    if not is_many(wanted):
        raise UsageError(f"the gold standard is several files, but {wanted} is one parse")
    return wanted


def _many(
    gold: str,
    golds: Mapping[str, str],
    system: str,
    wanted: str,
    lenient: bool,  # noqa: FBT001
) -> list[Pair]:
    """Return the pairs of several gold standards and a system."""
    try:
        theirs = _by_name(_several(wanted))
    except (InputError, UsageError) as error:
        if not lenient:
            raise
        return [Pair(path, "", system, name, str(error)) for name, path in golds.items()]
    for name in () if lenient else sorted(golds.keys() ^ theirs.keys()):
        path, other = (golds[name], wanted) if name in golds else (theirs[name], gold)
        what = f"there is no file {name} in {other} to compare it with"
        raise InputError(path, 0, f"{what}; use {setting('on_error', 'skip')} or zero to continue")
    return [
        Pair(path, theirs[name], system, name)
        if name in theirs
        else Pair(path, "", system, name, f"there is no file {name} in {wanted}")
        for name, path in golds.items()
    ]


def _by_name(path: str) -> dict[str, str]:
    by_name: dict[str, str] = {}
    for file in files_of(path):
        name = unpacked(file).stem
        if name in by_name:
            raise InputError(file, 0, f"{by_name[name]} has the same name, up to the suffix")
        by_name[name] = file
    return by_name
