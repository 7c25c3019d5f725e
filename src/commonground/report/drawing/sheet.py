"""Drawings as files: one sentence or several of them on a sheet, in each of the formats."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Any, NamedTuple

from commonground.corpus import Sentence
from commonground.errors import UsageError
from commonground.report.drawing import (
    WIDEST,
    DrawingOptions,
    difference_picture,
    differing,
    subject,
)
from commonground.report.drawing.alignments import tree_pair
from commonground.report.drawing.export import pdf, png
from commonground.report.drawing.svg import Picture, heading, stacked
from commonground.report.drawing.tikz import tikz

__all__ = ["SUFFIXES", "Item", "file_name", "sheet"]

SUFFIXES = {"svg": ".svg", "png": ".png", "pdf": ".pdf", "tikz": ".tex"}
"""The formats of drawings, and how their files end."""

_LARGEST = 16_000
"""More pixels than this, in width or height, cannot be doubled in a PNG."""

_UNUSUAL = re.compile(r"[^\w.-]+")


class Item(NamedTuple):
    """A sentence to be drawn, or (with `gold`) what differs in it from the gold standard.

    With a `target` and `links`, it is drawn with its translation, and lines between the words.
    """

    sentence: Sentence[Any]
    gold: Sentence[Any] | None = None
    target: Sentence[Any] | None = None
    links: Sentence[Any] | None = None


def sheet(
    items: Sequence[Item], form: str, options: DrawingOptions | None = None, widest: int = WIDEST
) -> bytes:
    """Return drawings in a format (svg, png, pdf, tikz), one below the other.

    Several of them have the sent_id of each sentence above it.
    """
    chosen = options or DrawingOptions()
    if form == "tikz":
        return "\n".join(_tikz(item, chosen) for item in items).encode("utf-8", "backslashreplace")
    drawn = _stacked(items, chosen, widest)
    text = drawn.svg(standalone=True)
    if form == "svg":
        return text.encode("utf-8")
    if form == "pdf":
        return pdf(text)
    if form != "png":
        raise UsageError(f"no drawing as {form!r}; there are {', '.join(SUFFIXES)}")
    if max(drawn.width, drawn.height) > _LARGEST:
        raise UsageError("the drawing is too large for PNG; draw fewer sentences, or SVG")
    return png(text)


def _stacked(items: Sequence[Item], options: DrawingOptions, widest: int) -> Picture:
    pictures = [_picture(item, options, widest) for item in items]
    if len(pictures) == 1:
        return pictures[0]
    return stacked(
        stacked([heading(item.sentence.sent_id), drawn], gap=0)
        for item, drawn in zip(items, pictures, strict=True)
    )


def _picture(item: Item, options: DrawingOptions, widest: int) -> Picture:
    if item.target is not None and item.links is not None:
        return tree_pair(item.sentence, item.target, item.links)
    if item.gold is None:
        return subject(item.sentence, options).picture(widest)
    return difference_picture(item.gold, item.sentence, options, widest)


def _tikz(item: Item, options: DrawingOptions) -> str:
    if item.links is not None:
        raise UsageError("alignments are drawn as svg, png or pdf")
    if item.gold is None:
        return tikz(subject(item.sentence, options))
    both = differing(item.gold, item.sentence, options)
    if both is not None:
        return tikz(both)
    return "\n".join(tikz(subject(side, options)) for side in (item.sentence, item.gold))


def file_name(sent_id: str, form: str, taken: Container[str] = ()) -> str:
    """Return the name of the file of a sentence: what its sent_id has of letters, and the suffix.

    >>> file_name("doc/3: a", "svg"), file_name("a", "tikz", {"a.tex"}), file_name("..", "svg")
    ('doc_3_a.svg', 'a-2.tex', 'sentence.svg')
    """
    stem = _UNUSUAL.sub("_", sent_id)[:100].strip(".") or "sentence"
    name, number = f"{stem}{SUFFIXES[form]}", 1
    while name in taken:
        number += 1
        name = f"{stem}-{number}{SUFFIXES[form]}"
    return name
