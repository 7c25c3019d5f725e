"""What a treebank in UD loses on its way through the choices of each scheme, and back.

    python benchmarks/round_trips.py dev.conllu test.conllu …

Only choices are taken from a scheme: labels and punctuation stay as they are in UD. Numbers are
percent of the words, and the projective sentences that are no longer projective.
"""

from __future__ import annotations

import sys

import commonground
from commonground.corpus import Dependencies
from commonground.corpus.shape import projective
from commonground.schemes.library import find_scheme
from commonground.schemes.scheme import Scheme
from commonground.schemes.transform import transform

SCHEMES = (
    *("sud", "stanford", "lth", "oldlth", "conll07", "lexical", "functional", "collins"),
    *("yamada", "tiger", "alpino", "tut", "prague"),
)


def row(ud: Dependencies, name: str) -> str:
    """Return the row of a scheme."""
    scheme = find_scheme(name)
    choices = {each: scheme.usual_way(each) for each in scheme.choices if each != "punctuation"}
    chosen = Scheme(name, choices=choices, comma=scheme.comma)
    moved, report = transform(ud, "ud", chosen, losses=True)
    assert report.losses is not None, "they were asked for"
    lost = report.losses
    shares = [
        f"{100 * (moved.head != ud.head).mean():.1f}",
        *(f"{100 * number / lost.words:.2f}" for number in (lost.heads, lost.labels)),
        f"{100 * lost.share:.2f}",
        str(int((projective(ud) & ~projective(moved)).sum())),
    ]
    return f"| `{name}` | {' | '.join(shares)} |"


def main() -> None:
    """Print the table of all files together."""
    treebank = Dependencies.concatenate([commonground.read(path) for path in sys.argv[1:]])
    words, sentences = treebank.words.rows, int(projective(treebank).sum())
    print(f"{words:,} words, {sentences:,} projective sentences\n")
    print("| choices of | changed | heads lost | labels lost | words lost | crossing |")
    print("|---|---|---|---|---|---|")
    for name in SCHEMES:
        print(row(treebank, name), flush=True)


if __name__ == "__main__":
    main()
