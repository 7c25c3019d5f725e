"""Compare parsers across annotation schemes and frameworks.

Every system has a gold standard of its own. All analyses become function trees over common units of
the text; the gold trees are generalized to what they agree on. Then each parse is scored

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

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, ClassVar, cast, get_args
from zlib import crc32

import numpy as np

from commonground.corpus import Corpus, Dependencies, Functions, Relations
from commonground.corpus.documents import documents
from commonground.corpus.functions import canonical
from commonground.errors import InputError, UsageError, setting
from commonground.evaluation.evaluate import evaluate
from commonground.evaluation.explanation import Block, explained_blocks
from commonground.evaluation.inventories import Labelling, Translated
from commonground.evaluation.result import Result, Score, System
from commonground.evaluation.signature import short_form, signature, signed
from commonground.formats.objects import as_corpus
from commonground.ground import generalize
from commonground.ground.anchoring import anchored
from commonground.ground.costs import Costs
from commonground.ground.features import expanded
from commonground.ground.graphs import is_unanchored
from commonground.ground.label_map import LabelMap
from commonground.ground.scripts import Explanation, explain
from commonground.ground.units import CommonUnits, in_common_units
from commonground.metrics.dependencies.prepare import compared
from commonground.metrics.functions import tedeval, tedeval_2011, tedeval_original
from commonground.metrics.items import Items
from commonground.metrics.metric import Metric
from commonground.metrics.sentences import Sentences
from commonground.metrics.settings import Settings

__all__ = [
    "PROTOCOLS",
    "SUBSETS",
    "CompareResult",
    "Explained",
    "SchemeResult",
    "Scores",
    "Terms",
    "compare",
    "explain_sentence",
    "named_metrics",
    "original_rows_of",
]


SUBSETS = ("few", "all")
"""For which sets of gold standards MULTIPLE is told: for all pairs, and for triples of up to five
gold standards, besides all of them; or for every set."""

_MOST_FOR_TRIPLES = 5


@dataclass(frozen=True, slots=True)
class Protocol:
    """A version of the protocol: what it does to trees, golds and parses, and its two metrics.

    `trees` makes the trees that are compared, with labels as they are compared; `common` is what
    gold trees agree on; `scoring` makes what compares the nodes of parses with gold trees, given
    what edits cost (it may remember trees, and is made once for a study). An `original` one is that
    of a program, which compares dependencies, word by word, with their own labels.
    """

    name: str
    metrics: tuple[Metric, ...]
    trees: Callable[[Functions, Callable[[str], str]], Functions]
    common: Callable[..., Functions]
    scoring: Callable[[Costs | None], Callable[..., Items]]
    relabel: bool = False
    original: bool = False


def _relabelled(tree: Functions, label: Callable[[str], str]) -> Functions:
    nodes = canonical(tree.nodes.replace(label=tree.label.map(label)))
    return expanded(Functions({**tree.tables, "nodes": nodes}), marked=False)


def _common(*golds: Functions) -> Functions:
    return expanded(generalize(*golds), marked=False)


def _scoring_2012(costs: Costs | None) -> Callable[..., Items]:
    return partial(tedeval.tedeval_items, costs=costs)


def _scoring_original(
    version: tedeval_original.Version, costs: Costs | None
) -> Callable[..., Items]:
    if costs:
        raise UsageError(f"in TedEval {version} every edit costs 1")
    return partial(tedeval_original.original_nodes, version=version)


PROTOCOLS = {
    "2012": Protocol("tedeval-2012", tedeval.METRICS, _relabelled, _common, _scoring_2012),
    "2011": Protocol(
        "tedeval-2011",
        tedeval_2011.METRICS,
        tedeval_2011.functional,
        tedeval_2011.common_gold,
        tedeval_2011.Scoring,
        relabel=True,
    ),
    **{
        f"tedeval-{version}": Protocol(
            f"tedeval-{version}",
            tedeval.METRICS,
            lambda tree, _: tree,
            tedeval_original.original_common,
            partial(_scoring_original, version),
            original=True,
        )
        for version in get_args(tedeval_original.Version)
    },
}
"""Multi-function trees with additions and deletions (2012), or wildcards and relabelling (2011);
and what the original programs compute on dependencies."""


@signed
@dataclass(frozen=True, slots=True)
class Terms:
    """How trees are compared across schemes: by which `protocol`, and what of them counts.

    `functions` are the dash tags of constituents that count, all without any; with `enhanced`,
    dependencies are their enhanced graphs. `labels` are their ``own``, or those of the ``hub``;
    `maps` are the systems whose labels were mapped, with a checksum of the map. `costs` are those
    of edits, where they are not all 1.
    """

    protocol: str = "2012"
    functions: tuple[str, ...] | None = field(default=None, metadata={"key": "function-tags"})
    enhanced: bool = False
    labels: str = "own"
    maps: tuple[str, ...] = field(default=(), metadata={"key": "label-maps"})
    costs: Costs | None = None

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            known = ", ".join(PROTOCOLS)
            raise UsageError(f"there is no protocol {self.protocol!r}; there are {known}")


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

    @property
    def means(self) -> dict[str, float | None]:
        """The means of the scores of sentences, None where a score is undefined."""
        return {
            name: None if score.undefined else float(np.mean(score.by_sentence()))
            for name, score in self.both.items()
        }

    def to_json(self, *, details: bool = False) -> dict[str, Any]:
        """Return both scores with their counts, with `details` those of each sentence too."""
        found: dict[str, Any] = {name: score.value for name, score in self.both.items()}
        found |= {"mean": self.means} if details else {}
        why = {name: score.undefined for name, score in self.both.items() if score.undefined}
        found |= {"undefined": why} if why else {}
        found["counts"] = {name: score.counts.totals for name, score in self.both.items()}
        if details:
            found["by_sentence"] = {n: score.counts.to_json() for n, score in self.both.items()}
        return found


_TESTED = ("uas", "las", "parseval_f1")
"""The native metrics that are tested."""


@dataclass(frozen=True)
class SchemeResult:
    """What was found about one system, whose gold standard is called `gold`.

    `against` has the scores on each other gold standard as it stands, `native` those of the metrics
    of its kind on each gold standard that it can be scored on, `subsets` MULTIPLE for sets of gold
    standards with its own one in it.
    """

    name: str
    gold: str
    single: Scores
    multiple: Scores
    against: dict[str, Scores]
    native: dict[str, dict[str, Score]]
    subsets: dict[tuple[str, ...], Scores]

    def on(self, gold: str) -> Scores:
        """Return the scores on a gold standard as it stands."""
        return self.single if gold == self.gold else self.against[gold]

    def to_json(self) -> dict[str, Any]:
        """Return the system as JSON has it."""
        return {
            "name": self.name,
            "gold": self.gold,
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

    `sentences` are those that all systems were compared on. `translated` tells how the labels of
    the gold standards became those of the hub, where they did; `remarks` what of f-structures could
    not be anchored in the words.
    """

    kind: ClassVar[str] = "comparison"

    signature: str
    systems: tuple[SchemeResult, ...]
    overlap: dict[tuple[str, str], Scores]
    skipped: tuple[str, ...]
    sentences: Sentences
    translated: dict[str, Translated] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "\n".join([*map(repr, self.tested()), short_form(self.signature)])

    def __getitem__(self, name: str) -> SchemeResult:
        found = {system.name: system for system in self.systems}
        if name not in found:
            raise UsageError(f"there is no system {name!r}; there are {', '.join(found)}")
        return found[name]

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each system, gold standard and kind of labels."""
        found = []
        for system in self.systems:
            on = {"all": system.multiple, system.gold: system.single, **system.against}
            found += [
                {"system": system.name, "gold": gold, "labels": kind, "score": score.value}
                for gold, scores in on.items()
                for kind, score in scores.both.items()
            ]
        return found

    @property
    def golds(self) -> dict[str, list[str]]:
        """The systems that have each gold standard."""
        found: dict[str, list[str]] = {}
        for system in self.systems:
            found.setdefault(system.gold, []).append(system.name)
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

    def rows(self) -> dict[str, tuple[System, ...]]:
        """Return what can be tested besides MULTIPLE: SINGLE, pairs of golds, and native metrics.

        SINGLE of systems with different gold standards tells a gap between experiments, not between
        parsers; on what two gold standards agree on, only the systems that have them are scored.
        Native metrics are those of a gold standard on the parses of its kind, of other schemes too.
        """
        metrics = named_metrics(self.systems[0].multiple.labelled.counts.columns)
        found = {"SINGLE": [(system, system.single) for system in self.systems]}
        sets = {names for system in self.systems for names in system.subsets}
        for names in sorted(sets):
            if len(names) == 2 < len(self.golds):
                scored = [(s, s.subsets[names]) for s in self.systems if names in s.subsets]
                found[f"MULTIPLE of {' + '.join(names)}"] = scored
        rows = {
            title: tuple(
                System(
                    system.name,
                    {
                        metric.name: replace(scores.both[kind], metric=metric)
                        for (way, kind), metric in metrics.items()
                        if way == ("single" if title == "SINGLE" else "multiple")
                    },
                    self.skipped,
                    kept=self.sentences,
                )
                for system, scores in scored
            )
            for title, scored in found.items()
        }
        return rows | self._native_rows()

    def _native_rows(self) -> dict[str, tuple[System, ...]]:
        """Return the native metrics on each gold standard that several parses have them on."""
        found = {}
        for gold in self.golds:
            scored = {
                system.name: {metric: native[metric] for metric in _TESTED if metric in native}
                for system in self.systems
                if (native := system.native.get(gold, {}))
            }
            systems = tuple(
                System(name, native, self.skipped, kept=self.sentences)
                for name, native in scored.items()
                if {len(score.counts) for score in native.values()} == {len(self.sentences.ids)}
            )
            if len(systems) > 1:
                found[f"native metrics on {gold}"] = systems
        return found

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
        if self.translated:
            found["labels"] = {name: each.to_json() for name, each in self.translated.items()}
        if self.remarks:
            found["remarks"] = list(self.remarks)
        return {**found, "skipped": list(self.skipped)} if self.skipped else found

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = "<memory>") -> CompareResult:
        """Return the comparison that JSON holds, SINGLE and MULTIPLE by sentence."""
        from commonground.evaluation.restored import comparison_of  # noqa: PLC0415  # only for saved ones

        return comparison_of(data, path)


def compare(
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
) -> CompareResult:
    """Compare parsers, each with its own gold standard: ``{name: (gold, parse)}``.

    Treebanks are corpora, paths, or what :func:`as_corpus` knows. `settings` say which labels are
    the same, and what to do with sentences that do not fit; `functions` which dash tags of
    constituents count; with `enhanced`, dependencies are their enhanced graphs; `protocol` is that
    of 2012, that of 2011, or what a version of the original program computes on dependencies
    (``tedeval-2.1``, ``tedeval-2.2``). `labels` are compared as they are (``own``), or as those of
    the ``hub``; ``auto`` is the hub where inventories differ and nothing else was said about
    labels.
    `label_maps` translate the labels of some systems. `costs` are what edits cost, 1 without them.
    MULTIPLE is told for all gold standards, for
    pairs of them, and for triples if there are no more than five; `subsets` can be ``all`` for
    every set.

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
    study = _Study(
        systems,
        settings or Settings(),
        _terms(protocol, functions, costs, enhanced=enhanced),
        labels,
        label_maps or {},
    )
    sets = list(_sets(study.own_golds, every=subsets == "all"))
    facts = {"realigned": len(study.units.realigned), "skipped": len(study.units.skipped)}
    return CompareResult(
        signature=signature(study.terms, study.settings, **facts),
        systems=tuple(_scheme(study, name, sets) for name in study.names),
        overlap={
            (one, other): study.overlap(one, other)
            for one, other in combinations(study.own_golds, 2)
        },
        skipped=tuple(study.ids[place] for place in study.units.skipped),
        sentences=study.sentences,
        translated=study.labelling.translated(),
        remarks=tuple(study.remarks()),
    )


