"""How fast a pattern is found, beside a loop over udapi's nodes; reading is included in both."""

from __future__ import annotations

from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

PATTERN = "V -[obj]-> N; N << V"

LOOP = (
    "sum(len([c for c in n.children if c.udeprel == 'obj' and c.ord < n.ord]) "
    "for n in Document({path!r}).nodes)"
)


def rows(folder: Path) -> list[Row]:
    """Measure."""
    path = str(material.english(folder))
    best = best_times(
        [
            Task(
                "columns",
                f"occurrences((({path!r}, c) for c in read_chunks({path!r})), {PATTERN!r})",
                "from commonground.formats.registry import read_chunks; "
                "from commonground.patterns.occurrences import occurrences",
            ),
            Task("udapi", LOOP.format(path=path), "from udapi.core.document import Document"),
        ],
        rounds=2,
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
        )
    ]


if __name__ == "__main__":
    import tempfile

    from stopwatch import markdown

    with tempfile.TemporaryDirectory() as temporary:
        print(markdown(rows(Path(temporary))))
