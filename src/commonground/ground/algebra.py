"""The algebra of function trees, on whole corpora of the same sentences.

    A ⊑ B    every node of A has a node of B with the same yield and a superset of its labels
    A ⊓ B    the yields that both have, with the labels that both give them
    A ⊔ B    all yields with all their labels; it fails where two yields cross
    A ⊔tl B  the nodes of A, each with the labels that B gives to its yield added

All but ⊑ take any number of corpora; ⊓ and ⊔ are commutative, associative and idempotent. Labels
that are declared equivalent are the same label everywhere. Of labels that are feature structures,
``[gf=sbj,num=sg]``, each feature counts by itself (:mod:`commonground.ground.features`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions, Strings, Table
from commonground.corpus.functions import canonical, mask_of
from commonground.corpus.strings import Vocabulary
from commonground.corpus.table import offsets_of
from commonground.errors import CommonGroundError, UsageError
from commonground.ground.features import ClashError, collapsed, expanded, refuse_clashes

__all__ = [
    "ClashError",
    "CrossingError",
    "NodeSet",
    "check_same_sentences",
    "generalize",
    "label_unify",
    "node_sets",
    "subsumes",
    "unify",
]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Equivalent = Mapping[str, str]

_LABEL_BITS = 24
"""The bits for the label in the number of a labelled node; 39 are left for sentence and yield."""


@dataclass(frozen=True, slots=True)
class NodeSet:
    """The rows of a corpus as numbers that can be compared with those of another one.

    `node` is a number for the sentence and the yield, `label` for the label; 0 is the empty label.
    """

    node: Numbers
    label: Numbers

    @property
    def pairs(self) -> Numbers:
        """One number for each node with one of its labels, without the empty ones, in order."""
        labelled = self.label > 0
        return distinct(self.node[labelled] << _LABEL_BITS | self.label[labelled])

    @property
    def nodes(self) -> Numbers:
        """One number for each node, in order."""
        return distinct(self.node)


class CrossingError(CommonGroundError):
    """Yields that cross, so that trees cannot be unified: (sent_id, yield, yield)."""

    def __init__(self, crossing: Sequence[tuple[str, str, str]]) -> None:
        super().__init__(crossing)
        self.found = tuple(crossing)

    def __str__(self) -> str:
        sentence, one, other = self.found[0]
        more = f", and {len(self.found) - 1} more" if len(self.found) > 1 else ""
        return f"sentence {sentence}: the words {one} and {other} cross{more}; no tree has both"


def node_sets(
    corpora: Sequence[Functions], equivalent: Equivalent | None = None
) -> tuple[list[NodeSet], list[str], list[str]]:
    """Return corpora as sets of numbers, and the yields and labels that the numbers stand for."""
    check_same_sentences(corpora)
    same = equivalent or {}
    yields, labels = Vocabulary(), Vocabulary({"": 0})
    rows = [
        (
            corpus.yields.codes_in(yields).astype(np.int64),
            corpus.label.map(lambda text: same.get(text, text)).codes_in(labels).astype(np.int64),
        )
        for corpus in corpora
    ]
    return (
        [
            NodeSet(corpus.nodes.sentence_of_row() * len(yields) + places, names)
            for corpus, (places, names) in zip(corpora, rows, strict=True)
        ],
        list(yields),
        list(labels),
    )


def subsumes(
    general: Functions, specific: Functions, equivalent: Equivalent | None = None
) -> Flags:
    """Return for each sentence whether the first tree is at least as general as the second.

    >>> flat = Functions.of([(["a", "b"], [("1-2", "")])])
    >>> deep = Functions.of([(["a", "b"], [("1-2", "root"), ("1", "x")])])
    >>> subsumes(flat, deep).tolist(), subsumes(deep, flat).tolist()
    ([True], [False])

    >>> subject = Functions.of([(["a"], [("1", "[gf=sbj]")])])
    >>> singular = Functions.of([(["a"], [("1", "[gf=sbj,num=sg]")])])
    >>> subsumes(subject, singular).tolist(), subsumes(singular, subject).tolist()
    ([True], [False])
    """
    sides = [expanded(general), expanded(specific)]
    (one, two), yields, _ = node_sets(sides, equivalent)
    lost = np.concatenate(
        [_without(one.nodes, two.nodes), _without(one.pairs, two.pairs) >> _LABEL_BITS]
    )
    return np.bincount(lost // max(len(yields), 1), minlength=len(general)) == 0


def generalize(*corpora: Functions, equivalent: Equivalent | None = None) -> Functions:
    """Return what all trees agree on: their common yields, with their common labels.

    >>> one = Functions.of([("a b c".split(), [("1-3", "root"), ("1-2", "x"), ("3", "y")])])
    >>> two = Functions.of([("a b c".split(), [("1-3", "root"), ("2-3", "x"), ("3", "z")])])
    >>> both = generalize(one, two)
    >>> list(zip(both.yields, both.label))
    [('1-3', 'root'), ('3', '')]

    >>> one = Functions.of([(["a", "b"], [("1", "[gf=sbj,num=sg]"), ("2", "[gf=hd]")])])
    >>> two = Functions.of([(["a", "b"], [("1", "[gf=sbj,num=pl]"), ("2", "[gf=obj]")])])
    >>> generalize(one, two).label.tolist()
    ['[gf=sbj]', '[]']
    """
    corpora = tuple(map(expanded, corpora))
    sets, yields, labels = node_sets(corpora, equivalent)
    nodes, pairs = (
        _shared([each.nodes for each in sets]),
        _shared([each.pairs for each in sets]),
    )
    return collapsed(_built(corpora[0], nodes, pairs, yields, labels))


def unify(*corpora: Functions, equivalent: Equivalent | None = None) -> Functions:
    """Return everything in any of the trees, or raise :class:`CrossingError` if that is not a tree.

    If an attribute would have two values, it raises :class:`ClashError`.

    >>> one = Functions.of([("a b c".split(), [("1-2", "x")])])
    >>> two = Functions.of([("a b c".split(), [("1-2", "y"), ("3", "z")])])
    >>> both = unify(one, two)
    >>> list(zip(both.yields, both.label))
    [('1-2', 'x'), ('1-2', 'y'), ('3', 'z')]
    """
    corpora = tuple(map(expanded, corpora))
    sets, yields, labels = node_sets(corpora, equivalent)
    nodes = distinct(np.concatenate([each.nodes for each in sets]))
    pairs = distinct(np.concatenate([each.pairs for each in sets]))
    result = _built(corpora[0], nodes, pairs, yields, labels)
    crossing = list(crossings(result))
    if crossing:
        raise CrossingError(crossing)
    refuse_clashes(result, corpora)
    return collapsed(result)


def label_unify(
    structure: Functions, *others: Functions, equivalent: Equivalent | None = None
) -> Functions:
    """Return the nodes of the first trees, with the labels that the others give them added.

    >>> bare = Functions.of([(["a", "b"], [("1-2", ""), ("1", "")])])
    >>> rich = Functions.of([(["a", "b"], [("1", "x"), ("2", "y")])])
    >>> list(zip(label_unify(bare, rich).yields, label_unify(bare, rich).label))
    [('1-2', ''), ('1', 'x')]
    """
    corpora = [expanded(corpus) for corpus in (structure, *others)]
    sets, yields, labels = node_sets(corpora, equivalent)
    nodes = sets[0].nodes
    pairs = distinct(np.concatenate([each.pairs for each in sets]))
    pairs = pairs[np.isin(pairs >> _LABEL_BITS, nodes)]
    result = _built(structure, nodes, pairs, yields, labels)
    refuse_clashes(result, corpora)
    return collapsed(result)


def crossings(corpus: Functions) -> Iterator[tuple[str, str, str]]:
    """Find the pairs of yields in a sentence that share words, but none has all of the other's."""
    masks = list(map(mask_of, corpus.yields.vocabulary))
    codes, offsets = corpus.yields.codes, corpus.nodes.offsets.tolist()
    for sentence, (start, stop) in enumerate(pairwise(offsets)):
        distinct_codes = list(dict.fromkeys(codes[start:stop].tolist()))
        for one, other in combinations(distinct_codes, 2):
            common = masks[one] & masks[other]
            if common and common not in (masks[one], masks[other]):
                texts = corpus.yields.vocabulary
                yield corpus[sentence].sent_id, texts[one], texts[other]


