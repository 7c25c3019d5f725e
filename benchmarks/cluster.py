"""Two million words on a Dask cluster of two workers, one of which is killed on the way.

``python benchmarks/cluster.py TREEBANK.conllu [WORDS]``: the treebank is repeated to so many words
in 20 shards; ``evaluate``, ``transform`` and ``parse`` work on the folder in one process and
on the cluster, and must write the same bytes. Prints a table, with processor time as well, which
depends less on what else a machine does.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import distributed
import psutil

SHARDS = 20
COMMAND = [sys.executable, "-m", "commonground"]


def shards(treebank: Path, words: int, folder: Path) -> int:
    """Write shards with a treebank again and again; return how many words they have."""
    text = treebank.read_text(encoding="utf-8")
    each = sum(line[:1].isdigit() and line.split("\t")[0].isdigit() for line in text.splitlines())
    times = max(1, round(words / SHARDS / each))
    folder.mkdir()
    for number in range(SHARDS):
        (folder / f"{number:02}.conllu").write_text(text * times, encoding="utf-8")
    return each * times * SHARDS


@dataclass(frozen=True)
class Time:
    """How long something took: on the clock, and of the processor."""

    clock: float
    processor: float

    def __str__(self) -> str:
        return f"{self.clock:.1f} ({self.processor:.1f})"


def ran(*arguments: str | Path) -> Time:
    """Run a command; return how long it took."""
    begin = time.perf_counter()
    process = subprocess.Popen([*COMMAND, *map(str, arguments), "--quiet"])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return Time(time.perf_counter() - begin, used.ru_utime + used.ru_stime)


class Killing:
    """Kills a worker of a cluster after some seconds, and adds up what all workers have spent."""

    def __init__(self, cluster: distributed.LocalCluster, after: float) -> None:
        self._cluster, self._lost, self._begin = cluster, 0.0, _spent(cluster)
        self._timer = threading.Timer(after, self._kill)
        self._timer.start()

    def _kill(self) -> None:
        process = next(iter(self._cluster.workers.values())).pid
        self._lost = _seconds(process)
        os.kill(process, signal.SIGKILL)  # its nanny starts another

    def spent(self) -> float:
        """Return the processor time of the workers since the beginning."""
        self._timer.join()
        return _spent(self._cluster) + self._lost - self._begin


def _spent(cluster: distributed.LocalCluster) -> float:
    return sum(_seconds(worker.pid) for worker in cluster.workers.values())


def _seconds(process: int) -> float:
    used = psutil.Process(process).cpu_times()
    return float(used.user + used.system)


def digest(path: Path, without: str = "") -> str:
    """Return what a file or folder holds, apart from the name of its own file."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    content = b"".join(file.read_bytes() for file in files if file.is_file())
    return hashlib.sha256(
        content.replace(without.encode(), b"") if without else content
    ).hexdigest()


def measured(
    treebank: Path, words: int, folder: Path
) -> Iterator[tuple[str, int, Time, Time, bool]]:
    """Return for each verb: words, time in one process and on the cluster, and whether equal."""
    count = shards(treebank, words, folder / "gold")
    model = folder / "model"
    ran("train", "example:ud", "--gold-tags", "-o", model)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        there = ("--engine", "dask", "--scheduler", cluster.scheduler_address)
        gold = folder / "gold"
        lines: dict[str, tuple[str | Path, ...]] = {
            "evaluate": ("evaluate", gold, gold, "--output-format", "json", "-o", _OUT),
            "transform": ("transform", gold, _OUT, "--from", "ud", "--to", "sud"),
            "parse": ("parse", model, gold, _OUT),
        }
        for verb, line in lines.items():
            outs = [folder / f"{verb}-{place}" for place in ("one", "two")]
            alone = ran(*(outs[0] if word == _OUT else word for word in line))
            killing = Killing(cluster, min(5.0, alone.clock / 3))
            both = ran(*(outs[1] if word == _OUT else word for word in line), *there)
            both = replace(both, processor=both.processor + killing.spent())
            same = digest(outs[0], outs[0].name) == digest(outs[1], outs[1].name)
            yield verb, count, alone, both, same


_OUT = "OUT"
"""Stands for the output in a command line."""

if __name__ == "__main__":
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000_000
    with tempfile.TemporaryDirectory() as scratch:
        print("Seconds on the clock, in brackets those of the processor:\n")
        print("| verb | words | one process | two workers, one killed | same bytes |")
        print("|---|---|---|---|---|", flush=True)
        for verb, count, alone, both, same in measured(Path(sys.argv[1]), wanted, Path(scratch)):
            equal = "yes" if same else "NO"
            print(f"| `{verb}` | {count:,} | {alone} | {both} | {equal} |", flush=True)
