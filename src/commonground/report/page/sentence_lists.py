"""The sections about sentences, which all results with counts per sentence have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from commonground.report.material.material import Material
from commonground.report.page.drawings import Draw, drawn, shown_first
from commonground.report.page.figures import length_figure
from commonground.report.page.sections import (
    Album,
    Browser,
    Examples,
    Section,
    Text,
)
from commonground.report.page.sentences import disagreements, most_mistaken, scales, worst

__all__ = ["absent", "by_length", "illustrated", "sentence_lists"]


def absent(material: Material) -> Iterator[Section]:
    """Say what a report without the treebanks cannot show."""
    if not material.missing:
        return
    shown = "; ".join(material.missing[:5]) + ("; …" if len(material.missing) > 5 else "")
    text = (
        "The treebanks could not be read again, so this page has no texts, breakdowns, "
        f"confusions or drawings, only what is in the result. {shown}."
    )
    yield Section("What is missing", (Text(text, notice=True),))


def by_length(material: Material, metric: str) -> Iterator[Section]:
    """Return what can be told about the errors without knowing single items."""
    figures = tuple(length_figure(material, metric))
    if figures:
        yield Section("Where the errors are", figures)


def sentence_lists(material: Material, metric: str) -> Iterator[Section]:
    """Return the worst sentences, those where systems disagree, and the list of all."""
    bad = worst(material, metric)
    several = len(bad) > 1
    blocks = tuple(
        Examples(material.systems[number].name if several else "", tuple(examples))
        for number, examples in bad.items()
        if examples
    )
    if blocks:
        what = Text("The sentences with the most mistakes, which cost the score most.")
        yield Section("Worst sentences", (what, *blocks))
    apart = disagreements(material, metric) if several else []
    if apart:
        what = Text("The sentences where one system makes many more mistakes than another.")
        yield Section("Where systems disagree", (what, Examples("", tuple(apart))))
    yield Section("All sentences", (Browser("All sentences"),))


def illustrated(
    material: Material,
    metric: str,
    sections: Sequence[Section],
    draw: Draw,
    further: Mapping[str, str] | None = None,
) -> Album:
    """Return the sentences of a chapter with drawings, first of those that the sections show.

    `draw` draws the picture of each system, and `further` ones, which are given by their titles
    with the commands that make them.
    """
    names = [system.name for system in material.systems]
    commands = [*map(material.command, names), *(further or {}).values()]
    titles = (*names, *(further or {}))
    wanted = [*shown_first(sections, len(titles)), *most_mistaken(material, metric)]
    return Album(
        tuple(material.ids),
        tuple(material.texts),
        titles,
        tuple(scales(material, metric)),
        drawn(wanted, draw) if material.sides else {},
        tuple(commands),
    )
