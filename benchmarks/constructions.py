"""How far mined constructions agree with those annotated in treebanks (``Cxn=`` in MISC).

    python benchmarks/constructions.py en FILE… sv FILE…

A construction counts as found if the pattern's word C is the one that carries the annotation, or,
in the second row of numbers, if it is in the same sentence.
"""

from __future__ import annotations

import sys

import numpy as np

from commonground import read
from commonground.patterns import find
from commonground.patterns.graph import graph_of
from commonground.phenomena.mine import construction_searches


def annotated(texts: list[str], name: str) -> set[int]:
    """Return the words that carry a construction."""
    return {
        row
        for row, text in enumerate(texts)
        for entry in text.split("|")
        if entry.startswith("Cxn=")
        and any(part.lower().startswith(name) for part in entry[4:].split(","))
    }


def shares(found: set[int], gold: set[int]) -> str:
    """Return precision, recall and F1, in per cent."""
    right = len(found & gold)
    precision, recall = right / max(len(found), 1), right / max(len(gold), 1)
    harmonic = 2 * precision * recall / (precision + recall) if right else 0.0
    return "".join(f"{100 * each:7.1f}" for each in (precision, recall, harmonic))


def main(arguments: list[str]) -> None:
    """Print a row per file and construction."""
    print(f"{'':40}{'gold':>6}{'found':>6}   words: P, R, F1       sentences: P, R, F1")
    language = "en"
    for path in arguments:
        if len(path) <= 3:
            language = path
            continue
        corpus = read(path)
        graph = graph_of(corpus)
        texts = corpus.words.strings("misc").tolist()
        sentence = corpus.words.sentence_of_row()
        for name, search in construction_searches(language).items():
            gold = annotated(texts, name)
            matches = [find(pattern, graph).rows["C"] for pattern in search.patterns]
            found = set(np.concatenate(matches).tolist())
            sentences = [{int(sentence[row]) for row in rows} for rows in (found, gold)]
            label = "/".join(path.split("/")[-1:]) + " " + name
            print(
                f"{label:40}{len(gold):6}{len(found):6}{shares(found, gold)}   {shares(*sentences)}"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
