"""Parsers trained on projected trees, beside delexicalised transfer and supervised ones.

    python benchmarks/projected_parsers.py PUD LANGUAGE… [--sources en,de,sv] [--calibration]

PUD is a folder with the treebanks of Parallel UD, one file per language (fi.conllu): the same
sentences in each. Every fifth sentence is for testing; parsers are trained on the others:

- delexicalised: mst on the trees of the first source, and of all sources, without words;
- projected: on the target's words with the heads that the sources vote for, over links of the
  intersection (probability at least 0.5) between words with the same part of speech; partial trees,
  all of them, whose heads count by their confidence. The parser is stacked on the delexicalised one
  of all sources;
- shuffled: the same, but each link goes to any word of its sentence with that part of speech;
- supervised: mst on the target's gold trees.

The settings were chosen on Italian, Polish and Turkish. p is that of the shuffling test between
projected and the better one of the delexicalised parsers. With --calibration nothing is trained:
the heads of all projected trees are divided by their confidence, and how many are right is shown.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np

import commonground as cg
from commonground.alignment import align
from commonground.corpus import Alignments, Dependencies
from commonground.parsers.confidence import confidences
from commonground.parsers.trained import TrainedParser, train
from commonground.projection import Filter, Policies, project

HERE = Policies(tags="same")
LEAST = 0.5
STRETCHES = (0, 0.6, 0.7, 0.78, 1)
COLUMNS = (
    "language", "delexicalised", "delexicalised, all", "shuffled", "projected", "supervised",
    "coverage", "precision", "p",
)  # fmt: skip


def halves(corpus: Dependencies) -> tuple[Dependencies, Dependencies]:
    """Return the sentences for training and those for testing."""
    test = np.arange(len(corpus)) % 5 == 0
    return corpus.take(np.flatnonzero(~test)), corpus.take(np.flatnonzero(test))


def learnt(trees: Dependencies, gold: str = "tags,lemmas,feats") -> TrainedParser:
    """Return a parser that is trained on whole trees."""
    return train(trees, "mst", gold=gold, segmentation=False, keep=False)


def led(trees: Dependencies, guide: Path) -> TrainedParser:
    """Return a parser that is trained on doubtful trees, and led by another one."""
    settings = {"guide": str(guide)}
    return train(
        trees, "stacked", gold_tags=True, weights="Confidence", settings=settings, keep=False
    )


def parsed(parser: TrainedParser, test: Dependencies) -> Dependencies:
    """Return the test set as a parser parses it."""
    parse = parser.parse(test)
    return test.replace("words", head=parse.head, deprel=parse.deprel)


def shuffled(links: Alignments, target: Dependencies) -> Alignments:
    """Return links that go to any word of their sentence with the same part of speech."""
    random = np.random.default_rng(0)
    tags = np.array(target.upos.tolist())
    sentence = links.links.sentence_of_row()
    moved = np.array(links.target)
    for row, at in enumerate(sentence.tolist()):
        first, last = int(target.offsets[at]), int(target.offsets[at + 1])
        alike = np.flatnonzero(tags[first:last] == tags[first + int(moved[row])])
        moved[row] = random.choice(alike)
    return links.replace("links", target=moved.astype(links.target.dtype))


def projected_trees(
    corpora: Mapping[str, Dependencies], links: Mapping[str, Alignments], target: Dependencies
) -> Dependencies:
    """Return the trees of all sources, projected over their links."""
    first, *rest = ((corpora[source], over) for source, over in links.items())
    result = project(
        first[0],
        target,
        first[1],
        policies=HERE,
        chosen=Filter(None),
        further=rest,
        confidence=True,
    )
    assert result.trees is not None
    return result.trees


def linked(
    corpora: Mapping[str, Dependencies], sources: list[str], target: Dependencies
) -> dict[str, Alignments]:
    """Return the links of each source to the target."""
    return {
        source: align(
            corpora[source], target, way="intersection", confidence=LEAST, probabilities=True
        ).links
        for source in sources
    }


def calibration(trees: Dependencies, gold: Dependencies) -> list[tuple[float, float, float]]:
    """Return by stretches of confidence its mean, the share of heads that are right, and of all."""
    known = trees.head >= 0
    sure, right = confidences(trees)[known], (trees.head == gold.head)[known]
    parts = [(sure >= low) & (sure < high) for low, high in pairwise(STRETCHES)]
    return [(sure[part].mean(), right[part].mean(), part.mean()) for part in parts if part.any()]


def row(
    language: str,
    corpora: dict[str, Dependencies],
    sources: list[str],
    bare: list[TrainedParser],
    guide: Path,
) -> list[object]:
    """Return the row of a language; `bare` are the delexicalised parsers, one of them the guide."""
    target = corpora[language]
    learn, test = halves(target)
    links = linked(corpora, sources, target)
    projected = halves(projected_trees(corpora, links, target))[0]
    astray = {source: shuffled(each, target) for source, each in links.items()}
    wrong = halves(projected_trees(corpora, astray, target))[0]
    systems = {
        "delexicalised": parsed(bare[0], test),
        "all": parsed(bare[1], test),
        "shuffled": parsed(led(wrong, guide), test),
        "projected": parsed(led(projected, guide), test),
        "supervised": parsed(learnt(learn), test),
    }
    result = cg.evaluate(test, systems, metrics=["uas"], check_scheme=False)
    scores = {system.name: 100 * float(system["uas"]) for system in result.systems}
    best = max(("delexicalised", "all"), key=scores.__getitem__)
    pair = cg.evaluate(
        test, {n: systems[n] for n in ("projected", best)}, metrics=["uas"], check_scheme=False
    )
    claim = pair.test("shuffle", metrics=["uas"]).pairs["uas", "shuffle"].pairs[0].claim
    known = projected.head >= 0
    precision = 100 * float((projected.head == learn.head)[known].mean())
    return [language, *scores.values(), 100 * float(known.mean()), precision, claim.p]


def main() -> None:
    """Print the table, a row as soon as it is there."""
    options = argparse.ArgumentParser()
    options.add_argument("pud", type=Path)
    options.add_argument("languages", nargs="+")
    options.add_argument("--sources", default="en,de,sv")
    options.add_argument("--calibration", action="store_true")
    given = options.parse_args()
    sources = given.sources.split(",")
    corpora = {name: cg.read(given.pud / f"{name}.conllu") for name in [*sources, *given.languages]}
    if given.calibration:
        for language in given.languages:
            links = linked(corpora, sources, corpora[language])
            trees = projected_trees(corpora, links, corpora[language])
            for numbers in calibration(trees, corpora[language]):
                print(language, *(f"{number:.2f}" for number in numbers))
        return
    own = [halves(corpora[source])[0] for source in sources]
    bare = [learnt(trees, "upos") for trees in (own[0], Dependencies.concatenate(own))]
    print(f"| {' | '.join(COLUMNS)} |\n|---|{'---:|' * (len(COLUMNS) - 1)}")
    with tempfile.TemporaryDirectory() as folder:
        guide = Path(folder) / "guide.model"
        bare[1].save(guide)
        for language in given.languages:
            name, *numbers = row(language, corpora, sources, bare, guide)
            *scores, p = (float(str(number)) for number in numbers)
            print(f"| {name} | {' | '.join(f'{s:.1f}' for s in scores)} | {p:.4f} |", flush=True)


if __name__ == "__main__":
    main()
