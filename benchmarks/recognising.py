"""Is a treebank's scheme recognised? Of treebanks moved into each scheme, and of real ones.

    python benchmarks/recognising.py ud.conllu …                  # each file moved into each scheme
    python benchmarks/recognising.py sud=gsd.conllu tut=it.conll  # files in schemes of their own

A line of the first table is the scheme that files were moved into, with what they are recognised
as, by choices and labels and by choices alone, and the lowest share of the choices. A line of the
second is a file as it is.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import commonground
from commonground.corpus import Dependencies
from commonground.schemes.learning.recognition import Recognition, recognise_scheme
from commonground.schemes.library import scheme_names
from commonground.schemes.transform import transform

SENTENCES = 500


def by_choices(found: Recognition) -> str:
    """Return the scheme that is nearest by choices alone."""
    return max(found.choices, key=lambda name: found.choices[name])


def read(path: str) -> Dependencies:
    """Return the dependencies of a file."""
    corpus = commonground.read(path)
    assert isinstance(corpus, Dependencies)
    return corpus


def told(names: Counter[str]) -> str:
    """Return names with how often they were told."""
    return ", ".join(f"{name} {count}" for name, count in names.most_common())


def moved(files: list[str]) -> None:
    """Print the table of treebanks in UD that were moved into each scheme."""
    print("| moved into | recognised as | by choices alone | lowest share |\n|---|---|---|---|")
    corpora = [read(file)[:SENTENCES] for file in files]
    for scheme in scheme_names():
        results = [recognise_scheme(transform(corpus, "ud", scheme)[0]) for corpus in corpora]
        both = told(Counter(each.nearest for each in results))
        alone = told(Counter(map(by_choices, results)))
        lowest = min(each.choices[scheme] for each in results)
        print(f"| `{scheme}` | {both} | {alone} | {100 * lowest:.1f} |")


def real(files: list[tuple[str, str]]) -> None:
    """Print the table of treebanks in schemes of their own."""
    print("| file | scheme | recognised as | choices | labels | by choices alone | pieces |")
    print("|---|---|---|---|---|---|---|")
    for scheme, file in files:
        result = recognise_scheme(read(file))
        shares = f"{100 * result.share:.1f} | {100 * result.labels[result.nearest]:.1f}"
        alone = by_choices(result)
        name = Path(file).stem
        print(f"| {name} | {scheme} | {result.nearest} | {shares} | {alone} | {result.pieces:,} |")


if __name__ == "__main__":
    named = [argument.split("=", 1) for argument in sys.argv[1:] if "=" in argument]
    plain = [argument for argument in sys.argv[1:] if "=" not in argument]
    if plain:
        moved(plain)
    if named:
        real([(scheme, file) for scheme, file in named])
