"""How fast treebanks go from one annotation scheme to another."""

from __future__ import annotations

from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

WORDS = 250_000
FAR_APART = ("tut", "copenhagen")
"""Two schemes that both differ from the hub in most constructions."""

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
    one, other = FAR_APART
    setup = SETUP.format(path=path, words=WORDS, source="ud", target=one)
    setup += f"corpus, _ = transform(corpus, 'ud', {one!r})\n"
    spent = best_times([Task("pair", f"transform(corpus, {one!r}, {other!r})", setup)])["pair"]
    what = f"{WORDS:,} words transformed, {one} → {other}, neither of them like UD"
    return [*results, Row(what, f"{spent:.1f} s", "≤ 1 s", spent <= 1)]
