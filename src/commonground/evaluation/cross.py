"""Compare parsers across annotation schemes and frameworks.

Every system has a gold standard of its own. All analyses become function trees over common units of
the text; the gold trees are generalized to what they agree on. Then each parse is scored

- SINGLE: against its own gold standard;
- MULTIPLE: against what all gold standards agree on, where nodes that only its own gold standard
  asks for are forgiven (and against every smaller set of gold standards, to see which costs what);
- against every other gold standard as it stands, by TedEval and, where it is of the same kind and
  has the same words, by the metrics of that kind.

The overlap of two theories is the score of one gold standard against the other. Nothing depends on
the order of the systems.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from commonground import __version__
from commonground.corpus import Corpus, Functions
from commonground.corpus.documents import documents
from commonground.corpus.functions import canonical
from commonground.errors import InputError, UsageError
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.result import Result, Score, System
from commonground.formats.objects import as_corpus
from commonground.ground import functions_of, generalize
from commonground.ground.scripts import Explanation, explain
from commonground.ground.units import CommonUnits, in_common_units
from commonground.metrics.functions import tedeval, tedeval_2011
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric
from commonground.metrics.sentences import Sentences
from commonground.metrics.settings import Settings

__all__ = [
    "PROTOCOLS",
    "CompareResult",
    "Explained",
    "SchemeResult",
    "Scores",
    "compare",
    "explain_sentence",
    "named_metrics",
]


@dataclass(frozen=True, slots=True)
class Protocol:
    """A version of the protocol: what it does to trees, golds and parses, and its two metrics.

    `trees` makes the trees that are compared, with labels as they are compared; `common` is what
    gold trees agree on; `items` are the nodes of a parse against a gold standard.
    """

    name: str
    metrics: tuple[Metric, ...]
    trees: Callable[[Functions, Callable[[str], str]], Functions]
    common: Callable[..., Functions]
    items: Callable[..., Items]
    relabel: bool = False


def _relabelled(tree: Functions, label: Callable[[str], str]) -> Functions:
    nodes = canonical(tree.nodes.replace(label=tree.label.map(label)))
    return Functions({**tree.tables, "nodes": nodes})


PROTOCOLS = {
    "2012": Protocol(
        "tedeval-2012", tedeval.METRICS, _relabelled, generalize, tedeval.tedeval_items
    ),
    "2011": Protocol(
        "tedeval-2011",
        tedeval_2011.METRICS,
        tedeval_2011.functional,
        tedeval_2011.common_gold,
        tedeval_2011.tedeval_2011_items,
        relabel=True,
    ),
}
"""Multi-function trees with additions and deletions (2012), or wildcards and relabelling (2011)."""


def named_metrics(columns: Container[str]) -> dict[tuple[str, str], Metric]:
    """Return the metrics of a comparison, by the way of scoring and the kind of labels.

    What was counted tells the protocol: only that of 2011 has costs.

    >>> named_metrics(["cost"])["multiple", "labelled"].name
    'multiple_labelled'
    """
    protocol = PROTOCOLS["2011" if "cost" in columns else "2012"]
    return {
        (way, kind): replace(metric, name=f"{way}_{kind}", title=f"TedEval {way.upper()} ({kind})")
        for way in ("single", "multiple")
        for kind, metric in zip(("labelled", "unlabelled"), protocol.metrics, strict=True)
    }


@dataclass(frozen=True)
class Scores:
    """TedEval of one comparison, labelled and unlabelled."""

    labelled: Score
    unlabelled: Score

    @property
    def both(self) -> dict[str, Score]:
        """The two scores by their names."""
        return {"labelled": self.labelled, "unlabelled": self.unlabelled}

    def to_json(self, *, details: bool = False) -> dict[str, Any]:
        """Return both scores with their counts, with `details` those of each sentence too."""
        found: dict[str, Any] = {name: score.value for name, score in self.both.items()}
        why = {name: score.undefined for name, score in self.both.items() if score.undefined}
        found |= {"undefined": why} if why else {}
        found["counts"] = {name: score.counts.totals for name, score in self.both.items()}
        if details:
            found["by_sentence"] = {n: score.counts.to_json() for n, score in self.both.items()}
        return found


@dataclass(frozen=True)
class SchemeResult:
    """What was found about one system.

    `against` has the scores on each other gold standard as it stands, `native` those of the metrics
    of its kind on each gold standard that it can be scored on, `subsets` MULTIPLE for every set of
    gold standards with its own one in it.
    """

    name: str
    single: Scores
    multiple: Scores
    against: dict[str, Scores]
    native: dict[str, dict[str, Score]]
    subsets: dict[tuple[str, ...], Scores]

    def to_json(self) -> dict[str, Any]:
        """Return the system as JSON has it."""
        return {
            "name": self.name,
            "single": self.single.to_json(details=True),
            "multiple": self.multiple.to_json(details=True),
            "against": {name: scores.to_json() for name, scores in self.against.items()},
            "native": {
                name: {metric: score.to_json() for metric, score in scores.items()}
                for name, scores in self.native.items()
            },
            "subsets": {
                "+".join(names): scores.to_json() for names, scores in self.subsets.items()
            },
        }


@dataclass(frozen=True, repr=False)
class CompareResult(Result):
    """What was found about all systems, the overlap of their theories, and the signature.

    `sentences` are those that all systems were compared on.
    """

    kind: ClassVar[str] = "comparison"

    signature: str
    systems: tuple[SchemeResult, ...]
    overlap: dict[tuple[str, str], Scores]
    skipped: tuple[str, ...]
    sentences: Sentences

    def __repr__(self) -> str:
        return "\n".join([*map(repr, self.tested()), self.signature])

    def __getitem__(self, name: str) -> SchemeResult:
        found = {system.name: system for system in self.systems}
        if name not in found:
            raise UsageError(f"there is no system {name!r}; there are {', '.join(found)}")
        return found[name]

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each system, gold standard and kind of labels."""
        found = []
        for system in self.systems:
            on = {"all": system.multiple, system.name: system.single, **system.against}
            found += [
                {"system": system.name, "gold": gold, "labels": kind, "score": score.value}
                for gold, scores in on.items()
                for kind, score in scores.both.items()
            ]
        return found

    def tested(self) -> tuple[System, ...]:
        """Return the systems with what is fair to be tested between them: MULTIPLE."""
        metrics = named_metrics(self.systems[0].multiple.labelled.counts.columns)
        return tuple(
            System(
                system.name,
                {
                    metric.name: replace(system.multiple.both[kind], metric=metric)
                    for (way, kind), metric in metrics.items()
                    if way == "multiple"
                },
                self.skipped,
                kept=self.sentences,
            )
            for system in self.systems
        )

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        found: dict[str, Any] = {
            "kind": self.kind,
            "signature": self.signature,
            "systems": [
                {**system.to_json(), **self.sentences.to_json()} for system in self.systems
            ],
            "overlap": {
                "+".join(names): scores.to_json() for names, scores in self.overlap.items()
            },
            "tests": [],
        }
        return {**found, "skipped": list(self.skipped)} if self.skipped else found


