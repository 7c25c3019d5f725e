"""Problems that were acknowledged: a list that is kept beside a treebank, with the reasons.

A baseline is a table with tabs: the name of the file, the sent_id, the message and the reason, a
line for each problem. Problems are known again by file, sentence and message, not by their lines,
which move with every change. What stands in the list and is no problem any more is *stale*.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from commonground.errors import InputError
from commonground.formats.checking.check import CheckResult
from commonground.formats.storage.files import read_bytes, read_utf8, shown, write_bytes

__all__ = ["Baseline", "Known", "read_baseline", "write_baseline"]

HEADER = ("file", "sent_id", "problem", "reason")
_SENT_ID = re.compile(rb"#\s*sent_id\s*=\s*(.*?)\s*$")

Known = tuple[str, str, str]
"""What a problem is known by: the name of its file, the sentence, and the message."""


@dataclass(frozen=True)
class Baseline:
    """Acknowledged problems, each as often as it is listed, with the last reason."""

    known: Counter[Known]
    reasons: dict[Known, str]

    def remaining(
        self, results: Sequence[CheckResult]
    ) -> tuple[list[CheckResult], int, list[Known]]:
        """Return what is new, how many problems were acknowledged, and what is stale."""
        left = Counter(self.known)
        new = []
        for checked in results:
            problems = []
            for key, problem in zip(_keys(checked), checked.problems, strict=True):
                if left[key] > 0:
                    left[key] -= 1
                else:
                    problems.append(problem)
            new.append(replace(checked, problems=tuple(problems)))
        names = {PurePath(checked.path).name for checked in results}
        stale = sorted(key for key in (+left).elements() if key[0] in names)
        acknowledged = sum(len(checked.problems) for checked in results)
        return new, acknowledged - sum(len(checked.problems) for checked in new), stale


def read_baseline(path: str | os.PathLike[str]) -> Baseline:
    """Read a baseline."""
    known: Counter[Known] = Counter()
    reasons: dict[Known, str] = {}
    for number, line in enumerate(read_utf8(path, "a list of problems is").splitlines(), 1):
        if not line.strip() or (number == 1 and tuple(line.split("\t")) == HEADER):
            continue
        fields = line.split("\t")
        if len(fields) != len(HEADER):
            wanted = ", ".join(HEADER)
            raise InputError(
                shown(path), number, f"{len(fields)} columns; {wanted} are expected, with tabs"
            )
        key = (fields[0], fields[1], fields[2])
        known[key] += 1
        reasons[key] = fields[3]
    return Baseline(known, reasons)


def write_baseline(
    path: str | os.PathLike[str], results: Iterable[CheckResult], before: Baseline | None = None
) -> int:
    """Write all problems as acknowledged, with the reasons that they had; return how many."""
    reasons = before.reasons if before else {}
    rows = [(*key, reasons.get(key, "")) for checked in results for key in _keys(checked)]
    lines = ["\t".join(HEADER), *("\t".join(row) for row in rows)]
    write_bytes(path, ["".join(f"{line}\n" for line in lines).encode()])
    return len(rows)


def _keys(checked: CheckResult) -> list[Known]:
    """Return what the problems of a file are known by."""
    if not checked.problems:
        return []
    names = _sentences(checked.path)
    file = PurePath(checked.path).name
    return [
        (file, names[min(problem.line, len(names) - 1)], " ".join(problem.message.split()))
        for problem in checked.problems
    ]


def _sentences(path: str) -> list[str]:
    """Return the sent_id at each line of a file, from line 0 on; empty where there is none."""
    try:
        lines = read_bytes(path).split(b"\n")
    except InputError:
        return [""]
    names, name, waiting = [""], "", 1
    for line in lines:
        if not line.strip():
            name, waiting = "", len(names) + 1
        elif said := _SENT_ID.match(line):
            name = said[1].decode("utf-8", "replace").replace("\t", " ")
            names[waiting:] = [name] * (len(names) - waiting)
        names.append(name)
    return names
