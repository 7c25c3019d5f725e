"""The chapter of a saved ``compare``: all parses on all gold standards, and the sentences."""

from __future__ import annotations

from dataclasses import replace

from commonground.evaluation.comparison_result import CompareResult
from commonground.evaluation.inputs import InputFiles, find_inputs
from commonground.evaluation.main_metric import chosen_metric
from commonground.evaluation.prepared_trees import PreparedTrees
from commonground.evaluation.protocols import comparison_terms
from commonground.evaluation.request import Options
from commonground.evaluation.scores import Evaluation
from commonground.report.drawing import draw_generalization
from commonground.report.material.claims import claims_about
from commonground.report.material.material import Material
from commonground.report.material.treebanks import material_of
from commonground.report.page.drawings import Draw, differences
from commonground.report.page.sections import Chapter, Section, TableBlock
from commonground.report.page.sentence_lists import absent, by_length, illustrated, sentence_lists
from commonground.report.page.summary import summary

__all__ = ["chapter"]


def chapter(result: CompareResult, metric: str = "") -> Chapter:
    """Return what is to be seen about a comparison; `metric` is the one that it looks into."""
    systems = result.scored()
    main = chosen_metric(systems, result.origin.path, metric)
    inputs = find_inputs(result.request, result.origin.path)
    material = material_of(result, inputs)
    plain = replace(result, claims=None, row_claims={})  # the summary has the claims
    grids = plain.grids(verdict=False)
    sections = [
        summary(Evaluation(result.signature, systems), claims_about(result), main),
        *absent(material),
        Section("Parses and gold standards", tuple(map(TableBlock, grids))),
        *by_length(material, main),
        *sentence_lists(material, main),
    ]
    command = result.origin.command
    return Chapter(
        f"Comparison of {', '.join(system.name for system in systems)}",
        tuple(sections),
        illustrated(
            material,
            main,
            sections,
            _pictures(material, result.request.options, inputs),
            _further(command),
        ),
        _facts(result, material, main),
        result.whole_signature,
        command,
    )


def _facts(result: CompareResult, material: Material, main: str) -> dict[str, str]:
    pairs = result.request.systems or {}
    return {
        **{name: ", ".join(pair) for name, pair in pairs.items()},
        "Sentences": f"{len(material.ids):,}",
        "Details for": material.systems[0][main].metric.title,
    }


# ── drawings ─────────────────────────────────────────────────────────────────────────────────────


def _further(command: str) -> dict[str, str]:
    """Return the picture that sentences have besides those of the systems, and how it is made."""
    explain = f"{command.removesuffix(' --output-format json')} --explain-sentence {{}}"
    return {"What the gold standards agree on": explain if command else ""}


def _pictures(material: Material, options: Options, inputs: InputFiles) -> Draw:
    """Return what draws the difference of each system, and what all gold standards agree on."""
    difference = differences(material)
    names = [system.name for system in material.systems]

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
        study = PreparedTrees(alone, options.settings(inputs.path), terms, options.labels or "auto")
        return draw_generalization(study.golds, standalone=False)

    return draw
