"""Steps between languages: words are aligned, trees projected, filtered, delexicalised."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from commonground.errors import UsageError
from commonground.experiments.steps.files import keep_result, keep_treebank, treebank
from commonground.experiments.steps.kind import StepKind, Values
from commonground.experiments.steps.values import FLAG, TABLE, accepted, choice, share, whole

__all__ = ["KINDS"]

_LINKS = "links.align"


def _align(values: Values, folder: Path) -> None:
    """Keep the word alignment of two treebanks."""
    from commonground.alignment import EmbeddingSettings, align
    from commonground.formats import write

    names = ("way", "aligner", "confidence", "probabilities")
    options = {name: values[name] for name in names if name in values}
    if "encoder" in values:
        options["settings"] = EmbeddingSettings(str(values["encoder"]), values.get("layer", 0))
    aligned = align(treebank(values["source"]), treebank(values["target"]), **options)
    write(aligned.links, folder / _LINKS)


def _project(values: Values, folder: Path) -> None:
    """Keep the projected trees that are complete enough, and how fragmented they are."""
    from commonground.alignment import read_links
    from commonground.projection import Filter, project

    most = values.get("fragments", 3)
    projection = project(
        treebank(values["source"]),
        treebank(values["target"]),
        read_links(_links(values["links"])),
        policies=_policies(values.get("policies", {})),
        further=[
            (treebank(path), read_links(_links(over)))
            for path, over in values.get("further", {}).values()
        ],
        votes=values.get("votes", 1),
        chosen=Filter(most or None, values.get("words", 4)),
        confidence=values.get("with_confidence", False),
    )
    keep_treebank(projection.filtered, folder)
    keep_result(projection, folder)


def _links(taken: object) -> Path:
    """Return the file of links: one that was given, or that of a step."""
    path = Path(str(taken))
    return path / _LINKS if path.is_dir() else path


def _filter(values: Values, folder: Path) -> None:
    """Keep the partial trees that are complete enough."""
    from commonground.projection import Filter, kept

    trees = treebank(values["of"])
    chosen = Filter(values.get("fragments", 3), values.get("words", 4))
    keep_treebank(trees.take(kept(trees, chosen)), folder)


def _delexicalise(values: Values, folder: Path) -> None:
    """Keep trees without their words."""
    from commonground.projection import delexicalise

    keep_treebank(delexicalise(treebank(values["of"])), folder)


def _policies(given: Values) -> Any:
    from commonground.projection import Policies

    try:
        return Policies(**given)
    except TypeError as error:
        raise UsageError(f"policies: {error}") from error


_WAYS = (
    "grow-diag-final-and", "grow-diag-final", "grow-diag", "intersection", "union", "forward",
    "backward", "itermax", "matching",
)  # fmt: skip

KINDS = (
    StepKind("align", "Align the words of two treebanks", _align, ("source", "target", "encoder"),
             {"way": choice(*_WAYS), "aligner": choice("hmm", "eflomal", "embeddings"),
              "confidence": share(), "probabilities": FLAG, "layer": whole(1)}, ("encoder",)),
    StepKind("project", "Project trees to another language", _project,
             ("source", "target", "links", "further"),
             {"policies": accepted(TABLE, _policies), "fragments": whole(0), "words": whole(0),
              "votes": whole(1), "with_confidence": FLAG}, ("further",)),
    StepKind("filter", "Keep trees of few fragments", _filter, ("of",),
             {"fragments": whole(1), "words": whole(0)}),
    StepKind("delexicalise", "Take the words away", _delexicalise, ("of",)),
)  # fmt: skip
