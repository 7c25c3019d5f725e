r"""Mappings: which relations of a parser count as a target's dependency, as TOML files.

    name = "cc"
    title = "C&C grammatical relations"
    status = "from the manual"            # or "run on real output"
    corpora = ["relations"]               # what it is for
    print = "gr"                          # how relations are printed, see printing.py

    [absol.ARG1]                          # a phenomenon and a type
    expressions = ['\(ncsubj \W*{W1}\W*_(\d+) \W*{W2}\W*_(\d+) _\)']
    patterns = ["W1 -[ncsubj]-> W2"]      # the same as a pattern over the graph
    inexpressible = "why the scheme cannot tell it, where it cannot"

    [any.ARG1]                            # for phenomena that have no table of their own

Further keys: ``lemmas = true`` where nodes read as lemmas, ``through = "stanford"`` for trees that
are converted first, ``like = "stanford"`` for a mapping with the rules of another one,
``enhance = "ud"`` for the rules that add what such trees leave out, and ``recovered`` for the
mapping that is used after them.

Expressions are searched for in printed relations; {W1} and {W2} are the words of head and
dependent, and a group after a word is its position. Patterns bind nodes W1 and W2. A mapping speaks
of labels, never of words.
"""

from __future__ import annotations

import os
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NoReturn

from commonground.conversion.enhancement import ENHANCEMENTS
from commonground.errors import CommonGroundError, InputError, UsageError, quoted
from commonground.formats.notation.toml import parse_toml
from commonground.formats.storage.files import read_bytes, shown
from commonground.patterns import PatternError, parse_pattern
from commonground.phenomena.printing import PRINTERS
from commonground.plugins import Plugin, plugins

__all__ = [
    "ANYTHING",
    "Mapping",
    "MappingRules",
    "find_mapping",
    "mapping_names",
    "mapping_plugins",
]

ANYTHING = "any"
"""The table for phenomena that have none of their own."""

GENERALISED = "ANY"
"""The type of rules for dependencies with any head."""

