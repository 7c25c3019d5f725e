"""TedEval (2011): the edit distance of functional trees with wildcards, less what one theory asks.

Functional trees are function trees in which a head word has the label ``*``: a wildcard, which is
equal to every label and yields to a specific one. Nodes can be deleted, inserted and relabelled at
the cost of 1 (or others, see ground/costs.py); ES*(a, b) is the cheapest script of such edits that
makes b of a, as Zhang and Shasha (1989) find it. With the parse P, its own gold tree O and the
generalized gold tree G:

    δ      =  cost(ES*(P, G)) − cost(ES*(P, G) ∩ ES*(O, G))
    score  =  1 − δ / (|P| + |G|)        1 where both are empty

Sizes count nodes without the root (the node over the whole sentence) and without the words; neither
is ever edited. Unlabelled, relabelling is free, and every yield is one node. SINGLE: G = O.
MULTIPLE: G is the T-generalization of all gold trees (see ground/wildcards.py). The score of a
corpus is that of the summed δ and sizes.

Labels that are declared equivalent are equal, which is relabelling at no cost. How scripts are
found and which one is taken where several are the cheapest is told in ground/scripts.py. Deleting a
wildcard and deleting a label over the same words are the same operation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions
from commonground.corpus.functions import canonical
from commonground.ground.algebra import generalize
from commonground.ground.costs import Costs
from commonground.ground.dependencies import HEAD, WILDCARD
from commonground.ground.ordered import unlabelled as without_labels
from commonground.ground.ordered import unrooted
from commonground.ground.scripts import Chains, Editor, Edits
from commonground.ground.wildcards import resolve_wildcards
from commonground.metrics.functions.comparison import TreeComparison, function_trees
from commonground.metrics.functions.tedeval import costs_of_nodes
from commonground.metrics.items import Items, Side
from commonground.metrics.metric import Metric, Totals, ratio

__all__ = ["METRICS", "Scoring", "common_gold", "functional", "score", "tedeval_2011_items"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def score(totals: Totals) -> Any:
    """Return 1 − δ/(|P|+|G|); 0/0 is 1.

    >>> score({"cost": 2, "gold": 3, "system": 5})
    0.75
    >>> score({"cost": 2, "gold": 3, "system": 5, "most": 4})
    0.5
    """
    most = totals["most"] if "most" in totals else totals["gold"] + totals["system"]
    return 1 - ratio(totals["cost"], most, empty=0.0)


def functional(corpus: Functions, label: Callable[[str], str] = str) -> Functions:
    """Return function trees as functional trees: with ``*`` for ``hd``, and labels as compared.

    Where the same words have another function besides ``hd``, the wildcard has yielded to it.

    >>> tree = Functions.of([(["a", "b"], [("1-2", "root"), ("1", "SUB"), ("2", "hd")])])
    >>> functional(tree, str.lower).label.tolist()
    ['root', 'sub', '*']
    """
    labels = corpus.label.map(lambda text: WILDCARD if text == HEAD else label(text))
    nodes = canonical(corpus.nodes.replace(label=labels))
    (trees,) = resolve_wildcards(Functions({**corpus.tables, "nodes": nodes}))
    return trees


def common_gold(*golds: Functions) -> Functions:
    """Return what all gold trees agree on, modulo wildcards: the T-generalization.

    >>> words = "would have worked".split()
    >>> nested = [("1", "*"), ("2-3", "vg"), ("2", "*"), ("3", "vg")]
    >>> other = [("1-2", "vg"), ("1", "vg"), ("2", "*"), ("3", "*")]
    >>> both = common_gold(*(Functions.of([(words, nodes)]) for nodes in (nested, other)))
    >>> list(zip(both.yields, both.label))
    [('1', 'vg'), ('2', '*'), ('3', 'vg')]
    """
    return generalize(*resolve_wildcards(*golds))


def tedeval_2011_items(
    parse: Functions,
    own_gold: Functions,
    generalized: Functions | None = None,
    *,
    labelled: bool = True,
    costs: Costs | None = None,
) -> Items:
    """Compare parses with generalized gold trees (the own ones without any given).

    The column `cost` is δ, `forgiven` what was subtracted for it. Nodes that stay are correct. With
    `costs` these are in units, and `most` is what it costs to delete the parse and to insert G.

    'John loves Mary' with a wrong object, alone and beside a theory without the phrase 2-3:

    >>> words, rest = "John loves Mary".split(), [("1", "sbj"), ("2-3", "prd"), ("2", "*")]
    >>> own = Functions.of([(words, [*rest, ("3", "obj")])])
    >>> parse = Functions.of([(words, [*rest, ("3", "mod")])])
    >>> other = Functions.of([(words, [("1", "sbj"), ("2", "*"), ("3", "obj")])])
    >>> score(tedeval_2011_items(parse, own).counts.totals)
    0.875
    >>> result = tedeval_2011_items(parse, own, common_gold(own, other)).counts.totals
    >>> result["cost"], result["forgiven"], round(score(result), 3)
    (1, 1, 0.857)

    Half the cost for making an object of a modifier, and double for the subject: 1 − 0.5/(5+5).

    >>> costs = Costs(labels={"sbj": 2}, pairs={("mod", "obj"): 0.5})
    >>> result = tedeval_2011_items(parse, own, costs=costs).counts.totals
    >>> result["cost"], result["most"], score(result)
    (5, 100, 0.95)
    """
    return Scoring(costs)(parse, own_gold, generalized, labelled=labelled)


class Scoring:
    """Compares parses with gold trees, as :func:`tedeval_2011_items`, and remembers the trees.

    Each corpus is made ready once, and what its own gold tree needs to become another gold tree is
    found out once, for all the parses that are scored on them.
    """

    def __init__(self, costs: Costs | None = None) -> None:
        self._costs = {True: costs, False: costs and costs.unlabelled()}
        self._editors = {labelled: Editor(costs=each) for labelled, each in self._costs.items()}
        self._trees: dict[tuple[int, bool], _Tree] = {}
        self._native: dict[tuple[int, int, bool], Edits] = {}

    def __call__(
        self,
        parse: Functions,
        own_gold: Functions,
        generalized: Functions | None = None,
        *,
        labelled: bool = True,
    ) -> Items:
        """Compare parses with generalized gold trees (the own ones without any given)."""
        general = own_gold if generalized is None else generalized
        mine, gold = self._tree(parse, labelled=labelled), self._tree(general, labelled=labelled)
        edits = self._editors[labelled].edits(mine.chains, gold.chains)
        forgiven = edits.among(self._edits(own_gold, general, labelled=labelled))
        further = {"cost": edits.costs(~forgiven), "forgiven": edits.costs(forgiven)}
        costs = self._costs[labelled]
        if costs:
            further["most"] = costs_of_nodes(mine.trees, costs, insert=False)
            further["most"] += costs_of_nodes(gold.trees, costs, insert=True)
        return Items(
            gold.side(edits.target),
            mine.side(edits.source),
            len(parse),
            table="nodes",
            further=further,
            corpora=(gold.trees, mine.trees),
        )

    def _edits(self, own: Functions, general: Functions, *, labelled: bool) -> Edits:
        key = id(own), id(general), labelled
        if key not in self._native:
            sides = (self._tree(each, labelled=labelled).chains for each in (own, general))
            self._native[key] = self._editors[labelled].edits(*sides)
        return self._native[key]

    def _tree(self, corpus: Functions, *, labelled: bool) -> _Tree:
        key = id(corpus), labelled
        if key not in self._trees:
            trees = unrooted(corpus) if labelled else without_labels(unrooted(corpus))
            rows = np.flatnonzero(trees.label.where(bool))
            sentence = trees.nodes.sentence_of_row()[rows]
            chains = self._editors[labelled].chains(trees)
            self._trees[key] = _Tree(corpus, trees, chains, rows, sentence)
        return self._trees[key]


@dataclass(frozen=True, slots=True)
class _Tree:
    """Functional trees without their roots, and their nodes; `given` is kept for its identity."""

    given: Functions
    trees: Functions
    chains: Chains
    rows: Numbers
    sentence: Numbers

    def side(self, correct: Flags) -> Side:
        """Return the nodes, `correct` tells of each row of the table whether it is."""
        return Side(self.rows, self.sentence, correct[self.rows], np.ones(len(self.rows), np.bool_))


def _single(pair: TreeComparison, *, labelled: bool) -> Items:
    gold, system = (functional(tree, pair.settings.label) for tree in function_trees(pair))
    return tedeval_2011_items(system, gold, labelled=labelled)


def _labelled(pair: TreeComparison) -> Items:
    return _single(pair, labelled=True)


def _unlabelled(pair: TreeComparison) -> Items:
    return _single(pair, labelled=False)


_TSARFATY = "Tsarfaty, Nivre & Andersson (2011), Evaluating dependency parsing."

METRICS = (
    Metric(
        "tedeval_2011",
        "TedEval 2011",
        _labelled,
        "TedEval (2011), labelled: both sides are turned into functional trees, in which the label "
        "of a head word is a wildcard and equal to every label; δ is the cost of the cheapest "
        "script of deleting, inserting and relabelling nodes at 1 each, and the score is "
        "1 − δ/(|P|+|G|). The node over the whole sentence does not count.\n"
        f"From: {_TSARFATY}\n"
        "Example: 'John loves Mary' is (sbj John) (* loves) (obj Mary) in the gold standard; a "
        "parse with (mod Mary) needs 1 edit, 1 − 1/(3+3) = 0.833.",
        score,
        empty=1.0,
    ),
    Metric(
        "tedeval_2011_unlabelled",
        "TedEval 2011 (unl.)",
        _unlabelled,
        "TedEval (2011), unlabelled: as tedeval_2011, but relabelling costs nothing.\n"
        f"From: {_TSARFATY}\n"
        "Example: 'John loves Mary' is (sbj John) (* loves) (obj Mary) in the gold standard; a "
        "parse with a further node over 'loves Mary' needs 1 edit, 1 − 1/(4+3) = 0.857.",
        score,
        empty=1.0,
    ),
)
