"""Two million words on a Dask cluster of two workers, one of which is killed on the way.

``python benchmarks/cluster.py TREEBANK.conllu [WORDS]``: the treebank is repeated to so many words
in 20 shards; ``evaluate``, ``transform`` and ``parse`` work on them in one process and on the
cluster, and must write the same bytes. Prints a table.
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
from pathlib import Path

import distributed

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


def ran(*arguments: str | Path) -> float:
    """Run a command; return how long it took."""
    begin = time.perf_counter()
    subprocess.run([*COMMAND, *map(str, arguments), "--quiet"], check=True)
    return time.perf_counter() - begin


def killing(cluster: distributed.LocalCluster, after: float) -> threading.Timer:
    """Kill a worker of the cluster after some seconds; its nanny starts another."""

    def kill() -> None:
        process = next(iter(cluster.workers.values())).pid
        os.kill(process, signal.SIGKILL)

    timer = threading.Timer(after, kill)
    timer.start()
    return timer


def digest(path: Path, without: str = "") -> str:
    """Return what a file or folder holds, apart from the name of its own file."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    content = b"".join(file.read_bytes() for file in files if file.is_file())
    return hashlib.sha256(
        content.replace(without.encode(), b"") if without else content
    ).hexdigest()


def measured(treebank: Path, words: int, folder: Path) -> list[tuple[str, int, float, float, bool]]:
    """Return for each verb: words, seconds in one process and on the cluster, and whether equal."""
    count = shards(treebank, words, folder / "gold")
    whole = folder / "whole.conllu"
    whole.write_bytes(b"".join(path.read_bytes() for path in sorted((folder / "gold").iterdir())))
    model = folder / "model"
    ran("train", "example:ud", "--gold-tags", "-o", model)
    rows = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        there = ("--engine", "dask", "--scheduler", cluster.scheduler_address)
        lines = {
            "evaluate": ("evaluate", folder / "gold", folder / "gold", "--output-format", "json",
                         "-o"),
            "transform": ("transform", whole, "--from", "ud", "--to", "sud"),
            "parse": ("parse", model, whole),
        }  # fmt: skip
        for verb, line in lines.items():
            outs = [folder / f"{verb}-{place}.out.conllu" for place in ("one", "two")]
            alone = ran(*_with(line, outs[0]))
            timer = killing(cluster, min(5.0, alone / 3))
            both = ran(*_with(line, outs[1]), *there)
            timer.join()
            same = digest(outs[0], outs[0].name) == digest(outs[1], outs[1].name)
            rows.append((verb, count, alone, both, same))
    return rows


def _with(line: tuple[str | Path, ...], out: Path) -> list[str | Path]:
    """Return a command line with its output: after -o, or in the place of OUT."""
    if line[-1] == "-o":
        return [*line, out]
    place = 3 if line[0] == "parse" else 2
    return [*line[:place], out, *line[place:]]


if __name__ == "__main__":
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000_000
    with tempfile.TemporaryDirectory() as scratch:
        print("| verb | words | one process (s) | two workers, one killed (s) | same bytes |")
        print("|---|---|---|---|---|")
        for verb, count, alone, both, same in measured(Path(sys.argv[1]), wanted, Path(scratch)):
            print(
                f"| `{verb}` | {count:,} | {alone:.1f} | {both:.1f} | {'yes' if same else 'NO'} |"
            )
