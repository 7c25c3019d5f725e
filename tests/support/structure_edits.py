"""Damage to what JSON and TOML say, not to how it is written: values, names and places.

Bytes that are damaged at random seldom leave a file of these kinds one that can be parsed; here, it
always is, and what reads the values has to refuse them.
"""

from __future__ import annotations

import contextlib
import json
import re
import tomllib

_ODD = (
    0,
    -1,
    1,
    2**40,
    1e300,
    0.5,
    True,
    "",
    "x",
    "x.y",
    "{x}",
    [],
    {},
    [[]],
    [{}],
    {"x": {}},
    [1],
)
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+")


def edit_structure(data: bytearray, random) -> bool:
    """Damage a file in place, if it is an object in JSON or TOML; tell whether it is."""
    parsed = _parsed(bytes(data))
    if parsed is None:
        return False
    result, write = parsed
    places = list(_places(result))
    if not places:
        return False
    holder, key = random.choice(places)
    random.choice(_EDITS)(holder, key, random, places)
    data[:] = write(result).encode()
    return True


def _parsed(data):
    with contextlib.suppress(ValueError, RecursionError):
        result = json.loads(data)
        return (result, json.dumps) if isinstance(result, dict) else None
    with contextlib.suppress(ValueError, RecursionError):
        return tomllib.loads(data.decode()), toml
    return None


def _places(value):
    """Return all places of a structure: what holds them, and by which name or number."""
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
            yield holder, key
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])


def _odd(holder, key, random, _):
    holder[key] = random.choice(_ODD)


def _other(holder, key, random, places):
    """Put a copy of what stands in another place here."""
    there, name = random.choice(places)
    holder[key] = json.loads(json.dumps(there[name], default=str))


def _remove(holder, key, *_):
    del holder[key]


def _rename(holder, key, random, places):
    """Give a value another name, often one that the file has elsewhere."""
    if isinstance(holder, dict):
        names = [name for _, name in places if isinstance(name, str)]
        holder[random.choice([f"{key}x", *random.choices(names, k=3)])] = holder.pop(key)
    else:
        holder.insert(random.randrange(len(holder)), holder.pop(key))


def _wrap(holder, key, random, _):
    """Put a value into a list or a table, or take it out of one."""
    value = holder[key]
    inside = list(value.values()) if isinstance(value, dict) else value
    if isinstance(inside, list) and inside and random.random() < 0.5:
        holder[key] = random.choice(inside)
    else:
        holder[key] = random.choice([[value], {"x": value}, [value, value]])


def _as_text(holder, key, *_):
    holder[key] = str(holder[key])


_EDITS = (_odd, _odd, _other, _other, _remove, _rename, _rename, _wrap, _as_text)


# ── TOML ─────────────────────────────────────────────────────────────────────────────────────────


def toml(data: dict) -> str:
    """Return a structure as TOML, tables under headers of their own.

    >>> print(toml({"a": 1, "b": {"c": ["x"], "d": {"e": True}}}), end="")
    a = 1
    [b]
    c = ["x"]
    d = {e = true}
    """
    single = [f"{_key(k)} = {_inline(v)}\n" for k, v in data.items() if not isinstance(v, dict)]
    tables = [_table(k, v) for k, v in data.items() if isinstance(v, dict)]
    return "".join([*single, *tables])


def _table(name, values):
    lines = [f"{_key(key)} = {_inline(value)}\n" for key, value in values.items()]
    return f"[{_key(name)}]\n" + "".join(lines)


def _key(name):
    return name if _PLAIN_KEY.fullmatch(name) else json.dumps(name)


def _inline(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)} = {_inline(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return str(value) if isinstance(value, float) else json.dumps(value, default=str)
