"""Long lists and texts of JSON that are made part by part, and never all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

__all__ = ["ListInParts", "TextInParts", "whole"]


@dataclass(frozen=True, slots=True)
class ListInParts:
    """A list: `parts` makes its parts anew each time it is called."""

    parts: Callable[[], Iterable[Sequence[Any]]]


@dataclass(frozen=True, slots=True)
class TextInParts:
    """A text: `parts` makes its parts anew each time it is called."""

    parts: Callable[[], Iterable[str]]


def whole(value: Any) -> Any:
    """Return the JSON in which what comes in parts is put together.

    >>> whole({"gold": ListInParts(lambda: [[1, 2], [3]]), "items": TextInParts(lambda: "ab")})
    {'gold': [1, 2, 3], 'items': 'ab'}
    """
    if isinstance(value, ListInParts):
        return list(chain.from_iterable(value.parts()))
    if isinstance(value, TextInParts):
        return "".join(value.parts())
    if isinstance(value, Mapping):
        return {name: whole(each) for name, each in value.items()}
    if isinstance(value, list):
        return [whole(each) for each in value]
    return value
