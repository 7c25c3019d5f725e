"""Whether unsupervised parsers learn more from more text.

    python benchmarks/more_text.py TEST FILE… [--sizes 1000,2000,…] [--variants …] [--seed N]

The models learn from the tags of the first sentences of the files, in an order that the seed draws,
and are scored on TEST: sentences of up to ten words, attachment / NED.
"""

from __future__ import annotations

import argparse

import commonground as cg
from commonground.corpus import Dependencies
from commonground.parsers.dmv.parser import train
from commonground.parsers.dmv.settings import DmvSettings
from commonground.parsers.dmv.studies import SHORT, measured
from commonground.parsers.parser import TrainingTask
from commonground.random import stream


def main() -> None:
    """Print a row for each number of sentences."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("test")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--sizes", default="1000,2000,4000,8000,16000")
    parser.add_argument("--variants", default="km04,cs09,bbdk10,gggtp10,less-is-more,leapfrog")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    gold = cg.read(options.test)
    files = sorted(options.files)
    order = stream(options.seed, "more text").permutation(len(files))
    text = Dependencies.concatenate([cg.read(files[place]) for place in order])
    variants = options.variants.split(",")
    print(f"| sentences | {' | '.join(variants)} |\n|---:|{'---:|' * len(variants)}", flush=True)
    for size in map(int, options.sizes.split(",")):
        cells = []
        for variant in variants:
            settings = DmvSettings(variant=variant, column="xpos")
            model = train(TrainingTask(text[:size], settings))
            scores = measured(gold, model.parse(gold), SHORT)
            cells.append(f"{100 * scores.attachment:.1f} / {100 * scores.ned:.1f}")
        print(f"| {size:,} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