def original_rows_of(
    systems: Mapping[str, tuple[Any, Any]], preset: str, *, labelled: bool = True
) -> dict[str, list[tedeval_original.Row]]:
    """Return what the original program tells about each sentence of each system.

    `preset` names its version: ``tedeval-2.1`` or ``tedeval-2.2``.
    """
    if preset not in PROTOCOLS or not PROTOCOLS[preset].original:
        raise UsageError("only the presets tedeval-2.1 and tedeval-2.2 have rows")
    study = _Study(systems, Settings(), Terms(preset))
    version = cast("tedeval_original.Version", preset.removeprefix("tedeval-"))
    found = {}
    for name in study.names:
        own = study.gold_of[name]
        others = [study.corpora[other][0] for other in study.own_golds if other != own]
        sides = [study.corpora[name][1], study.corpora[name][0], *others]
        words = [cast("Dependencies", side) for side in sides]  # others were refused
        found[name] = tedeval_original.original_rows(*words, labelled=labelled, version=version)
    return found


@dataclass(frozen=True, slots=True)
class Explained:
    """A sentence of one system: its function trees, and the edits behind its scores.

    `blocks` explain the labelled and the unlabelled MULTIPLE.
    """

    name: str
    parse: Functions
    gold: Functions
    general: Functions
    explanation: Explanation
    blocks: tuple[Block, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"name": self.name, **{block.kind: block.to_json() for block in self.blocks}}


