"""What benchmarks run on: real treebanks where they are at hand, else the example, repeated."""

from __future__ import annotations

from pathlib import Path

import commonground

__all__ = ["brackets", "conllu"]

SHARED = Path(__file__).parents[2] / "shared" / "data"
EXAMPLE = Path(commonground.__file__).parent / "example"


def conllu(folder: Path) -> Path:
    """Return a CoNLL-U file of some megabytes."""
    return _at_least(
        folder / "bench.conllu",
        [*SHARED.glob("ewt/train-part.conllu")] or [EXAMPLE / "ud.conllu"],
        5_000_000,
    )


def brackets(folder: Path) -> Path:
    """Return a file of Penn trees of some megabytes."""
    return _at_least(
        folder / "bench.mrg",
        sorted(SHARED.glob("gum/const/*.ptb")) or [EXAMPLE / "ptb.mrg"],
        5_000_000,
    )


def _at_least(target: Path, sources: list[Path], size: int) -> Path:
    if not target.exists():
        once = b"".join(path.read_bytes().rstrip() + b"\n\n" for path in sources)
        target.write_bytes(once * -(-size // len(once)))
    return target
