"""Alignment error rate against gold alignments, beside eflomal.

    CLMD=FOLDER BINARYALIGN=FOLDER AWESOME=FOLDER PUD=FOLDER python benchmarks/gold_alignments.py
    SQUOIA=FOLDER CDT=FOLDER make bench-training

SQUOIA is a clone of github.com/a-rios/squoia (treebanks/es-de: German and Spanish, aligned with the
Stockholm TreeAligner), CDT one of github.com/mbkromann/copenhagen-dependency-treebank (da-en:
Danish and English); ``word_aligned_texts.py`` names the others. Sentences of these two are paired
as the gold alignments say, one to one: with the sentence that most of its links lead to. Where a
folder is not named, or eflomal is not installed, what needs it is left out. With ``dev`` as an
argument, the pairs on which the settings were chosen are aligned, else those that test them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from html import unescape
from itertools import pairwise
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
from word_aligned_texts import (
    Pair,
    Pairs,
    content_words,
    kyoto,
    listed,
    newspapers,
    with_more_text,
)

__all__ = ["rows"]

WAYS = ("intersection", "grow-diag-final-and")


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
            results.append(Pair(one, two, links))
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
    """Return the gold links of all pairs that have some."""
    scored = [sorted(pair.links.items()) for pair in pairs if pair.links is not None]
    return _alignments([[(s, t, sure) for (s, t), sure in links] for links in scored])


def found(pairs: Pairs, links: Alignments) -> Alignments:
    """Return the links of pairs with gold links, less those of words without."""
    results, table = [], links.links
    ends = table.offsets.tolist()
    both = list(zip(links.source.tolist(), links.target.tolist(), strict=True))
    for pair, (first, last) in zip(pairs, pairwise(ends), strict=True):
        if pair.links is not None:
            ours, theirs = pair.known or (range(len(pair.source)), ())
            kept = [(s, t, 1) for s, t in both[first:last] if s in ours or t in theirs]
            results.append(kept)
    return _alignments(results)


def _alignments(links: list[list[tuple[int, int, int]]]) -> Alignments:
    columns = np.array([each for pair in links for each in pair], np.int32).reshape(-1, 3)
    named = {name: columns[:, at] for at, name in enumerate(("source", "target", "sure"))}
    return Alignments({"links": Table(offsets_of([len(pair) for pair in links]), **named)})


Reader = Callable[..., Pairs]
TESTS: dict[str, tuple[str, Reader]] = {
    "German–Spanish (SQUOIA)": ("SQUOIA", squoia),
    "Danish–English (CDT)": ("CDT", copenhagen),
    "English–Chinese (Parallel UD)": ("CLMD", lambda at: content_words(at, "zh")),
    "English–Japanese (Parallel UD)": ("CLMD", lambda at: content_words(at, "jp")),
    "English–Arabic (Parallel UD)": ("CLMD", lambda at: content_words(at, "ar")),
    "English–Chinese (Tsinghua)": ("AWESOME", lambda at: newspapers(at, "zhen")),
    "English–Japanese (KFTT, test)": ("AWESOME", lambda at: newspapers(at, "jaen")),
    "English–Czech (CzEnAli)": ("BINARYALIGN", lambda at: listed(at, "en-cz/czenali")),
    "English–Hindi (WPT 2005)": (
        "BINARYALIGN",
        lambda at: with_more_text(at, "en-hi/hindi", "hi"),
    ),
}
DEVELOPMENT: dict[str, tuple[str, Reader]] = {
    "English–French (Parallel UD)": ("CLMD", lambda at: content_words(at, "fr")),
    "English–Russian (Parallel UD)": ("CLMD", lambda at: content_words(at, "ru")),
    "English–Korean (Parallel UD)": ("CLMD", lambda at: content_words(at, "ko")),
    "English–Swedish (Linköping)": ("BINARYALIGN", lambda at: listed(at, "en-sv/swedish")),
    "English–Romanian (WPT 2005)": ("BINARYALIGN", lambda at: listed(at, "en-ro/romanian")),
    "English–Japanese (KFTT, dev)": (
        "BINARYALIGN",
        lambda at: kyoto(at, Path(os.environ["AWESOME"]), test=False),
    ),
}
"""Texts with gold alignments: the variable that names the folder, and what reads it."""
METRICS = ("alignment_precision", "alignment_recall", "aer")


def measured(title: str, pairs: Pairs, aligners: list[str]) -> dict:
    """Return precision, recall, AER, time and settings by aligner and way."""
    reference, bitext = gold(pairs), Bitext.of((pair.source, pair.target) for pair in pairs)
    names = {}
    for aligner in aligners:
        try:
            spent, by_way, settings = aligned(bitext, aligner)
        except MissingExtraError as error:
            print(f"{title}, left out: {error}", file=sys.stderr)
            continue
        for way, links in by_way.items():
            score = cg.evaluate(reference, found(pairs, links), metrics=list(METRICS))
            names[aligner, way] = (*(float(score[name]) for name in METRICS), spent, settings)
    return names


def texts(of: dict[str, tuple[str, Reader]]) -> dict[str, Pairs]:
    """Return the texts whose folders are named."""
    named = {title: entry for title, entry in of.items() if os.environ.get(entry[0])}
    read = {title: reader(Path(os.environ[name])) for title, (name, reader) in named.items()}
    for title in (title for title, pairs in read.items() if not pairs):
        print(f"left out: there are no alignments of {title}", file=sys.stderr)
    return {title: pairs for title, pairs in read.items() if pairs}


def rows(_folder: Path) -> list[Row]:
    """Return the lines of the report: the error rate, beside eflomal's."""
    lines = []
    for title, pairs in texts(TESTS).items():
        result = measured(title, pairs, ["hmm", "eflomal"])
        for way in WAYS:
            own, theirs = result["hmm", way][2], result.get(("eflomal", way), (0, 0, None))[2]
            beside = "" if theirs is None else f" (eflomal {theirs:.3f})"
            wanted = "" if theirs is None else "no more than eflomal's"
            met = theirs is None or own <= theirs
            lines.append(Row(f"AER, {title}, {way}", f"{own:.3f}{beside}", wanted, met=met))
    return lines


