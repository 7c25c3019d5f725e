"""What the values of a step can be: checked before anything is done, and told to editors.

What a value is can be found out before a step is done, and is refused with its line. Only whether a
parser is there and takes its settings turns out when it is trained: others have no part in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from commonground.errors import UsageError

__all__ = [
    "FLAG",
    "SEED",
    "TABLE",
    "TEXT",
    "TEXTS",
    "Value",
    "accepted",
    "choice",
    "each",
    "share",
    "whole",
]


@dataclass(frozen=True, slots=True)
class Value:
    """What a value can be: in words, for a JSON schema, and whether one is it.

    `refused` says what is wrong, in words of its own or none but False.
    """

    wanted: str
    schema: Mapping[str, Any]
    refused: Callable[[Any], str | bool]

    def problem(self, value: object) -> str:
        """Return what is wrong with a value; the empty text if nothing is.

        >>> whole(2).problem("four")
        "it is 'four'; it must be a whole number of at least 2"
        >>> whole(2).problem(4)
        ''
        """
        wrong = self.refused(value)
        if isinstance(wrong, str):
            return wrong
        return f"it is {value!r}; it must be {self.wanted}" if wrong else ""


def _of_type(wanted: str, schema_type: str, kind: type) -> Value:
    return Value(wanted, {"type": schema_type}, lambda value: not isinstance(value, kind))


TEXT = _of_type("a text", "string", str)
FLAG = _of_type("true or false", "boolean", bool)
TABLE = _of_type("a table", "object", dict)


def whole(least: int) -> Value:
    """Return what a whole number is, from `least` on."""
    schema = {"type": "integer", "minimum": least}
    return Value(
        f"a whole number of at least {least}",
        schema,
        lambda value: isinstance(value, bool) or not isinstance(value, int) or value < least,
    )


SEED = whole(0)


def share() -> Value:
    """Return what a number between 0 and 1 is."""
    schema = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
    return Value(
        "a number between 0 and 1",
        schema,
        lambda value: not (isinstance(value, float) and 0 < value < 1),
    )


def choice(*names: str) -> Value:
    """Return what one of a few texts is."""
    wanted = ", ".join(map(repr, names[:-1])) + f" or {names[-1]!r}"
    return Value(wanted, {"enum": list(names)}, lambda value: value not in names)


def accepted(form: Value, taken: Callable[[Any], object]) -> Value:
    """Return what has a form, and is taken by a function, which otherwise says why it is not."""

    def refused(value: Any) -> str | bool:
        wrong = form.refused(value)
        if wrong:
            return wrong
        try:
            taken(value)
        except UsageError as error:
            return str(error)
        return False

    return Value(form.wanted, form.schema, refused)


def each(one: Value, *, alone: bool = False) -> Value:
    """Return what a list of such values is; one `alone` may stand without brackets."""
    listed: dict[str, Any] = {"type": "array", "items": dict(one.schema)}
    schema = {"anyOf": [dict(one.schema), listed]} if alone else listed

    def refused(value: Any) -> str | bool:
        if alone and not isinstance(value, list):
            return one.refused(value)
        return not isinstance(value, list) or _first(one.refused(part) for part in value)

    return Value(f"a list; each item must be {one.wanted}", schema, refused)


def _first(wrong: Iterable[str | bool]) -> str | bool:
    return next((reason for reason in wrong if reason), False)


TEXTS = each(TEXT)
