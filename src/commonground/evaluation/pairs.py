"""Which files belong together: gold standards, and the parses of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

from commonground.errors import InputError, UsageError
from commonground.formats.folders import files_of, is_many

__all__ = ["COMPRESSION", "Pair", "find_pairs"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A gold standard and a parse of it: their files, the system, and the name of the pair."""

    gold: str
    parse: str
    system: str
    name: str = ""


def find_pairs(gold: str, parses: Mapping[str, str]) -> list[Pair]:
    """Return the pairs of files to be compared; `parses` are paths by the names of the systems.

    Where `gold` is a folder or a pattern such as ``gold/*.conllu``, so is each parse, and files
    belong together when they have the same name, whatever the suffix. Where `gold` is one file, a
    folder or a pattern of parses stands for several systems.
    """
    if not is_many(gold):
        files = {
            system if path == wanted else path: path
            for system, wanted in parses.items()
            for path in (files_of(wanted) if is_many(wanted) else [wanted])
        }
        return [Pair(gold, path, system) for system, path in files.items()]
    golds = _by_name(gold)
    found = []
    for system, wanted in parses.items():
        if not is_many(wanted):
            raise UsageError(f"the gold standard is several files, but {wanted} is one parse")
        theirs = _by_name(wanted)
        for name in sorted(golds.keys() ^ theirs.keys()):
            path, other = (golds[name], wanted) if name in golds else (theirs[name], gold)
            raise InputError(path, 0, f"there is no file {name} in {other} to compare it with")
        found += [Pair(golds[name], theirs[name], system, name) for name in golds]
    order = list(golds)
    return sorted(found, key=lambda pair: order.index(pair.name))


COMPRESSION = (".gz", ".xz", ".zst")
"""The suffixes of compressed files."""


def _by_name(path: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in files_of(path):
        whole = PurePath(file)
        name = (whole.with_suffix("") if whole.suffix in COMPRESSION else whole).stem
        if name in found:
            raise InputError(file, 0, f"{found[name]} has the same name, up to the suffix")
        found[name] = file
    return found
