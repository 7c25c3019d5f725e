"""How fast Penn trees become dependencies, from file to file, start-up included."""

from __future__ import annotations

import sys
from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

TREES = 40_000
RULES = {"collins": (), "yamada": (), "lth": ("--scheme", "default")}


def rows(folder: Path) -> list[Row]:
    """Measure."""
    source = str(material.trees(folder, TREES))
    command = str(Path(sys.executable).parent / "commonground")
    tasks = [
        Task(
            rules,
            command=(
                *(command, "convert", source, str(folder / f"{rules}.conllu")),
                *("--quiet", "--rules", rules, *scheme),
            ),
        )
        for rules, scheme in RULES.items()
    ]
    best = best_times(tasks, rounds=2)
    return [
        Row(
            f"{TREES:,} Penn trees converted to dependencies (`--rules {rules}`), one core",
            f"{best[rules]:.1f} s",
            "< 20 s",
            best[rules] < 20,
        )
        for rules in RULES
    ]
