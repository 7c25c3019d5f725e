"""Unsupervised parsers and branching trees over many languages, by attachment and by NED.

    python benchmarks/branching.py NAME=FILE… [--variants km04,cs09,…] [--max-length 15]

Models learn from the universal tags of each treebank and are scored on its trees, without
punctuation; `supervised` is the same model with the counts of the trees.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

import numpy as np

import commonground as cg
from commonground.parsers.baselines import BaselineModel
from commonground.parsers.dmv.baselines import BASELINES
from commonground.parsers.dmv.parser import train
from commonground.parsers.dmv.settings import DmvSettings
from commonground.parsers.dmv.studies import measured
from commonground.parsers.parser import TrainingTask

BRANCHING = ("right-branching", "left-branching")


def main() -> None:
    """Print a row for each treebank, attachment and NED of each system, and what differs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--variants", default="km04,cs09,bbdk10,gggtp10,less-is-more,viterbi")
    parser.add_argument("--max-length", type=int, default=15)
    options = parser.parse_args()
    variants = options.variants.split(",")
    systems = [*BASELINES, *variants, "supervised"]
    print(f"| language | {' | '.join(systems)} |\n|---|{'---:|' * len(systems)}", flush=True)
    attachment: list[list[float]] = []
    neutral: list[list[float]] = []
    for text in options.treebanks:
        name, _, path = text.partition("=")
        gold = cg.read(path)
        parses = [BaselineModel(each, "upos", {}, {}).parse(gold) for each in BASELINES]
        for each in variants:
            settings = DmvSettings(variant=each, max_length=options.max_length, column="upos")
            parses.append(train(TrainingTask(gold, settings)).parse(gold))
        settings = DmvSettings(variant="supervised", column="upos")
        parses.append(train(TrainingTask(gold, settings)).parse(gold))
        scores = [measured(gold, parse) for parse in parses]
        attachment.append([100 * each.attachment for each in scores])
        neutral.append([100 * each.ned for each in scores])
        cells = (f"{a:.1f} / {n:.1f}" for a, n in zip(attachment[-1], neutral[-1], strict=True))
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    uas, ned = np.array(attachment), np.array(neutral)
    means = (f"{a:.1f} / {n:.1f}" for a, n in zip(uas.mean(0), ned.mean(0), strict=True))
    print(f"| mean | {' | '.join(means)} |\n")
    learned = [systems.index(each) for each in variants]
    branching = [systems.index(each) for each in BRANCHING]
    for title, scores in (("attachment", uas), ("NED", ned)):
        best = scores[:, branching].max(1)
        behind = (scores[:, learned] < best[:, None]).sum(0)
        counts = ", ".join(f"{each} {n}" for each, n in zip(variants, behind, strict=True))
        print(f"behind the better branching tree by {title}, of {len(uas)}: {counts}")
        print(f"all of them behind: {int((scores[:, learned].max(1) < best).sum())}")
    supervised = systems.index("supervised")
    above = int((ned[:, branching].max(1) > ned[:, supervised]).sum())
    print(f"a branching tree above the supervised model by NED: {above}")
    taus = [tau(a[learned], n[learned]) for a, n in zip(uas, ned, strict=True)]
    print(f"tau of attachment and NED over the learned models: {np.mean(taus):.2f}")
    taus = [tau(a, n) for a, n in zip(uas, ned, strict=True)]
    print(f"tau over all systems: {np.mean(taus):.2f}")


def tau(one: Iterable[float], other: Iterable[float]) -> float:
    """Return Kendall's τ of two orders."""
    x, y = np.array(list(one)), np.array(list(other))
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    pairs = len(x) * (len(x) - 1)
    return float(signs.sum() / pairs)


if __name__ == "__main__":
    main()
