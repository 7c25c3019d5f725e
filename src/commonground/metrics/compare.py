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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from commonground import __version__
from commonground.corpus import Corpus, Functions
from commonground.errors import InputError, UsageError
from commonground.formats.objects import as_corpus
from commonground.ground import functions_of, generalize
from commonground.ground.scripts import Explanation, explain
from commonground.ground.units import CommonUnits, in_common_units
from commonground.metrics.evaluate import evaluate
from commonground.metrics.items import Items
from commonground.metrics.result import Score
from commonground.metrics.settings import Settings
from commonground.metrics.tedeval import METRICS, tedeval_items

__all__ = ["CompareResult", "Explained", "SchemeResult", "Scores", "compare", "explain_sentence"]


@dataclass(frozen=True)
class Scores:
    """TedEval of one comparison, labelled and unlabelled."""

    labelled: Score
    unlabelled: Score

    def to_json(self) -> dict[str, Any]:
        """Return both scores with their counts, as JSON has them."""
        return {
            "labelled": self.labelled.value,
            "unlabelled": self.unlabelled.value,
            "counts": {
                "labelled": self.labelled.counts.totals,
                "unlabelled": self.unlabelled.counts.totals,
            },
        }


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
            "single": self.single.to_json(),
            "multiple": self.multiple.to_json(),
            "against": {name: scores.to_json() for name, scores in self.against.items()},
            "native": {
                name: {metric: score.to_json() for metric, score in scores.items()}
                for name, scores in self.native.items()
            },
            "subsets": {
                "+".join(names): scores.to_json() for names, scores in self.subsets.items()
            },
        }


@dataclass(frozen=True)
class CompareResult:
    """What was found about all systems, the overlap of their theories, and the signature."""

    signature: str
    systems: tuple[SchemeResult, ...]
    overlap: dict[tuple[str, str], Scores]
    skipped: tuple[str, ...]

    def __getitem__(self, name: str) -> SchemeResult:
        return next(system for system in self.systems if system.name == name)

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        found: dict[str, Any] = {
            "signature": self.signature,
            "systems": [system.to_json() for system in self.systems],
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
    head: str = "hd",
    functions: Sequence[str] | None = None,
) -> CompareResult:
    """Compare parsers, each with its own gold standard: ``{name: (gold, parse)}``.

    Treebanks are corpora, paths, or what :func:`as_corpus` knows. `settings` say which labels are
    the same, and what to do with sentences that do not fit.

    >>> from commonground.corpus import Dependencies
    >>> from commonground.formats import read_text
    >>> ud = Dependencies.of([(["Birds", "sing"], [2, 0], ["SBJ", "root"])])
    >>> ptb = read_text("(S (NP-SBJ (NNS Birds)) (VP (VBP sing)))")
    >>> result = compare({"ud": (ud, ud), "ptb": (ptb, ptb)})
    >>> result["ud"].multiple.labelled.value, result.overlap["ptb", "ud"].unlabelled.value
    (1.0, 1.0)
    """
    study = _study(systems, settings, head, functions)
    return CompareResult(
        signature=_signature(study),
        systems=tuple(_scheme(study, name) for name in study.names),
        overlap={
            (one, other): study.scores(study.golds[one], study.golds[other])
            for one, other in combinations(sorted(study.names), 2)
        },
        skipped=tuple(study.first.sent_id[study.units.skipped].tolist()),
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
    head: str = "hd",
    functions: Sequence[str] | None = None,
) -> list[Explained]:
    """Return for each system the trees of a sentence, the edit scripts and what is forgiven."""
    study = _study(systems, settings, head, functions)
    place = study.place(sent_id)
    general = study.generalized(study.names)[place : place + 1]
    found = []
    for name in study.names:
        parse, gold = (
            study.relabelled(side[name][place : place + 1]) for side in (study.parses, study.golds)
        )
        (explanation,) = explain(parse, gold, general, relabel=False)
        found.append(Explained(name, parse, gold, general, explanation))
    return found


def _study(
    systems: Mapping[str, tuple[Any, Any]],
    settings: Settings | None,
    head: str,
    functions: Sequence[str] | None,
) -> _Study:
    if len(systems) < 2:
        raise UsageError("compare needs at least two systems; evaluate scores one")
    corpora = {name: (as_corpus(gold), as_corpus(parse)) for name, (gold, parse) in systems.items()}
    return _Study(corpora, settings or Settings(), head, functions)


class _Study:
    """All corpora as function trees over common units."""

    def __init__(
        self,
        corpora: dict[str, tuple[Corpus, Corpus]],
        settings: Settings,
        head: str,
        functions: Sequence[str] | None,
    ) -> None:
        self.corpora = corpora
        self.settings = settings
        self.names = tuple(corpora)
        self.head = head
        self.functions = functions
        self.first = next(iter(corpora.values()))[0]

    @cached_property
    def units(self) -> CommonUnits:
        """The function trees of all golds and parses, in this order."""
        sides = [
            side for place in (0, 1) for side in (pair[place] for pair in self.corpora.values())
        ]
        trees = [functions_of(side, head=self.head, functions=self.functions) for side in sides]
        return in_common_units(sides, trees, on_mismatch=self.settings.on_mismatch)

    @cached_property
    def golds(self) -> dict[str, Functions]:
        """The gold trees by name."""
        return dict(zip(self.names, self.units.trees[: len(self.names)], strict=True))

    @cached_property
    def parses(self) -> dict[str, Functions]:
        """The parses by name."""
        return dict(zip(self.names, self.units.trees[len(self.names) :], strict=True))

    @cached_property
    def equivalent(self) -> dict[str, str]:
        """Which labels stand for others."""
        texts = {text for tree in self.units.trees for text in tree.label.vocabulary}
        labels = {text: self.settings.label(text) for text in texts}
        return {text: label for text, label in labels.items() if text != label}

    def relabelled(self, tree: Functions) -> Functions:
        """Return function trees with labels as they are compared."""
        return generalize(tree, equivalent=self.equivalent)

    def place(self, sent_id: str) -> int:
        """Return where a sentence is among those that are compared."""
        try:
            place = self.first.index(sent_id)
        except KeyError as error:
            raise UsageError(str(error.args[0])) from error
        if place in self.units.skipped:
            raise UsageError(f"sentence {sent_id} was left out: its words differ too much")
        return int(np.searchsorted(self.units.kept, place))

    def generalized(self, names: Sequence[str]) -> Functions:
        """Return what some gold standards agree on."""
        return generalize(*(self.golds[name] for name in names), equivalent=self.equivalent)

    def scores(self, parse: Functions, own: Functions, gold: Functions | None = None) -> Scores:
        """Return TedEval of a parse."""

        def items(*, labelled: bool) -> Items:
            return tedeval_items(
                parse,
                own,
                gold,
                labelled=labelled,
                equivalent=self.equivalent if labelled else None,
            )

        found = items(labelled=True), items(labelled=False)
        return Scores(*(Score(m, i.counts, i) for m, i in zip(METRICS, found, strict=True)))


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
        "protocol": "tedeval-2012",
        "head": study.head,
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
