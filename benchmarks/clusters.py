"""What clusters of words from raw text are worth to taggers and parsers, with predicted tags.

    commonground clusters TEXT... -o FILE
    python benchmarks/clusters.py TRAIN TEST [FILE] [--parsers arc-eager,mst,…] [--seeds 0,1,2]

Film reviews are the Large Movie Review Dataset (Maas et al. 2011): 100,000 reviews with 22.9
million words, in files ``aclImdb/train/unsup/0_0.txt`` and so on; ``<br />`` are ends of lines.

Scores are means over seeds, with the lowest and the highest. Times are of the processor, those of
training with tagger and jackknifing, which are the same for all parsers and so are done once.
Without FILE there are no rows with clusters, and ``--with`` leaves out those without.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import commonground as cg
from commonground.parsers.clusters.word_clusters import read_clusters
from commonground.parsers.tagger import jackknifed_tags

METRICS = ("uas", "las", "upos", "feats", "lemmas")
HEADINGS = "parser | clusters | UAS | LAS | UPOS | FEATS | lemmas | training (s) | sentences/s"


def main() -> None:
    """Print a row for each parser without clusters and with them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("clusters", nargs="?")
    parser.add_argument("--with", action="store_true", dest="only")
    parser.add_argument("--parsers", default="arc-eager,mst,stacked,ensemble")
    parser.add_argument("--seeds", default="0,1,2")
    options = parser.parse_args()
    treebank, gold = cg.read(options.train), cg.read(options.test)
    print(f"| {HEADINGS} |\n|---|---|{'---:|' * 7}", flush=True)
    for clusters in [None] * (not options.only) + [options.clusters] * bool(options.clusters):
        seeds = map(int, options.seeds.split(","))
        tags = [Tagged.by(treebank, clusters, seed) for seed in seeds]
        for name in options.parsers.split(","):
            runs = [each.scores(gold, name) for each in tags]
            columns = list(zip(*runs, strict=True))
            cells = [spread(column) for column in columns[:5]]
            cells += [f"{fmean(column):,.0f}" for column in columns[5:]]
            print(f"| {name} | {'yes' if clusters else 'no'} | {' | '.join(cells)} |", flush=True)


def spread(values: tuple[float, ...]) -> str:
    """Return the mean of some scores, with the lowest and the highest where there are several."""
    mean = f"{fmean(values):.2f}"
    return mean if len(values) == 1 else f"{mean} ({min(values):.2f}–{max(values):.2f})"


@dataclass(frozen=True)
class Tagged:
    """A tagger, a treebank with tags from jackknifing, and the time that both took."""

    tagger: Any
    treebank: Any
    clusters: Any
    seed: int
    seconds: float

    @classmethod
    def by(cls, treebank: Any, path: str | None, seed: int) -> Tagged:
        """Train a tagger, and tag what parsers are trained on."""
        clusters = None if path is None else read_clusters(path)
        start = time.process_time()
        tagger = cg.train(treebank, "tagger", seed=seed, clusters=clusters, segmentation=False)
        marked = treebank if clusters is None else clusters.marked(treebank)
        seen = jackknifed_tags(marked, seed=seed)
        return cls(tagger.model, seen, clusters, seed, time.process_time() - start)

    def scores(self, gold: Any, name: str) -> list[float]:
        """Return the scores of a parser, the time of its training, and sentences a second."""
        options = {"seed": self.seed, "clusters": self.clusters, "gold_tags": True}
        start = time.process_time()
        trained = cg.train(self.treebank, name, **options)
        training = self.seconds + time.process_time() - start
        model = replace(trained, tags="predicted", tagger=self.tagger)
        times = []
        for _ in range(5):
            start = time.process_time()
            parsed = model.parse(gold)
            times.append(time.process_time() - start)
        result = cg.evaluate(gold, parsed, metrics=list(METRICS))
        scores = [100 * result[each].value for each in METRICS]
        return [*scores, training, len(gold) / min(times)]


if __name__ == "__main__":
    main()
