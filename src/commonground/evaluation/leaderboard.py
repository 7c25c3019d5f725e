"""The leaderboard of a folder of saved results: which systems were scored on which treebanks.

A result of ``evaluate`` is about one treebank (its gold standard) or about several (the files of a
folder), and about one system or several. All of them together make one table of systems and
treebanks. Only systems that were scored on all treebanks can be ranked by an average over them; the
others are told with what they lack, and so are results that cannot be read or compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

import numpy as np

from commonground.errors import InputError, UsageError
from commonground.evaluation.combined_results import refuse_incomparable
from commonground.evaluation.metric_score import Score
from commonground.evaluation.result import Result, System
from commonground.evaluation.saved import read_result
from commonground.evaluation.scores import Broken, Evaluation
from commonground.formats.storage.files import unpacked
from commonground.metrics.items import Counts

__all__ = ["read_leaderboard", "result_files"]

Cells = dict[str, dict[str, System]]
"""The scores of each system on each treebank: by the treebank, then by the system."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What one result says about one treebank: its systems, and the digest of the gold standard."""

    treebank: str
    systems: tuple[System, ...]
    gold: str
    path: str


def result_files(folder: str) -> list[str]:
    """Return the saved results in a folder, in order."""
    paths = sorted(
        path
        for path in Path(folder).iterdir()
        if unpacked(path).suffix == ".json" and path.is_file()
    )
    if not paths:
        raise InputError(folder, 0, "there are no results (*.json) in this folder")
    return list(map(str, paths))


def read_leaderboard(files: Sequence[str]) -> tuple[Evaluation, tuple[Evaluation, ...]]:
    """Return all systems of saved results as one evaluation, and the results.

    With several treebanks, `pairs` has each of them, and `systems` all of them together.
    """
    results, broken = _read(files)
    if not results:
        raise UsageError(f"no result can be used; the first one: {broken[0].reason}")
    broken += [
        replace(each, file=each.file or _treebank(result))
        for result, _ in results
        for each in result.broken
    ]
    cells, clashes = _cells([part for _, parts in results for part in parts])
    broken += clashes
    names = list(dict.fromkeys(name for systems in cells.values() for name in systems))
    whole = [name for name in names if all(name in systems for systems in cells.values())]
    known = {(each.system, each.file) for each in broken}
    broken += [
        Broken(name, treebank, "it has no result on this treebank")
        for name in names
        for treebank, systems in cells.items()
        if name not in systems and (name, treebank) not in known
    ]
    if not whole:
        raise UsageError(
            f"no system was scored on all {len(cells)} treebanks; evaluate GOLD NAME=FILE gives a "
            "system the same name in all results"
        )
    evaluation = _evaluation(results[0][0].signature, cells, whole, broken)
    return evaluation, tuple(result for result, _ in results)


def _read(files: Iterable[str]) -> tuple[list[tuple[Evaluation, list[_Part]]], list[Broken]]:
    """Return the results that can be compared, with their parts, and why the others cannot."""
    readable: list[tuple[Evaluation, list[_Part]]] = []
    broken: list[Broken] = []
    for file in files:
        try:
            result = _evaluated(read_result(file))
            refuse_incomparable(readable[0][0] if readable else result, result)
            readable.append((result, _parts(result)))
        except (InputError, UsageError) as error:
            broken.append(Broken(PurePath(file).name, "", str(error)))
    return readable, broken


def _evaluated(result: Result) -> Evaluation:
    """Return a result if it is one of ``evaluate``."""
    if not isinstance(result, Evaluation):
        path = result.origin.path
        raise UsageError(f"{path}: this is a result of {result.verb}, not of evaluate")
    return result


def _treebank(result: Evaluation) -> str:
    """Return what the gold standard of a result is called."""
    return PurePath(result.request.gold or result.origin.path).name


def _parts(result: Evaluation) -> list[_Part]:
    """Return what a result says about each treebank that it is about."""
    path, request = result.origin.path, result.request
    gold = request.inputs.get(request.gold or "", "")
    if len(result.files) == 1:  # the whole is this file, and knows the counts of its sentences
        return [_Part(next(iter(result.files)), result.systems, "", path)]
    return [_Part(name, systems, "", path) for name, systems in result.files.items()] or [
        _Part(_treebank(result), result.systems, gold, path)
    ]


def _cells(parts: Sequence[_Part]) -> tuple[Cells, list[Broken]]:
    """Return the systems on each treebank; what was scored twice has the name of its result."""
    cells: Cells = {}
    golds: dict[str, _Part] = {}
    broken = []
    for part in parts:
        first = golds.setdefault(part.treebank, part)
        if first.gold != part.gold:
            reason = f"{part.path} has another gold standard than {first.path}"
            broken += [Broken(system.name, part.treebank, reason) for system in part.systems]
            continue
        systems = cells.setdefault(part.treebank, {})
        for system in part.systems:
            twice = system.name in systems
            name = f"{PurePath(part.path).stem}: {system.name}" if twice else system.name
            systems[name] = replace(system, name=name)
    return cells, broken


def _evaluation(
    signature: str, cells: Cells, names: Sequence[str], broken: Sequence[Broken]
) -> Evaluation:
    """Return the systems with these names on all treebanks, by the metrics that all have."""
    used = [systems[name] for systems in cells.values() for name in names]
    metrics = [name for name in used[0].scores if all(name in each.scores for each in used)]
    if not metrics:
        raise UsageError("no metric is in all results")
    pairs = {
        treebank: Evaluation(
            signature,
            tuple(
                replace(systems[name], scores={m: systems[name][m] for m in metrics})
                for name in names
            ),
        )
        for treebank, systems in cells.items()
    }
    if len(pairs) == 1:
        return replace(next(iter(pairs.values())), broken=tuple(broken))
    systems = tuple(_summed(name, [pair.system(name) for pair in pairs.values()]) for name in names)
    return Evaluation(signature, systems, pairs, broken=tuple(broken))


def _summed(name: str, parts: Sequence[System]) -> System:
    """Return a system on all treebanks together."""
    scores = {
        metric: Score(score.metric, _counts([part[metric].counts for part in parts]))
        for metric, score in parts[0].scores.items()
    }
    return System(name, scores)


def _counts(parts: Sequence[Counts]) -> Counts:
    return Counts(
        {name: np.array([part.totals.get(name, 0) for part in parts]) for name in parts[0].columns}
    )
