"""Two controls of a comparison: what a parse that knows nothing gets, and what an error costs.

*Floor*: flat trees and trees that branch to the left or to the right are scored as every parse, on
each gold standard; the best of them is the floor. For relations, all words depend on the first or
on the last one, or each on the next.

*Costs*: the same errors are planted in all gold standards (:mod:`commonground.ground.planting`),
and each gold standard with its errors is scored as a parse. :mod:`commonground.statistics.bias`
tells what follows for differences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Functions, Table
from commonground.corpus.functions import canonical
from commonground.corpus.strings import Strings
from commonground.corpus.table import offsets_of
from commonground.evaluation.compared_sets import ComparedSets
from commonground.evaluation.comparison_result import ErrorCost
from commonground.evaluation.prepared_relations import PreparedRelations
from commonground.evaluation.prepared_trees import PreparedTrees
from commonground.evaluation.protocols import PROTOCOLS
from commonground.ground.functions import to_functions
from commonground.ground.planting import KINDS, Planting, plant
from commonground.ground.related_yields import tree_relations
from commonground.ground.yields import yields_of
from commonground.metrics.functions.common_phrases import phrase_counts
from commonground.metrics.metric import recall

__all__ = ["error_costs", "floor", "know_no_relations", "know_nothing"]

Numbers = NDArray[np.int64]

MOST = 600
"""Number of sentences for the floor, and for planted errors."""

_ERRORS, _FEWEST = 150, 20
"""Numbers of planted errors of each kind: wanted, and needed so that their cost is no chance."""


def floor(study: PreparedTrees) -> dict[str, float]:
    """Return the best score of trees that know nothing, by metric; of unlabelled ones only.

    >>> from commonground import compare
    >>> result = compare({"a": ("example:ud",) * 2, "b": ("example:ptb",) * 2}).floor
    >>> {name: round(score, 2) for name, score in result.items()}
    {'common_attached': 0.02, 'common_unlabelled': 0.19, 'multiple_unlabelled': 0.89}
    """
    if study.protocol is not PROTOCOLS["2012"]:
        return {}
    golds, general, _ = _sample(study)
    parses = know_nothing(golds[0])
    multiple = [
        study.scores(parse, gold, general).unlabelled.value for parse in parses for gold in golds
    ]
    counts = phrase_counts(golds, [(parse, 0) for parse in parses])
    by_metric: dict[str, list[float | None]] = {}
    for kind in ("attached", "unlabelled"):
        totals = [each[kind].totals for each in counts]
        by_metric[f"common_{kind}"] = [recall(each) if each["gold"] else None for each in totals]
    by_metric["multiple_unlabelled"] = multiple
    if study.relations:
        by_metric["relations_unlabelled"] = _relations_of_nothing(study.relations)
    known = {name: [v for v in values if v is not None] for name, values in by_metric.items()}
    return {name: max(values) for name, values in known.items() if values}


def _relations_of_nothing(relations: PreparedRelations) -> list[float | None]:
    """Return what trees find that know nothing of the relations of all gold standards."""
    golds, general, _ = _sample(relations)
    values: list[float | None] = []
    for parse in know_no_relations(golds[0]):
        counts = relations.scores(parse, golds[0], general).unlabelled.counts.totals
        values.append(counts["correct"] / counts["gold"] if counts["gold"] else None)
    return values


def know_no_relations(model: Functions) -> list[Functions]:
    """Return relations over the words of others: all on the first or last word, and chains."""
    lengths = ((model.words.lengths - 1) // 2).tolist()
    shapes: list[Callable[[int], list[int]]] = [
        lambda n: [0] + [1] * (n - 1),
        lambda n: [n] * (n - 1) + [0],
        lambda n: list(range(n)),
        lambda n: [*range(2, n + 1), 0],
    ]
    trees = []
    for shape in shapes:
        rows = [(["_"] * n, shape(n)[:n], ["_"] * n) for n in lengths]
        tree = Dependencies.of(rows)
        trees.append(tree_relations(tree, to_functions(tree)))
    return trees


def know_nothing(model: Functions) -> list[Functions]:
    """Return trees over the words of others: flat, and branching to the left and to the right."""
    words, place = model.words, model.words.row_in_sentence() + 1
    last = np.repeat(words.lengths, words.lengths)
    shapes = [(place, place), (np.ones_like(place), place), (place, last)]
    trees = []
    for first, end in shapes:
        rows = np.concatenate([np.arange(len(place))] * 2)
        order = np.argsort(rows, kind="stable")
        begins = np.concatenate([place, first])[order]
        yields = yields_of(begins, np.concatenate([place, end])[order], {})
        label = Strings.constant("", len(yields))
        nodes = Table(offsets_of(2 * words.lengths), yields=yields, label=label)
        trees.append(Functions({**model.tables, "nodes": canonical(nodes)}))
    return trees


def error_costs(study: PreparedTrees, seed: int = 0) -> dict[str, ErrorCost]:
    """Return what the same errors cost in each gold standard, by metric.

    Of the kinds of errors, it is the one whose costs differ most. Nothing is told where there is
    only one gold standard, or none that errors could be planted in.
    """
    if study.protocol is not PROTOCOLS["2012"] or len(study.own_golds) < 2:
        return {}
    golds, general, _ = _sample(study)
    worst: dict[str, ErrorCost] = {}
    for kind in KINDS:
        planting = plant(golds, seed=seed, most=_ERRORS, kinds=[kind])
        if len(planting.sentences) < _FEWEST:
            continue
        for metric, costs in _costs(study, golds, general, planting).items():
            cost = ErrorCost(kind, dict(zip(study.own_golds, costs, strict=True)))
            if min(costs) > 0 and (metric not in worst or cost.ratio < worst[metric].ratio):
                worst[metric] = cost
    return worst


def _costs(
    study: PreparedTrees, golds: Sequence[Functions], general: Functions, planting: Planting
) -> dict[str, list[float]]:
    """Return what planted errors take from the scores of each gold standard, by metric."""
    golds = [gold.take(planting.sentences) for gold in golds]
    general = general.take(planting.sentences)
    parses = [study.protocol.trees(tree, study.settings.label) for tree in planting.trees]
    counts = phrase_counts(golds, [(parse, place) for place, parse in enumerate(parses)])
    by_metric: dict[str, list[float]] = {}
    for parse, gold, phrases in zip(parses, golds, counts, strict=True):
        values = {f"common_{k}": recall(phrases[k].totals) for k in ("attached", "unlabelled")}
        scores = study.scores(parse, gold, general)
        labels = scores.labelled.counts.totals
        values |= {"common_labelled": recall(labels)} if labels["gold"] else {}
        for kind, score in scores.both.items():
            values |= {f"multiple_{kind}": score.value} if score.value is not None else {}
        for metric, value in values.items():
            by_metric.setdefault(metric, []).append(1 - value)
    return {metric: costs for metric, costs in by_metric.items() if len(costs) == len(golds)}


def _sample(study: ComparedSets) -> tuple[list[Functions], Functions, Numbers]:
    """Return some sentences of all gold standards, what they have in common, and their places."""
    golds, general = [study.golds[n] for n in study.own_golds], study.generalized(study.own_golds)
    places = np.arange(len(general))
    if len(places) > 2 * MOST:
        places = places[:: len(places) // MOST]
        golds, general = [gold.take(places) for gold in golds], general.take(places)
    return golds, general, places
