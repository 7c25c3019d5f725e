"""Graphs as function trees: the enhanced graph of Universal Dependencies, and relations.

Every relation from a head to a dependent gives a node over all words that can be reached from the
dependent, labelled with the relation; a node of the graph that reaches more words than it stands
for gives also a node over its own words, for the head (``hd``, or the wildcard ``*``). For the arcs
of a tree this is its function tree. In a graph a word can have several functions in several places,
yields may cross, and there may be cycles, whose members all have the same yield.

A node that stands for no word (an empty node, a feature structure without a predicate) has the
words that it dominates. A relation whose dependent has no words, and one without a dependent, gives
no node. A cluster of relations has no root unless it says so: a relation from the root (``ROOT-0``,
``0:root``) gives a node like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from commonground.corpus import (
    Corpus,
    Dependencies,
    Functions,
    Graphs,
    Relations,
    Sentence,
    Strings,
    Table,
)
from commonground.corpus.arcs import to_relations
from commonground.corpus.functions import canonical, yield_of_mask
from commonground.corpus.graph_words import is_anchored, with_words
from commonground.corpus.table import offsets_of
from commonground.errors import UsageError
from commonground.ground.anchoring import anchored
from commonground.ground.dependencies import HEAD
from commonground.ground.rooted_graphs import node_tags, rooted

__all__ = [
    "Place",
    "enhanced_functions",
    "graph_functions",
    "is_unanchored",
    "label_alone",
    "reached_words",
    "relation_functions",
]

ROOT = "root"
"""The label of the tops of graphs of meaning."""


def enhanced_functions(corpus: Dependencies, head: str = HEAD) -> Functions:
    r"""Return the function trees of the enhanced graphs in the column DEPS.

    >>> from commonground.formats import read_text
    >>> rows = ["1 We _ _ _ _ 2 nsubj 2:nsubj|3:nsubj:xsubj _", "2 want _ _ _ _ 0 root 0:root _"]
    >>> rows.append("3 rest _ _ _ _ 2 xcomp 2:xcomp _")
    >>> graph = enhanced_functions(read_text("".join(f"{r}\n" for r in rows).replace(" ", "\t")))
    >>> list(zip(graph.yields, graph.label))[:3]
    [('1-3', 'root'), ('1,3', 'xcomp'), ('1', 'nsubj')]
    """
    if corpus.words.rows and set(corpus.deps) == {"_"}:
        raise UsageError("there is no enhanced graph; the column DEPS is empty everywhere")
    return relation_functions(to_relations(corpus, enhanced=True), head)


def relation_functions(corpus: Relations, head: str = HEAD) -> Functions:
    r"""Return the function trees of relations between words.

    The words are those that the format tells, if the relations fit to them, or else the texts of
    the nodes, with ``_`` for words that no node stands for. Relations in which no node stands for a
    word (an f-structure without positions) are anchored in the words or the text of their sentences
    (:mod:`commonground.ground.anchoring`); without a text they have no yields.

    >>> from commonground.formats import read_text
    >>> text = "nsubj(sings-2, Bird-1)\nroot(ROOT-0, sings-2)\n"
    >>> tree = relation_functions(read_text(text, "stanford"))
    >>> list(zip(tree.yields, tree.label)), tree.form.tolist()
    ([('1-2', 'root'), ('1', 'nsubj'), ('2', 'hd')], ['Bird', 'sings'])
    """
    if is_unanchored(corpus):
        if not corpus.words.rows and not any(corpus.metadata("text")):
            raise UsageError(
                "these relations are not between words of the text, and the text is not given; "
                "they have no yields"
            )
        corpus = anchored(corpus).corpus
    return _functions(corpus, list(map(_words, corpus)), [list(_rows(s, head)) for s in corpus])


Place = Callable[[str, str, str], str]
"""What a label becomes, with the tags of its node and of the one above."""


def label_alone(label: str, _: str, __: str) -> str:
    """Return a label wherever it stands."""
    return label


def graph_functions(corpus: Graphs, head: str = HEAD, place: Place = label_alone) -> Functions:
    """Return the function trees of graphs of meaning, seen from their tops.

    An edge gives a node over the words of what is below it, a top one over its words, labelled
    ``root`` (:mod:`commonground.ground.rooted_graphs`). A graph without anchors has no yields.
    """
    if not is_anchored(corpus):
        raise UsageError(
            f"{corpus.tables['origin'].strings('path')[0]}: no node of these graphs is anchored in "
            "the text, so that they have no yields; nodes need an alignment with the words"
        )
    corpus = with_words(corpus)
    words = [sentence.column("form", "words") for sentence in corpus]
    return _functions(corpus, words, [list(_graph_rows(s, head, place)) for s in corpus])


def _graph_rows(sentence: Sentence[Graphs], head: str, place: Place) -> Iterator[tuple[str, str]]:
    graph, tags = rooted(sentence), node_tags(sentence)
    yields = graph.yields
    texts = {mask: yield_of_mask(mask) for mask in {*graph.words, *yields}}
    for node in graph.tops:
        if yields[node]:
            yield texts[yields[node]], place(ROOT, tags[node], "")
    for edge in graph.edges:
        if yields[edge.dependent]:
            label = place(edge.label, tags[edge.dependent], tags[edge.head])
            yield texts[yields[edge.dependent]], label
    for own, mask, tag in zip(graph.words, yields, tags, strict=True):
        if own and own != mask:
            yield texts[own], place(head, tag, "")


def _functions(
    corpus: Corpus, words: Sequence[Sequence[str]], rows: Sequence[Sequence[tuple[str, str]]]
) -> Functions:
    """Return function trees over words, of the yields and labels of each sentence."""
    nodes = Table(
        offsets_of([len(of_sentence) for of_sentence in rows]),
        yields=Strings.of(place for of_sentence in rows for place, _ in of_sentence),
        label=Strings.of(label for of_sentence in rows for _, label in of_sentence),
    )
    forms = Strings.of(form for of_sentence in words for form in of_sentence)
    return Functions(
        {
            "words": Table(offsets_of([len(of_sentence) for of_sentence in words]), form=forms),
            "nodes": canonical(nodes),
            "sentences": corpus.tables["sentences"],
            "origin": corpus.tables["origin"],
        }
    )


def is_unanchored(corpus: Relations) -> bool:
    """Tell whether no node stands for a word, as in f-structures without positions."""
    return bool(corpus.nodes.rows and (corpus.nodes.numbers("last") < 0).all())


def _words(sentence: Sentence[Relations]) -> list[str]:
    told: list[str] = sentence.column("form")
    last = int(sentence.column("last", "nodes").max(initial=0))
    if last <= len(told):
        return told
    words = ["_"] * last
    columns = (sentence.column(name, "nodes") for name in ("first", "last", "text"))
    for first, stop, text in zip(*columns, strict=True):
        if first == stop > 0:
            words[stop - 1] = text
    return words


def reached_words(sentence: Sentence[Relations]) -> tuple[list[int], list[int]]:
    """Return the words of each node, and those that can be reached from it, as bits."""
    first, last = (sentence.column(name, "nodes").tolist() for name in ("first", "last"))
    own = [(1 << b + 1) - (1 << a) if a > 0 else 0 for a, b in zip(first, last, strict=True)]
    above, below = (sentence.column(name, "relations").tolist() for name in ("head", "dependent"))
    children: list[list[int]] = [[] for _ in own]
    for one, other in zip(above, below, strict=True):
        if one >= 0 and other >= 0:
            children[one].append(other)
    return own, _reached(own, children)


def _rows(sentence: Sentence[Relations], head: str) -> Iterator[tuple[str, str]]:
    """Return the yields and labels of a sentence's nodes."""
    own, reached = reached_words(sentence)
    texts = {mask: yield_of_mask(mask) for mask in {*own, *reached}}
    below = sentence.column("dependent", "relations").tolist()
    for label, dependent in zip(sentence.column("label", "relations"), below, strict=True):
        if dependent >= 0 and reached[dependent]:
            yield texts[reached[dependent]], "" if label == "_" else label
    for node, mask in enumerate(own):
        if mask and mask != reached[node]:
            yield texts[mask], head


