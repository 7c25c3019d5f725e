"""How far several analyses of the same words agree, without any parser.

Every analysis is scored against every other one as if that were the gold standard: with attachment
scores, the undirected score, NED and TedEval. The share of heads that two schemes have in common is
the highest attachment score that a perfect parser of one scheme can get on the other; what NED and
TedEval say shows how much of the difference lies in turned edges only. (Schwartz 2011, section 5.3:
two conversions of the same treebank agree by 85.6 % in heads, 90.3 % undirected, 95.3 % in NED.)

Beside these stands agreement corrected for chance, of trees (:mod:`commonground.evaluation.alpha`)
and of columns (:mod:`commonground.evaluation.column_agreement`), and where analyses differ
(:mod:`commonground.evaluation.differences`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, ClassVar

from commonground.corpus import Corpus, Dependencies, Graphs
from commonground.corpus.fingerprint import fingerprint
from commonground.errors import UsageError, setting
from commonground.evaluation.alpha import Alpha
from commonground.evaluation.alpha import alpha as alpha_of
from commonground.evaluation.column_agreement import ColumnAgreement, column_agreement
from commonground.evaluation.differences import Differences, differences
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.graph_agreement import (
    OF_GRAPHS,
    PieceAgreement,
    one_framework,
    overlaps,
    piece_agreement,
    refuse_across,
    refuse_for_graphs,
)
from commonground.evaluation.metric_score import Score
from commonground.evaluation.protocols import ComparisonTerms
from commonground.evaluation.result import MEMORY, Result, System
from commonground.evaluation.scoring import signature_of
from commonground.evaluation.signature import short_form, signature
from commonground.formats.objects import as_corpus
from commonground.ground.inventory import recognise_inventory
from commonground.metrics.confusion import ConfusionCell
from commonground.metrics.dependencies.comparison import Comparison
from commonground.metrics.metric import Metric
from commonground.metrics.settings import Settings

__all__ = ["DEFAULT", "Agreement", "agreement", "scheme_agreement"]

DEFAULT = ("uas", "las", "undirected", "ned", "tedeval_unlabelled", "tedeval")
"""The metrics that are computed when none is asked for."""


@dataclass(frozen=True, repr=False)
class Agreement(Result):
    """The scores of every analysis against every other: ``scores[gold, other][metric]``.

    If they were asked for, `alphas` has α of each pair, with labels and without, `differences`
    where pairs differ by some property, `confusions` their labels, and `columns` their agreement in
    each column. These have each pair once. `pieces` are those of graphs by some property.
    `inventories` are those of the labels where there are several; labels are compared as they are.
    `left_out` are the sentences that a pair was not compared on, because only one of them has them
    or their words differ.
    """

    kind: ClassVar[str] = "agreement"
    verb: ClassVar[str] = "agreement"

    signature: str
    names: tuple[str, ...]
    metrics: tuple[Metric, ...]
    scores: dict[tuple[str, str], dict[str, Score]]
    alphas: dict[tuple[str, str], tuple[Alpha, Alpha]] = field(default_factory=dict)
    differences: tuple[Differences, ...] = ()
    confusions: dict[tuple[str, str], list[ConfusionCell]] = field(default_factory=dict)
    inventories: tuple[str, ...] = ()
    left_out: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    columns: tuple[ColumnAgreement, ...] = ()
    pieces: tuple[PieceAgreement, ...] = ()

    def value(self, metric: str, gold: str, other: str) -> float | None:
        """Return the score of one analysis where another one is the gold standard."""
        return self.scores[gold, other][metric].value

    def symmetric(self, metric: str) -> bool:
        """Tell whether it makes no difference which analysis is the gold standard.

        Where all words count, it makes none for the attachment scores, the undirected score and
        TedEval; it does for NED.
        """
        return all(
            self.value(metric, gold, other) == self.value(metric, other, gold)
            for gold, other in self.scores
        )

    def to_json(self) -> dict[str, Any]:
        """Return the agreement as JSON has it."""
        return {
            "kind": self.kind,
            "signature": self.signature,
            "analyses": list(self.names),
            "symmetric": [metric.name for metric in self.metrics if self.symmetric(metric.name)],
            "pairs": [
                {
                    "gold": gold,
                    "other": other,
                    "metrics": {name: score.to_json() for name, score in scores.items()},
                }
                for (gold, other), scores in self.scores.items()
            ],
            **self._more(),
        }

    def _more(self) -> dict[str, Any]:
        """Return what was asked for beside the scores as JSON has it."""
        parts: dict[str, Any] = {}
        if self.alphas:
            parts["alpha"] = [
                {
                    "analyses": list(pair),
                    "labelled": labelled.to_json(),
                    "unlabelled": unlabelled.to_json(),
                }
                for pair, (labelled, unlabelled) in self.alphas.items()
            ]
        if self.differences:
            parts["differences"] = [each.to_json() for each in self.differences]
        if self.pieces:
            parts["pieces"] = [each.to_json() for each in self.pieces]
        if self.columns:
            parts["columns"] = [each.to_json() for each in self.columns]
        if self.inventories:
            parts["inventories"] = list(self.inventories)
        if self.left_out:
            parts["left_out"] = [
                {"analyses": list(pair), "sentences": list(ids)}
                for pair, ids in self.left_out.items()
            ]
        if self.confusions:
            parts["confusions"] = [
                {
                    "one": one,
                    "other": other,
                    "cells": [
                        {
                            "one": cell.gold,
                            "other": cell.system,
                            "words": cell.count,
                            "examples": [list(example) for example in cell.examples],
                        }
                        for cell in cells
                    ],
                }
                for (one, other), cells in self.confusions.items()
            ]
        return parts

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Agreement:
        """Return the agreement that JSON holds."""
        from commonground.evaluation.agreement_json import agreement_from  # noqa: PLC0415  # seldom

        return agreement_from(data, path)

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each pair of analyses and metric."""
        return [
            {"gold": gold, "other": other, "metric": name, "score": score.value}
            for (gold, other), scores in self.scores.items()
            for name, score in scores.items()
        ]

    def __repr__(self) -> str:
        lines = [repr(System(f"{g} – {o}", scores)) for (g, o), scores in self.scores.items()]
        return "\n".join([*lines, short_form(self.signature)])


