"""Give damaged files of all kinds to all verbs, until the time is over.

    python fuzz/run.py --seconds 600 --seed 1

Each kind of file has its turn. The work is done in a process that is forked for a few hundred
mutants at a time, so that nothing is started anew for each of them; this one watches it. A mutant
that ends that process, or at which it stands still, has broken something as well. What breaks
something is kept in tests/failures, where the tests replay it. At the end: how many mutants of each
kind, what came out, and with --coverage how much of each module they reached.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pickle
import resource
import select
import signal
import struct
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from types import CodeType

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "commonground"
sys.path.insert(0, str(ROOT / "tests" / "support"))

SHIFT = 1000
"""So many mutants are for one process."""

MEMORY = 4 << 30
"""A process that takes more than that gets no more."""

STILL = 120
"""Seconds by the clock after which a process that says nothing is ended; the guard in it, of ten
seconds of computing, hears nothing in a loop that was compiled."""


@dataclass
class Tally:
    """What has been done so far."""

    seen: set[bytes] = field(default_factory=set)
    made: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)
    lines: dict[str, set[int]] = field(default_factory=dict)
    slowest: tuple[float, str] = (0.0, "")


def main() -> int:
    """Run, and return 1 where something broke."""
    options = _options()
    _load()
    from mutant_seeds import kinds, seeds
    from strange_commands import STRANGE

    # As many strangers as files: half of all attempts are command lines, and some are requests.
    every = [each for kind in kinds() for each in (kind, "command")] + ["visit"] * 4
    names = options.kinds.split(",") if options.kinds else every
    for kind in set(names) - set(STRANGE):
        seeds(kind)
    tally, start, turn, told = Tally(), time.monotonic(), options.skip, time.monotonic()
    folder = "/dev/shm" if Path("/dev/shm").is_dir() else None
    # Who interrupts a campaign is told how far it came.
    with (
        tempfile.TemporaryDirectory(dir=folder) as scratch,
        contextlib.suppress(KeyboardInterrupt),
    ):
        while time.monotonic() - start < options.seconds and len(tally.seen) < options.count:
            left = options.seconds - (time.monotonic() - start)
            most = min(SHIFT, options.count - len(tally.seen))
            traced = options.coverage and (turn // SHIFT) % options.coverage == 0
            shift = Shift(
                names, options.seed, turn, most, left, Path(scratch), bool(traced), *options.share
            )
            turn = _shift(shift, options, tally)
            if time.monotonic() - told > 300:
                told = time.monotonic()
                _progress(tally, told - start)
    seconds = time.monotonic() - start
    _tell(tally, names, seconds)
    if options.coverage:
        _tell_coverage(tally.lines)
    return 1 if tally.broken else 0


def _load() -> None:
    """Import what verbs import late, once for all processes; an import cut short is no finding."""
    from importlib import import_module

    from commonground.cli import VERBS

    for verb in VERBS:
        import_module(f"commonground.cli.verbs.{verb.replace('-', '_')}")
    import matplotlib.backends.backend_svg
    import matplotlib.figure  # noqa: F401
    import mutants  # noqa: F401

    with contextlib.suppress(ImportError):  # extras
        import torch
        import transformers

        torch.set_num_threads(1)
        transformers.AutoModel  # noqa: B018  # imported when it is asked for


@dataclass(frozen=True)
class Shift:
    """What one process does: so many mutants from a turn on, as long as there is time."""

    names: list[str]
    seed: int
    turn: int
    most: int
    seconds: float
    scratch: Path
    traced: bool
    share: int = 0
    shares: int = 1


def _shift(shift: Shift, options: argparse.Namespace, tally: Tally) -> int:
    """Let a process try some mutants; return the turn after the last one."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        os.close(reading)
        _work(shift, tally, writing)
    os.close(writing)
    try:
        return _watch(process, reading, shift.names, options, shift.turn, tally)
    except KeyboardInterrupt:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        raise
    finally:
        os.close(reading)


# ── in the process that works ────────────────────────────────────────────────────────────────────


def _work(shift, tally, channel):
    """Try mutants, tell about each, and end."""
    from mutants import attempt, mutant

    signal.signal(signal.SIGTERM, lambda *_: os._exit(143))  # a command would only end itself
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    lines: dict[str, set[int]] = {}
    if shift.traced:
        _trace(lines, tally.lines)
    deadline = time.monotonic() + shift.seconds
    turn, done, here = shift.turn, 0, set()
    with os.fdopen(channel, "wb", buffering=0) as pipe:
        while done < shift.most and time.monotonic() < deadline:
            kind, random = shift.names[turn % len(shift.names)], Random(f"{shift.seed} {turn}")
            made = mutant(kind, random)
            digest = _digest(kind, made.data)
            mine = digest[0] % shift.shares == shift.share
            if mine and digest not in tally.seen and digest not in here:
                here.add(digest)
                _say(pipe, ("begin", turn, digest))
                start = time.process_time()
                failure = attempt(made, shift.scratch, random)
                spent = time.process_time() - start
                _say(pipe, ("end", turn, spent, failure and (failure.command, failure.what)))
                done += 1
            turn += 1
        sys.settrace(None)
        _say(pipe, ("over", turn, lines))
    os._exit(0)


def _digest(kind, data):
    return sha256(kind.encode() + b" " + data).digest()[:10]


def _say(pipe, message):
    data = pickle.dumps(message)
    pipe.write(struct.pack("<I", len(data)) + data)


