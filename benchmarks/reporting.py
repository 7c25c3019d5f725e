"""How long a report takes from saved results to a page, and how large the page is."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import commonground
from commonground.corpus import Dependencies, Strings
from material import test_conllu
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

COMMAND = str(Path(sys.executable).parent / "commonground")
SHARES = {"one": 0.05, "two": 0.07, "three": 0.12}
"""How much of the heads and labels each system has wrong."""


def rows(folder: Path) -> list[Row]:
    """Measure, with three systems that are the gold standard with random changes."""
    path = test_conllu(folder)
    gold = commonground.read(path)
    assert isinstance(gold, Dependencies)
    for number, (name, share) in enumerate(SHARES.items()):
        commonground.write(_changed(gold, share, number), folder / f"{name}.conllu")
    result, page = folder / "report.json", folder / "report.html"
    parses = [f"{name}={folder / name}.conllu" for name in SHARES]
    saving = (COMMAND, "evaluate", str(path), *parses, "--output-format", "json", "-o", str(result))
    subprocess.run(saving, check=True)
    making = (COMMAND, "report", str(result), "-o", str(page))
    best = best_times([Task("report", command=making)], rounds=3)["report"]
    size = page.stat().st_size / 1e6
    what = f"report of three systems on {len(gold):,} sentences ({gold.words.rows:,} words)"
    return [
        Row(f"{what}, start to end", f"{best:.1f} s", "≤ 1.5 s", best <= 1.5),
        Row(f"{what}, the page", f"{size:.2f} MB", "< 2 MB", size < 2),
    ]


def _changed(gold: Dependencies, share: float, seed: int) -> Dependencies:
    """Return a treebank in which some words have another head, and some another label."""
    draw = random.Random(seed)
    places = (gold.words.row_in_sentence() + 1).tolist()
    lengths = gold.words.lengths[gold.words.sentence_of_row()].tolist()
    heads, labels = gold.head.copy(), gold.deprel.tolist()
    known = list(gold.deprel.vocabulary)
    for row, (place, length) in enumerate(zip(places, lengths, strict=True)):
        other = place + draw.choice((-3, -2, -1, 1, 2, 3))
        if heads[row] and 1 <= other <= length and draw.random() < share:
            heads[row] = other
        if draw.random() < share:
            labels[row] = draw.choice(known)
    return gold.replace("words", head=heads, deprel=Strings.of(labels))
