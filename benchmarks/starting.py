"""How long the command takes to answer."""

from __future__ import annotations

import sys
from pathlib import Path

from stopwatch import Row, Task, best_times

__all__ = ["rows"]


def rows(_: Path) -> list[Row]:
    """Measure."""
    command = str(Path(sys.executable).parent / "commonground")
    best = best_times(
        [
            Task("help", command=(command, "--help")),
            Task("evaluate", command=(command, "evaluate", "example:ud", "example:ud-parse")),
            Task("python", command=(sys.executable, "-c", "0")),
            Task("numpy", command=(sys.executable, "-c", "import numpy")),
        ],
        rounds=15,
        seconds=30,
    )
    return [
        Row(
            "`commonground --help`, start to end",
            f"{best['help']:.3f} s (an empty Python program: {best['python']:.3f} s)",
            "< 0.2 s",
            best["help"] < 0.2,
        ),
        Row(
            "`evaluate` on 64 sentences, start to end",
            f"{best['evaluate']:.2f} s (importing numpy: {best['numpy']:.2f} s)",
            "≤ 0.25 s",
            best["evaluate"] <= 0.25,
        ),
    ]