_FOLDER = Path(__file__).parent / "mappings"
_STATUS = ("run on real output", "from the manual")
_CORPORA = ("dependencies", "constituents", "relations")
_HEAD = (
    "name", "title", "status", "corpora", "print", "lemmas", "through", "like", "enhance",
    "recovered",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MappingRules:
    """What counts as a dependency: expressions over printed relations, patterns over the graph."""

    expressions: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    inexpressible: str = ""

    def __len__(self) -> int:
        return len(self.expressions) + len(self.patterns)


@dataclass(frozen=True)
class Mapping:
    """A mapping: what it is for, how relations are printed, and rules by phenomenon and type.

    With `lemmas`, nodes have lemmas and no positions; `through` names the scheme that other trees
    are converted to first; `enhance` names rules that add what the trees leave out, `recovered` the
    mapping that is used after them.
    """

    name: str
    title: str
    status: str
    corpora: tuple[str, ...]
    print: str = "typed"
    lemmas: bool = False
    through: str = ""
    enhance: str = ""
    recovered: str = ""
    rules: Table[tuple[str, str], MappingRules] = field(default_factory=dict, repr=False)

    def of(self, phenomenon: str, kind: str) -> MappingRules:
        """Return the rules for a phenomenon and a type, or those for any phenomenon."""
        for key in ((phenomenon, kind), (phenomenon, GENERALISED), (ANYTHING, kind)):
            if key in self.rules:
                return self.rules[key]
        return MappingRules()

    def generalised(self, phenomenon: str) -> bool:
        """Tell whether the head of a negative target may be any word."""
        return (phenomenon, GENERALISED) in self.rules

    @property
    def size(self) -> int:
        """How many expressions and patterns there are."""
        return sum(map(len, self.rules.values()))


def mapping_names() -> list[str]:
    """Return the names of the mappings that come along, and of those that other packages add."""
    return [*_bundled_names(), *(plugin.name for plugin in mapping_plugins())]


def _bundled_names() -> list[str]:
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def mapping_plugins() -> tuple[Plugin, ...]:
    """Return the mappings that other packages add."""
    return plugins("mappings", _refusal, _bundled_names())


def _refusal(plugin: Plugin) -> str:
    """Say why something is no mapping that can be added."""
    if plugin.name != plugin.name.lower():
        return "names of mappings are in lower case"
    try:
        _added(plugin.value)
    except (CommonGroundError, OSError, TypeError) as error:
        return str(error)
    return ""


@lru_cache
def _added(path: str | os.PathLike[str]) -> Mapping:
    return read_mapping(path)


def find_mapping(name: str | os.PathLike[str], above: tuple[str, ...] = ()) -> Mapping:
    """Return a mapping by its name, or from the TOML file of that name.

    `above` are the files that are like it.

    >>> find_mapping("cc").title
    'C&C grammatical relations'
    """
    text = os.fspath(name)
    if text.lower() in _bundled_names():
        return _bundled(text.lower())
    for plugin in mapping_plugins():
        if plugin.name == text.lower():
            return _added(plugin.value)
    if text.endswith(".toml") or Path(text).is_file():
        return read_mapping(text, above)
    names = ", ".join(mapping_names())
    raise UsageError(f"there is no mapping {text!r}; there are {names}, or give a TOML file")


@lru_cache
def _bundled(name: str) -> Mapping:
    return read_mapping(_FOLDER / f"{name}.toml")


def read_mapping(path: str | os.PathLike[str], above: tuple[str, ...] = ()) -> Mapping:
    """Read a mapping; what makes no sense is an error with the file, the line and the reason.

    `above` are the files that are like this one.
    """
    file = _MappingFile(shown(path), _text(path))
    data = file.data
    for key in ("name", "title"):
        if not isinstance(data.get(key), str):
            file.refuse(key, f"it has no {key}")
    status = file.one_of("status", _STATUS[1], _STATUS)
    style = file.one_of("print", "typed", tuple(PRINTERS))
    through = file.text_of("through")
    corpora = data.get("corpora", ["dependencies", "relations"])
    if not isinstance(corpora, list) or not corpora or not all(e in _CORPORA for e in corpora):
        file.refuse("corpora", f"corpora is not a list of {', '.join(_CORPORA)}")
    lemmas = data.get("lemmas", False)
    if not isinstance(lemmas, bool):
        file.refuse("lemmas", "lemmas is true or false")
    rules = {
        (phenomenon, kind): _rules(file, f"{phenomenon}.{kind}", table)
        for phenomenon, tables in data.items()
        if phenomenon not in _HEAD
        for kind, table in file.table(phenomenon, tables).items()
    }
    if "like" in data:
        rules = {**_like(file, (*above, str(Path(path).resolve()))).rules, **rules}
    return Mapping(
        data["name"],
        data["title"],
        status,
        tuple(corpora),
        style,
        lemmas,
        through,
        "" if "enhance" not in data else file.one_of("enhance", "", ENHANCEMENTS),
        file.text_of("recovered"),
        rules,
    )


def _like(file: _MappingFile, above: tuple[str, ...]) -> Mapping:
    """Return the mapping that another one is like."""
    name = file.text_of("like")
    if name.lower() not in _bundled_names() and str(Path(name).resolve()) in above:
        file.refuse("like", "mappings that refer to each other in a circle")
    return find_mapping(name, above)


def _text(path: str | os.PathLike[str]) -> str:
    return read_bytes(path).decode("utf-8", "replace")


@dataclass(frozen=True)
class _MappingFile:
    path: str
    text: str

    @cached_property
    def data(self) -> dict[str, Any]:
        """What stands in it."""
        return parse_toml(self.text, self.path)

    def text_of(self, key: str, usual: str = "") -> str:
        """Return the text that a key has."""
        value = self.data.get(key, usual)
        if not isinstance(value, str):
            self.refuse(key, f"{key} is not a text")
        return str(value)

    def one_of(self, key: str, usual: str, known: tuple[str, ...]) -> str:
        """Return the text that a key has, which is a known one."""
        value = self.text_of(key, usual)
        if value not in known:
            self.refuse(key, f"{key} {quoted(value)}; one of {', '.join(known)}")
        return value

    def refuse(self, near: str, message: str) -> NoReturn:
        """Refuse the file, at the first line that has some text."""
        place = self.text.find(near)
        line = self.text.count("\n", 0, place) + 1 if place >= 0 else 0
        raise InputError(self.path, line, message)

    def table(self, name: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.refuse(name, f"{quoted(name)} is neither a table nor one of {', '.join(_HEAD)}")
        return dict(value)


def _rules(file: _MappingFile, name: str, value: Any) -> MappingRules:
    table = file.table(name, value)
    unknown = set(table) - {"expressions", "patterns", "inexpressible"}
    if unknown:
        file.refuse(
            f"[{name}]", f"[{name}] has {', '.join(sorted(unknown))}; expressions, patterns"
        )
    expressions, patterns = (_texts(file, name, table, key) for key in ("expressions", "patterns"))
    for expression in expressions:
        if "{W2}" not in expression:
            file.refuse(expression, f"{quoted(expression, 60)} has no {{W2}}, the dependent")
        if expression.count("(") < expression.count("\\("):
            file.refuse(expression, f"{quoted(expression, 60)} is not a regular expression")
    for pattern in patterns:
        try:
            named = parse_pattern(pattern).names
        except PatternError as error:
            file.refuse(pattern, str(error))
        if "W2" not in named or ("W1" not in named and not name.endswith(GENERALISED)):
            file.refuse(pattern, f"{quoted(pattern, 60)} has no nodes W1 and W2")
    return MappingRules(expressions, patterns, str(table.get("inexpressible", "")))


def _texts(file: _MappingFile, name: str, table: dict[str, Any], key: str) -> tuple[str, ...]:
    texts = table.get(key, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        file.refuse(f"[{name}]", f"[{name}] {key} is not a list of texts")
    return tuple(texts)
