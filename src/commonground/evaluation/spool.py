"""Values that are put aside until somebody asks for them, so that memory does not grow with them.

As long as they are small they stay in memory. Then they go to a temporary file without a name,
which is gone with the process that has it, however that ends.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from threading import Lock
from typing import IO, Any, Generic, Protocol, TypeVar
from weakref import finalize

from commonground.errors import InputError

__all__ = ["Aside", "Parts", "Spool", "in_a_row"]

SMALL = 1 << 22
"""Maximum number of bytes in memory; 0 would mean no limit."""

Part = TypeVar("Part")
Part_co = TypeVar("Part_co", covariant=True)


class Parts(Protocol[Part_co]):
    """What can be gone through part by part, as often as one likes: a tuple, or what lies aside."""

    def __iter__(self) -> Iterator[Part_co]: ...

    def __add__(self, other: Any, /) -> Any: ...


def in_a_row(several: Iterable[Parts[Part]]) -> Parts[Part]:
    """Return all parts one after the other.

    >>> in_a_row([(1, 2), (3,)])
    (1, 2, 3)
    """
    return reduce(add, several)


class Spool:
    """Where values lie that were put aside.

    >>> spool = Spool(small=1)
    >>> list(spool.put([1, 2]) + spool.put([3]))
    [[1, 2], [3]]
    """

    def __init__(self, small: int = SMALL) -> None:
        self._small = small
        self._turn = Lock()  # a file has one place where it is read and written

    @cached_property
    def _file(self) -> IO[bytes]:
        from tempfile import SpooledTemporaryFile  # noqa: PLC0415  # most runs put nothing aside

        file = SpooledTemporaryFile(self._small)  # noqa: SIM115  # it is closed with the spool
        finalize(self, file.close)
        return file

    def put(self, value: Part) -> Aside[Part]:
        """Put a value aside."""
        with self._at(0, os.SEEK_END) as file:
            place = file.tell()
            pickle.dump(value, file, pickle.HIGHEST_PROTOCOL)
        return Aside(self, (place,))

    def get(self, place: int) -> Any:
        """Return the value that lies at some place."""
        with self._at(place) as file:
            return pickle.load(file)  # noqa: S301  # nobody else can write there

    @contextmanager
    def _at(self, place: int, whence: int = os.SEEK_SET) -> Iterator[IO[bytes]]:
        with self._turn:
            try:
                self._file.seek(place, whence)
                yield self._file
            except OSError as error:
                from tempfile import gettempdir  # noqa: PLC0415

                reason = f"cannot be written: {error.strerror}"
                advice = "counts of sentences are put aside there; TMPDIR can name another folder"
                raise InputError(gettempdir(), 0, f"{reason}; {advice}") from error


@dataclass(frozen=True, slots=True)
class Aside(Generic[Part]):
    """Values that were put aside; each is fetched when it is its turn."""

    spool: Spool
    places: tuple[int, ...]

    def __iter__(self) -> Iterator[Part]:
        return map(self.spool.get, self.places)

    def __add__(self, other: Aside[Part]) -> Aside[Part]:
        return Aside(self.spool, self.places + other.places)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)  # what is sent to another process is sent whole
