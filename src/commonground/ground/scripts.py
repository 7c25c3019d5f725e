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
from commonground.ground.algebra import NodeSet, node_sets
from commonground.ground.costs import Costs
from commonground.ground.dependencies import WILDCARD
from commonground.ground.features import ANY
from commonground.ground.ordered import unrooted
from commonground.kernels import load

__all__ = ["Edits", "Explanation", "Operation", "Script", "edits_to", "explain"]

Numbers = NDArray[np.int64]
Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]
Kind = Literal["delete", "relabel", "add"]

_KINDS: tuple[Kind, ...] = ("delete", "relabel", "add")
_DELETE, _RELABEL, _ADD = range(3)


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
    >>> (found,) = explain(parse, own, flat)
    >>> print(*found.parse_to_general, sep="; ")
    relabel mod 1 to sbj; delete prd 2-3
    >>> print(*found.gold_to_general), print(*found.forgiven), print(*found.charged)
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
    `target` tell for each row of the two tables of nodes whether it stays as it is. Edits towards
    the same trees have the same numbers and can be compared.
    """

    operations: Numbers
    source: Flags
    target: Flags
    sentences: int
    yields: list[str]
    labels: list[str]
    wildcard: int
    set_costs: Costs | None = None

    def costs(self, which: Flags | None = None) -> Numbers:
        """Return how much the script of each sentence costs, or only some of its operations.

        It is the number of operations, or with costs that were set, the sum of theirs in units.
        """
        chosen = self.operations if which is None else self.operations[:, which]
        sentence = chosen[1] // max(len(self.yields), 1)
        each = None if self.set_costs is None else self._each_cost(chosen, self.set_costs)
        return np.bincount(sentence, each, minlength=self.sentences).astype(np.int64)

    def _each_cost(self, operations: Numbers, costs: Costs) -> Numbers:
        kind, _, old, new = operations
        found = costs.of_pairs(self.labels)[old, new].astype(np.int64)
        for which, codes, insert in ((_DELETE, old, False), (_ADD, new, True)):
            each = costs.of_nodes(codes, self.labels, insert=insert)
            found = np.where(kind == which, each, found)
        return found

    def among(self, other: Edits) -> Flags:
        """Tell which operations are in other scripts too; a deleted wildcard is any label there."""
        both = np.concatenate([self.operations, other.operations], axis=1)
        _, number = np.unique(both, axis=1, return_inverse=True)
        mine, theirs = np.split(number.ravel(), [self.operations.shape[1]])
        kind, node, old, _ = self.operations
        deleted = other.operations[:, other.operations[0] == _DELETE]
        wild = deleted[1, deleted[2] == self.wildcard]
        alike = np.where(old == self.wildcard, np.isin(node, deleted[1]), np.isin(node, wild))
        return np.isin(mine, theirs) | ((kind == _DELETE) & alike)

    def scripts(self, which: Flags | None = None) -> list[Script]:
        """Return the script of each sentence, or only some of its operations."""
        operations = self.operations if which is None else self.operations[:, which]
        found: list[list[Operation]] = [[] for _ in range(self.sentences)]
        for kind, node, old, new in operations.T.tolist():
            sentence, place = divmod(node, len(self.yields))
            label = self.labels[new if kind == _ADD else old]
            to = self.labels[new] if kind == _RELABEL else ""
            found[sentence].append(Operation(_KINDS[kind], label, self.yields[place], to))
        return [tuple(sorted(script, key=_place)) for script in found]


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
    trees = [target, *sources]
    sets, yields, labels = node_sets([_wild(tree) for tree in trees] if relabel else trees)
    wildcard = labels.index(WILDCARD) if relabel and WILDCARD in labels else -1
    end, *begins = (_chains(found) for found in sets)
    found = []
    for begin in begins:
        weights = None if costs is None else _weights(begin, end, costs, labels, relabel=relabel)
        operations, source, kept = _edited(begin, end, wildcard, weights, relabel=relabel)
        found.append(Edits(operations, source, kept, len(target), yields, labels, wildcard, costs))
    return tuple(found)


def _wild(corpus: Functions) -> Functions:
    """Return function trees with the wildcard for the feature structure without features."""
    if ANY not in corpus.label.vocabulary:
        return corpus
    labels = corpus.label.map(lambda text: WILDCARD if text == ANY else text)
    return corpus.replace("nodes", label=labels)


@dataclass(frozen=True, slots=True)
class _Chains:
    """The labelled nodes of a corpus, those of the same yield together, from the lowest up.

    `order` are their rows in the table of nodes, which has `rows` in all.
    """

    order: Numbers
    node: Numbers
    label: Numbers
    rows: int


def _chains(found: NodeSet) -> _Chains:
    # Labels of a node stand in alphabetical order, and the last one is the lowest.
    rows = np.flatnonzero(found.label)[::-1]
    order = rows[np.argsort(found.node[rows], kind="stable")]
    return _Chains(order, found.node[order], found.label[order], len(found.node))


def _weights(
    begin: _Chains, end: _Chains, costs: Costs, labels: list[str], *, relabel: bool
) -> tuple[Codes, Codes, Codes]:
    """Return what edits of chains cost, as the kernel takes it."""
    counts = (np.unique(side.node, return_counts=True)[1] for side in (begin, end))
    scale = 1 + max(int(count.max(initial=0)) for count in counts)
    delete = scale * costs.of_nodes(begin.label, labels, insert=False)
    insert = scale * costs.of_nodes(end.label, labels, insert=True)
    if relabel:  # a little more, so that of equal choices the one with fewer relabellings is taken
        change = scale * costs.of_pairs(labels) + 1
    else:
        never = 1 + int(delete.max(initial=0)) + int(insert.max(initial=0))
        change = np.full((len(labels), len(labels)), never, np.int32)
    np.fill_diagonal(change, 0)
    return delete, insert, change


def _edited(
    begin: _Chains,
    end: _Chains,
    wildcard: int,
    weights: tuple[Codes, Codes, Codes] | None,
    *,
    relabel: bool,
) -> tuple[Numbers, Flags, Flags]:
    """Return the operations that make the second chains of the first, and which rows stay."""
    nodes = np.union1d(begin.node, end.node)
    offsets = [
        np.append(np.searchsorted(side.node, nodes), len(side.node)) for side in (begin, end)
    ]
    sides = [
        (
            starts,
            np.where(side.label == wildcard, -1, side.label).astype(np.int32),
            np.zeros(len(side.node), np.int32),
        )
        for starts, side in zip(offsets, (begin, end), strict=True)
    ]
    if weights is None:
        # As it costs a little more to relabel than to edit, of equal choices the one with fewer
        # relabellings is taken; all of them together cost less than one edit.
        edit = 1 + max(int(np.diff(starts).max(initial=0)) for starts in offsets)
        change = edit + 1 if relabel else 2 * edit + 1
        partner, other = load("tree_distance").mappings(*sides, change, edit)
    else:
        partner, other = load("tree_distance").weighted_mappings(*sides, weights)
    paired = np.flatnonzero(partner >= 0)
    becomes = offsets[1][np.searchsorted(nodes, begin.node[paired])] + partner[paired]
    old, new = begin.label[paired], end.label[becomes]
    same = (old == new) | (old == wildcard) | (new == wildcard)
    changed, deleted, added = paired[~same], np.flatnonzero(partner < 0), np.flatnonzero(other < 0)
    operations = np.concatenate(
        [
            _rows(_DELETE, begin.node[deleted], begin.label[deleted], 0),
            _rows(_RELABEL, begin.node[changed], old[~same], new[~same]),
            _rows(_ADD, end.node[added], 0, end.label[added]),
        ],
        axis=1,
    )
    source, target = np.zeros(begin.rows, np.bool_), np.zeros(end.rows, np.bool_)
    source[begin.order[paired[same]]] = True
    target[end.order[becomes[same]]] = True
    return operations, source, target


def _rows(kind: int, node: Numbers, old: Numbers | int, new: Numbers | int) -> Numbers:
    return np.stack(np.broadcast_arrays(kind, node, old, new)).astype(np.int64)


def _place(operation: Operation) -> tuple[int, int, str, int]:
    """Return what puts operations in the order of the function trees' nodes."""
    stretches = parse_yield(operation.yields)
    size = sum(last - first + 1 for first, last in stretches)
    return stretches[0][0], -size, operation.yields, _KINDS.index(operation.kind)
