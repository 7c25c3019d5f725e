"""Alignment error rate against gold alignments, beside eflomal.

    python benchmarks/gold_alignments.py SQUOIA CDT
    SQUOIA=FOLDER CDT=FOLDER make bench-training

SQUOIA is a clone of github.com/a-rios/squoia (treebanks/es-de: German and Spanish, aligned with the
Stockholm TreeAligner), CDT one of github.com/mbkromann/copenhagen-dependency-treebank (da-en:
Danish and English). Neither is part of this project. Sentences are paired as the gold alignments
say, one to one: with the sentence that most of its links lead to. Where a folder is not named, or
eflomal is not installed, what needs it is left out.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from html import unescape
from pathlib import Path

import numpy as np

import commonground as cg
from commonground.alignment import Bitext, align
from commonground.alignment.eflomal import eflomal_links
from commonground.alignment.symmetrisation import links_of
from commonground.corpus import Alignments, Table
from commonground.corpus.table import offsets_of
from commonground.errors import MissingExtraError
from stopwatch import Row

__all__ = ["rows"]

WAYS = ("intersection", "grow-diag-final-and")
Pairs = list[tuple[list[str], list[str], dict[tuple[int, int], int]]]
"""The words of both sides, and the links with whether they are sure."""


def squoia(folder: Path) -> Pairs:
    """Read the German–Spanish treebanks."""
    results: Pairs = []
    for path in sorted((folder / "treebanks/es-de").glob("*_alignments_*.xml")):
        name = path.name.partition("_")[0]
        try:
            links = cg.read(path)
            sides = [cg.read(path.with_name(f"{name}_SQUOIA_{side}.xml")) for side in ("DE", "ES")]
        except cg.InputError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        words = [{one.sent_id: one.column("form") for one in side} for side in sides]
        pairs = {}
        for one in links:
            key = tuple(re.findall(r"_id = (\S+)", " ".join(one.comments)))
            table = zip(
                *(one.column(n).tolist() for n in ("source", "target", "sure")), strict=True
            )
            pairs[key] = {(s, t): sure for s, t, sure in table}
        results += _one_to_one(pairs, words)
    return results


def _one_to_one(pairs: dict, words: list[dict[str, list[str]]]) -> Pairs:
    """Keep of each sentence the partner with most links, where both agree and all words exist."""
    best = [{}, {}]
    for key in sorted(pairs, key=lambda key: len(pairs[key])):
        best[0][key[0]] = best[1][key[1]] = key
    results = []
    for key, links in pairs.items():
        one, two = (side.get(name, []) for side, name in zip(words, key, strict=True))
        agreed = best[0][key[0]] == best[1][key[1]] == key
        fits = all(s < len(one) and t < len(two) for s, t in links)
        if agreed and fits and links:
            results.append((one, two, links))
    return results


def copenhagen(folder: Path) -> Pairs:
    """Read the Danish–English treebank."""
    results: Pairs = []
    for path in sorted((folder / "da-en").glob("*.atag")):
        text = path.read_text("utf-8", "replace")
        files = dict(re.findall(r'<alignFile key="(\w)" href="([^"]+)"', text))
        try:
            sides = [_tagged(path.parent / files[key]) for key in "ab"]
        except (KeyError, OSError):
            continue
        pairs: dict = {}
        for out, into in re.findall(r'<align out="([^"]*)"[^>]*? in="([^"]*)"', text):
            for a in re.findall(r"a(\d+)", out):
                for b in re.findall(r"b(\d+)", into):
                    if int(a) in sides[0][1] and int(b) in sides[1][1]:
                        (one, s), (two, t) = sides[0][1][int(a)], sides[1][1][int(b)]
                        pairs.setdefault((one, two), {})[s, t] = 1
        results += _one_to_one(pairs, [sides[0][0], sides[1][0]])
    return results


def _tagged(path: Path) -> tuple[dict[int, list[str]], dict[int, tuple[int, int]]]:
    """Return the sentences of a file, and for each line with a word its sentence and place."""
    sentences: dict[int, list[str]] = {}
    places, current = {}, 0
    for number, line in enumerate(path.read_text("utf-8", "replace").split("\n")):
        if line.startswith("<s"):
            current += 1
        word = re.match(r"<W[^>]*>(.*)</W>", line)
        if word:
            sentence = sentences.setdefault(current, [])
            places[number] = current, len(sentence)
            sentence.append(unescape(word[1]) or "_")
    return sentences, places


def gold(pairs: Pairs) -> Alignments:
    """Return the gold links of all pairs."""
    rows = [(s, t, sure) for *_, links in pairs for (s, t), sure in sorted(links.items())]
    columns = np.array(rows, np.int32).reshape(-1, 3)
    names = ("source", "target", "sure")
    table = Table(
        offsets_of([len(links) for *_, links in pairs]),
        **{name: columns[:, at] for at, name in enumerate(names)},
    )
    return Alignments({"links": table})


READERS = {"German–Spanish (SQUOIA)": squoia, "Danish–English (CDT)": copenhagen}
FOLDERS = {"German–Spanish (SQUOIA)": "SQUOIA", "Danish–English (CDT)": "CDT"}
"""The variables of the environment that name the folders."""
METRICS = ("alignment_precision", "alignment_recall", "aer")


def measured(title: str, folder: Path, aligners: list[str]) -> tuple[int, dict]:
    """Return how many pairs there are, and precision, recall, AER and time by aligner and way."""
    pairs = READERS[title](folder)
    if not pairs:
        print(f"left out: there are no alignments in {folder}", file=sys.stderr)
        return 0, {}
    reference, bitext = gold(pairs), Bitext.of((one, two) for one, two, _ in pairs)
    kinds = Counter(reference.links.numbers("sure").tolist())
    print(f"{title}: {kinds[1]} sure links, {kinds[0]} possible ones", file=sys.stderr)
    names = {}
    for aligner in aligners:
        try:
            spent, by_way = aligned(bitext, aligner)
        except MissingExtraError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        for way, links in by_way.items():
            score = cg.evaluate(reference, links, metrics=list(METRICS))
            names[aligner, way] = (*(float(score[name]) for name in METRICS), spent)
    return len(pairs), names


def rows(_folder: Path) -> list[Row]:
    """Return the lines of the report: the error rate, beside eflomal's."""
    lines = []
    for title, variable in FOLDERS.items():
        if not os.environ.get(variable):
            continue
        _, result = measured(title, Path(os.environ[variable]), ["hmm", "eflomal"])
        for way in WAYS if result else ():
            own, theirs = result["hmm", way][2], result.get(("eflomal", way), (0, 0, None))[2]
            beside = "" if theirs is None else f" (eflomal {theirs:.3f})"
            wanted = "" if theirs is None else "no more than eflomal's"
            met = theirs is None or own <= theirs
            lines.append(Row(f"AER, {title}, {way}", f"{own:.3f}{beside}", wanted, met=met))
    return lines


