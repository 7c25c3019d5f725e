"""Relations between yields: the words of a head, and the yield of what depends on them, labelled.

*The old baker wants to sing* has the nodes of its function tree, {the old baker} as a subject among
them, and the relation *wants* → {the old baker}. A shared argument is one node, but two relations.

- **dependencies**: the head word of each arc, and the subtree of the dependent;
- **constituents**: the head word of each phrase, and each of its other children. Heads are those
  that edges are labelled for, or else those of Collins' rules (1999), where these know the phrases;
- **graphs of meaning**: the own words of the node above each edge, seen from the top
  (:mod:`commonground.ground.rooted_graphs`), and the yield of the one below. A unit of UCCA without
  words of its own has those of its process, state or centers;
- **enhanced dependencies, relations**: the words of the head, and what can be reached from the
  dependent.

A head without words, and a dependent all of whose words are the head's, are in no relation.

A pair of sets of words is a set, too: of words of the sentence, and of its words once more, behind
its end. So relations are nodes of function trees over twice the words, with one more between them
that nothing has, and everything that is done to such nodes is done to relations: they are carried
from words to units, generalized, compared, and edited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from commonground.conversion.forest import Forest, lexical_heads
from commonground.conversion.head_rules import find_rules
from commonground.conversion.heads import find_heads
from commonground.corpus import (
    Constituents,
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
from commonground.corpus.functions import canonical, mask_of, yield_of_mask
from commonground.corpus.graph_words import with_words
from commonground.corpus.strings import Vocabulary
from commonground.corpus.table import offsets_of
from commonground.errors import UsageError
from commonground.ground.anchoring import anchored
from commonground.ground.constituents import constituent_functions
from commonground.ground.dependencies import dependency_functions
from commonground.ground.graphs import Place, is_unanchored, label_alone, reached_words
from commonground.ground.renumber import renumbered
from commonground.ground.rooted_graphs import Edge, node_tags, rooted

__all__ = [
    "graph_relations",
    "is_graph",
    "relation_text",
    "relations_on",
    "tree_relations",
    "twice",
]

Numbers = NDArray[np.int64]
Triple = tuple[int, int, str]

_MARKED = frozenset({"HD", "hd", "H"})
"""Labels of edges that mark heads (TIGER, NEGRA, TüBa, Alpino, Floresta)."""

_KNOWN = 0.95
"""The share of phrases that head rules must know."""


def is_graph(corpus: Corpus, *, enhanced: bool = False) -> bool:
    """Tell whether a word can have several heads in a corpus, which says so itself."""
    return isinstance(corpus, Graphs | Relations) or (enhanced and isinstance(corpus, Dependencies))


def graph_relations(corpus: Corpus, place: Place = label_alone) -> Functions:
    r"""Return the relations of graphs, or of the enhanced graphs of dependencies.

    >>> from commonground.formats import read_text
    >>> rows = ["1 We _ _ _ _ 2 nsubj 2:nsubj|3:nsubj:xsubj _", "2 want _ _ _ _ 0 root 0:root _"]
    >>> rows.append("3 rest _ _ _ _ 2 xcomp 2:xcomp _")
    >>> ud = read_text("".join(f"{r}\n" for r in rows).replace(" ", "\t"))
    >>> both = graph_relations(ud)
    >>> [(relation_text(text, 3), label) for text, label in zip(both.yields, both.label)]
    [('2 → 1,3', 'xcomp'), ('2 → 1', 'nsubj'), ('3 → 1', 'nsubj:xsubj')]
    """
    triples: Callable[..., Iterator[Triple]] = _of_relations
    if isinstance(corpus, Graphs):
        corpus, triples = with_words(corpus), partial(_of_graph, place=place)
    elif isinstance(corpus, Dependencies):
        corpus = to_relations(corpus, enhanced=True)
    elif isinstance(corpus, Relations) and is_unanchored(corpus):
        corpus = anchored(corpus).corpus
    lengths = corpus.tables["words"].lengths
    rows = [
        [(dependent | head << int(length) + 1, label) for head, dependent, label in triples(one)
         if head and dependent & ~head]
        for one, length in zip(corpus, lengths.tolist(), strict=True)
    ]  # fmt: skip
    flat = [row for of_sentence in rows for row in of_sentence]
    texts = {mask: yield_of_mask(mask) for mask, _ in flat}
    nodes = Table(
        offsets_of(list(map(len, rows))),
        yields=Strings.of(texts[mask] for mask, _ in flat),
        label=Strings.of(label for _, label in flat),
    )
    return twice(corpus, nodes)


def tree_relations(corpus: Corpus, trees: Functions) -> Functions:
    """Return the relations of dependency or constituent trees, with the labels of function `trees`.

    >>> from commonground.ground.functions import to_functions
    >>> loves = Dependencies.of([(["John", "loves", "Mary"], [2, 0, 2], ["sbj", "root", "obj"])])
    >>> both = tree_relations(loves, to_functions(loves))
    >>> [(relation_text(text, 3), label) for text, label in zip(both.yields, both.label)]
    [('2 → 1', 'sbj'), ('2 → 3', 'obj')]
    """
    heads = _heads_of_phrases(corpus)
    vocabulary = Vocabulary()
    places, known = (each.yields.codes_in(vocabulary).astype(np.int64) for each in (trees, heads))
    sentence, texts = trees.nodes.sentence_of_row(), tuple(vocabulary)
    number = heads.label.values(lambda text: int(text or 0))
    headed = dict(
        zip(
            (heads.nodes.sentence_of_row() * len(texts) + known)[number > 0].tolist(),
            number[number > 0].tolist(),
            strict=True,
        )
    )
    head = [headed.get(node, 0) for node in (sentence * len(texts) + places).tolist()]
    kept = np.flatnonzero(head)
    behind = np.array(head, np.int64)[kept] + trees.words.lengths[sentence[kept]] + 1
    rows = zip(places[kept].tolist(), behind.tolist(), strict=True)
    nodes = Table(
        offsets_of(np.bincount(sentence[kept], minlength=len(trees))),
        yields=Strings.of(f"{texts[place]},{word}" for place, word in rows),
        label=trees.label[kept],
    )
    return twice(trees, nodes)


def _heads_of_phrases(corpus: Corpus) -> Functions:
    """Return function trees whose labels are the numbers of the words that nodes depend on."""
    if isinstance(corpus, Dependencies):
        numbers = Strings.of(str(head) if head > 0 else "" for head in corpus.head.tolist())
        return dependency_functions(corpus, labels=(numbers, Strings.constant("", len(numbers))))
    if not isinstance(corpus, Constituents):
        raise UsageError(f"{corpus.kind} do not tell which words are heads")
    forest = Forest.of(corpus)
    child = _head_children(corpus, forest)
    above = np.maximum(forest.parent, 0)
    word = lexical_heads(forest, child)[above]
    below = (forest.parent >= 0) & (child[above] != np.arange(len(forest))) & (word >= 0)
    real = np.cumsum(~corpus.traces) - np.repeat(
        np.concatenate([[0], np.cumsum(~corpus.traces)])[corpus.words.offsets[:-1]],
        corpus.words.lengths,
    )
    number = np.where(below & forest.full, real[word] if len(real) else 0, 0)
    texts = Strings.of(str(each) if each else "" for each in number.tolist())
    of_words, of_nodes = texts[: forest.words], texts[forest.words : -len(corpus) or None]
    labels = (of_nodes, of_words), lambda text: (text,) if text else ()
    return constituent_functions(corpus, labels=labels)


def _head_children(corpus: Constituents, forest: Forest) -> Numbers:
    """Return the head child of each phrase: a marked one, or the one that rules find."""
    edges = [table.strings("edge") for table in (corpus.words, corpus.nodes)]
    marked = np.concatenate([*(each.where(_MARKED.__contains__) for each in edges)])
    if marked.any():
        child = np.full(len(forest), -1, np.int64)
        items = np.flatnonzero(marked & forest.full[: len(marked)])[::-1]
        child[forest.parent[items]] = items
        return child
    heads = find_heads(forest, find_rules("collins"))
    several = forest.children.count[forest.words :] > 1
    unknown = heads.default[forest.words :] & several
    if unknown.sum() > (1 - _KNOWN) * several.sum():
        raise UsageError(
            "these constituents do not mark heads, and the rules of Collins do not know their "
            "phrases, so that nothing is known about relations"
        )
    return heads.child


# ── graphs ───────────────────────────────────────────────────────────────────────────────────────


_CENTRAL = {"ucca": ("P", "S", "C")}
"""Edges to what is central in a node without words of its own, by framework."""


def _of_graph(sentence: Sentence[Graphs], place: Place) -> Iterator[Triple]:
    graph, tags = rooted(sentence), node_tags(sentence)
    labels = _CENTRAL.get(sentence.metadata("framework"), ())
    central: list[Edge] = []
    others: list[Edge] = []
    for edge in graph.edges:
        inside = edge.primary and edge.label in labels and not graph.words[edge.head]
        (central if inside else others).append(edge)
    heads, yields = replace(graph, edges=tuple(central)).yields, graph.yields
    for edge in others:
        label = place(edge.label, tags[edge.dependent], tags[edge.head])
        yield heads[edge.head], yields[edge.dependent], label


def _of_relations(sentence: Sentence[Relations]) -> Iterator[Triple]:
    own, reached = reached_words(sentence)
    columns = (sentence.column(name, "relations") for name in ("head", "dependent", "label"))
    for head, dependent, label in zip(*columns, strict=True):
        if head >= 0 and dependent >= 0:
            yield own[head], reached[dependent], "" if label == "_" else label


# ── twice the words ──────────────────────────────────────────────────────────────────────────────


def twice(corpus: Corpus, nodes: Table) -> Functions:
    """Return nodes over the words of a corpus and, behind one that nothing has, the same again."""
    words = corpus.tables["words"]
    forms = words.strings("form") if "form" in words else Strings.constant("_", words.rows)
    about = {name: corpus.tables[name] for name in ("sentences", "origin")}
    row = np.arange(words.rows)
    starts = [row[a:b] for a, b in zip(words.offsets[:-1], words.offsets[1:], strict=True)]
    between = len(forms)
    order = np.concatenate([part for each in starts for part in (each, [between], each)] or [row])
    doubled = Strings.concatenate([forms, Strings.constant("→", 1)])[order.astype(np.int64)]
    return Functions(
        {
            **about,
            "words": Table(offsets_of(2 * words.lengths + 1), form=doubled),
            "nodes": canonical(nodes),
        }
    )


def relations_on(
    corpus: Functions, words: Table, model: Functions, sentence: Numbers, number: Numbers
) -> Functions:
    """Return relations over the words of `model`, where `words` get a `sentence` and a `number`.

    Numbers are as in :func:`commonground.ground.renumber.renumbered`. A relation that loses its
    head or its dependent is none.

    >>> ends = Functions.of([("a to b".split(), [])])
    >>> nodes = Table(np.array([0, 2]), yields=Strings.of(["2-3,5", "3,6"]), label=Strings.of("xy"))
    >>> short = Functions.of([("a b".split(), [])])
    >>> home, number = np.zeros(3, np.int64), np.array([1, 0, 2])
    >>> both = relations_on(twice(ends, nodes), ends.words, short, home, number)
    >>> [(relation_text(text, 2), label) for text, label in zip(both.yields, both.label)]
    [('1 → 2', 'x')]
    """
    length = model.words.lengths[sentence] if len(model) else number
    beyond = 2 * length + 2 * (number - length)
    low = np.where(number > length, beyond, number)
    high = np.where(number > length, beyond + 1, np.where(number > 0, number + length + 1, 0))
    starts, size = corpus.words.offsets[:-1], words.lengths
    home, placed = (np.zeros(corpus.words.rows, np.int64) for _ in range(2))
    first = np.repeat(starts, size) + words.row_in_sentence()
    behind = first + np.repeat(size + 1, size)
    home[first] = home[behind] = sentence
    placed[first], placed[behind] = low, high
    empty = Table(np.zeros(len(model) + 1, np.int64), **_nothing())
    return _whole(renumbered(corpus, twice(model, empty), home, placed))


def _nothing() -> dict[str, Strings]:
    return {"yields": Strings.of([]), "label": Strings.of([])}


def _whole(corpus: Functions) -> Functions:
    """Return only the relations that have a head, and a dependent with other words."""
    lengths = ((corpus.words.lengths - 1) // 2)[corpus.nodes.sentence_of_row()]
    rows = zip(corpus.yields, lengths.tolist(), strict=True)
    kept = np.array([_is_whole(*_ends(text, length)) for text, length in rows], np.bool_)
    if kept.all():
        return corpus
    counts = np.bincount(corpus.nodes.sentence_of_row()[kept], minlength=len(corpus))
    nodes = Table(offsets_of(counts), yields=corpus.yields[kept], label=corpus.label[kept])
    return Functions({**corpus.tables, "nodes": nodes})


def _is_whole(head: int, dependent: int) -> bool:
    return bool(head and dependent & ~head)


@lru_cache(1 << 16)
def _ends(text: str, length: int) -> tuple[int, int]:
    """Return the words of the head and of the dependent, as bits.

    Words that the sentence does not have are behind both, by turns of a dependent and of a head.

    >>> _ends("2-3,5", 3), _ends("2,10", 3), _ends("2,11", 3)
    ((2, 12), (0, 1028), (1024, 4))
    """
    mask = mask_of(text)
    inside = (2 << length) - 2
    head, dependent = mask >> (length + 1) & inside, mask & inside
    beyond = mask >> (2 * length + 2) << (2 * length + 2)
    if beyond:
        even = sum(1 << place for place in range(0, beyond.bit_length(), 2))
        head |= (beyond & ~even) >> 1
        dependent |= beyond & even
    return head, dependent


def relation_text(text: str, length: int) -> str:
    """Return a relation for people to read, in a sentence of so many words.

    >>> relation_text("1-3,8", 4)
    '3 → 1-3'
    """
    head, dependent = (yield_of_mask(mask) for mask in _ends(text, length))
    return f"{head} → {dependent}"
