"""Edit scripts between function trees, as columns for metrics and as values for people.

Nodes can be deleted, added and relabelled. Words are never edited; so a node can only become a node
over the same words (the mapping between two trees keeps who is above whom), and the cheapest script
for two ordered trees is made of the cheapest scripts for the chains of labels over each yield: the
distance of Zhang and Shasha for the whole trees is the sum of the distances of the chains. Trees
with discontinuous yields, and graphs whose yields cross, are no different. (As whole ordered trees
they would be: a phrase that is not continuous puts words into another order.)

With relabelling (2011), a wildcard is equal to every label, and so is the feature structure without
features. Without it (2012), the chains of sorted
labels have only one cheapest script, the difference of the two sets of nodes. Where relabelling
leaves a choice, the script with the fewest relabellings is taken, and among those the one that
:func:`commonground.kernels.tree_distance.mappings` takes. Each edit costs 1, unless
:class:`commonground.ground.costs.Costs` say otherwise.

The node over the whole sentence is the root; :func:`commonground.ground.ordered.unrooted` leaves it
out, for it is neither edited nor counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions
from commonground.corpus.functions import parse_yield
from commonground.corpus.strings import Vocabulary
from commonground.corpus.table import offsets_of, places_in_runs
from commonground.ground.algebra import check_same_sentences
from commonground.ground.costs import Costs
from commonground.ground.dependencies import WILDCARD
from commonground.ground.features import ANY
from commonground.ground.ordered import unrooted
from commonground.kernels import load

__all__ = [
    "Chains",
    "Editor",
    "Edits",
    "Explanation",
    "Operation",
    "Script",
    "edits_to",
    "explain",
]

Numbers = NDArray[np.int64]
Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]
Kind = Literal["delete", "relabel", "add"]

_KINDS: tuple[Kind, ...] = ("delete", "relabel", "add")
_DELETE, _RELABEL, _ADD = range(3)

_YIELD_BITS = 32
"""The bits for the yield in the number of a node; the others are for its sentence."""

_YIELD_MASK = (1 << _YIELD_BITS) - 1


# ── values ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Operation:
    """An edit of the node with a label over some words; `new` is what it is relabelled to.

    >>> print(Operation("relabel", "obj", "3-5", "mod"))
    relabel obj 3-5 to mod
    """

    kind: Kind
    label: str
    yields: str
    new: str = ""

    def __str__(self) -> str:
        new = f" to {self.new}" if self.new else ""
        return f"{self.kind} {self.label} {self.yields}{new}"


Script = tuple[Operation, ...]
"""The operations that make one tree of another, in the order of the words. Each costs 1."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a parse gets its score.

    The scripts lead from the parse to its own gold tree, from the parse to the generalized tree and
    from the own gold tree to the generalized tree. The operations that the last two share are
    `forgiven`: δ is the number of the others.
    """

    parse_to_gold: Script
    parse_to_general: Script
    gold_to_general: Script
    forgiven: Script

    @property
    def charged(self) -> Script:
        """The operations that count."""
        return tuple(each for each in self.parse_to_general if each not in self.forgiven)


def explain(
    parse: Functions,
    gold: Functions,
    general: Functions,
    *,
    relabel: bool = True,
    costs: Costs | None = None,
) -> list[Explanation]:
    """Explain the score of each sentence by TedEval 2011, or of 2012 (without `relabel`).

    >>> words = "John loves Mary".split()
    >>> own = Functions.of([(words, [("1", "sbj"), ("2-3", "prd"), ("2", "hd"), ("3", "obj")])])
    >>> parse = Functions.of([(words, [("1", "mod"), ("2-3", "prd"), ("2", "hd"), ("3", "obj")])])
    >>> flat = Functions.of([(words, [("1", "sbj"), ("2", "hd"), ("3", "obj")])])
    >>> (result,) = explain(parse, own, flat)
    >>> print(*result.parse_to_general, sep="; ")
    relabel mod 1 to sbj; delete prd 2-3
    >>> print(*result.gold_to_general), print(*result.forgiven), print(*result.charged)
    delete prd 2-3
    delete prd 2-3
    relabel mod 1 to sbj
    (None, None, None)
    """
    parse, gold, general = unrooted(parse), unrooted(gold), unrooted(general)
    (to_gold,) = edits_to(gold, parse, relabel=relabel, costs=costs)
    to_general, from_gold = edits_to(general, parse, gold, relabel=relabel, costs=costs)
    return [
        Explanation(*scripts)
        for scripts in zip(
            to_gold.scripts(),
            to_general.scripts(),
            from_gold.scripts(),
            to_general.scripts(to_general.among(from_gold)),
            strict=True,
        )
    ]


# ── columns ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Edits:
    """The scripts for all sentences of a corpus: a column per operation.

    `operations` has the rows kind, node, old label and new label, all as numbers. `source` and
    `target` tell for each row of the two tables of nodes whether it stays as it is. Edits by the
    same editor have the same numbers and can be compared.
    """

    operations: Numbers
    source: Flags
    target: Flags
    sentences: int
    yields: Vocabulary
    labels: Vocabulary
    set_costs: Costs | None = None

    def costs(self, which: Flags | None = None) -> Numbers:
        """Return how much the script of each sentence costs, or only some of its operations.

        It is the number of operations, or with costs that were set, the sum of theirs in units.
        """
        chosen = self.operations if which is None else self.operations[:, which]
        each = None if self.set_costs is None else self._each_cost(chosen, self.set_costs)
        sums = np.bincount(chosen[1] >> _YIELD_BITS, each, minlength=self.sentences)
        return sums.astype(np.int64)

    def _each_cost(self, operations: Numbers, costs: Costs) -> Numbers:
        kind, _, old, new = operations
        labels = list(self.labels)
        cost = costs.of_pairs(labels)[old, new].astype(np.int64)
        for which, codes, insert in ((_DELETE, old, False), (_ADD, new, True)):
            each = costs.of_nodes(codes, labels, insert=insert)
            cost = np.where(kind == which, each, cost)
        return cost

    def among(self, other: Edits) -> Flags:
        """Tell which operations are in other scripts too; a deleted wildcard is any label there."""
        kind, node, old, _ = self.operations
        if not other.operations.size:
            return np.zeros(len(kind), np.bool_)
        number = _numbered(np.concatenate([self.operations, other.operations], axis=1))
        mine, theirs = np.split(number, [len(kind)])
        wildcard = self.labels.get(WILDCARD, -1)
        deleted = other.operations[:, other.operations[0] == _DELETE]
        wild = deleted[1, deleted[2] == wildcard]
        alike = np.where(old == wildcard, np.isin(node, deleted[1]), np.isin(node, wild))
        return np.isin(mine, theirs) | ((kind == _DELETE) & alike)

    def scripts(self, which: Flags | None = None) -> list[Script]:
        """Return the script of each sentence, or only some of its operations."""
        operations = self.operations if which is None else self.operations[:, which]
        yields, labels = list(self.yields), list(self.labels)
        by_sentence: list[list[Operation]] = [[] for _ in range(self.sentences)]
        for kind, node, old, new in operations.T.tolist():
            label = labels[new if kind == _ADD else old]
            to = labels[new] if kind == _RELABEL else ""
            words = yields[node & _YIELD_MASK]
            by_sentence[node >> _YIELD_BITS].append(Operation(_KINDS[kind], label, words, to))
        return [tuple(sorted(script, key=_place)) for script in by_sentence]


def edits_to(
    target: Functions, *sources: Functions, relabel: bool = True, costs: Costs | None = None
) -> tuple[Edits, ...]:
    """Return the cheapest edits that make the target of each of the sources.

    >>> one = Functions.of([(["a", "b"], [("1", "x"), ("2", "*")])])
    >>> two = Functions.of([(["a", "b"], [("1", "y"), ("2", "z")])])
    >>> (edits,) = edits_to(two, one)
    >>> print(*edits.scripts()[0])
    relabel x 1 to y
    >>> (edits,) = edits_to(two, one, relabel=False)
    >>> print(*edits.scripts()[0], sep="; ")
    delete x 1; add y 1; delete * 2; add z 2
    >>> (edits,) = edits_to(two, one, costs=Costs(relabel=3))
    >>> print(*edits.scripts()[0], sep="; "), edits.costs().tolist()
    delete x 1; add y 1
    (None, [2])
    """
    editor = Editor(relabel=relabel, costs=costs)
    end, *begins = (editor.chains(corpus) for corpus in (target, *sources))
    return tuple(editor.edits(begin, end) for begin in begins)


class Editor:
    """Finds the cheapest edits between any two of many corpora of the same sentences.

    Nodes and labels are numbered in one way for all of them, so that each corpus is read into
    :class:`Chains` once, however many others it is compared with.
    """

    def __init__(self, *, relabel: bool = True, costs: Costs | None = None) -> None:
        self.relabel = relabel
        self.costs = costs
        self._yields, self._labels = Vocabulary(), Vocabulary({"": 0})
        self._first: Functions | None = None

    def chains(self, corpus: Functions) -> Chains:
        """Return the nodes of a corpus, ready to be compared with others."""
        self._first = self._first or corpus
        check_same_sentences([self._first, corpus])
        corpus = _wild(corpus) if self.relabel else corpus
        places = corpus.yields.codes_in(self._yields).astype(np.int64)
        label = corpus.label.codes_in(self._labels).astype(np.int64)
        node = corpus.nodes.sentence_of_row() << _YIELD_BITS | places
        # Labels of a node stand in alphabetical order, and the last one is the lowest.
        rows = np.flatnonzero(label)[::-1]
        order = rows[np.argsort(node[rows], kind="stable")]
        distinct, starts = np.unique(node[order], return_index=True)
        return Chains(order, distinct, np.append(starts, len(order)), label[order], len(node))

    def edits(self, begin: Chains, end: Chains) -> Edits:
        """Return the cheapest edits that make the second chains of the first."""
        wildcard = self._labels.get(WILDCARD, -1) if self.relabel else -1
        partner = self._partners(begin, end, wildcard)
        paired = np.flatnonzero(partner >= 0)
        becomes = partner[paired]
        old, new = begin.label[paired], end.label[becomes]
        same = (old == new) | (old == wildcard) | (new == wildcard)
        changed, deleted = paired[~same], np.flatnonzero(partner < 0)
        added = np.delete(np.arange(len(end.label)), becomes)
        nodes, ends = begin.node_of_row(), end.node_of_row()
        operations = np.concatenate(
            [
                _rows(_DELETE, nodes[deleted], begin.label[deleted], 0),
                _rows(_RELABEL, nodes[changed], old[~same], new[~same]),
                _rows(_ADD, ends[added], 0, end.label[added]),
            ],
            axis=1,
        )
        source, target = np.zeros(begin.rows, np.bool_), np.zeros(end.rows, np.bool_)
        source[begin.order[paired[same]]] = True
        target[end.order[becomes[same]]] = True
        sentences = len(self._first or ())
        known = self._yields, self._labels, self.costs
        return Edits(operations, source, target, sentences, *known)

    def _partners(self, begin: Chains, end: Chains, wildcard: int) -> Numbers:
        """Return what each label becomes in the cheapest edits: its place in the others, or -1."""
        partner = np.full(len(begin.label), -1, np.int64)
        _, mine, theirs = np.intersect1d(
            begin.node, end.node, assume_unique=True, return_indices=True
        )
        if self.costs is None:
            # A label becomes the only other one of its node; no table is needed for that.
            alone = (np.diff(begin.starts)[mine] == 1) & (np.diff(end.starts)[theirs] == 1)
            rows, others = begin.starts[mine[alone]], end.starts[theirs[alone]]
            if not self.relabel:
                same = begin.label[rows] == end.label[others]
                rows, others = rows[same], others[same]
            partner[rows] = others
            mine, theirs = mine[~alone], theirs[~alone]
        (starts, rows), (other_starts, others) = begin.rows_of(mine), end.rows_of(theirs)
        sides = [
            (
                each,
                np.where(label == wildcard, -1, label).astype(np.int32),
                np.zeros(len(label), np.int32),
            )
            for each, label in ((starts, begin.label[rows]), (other_starts, end.label[others]))
        ]
        longest = max(int(np.diff(each).max(initial=0)) for each in (starts, other_starts))
        if self.costs is None:
            # As it costs a little more to relabel than to edit, of equal choices the one with fewer
            # relabellings is taken; all of them together cost less than one edit.
            edit = 1 + longest
            change = edit + 1 if self.relabel else 2 * edit + 1
            mapped, _ = load("tree_distance").mappings(*sides, change, edit)
        else:
            weights = self._weights(begin.label[rows], end.label[others], 1 + longest, self.costs)
            mapped, _ = load("tree_distance").weighted_mappings(*sides, weights)
        kept = mapped >= 0
        chain = np.repeat(other_starts[:-1], np.diff(starts))
        partner[rows[kept]] = others[chain[kept] + mapped[kept]]
        return partner

    def _weights(
        self, begin: Numbers, end: Numbers, scale: int, costs: Costs
    ) -> tuple[Codes, Codes, Codes]:
        """Return what edits of labels cost, as the kernel takes it."""
        labels = list(self._labels)
        delete = scale * costs.of_nodes(begin, labels, insert=False)
        insert = scale * costs.of_nodes(end, labels, insert=True)
        if self.relabel:  # a little more, so that of equal choices that with fewer is taken
            change = scale * costs.of_pairs(labels) + 1
        else:
            never = 1 + int(delete.max(initial=0)) + int(insert.max(initial=0))
            change = np.full((len(labels), len(labels)), never, np.int32)
        np.fill_diagonal(change, 0)
        return delete, insert, change


def _wild(corpus: Functions) -> Functions:
    """Return function trees with the wildcard for the feature structure without features."""
    if ANY not in corpus.label.vocabulary:
        return corpus
    labels = corpus.label.map(lambda text: WILDCARD if text == ANY else text)
    return corpus.replace("nodes", label=labels)


@dataclass(frozen=True, slots=True)
class Chains:
    """The labelled nodes of a corpus, the labels of the same yield together, from the lowest up.

    `node` are the different yields of all sentences, in order; the chain of each begins at
    `starts`. `order` are the rows of the labels in the table of nodes, which has `rows` in all.
    """

    order: Numbers
    node: Numbers
    starts: Numbers
    label: Numbers
    rows: int

    def node_of_row(self) -> Numbers:
        """Return the node of each label."""
        return np.repeat(self.node, np.diff(self.starts))

    def rows_of(self, places: Numbers) -> tuple[Numbers, Numbers]:
        """Return where some chains begin if they stand one after the other, and their labels."""
        lengths = np.diff(self.starts)[places]
        return offsets_of(lengths), np.repeat(self.starts[places], lengths) + places_in_runs(
            lengths
        )


def _numbered(columns: Numbers) -> Numbers:
    """Return a number for each column, the same for those that are equal."""
    order = np.lexsort(columns)
    ordered = columns[:, order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.cumsum(new)
    return numbers


def _rows(kind: int, node: Numbers, old: Numbers | int, new: Numbers | int) -> Numbers:
    return np.stack(np.broadcast_arrays(kind, node, old, new)).astype(np.int64)


def _place(operation: Operation) -> tuple[int, int, str, int]:
    """Return what puts operations in the order of the function trees' nodes."""
    stretches = parse_yield(operation.yields)
    size = sum(last - first + 1 for first, last in stretches)
    return stretches[0][0], -size, operation.yields, _KINDS.index(operation.kind)