def explain_sentence(
    systems: Mapping[str, tuple[Any, Any]],
    sent_id: str,
    *,
    settings: Settings | None = None,
    functions: Sequence[str] | None = None,
    enhanced: bool = False,
    protocol: str = "2012",
    labels: str = "auto",
    label_maps: Mapping[str, LabelMap] | None = None,
    costs: Costs | None = None,
) -> list[Explained]:
    """Return for each system the trees of a sentence, the edit scripts and what is forgiven."""
    terms = _terms(protocol, functions, costs, enhanced=enhanced)
    study = _Study(systems, settings or Settings(), terms, labels, label_maps)
    place = study.place(sent_id)
    general = study.generalized(study.own_golds)[place : place + 1]
    golds = {name: study.golds[name][place : place + 1] for name in study.own_golds}
    relabel = study.protocol.relabel
    found = []
    for name in study.names:
        parse, gold = (side[name][place : place + 1] for side in (study.parses, study.golds))
        (explanation,) = explain(parse, gold, general, relabel=relabel, costs=costs)
        blocks = explained_blocks(parse, gold, general, golds, relabel=relabel, costs=costs)
        found.append(Explained(name, parse, gold, general, explanation, blocks))
    return found


def _terms(
    protocol: str, functions: Sequence[str] | None, costs: Costs | None, *, enhanced: bool
) -> Terms:
    counted = None if functions is None else tuple(sorted(functions))
    terms = Terms(protocol, counted, enhanced, costs=costs)
    if costs and costs.relabels and not PROTOCOLS[protocol].relabel:
        raise UsageError(
            f"the protocol of {protocol} relabels nothing; relabel and pairs cost something in "
            "that of 2011"
        )
    return terms


