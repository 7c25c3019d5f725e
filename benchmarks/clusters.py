"""What clusters of words from raw text are worth to taggers and parsers, with predicted tags.

    commonground clusters TEXT... -o FILE
    python benchmarks/clusters.py TRAIN TEST FILE [--parsers arc-eager,mst,…] [--seeds 3]

Film reviews are the Large Movie Review Dataset (Maas et al. 2011): 100,000 reviews with 22.9
million words, in files ``aclImdb/train/unsup/0_0.txt`` and so on; ``<br />`` are ends of lines.

Means over seeds; times are of the processor, those of training with tagger and jackknifing.
"""

from __future__ import annotations

import argparse
import time
from statistics import fmean

import commonground as cg

METRICS = ("uas", "las", "upos", "feats", "lemmas")


def main() -> None:
    """Print a row for each parser without clusters and with them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("clusters")
    parser.add_argument("--parsers", default="arc-eager,mst,stacked,ensemble")
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    treebank, gold = cg.read(options.train), cg.read(options.test)
    print("| parser | clusters | UAS | LAS | UPOS | FEATS | lemmas | training (s) | sentences/s |")
    print("|---|---|" + "---:|" * 7, flush=True)
    for name in options.parsers.split(","):
        for clusters in (None, options.clusters):
            runs = [measured(treebank, gold, name, clusters, seed) for seed in range(options.seeds)]
            means = [fmean(column) for column in zip(*runs, strict=True)]
            cells = [f"{value:.2f}" for value in means[:5]] + [
                f"{value:,.0f}" for value in means[5:]
            ]
            print(f"| {name} | {'yes' if clusters else 'no'} | {' | '.join(cells)} |", flush=True)


def measured(
    treebank: cg.Corpus, gold: cg.Corpus, name: str, clusters: str | None, seed: int
) -> list[float]:
    """Return the scores of one model, the time of its training, and sentences parsed a second."""
    start = time.process_time()
    model = cg.train(treebank, name, seed=seed, clusters=clusters, segmentation=False)
    training = time.process_time() - start
    times = []
    for _ in range(3):
        start = time.process_time()
        parsed = model.parse(gold)
        times.append(time.process_time() - start)
    result = cg.evaluate(gold, parsed, metrics=list(METRICS))
    return [100 * result[each].value for each in METRICS] + [training, len(gold) / min(times)]


if __name__ == "__main__":
    main()
