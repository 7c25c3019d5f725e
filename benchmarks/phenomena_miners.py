"""Does the ranking of parsers depend on who found the items? Kendall's τ over miners.

    python benchmarks/phenomena_miners.py NAME=PARSE… NAME:MAPPING=PARSE…

The parses are of the sentences of example:phenomena-gum, with their ids, or in their order. An
item counts for the miner that found it (over UD trees, over constituents); many count for both.
"""

from __future__ import annotations

import sys
from itertools import combinations

from commonground import read_gold, score_phenomena
from commonground.phenomena.gold import gold_of

Scores = dict[str, float]


def kendall(one: Scores, other: Scores) -> float:
    """Return τ-a: the pairs in the same order less those in the other, of all pairs."""
    pairs = list(combinations(one, 2))
    signs = [(one[a] - one[b]) * (other[a] - other[b]) for a, b in pairs]
    return sum((sign > 0) - (sign < 0) for sign in signs) / len(pairs)


def main(arguments: list[str]) -> None:
    """Print recall by miner, and τ between each two."""
    outputs, mappings = {}, {}
    for argument in arguments:
        name, _, path = argument.partition("=")
        name, _, mapping = name.partition(":")
        outputs[name] = path
        if mapping:
            mappings[name] = mapping
    gold = read_gold("example:phenomena-gum")
    result = score_phenomena(gold, outputs, mappings=mappings, gold_trees=[])
    found = [target.remark for target in gold_of("all", gold.targets, {}).targets]
    sets = {
        "ud": {"ud", "both"},
        "brackets": {"brackets", "both"},
        "ud only": {"ud"},
        "brackets only": {"brackets"},
    }
    scores: dict[str, Scores] = {}
    for title, miners in sets.items():
        places = [place for place, remark in enumerate(found) if remark in miners]
        for kind in ("recall", "recoverable"):
            scores[f"{title}, {kind}"] = {}
            for name in outputs:
                right = (
                    [each for each, _ in result.outcomes[name]]
                    if kind == "recall"
                    else result.schemes[name].recoverable
                )
                chosen = [right[place] for place in places]
                scores[f"{title}, {kind}"][name] = 100 * sum(chosen) / len(chosen)
        print(f"{title}: {len(places)} targets")
    for name in outputs:
        print(f"{name:20}" + "".join(f"{each[name]:8.1f}" for each in scores.values()))
    for kind in ("recall", "recoverable"):
        for one, other in (("ud", "brackets"), ("ud only", "brackets only")):
            tau = kendall(scores[f"{one}, {kind}"], scores[f"{other}, {kind}"])
            print(f"τ of {one} and {other}, {kind}: {tau:.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
