"""Find crossing arcs: ``python benchmarks/crossing_arcs.py NAME=TRAIN:TEST … [--predicted-tags]``.

Each parser is trained on one file and scored on the other: UAS / LAS, how many of the gold
standard's crossing arcs it finds, and how many of its own are right (``evaluate --by
projectivity`` has the F1 of these two). Seconds are of the processor, for training.
"""

from __future__ import annotations

import sys
import time
from typing import Any

PARSERS: dict[str, tuple[str, dict[str, Any]]] = {
    "mst, projective": ("mst", {"trees": "projective"}),
    "mst, any": ("mst", {"trees": "any"}),
    "mst, first order": ("mst", {"order": 1}),
    "stacked, projective": ("stacked", {"trees": "projective"}),
    "stacked, any": ("stacked", {"trees": "any"}),
    "swap": ("swap", {}),
}


def row(name: str, train: Any, test: Any, *, gold_tags: bool) -> list[str]:
    """Return the cells of one parser on one treebank."""
    import commonground as cg  # noqa: PLC0415  # only where something is measured
    from commonground.corpus.shape import nonprojective_arcs  # noqa: PLC0415

    parser, settings = PARSERS[name]
    start = time.process_time()
    trained = cg.train(train, parser, gold_tags=gold_tags, settings=settings)
    seconds = time.process_time() - start
    parsed = trained.parse(test)
    result = cg.evaluate(test, parsed, metrics=["uas", "las"])
    right = test.head == parsed.head
    wanted, made = nonprojective_arcs(test), nonprojective_arcs(parsed)
    found, good = 100 * right[wanted].mean(), 100 * right[made].mean() if made.any() else 0
    scores = " / ".join(f"{100 * (result[each].value or 0):.2f}" for each in ("uas", "las"))
    return [name, scores, f"{found:.1f} %", f"{good:.1f} %", f"{seconds:.0f} s"]


def main(arguments: list[str]) -> None:
    """Print a table of all parsers on all treebanks."""
    import numpy as np  # noqa: PLC0415

    import commonground as cg  # noqa: PLC0415
    from commonground.corpus.shape import nonprojective_arcs  # noqa: PLC0415

    gold_tags = "--predicted-tags" not in arguments
    print("| treebank | parser | UAS / LAS | crossing found | right | training |")
    print("|---|---|---|---|---|---|")
    for argument in arguments:
        name, equals, files = argument.partition("=")
        if not equals:
            continue
        train, test = map(cg.read, files.split(":"))
        share = 100 * float(np.mean(nonprojective_arcs(train)))
        title = f"{name}, {train.words.rows:,} words, {share:.1f} %"
        for each in PARSERS:
            cells = row(each, train, test, gold_tags=gold_tags)
            print(f"| {title} | {' | '.join(cells)} |", flush=True)
            title = ""


if __name__ == "__main__":
    main(sys.argv[1:])
