"""Train the parsers on real treebanks, and measure what they cost and what they reach.

``make bench-training`` runs all cases and prints a table; names of cases after the program run only
those. Times are of the processor, on one core; each case has a process of its own. Punctuation is
scored, with whole labels. The test files are for the last run: settings are chosen on dev files
(``--dev``).

NLTK's sample of the WSJ is not among them; ``COMMONGROUND_WSJ`` names the folder with its
``.mrg`` files. Its last 245 trees are the test file, the 600 before them the dev file;
it is scored as evalb does, unless functions count. ``--seed 1`` is another seed.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
WSJ = os.environ.get("COMMONGROUND_WSJ", "")
ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Case:
    """A parser on a treebank; `wanted` are UAS, LAS, seconds of training, sentences a second.

    For constituents they are F1 on sentences of up to 40 words and on all, and the same two.
    """

    name: str
    parser: str
    treebank: str = "ewt"
    gold_tags: bool = True
    wanted: tuple[float, float, float, float] | None = None
    missing: float = 0.0
    settings: dict[str, Any] = field(default_factory=dict)


CASES = [
    Case("arc-eager", "arc-eager", wanted=(86.8, 85.0, 40, 3000)),
    Case("arc-hybrid", "arc-hybrid"),
    Case("arc-standard", "arc-standard"),
    Case("swap", "swap"),
    Case("arc-hybrid, predicted tags", "arc-hybrid", gold_tags=False),
    Case("arc-standard, predicted tags", "arc-standard", gold_tags=False),
    Case("swap, predicted tags", "swap", gold_tags=False),
    Case("arc-eager, beam of 8", "arc-eager", settings={"beam": 8}),
    Case("arc-eager, half of the heads removed", "arc-eager", missing=0.5),
    Case("arc-eager, predicted tags", "arc-eager", gold_tags=False),
    Case("arc-eager on GUM", "arc-eager", "gum"),
    Case("arc-eager on GUM, predicted tags", "arc-eager", "gum", gold_tags=False),
    Case("mst", "mst", wanted=(86.5, 84.3, 90, 1200)),
    Case("mst, first order", "mst", settings={"order": 1}),
    Case("mst, half of the heads removed", "mst", missing=0.5),
    Case("mst, predicted tags", "mst", gold_tags=False),
    Case("mst on GUM", "mst", "gum"),
    Case("stacked", "stacked", wanted=(87.5, 85.5, 180, 800)),
    Case("stacked, half of the heads removed", "stacked", missing=0.5),
    Case("stacked, predicted tags", "stacked", gold_tags=False),
    Case("stacked on GUM", "stacked", "gum"),
    Case("ensemble", "ensemble", wanted=(88, 86, 300, 0)),
    Case("ensemble on GUM", "ensemble", "gum"),
    Case("spans", "spans", "gum-constituents", wanted=(80, 0, 60, 0)),
    Case("spans, functions", "spans", "gum-constituents", settings={"functions": True}),
    Case("spans, predicted tags", "spans", "gum-constituents", gold_tags=False),
    Case("spans on WSJ", "spans", "wsj-constituents", wanted=(0, 88, 180, 0)),
    Case("spans on WSJ, functions", "spans", "wsj-constituents", settings={"functions": True}),
    Case("pcfg", "pcfg", "gum-constituents"),
    Case("pcfg, functions", "pcfg", "gum-constituents", settings={"functions": True}),
    Case("tagger", "tagger"),
    Case("tagger on GUM", "tagger", "gum"),
]


def treebanks(name: str, *, dev: bool) -> tuple[Any, Any]:
    """Return what to train on and what to score."""
    import commonground as cg  # noqa: PLC0415  # in the process that is measured

    if name == "ewt":
        test = "dev.conllu" if dev else "test.conllu"
        return cg.read(SHARED / "ewt" / "train-part.conllu"), cg.read(SHARED / "ewt" / test)
    if name == "wsj-constituents":
        files = [cg.read(path) for path in sorted(Path(WSJ).glob("*.mrg"))]
        trees = files[0].concatenate(files)
        last = len(trees) - 245
        if dev:
            return trees[: last - 600], trees[last - 600 : last]
        return trees[:last], trees[last:]
    folder, suffix = ("const", "ptb") if name == "gum-constituents" else ("dep", "conllu")
    paths = sorted((SHARED / "gum" / folder).glob(f"*.{suffix}"))
    documents = [cg.read(path) for path in paths]
    whole = documents[0].concatenate
    if dev:
        return whole(documents[:-20]), whole(documents[-20:-10])
    return whole(documents[:-10]), whole(documents[-10:])


def without_heads(corpus: Any, share: float) -> Any:
    """Return a corpus from which a share of the heads was removed at random."""
    import numpy as np  # noqa: PLC0415

    from commonground.random import stream  # noqa: PLC0415

    gone = stream(0, "missing heads").random(corpus.words.rows) < share
    return corpus.replace("words", head=np.where(gone, -1, corpus.head).astype(np.int32))


def measured(case: Case, *, dev: bool, seed: int = 0) -> dict[str, float]:
    """Train, save, load, parse and score; everything in this process."""
    import commonground as cg  # noqa: PLC0415

    train, test = treebanks(case.treebank, dev=dev)
    if case.missing:
        train = without_heads(train, case.missing)
    start = time.process_time()
    trained = cg.train(
        train, case.parser, gold_tags=case.gold_tags, settings=case.settings, seed=seed
    )
    outcome = {"training": time.process_time() - start}
    with tempfile.TemporaryDirectory() as folder:
        trained.save(Path(folder) / "model")
        outcome["megabytes"] = (Path(folder) / "model").stat().st_size / 1e6
        outcome["loading"], loaded = fastest(partial(cg.load_parser, Path(folder) / "model"))
    outcome["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds, parsed = fastest(partial(loaded.parse, test))
    outcome["speed"] = len(test) / seconds
    if case.treebank.endswith("-constituents"):
        functions = bool(case.settings.get("functions"))
        evalb = case.treebank == "wsj-constituents" and not functions
        return outcome | brackets(test, parsed, functions=functions, evalb=evalb)
    names = ["upos", "xpos", "feats", "lemmas"] + ["uas", "las"] * (case.parser != "tagger")
    result = cg.evaluate(test, parsed, metrics=names)
    return outcome | {name: 100 * (result[name].value or 0) for name in names}


def fastest(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the shortest of three times, and what was made: other programs can only add to it."""
    times = []
    for _ in range(3):
        start = time.process_time()
        made = work()
        times.append(time.process_time() - start)
    return min(times), made


