"""Tags, features and lemmas of given words, beside UDPipe 1 trained on the same files.

``python benchmarks/morphology.py DATA`` takes a folder with a folder for each language, which has
``train.conllu``, ``dev.conllu`` and ``test.conllu``; names of languages after it take only those.
UDPipe's tagger and lemmatiser are two models (``models=2``) with the settings of its models for
UD 2; ``--models FOLDER`` keeps them. ``--dev`` scores the first 300 sentences of the dev files, by
which settings are chosen. ``--words N`` trains our tagger, and only it, on so many words, with
``--from SHARE`` on those after so much of the treebank. Lemmas are scored on words that have one.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import commonground as cg
from commonground.parsers.tagger import TaggerSettings
from raw_text import udpipe_model

COLUMNS = ("upos", "xpos", "feats", "lemma")


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("languages", nargs="*")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--without-udpipe", action="store_true")
    parser.add_argument("--dev", action="store_true")
    parser.add_argument("--words", type=int)
    parser.add_argument("--from", type=float, default=0, dest="share")
    parser.add_argument("--together", type=int, default=TaggerSettings().together)
    given = parser.parse_args()
    names = given.languages or sorted(path.name for path in given.data.iterdir() if path.is_dir())
    print("| treebank | words | UPOS | XPOS | FEATS | lemmas | training (s) | 1,000 words/s |")
    print("|---|---:|---|---|---|---|---|---|")
    for name in names:
        folder = given.data / name
        train = cg.read(folder / "train.conllu")
        gold = cg.read(folder / ("dev.conllu" if given.dev else "test.conllu"))
        gold = gold[:300] if given.dev else gold
        if given.words:
            first = int(given.share * len(train))
            last = np.searchsorted(train.offsets, train.offsets[first] + given.words)
            train = train[first : int(last)]
        rows = [ours(train, gold, given.together)]
        if not (given.without_udpipe or given.words):
            rows.append(theirs(folder, given.models, gold))
        cells = [" / ".join(pair) for pair in zip(*rows, strict=True)]
        print(f"| {name} | {len(train.form):,} | {' | '.join(cells)} |", flush=True)


def ours(train: Any, gold: Any, together: int) -> list[str]:
    """Return the scores, the time of training and the speed of our own tagger."""
    start = time.process_time()
    model = cg.train(train, "tagger", segmentation=False, settings={"together": together})
    training = time.process_time() - start
    model.tag(gold[:10])
    start = time.process_time()
    tagged = model.tag(gold)
    spent = time.process_time() - start
    return [*scores(gold, tagged), f"{training:.0f}", speed(gold, spent)]


def theirs(folder: Path, models: Path | None, gold: Any) -> list[str]:
    """Return the scores and the speed of UDPipe; a model that was kept has no time of training."""
    from ufal import udpipe  # noqa: PLC0415  # an extra

    kept = models is not None and (models / f"{folder.name}.udpipe").exists()
    start = time.process_time()
    model = udpipe_model(folder, models, 0)
    training = "–" if kept else f"{time.process_time() - start:.0f}"
    pipeline = udpipe.Pipeline(model, "conllu", "tag", "none", "conllu")
    text = cg.write_text(gold, "conllu")
    start = time.process_time()
    error = udpipe.ProcessingError()
    written = pipeline.process(text, error)
    spent = time.process_time() - start
    if error.occurred():
        sys.exit(f"UDPipe failed on {folder}: {error.message}")
    tagged = cg.read_text(written, "conllu", partial=True)
    return [*scores(gold, tagged), training, speed(gold, spent)]


def scores(gold: Any, tagged: Any) -> list[str]:
    """Return the share of words with the right value of each column."""
    found = []
    for name in COLUMNS:
        pairs = zip(getattr(gold, name).tolist(), getattr(tagged, name).tolist(), strict=True)
        right = [one == other for one, other in pairs if name == "feats" or one != "_"]
        found.append(f"{100 * sum(right) / len(right):.2f}" if right else "–")
    return found


def speed(gold: Any, seconds: float) -> str:
    """Return thousands of words a second of processor time."""
    return f"{len(gold.form) / seconds / 1000:,.0f}"


if __name__ == "__main__":
    main()
