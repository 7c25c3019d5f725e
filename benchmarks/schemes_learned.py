"""How far a scheme leads that was learned from a sample of a treebank.

    python benchmarks/schemes_learned.py sud=beja-sud.conllu ud=beja-ud.conllu    # one pair
    SCHEMES_HOLDOUT=folder python benchmarks/schemes_learned.py                   # all of a folder

A pair of files has the same words in UD and in another scheme. That scheme is learned from the
first half of the sentences of both; the table is about the second half: percent of the heads that
agree without any transformation, then heads and labels with the scheme that comes along, if there
is one with the name of the file, and with the one that was learned, from UD and to UD.
"""

from __future__ import annotations

import sys

import commonground
from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.schemes.learning.kept_aside import learned_file
from commonground.schemes.learning.learn import learn
from commonground.schemes.library import scheme_names
from commonground.schemes.scheme import Scheme
from commonground.schemes.scheme_file import parse_scheme
from commonground.schemes.transform import transform
from schemes_holdout import pairs

COLUMNS = (
    "treebank",
    "words",
    "before",
    "ud → preset",
    "ud → learned",
    "preset → ud",
    "learned → ud",
)


def agreement(
    one: Dependencies, gold: Dependencies, source: str | Scheme, target: str | Scheme
) -> str:
    """Return the percent of heads and of labels that agree after a transformation, if it is done.

    Tags that are of no known set are refused by schemes that come along.
    """
    try:
        done, _ = transform(one, source, target)
    except UsageError:
        return "–"
    heads = (done.head == gold.head).mean()
    same = zip(done.deprel.tolist(), gold.deprel.tolist(), strict=True)
    labels = sum(a == b for a, b in same) / max(len(done.head), 1)
    return f"{100 * heads:.1f} / {100 * labels:.1f}"


def row(name: str, scheme: str, sample: Dependencies, ud: Dependencies) -> str:
    """Return a line of the table: learned on the first half of a treebank, tried on the second."""
    half = len(ud) // 2
    first, beside = sample[:half], ud[:half]
    learned = parse_scheme(learned_file(first, beside, learn(first, beside), "learned"))
    rest, gold = sample[half:], ud[half:]
    preset = scheme in scheme_names()
    cells = (
        agreement(gold, rest, "ud", scheme) if preset else "–",
        agreement(gold, rest, "ud", learned),
        agreement(rest, gold, scheme, "ud") if preset else "–",
        agreement(rest, gold, learned, "ud"),
    )
    before = f"{100 * (rest.head == gold.head).mean():.1f}"
    return f"| {name}, {scheme} | {len(gold.head):,} | {before} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
    for name, files in pairs(sys.argv[1:]):
        corpora = {scheme: commonground.read(path) for scheme, path in files.items()}
        ud = corpora.pop("ud")
        for scheme, sample in corpora.items():
            print(row(name, scheme, sample, ud), flush=True)


if __name__ == "__main__":
    main()
