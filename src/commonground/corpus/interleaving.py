"""Functions that are tags of phrases become nodes of relational-realizational trees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.arrange import canonical
from commonground.corpus.constituents import Constituents
from commonground.corpus.labels import functions_of_tag, split_label
from commonground.corpus.realizational import COMMENT, realizational
from commonground.corpus.strings import Strings
from commonground.corpus.stripping import without_functions
from commonground.corpus.table import Table, offsets_of, places_in_runs

__all__ = ["interleaved"]


def interleaved(corpus: Constituents) -> Constituents:
    """Return trees in which each function of a phrase or a word is a node right above it.

    Functions are dash tags, or edge labels where there are any; indices stay at the phrase.

    >>> from commonground.formats import read_text, write_text
    >>> tree = read_text("(S (NP-SBJ (NN rain)) (VP (VBZ falls)))", "brackets")
    >>> print(write_text(interleaved(tree), "brackets"), end="")
    # function-nodes = SBJ
    (S (SBJ (NP (NN rain))) (VP (VBZ falls)))
    """
    if realizational(corpus) is not None:
        return corpus
    by_edge = any(table.strings("edge").where("_".__ne__).any() for table in _levels(corpus))
    nodes, words = (
        _Functions.of(table, name, by_edge=by_edge)
        for table, name in zip(_levels(corpus), ("label", "tag"), strict=True)
    )
    names = sorted({*nodes.labels.tolist(), *words.labels.tolist()})
    if not names:
        return corpus
    return _with_comments(_interleaved(corpus, nodes, words), names)


def _levels(corpus: Constituents) -> tuple[Table, Table]:
    return corpus.nodes, corpus.words


def _bare_tag(tag: str) -> str:
    return without_functions(tag) if functions_of_tag(tag) else tag


@dataclass(frozen=True, slots=True)
class _Functions:
    """The functions of nodes or words: per function the `row` that has it, and its label.

    `bare` are the labels of all rows without their functions.
    """

    row: NDArray[np.int64]
    labels: Strings
    bare: Strings
    sentence: NDArray[np.int64]

    @classmethod
    def of(cls, table: Table, column: str, *, by_edge: bool) -> _Functions:
        texts, edges = table.strings(column), table.strings("edge")
        names: list[tuple[str, ...]]
        if by_edge:
            names = [() if edge == "_" else (edge,) for edge in edges.vocabulary]
            codes, bare = edges.codes, texts
        else:
            phrases = column == "label"
            names = [
                split_label(text).functions if phrases else functions_of_tag(text)
                for text in texts.vocabulary
            ]
            codes, bare = texts.codes, texts.map(without_functions if phrases else _bare_tag)
        labels = [(row, name) for row, code in enumerate(codes.tolist()) for name in names[code]]
        row = np.array([row for row, _ in labels], np.int64)
        named = Strings.of(name for _, name in labels)
        return cls(row, named, bare, table.sentence_of_row()[row])

    def counts(self, sentences: int) -> NDArray[np.int64]:
        return np.bincount(self.sentence, minlength=sentences).astype(np.int64)

    def places(self, first: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places of the functions in their sentences, from the `first` place on."""
        return first[self.sentence] + places_in_runs(self.counts(len(first)))

    def chained(
        self, places: NDArray[np.int64], parent: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the parents of the functions, and the new ones of the rows that have them.

        The first function stands where its row stood, the next below it, the row below the last.
        """
        first, last = np.diff(self.row, prepend=-1) != 0, np.diff(self.row, append=-1) != 0
        own = np.where(first, parent[self.row], places - 1).astype(np.int32)
        below = parent.copy()
        below[self.row[last]] = places[last]
        return own, below


def _interleaved(corpus: Constituents, nodes: _Functions, words: _Functions) -> Constituents:
    """Add the functions as nodes: behind those of their sentence, and then in canonical order."""
    count = len(corpus)
    lengths = corpus.nodes.lengths
    of_nodes = nodes.places(lengths)
    of_words = words.places(lengths + nodes.counts(count))
    above_nodes, node_parent = nodes.chained(of_nodes, corpus.parent)
    above_words, word_parent = words.chained(of_words, corpus.words.numbers("parent"))
    sentence = np.concatenate([corpus.nodes.sentence_of_row(), nodes.sentence, words.sentence])
    order = np.argsort(sentence, kind="stable")
    new = Strings.constant("_", len(nodes.row) + len(words.row))
    table = Table(
        offsets_of(np.bincount(sentence, minlength=count)),
        label=Strings.concatenate([nodes.bare, nodes.labels, words.labels])[order],
        feats=Strings.concatenate([corpus.nodes.strings("feats"), new])[order],
        edge=Strings.constant("_", len(order)),
        parent=np.concatenate([node_parent, above_nodes, above_words])[order],
    )
    nothing = Strings.constant("_", corpus.words.rows)
    bare = corpus.words.replace(tag=words.bare, edge=nothing, parent=word_parent)
    return Constituents(canonical({**corpus.tables, "words": bare, "nodes": table}))


def _with_comments(corpus: Constituents, names: list[str]) -> Constituents:
    said = f"# {COMMENT} = {' '.join(names)}"
    comments = corpus.comments.map(lambda text: f"{text}\n{said}" if text else said)
    return corpus.replace("sentences", comments=comments)