def compare(
    systems: Mapping[str, tuple[Any, Any]],
    *,
    settings: Settings | None = None,
    functions: Sequence[str] | None = None,
    enhanced: bool = False,
    protocol: str = "2012",
) -> CompareResult:
    """Compare parsers, each with its own gold standard: ``{name: (gold, parse)}``.

    Treebanks are corpora, paths, or what :func:`as_corpus` knows. `settings` say which labels are
    the same, and what to do with sentences that do not fit; `functions` which dash tags of
    constituents count; with `enhanced`, dependencies are their enhanced graphs; `protocol` is that
    of 2012, or that of 2011.

    >>> from commonground.corpus import Dependencies
    >>> from commonground.formats import read_text
    >>> ud = Dependencies.of([(["Birds", "sing"], [2, 0], ["SBJ", "root"])])
    >>> ptb = read_text("(S (NP-SBJ (NNS Birds)) (VP (VBP sing)))")
    >>> result = compare({"ud": (ud, ud), "ptb": (ptb, ptb)})
    >>> result["ud"].multiple.labelled.value, result.overlap["ptb", "ud"].unlabelled.value
    (1.0, 1.0)
    """
    study = _Study(systems, settings or Settings(), functions, protocol, enhanced=enhanced)
    return CompareResult(
        signature=_signature(study),
        systems=tuple(_scheme(study, name) for name in study.names),
        overlap={
            (one, other): study.scores(study.golds[one], study.golds[other])
            for one, other in combinations(sorted(study.names), 2)
        },
        skipped=tuple(study.ids[place] for place in study.units.skipped),
        sentences=study.sentences,
    )


