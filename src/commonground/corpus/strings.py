"""A column of text: one small number per row, and every distinct text once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from commonground.kernels import load
from commonground.kernels.tabulate import Vocabulary
from commonground.kernels.texts import Texts

__all__ = ["LaterStrings", "Strings", "Vocabulary", "taken"]

Codes = NDArray[np.int32]


class Strings:
    """A dictionary-encoded column: row i reads ``vocabulary[codes[i]]``.

    The vocabulary has no duplicates, but may contain texts that no row uses (a slice keeps the
    vocabulary of the whole). That of a file is cut into texts when somebody asks for it.

    >>> s = Strings.of(["the", "cat", "the"])
    >>> s.codes.tolist(), s.vocabulary
    ([0, 1, 0], ('the', 'cat'))
    >>> s[1], s[1:].tolist(), s == Strings.of(["the", "cat", "the"])
    ('cat', ['cat', 'the'], True)

    Compared with a text, every row is: ``s == "the"`` is a mask.

    >>> (s == "the").tolist(), s[s != "the"].tolist()
    ([True, False, True], ['cat'])
    """

    __slots__ = ("_texts", "codes")

    def __init__(self, codes: Codes, vocabulary: Sequence[str] | Texts) -> None:
        self.codes = codes
        self._texts = vocabulary if isinstance(vocabulary, Texts) else tuple(vocabulary)

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The distinct texts."""
        return self._texts.parts if isinstance(self._texts, Texts) else self._texts

    @property
    def distinct(self) -> int:
        """How many distinct texts there are."""
        return len(self._texts)

    def text(self, code: int) -> str:
        """Return the distinct text with this code; the others need not be made."""
        return self._texts[code]

    def placed_texts(self) -> tuple[bytes, NDArray[np.int64]]:
        """Return the distinct texts in UTF-8, and the places of the newlines around them."""
        texts = self._texts if isinstance(self._texts, Texts) else Texts.of(self._texts)
        return texts.placed()

    @property
    def joined(self) -> str:
        """The distinct texts, with newlines between them."""
        return self._texts.joined if isinstance(self._texts, Texts) else "\n".join(self._texts)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Strings:
        """Encode texts, numbering them in the order of their first appearance."""
        vocabulary = Vocabulary()
        codes = np.fromiter(map(vocabulary.__getitem__, texts), dtype=np.int32)
        return cls(codes, tuple(vocabulary))

    @classmethod
    def constant(cls, text: str, length: int) -> Strings:
        """Return a column that reads `text` in each of `length` rows."""
        return cls(np.zeros(length, dtype=np.int32), (text,))

    @classmethod
    def concatenate(cls, parts: Sequence[Strings]) -> Strings:
        """Put columns one after the other, with one vocabulary."""
        if len(parts) == 1:
            return parts[0]
        vocabulary = Vocabulary()
        codes = [part.codes_in(vocabulary) for part in parts]
        return cls(np.concatenate(codes) if codes else np.empty(0, np.int32), tuple(vocabulary))

    def codes_in(self, vocabulary: Vocabulary) -> Codes:
        """Return the rows as codes of another vocabulary, which grows by what it lacks."""
        translation = np.fromiter(
            map(vocabulary.__getitem__, self.vocabulary), np.int32, len(self.vocabulary)
        )
        return taken(translation, self.codes) if len(translation) else self.codes

    def codes_like(self, other: Strings) -> Codes:
        """Return the rows as codes of another column's vocabulary; what it lacks has higher ones.

        >>> Strings.of(["a", "b"]).codes_like(Strings.of(["b", "c"])).tolist()
        [2, 0]
        """
        return self.codes if self.same_texts(other) else self.codes_in(_numbered(other.vocabulary))

    def same_texts(self, other: Strings) -> bool:
        """Tell whether two columns have the same vocabulary, so that their codes mean the same."""
        if isinstance(self._texts, Texts) and isinstance(other._texts, Texts):
            return self._texts == other._texts
        return self.vocabulary == other.vocabulary

    def map(self, function: Callable[[str], str]) -> Strings:
        """Apply `function` to every text; it is called once for each distinct one."""
        if function is str:  # which changes no text
            return self
        images = Strings.of(map(function, self.vocabulary))
        codes = taken(images.codes, self.codes) if len(images) else self.codes
        return Strings(codes, images.vocabulary)

    def where(self, predicate: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Return which rows satisfy `predicate`; it is called once for each distinct text."""
        truth = np.fromiter(map(predicate, self.vocabulary), np.bool_, len(self.vocabulary))
        return taken(truth, self.codes) if len(truth) else np.zeros(len(self), np.bool_)

    def values(self, function: Callable[[str], int]) -> NDArray[np.int64]:
        """Return a number for every row; `function` is called once for each distinct text."""
        numbers = np.fromiter(map(function, self.vocabulary), np.int64, len(self.vocabulary))
        return taken(numbers, self.codes) if len(numbers) else np.zeros(len(self), np.int64)

    def small_values(self, function: Callable[[str], int]) -> Codes:
        """Return a number for every row, as :meth:`values` does, in half the room."""
        numbers = np.fromiter(map(function, self.vocabulary), np.int32, len(self.vocabulary))
        return taken(numbers, self.codes) if len(numbers) else np.zeros(len(self), np.int32)

    def counts(self) -> dict[str, int]:
        """Return how many rows have each text, most frequent first, ties in alphabetical order."""
        numbers = np.bincount(self.codes, minlength=len(self.vocabulary)).tolist()
        counted = ((text, n) for text, n in zip(self.vocabulary, numbers, strict=True) if n)
        return dict(sorted(counted, key=lambda item: (-item[1], item[0])))

    def tolist(self) -> list[str]:
        """Return the rows as Python strings."""
        return list(map(self.vocabulary.__getitem__, self.codes.tolist()))

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    @overload
    def __getitem__(self, rows: int) -> str: ...
    @overload
    def __getitem__(self, rows: slice | NDArray[np.generic]) -> Strings: ...
    def __getitem__(self, rows: int | slice | NDArray[np.generic]) -> str | Strings:
        if isinstance(rows, int | np.integer):
            return self.vocabulary[int(self.codes[rows])]
        return Strings(self.codes[rows], self._texts)

    def taken(self, rows: Codes) -> Strings:
        """Return some rows, as an array of small numbers gives them: half the time of a mask.

        >>> Strings.of(["a", "b", "a"]).taken(np.array([1, 2], np.int32)).tolist()
        ['b', 'a']
        """
        return Strings(taken(self.codes, rows), self._texts)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, str):
            return self.where(other.__eq__)
        if not isinstance(other, Strings):
            return NotImplemented
        if len(self) != len(other):
            return False
        if len(self) < len(self.vocabulary):  # a sentence, or another slice of a long column
            return self.tolist() == other.tolist()
        return bool(np.array_equal(self.codes, other.codes_like(self)))

    def __ne__(self, other: object) -> Any:
        same = self == other
        return ~same if isinstance(same, np.ndarray) else not same

    __hash__ = None  # type: ignore[assignment]  # a column is a container

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:6].tolist())) + (", …" if len(self) > 6 else "")
        return f"Strings([{shown}], {len(self)} rows, {len(self.vocabulary)} distinct)"


class LaterStrings(Strings):
    """A column that is made when somebody looks at it; so are its slices.

    >>> later = LaterStrings(2, lambda: print("now") or Strings.of(["a", "b"]))
    >>> first = later[:1]
    >>> len(later), len(first)
    (2, 1)
    >>> first.tolist(), later.vocabulary
    now
    (['a'], ('a', 'b'))
    """

    __slots__ = ("_length", "_make")

    def __init__(self, length: int, make: Callable[[], Strings]) -> None:
        self._length = length
        self._make: Callable[[], Strings] | None = make

    def __getattr__(self, name: str) -> Any:  # what has no value yet: the codes and the texts
        if name not in Strings.__slots__ or self._make is None:
            raise AttributeError(name)
        made = self._make()
        assert len(made) == self._length, "a column has as many rows as was said"
        for each in Strings.__slots__:
            setattr(self, each, getattr(made, each))
        self._make = None
        return getattr(self, name)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, rows: int) -> str: ...
    @overload
    def __getitem__(self, rows: slice | NDArray[np.generic]) -> Strings: ...
    def __getitem__(self, rows: int | slice | NDArray[np.generic]) -> str | Strings:
        if self._make is None or isinstance(rows, int | np.integer):
            return super().__getitem__(rows)
        if isinstance(rows, slice):
            length = len(range(*rows.indices(self._length)))
        else:
            length = int(np.count_nonzero(rows)) if rows.dtype == np.bool_ else len(rows)
        return LaterStrings(length, lambda: Strings(self.codes[rows], self._texts))

    def taken(self, rows: Codes) -> Strings:
        """Return some rows, which are made when somebody looks at them."""
        return super().taken(rows) if self._make is None else self[rows]

    def __reduce__(self) -> tuple[type[Strings], tuple[Codes, Texts | tuple[str, ...]]]:
        return Strings, (self.codes, self._texts)


_MANY = 1 << 12
"""For fewer rows a kernel is not worth its call."""


def taken(values: NDArray[Any], codes: NDArray[np.integer]) -> NDArray[Any]:
    """Return the value of each code."""
    if len(codes) < _MANY:
        return values.take(codes)
    column: NDArray[Any] = load("columns").taken(values, codes)
    return column


def _numbered(vocabulary: Sequence[str]) -> Vocabulary:
    return Vocabulary(zip(vocabulary, range(len(vocabulary)), strict=True))
