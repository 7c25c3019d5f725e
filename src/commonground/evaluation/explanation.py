"""Why a sentence has its score: the nodes of all trees, the edits, and the formula filled in.

    δ = edits that count,  score = 1 − δ / (|P| + |G|)

P are the nodes of the parse, G those that all gold standards agree on, O those of its own gold
standard; the node over the whole sentence is none of them. An edit that leads from O to G as well
is forgiven: some other gold standard does not have what it takes away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from commonground.corpus import Functions
from commonground.ground.costs import Costs
from commonground.ground.ordered import unlabelled as without_labels
from commonground.ground.ordered import unrooted
from commonground.ground.scripts import Explanation, Operation, Script, explain

__all__ = ["Block", "explained_blocks"]


@dataclass(frozen=True, slots=True)
class Block:
    """The score of a sentence, labelled or unlabelled (`kind`).

    The trees are sets of nodes (words, label). `forgiven` tells for each edit that is not counted
    which gold standards do not have that node; `cost` is δ.
    """

    kind: str
    parse: tuple[tuple[str, str], ...]
    general: tuple[tuple[str, str], ...]
    own: tuple[tuple[str, str], ...]
    charged: Script
    forgiven: tuple[tuple[Operation, tuple[str, ...]], ...]
    costs: Costs | None = None

    @property
    def cost(self) -> float:
        """The number of edits that count, or what they cost."""
        if self.costs is None:
            return len(self.charged)
        return sum(_cost(edit, self.costs) for edit in self.charged) / self.costs.unit

    @property
    def sizes(self) -> tuple[float, float]:
        """The number of nodes of the parse and of G, or what it costs to delete and add them."""
        if self.costs is None:
            return len(self.parse), len(self.general)
        unit = self.costs.unit
        deleted = sum(self.costs.deleting(label) for _, label in self.parse) / unit
        return deleted, sum(self.costs.inserting(label) for _, label in self.general) / unit

    @property
    def size(self) -> float:
        """The number of nodes of the parse and of what the gold standards agree on."""
        return sum(self.sizes)

    @property
    def score(self) -> float:
        """The score of the sentence; without any node it is 1."""
        return 1 - self.cost / self.size if self.size else 1.0

    @property
    def formula(self) -> str:
        """The formula, filled in.

        >>> Block("labelled", (("1", "x"),), (("1", "x"), ("2", "y")), (), (), ()).formula
        'δ = 0, |P|+|G| = 1+2 = 3, score = 1 − 0/3 = 100.00'
        """
        if not self.size:
            return "δ = 0, |P|+|G| = 0, score = 100.00"
        sizes = f"{self.sizes[0]:g}+{self.sizes[1]:g} = {self.size:g}"
        share = f"1 − {self.cost:g}/{self.size:g} = {100 * self.score:.2f}"
        return f"δ = {self.cost:g}, |P|+|G| = {sizes}, score = {share}"

    def shown_as(self, text: Callable[[str], str]) -> Block:
        """Return the same with other texts for the words of nodes."""

        def nodes(given: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
            return tuple((text(words), label) for words, label in given)

        def edit(given: Operation) -> Operation:
            return replace(given, yields=text(given.yields))

        return replace(
            self,
            parse=nodes(self.parse),
            general=nodes(self.general),
            own=nodes(self.own),
            charged=tuple(map(edit, self.charged)),
            forgiven=tuple((edit(each), golds) for each, golds in self.forgiven),
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "parse": [list(node) for node in self.parse],
            "generalized": [list(node) for node in self.general],
            "gold": [list(node) for node in self.own],
            "counted": [str(edit) for edit in self.charged],
            "forgiven": [
                {"edit": str(edit), "not_in": list(golds)} for edit, golds in self.forgiven
            ],
            "delta": self.cost,
            "size": self.size,
            "score": self.score,
        }


def explained_blocks(
    parse: Functions,
    own: Functions,
    general: Functions,
    golds: Mapping[str, Functions],
    *,
    relabel: bool,
    costs: Costs | None = None,
) -> tuple[Block, Block]:
    """Explain the labelled and the unlabelled score of one sentence; all trees have only that one.

    >>> words = "John loves Mary".split()
    >>> own = Functions.of([(words, [("1", "sbj"), ("2-3", "prd"), ("3", "obj")])])
    >>> flat = Functions.of([(words, [("1", "sbj"), ("3", "obj")])])
    >>> parse = Functions.of([(words, [("1", "mod"), ("2-3", "prd"), ("3", "obj")])])
    >>> golds = {"deep": own, "flat": flat}
    >>> for block in explained_blocks(parse, own, flat, golds, relabel=False):
    ...     print(block.kind, block.formula, [names for _, names in block.forgiven])
    labelled δ = 2, |P|+|G| = 3+2 = 5, score = 1 − 2/5 = 60.00 [('flat',)]
    unlabelled δ = 0, |P|+|G| = 3+2 = 5, score = 1 − 0/5 = 100.00 [('flat',)]
    """
    labelled = _block("labelled", parse, own, general, golds, costs, relabel=relabel)
    mine, gold, common = (without_labels(unrooted(tree)) for tree in (parse, own, general))
    others = {name: without_labels(unrooted(tree)) for name, tree in golds.items()}
    bare = costs and costs.unlabelled()
    return labelled, _block("unlabelled", mine, gold, common, others, bare, relabel=relabel)


def _block(
    kind: str,
    parse: Functions,
    own: Functions,
    general: Functions,
    golds: Mapping[str, Functions],
    costs: Costs | None,
    *,
    relabel: bool,
) -> Block:
    explanation: Explanation
    (explanation,) = explain(parse, own, general, relabel=relabel, costs=costs)
    nodes = {name: set(_nodes(gold)) for name, gold in golds.items()}
    forgiven = tuple(
        (edit, tuple(n for n, known in nodes.items() if (edit.yields, edit.label) not in known))
        for edit in explanation.forgiven
    )
    trees = _nodes(parse), _nodes(general), _nodes(own)
    return Block(kind, *trees, explanation.charged, forgiven, costs)


def _cost(edit: Operation, costs: Costs) -> int:
    if edit.kind == "relabel":
        return costs.relabelling(edit.label, edit.new)
    return costs.inserting(edit.label) if edit.kind == "add" else costs.deleting(edit.label)


def _nodes(tree: Functions) -> tuple[tuple[str, str], ...]:
    nodes = unrooted(tree)
    return tuple(pair for pair in zip(nodes.yields, nodes.label, strict=True) if pair[1])
