"""How fast treebanks go from one annotation scheme to another.

Run by itself, it tells the time of each pair of schemes, transformed once in this process.
"""

from __future__ import annotations

import tempfile
import time
from itertools import permutations
from pathlib import Path

import material
from commonground import read, transform
from commonground.schemes.library import scheme_names
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

WORDS = 250_000
FAR_APART = (("tut", "copenhagen"), ("collins", "copenhagen"))
"""Schemes that both differ from the hub in most constructions; the last are slowest."""

SETUP = """
from commonground import find_scheme, read, transform
corpus = read({path!r})
corpus = type(corpus).concatenate([corpus] * -(-{words} // corpus.words.rows))
corpus = corpus[: int((corpus.offsets <= {words}).sum())]
transform(corpus[:9], {source!r}, {target!r})
"""


def rows(folder: Path) -> list[Row]:
    """Measure."""
    path = str(material.conllu(folder))
    results = []
    for name in ("sud", "lth", "prague"):
        setup = SETUP.format(path=path, words=WORDS, source="ud", target=name)
        there = f"transform(corpus, 'ud', {name!r})"
        back = setup + f"corpus, _ = {there}\n"
        best = best_times(
            [Task("there", there, setup), Task("back", f"transform(corpus, {name!r}, 'ud')", back)]
        )
        for way, text in (("there", f"UD → {name}"), ("back", f"{name} → UD")):
            what = f"{WORDS:,} words transformed, {text}"
            results.append(Row(what, f"{best[way]:.1f} s", "≤ 1 s", best[way] <= 1))
    for one, other in FAR_APART:
        setup = SETUP.format(path=path, words=WORDS, source="ud", target=one)
        setup += f"corpus, _ = transform(corpus, 'ud', {one!r})\n"
        spent = best_times([Task("pair", f"transform(corpus, {one!r}, {other!r})", setup)])["pair"]
        what = f"{WORDS:,} words transformed, {one} → {other}, neither of them like UD"
        results.append(Row(what, f"{spent:.1f} s", "≤ 1 s", spent <= 1))
    return results


def main() -> None:
    """Print the time of each pair of schemes, and what they have in common."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = read(material.conllu(Path(folder)))
    corpus = type(corpus).concatenate([corpus] * -(-WORDS // corpus.words.rows))
    corpus = corpus[: int((corpus.offsets <= WORDS).sum())]
    names = scheme_names()
    given = {name: transform(corpus, "ud", name)[0] if name != "ud" else corpus for name in names}
    times = []
    for one, other in permutations(names, 2):
        transform(given[one][:9], one, other)
        start = time.process_time()
        transform(given[one], one, other)
        times.append(time.process_time() - start)
        print(f"{one} → {other}: {times[-1]:.2f} s", flush=True)
    mean, above = sum(times) / len(times), sum(spent > 1 for spent in times)
    print(
        f"{len(times)} pairs: {mean:.2f} s on average, {max(times):.2f} at most, {above} above 1 s"
    )


if __name__ == "__main__":
    main()
