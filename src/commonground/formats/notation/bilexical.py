"""Graphs between words: those of SDP, and predicates and arguments of CoNLL-2008 and -2009."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from commonground.corpus import Corpus, Dependencies, Graphs
from commonground.corpus.corpus import Sentence
from commonground.corpus.predicates import Propositions, propositions
from commonground.formats.notation.graph_builder import Graph, comment, corpus_of, said

__all__ = ["Words", "between_words", "placed", "predicate_graphs", "words_of_text"]

Words = list[tuple[str, str, str, int, int]]
"""The form, the lemma and the tag of each word, and its place in the text."""


def placed(words: Iterable[tuple[str, str, str]]) -> Words:
    """Return words with their places in the text, where spaces stand between them.

    >>> placed([("It", "it", "PRP"), ("rains", "rain", "VBZ")])
    [('It', 'it', 'PRP', 0, 2), ('rains', 'rain', 'VBZ', 3, 8)]
    """
    rows, start = [], 0
    for form, lemma, tag in words:
        rows.append((form, lemma, tag, start, start + len(form)))
        start += len(form) + 1
    return rows


def words_of_text(text: str, spans: Iterable[tuple[int, int]]) -> Words | None:
    """Return these pieces of a text, and the words between them; None where pieces overlap.

    >>> [word[0] for word in words_of_text("It can't rain.", [(3, 5), (5, 8), (9, 13)])]
    ['It', 'ca', "n't", 'rain', '.']
    """
    words: Words = []
    last = 0
    for start, end in (*sorted(set(spans)), (len(text), len(text))):
        if not last <= start <= end <= len(text):
            return None
        between = re.finditer(r"\S+", text[last:start])
        words += [(m[0], "_", "_", last + m.start(), last + m.end()) for m in between]
        words += [(text[start:end], "_", "_", start, end)] if start < end else []
        last = end
    return words


def between_words(
    name: str,
    words: Words,
    nodes: set[int],
    tops: set[int],
    frames: dict[int, str],
    edges: Sequence[tuple[int, int, str]],
    framework: str = "",
) -> Graph:
    """Return the graph of which these words are nodes; edges are between words."""
    rows = {place: row for row, place in enumerate(sorted(nodes))}
    text = " ".join(word[0] for word in words)
    values = {"sent_id": name, "framework": framework, "text": text}
    graph = Graph(0, [comment(k, v) for k, v in values.items() if v.strip()], words)
    for place, row in rows.items():
        form, lemma, tag, start, end = words[place]
        label = form if lemma == "_" else lemma
        graph.nodes.append((str(place + 1), label, int(place in tops)))
        graph.anchors.append((row, start, end))
        graph.properties.append((row, "pos", tag))
        if place in frames:
            graph.properties.append((row, "frame", frames[place]))
    graph.edges += [(rows[source], rows[target], label) for source, target, label in edges]
    return graph


# ── predicates and arguments ─────────────────────────────────────────────────────────────────────


def predicate_graphs(corpus: Corpus) -> Graphs | None:
    """Return the predicates of CoNLL-2008 and -2009 with their arguments, if there are any columns.

    Predicates and arguments are the nodes, the sense of a predicate is its property ``frame``, and
    an edge leads from it to each of its arguments. No node is a top.

    >>> from commonground.corpus import Strings
    >>> birds = Dependencies.of([(["Birds", "sing"], [2, 0], ["SBJ", "ROOT"])])
    >>> predicate_graphs(birds) is None
    True
    >>> columns = {"pred": Strings.of(["_", "sing.01"]), "apreds": Strings.of(["A0", "_"])}
    >>> words = birds.words.replace(**columns)
    >>> graphs = predicate_graphs(Dependencies({**birds.tables, "words": words}))
    >>> graphs.label.tolist(), graphs.edges.strings("label").tolist()
    (['Birds', 'sing'], ['A0'])
    """
    every = propositions(corpus)
    if every is None or not isinstance(corpus, Dependencies):
        return None
    graphs = corpus_of([_graph(*pair) for pair in zip(corpus, every, strict=True)])
    return Graphs({**graphs.tables, "origin": corpus.tables["origin"]})


def _graph(sentence: Sentence[Dependencies], said_of_it: Propositions) -> Graph:
    columns = (sentence.column(name) for name in ("form", "lemma", "xpos"))
    senses, edges = said_of_it
    nodes = {*senses, *(target for _, target, _ in edges)}
    frames = {place: sense for place, sense in senses.items() if sense != "_"}
    comments = sentence.comments
    name, words = said(comments, "sent_id"), placed(zip(*columns, strict=True))
    graph = between_words(name, words, nodes, set(), frames, edges)
    known = ("sent_id", "text", "framework")
    graph.comments += [line for line in comments if not any(said([line], key) for key in known)]
    return graph
