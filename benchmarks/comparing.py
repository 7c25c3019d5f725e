"""How fast TedEval is, and a comparison of two frameworks from files to table."""

from __future__ import annotations

import sys
from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

ORIGINAL = 9
"""Sentences a second that the original program manages."""

SETUP = """
from commonground import read
from commonground.ground import functions_of, generalize
from commonground.metrics.functions.tedeval import tedeval_items
corpus = read({path!r})
own = functions_of(corpus)
parse = functions_of(corpus.replace("words", deprel=corpus.deprel.map(str.upper)))
general = generalize(own, parse)
sentences = len(corpus)
"""


def rows(folder: Path) -> list[Row]:
    """Measure."""
    path = str(material.conllu(folder))
    single = "tedeval_items(parse, own).counts"
    multiple = "tedeval_items(parse, own, general).counts"
    setup = SETUP.format(path=path)
    whole = "evaluate(corpus, corpus, metrics=['tedeval', 'tedeval_unlabelled'])"
    both = setup + "from commonground import evaluate\nevaluate(corpus[:9], corpus[:9])\n"
    best = best_times(
        [
            Task("single", single, setup),
            Task("multiple", multiple, setup),
            Task("evaluate", whole, both),
        ]
    )
    sentences = Path(path).read_bytes().count(b"\n\n")
    found = []
    for name in ("single", "multiple"):
        ratio = sentences / best[name] / ORIGINAL
        found.append(
            Row(
                f"TedEval 2012 {name.upper()}, from function trees, against the original program",
                f"{ratio:,.0f} × ({sentences / best[name]:,.0f} sentences/s)",
                "≥ 10,000 ×",
                ratio >= 10_000,
            )
        )
    ratio = sentences / best["evaluate"] / ORIGINAL
    found.append(
        Row(
            "the same from dependencies in memory, labelled and unlabelled, conversion included",
            f"{ratio:,.0f} × ({sentences / best['evaluate']:,.0f} sentences/s)",
            "≥ 10,000 ×",
            ratio >= 10_000,
        )
    )
    return [*found, *_frameworks(folder)]


def _frameworks(folder: Path) -> list[Row]:
    dep, const = material.two_frameworks(folder)
    command = (
        *(str(Path(sys.executable).parent / "commonground"), "compare"),
        *(f"ud={dep}:{dep}", f"ptb={const}:{const}"),
    )
    best = best_times([Task("compare", command=command)])["compare"]
    what = "`compare` of dependencies and constituents (GUM where it is at hand), files to table"
    return [Row(what, f"{best:.2f} s", "< 1 s", best < 1)]
