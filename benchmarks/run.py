"""Run all benchmarks and print one table: ``make bench``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import comparing
import distance
import reading
import scoring
import starting
from stopwatch import markdown

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        found = [
            row
            for module in (starting, reading, scoring, comparing, distance)
            for row in module.rows(Path(folder))
        ]
    print(markdown(found))
