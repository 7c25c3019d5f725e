"""How systems are told apart: by colour, and without it by marker, line and hatching."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from commonground.errors import UsageError
from commonground.report.visible import visible

__all__ = ["Mark", "marks", "short_names", "shown"]

_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000")
"""The palette of Okabe and Ito, which people who see colours differently tell apart."""

_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
_LINES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)))
_LONGEST = 36
_MOST = 40
"""More lines cannot be followed, and more rows are longer than a page."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How one system looks."""

    name: str
    colour: str
    marker: str
    line: Any


def marks(names: Sequence[str]) -> list[Mark]:
    """Return how each of several systems looks: no two of them alike, if they are not too many.

    >>> [mark.marker for mark in marks(["a", "b", "c"])]
    ['o', 's', '^']
    """
    if len(names) > _MOST:
        raise UsageError(f"{len(names):,} systems are too many for a figure; choose some of them")
    return [
        Mark(
            name,
            _COLOURS[place % len(_COLOURS)],
            _MARKERS[place % len(_MARKERS)],
            _LINES[place % len(_LINES)],
        )
        for place, name in enumerate(short_names(names))
    ]


def short_names(names: Sequence[str], longest: int = _LONGEST) -> list[str]:
    """Return names as figures show them: bounded, and still different.

    >>> short_names(["mine", "m" * 100, "m" * 101])
    ['mine', 'mmmmmmmmmmm…mmmmmmmmmmmmmmmmmmmmmmmm', 'mmmmmmmmmmm…mmmmmmmmmmmmmmmmmmmmmmmm (2)']
    """
    seen: Counter[str] = Counter()
    shortened = []
    for name in (shown(name, longest) for name in names):
        seen[name] += 1
        shortened.append(f"{name} ({seen[name]})" if seen[name] > 1 else name)
    return shortened


def shown(text: str, longest: int = _LONGEST) -> str:
    """Return text from a file as figures show it: what is hidden made visible, its middle cut.

    The beginning and the end of paths and labels say most.
    """
    text = visible(text)
    if len(text) <= longest:
        return text
    start = longest // 3
    return f"{text[: start - 1]}…{text[start - longest :]}"
