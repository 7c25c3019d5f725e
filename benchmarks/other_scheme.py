"""Is a parse in another scheme noticed, and an ordinary one left alone?

    python benchmarks/other_scheme.py FILE.conllu…      # treebanks in UD, one for each language

Of each treebank, up to 300 sentences train a parser, and the next up to 100 are parsed. *Ordinary*
are that parse, one of a parser trained on 30 sentences, and the baselines of ``parsers list``: none
of them must be taken for another scheme. Then the first parse is rewritten in each of some schemes:
all of these must be noticed, and the errors told are those that the parse has in its own scheme.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import commonground
from commonground.corpus import Dependencies
from commonground.evaluation.other_scheme import SAMPLE, other_scheme
from commonground.schemes.transform import transform

TRAINED = 300
FEW = 30
BASELINES = ("right-branching", "left-branching", "nearest", "frequent-head", "random")
SCHEMES = ("sud", "prague", "tiger", "lth", "tut", "stanford")


def uas(gold: Dependencies, parse: Dependencies) -> float:
    """Return the share of right heads, in per cent."""
    return 100 * float(np.mean(gold.head == parse.head))


def ordinary(train: Dependencies, gold: Dependencies) -> dict[str, Dependencies]:
    """Return parses of the scheme of the gold standard, good ones and bad ones."""
    models = {"arc-eager": train, f"arc-eager, {FEW} sentences": train[:FEW]}
    by_name = {name: _parsed(each, "arc-eager", gold) for name, each in models.items()}
    return by_name | {name: _parsed(train, name, gold) for name in BASELINES}


def _parsed(train: Dependencies, parser: str, gold: Dependencies) -> Dependencies:
    return commonground.train(train, parser, gold_tags=True).parse(gold)


def lines(path: str) -> list[str]:
    """Return the rows of a treebank."""
    corpus = commonground.read(path)
    assert isinstance(corpus, Dependencies)
    test = min(SAMPLE, len(corpus) // 3)
    train = corpus[: min(TRAINED, len(corpus) - test)]
    gold = corpus[len(train) : len(train) + test]
    parses = ordinary(train, gold)
    rows = []
    for name, parse in parses.items():
        noticed = other_scheme(gold, parse)
        rows.append(f"| {Path(path).name} | {name} | {uas(gold, parse):.1f} | {_told(noticed)} | |")
    parse = parses["arc-eager"]
    for scheme in SCHEMES:
        moved, own = (transform(each, "ud", scheme)[0] for each in (parse, gold))
        noticed = other_scheme(gold, moved)
        real = 100 - uas(own, moved)
        told = "" if noticed is None else f"{noticed.lost_points - noticed.annotation_points:.1f}"
        rows.append(
            f"| {Path(path).name} | in {scheme} | {uas(gold, moved):.1f} | {_told(noticed)} "
            f"| {real:.1f}, told {told} |"
        )
    return rows


def _told(noticed: object) -> str:
    return "–" if noticed is None else (getattr(noticed, "parse", "") or "unknown")


if __name__ == "__main__":
    print("| treebank | parse | UAS | noticed | errors |\n|---|---|---|---|---|")
    for file in sys.argv[1:]:
        for line in lines(file):
            print(line, flush=True)