class _Study:
    """All treebanks as the trees that are compared, over common units."""

    def __init__(
        self,
        systems: Mapping[str, tuple[Any, Any]],
        settings: Settings,
        terms: Terms,
        labels: str = "auto",
        maps: Mapping[str, LabelMap] | None = None,
    ) -> None:
        if len(systems) < 2:
            raise UsageError("compare needs at least two systems; evaluate scores one")
        settings.refuse_unused("comparison")
        self.corpora = {
            name: (as_corpus(gold), as_corpus(parse)) for name, (gold, parse) in systems.items()
        }
        self.names = tuple(systems)
        self.settings = settings
        protocol = PROTOCOLS[terms.protocol]
        if protocol.original:
            sides = (side for pair in self.corpora.values() for side in pair)
            asked = replace(terms, maps=tuple(maps or ()))
            _refuse_what_the_original_lacks(protocol, sides, settings, asked, labels)
            labels = "own"
        self.labelling = Labelling(
            self.corpora, settings, terms.functions, terms.enhanced, labels, maps or {}
        )
        sums = [f"{name}={crc32(each.text.encode()):08x}" for name, each in (maps or {}).items()]
        self.terms = replace(terms, labels=self.labelling.labels, maps=tuple(sorted(sums)))
        self.protocol = PROTOCOLS[terms.protocol]
        self._items = self.protocol.scoring(terms.costs)
        self._generalized: dict[tuple[str, ...], Functions] = {}

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
            raise UsageError(
                "all treebanks must have the same sentences in the same order, whatever "
                f"{setting('on_mismatch')} says, but {told}"
            )
        sides = [gold for gold, _ in pairs] + [parse for _, parse in pairs]
        if self.protocol.original:
            return _original_units(sides, self.settings)
        names = [*self.corpora, *self.corpora]
        trees = [self.labelling.trees(name, side) for name, side in zip(names, sides, strict=True)]
        if self.settings.on_mismatch == "zero":
            raise UsageError("a comparison cannot count sentences as wrong; skip leaves them out")
        found = in_common_units(sides, trees, on_mismatch=self.settings.on_mismatch)
        if len(sides[0]) and not len(found.kept):
            raise UsageError(
                f"no sentence is left to compare: the texts of all {len(sides[0]):,} differ; "
                f"{setting('on_mismatch', 'realign')} pairs their words"
            )
        return found

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
    def gold_of(self) -> dict[str, str]:
        """What the gold standard of each system is called: as the first system that has it."""
        found: dict[str, str] = {}
        for name in sorted(self.names):
            same = (
                own
                for own in dict.fromkeys(found.values())
                if self.golds[own].nodes == self.golds[name].nodes
            )
            found[name] = next(same, name)
        return found

    @cached_property
    def own_golds(self) -> tuple[str, ...]:
        """The names of the different gold standards."""
        return tuple(sorted(set(self.gold_of.values())))

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
        """Return what some gold standards agree on; it is found out once."""
        key = tuple(names)
        if key not in self._generalized:
            self._generalized[key] = self.protocol.common(*(self.golds[name] for name in names))
        return self._generalized[key]

    def remarks(self) -> Iterator[str]:
        """Say which nodes of f-structures stand for no known word, treebank by treebank."""
        if self.terms.protocol == "tedeval-2.2":
            sides = {id(side): side for pair in self.corpora.values() for side in pair}
            number = tedeval_original.crossing_trees(sides.values())  # type: ignore[arg-type]
            if number:
                yield tedeval_original.aborts(number)
        told: set[int] = set()
        for name, pair in self.corpora.items():
            for what, side in zip(("gold standard", "parse"), pair, strict=True):
                if isinstance(side, Relations) and is_unanchored(side) and id(side) not in told:
                    told.add(id(side))
                    if remark := anchored(side).remark:
                        yield f"{name}, {what}: {remark}"

    def overlap(self, one: str, other: str) -> Scores:
        """Return the score of one gold standard against another."""
        bare = self.bare_golds(one, other)
        return self.scores(self.golds[one], self.golds[other], reason=bare)

    def bare_golds(self, *names: str) -> str:
        """Say which of some gold standards has no function labels at all, if any."""
        found = [name for name in names if self.labelling.is_bare(self.corpora[name][0])]
        return f"{found[0]}: the gold standard has no function labels" if found else ""

    def bare(self, name: str, *golds: str) -> str:
        """Say whether a parse, or a gold standard that it is scored on, has no function labels."""
        if self.labelling.is_bare(self.corpora[name][1]):
            return f"{name}: the parse has no function labels"
        return self.bare_golds(*golds)

    def scores(
        self,
        parse: Functions,
        own: Functions,
        gold: Functions | None = None,
        *,
        reason: str = "",
    ) -> Scores:
        """Return TedEval of a parse; `reason` says why a labelled score means nothing."""
        found = [self._items(parse, own, gold, labelled=flag) for flag in (True, False)]
        return Scores(
            *(
                Score(
                    metric,
                    items.counts,
                    items,
                    reason=(reason if labelled else "") or _undefined(items, labelled=labelled),
                )
                for metric, items, labelled in zip(
                    self.protocol.metrics, found, (True, False), strict=True
                )
            )
        )


