"""What numbers depend on, in one line: made of all fields of what was asked for.

A signature is made of dataclasses (settings, how files are read, terms of a comparison, tests), and
every field of them is a part of it, so that none can be forgotten. It has the fingerprints of the
gold standards, too: other data, another signature. The long form has everything; the short one, for
tables, has what is not as usual, the first letters of fingerprints, and a checksum of the long one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import Field, fields
from typing import Any, TypeVar
from zlib import crc32

from commonground import __version__
from commonground.metrics.settings import PRESETS, Settings

__all__ = ["join", "rendered", "short_form", "signature", "signed", "with_systems"]

Part = TypeVar("Part", bound=type)

_ALWAYS = frozenset({"commonground", "gold", "preset", "protocol", "skipped", "test"})
"""What a short form tells even where it is as usual."""

_LONGEST = 60
"""Maximum length of a value in a short form."""

_USUAL: dict[str, str] = {}
"""The parts of signatures as they usually are."""


def signed(part: Part) -> Part:
    """Make a class known whose fields are parts of signatures; all of them need a default."""
    _USUAL.update(rendered(part()))
    return part


def signature(
    *parts: Any, golds: Iterable[int] = (), packages: Iterable[str] = (), **facts: object
) -> str:
    """Return the long form: the version, all fields of all parts, and what was found.

    `golds` are the fingerprints of the gold standards (:mod:`commonground.corpus.fingerprint`),
    `packages` those that define something that was used, apart from this one.

    >>> signature(Settings(), skipped=2).partition("|")[2][:44]
    'preset:none|punctuation:keep|punctuation-tag'
    """
    texts = {"commonground": __version__}
    if prints := "+".join(f"{gold:016x}" for gold in golds):
        texts["gold"] = prints
    for part in parts:
        texts |= rendered(part)
    texts |= {name: _text(value) for name, value in facts.items()}
    if others := tuple(sorted(set(packages))):
        texts["packages"] = _text(others)
    return join(texts)


def with_systems(long: str, made: Mapping[str, str]) -> str:
    """Return a signature with what made the parses of some systems, if they were made for it.

    >>> with_systems("commonground:0.1.0|skipped:0", {"a": "spacy:fr (spacy 3.8), from text"})
    'commonground:0.1.0|skipped:0|parsed-by:a=spacy:fr (spacy 3.8), from text'
    """
    return f"{long}|parsed-by:{_text(made)}" if made else long


def join(texts: Mapping[str, str]) -> str:
    """Return the parts of a signature in one line."""
    return "|".join(f"{key}:{value}" for key, value in texts.items())


def rendered(part: Any) -> dict[str, str]:
    """Return all fields of a dataclass by the names that signatures have for them.

    A field that came later, and says that it counts only ``if set``, leaves older signatures as
    they are.

    >>> rendered(Settings(longest=10, equivalent={"a": "b"}))["equivalent"]
    'a=b'
    """
    return {
        _key(field): _text(getattr(part, field.name))
        for field in fields(part)
        if not field.metadata.get("if set") or getattr(part, field.name) != field.default
    }


def _key(field: Field[Any]) -> str:
    """Return what a field is called: as it is, unless it says something else."""
    return str(field.metadata.get("key", field.name.replace("_", "-")))


def _text(value: Any) -> str:
    """Return a value as it stands in a signature, where | and line breaks have no place."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value in ("", (), {}, frozenset()):
        return "none"
    if isinstance(value, Mapping):
        text = ",".join(f"{key}={value[key]}" for key in sorted(value))
    elif isinstance(value, frozenset):
        text = " ".join(sorted(value))
    elif isinstance(value, tuple):
        text = ",".join(map(str, value))
    else:
        text = str(value.signature()) if hasattr(value, "signature") else str(value)
    return " ".join(text.replace("|", "¦").split())


def short_form(long: str) -> str:
    """Return the short form of a signature: what is not as usual, and a checksum of all of it.

    With a preset, what is as usual with it is left out.

    >>> short_form(signature(Settings(longest=10), skipped=0))[:-9]
    'commonground:0.1.0|preset:none|longest:10|skipped:0|'
    """
    if not long:
        return ""
    parts = [part.partition(":")[::2] for part in long.split("|")]
    name = dict(parts).get("preset", "none")
    usual = {**_USUAL, **rendered(PRESETS.get(name, Settings()))}
    shown = {
        key: _first_letters(value) if key == "gold" else _cut(value)
        for key, value in parts
        if key in _ALWAYS or usual.get(key) != value
    }
    if set(shown.get("skipped", "").split(",")) == {"0"}:  # by none of several systems
        shown["skipped"] = "0"
    return f"{join(shown)}|#{crc32(long.encode()):08x}"


def _first_letters(prints: str) -> str:
    """Return the beginning of each fingerprint, enough to tell two corpora apart."""
    return "+".join(each[:6] for each in prints.split("+"))


def _cut(value: str) -> str:
    """Return a value that fits on a line; the checksum tells what was left out."""
    return value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"


signed(Settings)