@dataclass(frozen=True, slots=True)
class Explained:
    """A sentence of one system: its function trees, and the edits behind its score."""

    name: str
    parse: Functions
    gold: Functions
    general: Functions
    explanation: Explanation


def explain_sentence(
    systems: Mapping[str, tuple[Any, Any]],
    sent_id: str,
    *,
    settings: Settings | None = None,
    functions: Sequence[str] | None = None,
    enhanced: bool = False,
    protocol: str = "2012",
) -> list[Explained]:
    """Return for each system the trees of a sentence, the edit scripts and what is forgiven."""
    study = _Study(systems, settings or Settings(), functions, protocol, enhanced=enhanced)
    place = study.place(sent_id)
    general = study.generalized(study.names)[place : place + 1]
    found = []
    for name in study.names:
        parse, gold = (side[name][place : place + 1] for side in (study.parses, study.golds))
        (explanation,) = explain(parse, gold, general, relabel=study.protocol.relabel)
        found.append(Explained(name, parse, gold, general, explanation))
    return found


class _Study:
    """All treebanks as the trees that are compared, over common units."""

    def __init__(
        self,
        systems: Mapping[str, tuple[Any, Any]],
        settings: Settings,
        functions: Sequence[str] | None,
        protocol: str,
        *,
        enhanced: bool,
    ) -> None:
        if len(systems) < 2:
            raise UsageError("compare needs at least two systems; evaluate scores one")
        if protocol not in PROTOCOLS:
            raise UsageError(f"there is no protocol {protocol!r}; there are {', '.join(PROTOCOLS)}")
        self.corpora = {
            name: (as_corpus(gold), as_corpus(parse)) for name, (gold, parse) in systems.items()
        }
        self.names = tuple(systems)
        self.settings = settings
        self.functions = functions
        self.enhanced = enhanced
        self.protocol = PROTOCOLS[protocol]

    @cached_property
    def units(self) -> CommonUnits:
        """The function trees of all golds and then of all parses, over common units."""
        pairs = self.corpora.values()
        counts = {
            f"{name}'s {what}": len(side)
            for name, pair in self.corpora.items()
            for what, side in zip(("gold standard", "parse"), pair, strict=True)
        }
        if len(set(counts.values())) > 1:
            told = ", ".join(f"{name} has {count:,}" for name, count in counts.items())
            raise UsageError(f"all treebanks must have the same sentences, but {told}")
        sides = [gold for gold, _ in pairs] + [parse for _, parse in pairs]
        trees = [functions_of(s, functions=self.functions, enhanced=self.enhanced) for s in sides]
        return in_common_units(sides, trees, on_mismatch=self.settings.on_mismatch)

    @cached_property
    def golds(self) -> dict[str, Functions]:
        """The gold trees by name."""
        return self._named(self.units.trees[: len(self.names)])

    @cached_property
    def parses(self) -> dict[str, Functions]:
        """The parses by name."""
        return self._named(self.units.trees[len(self.names) :])

    def _named(self, trees: Sequence[Functions]) -> dict[str, Functions]:
        found = [self.protocol.trees(tree, self.settings.label) for tree in trees]
        return dict(zip(self.names, found, strict=True))

    @cached_property
    def _named_gold(self) -> Corpus:
        """The gold standard that says what sentences are called: one that has their ids, if any."""
        golds = [self.corpora[name][0] for name in sorted(self.names)]
        has_ids = (gold for gold in golds if all(gold.metadata("sent_id")))
        return next(has_ids, golds[0])

    @cached_property
    def ids(self) -> list[str]:
        """The ids of all sentences, those that were left out too."""
        return self._named_gold.sent_id.tolist()

    @cached_property
    def sentences(self) -> Sentences:
        """The sentences that are compared; documents are known if any gold standard names them."""
        kept = self.units.kept
        named = (documents(self.corpora[name][0]) for name in sorted(self.names))
        known = next((names for names in named if names is not None), None)
        return Sentences(
            tuple(self.ids[place] for place in kept),
            () if known is None else tuple(known[kept].tolist()),
        )

    def place(self, sent_id: str) -> int:
        """Return where a sentence is among those that are compared."""
        try:
            place = self._named_gold.index(sent_id)
        except KeyError as error:
            raise UsageError(str(error.args[0])) from error
        if place in self.units.skipped:
            raise UsageError(f"sentence {sent_id} was left out: its words differ too much")
        return int(np.searchsorted(self.units.kept, place))

    def generalized(self, names: Sequence[str]) -> Functions:
        """Return what some gold standards agree on."""
        return self.protocol.common(*(self.golds[name] for name in names))

    def scores(self, parse: Functions, own: Functions, gold: Functions | None = None) -> Scores:
        """Return TedEval of a parse."""
        found = [self.protocol.items(parse, own, gold, labelled=flag) for flag in (True, False)]
        return Scores(
            *(
                Score(metric, items.counts, items, reason=_undefined(items, labelled=labelled))
                for metric, items, labelled in zip(
                    self.protocol.metrics, found, (True, False), strict=True
                )
            )
        )


