"""What a parse has of the relations that all gold standards share, whatever their schemes.

A relation is the words of a head, a label, and the yield of a dependent
(:mod:`commonground.ground.related_yields`). Let G be the relations that all gold standards have, P
those of the parse and O those of its own gold standard; labels count only in *labelled*.

    found     =  |G∩P| / |G|
    labelled  =  the same of relations with their labels
    coverage  =  |G| / |O|
    noise     =  |P ∖ (G∪O)| / |P|
"""

from __future__ import annotations

from commonground.metrics.functions.common_phrases import metric_across_golds, share
from commonground.metrics.items import Counts

__all__ = ["METRICS", "relation_counts"]


def relation_counts(labelled: Counts, unlabelled: Counts, own: Counts) -> dict[str, Counts]:
    """Return the counts of the four scores of a parse.

    `labelled` and `unlabelled` are those of TedEval MULTIPLE, `own` those on the own gold standard.

    >>> import numpy as np
    >>> from commonground.metrics.metric import recall
    >>> def counts(*numbers):
    ...     names = ("correct", "gold", "system", "system_correct")
    ...     return Counts({n: np.array([each]) for n, each in zip(names, numbers)})
    >>> found = relation_counts(counts(2, 4, 6, 5), counts(3, 4, 6, 5), counts(5, 6, 6, 5))
    >>> {name: float(recall(each.totals)) for name, each in found.items() if name != "noise"}
    {'unlabelled': 0.75, 'labelled': 0.5, 'coverage': 0.6666666666666666}
    """
    found, tags, whole = (each.columns for each in (unlabelled, labelled, own))
    return {
        "unlabelled": share(found["correct"], found["gold"]),
        "labelled": share(tags["correct"], tags["gold"]),
        "coverage": share(found["gold"], whole["gold"]),
        "noise": share(found["system"] - found["system_correct"], found["system"]),
    }


METRICS = {
    "unlabelled": metric_across_golds(
        "relations_unlabelled",
        "Relations, found",
        "Of the relations (head words, yield of the dependent) that all gold standards have, how "
        "many the parse has.",
    ),
    "labelled": metric_across_golds(
        "relations_labelled",
        "Relations, labelled",
        "Of the labelled relations that all gold standards have, how many the parse has.",
    ),
    "coverage": metric_across_golds(
        "relations_coverage",
        "Relations, coverage",
        "Of the relations of the own gold standard, how many all gold standards have.",
    ),
    "noise": metric_across_golds(
        "relations_noise",
        "Relations, noise",
        "Of the relations of the parse, how many neither its own nor all gold standards have.",
        higher_is_better=False,
    ),
}
"""The scores on common relations, by their names in JSON. All are a part (correct) of a whole
(gold)."""
