"""All parsers by name; a parser's module is imported when it is asked for."""

from __future__ import annotations

import importlib

from commonground.errors import UsageError, nearest
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import Model, Parser

__all__ = ["find_parser", "load_model", "parser_names", "parsers"]

_MODULES = {
    "arc-eager": "transition",
    "arc-hybrid": "transition",
    "arc-standard": "transition",
    "swap": "transition",
    "mst": "graph.mst",
    "stacked": "graph.stacked",
    "ensemble": "ensemble",
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
    """Return the names of all parsers."""
    return list(_MODULES)


def find_parser(name: str) -> Parser:
    """Return the parser with this name."""
    if name not in _MODULES:
        near = nearest(name, _MODULES)
        raise UsageError(f"there is no parser {name!r}; there are {', '.join(_MODULES)}{near}")
    module = importlib.import_module(f"commonground.parsers.{_MODULES[name]}")
    found: Parser = module.PARSERS[name]
    return found


def load_model(stored: Stored) -> Model:
    """Make a model, or the part of one, from what a file holds; what it needs must be installed."""
    parser = find_parser(stored.parser)
    if lacking := parser.missing(parser.settings()):
        raise ModelError(f"{parser.name} {lacking}")
    return parser.load(stored)


def parsers() -> list[Parser]:
    """Return all parsers."""
    return [find_parser(name) for name in _MODULES]
