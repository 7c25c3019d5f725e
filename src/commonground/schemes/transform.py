"""From any scheme to any other, by way of the hub."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError
from commonground.schemes.ambiguous import copula_lemmas, tell_apart
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.enhanced import (
    Added,
    Graph,
    added,
    graphs_of,
    moved,
    plain,
    remade_in,
)
from commonground.schemes.fixed_labels import unsettle
from commonground.schemes.hub_trees import from_hub, to_hub
from commonground.schemes.library import find_scheme
from commonground.schemes.report import Losses, Report
from commonground.schemes.scheme import Scheme
from commonground.schemes.tag_set import Tagging, find_tag_set, recognise
from commonground.schemes.translate import construction_at
from commonground.schemes.tree import Tree
from commonground.schemes.word_classes import word_classes

__all__ = [
    "HUB",
    "arcs_in_hub",
    "tagging_of",
    "transform",
    "trees_in_hub",
    "trees_of",
]

HUB = "ud"
NO_TREE = "no tree: a cycle"
UNKNOWN_TAGS = "some tags are not in the tag set {}; their words are read as X"
NO_GRAPH = "the enhanced graph (DEPS and empty nodes) is dropped: it follows the old heads"


def transform(
    corpus: Dependencies,
    source: Scheme | str | os.PathLike[str],
    target: Scheme | str | os.PathLike[str],
    only: Collection[str] | None = None,
    *,
    losses: bool = False,
    tags: str | Tagging | None = None,
    strict: bool = False,
) -> tuple[Dependencies, Report]:
    """Return dependencies in another scheme, and a report of what was done.

    Schemes are given by name, as TOML files, or as values. With `only`, just some constructions are
    as in the target, and the result is in the scheme ``SOURCE+TARGET:CONSTRUCTION,…``. With
    `losses`, the result is transformed back, and the report counts what is lost. `tags` is the tag
    set of the corpus; without it, the tag set is recognised, and a corpus with unknown tags is
    refused. Labels that the source does not have are read as the nearest one, or as ``dep``, and
    counted; with `strict` they are refused, and so is a label of the hub for which the target has
    none.

    Words stay as they are, and so do sentences whose heads form a cycle. An enhanced graph that
    says no more than the tree follows it; any other is dropped, since it follows the old heads.

    >>> words = Dependencies.of([(["in", "Rome"], [2, 0], ["case", "root"])]).words
    >>> rome = Dependencies({"words": words.replace(upos=Strings.of(["ADP", "PROPN"]))})
    >>> sud, report = transform(rome, "ud", "sud")
    >>> sud.head.tolist(), sud.deprel.tolist(), report.changed("adposition")
    ([0, 1], ['root', 'comp:obj'], 1)
    """
    origin, goal = find_scheme(source), find_scheme(target)
    if only is not None:
        goal = origin.with_choices_of(goal, only)
    ways = {name: (origin.way(name), goal.way(name)) for name in CONSTRUCTIONS}
    report = Report(origin.name, goal.name, ways, len(corpus), corpus.words.rows)
    if origin == goal or (only is not None and not goal.only):
        return corpus, report
    tagging = tagging_of(corpus, origin, tags)
    if tagging.unknown:
        report.remark(UNKNOWN_TAGS.format(tagging.tags.name))
    report.unknown = _unknown_labels(corpus, origin)
    if strict and report.unknown:
        names = ", ".join(label for label, _ in report.unknown)
        raise UsageError(f"{origin.name} does not have these labels: {names}")
    result = _TransformRun(corpus, origin, goal, report, tagging, losses=losses).result()
    report.heads = int((result.head != corpus.head).sum())
    report.labels = _differing(result.deprel, corpus.deprel)
    labels = result.deprel.counts().items()
    report.foreign = Counter({label: n for label, n in labels if not goal.is_inventory(label)})
    if strict and report.foreign:
        raise UsageError(f"{goal.name} has no labels for these: {', '.join(report.foreign)}")
    if report.graphs:
        report.remark(NO_GRAPH)
    return result, report


def tagging_of(corpus: Dependencies, scheme: Scheme, tags: str | Tagging | None = None) -> Tagging:
    """Return the tag set of a corpus in a scheme: the one that is named, or what its tags tell.

    The hub needs none, since its labels tell all constructions.
    """
    if isinstance(tags, Tagging):
        return tags
    if tags is None:
        return recognise(corpus, scheme.own_tags, untagged=not scheme.finds)
    named = find_tag_set(tags)
    columns = (Tagging(named, column) for column in ("upos", "xpos"))
    return max(columns, key=lambda one: _known(corpus, one))


def _known(corpus: Dependencies, tagging: Tagging) -> int:
    counts = corpus.words.strings(tagging.column).counts()
    return sum(count for tag, count in counts.items() if tagging.tags.knows(tag))


@dataclass(slots=True)
class _TransformRun:
    """One corpus on its way: the lists that sentences are cut from, and what becomes of them."""

    corpus: Dependencies
    source: Scheme
    target: Scheme
    report: Report
    tagging: Tagging
    losses: bool

    def result(self) -> Dependencies:
        corpus = self.corpus
        heads: list[int] = []
        labels: list[str] = []
        misc: list[str] = []
        failures: dict[tuple[str, str], list[int]] = {}
        cyclic, lost = [], []
        deps: list[str] = []
        unplaced = _unplaced(corpus, self.source)
        graphs = graphs_of(corpus)
        offsets = corpus.offsets.tolist()
        own_heads, own_labels = corpus.head.tolist(), corpus.deprel.tolist()
        for sentence, tree in enumerate(trees_of(corpus, self.source, self.tagging)):
            graph = graphs[sentence]
            rows = slice(offsets[sentence], offsets[sentence + 1])
            same = graph is not None and plain(graph, own_heads[rows], own_labels[rows])
            arcs: list[Added] | None = [] if same else None
            if len(tree.bottom_up()) < len(tree.head) - 1:
                cyclic.append(sentence)
            else:
                to_hub(tree, self.source, unplaced=unplaced)
                self.report.count(tree)
                hub = (tree.heads(), tree.hub[1:]) if self.losses else None
                names = [construction_at(tree, word) for word in range(1, len(tree.head)) if hub]
                if graph is not None and not same:
                    arcs = self._arcs(tree, graph)
                for failure in from_hub(tree, self.target):
                    failures.setdefault(failure, []).append(sentence)
                if hub and self._lose(tree, *hub, names):
                    lost.append(sentence)
            heads += tree.head[1:]
            labels += tree.label[1:]
            misc += tree.misc[1:]
            dropped = graph is not None and arcs is None
            self.report.graphs += dropped
            kept = graph is not None and arcs is not None
            deps += moved(tree, arcs or [], self.target) if kept else ["_"] * len(tree.head[1:])
        self._report(cyclic, failures, lost)
        tables = dict(corpus.tables)
        del tables["empties"]
        tables["words"] = corpus.words.replace(
            head=np.array(heads, np.int32),
            deprel=Strings.of(labels),
            misc=corpus.misc if misc == corpus.misc.tolist() else Strings.of(misc),
            deps=Strings.of(deps) if any(graphs) else Strings.constant("_", len(deps)),
        )
        return Dependencies(tables)

    def _arcs(self, tree: Tree, graph: Graph) -> list[Added] | None:
        """Return the arcs that a graph adds to a tree, None where they cannot be made anew."""
        if self.source.finds or not (remade_in(self.source) and remade_in(self.target)):
            return None
        return added(tree, graph)

    def _lose(
        self, tree: Tree, heads: list[int], labels: list[str], names: list[str | None]
    ) -> bool:
        """Count what the way back does not find again; tell whether there is anything."""
        self.report.losses = losses = self.report.losses or Losses()
        labelled = [self.target.known(label) or label for label in tree.label[1:]]
        again = Tree(tree.head[1:], labelled, tree.tag[1:], tree.feats[1:], tree.misc[1:])
        to_hub(again, self.target)
        losses.words += len(heads)
        any_lost = False
        for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1):
            other_head, other_label = again.head[word] != head, again.hub[word] != label
            losses.heads += other_head
            losses.labels += other_label
            if other_head or other_label:
                any_lost = True
                losses.either[names[word - 1] or "-"] += 1
        return any_lost

    def _report(
        self,
        cyclic: list[int],
        failures: dict[tuple[str, str], list[int]],
        lost: list[int],
    ) -> None:
        if not (cyclic or failures or lost):
            return
        ids = self.corpus.sent_id
        self.report.skip(NO_TREE, [ids[place] for place in cyclic])
        for (construction, reason), places in failures.items():
            self.report.fail(construction, reason, [ids[place] for place in places])
        if self.report.losses:
            self.report.losses.sentences = [ids[place] for place in lost]


def trees_in_hub(corpus: Dependencies, scheme: Scheme, tagging: Tagging) -> Iterator[Tree | None]:
    """Return the sentences of a corpus in the hub; None where heads form a cycle."""
    for tree in trees_of(corpus, scheme, tagging):
        if len(tree.bottom_up()) < len(tree.head) - 1:
            yield None
        else:
            to_hub(tree, scheme)
            yield tree


def arcs_in_hub(
    corpus: Dependencies, scheme: Scheme, tags: str | Tagging | None = None
) -> tuple[list[int], list[str]]:
    """Return the heads and labels of all words in the hub, as :func:`transform` finds them.

    >>> words = Dependencies.of([(["in", "Rome"], [0, 1], ["root", "comp:obj"])]).words
    >>> rome = Dependencies({"words": words.replace(upos=Strings.of(["ADP", "PROPN"]))})
    >>> arcs_in_hub(rome, find_scheme("sud"))
    ([2, 0], ['case', 'root'])
    """
    if scheme == find_scheme(HUB):
        return corpus.head.tolist(), corpus.deprel.tolist()
    heads: list[int] = []
    labels: list[str] = []
    unplaced = _unplaced(corpus, scheme)
    for tree in trees_of(corpus, scheme, tagging_of(corpus, scheme, tags)):
        if len(tree.bottom_up()) == len(tree.head) - 1:  # no cycle
            to_hub(tree, scheme, unplaced=unplaced)
        heads += tree.head[1:]
        labels += tree.hub[1:]
    return heads, labels


def trees_of(corpus: Dependencies, scheme: Scheme, tagging: Tagging) -> Iterator[Tree]:
    """Return the sentences of a corpus; tags and features are those of the hub."""
    offsets = corpus.offsets.tolist()
    heads = corpus.head.tolist()
    classes = word_classes(corpus, tagging)
    columns: list[Sequence[str]] = [
        corpus.deprel.map(lambda label: str(scheme.known(label) or label)).tolist(),
        classes.tags,
        classes.feats,
        corpus.misc.tolist(),
    ]
    copulas = [not tagging.tags.copulas] * len(heads)
    if classes.options is not None and not tagging.tags.copulas:
        lemmas = copula_lemmas(corpus, classes.options, scheme)
        copulas = [lemmas is None or lemma in lemmas for lemma in corpus.lemma.tolist()]
    for start, stop in pairwise(offsets):
        tree = Tree(heads[start:stop], *(column[start:stop] for column in columns))
        if classes.options is not None:
            _tell_apart(tree, classes.options[start:stop], scheme, copulas[start:stop])
        yield tree


def _tell_apart(
    tree: Tree, options: Sequence[Sequence[str]], scheme: Scheme, copulas: Sequence[bool]
) -> None:
    """Give the words of a tree the parts of speech for which its arcs speak.

    Where labels stay with their words, the arcs of a copy speak that has them on its arcs: of a
    copula with two predicates, the conjunction hangs on it, and they have the label.
    """
    arcs = tree
    if scheme.joint or scheme.settled:
        arcs = Tree(tree.head[1:], tree.label[1:], tree.tag[1:], tree.feats[1:], tree.misc[1:])
        if len(arcs.bottom_up()) == len(arcs.head) - 1:
            unsettle(arcs, scheme)
    tell_apart(arcs, options, scheme, copulas=copulas)
    tree.tag = arcs.tag


def _unplaced(corpus: Dependencies, scheme: Scheme) -> bool:
    """Tell whether marks inside sentences hang on the roots of these, all over a treebank."""
    offsets = corpus.offsets
    size = corpus.words.rows
    if not size:
        return False
    start = np.repeat(offsets[:-1], np.diff(offsets))
    above = start + corpus.head - 1
    attached = corpus.head > 0
    final = np.zeros(size, np.bool_)
    final[offsets[1:][np.diff(offsets) > 0] - 1] = True
    labels = scheme.labels_of("punct")
    mark = corpus.deprel.where(lambda label: label in labels) & attached & ~final
    on_root = corpus.head[above[mark]] == 0
    return len(on_root) >= _MANY and bool(on_root.mean() >= _NEARLY_ALL)


_MANY, _NEARLY_ALL = 20, 0.97
"""How many marks inside sentences, and how large a share of them, must hang on roots."""


def _unknown_labels(corpus: Dependencies, scheme: Scheme) -> Counter[tuple[str, str]]:
    """Count the labels that a scheme does not have, each with what it is read as.

    A word without a head has none.
    """
    labels = corpus.deprel[corpus.head >= 0].counts().items()
    read = ((label, scheme.known(label), count) for label, count in labels)
    return Counter(
        {
            (label, meant or "dep"): count
            for label, meant, count in read
            if meant != scheme.renamed(label)
        }
    )


def _differing(one: Strings, other: Strings) -> int:
    return int((one.codes != other.codes_like(one)).sum())
