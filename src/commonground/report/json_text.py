"""JSON for people and programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["json_text"]


def json_text(data: Mapping[str, Any]) -> str:
    """Return data as JSON for people and programs: indented, in the order of its keys.

    A list of numbers or of texts stands on one line, however long it is.

    >>> print(json_text({"las": 0.5, "correct": [3, 1]}), end="")
    {
      "las": 0.5,
      "correct": [3, 1]
    }
    """
    return _json(data, "\n") + "\n"


def _json(value: Any, newline: str) -> str:
    """Return a value as JSON; `newline` is the end of a line and the indentation of the next."""
    deeper = newline + "  "
    if isinstance(value, Mapping) and value:
        parts = (f"{_json_text(str(key))}: {_json(each, deeper)}" for key, each in value.items())
        return f"{{{deeper}{f',{deeper}'.join(parts)}{newline}}}"
    if isinstance(value, list | tuple) and any(
        isinstance(v, Mapping | list | tuple) for v in value
    ):
        return f"[{deeper}{f',{deeper}'.join(_json(each, deeper) for each in value)}{newline}]"
    return _json_text(value)


def _json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