def _reached(own: Sequence[int], children: Sequence[Sequence[int]]) -> list[int]:
    """Return the words that can be reached from each node, its own included, as bits.

    Nodes on a cycle reach the same words. This is Tarjan's algorithm for such components, with a
    stack of its own: a component is complete when all that can be reached from it is.

    >>> [bin(words) for words in _reached([2, 4, 8], [[1], [0], [1]])]
    ['0b110', '0b110', '0b1110']
    """
    reached = list(own)
    number: list[int] = [-1] * len(own)  # the order of discovery
    lowest = list(number)  # the first node on the path that is in the same component
    path: list[int] = []  # nodes whose component is not complete
    waiting = [False] * len(own)
    count = 0
    for start in range(len(own)):
        todo = [(start, iter(children[start]))] if number[start] < 0 else []
        while todo:
            node, rest = todo[-1]
            if number[node] < 0:
                number[node] = lowest[node] = count
                count += 1
                path.append(node)
                waiting[node] = True
            child = next((c for c in rest if number[c] < 0), None)
            if child is not None:
                todo.append((child, iter(children[child])))
                continue
            todo.pop()
            for other in children[node]:
                reached[node] |= reached[other]
                if waiting[other]:
                    lowest[node] = min(lowest[node], lowest[other])
            if lowest[node] == number[node]:
                _complete(node, path, waiting, reached)
    return reached


def _complete(node: int, path: list[int], waiting: list[bool], reached: list[int]) -> None:
    """Give all nodes of a component the words of the one that was discovered first."""
    while True:
        member = path.pop()
        waiting[member] = False
        reached[member] = reached[node]
        if member == node:
            return
