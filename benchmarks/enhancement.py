"""How much of gold enhanced graphs rules find in basic trees: the arcs that no tree has.

    python benchmarks/enhancement.py ewt/dev.conllu ewt/test.conllu

An arc is new if the basic tree has none between these two words. Arcs of empty nodes are counted
as missing. Labels are compared as they are, and without what follows the first colon.
"""

from __future__ import annotations

import sys

from commonground import read
from commonground.conversion.enhancement import enhanced
from commonground.corpus.deps import arcs_in


def arcs(texts: list[str]) -> set[tuple[int, int, int, str]]:
    """Return arcs: the dependent's row, the two parts of the head's number, the label."""
    return {
        (row, arc.major, arc.minor, arc.label)
        for row, text in enumerate(texts)
        for arc in arcs_in(text)
        if arc
    }


def shares(found: set, gold: set) -> tuple[float, float]:
    """Return precision and recall, in per cent."""
    right = len(found & gold)
    return 100 * right / max(len(found), 1), 100 * right / max(len(gold), 1)


def without_subtypes(some: set) -> set:
    """Return arcs whose labels end at the first colon."""
    return {(*arc[:3], arc[3].partition(":")[0]) for arc in some}


def main(paths: list[str]) -> None:
    """Print the table."""
    print(f"{'':34}{'all arcs':>14}{'new arcs':>16}{'… no subtypes':>16}{'… no labels':>16}")
    for path in paths:
        corpus = read(path)
        gold = arcs(corpus.deps.tolist())
        own = arcs(enhanced(corpus).deps.tolist())
        tree = {(row, head) for row, head in enumerate(corpus.head.tolist())}
        new = [
            {arc for arc in some if (arc[0], arc[1]) not in tree or arc[2]} for some in (own, gold)
        ]
        parts = [
            shares(own, gold),
            shares(*new),
            shares(*map(without_subtypes, new)),
            shares(*({arc[:3] for arc in some} for some in new)),
        ]
        print(
            f"{'/'.join(path.split('/')[-2:]):34}" + "".join(f"{p:9.1f}{r:7.1f}" for p, r in parts)
        )


if __name__ == "__main__":
    main(sys.argv[1:])
