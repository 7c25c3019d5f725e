"""Long sentences in parts, which take less time and memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

__all__ = ["stretches"]


def stretches(forms: Sequence[str], longest: int) -> Iterator[tuple[int, int]]:
    """Return a sentence in parts that are not too long, cut after punctuation if possible.

    >>> list(stretches(["Go", ",", "go", ",", "gone"], 4)), list(stretches(["a"] * 5, 4))
    ([(0, 4), (4, 5)], [(0, 4), (4, 5)])
    """
    start = 0
    while len(forms) - start > longest:
        ends = [
            at + 1
            for at in range(start + longest // 2, start + longest)
            if not any(map(str.isalnum, forms[at]))
        ]
        stop = ends[-1] if ends else start + longest
        yield start, stop
        start = stop
    if forms:
        yield start, len(forms)