def main(folders: list[Path], aligners: list[str]) -> None:
    """Print the table."""
    print("| corpus | pairs | aligner | links | precision | recall | AER | processor time |")
    print("|---|---:|---|---|---:|---:|---:|---:|")
    for title, folder in zip(READERS, folders, strict=True):
        pairs, result = measured(title, folder, aligners)
        for (aligner, way), (precision, recall, aer, spent) in result.items():
            print(
                f"| {title} | {pairs:,} | `{aligner}` | {way} | {100 * precision:.1f} | "
                f"{100 * recall:.1f} | {100 * aer:.1f} | {spent:.1f} s |",
                flush=True,
            )


def aligned(bitext: Bitext, aligner: str) -> tuple[float, dict[str, Alignments]]:
    """Return the processor time of aligning once, and the links by both ways."""
    start = sum(os.times()[:4])
    if aligner == "hmm":
        by_name = {way: align(bitext, way=way).links for way in WAYS}
        return (sum(os.times()[:4]) - start) / len(WAYS), by_name
    directions = eflomal_links(bitext)
    by_name = {
        way: Alignments({"links": links_of(*directions, bitext.source, bitext.target, way)})
        for way in WAYS
    }
    return sum(os.times()[:4]) - start, by_name


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:3]], sys.argv[3:] or ["hmm", "eflomal"])
