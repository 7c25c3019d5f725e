"""Head rules: which child of a phrase is its head, as tables.

A rule is an ordered list of choices. A choice is a direction and a set of labels: ``r NN NNS`` is
the first child from the right that is an NN or NNS. The first choice for which there is a child
decides; a direction without labels (or with ``*``) takes any child, one that is no punctuation if
there is one. In the notation of Penn2Malt's head rule files, the choices of a category are joined
by semicolons::

    VP	l VBD;l VBN;l MD;l VBZ;l VB;l VBG;l VBP;l VP;l

Beyond Penn2Malt, a label can ask for functions: ``NP-`` is an NP without any (``*-`` any child
without any), ``-PRD`` is whatever has the function PRD.

The tables of the literature are TOML files beside this module; a file of one's own is either such
a TOML file or one in Penn2Malt's format. In a TOML file, a rule can leave a construction to the
scheme: ``{adposition}`` stands for what ``[ways.adposition]`` has for the scheme's choice.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from commonground.errors import InputError, UsageError, quoted, utf8
from commonground.formats.notation.toml import parse_toml
from commonground.formats.storage.files import read_bytes, shown
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.scheme import Scheme

__all__ = ["ChildChoice", "HeadRules", "find_rules", "read_rules", "rule_names"]


@dataclass(frozen=True, slots=True)
class ChildChoice:
    """Look for the first child with one of some labels, from the left or from the right."""

    leftmost: bool
    labels: frozenset[str]

    @property
    def anything(self) -> bool:
        """Whether any child will do."""
        return not self.labels or "*" in self.labels

    def takes(self, category: str, function: str) -> bool:
        """Tell whether a child with this category and these functions will do.

        >>> ChildChoice(True, frozenset(["NP-", "-PRD"])).takes("NP", "")
        True
        >>> ChildChoice(True, frozenset(["NP-", "-PRD"])).takes("NP", "SBJ")
        False
        >>> ChildChoice(True, frozenset(["NP-", "-PRD"])).takes("PP", "LOC-PRD")
        True
        """
        if self.anything or category in self.labels:
            return True
        if not function:
            return f"{category}-" in self.labels or "*-" in self.labels
        return any(f"-{part}" in self.labels for part in function.split("-"))


@dataclass(frozen=True, slots=True)
class HeadRules:
    """A table of head rules.

    `heads` has the choices of each category; a category without a rule is headed by its first
    child (`leftmost_default`) or its last one. With `first_conjunct`, a head that follows a
    conjunction gives way to the conjunct before the conjunction (Collins 1999). With `functions`,
    arcs are labelled with the functions of phrases, and not as Penn2Malt labels them.
    """

    name: str
    title: str
    heads: Mapping[str, tuple[ChildChoice, ...]] = field(repr=False)
    leftmost_default: bool = True
    first_conjunct: bool = False
    functions: bool = False

    def choices(self, category: str) -> tuple[ChildChoice, ...]:
        """Return the choices of a category, in the end one that takes anything.

        >>> [sorted(choice.labels) for choice in find_rules("yamada").choices("PRT")]
        [['RP'], []]
        """
        rule = self.heads.get(category, ())
        if rule and rule[-1].anything:
            return rule
        leftmost = rule[-1].leftmost if rule else self.leftmost_default
        return (*rule, ChildChoice(leftmost, frozenset()))


def rule_names() -> list[str]:
    """Return the names of the tables that come with the package."""
    folder = files("commonground.conversion") / "rules"
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    )


def find_rules(name: str | os.PathLike[str], scheme: Scheme | None = None) -> HeadRules:
    """Return a table by its name or its file; `scheme` makes the choices that it leaves open.

    >>> find_rules("collins").title
    'Collins 1999'
    >>> lexical = Scheme("mine", choices={"adposition": "content"})
    >>> find_rules("lth", lexical).choices("PP")[-1].leftmost
    False
    """
    if os.fspath(name) in rule_names():
        return _own(os.fspath(name), scheme)
    if not Path(name).exists():
        raise UsageError(
            f"there are no head rules {quoted(os.fspath(name))}; the tables are "
            f"{', '.join(rule_names())}, and your own file is given by its path"
        )
    return read_rules(read_bytes(name), shown(name), scheme)


def _own(name: str, scheme: Scheme | None) -> HeadRules:
    path = files("commonground.conversion") / "rules" / f"{name}.toml"
    return _from_toml(path.read_text(encoding="utf-8"), name, scheme)


def read_rules(data: bytes, path: str, scheme: Scheme | None = None) -> HeadRules:
    r"""Read a table of head rules: TOML, or a file in the format of Penn2Malt.

    >>> read_rules(b"PP\tl IN;l TO\n", "mine.txt").heads["PP"][0].leftmost
    True
    """
    text = utf8(data, path)
    if path.endswith(".toml"):
        return _from_toml(text, path, scheme)
    heads: dict[str, tuple[ChildChoice, ...]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        category, tab, rule = line.strip().partition("\t")
        if not tab:
            category, _, rule = line.strip().partition(" ")
        if category in heads:
            raise InputError(path, number, f"a second rule for {quoted(category)}; one is expected")
        heads[category] = _rule(rule, path, number)
    if not heads:
        raise InputError(path, 0, "no rules; a line such as 'PP<TAB>l IN;l TO' is expected")
    return HeadRules(path, path, heads)


_DIRECTIONS = {"l": True, "r": False}
_BRACES = re.compile(r"\{([^{}]*)\}")


def _rule(text: str, path: str, line: int) -> tuple[ChildChoice, ...]:
    choices = []
    for part in text.strip().removesuffix(";").split(";"):
        direction, *labels = part.split() or [""]
        if direction not in _DIRECTIONS:
            raise InputError(
                path,
                line,
                f"{quoted(direction)} is not a direction; 'l NN NNS' or 'r NN NNS' is right",
            )
        choices.append(ChildChoice(_DIRECTIONS[direction], frozenset(labels)))
    return tuple(choices)


def _from_toml(text: str, path: str, scheme: Scheme | None) -> HeadRules:
    table = parse_toml(text, path)
    rules = table.get("heads")
    if not isinstance(rules, dict) or not rules:
        raise InputError(path, 0, "there is no table [heads]; write a rule as PP = 'l IN;l TO'")
    heads = {}
    for categories, rule in rules.items():
        if not isinstance(rule, str):
            raise InputError(path, 0, f"the rule of {quoted(categories)} is not text: 'l IN;l TO'")
        whole = _BRACES.sub(lambda match: _way(match[1], table, scheme, path), rule)
        heads.update(dict.fromkeys(categories.split(), _rule(whole, path, 0)))
    return HeadRules(
        path,
        str(table.get("title", path)),
        heads,
        _one_of(table, "default", ("l", "r"), path) == "l",
        _one_of(table, "coordination", ("rule", "first"), path) == "first",
        _one_of(table, "labels", ("penn2malt", "functions"), path) == "functions",
    )


def _way(construction: str, table: dict[str, Any], scheme: Scheme | None, path: str) -> str:
    """Return the part of a rule that the choice for a construction gives."""
    all_ways = table.get("ways", {})
    ways = all_ways.get(construction, {}) if isinstance(all_ways, dict) else {}
    if not isinstance(ways, dict):
        raise InputError(path, 0, f"[ways.{construction}] is not a table of ways and their rules")
    way = scheme.way(construction) if scheme is not None and construction in CONSTRUCTIONS else ""
    if scheme is None and ways:
        way = next(iter(ways))
    if not isinstance(ways.get(way), str):
        raise InputError(
            path, 0, f"[ways.{construction}] has no {quoted(way)}, which the scheme asks for"
        )
    return str(ways[way])


def _one_of(table: dict[str, Any], key: str, values: tuple[str, str], path: str) -> str:
    value = table.get(key, values[0])
    if value not in values:
        raise InputError(path, 0, f"{key} is {quoted(str(value))}; it is {' or '.join(values)}")
    return str(value)
