"""Function trees as sets of labelled yields: the form that all analyses can be compared in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.corpus import Corpus, strings_column
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table, offsets_of

__all__ = ["Functions", "parse_yield", "yield_text"]


class Functions(Corpus):
    """Multi-function trees: per sentence a set of nodes, each a set of words with a set of labels.

    ``nodes``: a row per label of a node, in the columns ``yields`` (the words, from 1: ``3``,
    ``1-4``, or ``1-2,5`` where they are not continuous) and ``label``. A node without labels has
    one row, with the empty label; no other node has such a row. Rows are in the order of the
    yields' first words, larger yields first, then of the labels, and no row is there twice: equal
    sets have equal columns.

    ``words``: a row per word (``form``). The words themselves are no nodes.

    >>> tree = Functions.of([(["John", "sleeps"], [("1-2", "root"), ("1", "sbj"), ("2", "hd")])])
    >>> tree
    Functions(2 words, 3 nodes, 1 sentences)
    >>> tree.yields.tolist(), tree.label.tolist()
    (['1-2', '1', '2'], ['root', 'sbj', 'hd'])
    """

    __slots__ = ()

    kind: ClassVar[str] = "functions"
    required: ClassVar[dict[str, tuple[str, ...]]] = {
        "words": ("form",),
        "nodes": ("yields", "label"),
    }

    form = strings_column("words", "The words.")
    yields = strings_column("nodes", "The words of each node.")
    label = strings_column("nodes", "The labels of the nodes; the empty string is none.")

    @property
    def words(self) -> Table:
        """A row per word."""
        return self.tables["words"]

    @property
    def nodes(self) -> Table:
        """A row per label of a node, or per node without labels."""
        return self.tables["nodes"]

    @classmethod
    def of(cls, sentences: Sequence[tuple[Sequence[str], Iterable[tuple[str, str]]]]) -> Functions:
        """Make function trees of (words, (yield, label) pairs), one per sentence."""
        found = [list(pairs) for _, pairs in sentences]
        words = Table(
            offsets_of([len(forms) for forms, _ in sentences]),
            form=Strings.of(form for forms, _ in sentences for form in forms),
        )
        nodes = Table(
            offsets_of([len(pairs) for pairs in found]),
            yields=Strings.of(words for pairs in found for words, _ in pairs),
            label=Strings.of(label for pairs in found for _, label in pairs),
        )
        return cls({"words": words, "nodes": canonical(nodes)})


def parse_yield(text: str) -> tuple[tuple[int, int], ...]:
    """Return the stretches of words that a yield consists of, from and to.

    >>> parse_yield("1-2,5")
    ((1, 2), (5, 5))
    """
    parts = (part.partition("-") for part in text.split(","))
    return tuple((int(first), int(last or first)) for first, _, last in parts)


def yield_text(words: Iterable[int]) -> str:
    """Return the yield of some words.

    >>> yield_text([5, 1, 2])
    '1-2,5'
    """
    stretches: list[list[int]] = []
    for word in sorted(words):
        if stretches and word == stretches[-1][1] + 1:
            stretches[-1][1] = word
        else:
            stretches.append([word, word])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in stretches)


def canonical(nodes: Table) -> Table:
    """Return rows (yields, label) in canonical order, each once, the empty label only by itself."""
    yields, labels = nodes.strings("yields"), nodes.strings("label")
    place = _rank(yields, lambda text: (parse_yield(text)[0][0], -_size(text), text))
    name = _rank(labels, lambda text: text)
    node = nodes.sentence_of_row() * (len(yields.vocabulary) + 1) + place
    rows = np.lexsort((name, node))
    new = np.ones(len(rows), np.bool_)
    new[1:] = (np.diff(node[rows]) != 0) | (np.diff(name[rows]) != 0)
    rows = rows[new]
    labelled = labels.where(bool)[rows]
    _, number = np.unique(node[rows], return_inverse=True)
    named = np.bincount(number, labelled) > 0
    kept = rows[labelled | ~named[number]] if len(rows) else rows
    counts = np.bincount(nodes.sentence_of_row()[kept], minlength=nodes.sentences)
    return Table(offsets_of(counts), yields=yields[kept], label=labels[kept])


def _size(text: str) -> int:
    return sum(last - first + 1 for first, last in parse_yield(text))


def _rank(column: Strings, key: Callable[[str], Any]) -> NDArray[np.int64]:
    """Return the place of each row's text in the order of some key."""
    ordered = sorted(range(len(column.vocabulary)), key=lambda i: key(column.vocabulary[i]))
    rank = np.empty(len(ordered), np.int64)
    rank[ordered] = np.arange(len(ordered))
    return rank[column.codes] if len(rank) else np.empty(0, np.int64)
