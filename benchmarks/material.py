"""What benchmarks run on: real treebanks where they are at hand, else the example, repeated."""

from __future__ import annotations

from pathlib import Path

import commonground

__all__ = ["brackets", "conllu", "repeated", "test_conllu", "trees", "two_frameworks", "words"]

SHARED = Path(__file__).parents[2] / "shared" / "data"
EXAMPLE = Path(commonground.__file__).parent / "example"


def conllu(folder: Path) -> Path:
    """Return a CoNLL-U file of some megabytes."""
    return _at_least(folder / "bench.conllu", _conllu_sources(), 5_000_000)


def english(folder: Path) -> Path:
    """Return all English trees at hand in one CoNLL-U file, each once."""
    names = ("ewt/*.conllu", "pud/en.conllu", "gum/dep/*.conllu")
    sources = [path for name in names for path in sorted(SHARED.glob(name))]
    return _at_least(folder / "english.conllu", sources or [EXAMPLE / "ud.conllu"] * 200, 1)


def test_conllu(folder: Path) -> Path:
    """Return a CoNLL-U file of about two thousand sentences."""
    sources = [*SHARED.glob("ewt/test.conllu")] or [EXAMPLE / "ud.conllu"] * 32
    return _at_least(folder / "test.conllu", sources, 1)


def brackets(folder: Path) -> Path:
    """Return a file of Penn trees of some megabytes."""
    return _at_least(folder / "bench.mrg", _bracket_sources(), 5_000_000)


def words(folder: Path, count: int) -> Path:
    """Return a CoNLL-U file of about so many words."""
    corpus = commonground.read(conllu(folder))
    first = int((corpus.words.offsets <= count).sum())
    commonground.write(corpus[:first], folder / f"{count}.conllu")
    return folder / f"{count}.conllu"


def trees(folder: Path, count: int, longest: int | None = None) -> Path:
    """Return a file of so many Penn trees, one on each line, perhaps without the long ones."""
    corpus = commonground.read(brackets(folder))
    if longest is not None:
        corpus = corpus[corpus.words.lengths <= longest]
    whole = type(corpus).concatenate([corpus] * -(-count // len(corpus)))
    target = folder / f"{count}-{longest}.mrg"
    commonground.write(whole[:count], target)
    return target


def two_frameworks(folder: Path) -> tuple[Path, Path]:
    """Return the same sentences as dependencies and as constituents, each in one file."""
    results = []
    for name, suffix, example in (("dep", "conllu", "ud"), ("const", "ptb", "ptb")):
        target = folder / f"{name}.{suffix}"
        sources = sorted(SHARED.glob(f"gum/{name}/*")) or [*EXAMPLE.glob(f"{example}.*")]
        results.append(_at_least(target, sources, 1))
    return results[0], results[1]


def repeated(source: Path, target: Path, size: int) -> Path:
    """Return a file that repeats another one until it is large enough."""
    return _at_least(target, [source], size)


def _conllu_sources() -> list[Path]:
    return [*SHARED.glob("ewt/train-part.conllu")] or [EXAMPLE / "ud.conllu"]


def _bracket_sources() -> list[Path]:
    return sorted(SHARED.glob("gum/const/*.ptb")) or [EXAMPLE / "ptb.mrg"]


def _at_least(target: Path, sources: list[Path], size: int) -> Path:
    if not target.exists():
        once = b"".join(path.read_bytes().rstrip() + b"\n\n" for path in sources)
        target.write_bytes(once * -(-size // len(once)))
    return target
