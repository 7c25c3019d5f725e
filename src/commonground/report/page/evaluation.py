"""The chapter of a saved ``evaluate``: from the counts alone, or deeper where the treebanks are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from commonground.corpus import Corpus
from commonground.corpus.strings import Strings
from commonground.errors import UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.inputs import Found, find_inputs
from commonground.evaluation.pairs import Pair, find_pairs
from commonground.evaluation.result import System
from commonground.evaluation.saved import Saved
from commonground.formats import read
from commonground.metrics.breakdown import Bucket, in_order
from commonground.metrics.confusion import CONFUSIONS
from commonground.report.page.breakdowns import breakdown_tables, properties
from commonground.report.page.confusions import confusion_tables
from commonground.report.page.drawings import differences
from commonground.report.page.figures import item_figures, length_figure
from commonground.report.page.material import Material, Sides, read_again
from commonground.report.page.sections import Chapter, Section, Text
from commonground.report.page.sentence_lists import absent, by_length, illustrated, sentence_lists
from commonground.report.page.summary import chosen_metric, claims_about, summary

__all__ = ["evaluation_chapter", "evaluation_material", "scored_again"]


def evaluation_chapter(saved: Saved, metric: str = "") -> Chapter:
    """Return what is to be seen about an evaluation; `metric` is the one that it looks into."""
    main = chosen_metric(saved, metric)
    claims = claims_about(saved)
    found = find_inputs(saved.request, saved.path)
    material = evaluation_material(saved, found)
    sections = [
        summary(saved, claims, main),
        *absent(material),
        *(_deeper(material, main, found) if material.sides else by_length(material, main)),
        *sentence_lists(material, main),
    ]
    return Chapter(
        _title(saved),
        tuple(sections),
        illustrated(material, main, sections, differences(material)),
        _facts(material, main),
        saved.signature,
        saved.command,
    )


def _title(saved: Saved) -> str:
    names = [system.name for system in saved.systems]
    gold = saved.request.gold
    of = f" on {PurePath(gold).name}" if gold else ""
    shown = names[0] if len(names) == 1 else f"{len(names)} systems"
    return f"Evaluation of {shown}{of}"


def _facts(material: Material, main: str) -> dict[str, str]:
    saved = material.saved
    score = saved.systems[0][main]
    facts = {"Systems": ", ".join(system.name for system in saved.systems)}
    if saved.request.gold:
        facts["Gold standard"] = saved.request.gold
    facts["Sentences"] = f"{len(material.ids):,}"
    if "gold" in score.counts.totals:
        facts["Items of the gold standard"] = f"{score.counts.totals['gold']:,}"
    return {**facts, "Details for": score.metric.title}


# ── the treebanks ────────────────────────────────────────────────────────────────────────────────


def evaluation_material(saved: Saved, found: Found) -> Material:
    """Return the sentences of an evaluation, with its treebanks where they are as they were."""
    return read_again(saved, lambda: _treebanks(saved, found), found.missing)


def _treebanks(saved: Saved, found: Found) -> dict[str, Sides]:
    """Read the treebanks of an evaluation again; several files become one treebank."""
    request = saved.request
    pairs = find_pairs(
        found.path(request.gold or ""),
        {name: found.path(path) for name, path in (request.parses or {}).items()},
    )
    names = [system.name for system in saved.systems]
    if {pair.system for pair in pairs} != set(names):
        raise UsageError("there are other parses now than when the result was made")
    by_system = {name: [pair for pair in pairs if pair.system == name] for name in names}
    paths = dict.fromkeys(path for pair in pairs for path in (pair.gold, pair.parse))
    options = request.options
    partial = bool(options.partial)
    treebanks = {path: read(path, options.format, partial=partial) for path in paths}
    gold = _joined([_named(treebanks[pair.gold], pair) for pair in by_system[names[0]]])
    sides = {}
    for name, its_pairs in by_system.items():
        files = (its_pairs[0].gold, its_pairs[0].parse) if len(its_pairs) == 1 else ("", "")
        parse = _joined([treebanks[pair.parse] for pair in its_pairs])
        sides[name] = Sides(gold, parse, *files)
    return sides


def _named(gold: Corpus, pair: Pair) -> Corpus:
    """Return a gold standard whose sentences are called as results of several files call them."""
    if not pair.name:
        return gold
    ids, comments = gold.sent_id.tolist(), gold.comments.tolist()
    named = (
        f"# sent_id = {pair.name}:{name}\n{block}"
        for name, block in zip(ids, comments, strict=True)
    )
    return gold.replace("sentences", comments=Strings.of(named))


def _joined(parts: Sequence[Corpus]) -> Corpus:
    return type(parts[0]).concatenate(parts)


# ── what the treebanks tell ──────────────────────────────────────────────────────────────────────


def scored_again(material: Material, metric: str, found: Found) -> tuple[System, ...]:
    """Score the parses again, so that single items are known."""
    settings = material.saved.request.options.settings(found.path)
    gold = next(iter(material.sides.values())).gold
    parses = {name: sides.parse for name, sides in material.sides.items()}
    return evaluate(gold, parses, metrics=[metric], settings=settings).systems


def _deeper(material: Material, main: str, found: Found) -> Iterator[Section]:
    systems = scored_again(material, main, found)
    gold = next(iter(material.sides.values())).gold
    title = systems[0][main].metric.title
    breakdowns = tuple(breakdown_tables(title, _buckets(systems, main)))
    figures = (*length_figure(material, main), *item_figures(systems, main))
    if figures or breakdowns:
        yield Section("Where the errors are", (*figures, *breakdowns))
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
