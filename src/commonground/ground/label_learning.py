"""Which labels of one inventory stand where which labels of another do: learned from two treebanks.

Both treebanks have the same text. Where a node of A and a node of B have the same words, their
labels are counted together:

    share(b | a)  =  nodes with a in A and b in B over the same words / nodes with a in A that B has

A label maps to the one with the greatest share, if that is large enough and was seen often enough.
Where the label alone does not tell, the tag of the word that heads the node helps (the category of
the phrase, for constituents), and the one above: *mod* of SUD is ``amod`` over adjectives and
``advmod`` over adverbs. A label with a tag has an entry of its own where that makes a difference.

A map that is learned from the treebanks that it is used on is learned by cross-fitting: labels of
each fifth of the sentences become what the other four fifths say, so that no label is mapped by
what stands on the same node; how often that is right is known at the same time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from commonground.corpus import Corpus, Functions, Graphs
from commonground.corpus.graph_words import with_words
from commonground.ground.dependencies import HEAD
from commonground.ground.functions import to_functions
from commonground.ground.label_map import (
    NONE,
    Entry,
    LabelMap,
    Place,
    labels_in_place,
    place_of,
    relabelled,
)
from commonground.ground.silent_words import without_silent_words
from commonground.ground.units import Mismatch, in_common_units
from commonground.tokens.sentences import pair_sentences

__all__ = ["CrossFitted", "cross_fitted", "fit_labels", "learn_labels"]

FOLDS = 5


@dataclass(frozen=True, slots=True)
class Decision:
    """When an entry is made: a `threshold` for its share of at least `least` nodes.

    With `tags`, a label in its place has an entry where it leads to another label than the label
    alone. Without `subtypes`, labels of the other treebank are cut at colons.
    """

    threshold: float = 0.5
    least: int = 3
    tags: bool = True
    subtypes: bool = True


_USUAL = Decision()


def learn_labels(
    one: Corpus,
    other: Corpus,
    *,
    threshold: float = 0.5,
    least: int = 3,
    tags: bool = True,
    subtypes: bool = True,
    functions: Collection[str] | None = None,
    on_mismatch: Mismatch = "fail",
) -> LabelMap:
    """Learn which labels of one treebank are which of another with the same text.

    A label gets an entry where the most frequent other label has a share of at least `threshold`
    of at least `least` nodes. With `tags`, a label with a tag, and with the tag above, gets one
    where it leads to another label than without. Without `subtypes`, labels of the other treebank
    are cut at colons. `functions` are the dash tags that count.

    >>> from commonground.corpus import Dependencies
    >>> sud = Dependencies.of([(["old", "men"], [2, 0], ["mod", "root"])] * 4)
    >>> ud = Dependencies.of([(["old", "men"], [2, 0], ["amod", "root"])] * 4)
    >>> print(learn_labels(sud, ud).text, end="")
    hd = hd  # 4 of 4 (100.0 %)
    mod = amod  # 4 of 4 (100.0 %)
    root = root  # 4 of 4 (100.0 %)
    """
    decision = Decision(threshold, least, tags, subtypes)
    one, other = _paired(one, other, on_mismatch)
    seen = observed(one, other, to_functions(other), functions, decision, on_mismatch)
    return _decided(seen, decision)


def fit_labels(
    one: Corpus,
    other: Corpus,
    *,
    threshold: float = 0.5,
    least: int = 3,
    tags: bool = True,
    subtypes: bool = True,
    functions: Collection[str] | None = None,
    on_mismatch: Mismatch = "fail",
) -> CrossFitted:
    """Learn the same map, and how much such a map knows and gets right on other sentences.

    >>> from commonground.corpus import Dependencies
    >>> sud = Dependencies.of([(["old", "men"], [2, 0], ["mod", "root"])] * 5)
    >>> ud = Dependencies.of([(["old", "men"], [2, 0], ["amod", "root"])] * 5)
    >>> fitted = fit_labels(sud, ud)
    >>> fitted.known, fitted.labels, fitted.accuracy
    (10, 10, 1.0)
    """
    decision = Decision(threshold, least, tags, subtypes)
    one, other = _paired(one, other, on_mismatch)
    trees = to_functions(other)
    return cross_fitted(one, other, trees, functions, decision=decision, on_mismatch=on_mismatch)


def _paired(one: Corpus, other: Corpus, on_mismatch: Mismatch) -> tuple[Corpus, Corpus]:
    """Return the sentences that both treebanks have, if they have other ones and may."""
    one, other = (with_words(each) if isinstance(each, Graphs) else each for each in (one, other))
    if len(one) == len(other):
        return one, other
    pairs = pair_sentences([one, other])
    if not pairs.groups[0] or (on_mismatch == "fail" and any(pairs.alone)):
        return one, other
    return pairs.of(0, one), pairs.of(1, other)


# ── what stands where ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Seen:
    """A label of a sentence in its place, and the labels that the other treebank has there."""

    sentence: int
    place: Place
    others: frozenset[str]


def observed(
    one: Corpus,
    other: Corpus,
    trees: Functions,
    functions: Collection[str] | None,
    decision: Decision,
    on_mismatch: Mismatch,
) -> list[Seen]:
    """Return the labels of all nodes that both treebanks have; `trees` are those of the other.

    Nodes have the words that both have something to say about.
    """
    sides = [labels_in_place(one, functions), trees]
    units = in_common_units([one, other], sides, on_mismatch=on_mismatch)
    graphs = [isinstance(corpus, Graphs) for corpus in (one, other)]
    units = without_silent_words(units, sides, graphs) if any(graphs) else units
    known = _labels_of_nodes(units.trees[1])
    kept = units.kept.tolist()
    return [
        Seen(kept[node[0]], place_of(text), others)
        for node, texts in _labels_of_nodes(units.trees[0]).items()
        if (others := frozenset(_cut(known.get(node, ()), subtypes=decision.subtypes)))
        for text in texts
        if text
    ]


def _cut(labels: Iterable[str], *, subtypes: bool) -> Iterator[str]:
    return (label if subtypes else label.partition(":")[0] for label in labels if label)


def _labels_of_nodes(trees: Functions) -> dict[tuple[int, str], list[str]]:
    """Return the labels of each node, by its sentence and its words."""
    by_node: dict[tuple[int, str], list[str]] = defaultdict(list)
    rows = zip(trees.nodes.sentence_of_row().tolist(), trees.yields, trees.label, strict=True)
    for sentence, words, label in rows:
        by_node[sentence, words].append(label)
    return by_node


# ── entries ──────────────────────────────────────────────────────────────────────────────────────


def _decided(seen: Iterable[Seen], decision: Decision) -> LabelMap:
    """Return the map that the labels of nodes lead to."""
    counts: dict[Place, Counter[str]] = defaultdict(Counter)
    totals: Counter[Place] = Counter()
    for each in seen:
        label, tag, above = each.place
        places = [Place(label, "", "")]
        if decision.tags and tag:
            places += [Place(label, tag, ""), Place(label, tag, above)][: 1 + bool(above)]
        for place in places:
            totals[place] += 1
            counts[place].update(each.others)
    entries: dict[Place, Entry] = {}
    undecided: list[Entry] = []
    for place in sorted(counts, key=lambda place: (bool(place.above), bool(place.tag), place)):
        entry = _best(place, counts[place], totals[place])
        sure = entry.share >= decision.threshold and entry.total >= decision.least
        before = next((entries[each] for each in _shorter(place) if each in entries), None)
        bare = place.label == NONE
        if place.tag:
            sure = sure and (before is None or before.other != entry.other)
            sure = sure and not (bare and before is None and entry.share < _SURE)
        elif not (sure or bare):
            undecided.append(entry)
        if sure and not (bare and not place.tag):
            entries[place] = entry
    return LabelMap(tuple(entries[place] for place in sorted(entries)), tuple(undecided))


_SURE = 0.6
"""What has no function gets one only where that is clear."""


def _shorter(place: Place) -> Iterator[Place]:
    """Return the places that say less than a place, the one that says most first."""
    if place.above:
        yield Place(place.label, place.tag, "")
    if place.tag:
        yield Place(place.label, "", "")


def _best(place: Place, counts: Counter[str], total: int) -> Entry:
    other, count = min(counts.items(), key=lambda item: (-item[1], item[0]))
    return Entry(place.label, place.tag, other, count, total, place.above)


# ── cross-fitting ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class CrossFitted:
    """Maps of which each was learned from the sentences that it is not used on.

    `whole` is learned from all, to be read and edited. `known` of `labels` have an entry; `right`
    of the `judged` nodes that get a label over words that the other treebank has get one of its.
    """

    maps: tuple[LabelMap, ...]
    whole: LabelMap
    right: int
    judged: int
    known: int
    labels: int
    functions: Collection[str] | None = None

    @property
    def accuracy(self) -> float | None:
        """The share of labels that are right on sentences which nothing was learned from."""
        return self.right / self.judged if self.judged else None

    @cached_property
    def mapping(self) -> Counter[tuple[str, str]]:
        """How often labels become which others, as far as the map of all sentences says."""
        return Counter({(entry.left, entry.other): entry.total for entry in self.whole.entries})

    def trees(self, corpus: Corpus) -> Functions:
        """Return the function trees of these sentences with the labels of the maps."""
        return self.relabelled(labels_in_place(corpus, self.functions))

    def relabelled(self, places: Functions) -> Functions:
        """Return trees of these sentences, whose labels are in their places, with other labels."""
        fold = np.arange(len(places)) % len(self.maps)
        parts = [relabelled(places.take(fold == n), each.image) for n, each in enumerate(self.maps)]
        order = np.argsort(np.argsort(fold, kind="stable"), kind="stable")
        return Functions.concatenate(parts).take(order)


def cross_fitted(
    one: Corpus,
    other: Corpus,
    trees: Functions,
    functions: Collection[str] | None = None,
    *,
    decision: Decision = _USUAL,
    on_mismatch: Mismatch = "realign",
) -> CrossFitted:
    """Learn the labels of one treebank as those that `trees` give to the same text.

    Sentences whose words differ teach what they can.
    """
    seen = observed(one, other, trees, functions, decision, on_mismatch)
    folds = min(FOLDS, max(1, len(one)))
    maps = tuple(
        _decided((each for each in seen if each.sentence % folds != fold or folds == 1), decision)
        for fold in range(folds)
    )
    judged = right = 0
    for each in seen:
        map_ = maps[each.sentence % folds]
        if each.place.label == HEAD or not map_.knows(*each.place):
            continue
        judged += 1
        right += map_[each.place] in each.others
    known, labels = _coverage(one, maps, functions)
    return CrossFitted(maps, _decided(seen, decision), right, judged, known, labels, functions)


def _coverage(
    corpus: Corpus, maps: tuple[LabelMap, ...], functions: Collection[str] | None
) -> tuple[int, int]:
    """Return how many labels have an entry in the map of their sentence, and how many there are."""
    trees = labels_in_place(corpus, functions)
    fold = np.arange(len(trees)) % len(maps)
    known = labels = 0
    for number, map_ in enumerate(maps):
        for text, count in trees.take(fold == number).label.counts().items():
            place = place_of(text)
            if text and place.label not in (NONE, HEAD):
                labels += count
                known += count * map_.knows(*place)
    return known, labels
