"""Steps from treebanks to treebanks: parts of them, and other schemes and frameworks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from commonground.errors import UsageError
from commonground.experiments.steps.files import keep_grids, keep_treebank, treebank
from commonground.experiments.steps.kind import StepKind, Values
from commonground.experiments.steps.values import TEXT, accepted, choice, each, share, whole
from commonground.grid import Column, Grid

__all__ = ["KINDS"]


def _part(values: Values, folder: Path) -> None:
    """Keep the part for training or for testing: every n-th sentence, or the last share of them.

    Only sentences of `longest` words count, and the first ones that have so many `words` are kept.
    """
    corpus = treebank(values["of"])
    which, every, last = values.get("part", "train"), values.get("every"), values.get("share", 0.2)
    import numpy as np

    places = np.arange(len(corpus))
    if every:
        test = places % every == values.get("fold", 0)
    else:
        test = places >= round((1 - last) * len(corpus))
    longest = values.get("longest")
    kept = test if which == "test" else ~test
    if longest:
        kept &= corpus.tables["words"].lengths <= longest
    if not kept.any():
        raise UsageError(f"no sentence is left for the part {which}")
    places = np.flatnonzero(kept)
    if "words" in values:
        sums = np.cumsum(corpus.tables["words"].lengths[places])
        places = places[: int(np.searchsorted(sums, values["words"])) + 1]
    keep_treebank(corpus.take(places), folder)


def _convert(values: Values, folder: Path) -> None:
    from commonground.conversion.to_dependencies import to_dependencies

    trees = treebank(values["of"])
    converted, _ = to_dependencies(trees, values.get("rules", "collins"), values.get("scheme"))
    keep_treebank(converted, folder)


def _transformed(values: Values) -> tuple[Any, Any]:
    """Return trees in another scheme, and what was done to them."""
    from commonground.schemes.transform import transform

    scheme, only = values.get("scheme", "ud"), values.get("only")
    options: dict[str, Any] = {"only": [only] if isinstance(only, str) else only} if only else {}
    return transform(treebank(values["of"]), scheme, values["to"], **options)


def _transform(values: Values, folder: Path) -> None:
    keep_treebank(_transformed(values)[0], folder)


def _count_changes(values: Values, folder: Path) -> None:
    """Keep how many constructions a transformation rewrites, and how."""
    from commonground.streamed_json import json_text

    _, report = _transformed(values)
    data = report.to_json()
    (folder / "result.json").write_text(json_text(data), encoding="utf-8")
    rows = [
        [name, each["from"], each["to"], each["changed"]]
        for name, each in data["constructions"].items()
        if each["changed"]
    ]
    columns = ["construction", report.source, report.target, Column("changed", "right")]
    note = f"{report.heads:,} of {report.words:,} words have another head."
    keep_grids([Grid.of("", columns, rows, [note])], folder)


def _projectivize(values: Values, folder: Path) -> None:
    from commonground.schemes.projectivity import projectivize

    keep_treebank(
        projectivize(treebank(values["of"]), values.get("encoding", "baseline"))[0], folder
    )


def _realize(values: Values, folder: Path) -> None:
    """Keep trees with a node for each function, above what realizes it."""
    from commonground.formats import write

    write(treebank(values["of"]), folder / "treebank.rr", "rr")


def _label_unify(values: Values, folder: Path) -> None:
    """Add the labels of other analyses to the nodes of one: ⊔tl.

    `functions` are the dash tags of constituents that they keep, all without any.
    """
    from commonground.formats import write
    from commonground.ground import label_unify, to_functions

    own = to_functions(treebank(values["of"]), functions=values.get("functions"))
    unified = label_unify(own, to_functions(treebank(values["labels"])))
    write(unified, folder / "treebank.functions", "functions")


def _find_scheme(name: str) -> object:
    from commonground.schemes.library import find_scheme

    return find_scheme(name)


def _find_rules(name: str) -> object:
    from commonground.conversion.head_rules import find_rules

    return find_rules(name)


def _find_construction(name: str) -> None:
    from commonground.schemes.constructions import CONSTRUCTIONS

    if name and name not in CONSTRUCTIONS:  # the empty text is all of them
        known = ", ".join(CONSTRUCTIONS)
        raise UsageError(f"there is no construction {name!r}; there are {known}")


SCHEME = accepted(TEXT, _find_scheme)
_PART = {
    "part": choice("train", "test"), "every": whole(2), "fold": whole(0), "share": share(),
    "longest": whole(1), "words": whole(1),
}  # fmt: skip
_SCHEMES = {
    "scheme": SCHEME, "to": SCHEME, "only": each(accepted(TEXT, _find_construction), alone=True),
}  # fmt: skip

KINDS = (
    StepKind("part", "Cut off a part of a treebank", _part, ("of",), _PART),
    StepKind("convert", "Dependencies from constituents", _convert, ("of",),
             {"rules": accepted(TEXT, _find_rules), "scheme": SCHEME}),
    StepKind("transform", "To another scheme", _transform, ("of",), _SCHEMES, needed=("to",)),
    StepKind("count-changes", "Count what a transformation rewrites", _count_changes, ("of",),
             _SCHEMES, needed=("to",)),
    StepKind("projectivize", "Lift crossing arcs", _projectivize, ("of",),
             {"encoding": choice("baseline", "head", "path", "head+path")}),
    StepKind("realize", "Relational-realizational trees", _realize, ("of",)),
    StepKind("label-unify", "Add the labels of another analysis", _label_unify, ("of", "labels"),
             {"functions": each(TEXT)}),
)  # fmt: skip