def _undefined(items: Items, *, labelled: bool) -> str:
    """Say why a score means nothing: a gold standard without a node that a parse could find."""
    if items.counts.totals["gold"]:
        return ""
    what = "label" if labelled else "node"
    return f"the gold standards have no {what} in common"


def _scheme(study: _Study, name: str) -> SchemeResult:
    parse, own = study.parses[name], study.golds[name]
    others = [other for other in study.names if other != name]
    subsets = {
        tuple(sorted((name, *chosen))): study.scores(parse, own, study.generalized((name, *chosen)))
        for size in range(1, len(others) + 1)
        for chosen in combinations(others, size)
    }
    return SchemeResult(
        name,
        single=study.scores(parse, own),
        multiple=subsets[tuple(sorted(study.names))],
        against={other: study.scores(parse, study.golds[other]) for other in others},
        native={
            other: scores
            for other in study.names
            if (scores := _native(study, study.corpora[other][0], study.corpora[name][1]))
        },
        subsets=subsets,
    )


def _native(study: _Study, gold: Corpus, parse: Corpus) -> dict[str, Score]:
    """Return the metrics of a parse's own kind on a gold standard, none where they do not apply."""
    if type(gold) is not type(parse):
        return {}
    try:
        return evaluate(gold, parse, settings=study.settings).systems[0].scores
    except (InputError, UsageError):  # other words: only TedEval can compare them
        return {}


def _signature(study: _Study) -> str:
    settings, found = study.settings, study.units
    parts = {
        "commonground": __version__,
        "protocol": study.protocol.name,
        "graphs": "enhanced" if study.enhanced else "basic",
        "functions": "all" if study.functions is None else ",".join(sorted(study.functions)),
        "labels": "whole" if settings.subtypes else "universal",
        "case": "ignored" if settings.ignore_case else "kept",
        "equivalent": ",".join(f"{a}={b}" for a, b in sorted(settings.equivalent.items()))
        or "none",
        "mismatch": settings.on_mismatch,
        "realigned": str(len(found.realigned)),
        "skipped": str(len(found.skipped)),
    }
    return "|".join(f"{key}:{value}" for key, value in parts.items())
