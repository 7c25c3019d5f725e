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
from commonground.ground import to_functions, generalize
from commonground.metrics.functions.tedeval import tedeval_items
corpus = read({path!r})
own = to_functions(corpus)
parse = to_functions(corpus.replace("words", deprel=corpus.deprel.map(str.upper)))
general = generalize(own, parse)
sentences = len(corpus)
"""


CHAIN = """
import numpy as np
from commonground import Dependencies, to_functions
words = np.random.default_rng(0).permutation(5000)
head = np.zeros(5000, np.int32)
head[words[1:]] = words[:-1] + 1
chain = Dependencies.of([(["w"] * 5000, head.tolist(), ["x"] * 5000)])
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
            Task("chain", "to_functions(chain)", CHAIN),
        ]
    )
    sentences = Path(path).read_bytes().count(b"\n\n")
    results = []
    for name in ("single", "multiple"):
        ratio = sentences / best[name] / ORIGINAL
        results.append(
            Row(
                f"TedEval 2012 {name.upper()}, from function trees, against the original program",
                f"{ratio:,.0f} × ({sentences / best[name]:,.0f} sentences/s)",
                "≥ 10,000 ×",
                ratio >= 10_000,
            )
        )
    ratio = sentences / best["evaluate"] / ORIGINAL
    results.append(
        Row(
            "the same from dependencies in memory, labelled and unlabelled, conversion included",
            f"{ratio:,.0f} × ({sentences / best['evaluate']:,.0f} sentences/s)",
            "≥ 20,000 ×",
            ratio >= 20_000,
        )
    )
    chain = best["chain"]
    what = "a chain of 5,000 words that crosses itself, to a function tree"
    results.append(Row(what, f"{chain:.2f} s", "< 0.5 s", chain < 0.5))
    return [*results, *_frameworks(folder), *_schemes(folder)]


MANY = """
import numpy as np
from commonground import Strings, compare, read
from commonground.schemes.transform import transform
corpus = read({path!r})[:2000]
schemes = ("ud", "sud", "prague", "stanford", "conll07")
golds = {{scheme: transform(corpus, "ud", scheme)[0] for scheme in schemes}}
def parse(gold, seed):
    label = np.array(gold.deprel.tolist(), object)
    label[np.random.default_rng(seed).random(len(label)) < 0.1] = "dep"
    return gold.replace("words", deprel=Strings.of(label.tolist()))
systems = {{f"{{n}}-{{k}}": (gold, parse(gold, k)) for n, gold in golds.items() for k in range(4)}}
"""
"""Five schemes of one treebank, and four parses of each."""


def _schemes(folder: Path) -> list[Row]:
    setup = MANY.format(path=str(material.test_conllu(folder)))
    limits = {"2012": 4, "2011": 60}
    best = best_times(
        [Task(name, f"compare(systems, protocol={name!r})", setup) for name in limits]
    )
    what = "`compare` of 20 systems over 5 schemes, 2,000 sentences, protocol of"
    return [
        Row(f"{what} {name}", f"{best[name]:.1f} s", f"< {limit} s", best[name] < limit)
        for name, limit in limits.items()
    ]


def _frameworks(folder: Path) -> list[Row]:
    dep, const = material.two_frameworks(folder)
    command = (
        *(str(Path(sys.executable).parent / "commonground"), "compare"),
        *(f"ud={dep}:{dep}", f"ptb={const}:{const}"),
    )
    best = best_times([Task("compare", command=command)])["compare"]
    what = "`compare` of dependencies and constituents (GUM where it is at hand), files to table"
    return [Row(what, f"{best:.2f} s", "< 1 s", best < 1)]
