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
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import commonground as cg
from commonground.parsers.clusters.word_clusters import read_clusters
from commonground.parsers.tagger import jackknifed_tags

TAGS = ("upos", "feats", "lemmas")
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
        tags = [Tagged.by(treebank, gold, clusters, seed) for seed in seeds]
        for name in options.parsers.split(","):
            runs = [each.parsed(gold, name) for each in tags]
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
    """A treebank with tags from jackknifing, a test file with those of a tagger, and their cost."""

    treebank: Any
    test: Any
    clusters: Any
    seed: int
    training: float
    tagging: float
    scores: list[float]

    @classmethod
    def by(cls, treebank: Any, gold: Any, path: str | None, seed: int) -> Tagged:
        """Train a tagger, and tag what parsers are trained on and what they parse."""
        clusters = None if path is None else read_clusters(path)
        start = time.process_time()
        tagger = cg.train(treebank, "tagger", seed=seed, clusters=clusters, segmentation=False)
        marked = treebank if clusters is None else clusters.marked(treebank)
        seen = jackknifed_tags(marked, seed=seed)
        training = time.process_time() - start
        tagging, test = fastest(tagger.tag, gold)
        result = cg.evaluate(gold, test, metrics=list(TAGS))
        scores = [100 * result[each].value for each in TAGS]
        return cls(seen, test, clusters, seed, training, tagging, scores)

    def parsed(self, gold: Any, name: str) -> list[float]:
        """Return the scores of a parser, the time of its training, and sentences a second."""
        options = {"seed": self.seed, "clusters": self.clusters, "gold_tags": True}
        start = time.process_time()
        model = cg.train(self.treebank, name, **options)
        training = self.training + time.process_time() - start
        parsing, parsed = fastest(model.parse, self.test)
        result = cg.evaluate(gold, parsed, metrics=["uas", "las"])
        attachment = [100 * result[each].value for each in ("uas", "las")]
        return [*attachment, *self.scores, training, len(gold) / (self.tagging + parsing)]


def fastest(work: Any, corpus: Any) -> tuple[float, Any]:
    """Return the shortest of three times, and what was made."""
    times = []
    for _ in range(3):
        start = time.process_time()
        made = work(corpus)
        times.append(time.process_time() - start)
    return min(times), made


if __name__ == "__main__":
    main()
