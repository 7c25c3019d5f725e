"""JSON for people and programs; long lists and texts are made part by part, never all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

__all__ = ["ListInParts", "TextInParts", "json_parts", "json_text", "whole"]


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


def json_text(data: Mapping[str, Any]) -> str:
    """Return data as JSON for people and programs: indented, in the order of its keys.

    A list of numbers or of texts stands on one line, however long it is.

    >>> print(json_text({"las": 0.5, "correct": [3, 1]}), end="")
    {
      "las": 0.5,
      "correct": [3, 1]
    }
    """
    return "".join(json_parts(data))


def json_parts(data: Mapping[str, Any]) -> Iterator[str]:
    """Return the same part by part, so that a large result need not be there as one text.

    What comes in parts is written in parts.

    >>> "".join(json_parts({"las": [{"gold": 1}, {}]})) == json_text({"las": [{"gold": 1}, {}]})
    True
    """
    yield from _parts(data, "\n")
    yield "\n"


def _parts(value: Any, newline: str) -> Iterator[str]:
    """Return a value as JSON; `newline` is the end of a line and the indentation of the next."""
    deeper = newline + "  "
    if isinstance(value, Mapping) and value:
        before = "{"
        for key, each in value.items():
            yield f"{before}{deeper}{_json_text(str(key))}: "
            yield from _parts(each, deeper)
            before = ","
        yield f"{newline}}}"
    elif isinstance(value, list | tuple) and any(
        isinstance(v, Mapping | list | tuple) for v in value
    ):
        before = "["
        for each in value:
            yield f"{before}{deeper}"
            yield from _parts(each, deeper)
            before = ","
        yield f"{newline}]"
    elif isinstance(value, ListInParts):
        before = "["
        for part in filter(None, value.parts()):
            yield f"{before}{_json_text(part)[1:-1]}"
            before = ", "
        yield "[]" if before == "[" else "]"
    elif isinstance(value, TextInParts):
        yield '"'
        yield from (_json_text(part)[1:-1] for part in value.parts())
        yield '"'
    else:
        yield _json_text(value)


def _json_text(value: Any) -> str:
    return _dumps()(value, ensure_ascii=False, allow_nan=False)


@cache
def _dumps() -> Callable[..., str]:
    from json import dumps  # noqa: PLC0415  # results that are shown as tables need none

    return dumps
