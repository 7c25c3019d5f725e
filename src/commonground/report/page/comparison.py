"""The chapter of a saved ``compare``: all parses on all gold standards, and the sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from commonground.errors import InputError
from commonground.evaluation.cross import (
    CompareResult,
    SchemeResult,
    Scores,
    explain_sentence,
    named_metrics,
)
from commonground.evaluation.inputs import Found, find_inputs
from commonground.evaluation.inventories import Translated
from commonground.evaluation.result import Score
from commonground.evaluation.saved import Saved
from commonground.formats import read
from commonground.metrics.items import Counts
from commonground.metrics.registry import explained
from commonground.report.drawing import draw_generalization
from commonground.report.page.drawings import Draw, differences
from commonground.report.page.lists import absent, by_length, illustrated, sentence_lists
from commonground.report.page.material import Material, Sides, read_again
from commonground.report.page.sections import Chapter, Section, Table
from commonground.report.page.summary import chosen_metric, claims_about, summary

__all__ = ["comparison_chapter", "comparison_material"]

Json = Mapping[str, Any]


def comparison_chapter(saved: Saved, metric: str = "") -> Chapter:
    """Return what is to be seen about a comparison; `metric` is the one that it looks into."""
    main = chosen_metric(saved, metric)
    claims = claims_about(saved)
    found = find_inputs(saved.request, saved.path)
    material = comparison_material(saved, found)
    grids = _restored(saved).grids()
    sections = [
        summary(saved, claims, main),
        *absent(material),
        Section("Parses and gold standards", tuple(map(Table, grids))),
        *by_length(material, main),
        *sentence_lists(material, main),
    ]
    return Chapter(
        f"Comparison of {', '.join(system.name for system in saved.systems)}",
        tuple(sections),
        illustrated(material, main, sections, _pictures(material, found), _further(saved)),
        _facts(material, main),
        saved.signature,
        saved.command,
    )


def _facts(material: Material, main: str) -> dict[str, str]:
    saved = material.saved
    pairs = saved.request.systems or {}
    return {
        **{name: ", ".join(pair) for name, pair in pairs.items()},
        "Sentences": f"{len(material.ids):,}",
        "Details are about": saved.systems[0][main].metric.title,
    }


def comparison_material(saved: Saved, found: Found) -> Material:
    """Return the sentences of a comparison, with its treebanks where they are as they were."""
    return read_again(saved, lambda: _treebanks(saved, found), found.missing)


def _treebanks(saved: Saved, found: Found) -> dict[str, Sides]:
    request = saved.request
    pairs = {
        name: [found.path(each) for each in pair] for name, pair in (request.systems or {}).items()
    }
    paths = dict.fromkeys(path for pair in pairs.values() for path in pair)
    treebanks = {path: read(path, partial=bool(request.options.partial)) for path in paths}
    return {
        name: Sides(treebanks[gold], treebanks[parse], gold, parse)
        for name, (gold, parse) in pairs.items()
    }


# ── drawings ─────────────────────────────────────────────────────────────────────────────────────


def _further(saved: Saved) -> dict[str, str]:
    """Return the picture that sentences have besides those of the systems, and how it is made."""
    command = f"{saved.command.removesuffix(' --output-format json')} --explain-sentence {{}}"
    return {"What the gold standards agree on": command if saved.command else ""}


def _pictures(material: Material, found: Found) -> Draw:
    """Return what draws the difference of each system, and what all gold standards agree on."""
    difference = differences(material)
    names = [system.name for system in material.saved.systems]
    options = material.saved.request.options

    def draw(place: int, picture: int) -> str | None:
        if picture < len(names):
            return difference(place, picture)
        sides = {name: material.both(place, name) for name in names}
        alone = {name: (b[0].alone, b[1].alone) for name, b in sides.items() if b is not None}
        if len(alone) < len(names):
            return None
        explained = explain_sentence(
            alone,
            "1",
            settings=options.settings(found.path),
            functions=options.functions,
            enhanced=bool(options.enhanced),
            protocol=options.protocol or "2012",
            labels=options.labels or "auto",
        )
        golds = {each.name: each.gold for each in explained}
        return draw_generalization(golds, standalone=False)

    return draw


# ── the result, from its JSON ────────────────────────────────────────────────────────────────────


def _restored(saved: Saved) -> CompareResult:
    """Return the result with its sums, which is all that its tables look at."""
    assert saved.systems[0].sentences is not None, "saved results have sentences"
    try:
        return CompareResult(
            saved.signature,
            tuple(map(_scheme, saved.data["systems"])),
            {_two(pair): _scores(scores) for pair, scores in saved.data.get("overlap", {}).items()},
            tuple(saved.data.get("skipped", ())),
            saved.systems[0].sentences,
            {name: _translated(each) for name, each in saved.data.get("labels", {}).items()},
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(saved.path, 0, f"this is no whole result of compare: {error}") from error


def _translated(data: Json) -> Translated:
    mapping = {(row["label"], row["hub"]): int(row["count"]) for row in data["mapping"]}
    total = max(sum(mapping.values()), 1)
    return Translated(data["inventory"], round(float(data["coverage"]) * total), total, mapping)


def _two(pair: str) -> tuple[str, str]:
    one, _, other = pair.partition("+")
    return one, other


def _scheme(data: Json) -> SchemeResult:
    return SchemeResult(
        data["name"],
        data.get("gold", data["name"]),
        _scores(data["single"]),
        _scores(data["multiple"]),
        {name: _scores(scores) for name, scores in data.get("against", {}).items()},
        {
            gold: {name: _native(name, score) for name, score in scores.items()}
            for gold, scores in data.get("native", {}).items()
        },
        {
            tuple(names.split("+")): _scores(scores)
            for names, scores in data.get("subsets", {}).items()
        },
    )


def _scores(data: Json) -> Scores:
    counts, why = data["counts"], data.get("undefined", {})
    metrics = named_metrics(counts["labelled"])
    return Scores(
        *(
            Score(metrics["single", kind], _sums(counts[kind]), reason=why.get(kind, ""))
            for kind in ("labelled", "unlabelled")
        )
    )


def _native(name: str, data: Json) -> Score:
    return Score(next(iter(explained(name).values()))[0], _sums(data["counts"]))


def _sums(totals: Json) -> Counts:
    return Counts({name: np.array([total], np.int64) for name, total in totals.items()})
