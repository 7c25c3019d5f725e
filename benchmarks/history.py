"""Instruction counts of common commands, kept from run to run: ``python benchmarks/history.py``.

Counts by ``valgrind --tool=callgrind`` do not depend on what else the machine does, so that runs of
different days can be compared on the same kind of machine. Each run appends a line to
``benchmarks/history.jsonl`` (commit, machine, versions, millions of instructions of each command),
says which command needs more than 10 % more than in the last run on such a machine, and draws
``docs/img/history.svg``.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from commonground import __version__
from commonground.formats import read, write

ROOT = Path(__file__).parents[1]
HISTORY = ROOT / "benchmarks" / "history.jsonl"
PICTURE = ROOT / "docs" / "img" / "history.svg"
TIMES = 40
"""How often the example is repeated, so that more than the start is counted."""
MORE = 1.10
"""A command that needs more than this, as a ratio, is told about."""

COMMANDS = {
    "help": ["--help"],
    "evaluate": ["evaluate", "{ud}", "{ud-parse}"],
    "evaluate, CoNLL 2018": ["evaluate", "{ud}", "{ud-parse}", "--preset", "conll18"],
    "evaluate, PARSEVAL": ["evaluate", "{ptb}", "{ptb-parse}"],
    "compare": ["compare", "ud={ud}:{ud-parse}", "ptb={ptb}:{ptb-parse}"],
    "transform": ["transform", "{ud}", "{out}", "--from", "ud", "--to", "sud"],
}


def main() -> int:
    """Count, append a line, draw the history, and return 1 where a command needs far more."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        places = {"out": str(folder / "out.conllu")}
        for treebank in ("ud", "ud-parse", "ptb", "ptb-parse"):
            corpus = read(f"example:{treebank}")
            suffix = "conllu" if treebank.startswith("ud") else "mrg"
            places[treebank] = str(folder / f"{treebank}.{suffix}")
            write(type(corpus).concatenate([corpus] * TIMES), places[treebank])
        counts = {title: _counted(line, places, folder) for title, line in COMMANDS.items()}
    run = {"commit": _commit(), "version": __version__, **_machine(), "millions": counts}
    runs = _runs()
    before = next((old for old in reversed(runs) if _same_machine(old, run)), None)
    with HISTORY.open("a", encoding="utf-8") as file:
        file.write(json.dumps(run) + "\n")
    PICTURE.write_text(_drawn([*runs, run]), encoding="utf-8")
    lost = [] if before is None else _lost(before["millions"], counts)
    for title, count in counts.items():
        print(f"{title}: {count:,} million instructions")
    for title, ratio in lost:
        print(f"warning: {title} needs {ratio:.2f} × the instructions of the last run")
    return int(bool(lost))


def _counted(line: list[str], places: dict[str, str], folder: Path) -> int:
    words = [re.sub(r"\{([^}]*)\}", lambda name: places[name[1]], word) for word in line]
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts"]
    done = subprocess.run(
        [
            *command,
            sys.executable,
            "-m",
            "commonground",
            *words,
        ],
        env={**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    counted = re.search(r"Collected : (\d+)", done.stderr)
    assert counted, done.stderr[-500:]
    return round(int(counted[1]) / 1e6)


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _machine() -> dict[str, str]:
    return {
        "machine": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def _same_machine(old: dict[str, object], new: dict[str, object]) -> bool:
    return all(old.get(name) == new[name] for name in _machine())


def _runs() -> list[dict[str, object]]:
    if not HISTORY.exists():
        return []
    return [json.loads(line) for line in HISTORY.read_text(encoding="utf-8").splitlines()]


def _lost(before: dict[str, int], now: dict[str, int]) -> list[tuple[str, float]]:
    ratios = {title: count / before[title] for title, count in now.items() if title in before}
    return [(title, ratio) for title, ratio in ratios.items() if ratio > MORE]


def _drawn(runs: list[dict[str, object]]) -> str:
    """Return the history as a picture: a line for each command, in shares of its first run."""
    mpl.rcParams["svg.hashsalt"] = "history"  # the same picture each time
    figure = Figure(figsize=(7, 3))
    axes = figure.add_subplot()
    for title in COMMANDS:
        points = [
            (at, run["millions"][title]) for at, run in enumerate(runs) if title in run["millions"]
        ]
        axes.plot(
            [at for at, _ in points], [n / points[0][1] for _, n in points], "o-", label=title
        )
    axes.set_xticks(range(len(runs)), [str(run["commit"]) for run in runs], rotation=45)
    axes.set_ylabel("instructions, first run = 1")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=7, ncols=3)
    figure.tight_layout()
    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


if __name__ == "__main__":
    sys.exit(main())
