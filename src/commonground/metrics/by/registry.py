"""All properties by name, for the tables of each kind of corpus."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from commonground.corpus import Corpus, Strings
from commonground.errors import UsageError
from commonground.metrics.by.pattern import PREFIX, pattern_properties
from commonground.metrics.by.property import Order, Property
from commonground.metrics.settings import Settings
from commonground.plugins import Plugin, plugins

__all__ = [
    "has_property",
    "names_of",
    "order_of",
    "properties_of",
    "property_name",
    "property_names",
    "property_of",
    "property_plugins",
    "property_title",
    "shared_by_sentence",
]

_NONE = frozenset({"property", "registry"})


def _all() -> tuple[Property, ...]:
    """Return all properties; those of sentences come last."""
    added = [plugin.value for plugin in property_plugins()]
    return tuple(sorted([*_own(), *added], key=lambda each: each.table == "sentences"))


def property_plugins() -> tuple[Plugin, ...]:
    """Return the properties that other packages add."""
    return plugins("properties", _refusal, {each.name for each in _own()} | {"file"})


def _refusal(plugin: Plugin) -> str:
    """Say why something is no property that can be added."""
    if not isinstance(plugin.value, Property):
        return f"it is of the type {type(plugin.value).__name__}, not Property"
    return ""


@cache
def _own() -> tuple[Property, ...]:
    """Return the properties of all modules of this package."""
    package = __name__.rpartition(".")[0]
    names = (module.name for module in pkgutil.iter_modules(import_module(package).__path__))
    modules = [import_module(f"{package}.{name}") for name in names if name not in _NONE]
    return tuple(each for module in modules for each in module.PROPERTIES)


def names_of() -> tuple[str, ...]:
    """Return the names of all properties.

    >>> "sentence-length" in names_of()
    True
    """
    return tuple(dict.fromkeys(each.name for each in _all()))


_ALSO = {"length": "sentence-length"}
"""Other names of properties."""


def property_name(name: str) -> str:
    """Return what a property is called that is written in any case, by its title or in short.

    >>> property_name("Deprel"), property_name("length"), property_name("distance to the head")
    ('deprel', 'sentence-length', 'distance')
    """
    plain = name.casefold().replace("_", "-")
    titles = {each.title.casefold(): each.name for each in _all()}
    known = {each.casefold(): each for each in names_of()}
    return known.get(plain) or _ALSO.get(plain) or titles.get(name.casefold()) or name


def property_names(by: str) -> tuple[str, ...]:
    """Return the names of properties that have commas between them; a pattern comes last.

    >>> property_names("Upos, direction")
    ('upos', 'direction')
    >>> property_names("upos,pattern:V -[xcomp]{1,2}-> N, N << V")
    ('upos', 'pattern:V -[xcomp]{1,2}-> N, N << V')
    """
    before, sign, pattern = by.partition(PREFIX)
    names = [name.strip() for name in before.split(",")]
    if sign and not names[-1]:
        names[-1] = f"{sign}{pattern.strip()}"
    elif sign:
        raise UsageError(f"a comma is missing before {PREFIX!r} in {by!r}")
    return tuple(name if name.startswith(PREFIX) else property_name(name) for name in names)


def _called(name: str) -> tuple[Property, ...]:
    """Return the properties of a name: kinds of corpora have their own."""
    if name.startswith(PREFIX):
        return pattern_properties(name)
    return tuple(each for each in _all() if each.name == name)


def property_title(name: str) -> str:
    """Return what a property is called in texts.

    >>> property_title("upos")
    'part of speech'
    """
    return next((each.title for each in _called(name)), name)


def properties_of(corpus: Corpus, table: str) -> tuple[str, ...]:
    """Return the names of the properties that the rows of a table have."""
    return tuple(each.name for each in _all() if each.fits(corpus.kind, table))


def has_property(corpus: Corpus, table: str, name: str) -> bool:
    """Tell whether the rows of a table have a property."""
    return any(each.fits(corpus.kind, table) for each in _called(name))


def property_of(corpus: Corpus, table: str, name: str, settings: Settings) -> Strings:
    """Return a property of every row of a table; the vocabulary is in the order of tables.

    >>> from commonground.corpus import Dependencies
    >>> corpus = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> property_of(corpus, "words", "direction", Settings()).tolist()
    ['left', 'root']
    """
    wanted = next((p for p in _called(name) if p.fits(corpus.kind, table)), None)
    if wanted is None:
        known = ", ".join(properties_of(corpus, table))
        raise UsageError(f"{table} cannot be broken down by {name!r}; there are {known}")
    values = wanted.values(corpus, settings)
    if wanted.table == table:
        return values
    return values[corpus.tables[table].sentence_of_row()]


def shared_by_sentence(name: str) -> bool:
    """Tell whether all items of a sentence share a property."""
    return any(each.table == "sentences" for each in _called(name))


def order_of(name: str) -> Order:
    """Return how the values of a property stand in tables."""
    return next((each.order for each in _called(name)), "frequency")