def _trace(lines, known):
    """Note which lines of the project run; a function without a line that is news is left alone."""
    prefix = str(SOURCE)
    missing: dict[CodeType, set[int]] = {}

    def note(frame, event, _):
        left = missing[frame.f_code]
        if event == "line" and frame.f_lineno in left:
            left.discard(frame.f_lineno)
            lines[frame.f_code.co_filename].add(frame.f_lineno)
        return note if left else None

    def calls(frame, _, __):
        code = frame.f_code
        if code not in missing:
            ours = code.co_filename.startswith(prefix)
            missing[code] = {line for *_, line in code.co_lines() if line} if ours else set()
            missing[code] -= known.get(code.co_filename, set())
            lines.setdefault(code.co_filename, set())
        return note if missing[code] else None

    sys.settrace(calls)


# ── in the process that watches ──────────────────────────────────────────────────────────────────


def _watch(process, channel, names, options, turn, tally):
    """Take down what a process tells, until it has ended; return the next turn."""
    following, current = turn, None
    for message in _messages(channel):
        if message is None:
            os.kill(process, signal.SIGKILL)
            break
        what, at = message[:2]
        if what == "begin":
            current = at
            kind = names[at % len(names)]
            tally.seen.add(message[2])
            tally.made[kind] += 1
        elif what == "end":
            current = None
            tally.slowest = max(tally.slowest, (message[2], f"{names[at % len(names)]} {at}"))
            if message[3]:
                _keep(names, options, at, tally, *message[3])
        else:
            for name, numbers in message[2].items():
                tally.lines.setdefault(name, set()).update(numbers)
        following = at if what == "over" else at + 1
    _, status = os.waitpid(process, 0)
    if current is not None:
        reason = f"the process ended ({status}) or stood still for {STILL} seconds"
        _keep(names, options, current, tally, "?", reason)
    return following


def _messages(channel):
    """Return what comes through a pipe; None where nothing comes for too long."""
    with os.fdopen(channel, "rb", buffering=0, closefd=False) as pipe:
        while True:
            if not select.select([pipe], [], [], STILL)[0]:
                yield None
                return
            head = _exactly(pipe, 4)
            body = head and _exactly(pipe, struct.unpack("<I", head)[0])
            if not body:
                return
            yield pickle.loads(body)  # from the process that was forked here


def _exactly(pipe, length):
    data = b""
    while len(data) < length:
        more = pipe.read(length - len(data))
        if not more:
            return b""
        data += more
    return data


def _keep(names, options, turn, tally, command, what):
    """Keep a file that broke something, and tell about it."""
    from mutants import FAILURES, mutant

    kind = names[turn % len(names)]
    tally.broken[kind] += 1
    data = mutant(kind, Random(f"{options.seed} {turn}")).data
    name = f"{kind}-{sha256(data).hexdigest()[:12]}"
    if tally.broken[kind] <= options.keep:
        FAILURES.mkdir(exist_ok=True)
        (FAILURES / name).write_bytes(data)
    print(f"{name} (turn {turn}): {command}\n{what}\n", flush=True)


def _progress(tally, seconds):
    done, wrong = len(tally.seen), sum(tally.broken.values())
    print(f"… {done:,} mutants in {seconds:,.0f} s, {wrong} broke something", flush=True)


def _tell(tally, names, seconds):
    done, wrong = sum(tally.made.values()), sum(tally.broken.values())
    print(f"{done:,} different mutants in {seconds:,.0f} s, {wrong} broke something")
    print(f"the slowest took {tally.slowest[0]:.1f} s of computing ({tally.slowest[1]})")
    for kind in dict.fromkeys(names):
        print(f"  {kind:18} {tally.made[kind]:>9,} {tally.broken[kind]:>6}")


def _tell_coverage(lines):
    """Tell how much of each module was run, and of each room."""
    rooms: Counter[str] = Counter()
    ran: Counter[str] = Counter()
    for path in sorted(SOURCE.rglob("*.py")):
        wanted = _lines_of(compile(path.read_text(encoding="utf-8"), str(path), "exec"))
        hit = len(lines.get(str(path), set()) & wanted)
        place = path.relative_to(SOURCE)
        room = place.parts[0] if len(place.parts) > 1 else "(the package itself)"
        for name in (room, "all"):
            rooms[name] += len(wanted)
            ran[name] += hit
        print(f"  {place!s:50} {hit / max(1, len(wanted)):6.1%}")
    print("by room:")
    for room, total in sorted(rooms.items()):
        print(f"  {room:24} {ran[room] / max(1, total):6.1%}")


def _lines_of(code) -> set[int]:
    """Return the lines in functions; those that run at import are no news."""
    names: set[int] = set()
    for constant in code.co_consts:
        if hasattr(constant, "co_lines"):
            if constant.co_flags & 0x2:  # a function, and no body of a class
                names |= {line for _, _, line in constant.co_lines() if line}
                names.discard(constant.co_firstlineno)
            names |= _lines_of(constant)
    return names


def _share(text: str) -> tuple[int, int]:
    """Return which share a run has, counted from 0, and of how many."""
    share, shares = map(int, text.split("/"))
    if not 1 <= share <= shares <= 256:
        raise argparse.ArgumentTypeError(f"{text}: a share is K/N, as in 1/2")
    return share - 1, shares


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--skip", type=int, default=0, help="begin at this turn")
    parser.add_argument(
        "--share",
        type=_share,
        default=(0, 1),
        metavar="K/N",
        help="try only every Nth mutant: with 1/2 and 2/2, two runs have none in common",
    )
    parser.add_argument("--kinds", default="")
    parser.add_argument("--keep", type=int, default=3, help="so many files of each kind are kept")
    parser.add_argument(
        "--coverage",
        type=int,
        nargs="?",
        const=1,
        default=0,
        metavar="N",
        help="tell what of each module was run, by tracing one shift in N",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