def brackets(gold: Any, parsed: Any, *, functions: bool, evalb: bool = False) -> dict[str, float]:
    """Return the F1 of labelled brackets, on sentences of up to 40 words and on all."""
    import numpy as np  # noqa: PLC0415

    import commonground as cg  # noqa: PLC0415
    from commonground.metrics.settings import preset  # noqa: PLC0415

    short = np.flatnonzero(gold.words.lengths <= 40)
    options: dict[str, Any] = {"metrics": ["parseval_f1"]}
    options["settings"] = preset("evalb") if evalb else cg.Settings(functions=functions)
    pairs = {"uas": (gold.take(short), parsed.take(short)), "las": (gold, parsed)}
    by_name = {name: cg.evaluate(*pair, **options)["parseval_f1"] for name, pair in pairs.items()}
    return {name: 100 * (score.value or 0) for name, score in by_name.items()}


def row(case: Case, found: dict[str, float]) -> str:
    """Return a line of the table."""
    attachment = f"{found['uas']:.2f} / {found['las']:.2f}" if "uas" in found else "–"
    tags = "gold"
    if not case.gold_tags or case.parser == "tagger":
        tags = f"UPOS {found['upos']:.2f}, XPOS {found['xpos']:.2f}, FEATS {found['feats']:.2f}"
    cells = [
        case.name,
        attachment,
        tags,
        f"{found['training']:.1f} s",
        f"{found['speed']:,.0f}",
        f"{found['megabytes']:.1f} MB",
        f"{found['loading']:.2f} s",
        f"{found['memory']:.0f} MB",
        verdict(case, found),
    ]
    return "| " + " | ".join(cells) + " |"


def verdict(case: Case, found: dict[str, float]) -> str:
    """Return whether a case does what is wanted of it."""
    if case.wanted is None:
        return ""
    uas, las, seconds, speed = case.wanted
    good = found["uas"] >= uas and found["las"] >= las
    good = good and found["training"] < seconds and found["speed"] >= speed
    return "✓" if good else "✗"


def main(arguments: list[str]) -> None:
    """Run the cases that are asked for, each in a process of its own."""
    dev, seed = "--dev" in arguments, 0
    if "--seed" in arguments:
        at = arguments.index("--seed")
        seed = int(arguments.pop(at + 1))
    if "--measure" in arguments:
        case = next(case for case in CASES if case.name == arguments[-1])
        print(json.dumps(measured(case, dev=dev, seed=seed)))
        return
    wanted = [name for name in arguments if not name.startswith("--")]
    print("| parser | UAS / LAS | tags | training | sentences/s | model | load | memory | |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case in CASES:
        if (wanted and case.name not in wanted) or (case.treebank.startswith("wsj") and not WSJ):
            continue
        options = [*["--dev"] * dev, "--seed", str(seed)]
        command = [sys.executable, __file__, "--measure", *options, case.name]
        done = subprocess.run(
            command, check=True, stdout=subprocess.PIPE, env=os.environ | ONE_CORE
        )
        print(row(case, json.loads(done.stdout)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
