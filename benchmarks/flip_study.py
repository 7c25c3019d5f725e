"""What edge flips do to the scores of unsupervised parsers: the tables of Schwartz (2011).

    python benchmarks/flip_study.py NAME=FILE… [--variants km04,cs09,…] [--seed N]

FILE is a treebank with Penn tags and the heads of Yamada and Matsumoto; the unsupervised models
learn from its words and tags and are scored on its trees. Variants without published flips use
those that are found on every second sentence, and are scored on the others.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import astuple
from pathlib import Path

import commonground as cg
from commonground.parsers.dmv import settings as dmv
from commonground.parsers.dmv.baselines import BASELINES, baseline_heads
from commonground.parsers.dmv.flips import PUBLISHED
from commonground.parsers.dmv.own_annotation import PHRASES
from commonground.parsers.dmv.parser import train
from commonground.parsers.dmv.settings import DmvSettings
from commonground.parsers.dmv.studies import (
    AttachmentMeasures,
    flip_study,
    found_flips,
    learnability,
    measured,
)
from commonground.parsers.dmv.symbols import Alphabet, Symbols, heads_with_punctuation
from commonground.parsers.parser import TrainingTask

FLIPS_OF = {"km04": "km04", "cs09": "cs09", "less-is-more": "saj10a", "baby-steps": "saj10a"}
FLIPS_OF["leapfrog"] = "saj10a"
VARIANTS = [name for name in dmv.VARIANTS if name != "supervised"]


def main() -> None:
    """Print the tables, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--variants", default=",".join(VARIANTS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json")
    parser.add_argument("--plot", help="draw the measures before and after the flips, as SVG")
    options = parser.parse_args()
    rows: list[dict[str, object]] = []
    for text in options.treebanks:
        name, _, path = text.partition("=")
        gold = cg.read(path)
        print(f"\n**{name}** ({len(gold):,} sentences)\n")
        titles = "attachment | undirected | NED"
        print(f"| algorithm | ≤ 10 words: {titles} | all: {titles} |")
        print("|---|---|---|---|---|---|---|", flush=True)
        for baseline in BASELINES:
            symbols = Symbols.of(gold, Alphabet("xpos"))
            heads = baseline_heads(baseline, symbols.offsets, options.seed)
            parse = gold.replace("words", head=heads_with_punctuation(gold, symbols.rows, heads))
            print(row(baseline, measured(gold, parse, 10), measured(gold, parse)), flush=True)
        variants = options.variants.split(",")
        rows += [study(name, variant, gold, options.seed) for variant in variants]
    print("\n| treebank | algorithm | Δ attachment | Δ undirected | Δ NED ", end="")
    print("| own, supervised | gold, supervised | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    for each in rows:
        print("| " + " | ".join(str(each[key]) for key in COLUMNS) + " |")
    if options.plot:
        plot(rows, options.plot)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")


COLUMNS = ("treebank", "variant", "attachment", "undirected", "ned", "own", "gold", "seconds")


def study(name: str, variant: str, gold: cg.Dependencies, seed: int) -> dict[str, object]:
    """Print the two rows of a variant; return how it differs, and what can be learned."""
    begin = time.process_time()
    model = train(TrainingTask(gold, DmvSettings(variant=variant), seed=seed))
    spent = time.process_time() - begin
    published = FLIPS_OF.get(variant)
    if published:
        flips, phrases, scored = PUBLISHED[published], PHRASES[published], gold
    else:
        flips, phrases, scored = found_flips(model, gold[::2]), "determiner", gold[1::2]
    known = [e for e in flips.edges if {e.left, e.right} <= set(model.grammar.tags)]
    allowed = [e for e in flips.forbidden if {e.left, e.right} <= set(model.grammar.tags)]
    flips = type(flips)(tuple(known), tuple(allowed))
    result = flip_study(model, flips, gold, scored)
    print(row(variant, result.before_short, result.before), flush=True)
    shown = " ".join(map(str, flips.edges))
    print(row(f"{variant}, flipped ({shown})", result.after_short, result.after), flush=True)
    supervised = learnability(gold[::2], gold[1::2], flips, phrases)
    delta = result.after_short - result.before_short
    return {
        "treebank": name,
        "variant": variant,
        "attachment": f"{100 * delta.attachment:+.1f}",
        "undirected": f"{100 * delta.undirected:+.1f}",
        "ned": f"{100 * delta.ned:+.1f}",
        "own": f"{100 * supervised.own.attachment:.1f}",
        "gold": f"{100 * supervised.gold.attachment:.1f}",
        "seconds": f"{spent:.0f}",
        "before": astuple(result.before_short),
        "after": astuple(result.after_short),
    }


def plot(rows: list[dict[str, object]], path: str) -> None:
    """Draw the three measures of each algorithm before and after the flips, short sentences."""
    import matplotlib as mpl  # noqa: PLC0415

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "flips"
    import matplotlib.pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(1, len(rows), sharey=True, figsize=(1.7 * len(rows), 3.2))
    for axis, each in zip(axes, rows, strict=True):
        for name, colour, before, after in zip(
            ("attachment", "undirected", "NED"),
            ("#c1272d", "#e69f00", "#0072b2"),
            each["before"],
            each["after"],
            strict=True,
        ):
            axis.plot([0, 1], [100 * before, 100 * after], "o-", color=colour, label=name)
        axis.set_title(each["variant"], fontsize=9)
        axis.set_xticks([0, 1], ["original", "flipped"], fontsize=7)
        axis.set_xlim(-0.3, 1.3)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel(f"score on {rows[0]['treebank']}, up to 10 words")
    axes[-1].legend(fontsize=7, frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def row(name: str, short: AttachmentMeasures, whole: AttachmentMeasures) -> str:
    """Return a row of the table."""
    values = (*astuple(short), *astuple(whole))
    return f"| {name} | " + " | ".join(f"{100 * value:.1f}" for value in values) + " |"


if __name__ == "__main__":
    main()
