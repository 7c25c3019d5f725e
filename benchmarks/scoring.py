"""How fast parses are scored, beside the field's own programs."""

from __future__ import annotations

import sys
from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

BIN = Path(sys.executable).parent
TREES = 40_000
METRICS = (
    *("tokens", "sentences", "words", "upos", "xpos", "feats", "alltags", "lemmas"),
    *("uas", "las", "clas", "mlas", "blex"),
)
"""The metrics of the CoNLL 2018 scorer."""

ENHANCED = ("elas", "eulas")
"""What udeval, its successor, computes as well."""

C_EVALB = 50_000
"""Trees a second that the original C program manages."""


def rows(folder: Path) -> list[Row]:
    """Measure."""
    return [*_million_words(folder), *_one_file(folder), *_brackets(folder)]


def _million_words(folder: Path) -> list[Row]:
    path = material.repeated(material.conllu(folder), folder / "million.conllu", 70_000_000)
    words = sum(1 for line in path.open("rb") if line[:1].isdigit())
    gold = str(path)
    setup = (
        "from commonground import evaluate, preset; "
        "evaluate('example:ud', 'example:ud', metrics=['all'])"
    )

    def ours(name: str, metrics: tuple[str, ...]) -> Task:
        options = f"metrics={metrics!r}, settings=preset('conll18')"
        return Task(name, f"evaluate({gold!r}, {gold!r}, {options})", setup)

    best = best_times([ours("ours", METRICS), ours("with enhanced", METRICS + ENHANCED)], rounds=3)
    best |= best_times(
        [
            Task(
                "udeval",
                f"evaluate(load_conllu_file({gold!r}), load_conllu_file({gold!r}))",
                "from udtools.udeval import evaluate, load_conllu_file",
            )
        ],
        rounds=1,
    )
    what = f"metrics of the CoNLL 2018 scorer on {words / 1e6:.1f} million words, read and scored"
    ratio, more = (best["udeval"] / best[name] for name in ("ours", "with enhanced"))
    speed = words / best["ours"] / 1e6
    shown = f"{ratio:.0f} × udeval ({speed:.1f} million words/s)"
    return [
        Row(what, shown, "≥ 50 ×", ratio >= 50),
        Row(
            "the same with ELAS and EULAS, which udeval computes too", f"{more:.0f} ×", "", met=True
        ),
    ]


def _one_file(folder: Path) -> list[Row]:
    gold = str(material.words(folder, 25_000))
    options = ("--preset", "conll18", "--metrics", ",".join(METRICS))
    best = best_times(
        [
            Task("ours", command=(str(BIN / "commonground"), "evaluate", gold, gold, *options)),
            Task("udeval", command=(str(BIN / "udeval"), "-v", gold, gold)),
        ]
    )
    ratio = best["udeval"] / best["ours"]
    return [
        Row(
            "metrics of the CoNLL 2018 scorer on 25,000 words, start-up included",
            f"{ratio:.1f} × udeval ({best['ours']:.2f} s)",
            "≥ 5 ×",
            ratio >= 5,
        )
    ]


def _brackets(folder: Path) -> list[Row]:
    many = str(material.trees(folder, TREES))
    few = str(material.trees(folder, TREES // 20))
    ours = (str(BIN / "commonground"), "evaluate", "--preset", "evalb-collins")
    best = best_times(
        [
            Task("many", command=(*ours, many, many)),
            Task(
                "few",
                f"evaluate(read({few!r}), read({few!r}), settings=preset('evalb-collins'))",
                "from commonground import evaluate, preset, read; "
                "evaluate('example:ptb', 'example:ptb')",
            ),
            Task(
                "pyevalb",
                f"Scorer().evalb({few!r}, {few!r}, {few + '.out'!r})",
                "from PYEVALB.scorer import Scorer",
            ),
        ],
        rounds=3,
    )
    ratio = best["pyevalb"] / best["few"]
    return [
        Row(
            f"PARSEVAL on {TREES:,} trees, start-up included",
            f"{best['many']:.2f} s ({TREES / best['many']:,.0f} trees/s)",
            f"≤ {TREES / C_EVALB:.1f} s, the time of evalb in C",
            best["many"] <= TREES / C_EVALB,
        ),
        Row(
            f"PARSEVAL on {TREES // 20:,} trees, read and scored, against PYEVALB",
            f"{ratio:.0f} ×",
            "≥ 100 ×",
            ratio >= 100,
        ),
    ]
