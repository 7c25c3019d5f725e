"""Read many bytes of a file at once, find blank lines in them, and cut them without copying.

This is the plain twin of ``_contents.pyx``, which asks the system for large pages of memory: to get
thousands of small ones takes longer than to copy a file into them, so that a copy less counts.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["LARGE", "blank_lines", "contents", "lines", "parted"]

LARGE = 1 << 21
"""For fewer bytes there are no large pages."""


def contents(file: io.BufferedReader, size: int, before: bytes = b"") -> bytes:
    """Return some bytes, and behind them the next `size` bytes of a file, fewer at its end.

    >>> contents(io.BufferedReader(io.BytesIO(b"(S (NN rain))")), 2, b"# ")
    b'# (S'
    """
    if size < 0:
        raise ValueError("fewer bytes than none")
    return before + file.read(size)


def parted(held: list[bytes], place: int) -> tuple[bytes, bytes]:
    """Take the last bytes from a list, and return them up to a place, and from there on.

    Where nobody else has them, the compiled twin copies only the second part.

    >>> parted([b"(S (NN rain)) (S"], 14)
    (b'(S (NN rain)) ', b'(S')
    """
    whole = held.pop() if held else None
    if whole is None or not 0 <= place <= len(whole):
        raise ValueError("a place outside of the bytes")
    return whole[:place], whole[place:]


_WINDOW = 1 << 18
"""What is done with so many bytes at a time stays in the cache of the processor."""


def blank_lines(data: Any) -> NDArray[np.int64]:
    r"""Return the places of all newlines that have another one behind them.

    >>> blank_lines(b"\n1\tHi\n\n\n1\tHo\n\n").tolist()
    [5, 6, 12]
    """
    content = np.frombuffer(data, np.uint8)
    places = [np.empty(0, np.int64)]
    for start in range(0, len(content), _WINDOW):
        newline = content[start : start + _WINDOW + 1] == ord("\n")
        places.append(start + np.flatnonzero(newline[1:] & newline[:-1]))
    return np.concatenate(places)


def lines(data: Any) -> int:
    r"""Return how many newlines there are.

    >>> lines(memoryview(b"1\tHi\n\n")[1:])
    2
    """
    content = np.frombuffer(data, np.uint8)
    windows = (content[start : start + _WINDOW] for start in range(0, len(content), _WINDOW))
    return sum(int(np.count_nonzero(window == ord("\n"))) for window in windows)
