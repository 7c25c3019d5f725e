"""What is drawn and swapped in tests: sentences, or files where systems were scored on several.

Sentences say what holds for other sentences like these. Where there are several treebanks, scores
are averages over them: sentences are drawn within their treebanks then, and whether the averages
would differ on other treebanks, each of them one unit, is tested beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from commonground.errors import UsageError, setting
from commonground.evaluation.result import System
from commonground.statistics.test_plan import TestPlan

__all__ = ["with_units"]


def with_units(
    systems: Sequence[System],
    files: Mapping[str, Sequence[System]],
    plan: TestPlan,
    wanted: str | None = None,
) -> tuple[Sequence[System], TestPlan]:
    """Return what is tested: averages over files where there are several, or all sentences.

    `files` has the systems on each file; `wanted` is the unit that was asked for, if one was.
    McNemar's test, power and a single system are about sentences, whatever file these are in.
    """
    several = len(files) > 1
    if wanted == "files" and not several:
        what = "those of a folder or of a pattern"
        raise UsageError(f"{setting('resample', 'files')} needs several files, {what}")
    if not several:
        return systems, plan
    if wanted == "files":
        from commonground.evaluation.macro import over_files  # noqa: PLC0415  # only for many files

        return over_files(files), replace(plan, resample="files")
    if len(systems) == 1 or plan.power or "mcnemar" in plan.tests:
        return systems, plan
    return systems, replace(plan, within=tuple(files))
