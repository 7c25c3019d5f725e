"""Word alignment: 100,000 sentence pairs, and against eflomal where it is installed."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np

from stopwatch import Row

__all__ = ["rows"]

PAIRS, LENGTH, TYPES = 100_000, 20, 50_000
SECONDS, MEGABYTES = 90, 1000


def name(number: int) -> str:
    """Return a word of five letters, so that words differ in what the aligner looks at."""
    letters = []
    for _ in range(5):
        number, letter = divmod(number, 26)
        letters.append(chr(ord("a") + letter))
    return "".join(letters)


def write_pairs(folder: Path, pairs: int = PAIRS) -> tuple[Path, Path]:
    """Write sentences of a language with Zipf's distribution, and their translations.

    Eight words of ten have a translation, which stands up to two places away; the others are drawn
    from the same distribution.
    """
    rng = np.random.default_rng(0)
    weights = 1 / np.arange(1, TYPES + 1)
    source = rng.choice(TYPES, (pairs, LENGTH), p=weights / weights.sum())
    other = rng.choice(TYPES, (pairs, LENGTH), p=weights / weights.sum())
    target = np.where(rng.random((pairs, LENGTH)) < 0.8, rng.permutation(TYPES)[source], other)
    order = np.argsort(np.arange(LENGTH) + rng.uniform(0, 2, (pairs, LENGTH)), axis=1)
    target = np.take_along_axis(target, order, axis=1)
    words = np.array([name(number) for number in range(TYPES)])
    paths = folder / "source.txt", folder / "target.txt"
    for path, numbers, prefix in zip(paths, (source, target), ("", "_"), strict=True):
        shown = words if not prefix else np.array([word[::-1] for word in words])
        path.write_text("".join(" ".join(row) + "\n" for row in shown[numbers]), encoding="utf-8")
    return paths


def rows(folder: Path) -> list[Row]:
    """Return the lines of the report."""
    source, target = write_pairs(folder)
    command = [sys.executable, "-m", "commonground", "align", str(source), str(target)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = os.times().elapsed
    subprocess.run([*command, "--jobs", "2", "-o", str(folder / "links.align")], check=True)
    wall = os.times().elapsed - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    peak = after.ru_maxrss / 1024
    return [
        Row(
            f"{PAIRS:,} pairs of {LENGTH} words aligned, start to end, two cores",
            f"{wall:.0f} s ({cpu:.0f} s of processor time)",
            f"< {SECONDS} s",
            met=wall < SECONDS,
        ),
        Row("the same, memory", f"{peak:.0f} MB", f"< {MEGABYTES} MB", met=peak < MEGABYTES),
    ]


if __name__ == "__main__":
    import tempfile

    from stopwatch import markdown

    with tempfile.TemporaryDirectory() as place:
        print(markdown(rows(Path(place))))
