"""Steps on phenomena: constructions are mined, described, and looked for in parses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from commonground.experiments.steps.files import (
    keep_grids,
    keep_result,
    keep_treebank,
    kept_treebank,
    treebank,
)
from commonground.experiments.steps.kind import StepKind, Values
from commonground.experiments.steps.values import SEED, TABLE, TEXTS, whole

__all__ = ["KINDS"]

_ITEMS = "phenomena.tsv"


def _mine(values: Values, folder: Path) -> None:
    """Keep how frequent phenomena are, and a sample: the items, their targets and sentences.

    The targets are what the patterns propose; sentences are kept in the order of the items.
    """
    from commonground.formats.storage.folders import files_of
    from commonground.phenomena.mine import mine
    from commonground.phenomena.sheet import sheet_trees, write_sheet
    from commonground.report.views.phenomena_annotation import mined_grids
    from commonground.streamed_json import json_text

    source = values["of"]
    kept = kept_treebank(source)
    mined = mine(
        [str(kept)] if kept else files_of(source),
        only=tuple(values.get("only", ())),
        sample=int(values.get("sample", 0)),
        seed=int(values.get("seed", 0)),
    )
    (folder / "result.json").write_text(json_text(mined.to_json()), encoding="utf-8")
    keep_grids(mined_grids(mined)[:1], folder)
    if "sample" in values:
        write_sheet(mined, folder / _ITEMS)
        trees = sheet_trees(mined)
        if trees is not None:
            keep_treebank(trees, folder)


def _phenomena(values: Values, folder: Path) -> None:
    from commonground.phenomena.result import score_phenomena

    outputs = {name: treebank(path) for name, path in values["outputs"].items()}
    mappings = {name: each for name, each in values.get("mappings", {}).items() if each}
    keep_result(score_phenomena(_items(values["gold"]), outputs, mappings=mappings), folder)


def _phenomena_info(values: Values, folder: Path) -> None:
    """Keep what a gold standard of phenomena holds, and how far its words are apart."""
    from commonground.phenomena.gold import read_gold
    from commonground.phenomena.info import contents
    from commonground.report.views.phenomena_annotation import contents_grid
    from commonground.streamed_json import json_text

    described = replace(contents(read_gold(_items(values["gold"]))), path="the gold standard")
    (folder / "result.json").write_text(json_text(described.to_json()), encoding="utf-8")
    keep_grids([contents_grid(described)], folder)


def _items(source: Path) -> str:
    """Return the file of a gold standard of phenomena: an input, or what was mined."""
    return str(source / _ITEMS if source.is_dir() else source)


KINDS = (
    StepKind("mine", "Candidates for phenomena", _mine, ("of",),
             {"only": TEXTS, "sample": whole(0), "seed": SEED}),
    StepKind("phenomena", "Recall on constructions", _phenomena, ("gold", "outputs"),
             {"mappings": TABLE}),
    StepKind("phenomena-info", "What a gold standard of phenomena holds", _phenomena_info,
             ("gold",)),
)  # fmt: skip
