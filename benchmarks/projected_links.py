"""How good heads are that are projected over links of our own aligner and of eflomal.

    python benchmarks/projected_links.py           the table: three pairs, eflomal run five times
    python benchmarks/projected_links.py sweep     the confidence of the intersection, on en–sv only

The English gold trees of Parallel UD are projected to Swedish, German and Italian and scored
against the gold trees there: the coverage is the share of words that have a head, the precision the
share of these heads that are right. eflomal draws its seed from the operating system, so five runs
are five seeds; their means are shown, with the least and the greatest.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from statistics import mean

import commonground as cg
from commonground.alignment.bitext import bitext_of
from commonground.alignment.eflomal import eflomal_links
from commonground.alignment.symmetrisation import links_of
from commonground.corpus import Alignments, Dependencies
from material import SHARED

TARGETS = ("sv", "de", "it")
WAYS = ("intersection", "grow-diag-final-and")
RUNS = 5
SWEEP = (0.0, 0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)

Scores = tuple[float, float]
"""Coverage and precision, in per cent."""


def treebank(language: str) -> Dependencies:
    """Return the gold trees of a language."""
    return cg.read(SHARED / f"pud/{language}.conllu")


def scores(source: Dependencies, target: Dependencies, links: Alignments) -> Scores:
    """Return how many words have a head once trees are projected, and how many of these are right.

    Sentences are all kept, however fragmented.
    """
    projected = cg.project(source, target, links)
    result = cg.evaluate(target, projected.trees, metrics=["uas_precision"])
    coverage = 100 * projected.before.heads / projected.before.words
    return coverage, 100 * float(result["uas_precision"])


def eflomal_runs(source: Dependencies, target: Dependencies) -> dict[str, list[Scores]]:
    """Return the scores of five runs by each way."""
    bitext = bitext_of(source, target)
    by_name: dict[str, list[Scores]] = {way: [] for way in WAYS}
    for _ in range(RUNS):
        directions = eflomal_links(bitext)
        for way, runs in by_name.items():
            links = links_of(*directions, bitext.source, bitext.target, way)
            runs.append(scores(source, target, Alignments({"links": links})))
    return by_name


def shown(numbers: Sequence[float]) -> str:
    """Return a number, or the mean of several with the least and the greatest."""
    if len(numbers) == 1:
        return f"{numbers[0]:.1f}"
    return f"{mean(numbers):.1f} ({min(numbers):.1f}–{max(numbers):.1f})"


def table() -> None:
    """Print the table."""
    print("| pair | links | aligner | coverage | precision | coverage × precision |")
    print("|---|---|---|---:|---:|---:|")
    source = treebank("en")
    for language in TARGETS:
        target = treebank(language)
        theirs = eflomal_runs(source, target)
        for way in WAYS:
            own = [scores(source, target, cg.align(source, target, way=way).links)]
            for aligner, runs in (("`hmm`", own), ("eflomal", theirs[way])):
                products = [one * two / 100 for one, two in runs]
                columns = [*zip(*runs, strict=True), products]
                cells = " | ".join(map(shown, columns))
                print(f"| en–{language} | `{way}` | {aligner} | {cells} |", flush=True)


def sweep() -> None:
    """Print what the confidence of the intersection does on English–Swedish."""
    print("| confidence | coverage | precision |")
    print("|---:|---:|---:|")
    source, target = treebank("en"), treebank("sv")
    for confidence in SWEEP:
        aligned = cg.align(source, target, way="intersection", confidence=confidence)
        coverage, precision = scores(source, target, aligned.links)
        print(f"| {confidence:.2f} | {coverage:.1f} | {precision:.1f} |", flush=True)


if __name__ == "__main__":
    {"sweep": sweep}.get("".join(sys.argv[1:]), table)()
