"""The tables of a scheme as the text of a TOML file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["Table", "scheme_text"]

Table = dict[str, Any]


def scheme_text(tables: Mapping[str, Any]) -> str:
    """Return the text of a TOML file: keys, then tables, with lists of rules a line each."""
    lines = [_entry(key, value) for key, value in tables.items() if isinstance(value, str)]
    for name, table in tables.items():
        if isinstance(table, str):
            continue
        plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
        if plain or name == "choices":
            lines += ["", f"[{name}]", *(_entry(key, value) for key, value in plain.items())]
        for key, value in table.items():
            if isinstance(value, dict):
                lines += ["", f"[{name}.{key}]"]
                lines += [_entry(inner, entry) for inner, entry in value.items()]
    return "\n".join([*lines, ""])


def _entry(key: str, value: Any) -> str:
    name = key if key.isidentifier() and key.isascii() else json.dumps(key, ensure_ascii=False)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "\n".join([f"{name} = [", *(f"  {_value(one)}," for one in value), "]"])
    return f"{name} = {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_value(one)}' for key, one in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False)