def _original_units(sides: Sequence[Corpus], settings: Settings) -> CommonUnits:
    """Return the trees of the original programs, whose units are the words."""
    trees = []
    for side in sides:
        assert isinstance(side, Dependencies)  # others were refused
        # An error is raised where the words are others.
        compared(cast("Dependencies", sides[0]), side, Settings())
        trees.append(tedeval_original.original_functions(side, settings))
    none = np.empty(0, np.int64)
    return CommonUnits(tuple(trees), np.arange(len(sides[0])), none, none)


def _refuse_what_the_original_lacks(
    protocol: Protocol, corpora: Iterable[Corpus], settings: Settings, terms: Terms, labels: str
) -> None:
    """Raise an error where something is asked for that the original programs cannot do."""
    name = protocol.name
    if not all(isinstance(corpus, Dependencies) for corpus in corpora):
        raise UsageError(f"{name} compares dependencies only")
    if labels == "hub" or terms.maps:
        raise UsageError(f"{name} compares labels as they are")
    if terms.enhanced or terms.functions is not None:
        raise UsageError(f"{name} knows neither enhanced graphs nor dash tags")
    if settings.on_mismatch != "fail":
        raise UsageError(
            f"{name} needs the same words on all sides; {setting('on_mismatch')} can be fail"
        )


