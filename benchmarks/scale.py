"""A parsebank on a Dask cluster of two workers: speed, memory, bytes moved, a worker killed.

``python benchmarks/scale.py TREEBANK.conllu [WORDS] [FOLDER]``: the sentences of a treebank are
shuffled, again and again, into shards of a million words, 100 of them unless fewer WORDS are asked
for. ``evaluate`` and ``search`` work on all of them, ``transform`` and ``parse``, which write as
much as they read, on a fifth. Then every verb works on ten shards twice, and in one of the two runs
a worker is killed. The shards are deleted afterwards. Prints two tables for docs/scale.md.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import distributed
import psutil

COMMAND = [sys.executable, "-m", "commonground"]
MILLION = 1_000_000
TOKENS = 900 * MILLION
"""What the corpus of Bender et al. (2011) has."""


def shards(treebank: Path, words: int, folder: Path) -> list[Path]:
    """Write shards of about a million words each, every one a shuffle of its own."""
    sentences = [text + b"\n\n" for text in treebank.read_bytes().strip().split(b"\n\n")]
    sizes = [
        sum(line.split(b"\t")[0].isdigit() for line in text.split(b"\n")) for text in sentences
    ]
    draw = random.Random(0)
    folder.mkdir(parents=True)
    made, order = [], []
    for number in range(max(1, words // MILLION)):
        count, chosen = 0, []
        while count < MILLION:
            if not order:
                order = list(range(len(sentences)))
                draw.shuffle(order)
            place = order.pop()
            chosen.append(sentences[place])
            count += sizes[place]
        path = folder / f"{number:03}.conllu"
        path.write_bytes(b"".join(chosen))
        made.append(path)
    return made


def linked(paths: list[Path], folder: Path) -> Path:
    """Return a folder with some of the shards."""
    folder.mkdir()
    for path in paths:
        os.link(path, folder / path.name)
    return folder


@dataclass(frozen=True)
class Run:
    """What a command took: seconds by the clock and of processors, megabytes of a worker, bytes."""

    clock: float
    processor: float
    memory: float
    moved: int


class Cluster:
    """Two workers with a thread each."""

    def __init__(self) -> None:
        self._cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        )
        self.address = self._cluster.scheduler_address
        self._spent: dict[int, float] = {}
        self._most = 0.0

    def close(self) -> None:
        """End the workers."""
        self._cluster.close()

    def run(self, *arguments: str | Path, kill_after: float = 0) -> Run:
        """Run a command on the cluster; a worker can be killed after some seconds."""
        before = dict(self._look())
        self._most = 0.0
        moved, begin = _loopback(), time.perf_counter()
        process = subprocess.Popen(
            [*COMMAND, *map(str, arguments), "--quiet", "--engine", "dask", "--scheduler",
             self.address], stdout=subprocess.DEVNULL,
        )  # fmt: skip
        over = threading.Event()
        watching = threading.Thread(target=self._watch, args=(over, kill_after))
        watching.start()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        clock = time.perf_counter() - begin
        over.set()
        watching.join()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, process.args)
        spent = sum(now - before.get(pid, 0) for pid, now in self._look().items())
        return Run(clock, used.ru_utime + used.ru_stime + spent, self._most, _loopback() - moved)

    def _watch(self, over: threading.Event, kill_after: float) -> None:
        begin = time.perf_counter()
        while not over.wait(0.25):
            self._look()
            if kill_after and time.perf_counter() - begin > kill_after:
                kill_after = 0
                pid = next(iter(self._cluster.workers.values())).pid
                os.kill(pid, signal.SIGKILL)  # its nanny starts another

    def _look(self) -> dict[int, float]:
        """Note the processor time of all workers that ever were, and their memory."""
        for worker in list(self._cluster.workers.values()):
            try:
                process = psutil.Process(worker.pid)
                used = process.cpu_times()
                self._spent[worker.pid] = used.user + used.system
                self._most = max(self._most, process.memory_info().rss / MILLION)
            except (psutil.Error, TypeError, AttributeError):  # killed, or not there yet
                continue
        return dict(self._spent)


def _loopback() -> int:
    """Return how many bytes all processes of this machine have sent to each other by sockets."""
    return int(Path("/sys/class/net/lo/statistics/tx_bytes").read_text())


PATTERN = "V -[obj]-> N; N << V"
WRITING = ("transform", "parse")


def lines(source: Path, out: Path, model: Path) -> dict[str, tuple[str | Path, ...]]:
    """Return the commands."""
    return {
        "search": ("search", source, PATTERN, "--by", "V.lemma", "--output-format", "json"),
        "evaluate": ("evaluate", source, source),
        "transform": ("transform", source, out, "--from", "ud", "--to", "sud"),
        "parse": ("parse", model, source, out),
    }


def main(treebank: Path, words: int, scratch: Path) -> None:
    """Measure, and print the tables."""
    gold = shards(treebank, words, scratch / "shards")
    fifth = gold[: max(1, len(gold) // 5)]
    tenth = gold[: min(10, max(2, len(gold) // 10))]
    folders = {
        "all": linked(gold, scratch / "all"),
        "fifth": linked(fifth, scratch / "fifth"),
        "tenth": linked(tenth, scratch / "tenth"),
    }
    model, out = scratch / "model", scratch / "out"
    subprocess.run(
        [*COMMAND, "train", str(treebank), "--gold-tags", "-q", "-o", str(model)], check=True
    )
    cluster = Cluster()
    try:
        print("| verb | words | seconds | words/s a core | MB of a worker | bytes moved a word "
              "| 900 M tokens: hours on one core | minutes on 100 |")  # fmt: skip
        print("|---|---|---|---|---|---|---|---|", flush=True)
        for verb in lines(out, out, model):
            which, count = ("fifth", len(fifth)) if verb in WRITING else ("all", len(gold))
            run = cluster.run(*lines(folders[which], out, model)[verb])
            shutil.rmtree(out, ignore_errors=True)
            done = count * MILLION
            rate = done / run.processor
            print(
                f"| `{verb}` | {done:,} | {run.clock:.0f} | {rate:,.0f} | {run.memory:.0f} "
                f"| {run.moved / done:.3f} | {TOKENS / rate / 3600:.1f} "
                f"| {TOKENS / rate / 6000:.1f} |",
                flush=True,
            )
        print("\n| verb | words | seconds (processor) | one worker killed | lost |")
        print("|---|---|---|---|---|", flush=True)
        for verb, line in lines(folders["tenth"], out, model).items():
            whole = cluster.run(*line)
            shutil.rmtree(out, ignore_errors=True)
            killed = cluster.run(*line, kill_after=max(1.5, whole.clock / 3))
            shutil.rmtree(out, ignore_errors=True)
            print(
                f"| `{verb}` | {len(tenth) * MILLION:,} | {whole.clock:.1f} "
                f"({whole.processor:.1f}) | {killed.clock:.1f} ({killed.processor:.1f}) "
                f"| {killed.clock - whole.clock:.1f} ({killed.processor - whole.processor:.1f}) |",
                flush=True,
            )
    finally:
        cluster.close()


if __name__ == "__main__":
    asked = int(sys.argv[2]) if len(sys.argv) > 2 else 100 * MILLION
    parent = sys.argv[3] if len(sys.argv) > 3 else None
    with tempfile.TemporaryDirectory(dir=parent) as made:
        main(Path(sys.argv[1]), asked, Path(made))
