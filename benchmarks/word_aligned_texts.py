"""Texts with gold alignments in repositories of others, none of which is part of this project.

Each reader takes the folder of a clone:

- CLMD, github.com/macleginn/exploring-clmd-divergences: the content words of Parallel UD;
- BINARYALIGN, github.com/loganbrenningmeyer/binaryalign: CzEnAli (English and Czech), KFTT (English
  and Japanese) and the test data of WPT 2005 (English and Hindi; few, so Parallel UD is aligned
  together with them, from the folder PUD with en.conllu and hi.conllu);
- AWESOME, github.com/neulab/awesome-align: newspapers in Chinese and English (Tsinghua), and KFTT's
  test part.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

import commonground as cg

__all__ = ["Pair", "Pairs", "content_words", "kyoto", "listed", "newspapers", "with_more_text"]

Links = dict[tuple[int, int], int]
"""Links, and whether they are sure."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The words of both sides and their links; without `links`, the pair is only aligned.

    If gold links are known of some words only, links between others are not scored.
    """

    source: list[str]
    target: list[str]
    links: Links | None
    known: tuple[frozenset[int], frozenset[int]] | None = None


Pairs = list[Pair]


def content_words(folder: Path, language: str) -> Pairs:
    """Read the alignments of content words in Parallel UD."""
    place = folder / "alignments" / f"en-{language}"
    sides = [_sentences(place / f"{name}.conllu") for name in ("en", "target")]
    results = []
    gold = json.loads((place / "alignment.json").read_text("utf-8"))
    for source, target, entry in zip(*sides, gold, strict=True):
        pairs = [(one, two) for one, others in entry.items() for two in others]
        links = {
            (int(one) - 1, int(two) - 1): 1
            for one, two in pairs
            if one.isdigit() and two.isdigit() and int(one) <= len(source)
        }
        known = tuple(
            frozenset(int(pair[side]) - 1 for pair in pairs if pair[side].isdigit())
            for side in (0, 1)
        )
        results.append(Pair(source, target, links, known))
    return results


def listed(folder: Path, name: str) -> Pairs:
    """Read a list of pairs in JSON, each once."""
    results = {}
    for part in ("train", "valid"):
        path = folder / "datasets/processed" / part / f"{name}.jsonl"
        for line in path.read_text("utf-8").splitlines():
            entry = json.loads(line)
            links = dict.fromkeys(map(tuple, entry["alignment"]), 1)
            key = " ".join(entry["src_words"]), " ".join(entry["tgt_words"])
            results.setdefault(key, Pair(entry["src_words"], entry["tgt_words"], links))
    return list(results.values())


def with_more_text(folder: Path, name: str, language: str) -> Pairs:
    """Read a list of pairs, and Parallel UD as further text, where its folder is named."""
    pairs, pud = listed(folder, name), os.environ.get("PUD")
    if not pud:
        return pairs
    sides = [_sentences(Path(pud) / f"{each}.conllu") for each in ("en", language)]
    return [*pairs, *(Pair(one, two, None) for one, two in zip(*sides, strict=True))]


def newspapers(folder: Path, name: str) -> Pairs:
    """Read pairs of another language and English, turned round."""
    gold = (folder / "examples" / f"{name}.gold").read_text("utf-8").splitlines()
    texts = (folder / "examples" / f"{name}.src-tgt").read_text("utf-8").splitlines()
    results = []
    for text, line in zip(texts, gold, strict=True):
        other, english = (side.split() for side in text.split("|||"))
        found = re.findall(r"(\d+)([-p])(\d+)", line)
        links = {(int(two) - 1, int(one) - 1): int(kind == "-") for one, kind, two in found}
        results.append(Pair(english, other, links))
    return results


def kyoto(folder: Path, tests: Path, *, test: bool) -> Pairs:
    """Read KFTT: its test part, which `tests` has too, or its development part."""
    known = {" ".join(pair.source) for pair in newspapers(tests, "jaen")}
    pairs = listed(folder, "en-ja/kftt")
    return [pair for pair in pairs if (" ".join(pair.source) in known) == test]


def _sentences(path: Path) -> list[list[str]]:
    return [one.column("form") for one in cg.read(path)]
