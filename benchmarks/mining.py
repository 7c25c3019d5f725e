"""How fast phenomena are mined, beside loops over udapi's nodes; reading is included in both."""

from __future__ import annotations

from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]


def rows(folder: Path) -> list[Row]:
    """Measure."""
    path = str(material.english(folder))
    here = str(Path(__file__).parent)
    best = best_times(
        [
            Task(
                "columns",
                f"mine([{path!r}])",
                "from commonground.phenomena.mine import mine; mine(['example:phenomena-ud'])",
            ),
            Task(
                "udapi",
                f"candidates({path!r})",
                f"import sys; sys.path.insert(0, {here!r}); from udapi_loop import candidates",
            ),
        ],
        rounds=3,
    )
    sentences = Path(path).read_bytes().count(b"\n\n")
    minute = 60 * sentences / best["columns"]
    ratio = best["udapi"] / best["columns"]
    return [
        Row(
            f"mining ten phenomena at once in {sentences:,} sentences, reading included, one core",
            f"{minute:,.0f} sentences/min",
            "≥ 1,000,000",
            minute >= 1_000_000,
        ),
        Row(
            "the same against loops over udapi's nodes that find the same",
            f"{ratio:.0f} ×",
            "≥ 40 ×",
            ratio >= 40,
        ),
    ]


if __name__ == "__main__":
    import tempfile

    from stopwatch import markdown

    with tempfile.TemporaryDirectory() as temporary:
        print(markdown(rows(Path(temporary))))
