"""How far two treebanks of the same text have the same labels of the hub, and learned maps.

    python benchmarks/label_agreement.py const dep                   # labels of the hub
    python benchmarks/label_agreement.py --learn sud.conllu ud.conllu

Without an option: the share of labelled nodes over words that the other treebank labels too, which
have a label of the hub in common. With ``--learn``: a map from the labels of the first treebank to
those of the second is learned on the first half of the sentences; told is the share of the words of
the second half to which it gives the label that the hub gives them, with and without tags.
"""

from __future__ import annotations

import argparse

import commonground
from commonground.corpus import Corpus, Functions
from commonground.ground.label_map import LabelMap
from commonground.ground.units import in_common_units

Node = tuple[int, str]


def labels_of(trees: Functions) -> dict[Node, set[str]]:
    """Return the labels of each node that has some, by its sentence and its words."""
    names: dict[Node, set[str]] = {}
    sentences = trees.nodes.sentence_of_row().tolist()
    for sentence, words, label in zip(sentences, trees.yields, trees.label, strict=True):
        if label:
            names.setdefault((sentence, words), set()).add(label)
    return names


def same_labels(one: Corpus, other: Corpus) -> tuple[float, int]:
    """Return the share of nodes that both label and label alike, and their number."""
    hubs = [commonground.hub_trees(corpus).trees for corpus in (one, other)]
    first, second = map(labels_of, in_common_units([one, other], hubs, on_mismatch="realign").trees)
    both = [node for node in first if node in second]
    return sum(bool(first[node] & second[node]) for node in both) / len(both), len(both)


def learned_labels(one: Corpus, other: Corpus, *, tags: bool) -> tuple[float, int]:
    """Return the share of words with the label of the hub, by a map of the first half."""
    half = len(one) // 2
    result = commonground.learn_labels(one[:half], other[:half], subtypes=False)
    if not tags:
        result = LabelMap(tuple(entry for entry in result.entries if not entry.tag))
    rest = one[half:]
    mine, hub = labels_of(result.trees(rest)), labels_of(commonground.hub_trees(rest).trees)
    right = sum(len(labels & mine.get(node, set())) for node, labels in hub.items())
    return right / sum(map(len, hub.values())), sum(map(len, hub.values()))


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("treebanks", nargs=2)
    parser.add_argument("--learn", action="store_true")
    asked = parser.parse_args()
    one, other = (commonground.read(path) for path in asked.treebanks)
    if not asked.learn:
        share, count = same_labels(one, other)
        print(f"same label of the hub: {100 * share:.1f} % of {count:,} nodes")
        return
    for tags in (True, False):
        share, count = learned_labels(one, other, tags=tags)
        with_tags = "with" if tags else "without"
        print(f"as the hub, {with_tags} tags: {100 * share:.1f} % of {count:,} labels")


if __name__ == "__main__":
    main()
