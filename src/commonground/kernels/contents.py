"""Read many bytes of a file at once, and cut them without copying.

This is the plain twin of ``_contents.pyx``, which asks the system for large pages of memory: to get
thousands of small ones takes longer than to copy a file into them, so that a copy less counts.
"""

from __future__ import annotations

import io

__all__ = ["LARGE", "contents", "parted"]

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
