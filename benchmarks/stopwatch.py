"""Fair times: each task in a fresh process, tasks in turn, the best of some rounds.

Machines are noisy, and other work comes and goes; so what is taken is the time of the processor,
which does not grow while others have it, the tasks that are compared alternate in one run, and
their ratio is what is worth reporting.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Parts", "Row", "Task", "best_times", "markdown", "parts_of", "peak_memory"]

_PROGRAM = """
import gc, time
{setup}
gc.collect()
start = time.process_time()
{statement}
print(time.process_time() - start)
"""

_COMMAND = """
import resource, subprocess
done = subprocess.run({command!r}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
spent = resource.getrusage(resource.RUSAGE_CHILDREN)
assert done.returncode in {codes!r}, done.returncode
assert b"Traceback" not in done.stderr, done.stderr[-500:]  # that is no finding, though it is a 1
print(spent.ru_maxrss, spent.ru_utime + spent.ru_stime)
"""


@dataclass(frozen=True)
class Task:
    """A statement to time, after a setup that does not count; or a whole command."""

    name: str
    statement: str = ""
    setup: str = ""
    command: tuple[str, ...] = ()
    codes: tuple[int, ...] = (0,)
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """A line of the report: what was measured, and what the contract asks for."""

    what: str
    result: str
    wanted: str
    met: bool


def best_times(tasks: list[Task], rounds: int = 5, seconds: float = 10) -> dict[str, float]:
    """Return the shortest processor time of each task, in seconds.

    After so many `seconds` by the clock there is no further round.
    """
    best: dict[str, float] = {}
    deadline = time.monotonic() + seconds
    for _ in range(rounds):
        for task in tasks:
            best[task.name] = min(_time(task), best.get(task.name, float("inf")))
        if time.monotonic() > deadline:
            break
    return best


def _time(task: Task) -> float:
    if task.command:
        program = _COMMAND.format(command=task.command, codes=task.codes)
    else:
        program = _PROGRAM.format(setup=task.setup, statement=task.statement)
    return float(_told(program, task.environment).split()[-1])


def peak_memory(command: tuple[str, ...]) -> float:
    """Return how many megabytes a command takes at most."""
    return float(_told(_COMMAND.format(command=command, codes=(0,)), {}).split()[0]) / 1024


def _told(program: str, more: dict[str, str]) -> str:
    """Return what a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **more},
    )
    return done.stdout


@dataclass(frozen=True)
class Parts:
    """Processor time of a command in several processes: of the first one, and of each other.

    `alone` is what the first one had worked when the others came.
    """

    first: float
    others: tuple[float, ...]
    alone: float

    def on(self, cores: int) -> float:
        """Return the least time by the clock on so many cores that nobody else uses.

        All processes share the cores as soon as there are several, and none is on two at once.
        """
        everything = (self.first - self.alone, *self.others)
        return self.alone + max(sum(everything) / cores, *everything)


def parts_of(command: tuple[str, ...]) -> Parts:
    """Run a command, and look all the time at how much each of its processes has worked."""
    ticks = os.sysconf("SC_CLK_TCK")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    spent: dict[int, float] = {}
    alone = 0.0
    while process.poll() is None:
        for number, fields in _family(process.pid).items():
            spent[number] = (int(fields[11]) + int(fields[12])) / ticks
        if len(spent) == 1:
            alone = spent.get(process.pid, 0.0)
        time.sleep(0.02)
    assert process.returncode == 0, process.returncode
    first = spent.pop(process.pid)
    return Parts(first, tuple(sorted(spent.values(), reverse=True)), alone if spent else 0.0)


def _family(first: int) -> dict[int, list[str]]:
    """Return what Linux tells, from the state on, about a process and all that it has started."""
    known: dict[int, list[str]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            told = path.read_text(encoding="utf-8").rpartition(")")[2]
        except OSError:  # it has just ended
            continue
        known[int(path.parent.name)] = told.split()
    names = {first}
    while True:
        more = {number for number, fields in known.items() if int(fields[1]) in names} - names
        if not more:
            return {number: known[number] for number in names if number in known}
        names |= more


def markdown(rows: list[Row]) -> str:
    """Return the report as a Markdown table."""
    lines = ["| what | measured | wanted | |", "|---|---|---|---|"]
    lines += [
        f"| {row.what} | {row.result} | {row.wanted} | {'✓' if row.met else '✗'} |" for row in rows
    ]
    return "\n".join(lines)
