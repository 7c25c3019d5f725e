"""Tags, features and lemmas of given words, beside UDPipe 1 trained on the same files.

``python benchmarks/morphology.py DATA`` takes a folder with a folder for each language, which has
``train.conllu``, ``dev.conllu`` and ``test.conllu``; names of languages after it take only those.
UDPipe's tagger and lemmatiser are two models (``models=2``) with the settings of its models for
UD 2; ``--models FOLDER`` keeps them. ``--dev`` scores the dev files, by which settings are chosen.
Lemmas are scored on the words that have one.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import commonground as cg
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
    given = parser.parse_args()
    names = given.languages or sorted(path.name for path in given.data.iterdir() if path.is_dir())
    print("| treebank | words | UPOS | XPOS | FEATS | lemmas | training (s) | 1,000 words/s |")
    print("|---|---:|---|---|---|---|---|---|")
    for name in names:
        folder = given.data / name
        train = cg.read(folder / "train.conllu")
        gold = cg.read(folder / ("dev.conllu" if given.dev else "test.conllu"))
        rows = [ours(train, gold)]
        if not given.without_udpipe:
            rows.append(theirs(folder, given.models, gold))
        cells = [" / ".join(pair) for pair in zip(*rows, strict=True)]
        print(f"| {name} | {len(train.form):,} | {' | '.join(cells)} |", flush=True)


def ours(train: Any, gold: Any) -> list[str]:
    """Return the scores, the time of training and the speed of our own tagger."""
    start = time.process_time()
    model = cg.train(train, "tagger", segmentation=False)
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
