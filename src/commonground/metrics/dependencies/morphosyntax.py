"""Morphosyntactic trees: MSLAS of UniDive's shared task on morphosyntactic parsing.

Nodes are content words (FEATS is not ``_``; ``|`` is a content word without features) and abstract
nodes (empty nodes with a HEAD, whose FORM is ``_``). Function words are no nodes: what they say is
among the features of content words. In each sentence the content words of both sides are paired
by their order, whatever their forms, and abstract nodes by their order between the same content
words; once counted from the beginning, once from the end, and what gives the higher score counts.

    MS-LAS    2 · pairs with the same head and label / (gold nodes + nodes of the parse)
    MS-Feats  the same with the F1 of the universal features of each pair, instead of 1 or 0
    MSLAS     the same with the F1 of the features of pairs with the same head and label

Labels are compared without subtypes, whatever the settings.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings, Table
from commonground.corpus.strings import Vocabulary
from commonground.metrics.dependencies.comparison import ROOT, UNKNOWN, Comparison
from commonground.metrics.dependencies.content import universal
from commonground.metrics.dependencies.morphology import UNIVERSAL
from commonground.metrics.items import Items, Side
from commonground.metrics.metric import Metric, Totals, ratio
from commonground.metrics.once_per_comparison import once_per_comparison
from commonground.metrics.scope import punctuation

__all__ = ["METRICS", "UNIT", "ms_feats", "ms_las", "mslas"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

UNIT = 10**9
"""What a node with the right features is worth, as a whole number."""


class _Nodes(NamedTuple):
    """The nodes of one side: their gold sentence, head (a node, ROOT or UNKNOWN), and more."""

    sentence: Numbers
    abstract: Flags
    head: Numbers
    label: Strings
    feats: Strings
    corpus: Dependencies


class _Pairs(NamedTuple):
    """Nodes of gold standard and parse that belong together, and what they have in common."""

    gold: Numbers
    system: Numbers
    right_arc: Flags
    features: Numbers


def ms_las(pair: Comparison) -> Items:
    """Count the nodes with the right head and label."""
    return _items(pair, features=False)


def mslas(pair: Comparison) -> Items:
    """Sum the F1 of features over the nodes with the right head and label, in `billionths`."""
    return _items(pair)


def ms_feats(pair: Comparison) -> Items:
    """Sum the F1 of features over all nodes, in `billionths`."""
    return _items(pair, arcs=False)


def mean_of_features(totals: Totals) -> Any:
    """Return 2 · sum / (gold + system); 0/0 is 1."""
    return ratio(2 * totals["billionths"], UNIT * (totals["gold"] + totals["system"]))


def _items(pair: Comparison, *, arcs: bool = True, features: bool = True) -> Items:
    """Return the nodes as items, each sentence paired in the direction that is better for it."""
    gold, system = _sides(pair)
    both = _both_directions(pair)
    worth = [
        np.where(each.right_arc | (not arcs), each.features if features else UNIT, 0)
        for each in both
    ]
    sums = [
        _sums(gold.sentence[each.gold], value, len(pair.gold))
        for each, value in zip(both, worth, strict=True)
    ]
    forward = sums[0] > sums[1]
    right = np.zeros(len(gold.sentence), np.bool_), np.zeros(len(system.sentence), np.bool_)
    paired = np.zeros_like(right[0]), np.zeros_like(right[1])
    for each, value, chosen in zip(both, worth, (forward, ~forward), strict=True):
        mine = chosen[gold.sentence[each.gold]]
        for at, rows in enumerate((each.gold, each.system)):
            right[at][rows[mine]] = (value == UNIT)[mine]
            paired[at][rows[mine]] = True
    return Items(
        Side(np.arange(len(gold.sentence)), gold.sentence, right[0], paired[0]),
        Side(np.arange(len(system.sentence)), system.sentence, right[1], paired[1]),
        len(pair.gold),
        further={"billionths": np.maximum(*sums)} if features else {},
        corpora=(gold.corpus, system.corpus),
    )


def _sums(sentence: Numbers, value: Numbers, sentences: int) -> Numbers:
    """Sum whole numbers per sentence; sentences are in order."""
    before = np.concatenate([[0], np.cumsum(value)]).astype(np.int64)
    return np.diff(before[np.searchsorted(sentence, np.arange(sentences + 1))])


# ── nodes ────────────────────────────────────────────────────────────────────────────────────────


@once_per_comparison
def _sides(pair: Comparison) -> tuple[_Nodes, _Nodes]:
    """Return the nodes of gold standard and parse."""
    return (
        _nodes(pair, pair.gold, pair.gold.words.sentence_of_row()),
        _nodes(pair, pair.system, pair.alignment.sentence_of_system),
    )


def _nodes(pair: Comparison, corpus: Dependencies, gold_sentence: Numbers) -> _Nodes:
    """Return the content words and abstract nodes of a corpus, in the order of the text."""
    words, empties = corpus.words, corpus.empties
    own, of_empties = words.sentence_of_row(), empties.sentence_of_row()
    before = corpus.offsets[of_empties] + np.maximum(empties.numbers("major") - 1, 0)
    rows = words.rows
    order = np.lexsort(
        (
            np.concatenate([np.zeros(rows, np.int64), empties.numbers("minor")]),
            np.concatenate([words.row_in_sentence() + 1, empties.numbers("major")]),
            np.concatenate([own, of_empties]),
        )
    )
    ignored = punctuation(pair.settings, corpus.form, corpus.xpos, corpus.upos)
    kept = np.concatenate([~ignored, empties.numbers("head") >= 0])
    sentence = np.concatenate([gold_sentence, gold_sentence[before]])
    if pair.settings.shortest or pair.settings.longest is not None:
        kept &= pair.scored_sentences[sentence]
    text = {
        name: Strings.concatenate([words.strings(name), empties.strings(name)])
        for name in ("form", "lemma", "upos", "xpos", "feats", "deprel")
    }
    kept &= text["feats"].where(lambda feats: feats != "_")
    at = order[kept[order]]
    number = np.full(len(kept), UNKNOWN)
    number[at] = np.arange(len(at))
    head = np.concatenate([words.numbers("head"), empties.numbers("head")]).astype(np.int64)
    start = corpus.offsets[np.concatenate([own, of_empties])]
    head_row = np.where(head > 0, number[np.maximum(start + head - 1, 0)], UNKNOWN)
    head_row = np.where(head == 0, ROOT, head_row)[at]
    text = {name: column[at] for name, column in text.items()}
    return _Nodes(
        sentence[at],
        text["form"].where(lambda form: form == "_"),
        head_row,
        text["deprel"].map(universal),
        text["feats"],
        _alone(sentence[at], head_row, text, pair.gold),
    )


def _alone(
    sentence: Numbers, head: Numbers, text: dict[str, Strings], gold: Dependencies
) -> Dependencies:
    """Return the nodes as the words of a treebank, for whoever asks which ones they are."""
    offsets = np.searchsorted(sentence, np.arange(len(gold) + 1))
    number = np.where(head >= 0, head - offsets[sentence] + 1, np.where(head == ROOT, 0, -1))
    named = {name: gold.tables[name] for name in ("sentences", "origin")}
    return Dependencies({"words": Table(offsets, head=number.astype(np.int32), **text), **named})


# ── pairs ────────────────────────────────────────────────────────────────────────────────────────


@once_per_comparison
def _both_directions(pair: Comparison) -> tuple[_Pairs, _Pairs]:
    """Return the pairs of nodes, counted from the beginning and from the end of sentences."""
    gold, system = _sides(pair)
    vocabulary = Vocabulary()
    labels = gold.label.codes_in(vocabulary), system.label.codes_in(vocabulary)
    both = []
    for step in (1, -1):
        size = max(len(side.sentence) for side in (gold, system)) + 2
        _, one, two = np.intersect1d(
            _places(gold, step, size),
            _places(system, step, size),
            assume_unique=True,
            return_indices=True,
        )
        order = np.argsort(one)
        one, two = one[order], two[order]
        partner = np.full(len(system.sentence), UNKNOWN)
        partner[two] = one
        head = system.head[two]
        chosen = np.where(head >= 0, partner[np.maximum(head, 0)], head) if len(head) else head
        right = (gold.head[one] == chosen) & (chosen != UNKNOWN)
        right &= labels[0][one] == labels[1][two]
        both.append(_Pairs(one, two, right, _f1_of_features(gold.feats[one], system.feats[two])))
    return both[0], both[1]


def _places(nodes: _Nodes, step: int, size: int) -> Numbers:
    """Return one number for each node: those that belong together have the same.

    A content word is known by how many stand before it in the sentence, an abstract node by that
    and by how many abstract nodes stand between them and itself.
    """
    sentence, abstract = nodes.sentence[::step], nodes.abstract[::step]
    new = np.ones(len(sentence), np.bool_)
    new[1:] = sentence[1:] != sentence[:-1]
    seen: Numbers = np.cumsum(~abstract) - ~abstract
    first = np.maximum.accumulate(np.where(new, np.arange(len(new)), 0))
    real: Numbers = seen - seen[first] if len(seen) else seen
    starts = new | np.concatenate([[True], ~abstract[:-1]])[: len(new)]
    run = np.arange(len(new)) - np.maximum.accumulate(np.where(starts, np.arange(len(new)), 0))
    place = (sentence * size + real) * size + np.where(abstract, run + 1, 0)
    return place[::step].astype(np.int64)


def _f1_of_features(gold: Strings, system: Strings) -> Numbers:
    """Return 2 · shared / (gold + system) of universal features, in billionths; 0/0 is 1.

    >>> one, two = Strings.of(["Case=Nom|Number=Sing", "|"]), Strings.of(["Number=Sing", "|"])
    >>> _f1_of_features(one, two).tolist()
    [666666667, 1000000000]
    """
    mine, theirs = ([_features(text) for text in side.vocabulary] for side in (gold, system))
    size = max(len(theirs), 1)
    kinds, which = np.unique(gold.codes.astype(np.int64) * size + system.codes, return_inverse=True)
    worth = []
    for one, two in zip((kinds // size).tolist(), (kinds % size).tolist(), strict=True):
        total = len(mine[one]) + len(theirs[two])
        shared = len(mine[one] & theirs[two])
        worth.append((4 * UNIT * shared + total) // (2 * total) if total else UNIT)
    return np.array(worth, np.int64)[which.reshape(-1)]


def _features(text: str) -> frozenset[tuple[str, str]]:
    parts = (part.partition("=") for part in text.split("|"))
    return frozenset({key: value for key, _, value in parts if key in UNIVERSAL}.items())


_GOLDMAN = (
    "Goldman et al. (2025), UniDive shared task on morpho-syntactic parsing; msp_25_eval.py 1.3"
)

METRICS = (
    Metric(
        "mslas",
        "MSLAS",
        mslas,
        "Morphosyntactic labelled attachment score: the F1 of the universal features of each "
        "content word or abstract node whose head and label are right, 0 for others, as F1 over "
        "the nodes; words with FEATS _ are no nodes. Read as partial trees.\n"
        f"From: {_GOLDMAN}.\n"
        "Example: two nodes with right arcs, one with Case=Nom for Case=Nom|Number=Sing: "
        "(1 + 0.667)/2 = 0.83.",
        mean_of_features,
    ),
    Metric(
        "ms_las",
        "MS-LAS",
        ms_las,
        "Labelled attachment score of content words and abstract nodes, as F1; labels without "
        "subtypes.\n"
        f"From: {_GOLDMAN}, where it is LAS.\n"
        "Example: two nodes, one of them with a wrong head: 1/2.",
    ),
    Metric(
        "ms_feats",
        "MS-Feats",
        ms_feats,
        "The F1 of the universal features of each content word and abstract node, as F1 over the "
        "nodes.\n"
        f"From: {_GOLDMAN}, where it is Feats.\n"
        "Example: two nodes, one with Case=Nom for Case=Nom|Number=Sing: (1 + 0.667)/2 = 0.83.",
        mean_of_features,
    ),
)