def agreement(
    analyses: Mapping[str, Any],
    *,
    metrics: Sequence[str | Metric] | None = None,
    settings: Settings | None = None,
    alpha: bool = False,
    by: Sequence[str] = (),
    confusion: bool = False,
    columns: bool = False,
    seed: int = 0,
    watch: Callable[[int], None] = lambda _: None,
) -> Agreement:
    """Score several analyses of the same words, by name, against each other.

    Analyses are dependency treebanks or graphs of meaning, or their paths. Graphs of different
    frameworks, and graphs and trees, are compared by what they share, yields and relations; for
    constituents, and across kinds of trees, :func:`commonground.compare` computes it.

    With `alpha`, agreement is also corrected for chance, over all words; `by` are properties
    (``construction``, ``deprel``, …) to count the differences of each pair by, `confusion` counts
    pairs of labels, and `columns` asks for the agreement in each column and feature. `watch` is
    called with the number of analyses done.

    >>> words = "I want to eat".split()
    >>> content = Dependencies.of([(words, [2, 0, 4, 2], ["s", "r", "m", "x"])])
    >>> function = Dependencies.of([(words, [2, 0, 2, 3], ["s", "r", "x", "m"])])
    >>> result = agreement({"content": content, "function": function})
    >>> [result.value(metric, "content", "function") for metric in ("uas", "undirected", "ned")]
    [0.5, 0.75, 1.0]
    """
    if len(analyses) < 2:
        raise UsageError("an agreement needs at least two analyses")
    settings = settings or Settings()
    if settings.on_mismatch == "zero":  # the gold standard stands for what is missing, and agrees
        raise UsageError(
            f"an agreement has no parses; {setting('on_mismatch')} can be fail, skip or realign"
        )
    given = {name: as_corpus(each) for name, each in analyses.items()}
    if any(isinstance(corpus, Graphs) for corpus in given.values()):
        refuse_for_graphs(alpha=alpha, confusion=confusion, columns=columns)
        if not one_framework(given.values()):
            refuse_across(metrics, by)
            return _across(given, settings, watch)
        return _of_graphs(given, metrics or OF_GRAPHS, settings, by, watch)
    corpora = {name: _dependencies(name, corpus) for name, corpus in given.items()}
    systems = _scored(corpora, metrics or DEFAULT, settings, watch)
    pairs = list(combinations(corpora, 2))
    result = _result(systems, corpora, settings)
    return replace(
        result,
        alphas={pair: _alphas(systems[pair].comparison, seed) for pair in pairs if alpha},
        differences=tuple(
            differences(*pair, systems[pair].comparison, name) for pair in pairs for name in by
        ),
        confusions={pair: systems[pair].confusion() for pair in pairs if confusion},
        inventories=_inventories(corpora.values()),
        columns=tuple(
            each
            for pair in pairs
            if columns
            for each in column_agreement(*pair, systems[pair].comparison)
        ),
    )


Pairs = Mapping[tuple[str, str], System]


def _scored(
    corpora: Mapping[str, Corpus],
    metrics: Sequence[str | Metric],
    settings: Settings,
    watch: Callable[[int], None],
) -> Pairs:
    """Return the scores of every analysis with every other one as the gold standard."""
    systems = {}
    for gold, corpus in corpora.items():
        others = {name: other for name, other in corpora.items() if name != gold}
        scored = evaluate(
            corpus, others, metrics=metrics, settings=settings, check_scheme=False
        ).systems
        systems.update({(gold, system.name): system for system in scored})
        watch(1)
    return systems


