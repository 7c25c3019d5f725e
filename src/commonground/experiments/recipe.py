r"""Recipes: what a study consists of, as a TOML file.

    title = "Parsers across schemes"
    paper = "where the study comes from"

    [inputs]                      # files, folders or patterns; others can be given on a run
    train = "example:ptb"

    [matrix]                      # axes: what varies
    scheme = ["lth", "conll07"]
    parser = { malt = { settings = "fast" }, mst = { settings = "slow" } }  # {parser.settings}
    system = ["{parser}", "{parser}/gold"]  # an axis in braces: all of its values

    [steps.gold]                  # a step says what it does, and to what
    do = "convert"
    of = "train"
    rules = "lth"
    scheme = "{scheme}"           # so it is done for each scheme

    [steps.all]
    do = "compare"
    gather = ["scheme", "parser"] # one step over all values of these axes
    where = { scheme = ["lth"] }  # or only over some
    systems = { "{scheme} {parser}" = ["gold", "parse"] }

    [[tables]]
    name = "schemes"
    of = "all"

    [[figures]]                   # plots of the results of a step
    name = "agreement"
    of = "all"
    kind = "agreement"

A name in braces is the value of an axis, and ``{axis.name}`` what that value says of itself. What a
step takes from others it names: an input or another step. Unknown names, steps in a circle and
values that make no sense are refused with their line.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NoReturn

from commonground.errors import (
    CommonGroundError,
    InputError,
    UsageError,
    nearest,
    quoted,
    utf8,
)
from commonground.formats.notation.toml import parse_toml
from commonground.formats.storage.files import read_bytes, shown
from commonground.plugins import Plugin, plugins

__all__ = [
    "FigureOf",
    "Place",
    "Recipe",
    "Step",
    "TableOf",
    "find_recipe",
    "is_bundled",
    "parser_axis",
    "read_recipe",
    "recipe_names",
    "recipe_plugins",
    "with_choices",
]

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a recipe: what it does, over which axes it gathers, and its own values.

    With `where`, only some values of an axis are gathered. `lines` are those of its values.
    """

    name: str
    do: str
    gather: tuple[str, ...] = ()
    where: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    line: int = 0
    lines: Mapping[str, int] = field(default_factory=dict)

    def line_of(self, name: str) -> int:
        """Return the line of a value, or that of the step where it cannot be told."""
        return self.lines.get(name) or self.line


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value of a table stands in a result's JSON, and how it is shown.

    Shares are shown in per cent, that is, `times` 100.
    """

    of: str
    times: float = 100
    decimals: int = 2


@dataclass(frozen=True, slots=True)
class TableOf:
    """A table of a recipe.

    The tables of a result are taken as they are (`of` a step). With `rows` and `columns` (axes),
    it is put together from the `values` (a title each, and where it stands in the result's JSON) of
    that step, or of another one (``step:place``), for all values of these axes. In a place, a name
    in braces is the value of an axis here, too. Where a mean and a standard deviation stand in a
    place, both are shown; a text is shown as it is. `best` says of what the greatest is bold: of
    each ``row``, of each ``column``, or of nothing (the empty text).
    """

    name: str
    of: str
    title: str = ""
    caption: str = ""
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    values: Mapping[str, Place] = field(default_factory=dict)
    best: Literal["row", "column", ""] = "row"
    line: int = 0


@dataclass(frozen=True, slots=True)
class FigureOf:
    """A figure of a recipe: which `kind` of plot is drawn of each result of a step."""

    name: str
    of: str
    kind: str
    title: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Recipe:
    """A study: its inputs, the axes of its matrix, its steps, its tables and its figures.

    `said` is what the values of axes say of themselves. `original` is the text before other values
    were chosen for its axes.
    """

    path: str
    title: str
    paper: str = ""
    inputs: Mapping[str, str] = field(default_factory=dict)
    matrix: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)
    said: Mapping[tuple[str, Scalar], Mapping[str, Any]] = field(default_factory=dict)
    steps: Mapping[str, Step] = field(default_factory=dict)
    tables: tuple[TableOf, ...] = ()
    figures: tuple[FigureOf, ...] = ()
    text: str = ""
    original: str = ""


# ── the recipes that come along ──────────────────────────────────────────────────────────────────


def recipe_names() -> list[str]:
    """Return the names of the recipes that come along, and of those that other packages add."""
    return [*_bundled_names(), *(plugin.name for plugin in recipe_plugins())]


def recipe_plugins() -> tuple[Plugin, ...]:
    """Return the recipes that other packages add."""
    return plugins("recipes", _refusal, _bundled_names())


def _refusal(plugin: Plugin) -> str:
    """Say why something is no recipe that can be added."""
    try:
        read_recipe(plugin.value)
    except (CommonGroundError, OSError, TypeError) as error:
        return str(error)
    return ""


def _bundled_names() -> list[str]:
    folder = files("commonground.experiments") / "recipes"
    names = (entry.name for entry in folder.iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def find_recipe(name: str | os.PathLike[str]) -> Recipe:
    """Return a recipe that comes along or that a package adds, by its name, or that of a file."""
    text = os.fspath(name)
    if text in _bundled_names():
        path = files("commonground.experiments") / "recipes" / f"{text}.toml"
        return recipe_of(path.read_text(encoding="utf-8"), text)
    for plugin in recipe_plugins():
        if plugin.name == text:
            return read_recipe(plugin.value)
    if not Path(text).is_file():
        known = recipe_names()
        raise UsageError(
            f"{text} is not a file, and not a bundled recipe; there are {', '.join(known)}"
            + nearest(text, known)
        )
    return read_recipe(name)


def is_bundled(recipe: Recipe) -> bool:
    """Tell whether a recipe is one that comes along, and not a file of the same name.

    One whose axes the user has chosen still is: what it runs, the user has named.
    """
    text = recipe.original or recipe.text
    return recipe.path in recipe_names() and find_recipe(recipe.path).text == text


def read_recipe(path: str | os.PathLike[str]) -> Recipe:
    """Read a recipe from a file."""
    return recipe_of(utf8(read_bytes(path), shown(path)), shown(path))


def with_choices(recipe: Recipe, choices: Mapping[str, Sequence[str]]) -> Recipe:
    """Return a recipe with other values on some of its axes: other parsers, or other schemes.

    Of an axis whose values say things of themselves, only some of them can be chosen; inputs that
    nothing takes then are not needed.

    An axis can be called by its name alone, or after that of the recipe (``demo.parser``). The text
    of the recipe changes with it, so that a study can be resumed and handed on.

    >>> chosen = with_choices(find_recipe("tsarfaty-2012"), {"dependency": ["malt", "mstparser"]})
    >>> chosen.matrix["system"]
    ('malt', 'mstparser', 'pcfg', 'spans')
    """
    text = recipe.text
    for name, values in choices.items():
        axis = name.removeprefix(f"{Path(recipe.path).name.removesuffix('.toml')}.")
        if axis not in recipe.matrix:
            known = ", ".join(recipe.matrix) or "none"
            raise UsageError(f"the recipe has no axis {quoted(axis)}; it has {known}")
        reader = _RecipeReader(recipe.path, text)
        if reader.line_of(f"matrix.{axis}"):
            text = _with_some(reader, axis, values, recipe.matrix[axis])
            continue
        line = reader.line_of("matrix", axis)
        lines = text.split("\n")
        old = lines[line - 1].partition("=")[2].strip()
        if not line or not old.startswith("[") or "]" not in old:
            raise UsageError(
                f"the values of {axis} say things of themselves; choose them in the recipe's text"
            )
        lines[line - 1] = f"{axis} = [{', '.join(map(_toml_value, values))}]"
        text = "\n".join(lines)
    changed = recipe_of(text, recipe.path)
    return replace(changed, original=recipe.original or recipe.text)


def _with_some(
    reader: _RecipeReader, axis: str, values: Sequence[str], known: Sequence[Scalar]
) -> str:
    """Return the text of a recipe with only some of the values that an axis describes, a line each.

    >>> chosen = with_choices(find_recipe("cross-language"), {"language": ["Dutch", "Greek"]})
    >>> chosen.matrix["language"], list(chosen.inputs)
    (('Dutch', 'Greek'), ['nl', 'el'])
    """
    for value in values:
        if value not in known:
            there = ", ".join(map(str, known))
            raise UsageError(f"the axis {axis} has no value {quoted(value)}; it has {there}")
    dropped = {reader.line_of(f"matrix.{axis}", str(v)) for v in known if v not in values}
    kept = [line for number, line in enumerate(reader.lines, 1) if number not in dropped]
    text = "\n".join(kept)
    unused = [
        name
        for name in recipe_of(text, reader.path).inputs
        if re.search(rf'"{re.escape(name)}"', "\n".join(reader.lines)) and f'"{name}"' not in text
    ]
    again = _RecipeReader(reader.path, text)
    gone = {again.line_of("inputs", name) for name in unused}
    return "\n".join(line for number, line in enumerate(kept, 1) if number not in gone)


def parser_axis(recipe: Recipe) -> str:
    """Return the axis that names the parsers of a recipe, if there is only one.

    >>> parser_axis(find_recipe("tsarfaty-2011"))
    'parser'
    """
    named = [str(step.values.get("parser", "")) for step in recipe.steps.values()]
    axes = [axis for axis in recipe.matrix if any(f"{{{axis}" in text for text in named)]
    if len(axes) != 1:
        known = " and ".join(axes) or "none"
        raise UsageError(f"the axes of parsers in this recipe are {known}; write AXIS=NAME")
    return axes[0]


def _toml_value(text: str) -> str:
    """Return how TOML writes a value: numbers, true and false as they are, all else quoted."""
    if re.fullmatch(r"-?\d+(\.\d+)?|true|false", text):
        return text
    return json.dumps(text, ensure_ascii=False)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def recipe_of(text: str, path: str) -> Recipe:
    """Return the recipe that a text describes."""
    return _RecipeReader(path, text).recipe(parse_toml(text, path))


_PARTS = ("title", "paper", "inputs", "matrix", "steps", "tables", "figures")


class _RecipeReader:
    """The file that is read: it knows where its lines are, and refuses what makes no sense."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.lines, self.text = path, text.split("\n"), text

    def refuse(self, line: int, message: str) -> NoReturn:
        raise InputError(self.path, line, message)

    def line_of(self, header: str, key: str = "") -> int:
        """Return the line of a table, or of a key in it; 0 where it cannot be told."""
        at = 0
        for number, line in enumerate(self.lines, 1):
            bare = line.strip()
            if bare.startswith("["):
                at = number if bare.partition("#")[0].strip("[] ") == header else 0
                if at and not key:
                    return number
            elif (at or not header) and key and re.match(rf'"?{re.escape(key)}"?\s*=', bare):
                return number
        return 0

    def recipe(self, data: dict[str, Any]) -> Recipe:
        self._only(data, "", _PARTS)
        for key in ("title", "paper"):
            if not isinstance(data.get(key, ""), str):
                self.refuse(self.line_of("", key), f"{key} must be a text")
        if not data.get("title"):
            self.refuse(1, "a recipe needs a title")
        steps = self._table(data, "steps")
        if not steps:
            self.refuse(1, "a recipe needs steps: [steps.NAME]")
        return Recipe(
            self.path,
            data["title"],
            data.get("paper", ""),
            self._inputs(self._table(data, "inputs")),
            self._matrix(self._table(data, "matrix")),
            self._said(self._table(data, "matrix")),
            {name: self._step(name, values) for name, values in steps.items()},
            self._tables(data.get("tables", []), steps),
            self._figures(data.get("figures", []), steps),
            self.text,
        )

    def _only(self, data: Mapping[str, Any], header: str, known: tuple[str, ...]) -> None:
        for key in data:
            if key not in known:
                line = self.line_of(header, key) or self.line_of(key)
                self.refuse(line, f"{quoted(key)} is unknown here; there are {', '.join(known)}")

    def _table(self, data: Mapping[str, Any], name: str) -> dict[str, Any]:
        table = data.get(name, {})
        if not isinstance(table, dict):
            self.refuse(self.line_of("", name), f"{name} must be a table, [{name}]")
        return table

    def _inputs(self, data: Mapping[str, Any]) -> dict[str, str]:
        for name, value in data.items():
            if not isinstance(value, str):
                self.refuse(self.line_of("inputs", name), f"the input {name} must be a path")
        return dict(data)

    def _matrix(self, data: Mapping[str, Any]) -> dict[str, tuple[Scalar, ...]]:
        for name, values in data.items():
            good = isinstance(values, list | dict) and values
            if not good or not all(isinstance(value, Scalar) for value in values):
                line = self.line_of("matrix", name)
                self.refuse(line, f"the axis {name} must be a list of texts or numbers")
            if len(set(map(str, values))) < len(values):
                self.refuse(self.line_of("matrix", name), f"the axis {name} has a value twice")
        axes = {name: tuple(values) for name, values in data.items()}
        return {name: self._spread(name, values, axes) for name, values in axes.items()}

    def _spread(
        self, axis: str, values: tuple[Scalar, ...], axes: Mapping[str, tuple[Scalar, ...]]
    ) -> tuple[Scalar, ...]:
        """Return the values of an axis, with all of another's where that stands in braces."""
        spread: list[Scalar] = []
        for value in values:
            if not isinstance(value, str) or not (inside := re.findall(r"\{(\w+)\}", value)):
                spread.append(value)
                continue
            line = self.line_of("matrix", axis)
            if len(inside) > 1 or inside[0] == axis or inside[0] not in axes:
                self.refuse(line, f"{quoted(value)} must name one other axis of [matrix]")
            if any("{" in str(other) for other in axes[inside[0]]):
                self.refuse(line, f"{quoted(value)} names an axis that names another one itself")
            spread += [value.replace(f"{{{inside[0]}}}", str(each)) for each in axes[inside[0]]]
        return tuple(dict.fromkeys(spread))

    def _said(self, data: Mapping[str, Any]) -> dict[tuple[str, Scalar], Mapping[str, Any]]:
        said: dict[tuple[str, Scalar], Mapping[str, Any]] = {}
        for axis, values in data.items():
            for name, each in values.items() if isinstance(values, dict) else ():
                if not isinstance(each, dict):
                    line = self.line_of("matrix", axis) or self.line_of(f"matrix.{axis}")
                    self.refuse(line, f"what {axis} {name} says of itself must be a table")
                said[axis, name] = each
        return said

    def _step(self, name: str, values: Any) -> Step:
        line = self.line_of(f"steps.{name}") or self.line_of("steps", name)
        if not isinstance(values, dict):
            self.refuse(line, f"the step {name} must be a table, [steps.{name}]")
        rest = dict(values)
        do, gather, where = rest.pop("do", None), rest.pop("gather", []), rest.pop("where", {})
        if not isinstance(do, str):
            self.refuse(line, f"the step {name} does not say what it does: do = …")
        if not isinstance(gather, list) or not all(isinstance(axis, str) for axis in gather):
            self.refuse(line, f"gather of the step {name} must be a list of axes")
        if not isinstance(where, dict) or not all(isinstance(v, list) for v in where.values()):
            self.refuse(line, f"where of the step {name} must be a table of lists")
        lines = {key: self.line_of(f"steps.{name}", key) for key in values}
        chosen = {a: tuple(v) for a, v in where.items()}
        return Step(name, do, tuple(gather), chosen, rest, line, lines)

    def _tables(self, data: Any, steps: Mapping[str, Any]) -> tuple[TableOf, ...]:
        if not isinstance(data, list) or not all(isinstance(each, dict) for each in data):
            self.refuse(self.line_of("tables"), "tables are [[tables]]")
        return tuple(self._one_table(each, steps) for each in data)

    def _one_table(self, data: dict[str, Any], steps: Mapping[str, Any]) -> TableOf:
        line = self.line_of("tables")
        known = ("name", "of", "title", "caption", "rows", "columns", "values", "best")
        self._only(data, "tables", known)
        self._of_a_step("table", data, steps, line)
        if data.get("best", "row") not in ("row", "column", ""):
            self.refuse(line, f"best of the table {data['name']} must be 'row', 'column' or ''")
        for key in ("rows", "columns"):
            axes = data.get(key, [])
            if not isinstance(axes, list) or not all(isinstance(axis, str) for axis in axes):
                self.refuse(line, f"{key} of the table {data['name']} must be a list of axes")
        given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        values = data.get("values", {})
        if not isinstance(values, dict):
            self.refuse(line, f"values of the table {data['name']} must be a table")
        places = {title: self._place(title, place, line) for title, place in values.items()}
        return TableOf(**{**given, "values": places}, line=line)

    def _place(self, title: str, data: Any, line: int) -> Place:
        given = {"of": data} if isinstance(data, str) else data
        kinds = {"of": str, "times": int | float, "decimals": int}
        good = isinstance(given, dict) and "of" in given and set(given) <= set(kinds)
        if not good or not all(isinstance(each, kinds[key]) for key, each in given.items()):
            message = "must be a place in a result, or { of = PLACE, times = 1, decimals = 2 }"
            self.refuse(line, f"the value {quoted(title)} {message}")
        return Place(**given)

    def _figures(self, data: Any, steps: Mapping[str, Any]) -> tuple[FigureOf, ...]:
        line = self.line_of("figures")
        if not isinstance(data, list) or not all(isinstance(each, dict) for each in data):
            self.refuse(line, "figures are [[figures]]")
        for each in data:
            self._only(each, "figures", ("name", "of", "kind", "title"))
            self._of_a_step("figure", each, steps, line)
            if not isinstance(each.get("kind"), str):
                self.refuse(line, f"the figure {each['name']} needs a kind of plot: kind = …")
        return tuple(FigureOf(**each, line=line) for each in data)

    def _of_a_step(
        self, what: str, data: Mapping[str, Any], steps: Mapping[str, Any], line: int
    ) -> None:
        """Refuse a table or figure that has no name, or is of no step."""
        if not isinstance(data.get("name"), str) or not re.fullmatch(r"[\w.-]+", data["name"]):
            self.refuse(line, f"a {what} needs a name of letters, digits, '-' and '.'")
        if not isinstance(data.get("of"), str) or data["of"] not in steps:
            known = ", ".join(steps)
            self.refuse(line, f"the {what} {data['name']} is of no step; there are {known}")
        for key in ("title", "caption"):
            if not isinstance(data.get(key, ""), str):
                self.refuse(line, f"{key} of the {what} {data['name']} must be a text")
