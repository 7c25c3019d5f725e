"""Models and recipes that are built, not damaged: right in structure and checksums, odd in sense."""

from __future__ import annotations

import json

import numpy as np

from commonground.experiments.steps import KINDS
from commonground.parsers.model_file import Stored, model_bytes
from commonground.parsers.registry import parser_names

_DTYPES = ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8")
_ARRAYS = ("w", "keys", "starts", "weights", "files", "values", "classes", "atoms", "parts")
_METADATA = (
    "labels",
    "tags",
    "settings",
    "members",
    "language",
    "method",
    "model",
    "program",
    "log",
)
_ODD = (0, -1, 3, 10**12, 0.5, "", "x", "ud", [], {}, ["a", "b"], {"a": "b"}, None, True, [[1]])

_INPUTS = ("example:ud", "example:ptb", "none", "", "/dev/null")
_AXES = ("[1, 2]", "[]", "[0.5]", "{ x = { y = 1 } }", '["x"]')


def built_model(random) -> bytes:
    """Return a model of known parsers with arrays and metadata of any kind."""
    inner = _stored(random, 0)
    about = {"tags": random.choice(["none", "gold", "predicted", "x"]), "encoding": "", "log": []}
    outer = random.choice([inner.parser, random.choice(parser_names())])
    parts = {"model": inner}
    if random.random() < 0.3:
        parts["tagger"] = _stored(random, 1, "tagger")
    return b"".join(model_bytes(Stored(outer, about, {}, parts)))


def _stored(random, depth, parser=""):
    rng = np.random.default_rng(random.randrange(1 << 30))
    name = parser or random.choice([*parser_names(), "tagger", "arc-eager", "mst"])
    arrays = {}
    for each in random.sample(_ARRAYS, random.randrange(5)):
        shape = random.choice([(0,), (1,), (7,), (4, 3), (16,), (2, 2, 2)])
        dtype = np.dtype(random.choice(_DTYPES))
        raw = rng.bytes(int(np.prod(shape)) * dtype.itemsize)
        arrays[each] = np.frombuffer(raw, dtype).reshape(shape)
    metadata = {each: random.choice(_ODD) for each in random.sample(_METADATA, 4)}
    parts = {}
    if depth < 2 and random.random() < 0.4:
        names = random.choice([["0", "1"], ["below"], ["tagger"], ["x"]])
        parts = {each: _stored(random, depth + 1) for each in names}
        metadata["members"] = len(parts)
    return Stored(name, metadata, arrays, parts)


def built_recipe(random) -> bytes:
    """Return a recipe of any steps, which take each other's outcomes, with any values."""
    names = [f"s{number}" for number in range(random.randrange(1, 6))]
    lines = [
        'title = "built"',
        "[inputs]",
        f"t = {json.dumps(random.choice(_INPUTS))}",
        "[matrix]",
        f"a = {random.choice(_AXES)}",
    ]
    for name in names:
        kind = random.choice(list(KINDS.values()))
        lines += [f"[steps.{name}]", f'do = "{kind.name}"']
        if random.random() < 0.2:
            lines.append('gather = ["a"]')
        for taken in kind.taken:
            if random.random() < 0.9:
                given = random.choice(["t", *names])
                lines.append(f"{taken} = {_given(given, random)}")
        for option in random.sample(sorted(kind.options), min(len(kind.options), 2)):
            lines.append(f"{option} = {_toml(random.choice([*_ODD, '{a}', '{a.y}']))}")
    lines += ["[[tables]]", 'name = "x"', f'of = "{random.choice(names)}"']
    return "\n".join(lines).encode() + b"\n"


def _given(name, random):
    return random.choice(
        [f'"{name}"', f'"{name}"', f'["{name}", "t"]', f'{{ x = "{name}" }}', f'{{ "{{a}}" = "{name}" }}',
         f'{{ x = ["{name}", "t"] }}']
    )  # fmt: skip


def _toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    return '""' if value is None else json.dumps(value)
