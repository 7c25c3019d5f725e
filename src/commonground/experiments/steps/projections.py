"""Steps between languages: words are aligned, trees projected, filtered, delexicalised."""

from __future__ import annotations

from pathlib import Path

from commonground.experiments.steps.files import keep_result, keep_treebank, treebank
from commonground.experiments.steps.kind import Kind, Values

__all__ = ["KINDS"]

_LINKS = "links.align"


def _align(values: Values, folder: Path) -> None:
    """Keep the word alignment of two treebanks."""
    from commonground.alignment import align  # noqa: PLC0415
    from commonground.formats import write  # noqa: PLC0415

    options = {name: values[name] for name in ("way", "aligner") if name in values}
    found = align(treebank(values["source"]), treebank(values["target"]), **options)
    write(found.links, folder / _LINKS)


def _project(values: Values, folder: Path) -> None:
    """Keep the projected trees that are complete enough, and how fragmented they are."""
    from commonground.alignment import read_links  # noqa: PLC0415
    from commonground.projection import Filter, Policies, project  # noqa: PLC0415

    links = Path(values["links"])
    most = values.get("fragments", 3)
    found = project(
        treebank(values["source"]),
        treebank(values["target"]),
        read_links(links / _LINKS if links.is_dir() else links),
        policies=Policies(**values.get("policies", {})),
        chosen=Filter(int(most) if most else None, int(values.get("words", 4))),
    )
    keep_treebank(found.filtered, folder)
    keep_result(found, folder)


def _filter(values: Values, folder: Path) -> None:
    """Keep the partial trees that are complete enough."""
    from commonground.projection import Filter, kept  # noqa: PLC0415

    trees = treebank(values["of"])
    chosen = Filter(int(values.get("fragments", 3)), int(values.get("words", 4)))
    keep_treebank(trees.take(kept(trees, chosen)), folder)


def _delexicalise(values: Values, folder: Path) -> None:
    """Keep trees without their words."""
    from commonground.projection import delexicalise  # noqa: PLC0415

    keep_treebank(delexicalise(treebank(values["of"])), folder)


KINDS = (
    Kind("align", "Align the words of two treebanks", _align, ("source", "target"),
         ("way", "aligner")),
    Kind("project", "Project trees to another language", _project,
         ("source", "target", "links"), ("policies", "fragments", "words")),
    Kind("filter", "Keep trees of few fragments", _filter, ("of",), ("fragments", "words")),
    Kind("delexicalise", "Take the words away", _delexicalise, ("of",)),
)  # fmt: skip
