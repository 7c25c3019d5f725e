"""TedEval (2012): the edit distance of function trees, less what only one theory asks for.

Let P, G and O be the labelled nodes (yield, label) of the parse, of the generalized gold tree and
of the parse's own gold tree; nodes over the whole sentence and nodes without a label are none.
The operations add and delete one node each, so that the shortest script from one tree to another
is the difference of their nodes, and there is only one:

    δ      =  |P∖G| + |G∖P| − |(P∖G)∩(O∖G)| − |(G∖P)∩(G∖O)|
    score  =  1 − δ / (|P| + |G|)        1 where both are empty

The third term forgives what the parse has with its own gold tree, but the other theories have not;
the last one is 0 where G is a generalization of O, as it should be. In other words: a node of the
parse is right when G or O has it, a node of G is right when the parse has it (or O has not), and
the score is the share of right nodes. Unlabelled, a node is its yield. SINGLE: G = O. MULTIPLE: G
is what all gold trees agree on (:func:`commonground.ground.generalize`).

The score of a corpus is that of the summed δ and sizes; the mean over its sentences is
``score.by_sentence().mean()``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions
from commonground.corpus.strings import Vocabulary
from commonground.ground.algebra import check_same_sentences
from commonground.ground.costs import Costs
from commonground.ground.dependencies import HEAD, labels_of_arcs
from commonground.kernels import load
from commonground.metrics.dependencies.comparison import Comparison
from commonground.metrics.functions.comparison import TreeComparison, function_trees
from commonground.metrics.items import CountedItems, Counts, Items, Side
from commonground.metrics.matching import among
from commonground.metrics.metric import Metric, Totals, ratio
from commonground.metrics.once_per_comparison import once_per_comparison

__all__ = [
    "METRICS",
    "Keys",
    "NodeScoring",
    "agreement",
    "costs_of_nodes",
    "labelled",
    "share_right",
    "tedeval_items",
    "unlabelled",
]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


# ── the metric ───────────────────────────────────────────────────────────────────────────────────


def share_right(totals: Totals) -> Any:
    """Return the share of nodes that are right on both sides, which is 1 − δ/(|P|+|G|); 0/0 is 1.

    >>> share_right({"correct": 2, "system_correct": 3, "gold": 4, "system": 4})
    0.625
    >>> share_right({"right": 3, "most": 4})
    0.75
    """
    if "most" in totals:
        return ratio(totals["right"], totals["most"])
    right = totals["correct"] + totals["system_correct"]
    return ratio(right, totals["gold"] + totals["system"])


def tedeval_items(
    parse: Functions,
    own_gold: Functions,
    generalized: Functions | None = None,
    *,
    labelled: bool = True,
    equivalent: Mapping[str, str] | None = None,
    costs: Costs | None = None,
) -> Items:
    """Compare the nodes of parses with generalized gold trees (the own ones without any given).

    With `costs`, `most` is what it costs to delete all nodes of the parse and to add all of the
    gold tree, and `right` what of it need not be paid, in units.

    'John loves Mary' with a wrong object, alone and beside a theory that has no object here:

    >>> words, head = "John loves Mary".split(), [("1-3", "root"), ("1", "sbj"), ("2", "hd")]
    >>> own = Functions.of([(words, [*head, ("3", "obj")])])
    >>> other = Functions.of([(words, [("1-3", "root"), ("1", "sbj"), ("2-3", "prd")])])
    >>> parse = Functions.of([(words, [*head, ("3", "mod")])])
    >>> from commonground.ground import generalize
    >>> share_right(tedeval_items(parse, own).counts.totals)
    0.6666666666666666
    >>> share_right(tedeval_items(parse, own, generalize(own, other)).counts.totals)
    0.75

    Half the cost for modifiers, and double for subjects: 1 − (0.5+1)/(3.5+4).

    >>> costs = Costs(labels={"mod": 0.5, "sbj": 2})
    >>> result = tedeval_items(parse, own, costs=costs).counts.totals
    >>> result["right"], result["most"], share_right(result)
    (60, 75, 0.8)
    """
    scoring = NodeScoring(costs, equivalent)
    return scoring(parse, own_gold, generalized, labelled=labelled)


class NodeScoring:
    """Compares parses with gold trees, as :func:`tedeval_items`, and remembers the trees.

    The nodes of each corpus are numbered once, whatever it is compared with. A number is that of
    the sentence, the yield and the label, so that it changes when there are more of these; the
    order of numbers does not.
    """

    def __init__(
        self, costs: Costs | None = None, equivalent: Mapping[str, str] | None = None
    ) -> None:
        self._costs = {True: costs, False: costs and costs.unlabelled()}
        self._equivalent = equivalent
        self._yields, self._labels = Vocabulary(), Vocabulary({"": 0})
        self._trees: dict[int, _Numbered] = {}
        self._found: dict[tuple[int, bool], tuple[tuple[int, int], Keys]] = {}

    def __call__(
        self,
        parse: Functions,
        own_gold: Functions,
        generalized: Functions | None = None,
        *,
        labelled: bool = True,
    ) -> Items:
        """Compare parses with generalized gold trees (the own ones without any given)."""
        gold = own_gold if generalized is None else generalized
        corpora = (parse, own_gold, gold)
        check_same_sentences(corpora)
        trees = [self._numbered(corpus) for corpus in corpora]
        keys = [self._keys(tree, labelled=labelled) for tree in trees]
        items = agreement(keys[0], keys[1], keys[2], len(parse), (gold, parse))
        costs = self._costs[labelled]
        return items if costs is None else _with_costs(items, gold, parse, costs)

    def _numbered(self, corpus: Functions) -> _Numbered:
        known = self._trees.get(id(corpus))
        if known is None:
            same = self._equivalent or {}
            label = corpus.label.map(lambda text: same.get(text, text))
            known = self._trees[id(corpus)] = _Numbered(
                corpus,
                corpus.nodes.sentence_of_row(),
                corpus.yields.codes_in(self._yields).astype(np.int64),
                label.codes_in(self._labels).astype(np.int64),
                ~corpus.roots,
            )
        return known

    def _keys(self, tree: _Numbered, *, labelled: bool) -> Keys:
        """Return the nodes that count, numbered among all yields and labels that are known now."""
        sizes = len(self._yields), len(self._labels)
        place = id(tree.given), labelled
        known = self._found.get(place)
        if known is None or known[0] != sizes:
            keys = tree.labelled(*sizes) if labelled else tree.unlabelled(sizes[0])
            known = self._found[place] = sizes, keys.once() if self._equivalent else keys
        return known[1]


@dataclass(frozen=True, slots=True)
class _Numbered:
    """The rows of function trees as numbers; `inside` are those of nodes that are no roots.

    `given` are the trees, which are kept for their identity.
    """

    given: Functions
    sentence: Numbers
    places: Numbers
    label: Numbers
    inside: Flags

    def labelled(self, yields: int, labels: int) -> Keys:
        """Return the nodes with labels, where there are so many yields and labels at all."""
        rows = np.flatnonzero((self.label > 0) & self.inside)
        sentence = self.sentence[rows]
        node = sentence * yields + self.places[rows]
        return Keys(rows, sentence, node * labels + self.label[rows])

    def unlabelled(self, yields: int) -> Keys:
        """Return the nodes, each once whatever its labels are."""
        node = self.sentence * yields + self.places
        new = np.ones(len(node), np.bool_)
        new[1:] = np.diff(node) != 0
        rows = np.flatnonzero(new & self.inside)
        return Keys(rows, self.sentence[rows], node[rows])


def _with_costs(items: Items, gold: Functions, parse: Functions, costs: Costs) -> Items:
    """Return the items with what it costs to edit them all, and to edit those that are right."""
    right, most = (np.zeros(items.sentences, np.int64) for _ in range(2))
    for side, corpus, insert in ((items.gold, gold, True), (items.system, parse, False)):
        label = corpus.label[side.rows]
        each = costs.of_nodes(label.codes, label.vocabulary, insert=insert)
        most += np.bincount(side.sentence, each, items.sentences).astype(np.int64)
        right += np.bincount(side.sentence, each * side.correct, items.sentences).astype(np.int64)
    return replace(items, further={**items.further, "right": right, "most": most})


def costs_of_nodes(corpus: Functions, costs: Costs, *, insert: bool) -> Numbers:
    """Return what it costs to add (or delete) all labelled nodes of each tree, in units."""
    rows = np.flatnonzero(corpus.label.where(bool))
    label = corpus.label[rows]
    each = costs.of_nodes(label.codes, label.vocabulary, insert=insert)
    sums = np.bincount(corpus.nodes.sentence_of_row()[rows], each, len(corpus))
    return sums.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Keys:
    """The nodes of a corpus that count: their `rows` and sentences, and a number for each node."""

    rows: Numbers
    sentence: Numbers
    key: Numbers

    @cached_property
    def ordered(self) -> Numbers:
        """The numbers in order, in which others are searched for."""
        return np.sort(self.key)

    @cached_property
    def place(self) -> Numbers:
        """Where the number of each node is among those in order, the first of equal ones."""
        return np.searchsorted(self.ordered, self.key)

    def shared(self, other: Keys) -> tuple[Flags, Flags]:
        """Tell which nodes of each of two sides the other one has, too.

        >>> one, two = (Keys(*[np.array(key)] * 3) for key in ([7, 2], [1, 2, 5]))
        >>> [side.tolist() for side in one.shared(two)]
        [[False, True], [False, True, False]]
        """
        mine, theirs = load("columns").in_both(self.ordered, other.ordered)
        return mine[self.place], theirs[other.place]

    @cached_property
    def _own(self) -> WeakKeyDictionary[Keys, Flags]:
        return WeakKeyDictionary()

    def among_own(self, own: Keys) -> Flags:
        """Tell which nodes a gold tree has that they are compared with again and again."""
        shared = self._own.get(own)
        if shared is None:
            shared = self._own[own] = among(self.key, own.ordered)
        return shared

    def once(self) -> Keys:
        """Return the nodes without those that were there before."""
        _, first = np.unique(self.key, return_index=True)
        first.sort()
        return Keys(self.rows[first], self.sentence[first], self.key[first])


def agreement(
    parse: Keys, own: Keys, gold: Keys, sentences: int, corpora: tuple[Functions, Functions]
) -> Items:
    """Return the nodes of `gold` and parse as items; what `own` shares with one side is right.

    `corpora` are the function trees with the nodes of `gold` and of the parse.
    """
    right, recalled = parse.shared(gold)
    if own is not gold:
        right |= parse.among_own(own)
        recalled |= ~gold.among_own(own)
    summed = np.bincount(parse.sentence[right], minlength=sentences).astype(np.int64)
    return Items(
        Side(gold.rows, gold.sentence, recalled, np.ones(len(recalled), np.bool_)),
        Side(parse.rows, parse.sentence, right, np.ones(len(right), np.bool_)),
        sentences,
        table="nodes",
        further={"system_correct": summed},
        corpora=corpora,
    )


# ── gold standards and parses of any kind ─────────────────────────────────────────────────────────


def labelled(pair: TreeComparison) -> Items:
    """Compare the labelled nodes of a parse and of its own gold standard."""
    return _items(pair, labelled=True)


def unlabelled(pair: TreeComparison) -> Items:
    """Compare the yields of a parse and of its own gold standard."""
    return _items(pair, labelled=False)


def _items(pair: TreeComparison, *, labelled: bool) -> Items:
    version = pair.settings.tedeval
    if version:
        from commonground.metrics.functions.tedeval_original import original_items  # noqa: PLC0415  # a preset

        return original_items(pair, version, labelled=labelled)
    counts = _counted(pair)
    if counts is not None:
        return CountedItems(counts[not labelled], lambda: _compared(pair, labelled=labelled))
    return _compared(pair, labelled=labelled)


def _compared(pair: TreeComparison, *, labelled: bool) -> Items:
    gold, system = function_trees(pair)
    if not labelled:
        return tedeval_items(system, gold, labelled=False)
    # Labels are what the settings make of them; they can become equal.
    texts = {*gold.label.vocabulary, *system.label.vocabulary}
    same = {text: label for text in texts if (label := pair.settings.label(text)) != text}
    return tedeval_items(system, gold, equivalent=same)


@once_per_comparison
def _counted(pair: TreeComparison) -> tuple[Counts, Counts] | None:
    """Count the nodes of dependency trees without making function trees, where that is possible.

    It is where both sides have the same words, all of which count, and no cycles: function trees
    tell where these are.
    """
    if not isinstance(pair, Comparison) or not pair.same_words:
        return None
    vocabulary = Vocabulary({"": 0})
    name = vocabulary[pair.settings.label(HEAD)]
    sides = [
        (side.head, labels_of_arcs(side).map(pair.settings.label).codes_in(vocabulary))
        for side in (pair.gold, pair.system)
    ]
    table, done = load("subtrees").node_counts(pair.gold.offsets, *sides, name)
    if not done.all():
        return None
    counts = []
    for gold_nodes, system_nodes, both in (table[:3], table[3:]):
        columns = {"correct": both, "gold": gold_nodes, "system": system_nodes}
        counts.append(Counts({**columns, "aligned": gold_nodes, "system_correct": both}))
    return counts[0], counts[1]


_TSARFATY = (
    "Tsarfaty, Nivre & Andersson (2012), Cross-framework evaluation for statistical parsing."
)
_EXAMPLE = """\
Example: 'John loves Mary' is {sbj} John {hd} loves {obj} Mary in the gold standard; """

METRICS = (
    Metric(
        "tedeval",
        "TedEval",
        labelled,
        "TedEval (2012), labelled: both sides are turned into nodes (words, function); δ is the "
        "number of nodes that the parse has in excess or lacks, and the score is 1 − "
        "δ/(|P|+|G|). The node over the whole sentence does not count.\nFrom: "
        f"{_TSARFATY}\n{_EXAMPLE}a parse with {{mod}} Mary needs 2 edits, 1 − 2/(3+3) = 0.667.",
        share_right,
        empty=1.0,
    ),
    Metric(
        "tedeval_unlabelled",
        "TedEval (unl.)",
        unlabelled,
        "TedEval (2012), unlabelled: the nodes are compared by their words only, 1 − δ/(|P|+|G|).\n"
        f"From: {_TSARFATY}\n{_EXAMPLE}a parse with a further node over 'loves Mary' needs 1 edit, "
        "1 − 1/(4+3) = 0.857.",
        share_right,
        empty=1.0,
    ),
)
