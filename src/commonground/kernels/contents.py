"""Read many bytes of a file at once.

This is the plain twin of ``_contents.pyx``, which asks the system for large pages of memory: to get
thousands of small ones takes longer than to copy a file into them.
"""

from __future__ import annotations

import io

__all__ = ["LARGE", "contents"]

LARGE = 1 << 21
"""For fewer bytes there are no large pages."""


def contents(file: io.BufferedReader, size: int) -> bytes:
    """Return the next `size` bytes of a file, fewer at its end.

    >>> contents(io.BufferedReader(io.BytesIO(b"(S (NN rain))")), 2)
    b'(S'
    """
    if size < 0:
        raise ValueError("fewer bytes than none")
    return file.read(size)
