"""What is drawn and swapped in tests: sentences, or files where systems were scored on several.

Sentences of one treebank say what holds for other sentences like these. Where there are several
treebanks, the question is mostly what holds for other treebanks, and each of them is one unit.
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
    asked: TestPlan,
    wanted: str | None = None,
) -> tuple[Sequence[System], TestPlan]:
    """Return what is tested: averages over files where there are several, or all sentences.

    `files` has the systems on each file; `wanted` is the unit that was asked for, if one was.
    Without one, what is about sentences alone is: McNemar's test, power, and a single system.
    """
    several = len(files) > 1
    if wanted == "files" and not several:
        what = "those of a folder or of a pattern"
        raise UsageError(f"{setting('resample', 'files')} needs several files, {what}")
    if not several or wanted not in (None, "files"):
        return systems, asked
    by_sentence = len(systems) == 1 or asked.power or "mcnemar" in asked.tests
    if by_sentence and wanted is None:
        return systems, asked
    from commonground.evaluation.macro import over_files  # noqa: PLC0415  # only for many files

    return over_files(files), replace(asked, resample="files")
