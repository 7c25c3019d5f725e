"""JSON of results, decoded: what is not as it should be is refused, with its place.

Each kind of result says in msgspec structs what its JSON is. What structs cannot say (that names
are known, that numbers add up) is checked by hand.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, TypeVar

import msgspec

from commonground.errors import InputError, quoted

__all__ = ["Count", "Number", "decoded", "one_of", "place_first", "unique_names"]

Count = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
"""A whole number that counts something; the sums of such numbers are exact in every language."""

Number = Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]
"""A number that can be shown and drawn."""

Decoded = TypeVar("Decoded")


def decoded(data: Any, kind: type[Decoded], path: str, root: str = "") -> Decoded:
    """Return data of a file as a struct; `root` is where they stand in the file.

    >>> decoded({"gold": -1}, dict[str, Count], "r.json", "las.counts")
    Traceback (most recent call last):
    commonground.errors.InputError: r.json: las.counts[...]: Expected `int` >= 0
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        message = place_first(error, root)
        whole = "" if root or " - at `" in str(error) else "this is not a whole result: "
        raise InputError(path, 0, f"{whole}{message}") from error


def place_first(error: msgspec.ValidationError, root: str = "") -> str:
    """Return what is wrong, the place before it.

    >>> place_first(msgspec.ValidationError("Expected `int` - at `$.options.top`"), "request")
    'request.options.top: Expected `int`'
    """
    message, _, place = str(error).rpartition(" - at `")
    if not message:
        return f"{root}: {error}" if root else str(error)
    return f"{(root + place.removesuffix('`')[1:]).lstrip('.')}: {message}"


def one_of(path: str, what: str, name: str, known: Collection[str]) -> None:
    """Refuse a name that nobody knows."""
    if name not in known:
        raise InputError(path, 0, f"there is no {what} {quoted(name)}")


def unique_names(path: str, names: Collection[str]) -> None:
    """Refuse systems that cannot be told apart."""
    if len(set(names)) < len(names):
        raise InputError(path, 0, "two systems have the same name")
