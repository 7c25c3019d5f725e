"""Kill every verb that writes a file, at random points: the file is the old one or the new one.

python fuzz/kill.py --trials 100 --verbs convert,train
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))


def main() -> int:
    """Return 1 where a file was neither the old nor the new one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verbs", default="", help="only these")
    options = parser.parse_args()
    from command import run
    from writing_verbs import WRITING, killed, whole, words_of

    total, start = Counter[str](), time.monotonic()
    chosen = options.verbs.split(",") if options.verbs else list(WRITING)
    for verb in chosen:
        random = Random(f"{options.seed} {verb}")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            run(*words_of(verb, folder), cwd=folder)  # what it imports, forked processes have
            new, seconds = whole(verb, folder)
            counter = Counter(
                killed(verb, folder, new, random.uniform(0, 1.2) * seconds)
                for _ in range(options.trials)
            )
        total += counter
        print(f"{verb:16} {counter['old']:>4} old {counter['new']:>4} new", flush=True)
    print(
        f"{total.total():,} kills of {len(chosen)} verbs in {time.monotonic() - start:,.0f} s: "
        f"{total['old']:,} old, {total['new']:,} new, nothing else"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
