"""Fuzz the readers of the main formats, guided by coverage (Atheris), for some seconds each.

    python fuzz/guided.py --seconds 60

Where Atheris is not installed, this says so and ends: fuzz/run.py needs nothing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
KINDS = ("conllu", "brackets", "export", "tigerxml", "stanford", "gr", "functions", "pharaoh")


def main() -> int:
    """Fuzz one kind after the other, each in a process of its own; return 1 after a failure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--kind", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        import atheris
    except ImportError:
        print("Atheris is not installed: pip install atheris")
        return 2
    if options.kind:
        _fuzz(atheris, options.kind, options.seconds)
    failed = 0
    for kind in options.kinds.split(","):
        line = [sys.executable, __file__, "--kind", kind, "--seconds", str(options.seconds)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        told = [text for text in done.stderr.splitlines() if text.startswith("Done")]
        print(f"{kind:12} {told[-1] if told else done.stderr[-3000:]}", flush=True)
        failed |= done.returncode != 0
    return int(failed)


def _fuzz(atheris, kind, seconds):
    """Read what Atheris makes; any error but a refusal ends the process with a report."""
    with atheris.instrument_imports(include=["commonground.formats", "commonground.corpus"]):
        from commonground.errors import CommonGroundError
        from commonground.formats import FormatOptions, find_format
    from mutant_seeds import seeds

    reader = find_format(kind)
    folder = tempfile.mkdtemp()
    for number, seed in enumerate(seeds(kind)):
        (Path(folder) / str(number)).write_bytes(seed)

    def one(data):
        try:
            corpus = reader.read(data.replace(b"\r\n", b"\n"), "fuzzed", 1, FormatOptions())
        except CommonGroundError:
            list(reader.problems(data.replace(b"\r\n", b"\n"), FormatOptions()))
            return
        if reader.write is not None:
            try:
                b"".join(reader.write(corpus))
            except CommonGroundError:
                return

    limits = [f"-max_total_time={seconds}", "-max_len=4096", "-timeout=10", "-rss_limit_mb=4096"]
    atheris.Setup([sys.argv[0], *limits, folder], one)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