def distinct(numbers: Numbers) -> Numbers:
    """Return numbers (none below 0) in order, each once.

    numpy's own function looks them up in a table, which takes ten times as long.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=-1) != 0]


def _without(numbers: Numbers, others: Numbers) -> Numbers:
    """Return the numbers that are not among others; both are distinct."""
    return np.setdiff1d(numbers, others, assume_unique=True)


def _shared(sets: Sequence[Numbers]) -> Numbers:
    common = sets[0]
    for other in sets[1:]:
        common = np.intersect1d(common, other, assume_unique=True)
    return common


def _built(
    model: Functions, nodes: Numbers, pairs: Numbers, yields: list[str], labels: list[str]
) -> Functions:
    """Return function trees of nodes and their labels, over the words of `model`."""
    bare = _without(nodes, distinct(pairs >> _LABEL_BITS))
    node = np.concatenate([bare, pairs >> _LABEL_BITS])
    label = np.concatenate([np.zeros(len(bare), np.int64), pairs & ((1 << _LABEL_BITS) - 1)])
    order = np.argsort(node, kind="stable")
    node, label = node[order], label[order]
    sentence, place = np.divmod(node, max(len(yields), 1))
    table = Table(
        offsets_of(np.bincount(sentence, minlength=len(model))),
        yields=Strings(place.astype(np.int32), yields),
        label=Strings(label.astype(np.int32), labels),
    )
    return Functions({**model.tables, "nodes": canonical(table)})


def check_same_sentences(corpora: Sequence[Functions]) -> None:
    """Raise an error unless all corpora have the same sentences, as far as lengths tell."""
    if not corpora:
        raise UsageError("the algebra needs at least one corpus")
    lengths = corpora[0].words.lengths
    for other in corpora[1:]:
        if not np.array_equal(lengths, other.words.lengths):
            raise UsageError("the trees must have the same sentences, with equally many words")
