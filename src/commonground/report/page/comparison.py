"""The chapter of a saved ``compare``: all parses on all gold standards, and the sentences."""

from __future__ import annotations

from commonground.evaluation.comparison_result import CompareResult
from commonground.evaluation.inputs import Found, find_inputs
from commonground.evaluation.prepared_trees import Study
from commonground.evaluation.protocols import comparison_terms
from commonground.evaluation.saved import Saved
from commonground.formats import read
from commonground.report.drawing import draw_generalization
from commonground.report.page.drawings import Draw, differences
from commonground.report.page.material import Material, Sides, read_again
from commonground.report.page.sections import Chapter, Section, TableBlock
from commonground.report.page.sentence_lists import absent, by_length, illustrated, sentence_lists
from commonground.report.page.summary import chosen_metric, claims_about, summary

__all__ = ["comparison_chapter", "comparison_material"]


def comparison_chapter(saved: Saved, metric: str = "") -> Chapter:
    """Return what is to be seen about a comparison; `metric` is the one that it looks into."""
    main = chosen_metric(saved, metric)
    claims = claims_about(saved)
    found = find_inputs(saved.request, saved.path)
    material = comparison_material(saved, found)
    grids = CompareResult.from_json(saved.data, saved.path).grids(verdict=False)
    sections = [
        summary(saved, claims, main),
        *absent(material),
        Section("Parses and gold standards", tuple(map(TableBlock, grids))),
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
        "Details for": saved.systems[0][main].metric.title,
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
        terms = comparison_terms(
            options.protocol or "2012", options.functions, None, enhanced=bool(options.enhanced)
        )
        study = Study(alone, options.settings(found.path), terms, options.labels or "auto")
        return draw_generalization(study.golds, standalone=False)

    return draw
