"""The treebanks of a saved result, read again where they are as they were."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.corpus import Corpus
from commonground.corpus.strings import Strings
from commonground.errors import UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.inputs import InputFiles
from commonground.evaluation.pairs import Pair, find_pairs
from commonground.evaluation.request import Request
from commonground.evaluation.result import Result, System
from commonground.formats import read
from commonground.report.material.material import Material, Sides, read_again

__all__ = ["material_of", "scored_again"]


def material_of(result: Result, inputs: InputFiles) -> Material:
    """Return the sentences of a result, with its treebanks where they are as they were."""
    systems, request = result.scored(), result.request
    names = [system.name for system in systems]
    if in_memory(systems):
        return Material(systems, {each.name: _remembered(each) for each in systems})
    if request.systems:  # of a comparison
        return read_again(systems, lambda: _compared(request, inputs), inputs.missing)
    return read_again(systems, lambda: _evaluated(request, names, inputs), inputs.missing)


def scored_again(
    material: Material, request: Request, metric: str, inputs: InputFiles
) -> tuple[System, ...]:
    """Score the parses of an evaluation again, so that single items are known."""
    if in_memory(material.systems):
        return material.systems
    settings = request.options.settings(inputs.path)
    gold = next(iter(material.sides.values())).gold
    parses = {name: sides.parse for name, sides in material.sides.items()}
    again = evaluate(gold, parses, metrics=[metric], settings=settings, check_scheme=False)
    return again.systems


def in_memory(systems: Sequence[System]) -> bool:
    """Tell whether treebanks and items are still there, as after ``cg.evaluate``."""
    return all(
        system.comparison is not None
        and isinstance(getattr(system.comparison, "system", None), Corpus)
        and not system.skipped
        and all(score.items is not None for score in system.scores.values())
        for system in systems
    )


def _remembered(system: System) -> Sides:
    return Sides(system.comparison.gold, system.comparison.system)


def _compared(request: Request, inputs: InputFiles) -> dict[str, Sides]:
    pairs = {
        name: [inputs.path(each) for each in pair] for name, pair in (request.systems or {}).items()
    }
    paths = dict.fromkeys(path for pair in pairs.values() for path in pair)
    treebanks = {path: read(path, partial=bool(request.options.partial)) for path in paths}
    return {
        name: Sides(treebanks[gold], treebanks[parse], gold, parse)
        for name, (gold, parse) in pairs.items()
    }


def _evaluated(request: Request, names: Sequence[str], inputs: InputFiles) -> dict[str, Sides]:
    """Read the treebanks of an evaluation again; several files become one treebank."""
    pairs = find_pairs(
        inputs.path(request.gold or ""),
        {name: inputs.path(path) for name, path in (request.parses or {}).items()},
    )
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
