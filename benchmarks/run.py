"""Run all benchmarks, print one table, and write it into docs/performance.md: ``make bench``.

    python benchmarks/run.py --only starting,reading

With --only, the rows of the other benchmarks stay as they are in the page.
"""

from __future__ import annotations

import argparse
import compileall
import os
import platform
import re
import sys
import sysconfig
import tempfile
import time
from importlib import import_module
from pathlib import Path

from stopwatch import Row, markdown

SOURCE = Path(__file__).parents[1] / "src" / "commonground"
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
QUICK = (
    *("starting", "reading", "converting", "scoring", "streaming", "comparing", "distance"),
    *(
        "searching",
        "mining",
        "projecting",
        "transforming",
        "testing",
        "reporting",
        "growth",
        "graphs",
    ),
)
LONG = ("aligning", "gold_alignments", "unsupervised")
"""What takes minutes by itself is a part of ``make bench-training``."""

_RUN = re.compile(r"(?m)^The last run of everything .*$")
"""The line of the page that tells about the machine."""

_HEAD = "| what | measured | wanted | |\n"


def main() -> int:
    """Measure, and write down what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(QUICK), help=f"of {', '.join(QUICK + LONG)}")
    names = parser.parse_args().only.split(",")
    compileall.compile_dir(SOURCE, quiet=1)  # as in an installed package
    for hook in Path(sysconfig.get_path("purelib")).glob("_editable_*.py"):  # which that has not
        compileall.compile_file(hook, quiet=1)
    results: list[Row] = []
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            results += import_module(name).rows(Path(folder))
            print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    print(markdown(results))
    page = with_rows(PAGE.read_text(encoding="utf-8"), results)
    if set(QUICK) <= set(names):
        page = _RUN.sub(_told(time.monotonic() - start), page)
    PAGE.write_text(page, encoding="utf-8")
    return 0


def _told(seconds: float) -> str:
    """Return the line about a run: the machine, how long it took, and what else went on."""
    cores, load = os.cpu_count() or 1, os.getloadavg()[2]
    return (
        f"The last run of everything took {seconds:.0f} s by the clock, with {cores} cores, Python "
        f"{platform.python_version()}, and {load:.1f} processes that wanted one on average."
    )


def with_rows(page: str, rows: list[Row]) -> str:
    """Return a page in which the table has new rows, each in the place of the old one, if any."""
    before, head, rest = page.partition(_HEAD)
    table, gap, after = rest.partition("\n\n")
    lines = table.split("\n")
    place = {line.split(" | ")[0]: number for number, line in enumerate(lines)}
    for line in markdown(rows).split("\n")[2:]:
        number = place.get(line.split(" | ")[0])
        if number is None:
            lines.append(line)
        else:
            lines[number] = line
    return before + head + "\n".join(lines) + gap + after


if __name__ == "__main__":
    sys.exit(main())