def _result(systems: Pairs, corpora: Mapping[str, Corpus], settings: Settings) -> Agreement:
    """Return the agreement that scores tell."""
    scores = {pair: system.scores for pair, system in systems.items()}
    shown = tuple(score.metric for score in next(iter(scores.values())).values())
    pairs = combinations(corpora, 2)
    left_out = {pair: ids for pair in pairs if (ids := _left_out(systems[pair]))}
    # Pairs are many; where nothing was left out, one 0 says so for all.
    some = list(systems.values())[: None if left_out else 1]
    signed = signature_of(settings, some, treebanks=corpora.values())
    return Agreement(signed, tuple(corpora), shown, scores, left_out=left_out)


def _of_graphs(
    corpora: Mapping[str, Corpus],
    metrics: Sequence[str | Metric],
    settings: Settings,
    by: Sequence[str],
    watch: Callable[[int], None],
) -> Agreement:
    """Return the agreement of graphs of one framework."""
    systems = _scored(corpora, metrics, settings, watch)
    pieces = tuple(
        piece_agreement(*pair, systems[pair], name)
        for pair in combinations(corpora, 2)
        for name in by
    )
    return replace(_result(systems, corpora, settings), pieces=pieces)


def _across(
    corpora: Mapping[str, Corpus], settings: Settings, watch: Callable[[int], None]
) -> Agreement:
    """Return what analyses of different kinds or frameworks agree on."""
    scores: dict[tuple[str, str], dict[str, Score]] = {}
    left_out: dict[tuple[str, str], tuple[str, ...]] = {}
    for one in corpora:
        for other in corpora:
            if (other, one) in scores:  # it makes no difference which is the gold standard
                scores[one, other] = scores[other, one]
            elif one != other:
                pair = {name: corpora[name] for name in (one, other)}
                scores[one, other], ids = overlaps(pair, settings)
                left_out |= {(one, other): ids} if ids else {}
        watch(1)
    common = [
        name for name in next(iter(scores.values())) if all(name in s for s in scores.values())
    ]
    scores = {pair: {name: each[name] for name in common} for pair, each in scores.items()}
    signed = signature(
        ComparisonTerms(labels="auto"),
        settings,
        golds=[fingerprint(corpus) for corpus in corpora.values()],
        skipped=sum(map(len, left_out.values())),
    )
    metrics = tuple(score.metric for score in next(iter(scores.values())).values())
    return Agreement(signed, tuple(corpora), metrics, scores, left_out=left_out)


def _left_out(system: System) -> tuple[str, ...]:
    return (*system.skipped, *system.noted.get("extra", ()))


def _inventories(corpora: Iterable[Dependencies]) -> tuple[str, ...]:
    """Return the inventories of labels of some analyses, none where they are the same."""
    inventories = {recognise_inventory(corpus) for corpus in corpora} - {""}
    return tuple(sorted(inventories)) if len(inventories) > 1 else ()


def _alphas(pair: Comparison, seed: int) -> tuple[Alpha, Alpha]:
    """Return α with labels, as far as the settings distinguish them, and without."""
    if not pair.alignment.same_sentences.all():
        raise UsageError(
            "α compares sentences, and these have different bounds; "
            f"{setting('no_alpha')} leaves it out"
        )
    sides = [
        side.replace("words", deprel=side.deprel.map(pair.settings.label))
        for side in (pair.gold, pair.system)
    ]
    labelled, unlabelled = (alpha_of(sides, labelled=each, seed=seed) for each in (True, False))
    return labelled, unlabelled


def scheme_agreement(  # noqa: PLR0913  # options, by name
    treebank: Any,
    schemes: Sequence[str],
    *,
    source: str = "ud",
    metrics: Sequence[str | Metric] | None = None,
    settings: Settings | None = None,
    alpha: bool = False,
    by: Sequence[str] = (),
    confusion: bool = False,
    columns: bool = False,
    seed: int = 0,
    watch: Callable[[int], None] = lambda _: None,
) -> Agreement:
    """Transform a treebank from the scheme `source` into others, and tell how far these agree.

    `watch` is called with the number of steps that are done: each scheme is one when the treebank
    is transformed into it, and one when it was the gold standard.
    """
    from commonground.schemes.transform import transform  # noqa: PLC0415  # seldom asked for

    corpus = _dependencies("the treebank", as_corpus(treebank))
    analyses = {}
    for scheme in schemes:
        analyses[scheme] = transform(corpus, source, scheme)[0]
        watch(1)
    return agreement(
        analyses,
        metrics=metrics,
        settings=settings,
        alpha=alpha,
        by=by,
        confusion=confusion,
        columns=columns,
        seed=seed,
        watch=watch,
    )


def _dependencies(name: str, corpus: Corpus) -> Dependencies:
    if not isinstance(corpus, Dependencies):
        raise UsageError(
            f"{name} has {corpus.kind}; agreement needs dependencies or graphs (compare computes "
            "the overlap of other trees)"
        )
    return corpus