def _undefined(items: Items, *, labelled: bool) -> str:
    """Say why a score means nothing: a gold standard without a node that a parse could find."""
    if items.counts.totals["gold"]:
        return ""
    what = "label" if labelled else "node"
    return f"the gold standards have no {what} in common"


def _sets(golds: Sequence[str], *, every: bool) -> Iterator[tuple[str, ...]]:
    """Return the sets of gold standards that MULTIPLE is told for, the one of all of them last."""
    few = [2, 3] if len(golds) <= _MOST_FOR_TRIPLES else [2]
    sizes = range(2, len(golds)) if every else [size for size in few if size < len(golds)]
    for size in sizes:
        yield from combinations(golds, size)
    yield tuple(golds)


def _scheme(study: _Study, name: str, sets: Sequence[tuple[str, ...]]) -> SchemeResult:
    parse, own = study.parses[name], study.gold_of[name]
    gold = study.golds[own]
    single = study.scores(parse, gold, reason=study.bare(name, own))
    subsets = {
        chosen: study.scores(
            parse, gold, study.generalized(chosen), reason=study.bare(name, *chosen)
        )
        if len(chosen) > 1
        else single
        for chosen in sets
        if own in chosen
    }
    return SchemeResult(
        name,
        own,
        single=single,
        multiple=subsets[study.own_golds],
        against={
            other: study.scores(parse, study.golds[other], reason=study.bare(name, other))
            for other in study.own_golds
            if other != own
        },
        native={
            other: scores
            for other in study.own_golds
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
