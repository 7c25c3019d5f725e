"""Give damaged files of all kinds to all verbs, until the time is over.

    python fuzz/run.py --seconds 600 --seed 1

Each kind of file has its turn. What breaks something is kept in tests/failures, where the tests
replay it. At the end: how many mutants of each kind, what came out, and with --coverage how much
of each module they reached.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))


def main() -> int:
    """Run, and return 1 where something broke."""
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(143))  # a command would only end itself
    meter = _meter() if options.coverage else None
    import matplotlib.backends.backend_svg  # an import that is cut short is no finding
    import matplotlib.figure  # noqa: F401

    from mutants import FAILURES, attempt, kinds, mutant, seeds  # measured as well

    names = options.kinds.split(",") if options.kinds else kinds()
    for kind in names:
        seeds(kind)
    seen: set[bytes] = set()
    made, broken = Counter[str](), Counter[str]()
    start = time.monotonic()
    turn = 0
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() - start < options.seconds and sum(made.values()) < options.count:
            kind = names[turn % len(names)]
            random = Random(f"{options.seed} {turn}")
            turn += 1
            data = mutant(kind, random)
            digest = sha256(kind.encode() + data).digest()[:12]
            if digest in seen:
                continue
            seen.add(digest)
            made[kind] += 1
            faulthandler.dump_traceback_later(600, exit=True)  # a loop that hears no signal
            failure = attempt(kind, data, Path(folder), random)
            faulthandler.cancel_dump_traceback_later()
            if failure:
                broken[kind] += 1
                name = f"{kind}-{sha256(data).hexdigest()[:12]}"
                if broken[kind] <= options.keep:
                    FAILURES.mkdir(exist_ok=True)
                    (FAILURES / name).write_bytes(data)
                print(f"{name}: {failure.command}\n{failure.what}\n", flush=True)
    seconds = time.monotonic() - start
    done, wrong = sum(made.values()), sum(broken.values())
    print(f"{done:,} different mutants in {seconds:,.0f} s, {wrong} broke something")
    for kind in names:
        print(f"  {kind:18} {made[kind]:>9,} {broken[kind]:>6}")
    if meter:
        meter()
    return 1 if broken else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", default="")
    parser.add_argument("--keep", type=int, default=3, help="so many files of each kind are kept")
    parser.add_argument("--coverage", action="store_true", help="tell what of each module was run")
    return parser.parse_args()


def _meter():
    """Note which lines run, and return a function that tells about each module."""
    source = ROOT / "src" / "commonground"
    hit: dict[str, set[int]] = {}

    def lines(frame, event, _):
        if event == "line":
            hit[frame.f_code.co_filename].add(frame.f_lineno)
        return lines

    def calls(frame, _, __):
        name = frame.f_code.co_filename
        if not name.startswith(str(source)):
            return None
        hit.setdefault(name, set())
        return lines

    sys.settrace(calls)

    def tell() -> None:
        sys.settrace(None)
        for path in sorted(source.rglob("*.py")):
            wanted = _lines_of(compile(path.read_text(encoding="utf-8"), str(path), "exec"))
            share = len(hit.get(str(path), set()) & wanted) / len(wanted) if wanted else 1
            print(f"  {path.relative_to(source)!s:50} {share:6.1%}")

    return tell


def _lines_of(code) -> set[int]:
    found = {line for _, _, line in code.co_lines() if line}
    for constant in code.co_consts:
        if hasattr(constant, "co_lines"):
            found |= _lines_of(constant)
    return found


if __name__ == "__main__":
    sys.exit(main())
