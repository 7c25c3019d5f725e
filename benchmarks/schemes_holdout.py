"""How transformations agree with second analyses that the rules were not made on.

    python benchmarks/schemes_holdout.py ud=gsd-ud.conllu sud=gsd-sud.conllu    # one pair
    SCHEMES_HOLDOUT=folder python benchmarks/schemes_holdout.py                 # all of a folder

A pair of files has the same words, one to one, in two schemes. In a folder, files whose names have
the same beginning before the last hyphen are a pair (``gsd-ud.conllu``, ``gsd-sud.conllu``). Rules
were made with the first half of the sentences in view; the table is about the second half: percent
of the heads of words and of marks apart, of labels and of main labels, and the heads that agree
without any transformation. Variants of the target (``sud-comp``) have lines of their own. A scheme
may be mixed: ``prague=a.conllu ud+stanford:coordination=b.conllu``. What is not there is skipped.
With ``--whole``, the table is about all sentences, for treebanks that nobody has looked at.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import numpy as np

import commonground
from commonground.corpus import Dependencies, Strings
from commonground.schemes.library import variant_names
from commonground.schemes.transform import transform

COLUMNS = (
    "words",
    "before",
    "heads",
    "words only",
    "marks",
    "labels",
    "main labels",
    "several roots",
)


def pairs(arguments: list[str]) -> Iterator[tuple[str, dict[str, Path]]]:
    """Return the pairs that are named, or those of the folder in the environment."""
    if arguments:
        files = dict(argument.split("=", 1) for argument in arguments)
        yield "given", {scheme: Path(path) for scheme, path in files.items()}
        return
    folder = os.environ.get("SCHEMES_HOLDOUT", "")
    result: dict[str, dict[str, Path]] = defaultdict(dict)
    for path in sorted(Path(folder).glob("*-*.conll*")) if folder else []:
        name, _, scheme = path.stem.rpartition("-")
        result[name][scheme] = path
    yield from ((name, files) for name, files in result.items() if len(files) > 1)


def row(
    name: str,
    source: str,
    target: str,
    one: Dependencies,
    gold: Dependencies,
    *,
    whole: bool = False,
) -> str:
    """Return a line of the table: the second half of a treebank, from one scheme to another."""
    half = 0 if whole else one.offsets[len(one) // 2]
    done, _ = transform(one, source, target)
    mark = _universal(one, gold).where(lambda tag: tag == "PUNCT")[half:]
    heads = (done.head == gold.head)[half:]
    labels = list(zip(done.deprel.tolist(), gold.deprel.tolist(), strict=True))[half:]
    main = [
        (a.partition(":")[0].partition("@")[0], b.partition(":")[0].partition("@")[0])
        for a, b in labels
    ]
    roots = np.add.reduceat(done.head == 0, done.offsets[:-1])
    values = (
        (one.head == gold.head)[half:].mean(),
        heads.mean(),
        heads[~mark].mean(),
        heads[mark].mean() if mark.any() else 1.0,
        np.mean([a == b for a, b in labels]),
        np.mean([a == b for a, b in main]),
    )
    cells = " | ".join(f"{100 * value:.1f}" for value in values)
    return f"| {name}, {source} → {target} | {len(heads):,} | {cells} | {int((roots != 1).sum())} |"


def _universal(one: Dependencies, other: Dependencies) -> Strings:
    return one.upos if "PUNCT" in one.upos.counts() else other.upos


def main() -> None:
    """Print the table."""
    whole = "--whole" in sys.argv
    results = list(pairs([given for given in sys.argv[1:] if given != "--whole"]))
    if not results:
        print("no pairs of treebanks: name two, or a folder in SCHEMES_HOLDOUT")
        return
    print(f"| treebank | {' | '.join(COLUMNS)} |\n{'|---' * (len(COLUMNS) + 1)}|")
    for name, files in results:
        corpora = {scheme: commonground.read(path) for scheme, path in files.items()}
        for source, target in permutations(corpora, 2):
            variants = [one for one in variant_names() if one.startswith(f"{target}-")]
            for goal in (target, *variants):
                corpus, gold = corpora[source], corpora[target]
                print(row(name, source, goal, corpus, gold, whole=whole), flush=True)


if __name__ == "__main__":
    main()
