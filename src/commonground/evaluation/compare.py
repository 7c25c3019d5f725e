"""Compare parsers across annotation schemes and frameworks.

Every system has a gold standard of its own. All analyses become function trees over common units of
the text; the gold trees are generalized to what they agree on. Then each parse is scored

- on the common ground: what it has of the phrases and labels that all gold standards share;
- SINGLE: against its own gold standard;
- MULTIPLE: against what all gold standards agree on, where nodes that only its own gold standard
  asks for are forgiven (and against smaller sets of gold standards, to see which costs what);
- against every other gold standard as it stands, by TedEval and, where it is of the same kind and
  has the same words, by the metrics of that kind.

The overlap of two theories is the score of one gold standard against the other. Nothing depends on
the order of the systems.

Systems with the same gold standard share it: it counts once, and is called by the name of one of
them. So the work grows with the number of systems times the number of different gold standards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from commonground.corpus import Corpus, Functions
from commonground.corpus.fingerprint import fingerprint
from commonground.errors import InputError, UsageError
from commonground.evaluation.common_ground import common_scores, relation_scores
from commonground.evaluation.compared_sets import ComparedSets
from commonground.evaluation.comparison_result import (
    CompareResult,
    RelationScores,
    SchemeResult,
    Scores,
)
from commonground.evaluation.controls import error_costs, floor
from commonground.evaluation.cross_conventions import CrossParts, cross_parts
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.metric_score import Score
from commonground.evaluation.prepared_relations import PreparedRelations
from commonground.evaluation.prepared_trees import PreparedTrees
from commonground.evaluation.protocols import comparison_terms
from commonground.evaluation.signature import signature
from commonground.formats.registry import format_packages
from commonground.ground.costs import Costs
from commonground.ground.label_map import LabelMap
from commonground.metrics.settings import Settings

__all__ = [
    "SUBSETS",
    "compare",
]

SUBSETS = ("few", "all")
"""For which sets of gold standards MULTIPLE is told: for all pairs, and for triples of up to five
gold standards, besides all of them; or for every set."""

_MOST_FOR_TRIPLES = 5


def compare(  # noqa: PLR0913  # options, by name
    systems: Mapping[str, tuple[Any, Any]],
    *,
    settings: Settings | None = None,
    functions: Sequence[str] | None = None,
    enhanced: bool = False,
    protocol: str = "2012",
    subsets: str = "few",
    labels: str = "auto",
    label_maps: Mapping[str, LabelMap] | None = None,
    costs: Costs | None = None,
    relations: bool | None = None,
    seed: int = 0,
) -> CompareResult:
    """Compare parsers, each with its own gold standard: ``{name: (gold, parse)}``.

    Treebanks are corpora, paths, or what :func:`as_corpus` knows. `settings` say which labels are
    equal, and what to do with sentences whose texts differ; `functions` are the dash tags of
    constituents that count; `enhanced` reads the enhanced graphs of dependencies; `protocol` is
    that of 2012, that of 2011, or what a version of the original program computes on dependencies
    (``tedeval-2.1``, ``tedeval-2.2``). `labels` are compared as they are (``own``) or mapped to the
    ``hub``; ``auto`` uses the hub if inventories differ and no other option is given for labels.
    `label_maps` map the labels of some systems. `costs` are the costs of edits, 1 by default.
    MULTIPLE is computed for all gold standards, for pairs of them, and for triples if there are at
    most five; `subsets` can be ``all`` for every set. With `relations`, the relations between
    yields are scored as well, by default where a gold standard has graphs. The `seed` decides
    which errors are planted, to see what the same error costs in each gold standard.

    >>> from commonground.corpus import Dependencies
    >>> from commonground.formats import read_text
    >>> ud = Dependencies.of([(["Birds", "sing"], [2, 0], ["SBJ", "root"])])
    >>> ptb = read_text("(S (NP-SBJ (NNS Birds)) (VP (VBP sing)))")
    >>> result = compare({"ud": (ud, ud), "ptb": (ptb, ptb)})
    >>> result["ud"].multiple.labelled.value, result.overlap["ptb", "ud"].unlabelled.value
    (1.0, 1.0)
    """
    if subsets not in SUBSETS:
        raise UsageError(f"subsets can be {', '.join(SUBSETS)}, not {subsets!r}")
    study = PreparedTrees(
        systems,
        settings or Settings(),
        comparison_terms(protocol, functions, costs, enhanced=enhanced),
        labels,
        label_maps or {},
        related=relations,
    )
    related = study.relations
    sets = list(_sets(study.own_golds, every=subsets == "all"))
    schemes = [_scheme(study, name, sets) for name in study.names]
    common = common_scores(study, {each.name: each.multiple for each in schemes})
    facts = {"realigned": len(study.units.realigned), "skipped": len(study.units.skipped)}
    facts |= study.same.facts()
    if study.lost:
        facts["lost"] = sum(int(lost.sum()) for lost in study.lost.values())
    packages = format_packages(treebank for pair in systems.values() for treebank in pair)
    return CompareResult(
        signature=signature(
            study.terms,
            study.settings,
            golds=[fingerprint(study.corpora[name][0]) for name in study.own_golds],
            packages=packages,
            **facts,
        ),
        systems=tuple(replace(each, common=common[each.name]) for each in schemes),
        overlap={
            (one, other): study.overlap(one, other)
            for one, other in combinations(study.own_golds, 2)
        },
        skipped=tuple(study.ids[place] for place in study.units.skipped),
        sentences=study.sentences,
        translated=study.labelling.translated(),
        remarks=tuple(study.remarks()),
        floor=floor(study),
        error_costs=error_costs(study, seed),
        conventions=_conventions(study),
        relation_overlap={
            (one, other): related.overlap(one, other)
            for one, other in combinations(study.own_golds, 2)
            if related
        },
    )


def _conventions(study: PreparedTrees) -> dict[tuple[str, str], CrossParts]:
    """Return what each parse loses on the other gold standards, where nodes are what is counted."""
    if study.terms.protocol != "2012" or study.lost:
        return {}
    return {
        (name, other): cross_parts(
            study.parses[name], study.golds[study.gold_of[name]], study.golds[other]
        )
        for name in study.names
        for other in study.own_golds
        if other != study.gold_of[name] and not study.bare(name, study.gold_of[name], other)
    }


def _sets(golds: Sequence[str], *, every: bool) -> Iterator[tuple[str, ...]]:
    """Return the sets of gold standards that MULTIPLE is told for, the one of all of them last."""
    few = [2, 3] if len(golds) <= _MOST_FOR_TRIPLES else [2]
    sizes = range(2, len(golds)) if every else [size for size in few if size < len(golds)]
    for size in sizes:
        yield from combinations(golds, size)
    yield tuple(golds)


def _scheme(study: PreparedTrees, name: str, sets: Sequence[tuple[str, ...]]) -> SchemeResult:
    related, single = study.relations, study.single(name)
    subsets, against = _ways(study, name, sets, single)
    return SchemeResult(
        name,
        study.gold_of[name],
        single=single,
        multiple=subsets[study.own_golds],
        against=against,
        native={
            other: scores
            for other in study.own_golds
            if (scores := _native(study, study.corpora[other][0], study.corpora[name][1]))
        },
        subsets=subsets,
        words=study.words(name),
        relations=_relations(related, name, sets) if related else None,
    )


def _relations(
    related: PreparedRelations, name: str, sets: Sequence[tuple[str, ...]]
) -> RelationScores:
    single = related.single(name)
    subsets, against = _ways(related, name, sets, single)
    multiple = subsets[related.own_golds]
    common = relation_scores(related, name, multiple)
    return RelationScores(single, multiple, against, subsets, common)


def _ways(
    study: ComparedSets, name: str, sets: Sequence[tuple[str, ...]], single: Scores
) -> tuple[dict[tuple[str, ...], Scores], dict[str, Scores]]:
    """Return the scores on what gold standards agree on, and on each other one of them."""
    parse, own, lost = study.parses[name], study.gold_of[name], study.lost.get(name)
    subsets = {
        chosen: study.scores(
            parse,
            study.golds[own],
            study.generalized(chosen),
            reason=study.bare(name, *chosen),
            lost=lost,
        )
        if len(chosen) > 1
        else single
        for chosen in sets
        if own in chosen
    }
    against = {
        other: study.scores(parse, study.golds[other], reason=study.bare(name, other), lost=lost)
        for other in study.own_golds
        if other != own
    }
    return subsets, against


def _native(study: PreparedTrees, gold: Corpus, parse: Corpus) -> dict[str, Score]:
    """Return the metrics of a parse's own kind on a gold standard, none where they do not apply."""
    if type(gold) is not type(parse) or isinstance(gold, Functions):  # theirs is TedEval itself
        return {}
    try:
        return evaluate(gold, parse, settings=study.settings, check_scheme=False).systems[0].scores
    except (InputError, UsageError):  # other words: only TedEval can compare them
        return {}
