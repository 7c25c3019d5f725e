"""How large files are evaluated: the memory it takes, and what a second core is worth."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import material
from stopwatch import Parts, Row, Task, best_times, parts_of, peak_memory

__all__ = ["rows"]

COMMAND = str(Path(sys.executable).parent / "commonground")
MILLION = 66_500_000
"""About so many bytes of CoNLL-U hold a million words."""

ROUNDS = 2


def rows(folder: Path) -> list[Row]:
    """Measure."""
    source = material.conllu(folder)
    one, five, ten = (
        str(material.repeated(source, folder / f"{times}-million.conllu", times * MILLION))
        for times in (1, 5, 10)
    )
    trees = str(material.repeated(material.brackets(folder), folder / "large.mrg", 100_000_000))
    million = best_times([Task("million", command=_command(one))], rounds=ROUNDS)["million"]
    large = {"5 million words of CoNLL-U": five, "100 MB of Penn trees": trees}
    results = [_two_cores(what, path) for what, path in large.items()]
    growth = results[0][0] / million
    memory = [peak_memory(_command(path)) for path in (one, ten)]
    details = [peak_memory(_command(path, "--output-format", "json")) for path in (one, ten)]
    return [
        Row(
            "`evaluate` on five times as many words as on a million, start-up included",
            f"{growth:.1f} × the time ({results[0][0]:.1f} s)",
            "≤ 5.5 ×",
            growth <= 5.5,
        ),
        _growth("the same, peak memory of 10 million words and of one million", *memory),
        _growth("the same with the counts of each sentence written as JSON", *details),
        *(row for _, row in results),
        _by_the_clock("5 million words of CoNLL-U", five),
        _early_error(folder, trees),
    ]


def _growth(what: str, one: float, ten: float) -> Row:
    """Return how much more memory ten million words take than one."""
    shown = f"{ten / one:.2f} × ({ten:.0f} MB and {one:.0f} MB)"
    return Row(what, shown, "≤ 1.05 ×", ten <= 1.05 * one)


def _two_cores(what: str, path: str) -> tuple[float, Row]:
    """Return the time on one core, and what two are worth that have nothing else to do."""
    alone: list[Parts] = []
    shared: list[Parts] = []
    for _ in range(ROUNDS):
        alone.append(parts_of(_command(path)))
        shared.append(parts_of(_command(path, "--jobs", "2")))
    one, two = min(each.on(1) for each in alone), min(each.on(2) for each in shared)
    gain = one / two
    return one, Row(
        f"`evaluate --jobs 2` on {what}, against one core",
        f"{gain:.2f} × ({one:.1f} s)",
        "≥ 1.8 ×",
        gain >= 1.8,
    )


def _by_the_clock(what: str, path: str) -> Row:
    """Return what a second core is worth to somebody who waits; others may be using it."""
    best = {"1": float("inf"), "2": float("inf")}
    for _ in range(ROUNDS + 1):
        for jobs in ("1", "2"):
            begin = time.perf_counter()
            subprocess.run(_command(path, "--jobs", jobs), check=True, stdout=subprocess.DEVNULL)
            best[jobs] = min(best[jobs], time.perf_counter() - begin)
    gain = best["1"] / best["2"]
    others = os.getloadavg()[0]
    return Row(
        f"the same on {what}, by the clock, start-up included",
        f"{gain:.2f} × ({best['1']:.1f} s and {best['2']:.1f} s; load {others:.1f})",
        "≥ 1.85 ×",
        gain >= 1.85,
    )


def _early_error(folder: Path, trees: str) -> Row:
    """Return how soon an error near the beginning of a large file is told."""
    broken = folder / "broken.mrg"
    good = b"(S (X x))\n" * 257
    broken.write_bytes(good + b"(S (NP (NN x)) y))\n" + Path(trees).read_bytes())
    command = (COMMAND, "convert", str(broken), str(folder / "broken.conllu"), "--quiet")
    spent = best_times([Task("error", command=command, codes=(2,))], rounds=ROUNDS)["error"]
    what = "an error in line 258 of 100 MB of Penn trees, told by `convert`"
    return Row(what, f"{spent:.2f} s", "< 1 s", spent < 1)


def _command(path: str, *options: str) -> tuple[str, ...]:
    return (COMMAND, "evaluate", path, path, *options)
