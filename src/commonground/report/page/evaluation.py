"""The chapter of a saved ``evaluate``: from the counts alone, or deeper where the treebanks are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from commonground.evaluation.inputs import InputFiles, find_inputs
from commonground.evaluation.main_metric import chosen_metric
from commonground.evaluation.request import Request
from commonground.evaluation.result import System
from commonground.evaluation.scores import Evaluation
from commonground.metrics.breakdown import Bucket, in_order
from commonground.metrics.confusion import CONFUSIONS
from commonground.report.material.claims import claims_about
from commonground.report.material.material import Material
from commonground.report.material.treebanks import material_of, scored_again
from commonground.report.page.breakdowns import breakdown_tables, properties
from commonground.report.page.confusions import confusion_tables
from commonground.report.page.drawings import differences
from commonground.report.page.figures import item_figures, length_figure
from commonground.report.page.sections import Chapter, Section, Text
from commonground.report.page.sentence_lists import absent, by_length, illustrated, sentence_lists
from commonground.report.page.summary import summary
from commonground.report.page.system_differences import system_differences

__all__ = ["chapter"]


def chapter(result: Evaluation, metric: str = "") -> Chapter:
    """Return what is to be seen about an evaluation; `metric` is the one that it looks into."""
    main = chosen_metric(result.systems, result.origin.path, metric)
    inputs = find_inputs(result.request, result.origin.path)
    material = material_of(result, inputs)
    sections = [
        summary(result, claims_about(result), main),
        *absent(material),
        *(
            _deeper(material, result.request, main, inputs)
            if material.sides
            else by_length(material, main)
        ),
        *sentence_lists(material, main),
    ]
    return Chapter(
        _title(result),
        tuple(sections),
        illustrated(material, main, sections, differences(material)),
        _facts(result, material, main),
        result.whole_signature,
        result.origin.command,
    )


def _title(result: Evaluation) -> str:
    names = [system.name for system in result.systems]
    gold = result.request.gold
    of = f" on {PurePath(gold).name}" if gold else ""
    shown = names[0] if len(names) == 1 else f"{len(names)} systems"
    return f"Evaluation of {shown}{of}"


def _facts(result: Evaluation, material: Material, main: str) -> dict[str, str]:
    score = result.systems[0][main]
    facts = {"Systems": ", ".join(system.name for system in result.systems)}
    if gold := result.request.gold:
        facts["Gold standard"] = gold
    facts["Sentences"] = f"{len(material.ids):,}"
    if "gold" in score.counts.totals:
        facts["Items of the gold standard"] = f"{score.counts.totals['gold']:,}"
    return {**facts, "Details for": score.metric.title}


# ── what the treebanks tell ──────────────────────────────────────────────────────────────────────


def _deeper(
    material: Material, request: Request, main: str, inputs: InputFiles
) -> Iterator[Section]:
    systems = scored_again(material, request, main, inputs)
    gold = next(iter(material.sides.values())).gold
    title = systems[0][main].metric.title
    breakdowns = tuple(breakdown_tables(title, _buckets(systems, main)))
    figures = (*length_figure(material, main), *item_figures(systems, main))
    if figures or breakdowns:
        yield Section("Where the errors are", (*figures, *breakdowns))
    yield from system_differences(material, systems, main)
    if gold.kind != "dependencies":
        return
    tables = tuple(
        table
        for number, system in enumerate(systems)
        for what in CONFUSIONS
        for table in confusion_tables(material, number, what, system.confusion(what))
    )
    if tables:
        how = Text("Every number opens examples: sentences, drawn with their differences.")
        yield Section("Confusions", (how, *tables))


def _buckets(systems: Sequence[System], main: str) -> dict[str, dict[str, list[Bucket]]]:
    """Return the buckets by property and system."""
    items = systems[0][main].items
    assert items is not None, "nothing was merged"
    gold = items.corpora[0] if items.corpora else systems[0].comparison.gold
    return {
        name: {system.name: in_order(system.breakdown(main, [name]), (name,)) for system in systems}
        for name in properties(gold, items.table)
    }
