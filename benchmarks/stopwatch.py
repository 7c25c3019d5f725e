"""Fair times: each task in a fresh process, tasks in turn, the best of some rounds.

Machines are noisy, and other work comes and goes; so the tasks that are compared alternate in one
run, and only their ratio is worth reporting.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field

__all__ = ["Row", "Task", "best_times", "markdown"]

_PROGRAM = """
import gc, time
{setup}
gc.collect()
start = time.perf_counter()
{statement}
print(time.perf_counter() - start)
"""


@dataclass(frozen=True)
class Task:
    """A statement to time, after a setup that does not count; or a whole command."""

    name: str
    statement: str = ""
    setup: str = ""
    command: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """A line of the report: what was measured, and what the contract asks for."""

    what: str
    result: str
    wanted: str
    met: bool


def best_times(tasks: list[Task], rounds: int = 5) -> dict[str, float]:
    """Return the shortest time of each task, in seconds."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        for task in tasks:
            best[task.name] = min(_time(task), best.get(task.name, float("inf")))
    return best


def _time(task: Task) -> float:
    environment = {**os.environ, **task.environment}
    if task.command:
        program = (
            "import subprocess, time; start = time.perf_counter(); "
            f"subprocess.run({task.command!r}, check=True, capture_output=True); "
            "print(time.perf_counter() - start)"
        )
    else:
        program = _PROGRAM.format(setup=task.setup, statement=task.statement)
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment
    )
    return float(done.stdout.strip().rpartition("\n")[2])


def markdown(rows: list[Row]) -> str:
    """Return the report as a Markdown table."""
    lines = ["| what | measured | wanted | |", "|---|---|---|---|"]
    lines += [
        f"| {row.what} | {row.result} | {row.wanted} | {'✓' if row.met else '✗'} |" for row in rows
    ]
    return "\n".join(lines)
