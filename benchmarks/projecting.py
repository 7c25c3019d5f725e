"""How fast trees are made projective and brought back, and edges flipped."""

from __future__ import annotations

from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

MILLION = 1_000_000

OURS = """
from commonground import read
from commonground.corpus import Dependencies
from commonground.schemes.flips import flip
from commonground.schemes.projectivity import deprojectivize, projectivize
corpus = read({path!r})
corpus = Dependencies.concatenate([corpus] * -(-{words} // corpus.words.rows))
projective, _ = projectivize(corpus, "head+path")
"""

UDAPI = """
from udapi.core.document import Document
from udapi.block.transform.proj import Proj
document = Document()
document.load_conllu({path!r})
"""


def rows(folder: Path) -> list[Row]:
    """Measure."""
    path = str(material.conllu(folder))
    lines = Path(path).read_bytes().splitlines()
    words = sum(line.partition(b"\t")[0].isdigit() for line in lines)
    ours = OURS.format(path=path, words=MILLION)
    best = best_times(
        [
            Task("lift", "projectivize(corpus, 'head+path')", ours),
            Task("lower", "deprojectivize(projective, 'head+path')", ours),
            Task("flip", "flip(corpus, 'ud:adposition')", ours),
            Task("same", "projectivize(corpus, 'head')", OURS.format(path=path, words=1)),
            Task("udapi", "Proj().process_document(document)", UDAPI.format(path=path)),
        ],
        rounds=3,
    )
    ratio = best["udapi"] / best["same"]
    return [
        Row(
            "projectivizing a million words, head+path",
            f"{best['lift']:.2f} s",
            "< 2 s",
            best["lift"] < 2,
        ),
        Row("undoing it", f"{best['lower']:.2f} s", "< 2 s", best["lower"] < 2),
        Row(f"projectivizing {words:,} words, head, against udapi", f"{ratio:.0f} ×", "", met=True),
        Row("flipping all adpositions of a million words", f"{best['flip']:.2f} s", "", met=True),
    ]
