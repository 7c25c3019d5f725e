"""The treebanks of a comparison, as the trees that are compared.

All analyses become function trees over common units of the text; gold standards that are the same
count once, and what some of them agree on is found out once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies, Functions, Graphs, Relations
from commonground.corpus.documents import documents
from commonground.corpus.graph_words import with_words
from commonground.errors import UsageError, setting
from commonground.evaluation.compared_sets import ComparedSets
from commonground.evaluation.comparison_result import Scores
from commonground.evaluation.inventories import Labelling
from commonground.evaluation.metric_score import Score
from commonground.evaluation.notes import note_lines
from commonground.evaluation.prepared_relations import PreparedRelations
from commonground.evaluation.protocols import PROTOCOLS, ComparisonTerms, Protocol
from commonground.evaluation.same_sentences import same_sentences
from commonground.formats.objects import as_corpus
from commonground.ground.anchoring import anchored
from commonground.ground.graphs import is_unanchored
from commonground.ground.label_map import LabelMap
from commonground.ground.placing import PairedWords, Units, pair_words, placed
from commonground.ground.silent_words import covered, numbered, without_silent_words
from commonground.ground.units import CommonUnits, Mismatch, in_common_units
from commonground.metrics.dependencies import segmentation
from commonground.metrics.dependencies.prepare import compared
from commonground.metrics.functions import tedeval_original
from commonground.metrics.items import Counts, Items
from commonground.metrics.sentences import Sentences
from commonground.metrics.settings import Settings

__all__ = ["PreparedTrees", "dependencies_only"]

_WORDS = next(metric for metric in segmentation.METRICS if metric.name == "words")

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]

_NONE: Numbers = np.empty(0, np.int64)


class PreparedTrees(ComparedSets):
    """All treebanks as the trees that are compared, over common units.

    `related` says whether relations between yields are compared, too; without it, they are where a
    gold standard has graphs of meaning, and all sides say which words are heads.
    """

    def __init__(
        self,
        systems: Mapping[str, tuple[Any, Any]],
        settings: Settings,
        terms: ComparisonTerms,
        labels: str = "auto",
        maps: Mapping[str, LabelMap] | None = None,
        *,
        related: bool | None = None,
    ) -> None:
        if len(systems) < 2:
            raise UsageError("compare needs at least two systems; evaluate scores one")
        settings.refuse_unused("comparison")
        read = {
            name: (_with_words(as_corpus(gold)), _with_words(as_corpus(parse)))
            for name, (gold, parse) in systems.items()
        }
        self.same = same_sentences(read, settings.on_mismatch)
        self.corpora = self.same.corpora
        self.names = tuple(systems)
        self.settings = settings
        self.protocol = PROTOCOLS[terms.protocol]
        if self.protocol.original:
            sides = (side for pair in self.corpora.values() for side in pair)
            all_terms = replace(terms, maps=tuple(maps or ()))
            _refuse_what_the_original_lacks(self.protocol, sides, settings, all_terms, labels)
            labels = "own"
        self.labelling = Labelling(
            self.corpora, settings, terms.functions, terms.enhanced, labels, maps or {}
        )
        sums = [f"{name}={crc32(each.text.encode()):08x}" for name, each in (maps or {}).items()]
        self.terms = replace(terms, labels=self.labelling.labels, maps=tuple(sorted(sums)))
        self._related = related
        self._unrelated = ""

    @cached_property
    def scoring(self) -> Callable[..., Items]:
        """What compares the nodes of trees; it remembers them."""
        return self.protocol.scoring(self.terms.costs)

    @cached_property
    def relations(self) -> PreparedRelations | None:
        """The relations between yields, None where they are not compared."""
        graphs = any(isinstance(gold, Graphs) for gold, _ in self.corpora.values())
        if self.protocol is not PROTOCOLS["2012"]:
            if self._related:
                raise UsageError(f"the protocol of {self.terms.protocol} knows no relations")
            return None
        if not (graphs if self._related is None else self._related):
            return None
        try:
            return PreparedRelations(self)
        except UsageError as error:
            if self._related:
                raise
            self._unrelated = f"Relations are not compared: {error}"
            return None

    @cached_property
    def units(self) -> CommonUnits:
        """The function trees of all golds and then of all parses, over units of the golds."""
        golds, parses = [gold for gold, _ in self.corpora.values()], list(self.stand_ins.values())
        if self.protocol.original:
            return _original_units([*golds, *parses], self.settings)
        sides, graphs = list(self.gold_trees.values()), [isinstance(g, Graphs) for g in golds]
        units = in_common_units(golds, sides, on_mismatch=self._mismatch)
        units = without_silent_words(units, sides, graphs) if any(graphs) else units
        pairs = self.paired.values()
        skipped = sorted({*units.skipped.tolist(), *(n for pair in pairs for n in pair.skipped)})
        realigned = {*units.realigned.tolist(), *(n for pair in pairs for n in pair.realigned)}
        kept = np.setdiff1d(np.arange(len(golds[0])), skipped)
        if len(golds[0]) and not len(kept):
            advice = f"; {setting('on_mismatch', 'realign')} pairs their words"
            raise UsageError(
                f"there is no sentence left to compare: the texts of all {len(golds[0]):,} "
                f"differ{advice if self._mismatch != 'realign' else ' too much'}"
            )
        trees = [tree.take(np.searchsorted(units.kept, kept)) for tree in units.trees]
        for place, (name, pair) in enumerate(self.paired.items()):
            known = self.gold_trees[name].words, units.numbers[place]
            trees.append(self._placed(name, pair, known, trees[place], kept))
        return CommonUnits(
            tuple(trees),
            kept,
            np.array(sorted(realigned - set(skipped)), np.int64),
            np.array(skipped, np.int64),
            units.numbers,
        )

    @property
    def _mismatch(self) -> Mismatch:
        way = self.settings.on_mismatch
        return "fail" if way == "zero" else way

    @cached_property
    def gold_trees(self) -> dict[str, Functions]:
        """The function trees of the gold standards over their own words."""
        return {name: self.labelling.trees(name, gold) for name, (gold, _) in self.corpora.items()}

    @cached_property
    def parse_trees(self) -> dict[str, Functions]:
        """The function trees of the parses over their own words."""
        return {name: self.labelling.trees(name, side) for name, side in self.stand_ins.items()}

    @cached_property
    def paired(self) -> dict[str, PairedWords]:
        """The words of each parse as those of its own gold standard."""
        return {
            name: pair_words(
                (gold, self.gold_trees[name]),
                (self.stand_ins[name], self.parse_trees[name]),
                self._mismatch,
            )
            for name, (gold, _) in self.corpora.items()
        }

    def _placed(
        self, name: str, pair: PairedWords, units: Units, model: Functions, kept: Numbers
    ) -> Functions:
        """Return a parse on units of the gold standards."""
        words, numbers = units
        tree = self.parse_trees[name]
        if pair.identical and np.array_equal(numbers, words.row_in_sentence() + 1):
            return tree if len(kept) == len(tree) else tree.take(kept)
        return placed(tree, pair, units, model, kept)

    def single(self, name: str) -> Scores:
        """Return the scores of a parse on its own gold standard, over the words of that."""
        reason, lost = self.bare(name, self.gold_of[name]), self.lost.get(name)
        parse, gold = self.parses[name], self.golds[self.gold_of[name]]
        if not self.protocol.original:
            words, kept = self.gold_trees[name].words, self.units.kept
            place = self.own_numbers(name)
            if not np.array_equal(self.units.numbers[self.names.index(name)], place):
                model = self.model(name).take(kept)
                trees = self._placed(name, self.paired[name], (words, place), model, kept), model
                parse, gold = (self.protocol.trees(each, self.settings.label) for each in trees)
        return self.scores(parse, gold, reason=reason, lost=lost)

    def own_numbers(self, name: str) -> Numbers:
        """Return the numbers of the words of a gold standard, 0 where a graph has none."""
        tree = self.gold_trees[name]
        if isinstance(self.corpora[name][0], Graphs):
            return numbered(tree.words, covered(tree))
        return np.asarray(tree.words.row_in_sentence() + 1)

    def model(self, name: str) -> Functions:
        """Return the gold trees of a system over the words that they cover."""
        tree = self.gold_trees[name]
        every = CommonUnits(
            (tree,), np.arange(len(tree)), _NONE, _NONE, (tree.words.row_in_sentence() + 1,)
        )
        is_graph = isinstance(self.corpora[name][0], Graphs)
        return without_silent_words(every, [tree], [is_graph]).trees[0]

    def words(self, name: str) -> Score | None:
        """Return how well a parse is segmented into words, None if it is just as its gold."""
        if self.protocol.original or self.paired[name].identical:
            return None
        paired, tree = self.paired[name], self.parse_trees[name]
        right = (paired.first == paired.last) & (paired.first >= 0)
        counts = {
            "correct": np.bincount(tree.words.sentence_of_row()[right], minlength=len(tree)),
            "gold": self.gold_trees[name].words.lengths,
            "system": tree.words.lengths,
        }
        kept = self.units.kept
        return Score(_WORDS, Counts({key: column[kept] for key, column in counts.items()}))

    @cached_property
    def lost(self) -> dict[str, Flags]:
        """Which sentences of each parse count as wrong, as they have other words than the gold."""
        if self.settings.on_mismatch != "zero":
            return {}
        masks = {}
        for name, (gold, parse) in self.corpora.items():
            if type(gold) is not type(parse):
                raise UsageError(
                    f"{name}: {setting('on_mismatch', 'zero')} needs a parse of the kind of its "
                    f"gold standard, but they hold {parse.kind} and {gold.kind}"
                )
            flags = np.zeros(len(gold), np.bool_)
            flags[in_common_units([gold, parse], on_mismatch="skip").skipped] = True
            masks[name] = flags
        return masks

    @cached_property
    def stand_ins(self) -> dict[str, Corpus]:
        """The parses; in the place of what counts as wrong stands what the gold standard has."""
        parses = {name: parse for name, (_, parse) in self.corpora.items()}
        for name, lost in self.lost.items():
            gold, parse = self.corpora[name]
            if lost.any():
                rows = np.arange(len(gold)) + len(parse) * lost
                parses[name] = type(gold).concatenate([parse, gold]).take(rows)
        return parses

    @cached_property
    def golds(self) -> dict[str, Functions]:
        """The gold trees by name."""
        return self.trees_of(self.protocol, "golds")

    @cached_property
    def parses(self) -> dict[str, Functions]:
        """The parses by name."""
        return self.trees_of(self.protocol, "parses")

    def trees_of(
        self, protocol: Protocol, side: Literal["golds", "parses"]
    ) -> dict[str, Functions]:
        """Return the gold trees or the parses as a protocol compares them, by name."""
        first = 0 if side == "golds" else len(self.names)
        trees = self.units.trees[first : first + len(self.names)]
        prepared = [protocol.trees(tree, self.settings.label) for tree in trees]
        return dict(zip(self.names, prepared, strict=True))

    @cached_property
    def gold_of(self) -> dict[str, str]:
        """What the gold standard of each system is called: as the first system that has it."""
        first_names: dict[str, str] = {}
        sets = [self.golds, *([self.relations.golds] if self.relations else [])]
        for name in sorted(self.names):
            same = (
                own
                for own in dict.fromkeys(first_names.values())
                if all(side[own].nodes == side[name].nodes for side in sets)
            )
            first_names[name] = next(same, name)
        return first_names

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
        for name, lost in self.lost.items():
            if lost[place]:
                raise UsageError(
                    f"{name} has no parse of sentence {sent_id}, which counts as wrong"
                )
        return int(np.searchsorted(self.units.kept, place))

    def remarks(self) -> Iterator[str]:
        """Say what was put together, what counts as wrong, and which nodes stand for no word."""
        yield from self.same.remarks()
        if self.terms.protocol == "tedeval-2.2":
            sides = {id(side): side for pair in self.corpora.values() for side in pair}
            if number := tedeval_original.crossing_trees(dependencies_only(sides.values())):
                yield tedeval_original.aborts(number)
        if self._unrelated:
            yield self._unrelated
        for name, lost in self.lost.items():
            yield from note_lines(name, {"lost": tuple(self._named_gold.sent_id[lost].tolist())})
        seen: set[int] = set()
        for name, pair in self.corpora.items():
            for what, side in zip(("gold standard", "parse"), pair, strict=True):
                if isinstance(side, Relations) and is_unanchored(side) and id(side) not in seen:
                    seen.add(id(side))
                    if remark := anchored(side).remark:
                        yield f"{name}, {what}: {remark}"

    def bare_golds(self, *names: str) -> str:
        """Say which of some gold standards has no function labels at all, if any."""
        bare = [name for name in names if self.labelling.is_bare(self.corpora[name][0])]
        return f"{bare[0]}: the gold standard has no function labels" if bare else ""

    def bare(self, name: str, *golds: str) -> str:
        """Say whether a parse, or a gold standard that it is scored on, has no function labels."""
        if self.labelling.is_bare(self.corpora[name][1]):
            return f"{name}: the parse has no function labels"
        return self.bare_golds(*golds)


def _with_words(corpus: Corpus) -> Corpus:
    """Return graphs with words, by which sentences are paired; anything else as it is."""
    return with_words(corpus) if isinstance(corpus, Graphs) else corpus


def _original_units(sides: Sequence[Corpus], settings: Settings) -> CommonUnits:
    """Return the trees of the original programs, whose units are the words."""
    trees = []
    first, *others = dependencies_only(sides)
    for side in (first, *others):
        compared(first, side, Settings())  # raises an error where the words are others
        trees.append(tedeval_original.original_functions(side, settings))
    none = np.empty(0, np.int64)
    return CommonUnits(tuple(trees), np.arange(len(sides[0])), none, none)


def _refuse_what_the_original_lacks(
    protocol: Protocol,
    corpora: Iterable[Corpus],
    settings: Settings,
    terms: ComparisonTerms,
    labels: str,
) -> None:
    """Raise an error where something is asked for that the original programs cannot do."""
    name = protocol.name
    dependencies_only(corpora, name)
    if labels == "hub" or terms.maps:
        raise UsageError(f"{name} compares labels as they are")
    if terms.enhanced or terms.functions is not None:
        raise UsageError(f"{name} knows neither enhanced graphs nor dash tags")
    if settings.on_mismatch != "fail":
        raise UsageError(
            f"{name} needs the same words on all sides; {setting('on_mismatch')} can be fail"
        )


def dependencies_only(corpora: Iterable[Corpus], name: str = "TedEval") -> list[Dependencies]:
    """Return corpora, all of them dependencies: what the original program of that name compares."""
    corpora_of_dependencies = []
    for corpus in corpora:
        if not isinstance(corpus, Dependencies):
            raise UsageError(f"{name} compares dependencies only")
        corpora_of_dependencies.append(corpus)
    return corpora_of_dependencies
