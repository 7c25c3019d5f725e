"""Run all benchmarks and print one table: ``make bench``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import aligning
import comparing
import converting
import distance
import mining
import projecting
import reading
import reporting
import scoring
import starting
import streaming
import testing
import transforming
import unsupervised
from stopwatch import markdown

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        found = [
            row
            for module in (
                starting,
                reading,
                converting,
                scoring,
                streaming,
                comparing,
                distance,
                mining,
                projecting,
                transforming,
                aligning,
                unsupervised,
                testing,
                reporting,
            )
            for row in module.rows(Path(folder))
        ]
    print(markdown(found))
