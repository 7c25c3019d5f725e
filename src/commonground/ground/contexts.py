"""What stands around a function in constituent trees: the category of its node, and the one above.

What a function means often shows only there: *NK* of TIGER is a determiner where it is an article
in a noun phrase, an adjective, or the noun of a prepositional phrase.

Functions are those of :mod:`commonground.ground.constituents`: nodes of their own, edge labels, or
dash tags.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Strings
from commonground.corpus.labels import functions_of_tag, split_label
from commonground.corpus.realizational import Realizational, realizational
from commonground.kernels import load

__all__ = ["Context", "context_of", "context_text", "contexts"]

_SEPARATOR = "\t"


class Context(NamedTuple):
    """The functions of a node or a word, its category or tag, and the category above."""

    functions: tuple[str, ...]
    category: str
    above: str


def context_text(functions: Collection[str], category: str, above: str) -> str:
    """Return a context as a text, which columns can have."""
    return _SEPARATOR.join([" ".join(functions), category, above])


@lru_cache(1 << 16)
def context_of(text: str) -> Context:
    r"""Return the context that a text stands for.

    >>> context_of(context_text(["SB"], "NP", "S"))
    Context(functions=('SB',), category='NP', above='S')
    """
    functions, category, above = text.split(_SEPARATOR)
    return Context(tuple(functions.split(" ")) if functions else (), category, above)


def contexts(
    corpus: Constituents,
    functions: Collection[str] | None = None,
    function_nodes: Collection[str] = (),
    *,
    once: bool = False,
) -> tuple[Strings, Strings]:
    r"""Return the contexts of all nodes and of all words, as texts.

    With `once`, what has no function and is all there is in its phrase has no context of its own.

    >>> from commonground.formats import read_text
    >>> tree = read_text("(S (NP-SBJ (NNS Birds)) (VP (VBP sing)))")
    >>> [column.tolist()[-1] for column in contexts(tree)]
    ['\tVP\tS', '\tVBP\tVP']
    """
    kinds = realizational(corpus, function_nodes)
    if kinds is not None:
        return _realized(corpus, kinds)
    nodes, words = corpus.nodes, corpus.words
    edges = nodes.strings("edge"), words.strings("edge")
    by_edge = any(column.where(lambda text: text != "_").any() for column in edges)

    def on_phrase(label: str) -> tuple[str, ...]:
        dashed = split_label(label).functions
        return dashed if functions is None else tuple(tag for tag in dashed if tag in functions)

    def on_tag(tag: str) -> tuple[str, ...]:
        return functions_of_tag(tag, functions)

    columns, size = [], _sizes(corpus) if once else np.empty(0, np.int64)
    for table, column, edge, dashed in (
        (nodes, corpus.label, edges[0], on_phrase),
        (words, corpus.tag, edges[1], on_tag),
    ):
        start = np.repeat(nodes.offsets[:-1], table.lengths)
        parent = table.numbers("parent")
        above = np.where(parent < 0, -1, corpus.label.codes[parent + start])
        # What stands around a node is decided by three numbers, so each trio is looked at once.
        tops, names = len(corpus.label.vocabulary) + 1, len(edge.vocabulary)
        trio = (column.codes.astype(np.int64) * names + edge.codes) * tops + above + 1
        trios, place = np.unique(trio, return_inverse=True)
        texts = [
            context_text(
                ((name,) if name != "_" else ()) if by_edge else dashed(label),
                split_label(label).category,
                split_label(corpus.label.vocabulary[top]).category if top >= 0 else "",
            )
            for label, name, top in (
                (column.vocabulary[two // names], edge.vocabulary[two % names], one - 1)
                for two, one in (divmod(number, tops) for number in trios.tolist())
            )
        ]
        place = np.asarray(place, np.int64)
        if once:  # the phrase around what is alone in it has the same words, and says more
            rows = np.where(parent < 0, -1, parent + start)
            own = size if table is nodes else np.ones(table.rows, np.int64)
            alone = (rows >= 0) & (own == np.append(size, 0)[rows])
            bare = np.array([not context_of(text).functions for text in texts], np.bool_)
            place = np.where(alone & bare[place], len(texts), place)
            texts.append(context_text((), "", ""))
        columns.append(Strings.of(texts)[place])
    return columns[0], columns[1]


def _sizes(corpus: Constituents) -> NDArray[np.int64]:
    """Return how many words each phrase has."""
    words, nodes = corpus.words, corpus.nodes
    times = (~corpus.traces).astype(np.int64)
    _, _, size = load("spans").extents(
        words.offsets, words.numbers("parent"), times, nodes.offsets, nodes.numbers("parent")
    )
    return np.asarray(size)


def _realized(corpus: Constituents, kinds: Realizational) -> tuple[Strings, Strings]:
    """Return function nodes as functions of what realizes them; what is none has no function."""
    phrase = (~(kinds.function_nodes | kinds.projections)).tolist()
    labels, tags = corpus.label.tolist(), corpus.tag.tolist()
    parents, parents_of_words = corpus.parent.tolist(), corpus.words.numbers("parent").tolist()
    nothing = context_text((), "", "")
    nodes, words = [nothing] * len(labels), [nothing] * len(tags)
    node_offsets, word_offsets = corpus.nodes.offsets.tolist(), corpus.words.offsets.tolist()
    for sentence, (start, stop) in enumerate(pairwise(node_offsets)):
        first, last = word_offsets[sentence : sentence + 2]
        below = dict.fromkeys(range(start, stop), "")
        for word in range(first, last):
            below[start + parents_of_words[word]] = tags[word]
        for node in reversed(range(start, stop)):  # phrases stand before what is in them
            if parents[node] >= 0:
                category = split_label(labels[node]).category if phrase[node] else below[node]
                below[start + parents[node]] = category

        def above(parent: int, start: int = start) -> str:
            while parent >= 0 and not phrase[start + parent]:
                parent = parents[start + parent]
            return split_label(labels[start + parent]).category if parent >= 0 else ""

        for node in np.flatnonzero(kinds.function_nodes[start:stop]).tolist():
            at = start + node
            nodes[at] = context_text((labels[at],), below[at], above(parents[at]))
        for word in np.flatnonzero(kinds.function_words[first:last]).tolist():
            at = first + word
            words[at] = context_text((tags[at],), "X", above(parents_of_words[at]))
    return Strings.of(nodes), Strings.of(words)
