"""How fast a pattern is found, beside a loop over udapi's nodes, and in how much memory.

Reading is included in both; both have read a small file before.
"""

from __future__ import annotations

import sys
from pathlib import Path

import material
from stopwatch import Row, Task, best_times, peak_memory

__all__ = ["rows"]

COMMAND = str(Path(sys.executable).parent / "commonground")
MILLION = 66_500_000
"""About so many bytes of CoNLL-U hold a million words."""

PATTERN = "V -[obj]-> N; N << V"

LOOP = (
    "sum(len([c for c in n.children if c.udeprel == 'obj' and c.ord < n.ord]) "
    "for n in Document({path!r}).nodes)"
)


def rows(folder: Path) -> list[Row]:
    """Measure."""
    path, small = str(material.english(folder)), str(material.EXAMPLE / "ud.conllu")
    ours = "from commonground.patterns.files import search_files\n"
    ours += "from commonground.patterns.occurrences import Query\n"
    theirs = "from udapi.core.document import Document\n"
    find = "search_files([{path!r}], Query.of({pattern!r}))"
    best = best_times(
        [
            Task(
                "columns",
                find.format(path=path, pattern=PATTERN),
                ours + find.format(path=small, pattern=PATTERN),
            ),
            Task("udapi", LOOP.format(path=path), theirs + LOOP.format(path=small)),
        ],
        rounds=3,
    )
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    words = sum(line.split("\t")[0].isdecimal() for line in lines)
    speed, ratio = words / best["columns"], best["udapi"] / best["columns"]
    return [
        Row(
            f"a pattern in {words:,} words against a loop over udapi's nodes, reading included",
            f"{ratio:.0f} × ({speed:,.0f} words/s)",
            "≥ 20 ×",
            ratio >= 20,
        ),
        _large(folder),
    ]


def _large(folder: Path) -> Row:
    """Return speed and memory of the command on 1, 5 and 10 million words."""
    source = material.conllu(folder)
    speeds, memory = [], []
    for times in (1, 5, 10):
        large = material.repeated(source, folder / f"{times}-million.conllu", times * MILLION)
        command = (COMMAND, "search", str(large), PATTERN, "--by", "V.lemma")
        spent = best_times([Task("search", command=command)], rounds=2)["search"]
        speeds.append(times * 1_000_000 / spent)
        memory.append(peak_memory(command))
    told = ", ".join(
        f"{speed / 1e6:.1f} M words/s in {size:.0f} MB"
        for speed, size in zip(speeds, memory, strict=True)
    )
    return Row(
        "`search` with counts by lemma on 1, 5 and 10 million words, start-up included",
        told,
        "≤ 1.05 × the memory",
        memory[2] <= 1.05 * memory[0],
    )


if __name__ == "__main__":
    import tempfile

    from stopwatch import markdown

    with tempfile.TemporaryDirectory() as temporary:
        print(markdown(rows(Path(temporary))))
