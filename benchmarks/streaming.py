"""How large files are evaluated: the memory it takes, and what a second core is worth."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

COMMAND = str(Path(sys.executable).parent / "commonground")
MILLION = 70_000_000
"""About so many bytes of CoNLL-U hold a million words."""

_MEMORY = """
import resource, subprocess
subprocess.run({command!r}, check=True, capture_output=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def rows(folder: Path) -> list[Row]:
    """Measure."""
    source = material.conllu(folder)
    one, five = (
        str(material.repeated(source, folder / f"{times}-million.conllu", times * MILLION))
        for times in (1, 5)
    )
    best = best_times(
        [
            Task("million", command=_command(one)),
            Task("one core", command=_command(five)),
            Task("two cores", command=_command(five, "--jobs", "2")),
        ],
        rounds=3,
    )
    growth, gain = best["one core"] / best["million"], best["one core"] / best["two cores"]
    memory = [_peak_memory(_command(path)) / 1000 for path in (one, five)]
    saved = [_peak_memory(_command(path, "--output-format", "json")) / 1000 for path in (one, five)]
    return [
        Row(
            "`evaluate` on five times as many words as on 1.1 million, start-up included",
            f"{growth:.1f} × the time ({best['one core']:.1f} s)",
            "≤ 5.5 ×",
            growth <= 5.5,
        ),
        Row(
            "the same, peak memory of 1.1 and of 5.3 million words",
            f"{memory[0]:.0f} MB and {memory[1]:.0f} MB",
            "≤ 1.1 ×",
            memory[1] <= 1.1 * memory[0],
        ),
        Row(
            "the same with the counts of each sentence, as JSON",
            f"{saved[0]:.0f} MB and {saved[1]:.0f} MB",
            "",
            met=True,
        ),
        Row(
            "`evaluate --jobs 2` on 5.3 million words, against one core",
            f"{gain:.2f} × ({best['two cores']:.1f} s)",
            "≥ 1.7 ×",
            gain >= 1.7,
        ),
    ]


def _command(path: str, *options: str) -> tuple[str, ...]:
    return (COMMAND, "evaluate", path, path, *options)


def _peak_memory(command: tuple[str, ...]) -> float:
    """Return how many kilobytes a command takes at most."""
    program = _MEMORY.format(command=command)
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    return float(done.stdout)
