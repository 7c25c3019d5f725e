"""How fast parses are scored, beside the field's own programs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

BIN = Path(sys.executable).parent
TREES = 40_000
LONGEST = 60
"""The original evalb has room for 200 words and brackets in a sentence."""

METRICS = (
    *("tokens", "sentences", "words", "upos", "xpos", "feats", "alltags", "lemmas"),
    *("uas", "las", "clas", "mlas", "blex"),
)
"""The metrics of the CoNLL 2018 scorer."""

ENHANCED = ("elas", "eulas")
"""What udeval, its successor, computes as well."""

EVALB = os.environ.get("COMMONGROUND_EVALB", "")
"""A folder with evalb in C, built, and its COLLINS.prm."""


def rows(folder: Path) -> list[Row]:
    """Measure."""
    return [*_million_words(folder), *_one_file(folder), *_brackets(folder)]


def _million_words(folder: Path) -> list[Row]:
    source = material.conllu(folder)
    path = material.repeated(source, folder / "million.conllu", 70_000_000)
    words = _words(path)
    gold = str(path)
    # udeval takes as long for each word of a fifth as for each word of the whole, and that is long.
    fifth = material.repeated(source, folder / "fifth.conllu", 14_000_000)
    other = str(fifth)
    setup = (
        "from commonground import evaluate, preset; "
        "evaluate('example:ud', 'example:ud', metrics=['all'])"
    )

    def ours(name: str, metrics: tuple[str, ...]) -> Task:
        options = f"metrics={metrics!r}, settings=preset('conll18')"
        return Task(name, f"evaluate({gold!r}, {gold!r}, {options})", setup)

    read_only = f"read({gold!r}); read({gold!r})"
    best = best_times(
        [
            ours("ours", METRICS),
            ours("with enhanced", METRICS + ENHANCED),
            Task("heads", f"evaluate({gold!r}, {gold!r}, metrics=('uas', 'las', 'ned'))", setup),
            Task("read", read_only, setup + "; from commonground import read"),
        ],
        rounds=3,
        seconds=20,
    )
    share = best["read"] / best["heads"]
    best |= best_times(
        [
            Task(
                "udeval",
                f"evaluate(load_conllu_file({other!r}), load_conllu_file({other!r}))",
                "from udtools.udeval import evaluate, load_conllu_file",
            )
        ],
        rounds=1,
    )
    what = f"metrics of the CoNLL 2018 scorer on {words / 1e6:.1f} million words, read and scored"
    udeval = best["udeval"] * words / _words(fifth)
    ratio, more = (udeval / best[name] for name in ("ours", "with enhanced"))
    speed = words / best["ours"] / 1e6
    shown = f"{ratio:.0f} × udeval ({speed:.1f} million words/s)"
    return [
        Row(what, shown, "≥ 120 ×", ratio >= 120),
        Row(
            "the same with ELAS and EULAS, which udeval computes too", f"{more:.0f} ×", "", met=True
        ),
        Row(
            f"UAS, LAS and NED on {words / 1e6:.1f} million words: the share that reading takes",
            f"{share:.0%} of {best['heads']:.2f} s",
            "> 70%",
            share > 0.7,
        ),
    ]


def _words(path: Path) -> int:
    return sum(line[:1].isdigit() for line in path.open("rb"))


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
            "≤ 0.20 s",
            best["ours"] <= 0.2,
        )
    ]


def _brackets(folder: Path) -> list[Row]:
    many = str(material.trees(folder, TREES, longest=LONGEST))
    few = str(material.trees(folder, TREES // 20))
    ours = (str(BIN / "commonground"), "evaluate", "--preset", "evalb-collins")
    tasks = [Task("many", command=(*ours, many, many))]
    if EVALB:
        place = Path(EVALB)
        original = (str(place / "evalb"), "-p", str(place / "COLLINS.prm"), many, many)
        tasks.append(Task("evalb", command=original))
    best = best_times(tasks)
    in_python = [
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
    ]
    best |= best_times(in_python, rounds=2)
    what = f"PARSEVAL on {TREES:,} trees, start-up included"
    shown = f"{best['many']:.2f} s ({TREES / best['many']:,.0f} trees/s)"
    results = [Row(what, shown, "", met=True)]
    if "evalb" in best:
        ratio = best["evalb"] / best["many"]
        told = f"{ratio:.2f} × ({best['evalb']:.2f} s)"
        results.append(Row("the same, against evalb in C", told, "≥ 1.5 ×", ratio >= 1.5))
    ratio = best["pyevalb"] / best["few"]
    what = f"PARSEVAL on {TREES // 20:,} trees, read and scored, against PYEVALB"
    return [*results, Row(what, f"{ratio:.0f} ×", "≥ 100 ×", ratio >= 100)]
