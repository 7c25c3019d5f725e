"""Random pairs of constituent trees over the same words, and a slow way to compare them."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import strategies as st

from commonground.corpus import Constituents, Strings, Table
from commonground.corpus.arrange import canonical
from commonground.corpus.table import offsets_of

__all__ = ["LABELS", "Tree", "pairs", "treebank", "trees_of"]

LABELS = ["S", "NP", "NP-SBJ", "VP", "X=1", "ADVP", "PRT", "TOP", ""]
TAGS = ["D", "N", "V", ",", "''", "POS", "-NONE-", "N-X"]
FORMS = ["a", "b", "'", "dog"]


class Tree:
    """The words as (form, tag), and the phrases as (label, places of their words)."""

    def __init__(self, words, phrases):
        self.words = words
        self.phrases = phrases


@st.composite
def _phrases(draw, words, *, scattered):
    """Return the parents of the words and of some phrases, and the labels of these.

    Phrases are cut out of phrases; scattered ones take any words of their parent, others a stretch.
    """
    above, up, yields = [-1] * words, [], []
    for _ in range(draw(st.integers(0, 6))):
        parent = draw(st.integers(-1, len(yields) - 1))
        free = [w for w in range(words) if above[w] == parent]
        if not free:
            continue
        if scattered:
            own = draw(st.lists(st.sampled_from(free), min_size=1, unique=True))
        else:
            first = draw(st.sampled_from(free))
            own = [first]
            while own[-1] + 1 in free and draw(st.booleans()):
                own.append(own[-1] + 1)
        for word in own:
            above[word] = len(yields)
        up.append(parent)
        yields.append(own)
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=len(up), max_size=len(up)))
    return _without_empty(above, up, labels)


def _without_empty(above, up, labels):
    """Leave out the phrases that have lost their words to later ones without having any below."""
    full = {ancestor for node in above for ancestor in _path(node, up)}
    number = {node: i for i, node in enumerate(sorted(full))} | {-1: -1}
    return (
        [number[node] for node in above],
        [number[up[node]] for node in sorted(full)],
        [labels[node] for node in sorted(full)],
    )


def _path(node, up):
    while node >= 0:
        yield node
        node = up[node]


def treebank(sentences):
    """Return the treebank of sentences (words with tags, parents of words, of nodes, labels)."""
    words = offsets_of([len(result[0]) for result in sentences])
    nodes = offsets_of([len(result[2]) for result in sentences])
    column = [np.array([x for s in sentences for x in s[i]], np.int32) for i in (1, 2)]
    tables = {
        "words": Table(
            words,
            form=Strings.of(form for s in sentences for form, _ in s[0]),
            tag=Strings.of(tag for s in sentences for _, tag in s[0]),
            parent=column[0],
        ),
        "nodes": Table(
            nodes, label=Strings.of(label for s in sentences for label in s[3]), parent=column[1]
        ),
    }
    return Constituents(canonical(tables))


@st.composite
def pairs(draw, *, scattered=None, tags=TAGS, other_tags=None, least=0):
    """Return a gold standard and a parse with the same words; tags differ if there are others."""
    sentences = []
    for _ in range(draw(st.integers(least, 3))):
        form, tag = st.sampled_from(FORMS), st.sampled_from(tags)
        words = draw(st.lists(st.tuples(form, tag), min_size=1, max_size=7))
        tagged = words
        if other_tags:
            others = st.lists(st.sampled_from(other_tags), min_size=len(words), max_size=len(words))
            tagged = [(form, tag) for (form, _), tag in zip(words, draw(others), strict=True)]
        loose = draw(st.booleans()) if scattered is None else scattered
        one, two = (draw(_phrases(len(words), scattered=loose)) for _ in range(2))
        sentences.append(((words, *one), (tagged, *two)))
    return treebank([one for one, _ in sentences]), treebank([two for _, two in sentences])


def trees_of(corpus):
    """Return the trees of a treebank, found by climbing from each word."""
    for sentence in corpus:
        above, up = sentence.parent.tolist(), sentence.column("parent", "nodes").tolist()
        yields = [set() for _ in up]
        for word, node in enumerate(above):
            for ancestor in _path(node, up):
                yields[ancestor].add(word)
        labels = sentence.column("label", "nodes")
        words = list(zip(sentence.form, sentence.tag, strict=True))
        yield Tree(words, [(label, frozenset(y)) for label, y in zip(labels, yields, strict=True)])


def expected(gold, system, *, label, counts, kept):
    """Return (correct, gold, system, crossing) of two trees, counted bracket by bracket."""

    def brackets(tree):
        left = {word for word, (_, tag) in enumerate(tree.words) if kept(tag)}
        return [(label(name), y & left) for name, y in tree.phrases if counts(name) and y & left]

    one, two = brackets(gold), brackets(system)
    correct = sum((Counter(one) & Counter(two)).values())
    crossing = sum(any(a & b and a - b and b - a for _, a in one) for _, b in two)
    return correct, len(one), len(two), crossing
