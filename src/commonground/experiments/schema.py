"""Recipes as a JSON schema, by which editors complete and check them while they are written."""

from __future__ import annotations

from typing import Any

from commonground.experiments.steps import KINDS
from commonground.experiments.steps.kind import StepKind
from commonground.experiments.steps.values import Value

__all__ = ["recipe_schema"]

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_OF_AXES: Schema = {"type": "string", "pattern": r"\{\w+(\.\w+)?\}"}
_SCALAR: Schema = {"type": ["string", "number", "boolean"]}


def recipe_schema() -> Schema:
    """Return the schema of recipes (JSON Schema, draft 2020-12).

    >>> schema = recipe_schema()
    >>> schema["required"], sorted(schema["properties"])
    (['title', 'steps'], ['figures', 'inputs', 'matrix', 'paper', 'steps', 'tables', 'title'])
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Recipe of a Common Ground experiment",
        "type": "object",
        "properties": {
            "title": _TEXT,
            "paper": _TEXT,
            "inputs": {"type": "object", "additionalProperties": _TEXT},
            "matrix": {"type": "object", "additionalProperties": _axis()},
            "steps": {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {"oneOf": [_step(kind) for kind in KINDS.values()]},
            },
            "tables": {"type": "array", "items": _table()},
            "figures": {"type": "array", "items": _figure()},
        },
        "required": ["title", "steps"],
        "additionalProperties": False,
    }


def _axis() -> Schema:
    """Return that of an axis: a list of values, or a table of what each says of itself."""
    values = {"type": "array", "items": _SCALAR, "minItems": 1, "uniqueItems": True}
    said = {"type": "object", "additionalProperties": {"type": "object"}, "minProperties": 1}
    return {"oneOf": [values, said]}


def _step(kind: StepKind) -> Schema:
    return {
        "title": kind.title,
        "type": "object",
        "properties": {
            "do": {"const": kind.name},
            "gather": _TEXTS,
            "where": {"type": "object", "additionalProperties": {"type": "array"}},
            **{name: {"description": "an input or a step"} for name in kind.taken},
            **{name: _value(each) for name, each in kind.options.items()},
        },
        "required": ["do", *kind.required],
        "additionalProperties": False,
    }


def _value(value: Value) -> Schema:
    """Return that of a value of a step, which may be that of an axis."""
    return {"description": value.wanted, "anyOf": [dict(value.schema), _OF_AXES]}


def _table() -> Schema:
    return _shown(
        {
            "caption": _TEXT,
            "rows": _TEXTS,
            "columns": _TEXTS,
            "values": {"type": "object", "additionalProperties": _place()},
            "best": {"enum": ["row", "column", ""]},
        }
    )


def _place() -> Schema:
    """Return that of a value of a table: where it stands, and how it is shown."""
    shown = {"of": _TEXT, "times": {"type": "number"}, "decimals": {"type": "integer"}}
    table = {"type": "object", "properties": shown, "required": ["of"]}
    return {"oneOf": [_TEXT, {**table, "additionalProperties": False}]}


def _figure() -> Schema:
    return {**_shown({"kind": _TEXT}, "kind"), "additionalProperties": False}


def _shown(properties: Schema, *required: str) -> Schema:
    """Return that of what a recipe shows of a step: it has a name, which becomes that of a file."""
    name = {"type": "string", "pattern": r"^[\w.-]+$"}
    return {
        "type": "object",
        "properties": {"name": name, "of": _TEXT, "title": _TEXT, **properties},
        "required": ["name", "of", *required],
    }
