"""All parsers by name; a parser's module is imported when it is asked for."""

from __future__ import annotations

import importlib

from commonground.errors import UsageError, nearest
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import Model, Parser
from commonground.plugins import Plugin, plugins

__all__ = ["find_parser", "load_model", "parser_names", "parser_plugins", "parsers"]

_MODULES = {
    "arc-eager": "transition",
    "arc-hybrid": "transition",
    "arc-standard": "transition",
    "swap": "transition",
    "mst": "graph.mst",
    "stacked": "graph.stacked",
    "ensemble": "ensemble",
    "biaffine": "neural.biaffine",
    "spans": "constituency.spans",
    "pcfg": "constituency.pcfg",
    "tagger": "tagger",
    "dmv": "dmv.parser",
    "right-branching": "baselines",
    "left-branching": "baselines",
    "nearest": "baselines",
    "random": "baselines",
    "frequent-head": "baselines",
    "malt": "outside.malt",
    "mstparser": "outside.programs",
    "berkeley": "outside.programs",
    "udpipe": "outside.udpipe",
    "spacy": "outside.spacy_parser",
    "stanza": "outside.neural",
    "supar": "outside.neural",
    "benepar": "outside.pretrained",
    "bllip": "outside.pretrained",
    "command": "outside.programs",
}
"""The module of each parser in ``parsers/``; its ``PARSERS`` has the parser by its name."""


def parser_names() -> list[str]:
    """Return the names of all parsers; those of other packages come last."""
    return [*_MODULES, *(plugin.name for plugin in parser_plugins())]


def parser_plugins() -> tuple[Plugin, ...]:
    """Return the parsers that other packages add."""
    return plugins("parsers", _refusal, _MODULES)


def _refusal(plugin: Plugin) -> str:
    """Say why something is no parser that can be added."""
    if not isinstance(plugin.value, Parser):
        return f"it is of the type {type(plugin.value).__name__}, not Parser"
    if plugin.value.name != plugin.name:
        return f"the parser calls itself {plugin.value.name!r}"
    return ""


def find_parser(name: str) -> Parser:
    """Return the parser with this name."""
    if name not in _MODULES:
        added: dict[str, Parser] = {plugin.name: plugin.value for plugin in parser_plugins()}
        if name in added:
            return added[name]
        known = [*_MODULES, *added]
        near = nearest(name, known)
        raise UsageError(f"there is no parser {name!r}; there are {', '.join(known)}{near}")
    module = importlib.import_module(f"commonground.parsers.{_MODULES[name]}")
    parser: Parser = module.PARSERS[name]
    return parser


def load_model(stored: Stored) -> Model:
    """Make a model, or the part of one, from what a file holds; what it needs must be installed."""
    parser = find_parser(stored.parser)
    if lacking := parser.missing(parser.settings()):
        raise ModelError(f"{parser.name} {lacking}")
    return parser.load(stored)


def parsers() -> list[Parser]:
    """Return all parsers."""
    return [find_parser(name) for name in parser_names()]
