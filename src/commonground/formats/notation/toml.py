"""TOML from files of strangers: schemes, recipes, mappings, patterns, costs, rules."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any

from commonground.errors import InputError

__all__ = ["parse_toml"]

_DEEPEST = 32
_TOO_DEEP = f"tables and lists are nested more than {_DEEPEST} deep; no file needs that"
_PLACE = re.compile(r"\s*\(at (?:line (\d+)|end).*\)$")


def parse_toml(text: str, path: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    r"""Return what TOML says, or refuse it with the line; `path` is the file for the message.

    >>> parse_toml("a = [1, 2]", "x.toml")
    {'a': [1, 2]}
    >>> parse_toml("a = 1\nb =", "x.toml")
    Traceback (most recent call last):
    commonground.errors.InputError: x.toml:2: not TOML: Invalid value
    """
    try:
        table = tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        last = text.rstrip("\n").count("\n") + 1
        line = 0 if place is None else int(place[1] or last)
        raise InputError(path, line, f"not TOML: {_PLACE.sub('', str(error))}") from error
    except RecursionError:
        raise InputError(path, 0, _TOO_DEEP) from None
    except ValueError as error:  # a number of too many digits
        raise InputError(path, 0, f"not TOML: {error}") from error
    if _deeper(table, _DEEPEST):
        raise InputError(path, 0, _TOO_DEEP)
    return table


def _deeper(table: dict[str, Any], most: int) -> bool:
    """Tell whether tables and lists are nested more than so many deep."""
    level: list[Any] = [table]
    for _ in range(most):
        level = [
            part
            for whole in level
            for part in (whole.values() if isinstance(whole, dict) else whole)
            if isinstance(part, dict | list)
        ]
        if not level:
            return False
    return True