def main(of: dict[str, tuple[str, Reader]]) -> None:
    """Print the table."""
    print(
        "| corpus | pairs | letters, rounds | aligner | links | precision | recall | AER | time |"
    )
    print("|---|---:|---|---|---|---:|---:|---:|---:|")
    for title, pairs in texts(of).items():
        for (aligner, way), line in measured(title, pairs, ["hmm", "eflomal"]).items():
            *scores, spent, chosen = line
            cells = " | ".join(f"{100 * score:.1f}" for score in scores)
            print(
                f"| {title} | {len(pairs):,} | {chosen} | `{aligner}` | {way} | {cells} | "
                f"{spent:.1f} s |",
                flush=True,
            )


def aligned(bitext: Bitext, aligner: str) -> tuple[float, dict[str, Alignments], str]:
    """Return the processor time of aligning once, the links by both ways, and the settings."""
    start = sum(os.times()[:4])
    if aligner == "hmm":
        by_way = {way: align(bitext, way=way) for way in WAYS}
        spent = (sum(os.times()[:4]) - start) / len(WAYS)
        chosen = by_way[WAYS[0]].settings
        said = f"{chosen.prefix}/{chosen.target_prefix}, {chosen.rounds}"
        return spent, {way: each.links for way, each in by_way.items()}, said
    directions = eflomal_links(bitext)
    by_name = {
        way: Alignments({"links": links_of(*directions, bitext.source, bitext.target, way)})
        for way in WAYS
    }
    return sum(os.times()[:4]) - start, by_name, ""


if __name__ == "__main__":
    main(DEVELOPMENT if "dev" in sys.argv[1:] else TESTS)
