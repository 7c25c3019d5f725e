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
            Task("python", command=(sys.executable, "-c", "0")),
        ]
    )
    return [
        Row(
            "`commonground --help`, start to end",
            f"{best['help']:.3f} s (an empty Python program: {best['python']:.3f} s)",
            "< 0.2 s",
            best["help"] < 0.2,
        )
    ]
