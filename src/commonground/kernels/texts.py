"""Distinct texts in one piece, cut apart when somebody asks for them.

Of most columns of a file nobody reads all texts, and some thousands of strings take longer to make
than the rows that have them take to be numbered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["BETWEEN_BLOCKS", "BETWEEN_FIELDS", "Texts"]

BETWEEN_FIELDS = "\n"
"""What stands between fields, which are parts of lines."""

BETWEEN_BLOCKS = "\n\n"
"""What stands between blocks of lines, none of which is blank."""


class Texts:
    r"""So many (`count`) distinct texts, joined by a separator that none of them contains.

    >>> texts = Texts("a\nb", 2)
    >>> len(texts), texts.parts, texts == Texts.of(["a", "b"])
    (2, ('a', 'b'), True)
    """

    __slots__ = ("_joined", "_parts", "_places", "count", "separator")

    def __init__(self, joined: str, count: int, separator: str = BETWEEN_FIELDS) -> None:
        self.count = count
        self.separator = separator
        self._joined: str | None = joined
        self._parts: tuple[str, ...] | None = None
        self._places: tuple[bytes, NDArray[np.int64]] | None = None

    @classmethod
    def of(cls, parts: Sequence[str], separator: str = BETWEEN_FIELDS) -> Texts:
        """Join texts."""
        return cls(separator.join(parts), len(parts), separator)

    @property
    def parts(self) -> tuple[str, ...]:
        """The texts, each for itself."""
        if self._parts is None:
            assert self._joined is not None, "texts are joined until they are cut apart"
            self._parts = tuple(self._joined.split(self.separator)) if self.count else ()
            self._joined = self._places = None
        return self._parts

    def __getitem__(self, number: int) -> str:
        """Return one of the texts, without making all of them."""
        if self._joined is None or len(self.separator) > 1:
            return self.parts[number]
        data, breaks = self.placed()
        return data[breaks.item(number) + 1 : breaks.item(number + 1)].decode()

    def placed(self) -> tuple[bytes, NDArray[np.int64]]:
        r"""Return the texts in UTF-8, and the places of what stands around them.

        >>> data, breaks = Texts("a\nb", 2).placed()
        >>> data, breaks.tolist()
        (b'a\nb\n', [-1, 1, 3])
        """
        if self._places is None:
            data = f"{self.joined}{self.separator}".encode()
            ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord(self.separator))
            self._places = data, np.append(-1, ends)
        return self._places

    @property
    def joined(self) -> str:
        """The texts with the separator between them."""
        return self.separator.join(self.parts) if self._joined is None else self._joined

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Texts):
            return NotImplemented
        if self is other:
            return True
        if self.count != other.count:
            return False
        if self._joined is not None and other._joined is not None:
            return self.separator == other.separator and self._joined == other._joined
        return self.parts == other.parts

    __hash__ = None  # type: ignore[assignment]  # what it holds is what matters

    def __repr__(self) -> str:
        return f"Texts({list(self.parts)!r})"
