"""Drawings as PNG and PDF, by CairoSVG."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from commonground.errors import MissingExtraError, UsageError

__all__ = ["pdf", "png", "refuse_other_scripts"]

_SCALE = 2
_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "MODIFIER", "COMBINING", "MICRO", "OHM", "KELVIN")
_DATE = re.compile(rb"(/CreationDate \(D:)\d{14}")


def png(svg: str) -> bytes:
    """Return a drawing as PNG, two pixels for each of its own."""
    picture: bytes = _cairosvg().svg2png(bytestring=_showable(svg), scale=_SCALE)
    return picture


def pdf(svg: str) -> bytes:
    """Return a drawing as PDF; the same drawing gives the same bytes."""
    document: bytes = _cairosvg().svg2pdf(bytestring=_showable(svg))
    return _DATE.sub(rb"\g<1>20000101000000", document)


def _cairosvg() -> Any:
    try:
        import cairosvg  # noqa: PLC0415  # an extra
    except (ImportError, OSError) as error:  # OSError: the package is there, but not cairo itself
        raise MissingExtraError("a drawing as PNG or PDF", "drawing") from error
    return cairosvg


def _showable(svg: str) -> bytes:
    """Return a drawing for CairoSVG, which can only write scripts with a glyph for each letter."""
    composed = unicodedata.normalize("NFC", svg)
    refuse_other_scripts(composed)
    return composed.encode("utf-8")


def refuse_other_scripts(text: str) -> None:
    """Raise an error where a text has letters that PNG and PDF cannot show."""
    if text.isascii():
        return
    for character in sorted(set(text)):
        name = unicodedata.name(character, "")
        if unicodedata.category(character)[0] in "LM" and not name.startswith(_SCRIPTS):
            raise UsageError(
                f"PNG and PDF can show Latin, Greek and Cyrillic letters, but not {character!r}; "
                "draw SVG, which browsers show in every script"
            )
