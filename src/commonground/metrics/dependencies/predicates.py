"""Predicates and arguments: semantic F1 of CoNLL-2008 and -2009, as the scorer eval09.pl counts.

What is counted are semantic dependencies: from each predicate to each of its arguments, with the
role as label, and from nowhere to each predicate, with its sense. The sense of ``sing.01`` is
``01``, which equals ``1``; without a dot, it is the whole text. A word without a sense is no
predicate, whatever FILLPRED says.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.corpus.predicates import propositions
from commonground.metrics.dependencies.attachment import las, uas
from commonground.metrics.dependencies.comparison import ROOT, Comparison
from commonground.metrics.dependencies.labelled_arcs import LabelledArcs, arcs_in_common
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric, Totals, f1, precision, ratio, recall
from commonground.metrics.once_per_comparison import once_per_comparison

__all__ = ["METRICS", "semantic", "sense_of", "senses", "whole_propositions"]

_DOTTED = re.compile(r"[^.]+\.([^.]+)")
_NUMBER = re.compile("[0-9]+")


def sense_of(predicate: str) -> str:
    """Return the sense of a predicate as it is compared.

    >>> [sense_of(text) for text in ("sing.01", "sing.1", "zpívat", "v-w1.f2.x", "no.x")]
    ['1', '1', 'zpívat', 'v-w1.f2.x', 'x']
    """
    match = _DOTTED.fullmatch(predicate)
    sense = match[1] if match else predicate
    return sense.lstrip("0") or "0" if _NUMBER.fullmatch(sense) else sense


def semantic(pair: Comparison, *, labelled: bool) -> Items:
    """Count the semantic dependencies that are right."""
    return arcs_in_common(pair, *_sides(pair), _itself if labelled else lambda _: "")


def senses(pair: Comparison) -> Items:
    """Count the predicates that are found with the right sense."""
    gold, system = (side.where(side.head == ROOT) for side in _sides(pair))
    return arcs_in_common(pair, gold, system, _itself)


def whole_propositions(pair: Comparison) -> Items:
    """Count the predicates that have the right sense and all arguments right, and no others."""
    rows = (np.arange(pair.gold.words.rows), pair.gold_of_system)
    gold, system = map(_with_arguments, _sides(pair), rows)
    return arcs_in_common(pair, gold, system, _itself)


def _itself(label: str) -> str:
    return label


@once_per_comparison
def _sides(pair: Comparison) -> tuple[LabelledArcs, LabelledArcs]:
    return _arcs(pair.gold), _arcs(pair.system)


def _arcs(corpus: Dependencies) -> LabelledArcs:
    arcs: list[tuple[int, int]] = []
    labels: list[str] = []
    every = propositions(corpus) or ()
    for start, (predicates, arguments) in zip(corpus.offsets.tolist(), every, strict=False):
        known = {place: sense_of(text) for place, text in predicates.items() if text != "_"}
        arcs += [(start + place, ROOT) for place in known]
        labels += known.values()
        for predicate, argument, label in arguments:
            if predicate in known:
                arcs.append((start + argument, start + predicate))
                labels.append(label)
    word, head = np.array(arcs, np.int64).reshape(-1, 2).T
    return LabelledArcs(word, head, Strings.of(labels))


def _with_arguments(side: LabelledArcs, row: NDArray[np.int64]) -> LabelledArcs:
    """Return the arcs to predicates, labelled with senses and arguments (at these rows)."""
    arguments: defaultdict[int, list[str]] = defaultdict(list)
    labels = side.label.tolist()
    words, heads = side.word.tolist(), side.head.tolist()
    for word, head, label in zip(words, heads, labels, strict=True):
        if head != ROOT:
            arguments[head].append(f"{row[word]} {label}")
    predicates = side.where(side.head == ROOT)
    every = zip(predicates.label.tolist(), predicates.word.tolist(), strict=True)
    texts = ["\t".join([sense, *sorted(arguments[word])]) for sense, word in every]
    return LabelledArcs(predicates.word, predicates.head, Strings.of(texts))


def _with_exact(pair: Comparison) -> Items:
    items = semantic(pair, labelled=True)
    counts = items.counts.columns
    same = (counts["correct"] == counts["gold"]) & (counts["gold"] == counts["system"])
    columns = {"exact": same.astype(np.int64), "all": np.ones(len(same), np.int64)}
    return replace(items, further=columns)


def _with_syntax(pair: Comparison, *, labelled: bool) -> Items:
    items = semantic(pair, labelled=labelled)
    counts = (las if labelled else uas)(pair).counts.columns
    return replace(items, further={"attached": counts["correct"], "words": counts["gold"]})


def _macro(totals: Totals) -> float:
    attached = ratio(totals["attached"], totals["words"])
    # Who finds no predicate gets nothing for the precision of these, as in the script.
    shares = (ratio(totals["correct"], totals[side], empty=0.0) for side in ("system", "gold"))
    both = [(share + attached) / 2 for share in shares]
    return ratio(2 * both[0] * both[1], both[0] + both[1], empty=0.0)


_HAJIC = "From: Hajič et al. (2009), The CoNLL-2009 Shared Task; the script eval09.pl."
_EXAMPLE = (
    "Example: gold sing.01 with A0 birds, parse sing.02 with A0 birds: of the two semantic "
    "dependencies (to the predicate, to the argument) "
)
_FORMULAS = (("precision", "P", precision), ("recall", "R", recall), ("f1", "F1", f1))

METRICS = (
    *(
        Metric(
            f"semantic_{'' if labelled else 'unlabelled_'}{name}",
            f"Sem. {'' if labelled else 'unl. '}{sign}",
            partial(semantic, labelled=labelled),
            f"{sign} of {'labelled' if labelled else 'unlabelled'} semantic dependencies: from "
            "predicates to their arguments, and from nowhere to each predicate, labelled with its "
            f"sense.\n{_HAJIC}\n{_EXAMPLE}{'one is' if labelled else 'both are'} right.",
            formula,
        )
        for labelled in (True, False)
        for name, sign, formula in _FORMULAS
    ),
    Metric(
        "semantic_sense_f1",
        "Sense F1",
        senses,
        "F1 of predicates: the word is a predicate, and has the right sense.\n"
        f"{_HAJIC}\n{_EXAMPLE}the sense is wrong: 0.",
    ),
    Metric(
        "semantic_proposition_f1",
        "Prop. F1",
        whole_propositions,
        "F1 of propositions: a predicate with its sense and all its arguments with their roles.\n"
        f"{_HAJIC}\n{_EXAMPLE}one is right: 0.",
    ),
    Metric(
        "semantic_exact_match",
        "Sem. exact",
        _with_exact,
        "The share of sentences with all labelled semantic dependencies right, and no others.\n"
        f"{_HAJIC}\n{_EXAMPLE}one is right: 0.",
        lambda totals: ratio(totals["exact"], totals["all"]),
    ),
    *(
        Metric(
            f"semantic_{'' if labelled else 'unlabelled_'}macro_f1",
            f"Macro {'' if labelled else 'unl. '}F1",
            partial(_with_syntax, labelled=labelled),
            "Syntax and semantics with equal weight: F1 of P and R, each the mean of the "
            f"semantic one and {'LAS' if labelled else 'UAS'}.\n{_HAJIC}\nExample: LAS 0.9, "
            "semantic P 0.8 and R 0.7: P 0.85, R 0.8, F1 0.82.",
            _macro,
        )
        for labelled in (True, False)
    ),
)
