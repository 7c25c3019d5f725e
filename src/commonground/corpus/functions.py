"""Function trees as sets of labelled yields: the form that all analyses can be compared in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.corpus import Corpus, own_table, strings_column
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table, offsets_of

__all__ = [
    "Functions",
    "Yield",
    "canonical",
    "mask_of",
    "nesting",
    "parse_yield",
    "yield_of_mask",
    "yield_text",
]

_ONES = re.compile("1+")


class Functions(Corpus):
    """Multi-function trees: per sentence a set of nodes, each a set of words with a set of labels.

    ``nodes``: a row per label of a node, in the columns ``yields`` (the words, from 1: ``3``,
    ``1-4``, or ``1-2,5`` where they are not continuous) and ``label``. A node without labels has
    one row, with the empty label; no other node has such a row. Rows are in the order of the
    yields' first words, larger yields first, then of the labels, and no row occurs twice: equal
    sets have equal columns.

    ``words``: a row per word (``form``). The words themselves are not nodes.

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

    words = own_table("A row per word.")
    nodes = own_table("A row per label of a node, or per node without labels.")
    form = strings_column("words", "The words.")
    yields = strings_column("nodes", "The words of each node.")
    label = strings_column("nodes", "The labels of the nodes; the empty string is none.")

    @property
    def roots(self) -> NDArray[np.bool_]:
        """Which rows belong to a node over all words of its sentence."""
        lengths = np.repeat(self.words.lengths, self.nodes.lengths)
        return np.asarray(self.yields.values(whole) == lengths)

    @classmethod
    def of(cls, sentences: Sequence[tuple[Sequence[str], Iterable[tuple[str, str]]]]) -> Functions:
        """Make function trees of (words, (yield, label) pairs), one per sentence."""
        analyses = [list(pairs) for _, pairs in sentences]
        words = Table(
            offsets_of([len(forms) for forms, _ in sentences]),
            form=Strings.of(form for forms, _ in sentences for form in forms),
        )
        nodes = Table(
            offsets_of([len(pairs) for pairs in analyses]),
            yields=Strings.of(words for pairs in analyses for words, _ in pairs),
            label=Strings.of(label for pairs in analyses for _, label in pairs),
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


def mask_of(text: str) -> int:
    """Return the words of a yield as the bits of a number; bit 0 is no word.

    >>> bin(mask_of("1-2,5"))
    '0b100110'
    """
    return sum((1 << last + 1) - (1 << first) for first, last in parse_yield(text))


def yield_of_mask(words: int) -> str:
    """Return the yield of words that are the bits of a number.

    >>> yield_of_mask(0b100110)
    '1-2,5'
    """
    stretches = (run.span() for run in _ONES.finditer(f"{words:b}"[::-1]))
    return ",".join(str(a) if b - a == 1 else f"{a}-{b - 1}" for a, b in stretches)


class Yield(NamedTuple):
    """A yield in two forms: its stretches of words, and its words as the bits of a number."""

    stretches: tuple[tuple[int, int], ...]
    mask: int

    @classmethod
    def of(cls, text: str) -> Yield:
        """Return the yield that a text describes."""
        return cls(parse_yield(text), mask_of(text))

    @property
    def first(self) -> int:
        """The first word."""
        return self.stretches[0][0]


def nesting(length: int, yields: Sequence[Yield]) -> list[int]:
    """Return for each node of a sentence the one that it is drawn in, -1 at the top.

    The nodes have different yields, in canonical order. In a tree it is the parent. In a graph,
    where yields cross, it is the last node before it on its first word, or the next one outside of
    that, which has all of its words.

    >>> nesting(4, [Yield.of(text) for text in ("1-4", "1,4", "2-3", "4")])
    [-1, 0, 0, 1]
    """
    innermost = [-1] * (length + 1)
    parents: list[int] = []
    for node, words in enumerate(yields):
        parent = innermost[words.first]
        while parent >= 0 and words.mask & ~yields[parent].mask:
            parent = parents[parent]
        parents.append(parent)
        for first, last in words.stretches:
            innermost[first : last + 1] = [node] * (last - first + 1)
    return parents


def whole(words: str) -> int:
    """Return the number of words of the sentence that a yield is all of, -1 if of none.

    >>> whole("1-4"), whole("2-4"), whole("1-2,4")
    (4, -1, -1)
    """
    first, _, last = words.partition("-")
    return int(last or 1) if first == "1" and "," not in words else -1


def canonical(
    nodes: Table, extent: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
) -> Table:
    """Return rows (yields, label) in canonical order, each once, the empty label only by itself.

    The `extent` is the first word of each row's yield and how many words it has, where that is
    known; otherwise the yields tell.
    """
    yields, labels = nodes.strings("yields"), nodes.strings("label")
    place = _places(yields, extent)
    name = _rank(labels, lambda text: text)
    node = nodes.sentence_of_row() * (len(yields.vocabulary) + 1) + place
    key = node * (len(labels.vocabulary) + 1) + name
    rows = np.argsort(key)
    rows = rows[np.diff(key[rows], prepend=-1) != 0]
    labelled = labels.where(bool)[rows]
    number = np.cumsum(np.diff(node[rows], prepend=-1) != 0) - 1
    named = np.bincount(number, labelled) > 0
    kept = rows[labelled | ~named[number]] if len(rows) else rows
    counts = np.bincount(nodes.sentence_of_row()[kept], minlength=nodes.sentences)
    return Table(offsets_of(counts), yields=yields[kept], label=labels[kept])


def _places(
    yields: Strings, extent: tuple[NDArray[np.int64], NDArray[np.int64]] | None
) -> NDArray[np.int64]:
    """Return the place of each row's yield: by its first word, larger ones first, then by text."""
    if extent is None:
        return _rank(yields, _yield_place)
    first, size = (np.zeros(len(yields.vocabulary), np.int64) for _ in range(2))
    first[yields.codes], size[yields.codes] = extent
    order = np.lexsort((-size, first))
    texts = yields.vocabulary
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    same = (np.diff(first[order]) == 0) & (np.diff(size[order]) == 0)
    for start, stop in _runs(np.flatnonzero(same).tolist()):
        among = sorted(order[start:stop].tolist(), key=texts.__getitem__)
        rank[among] = np.arange(start, stop)
    return np.asarray(rank[yields.codes]) if len(rank) else np.empty(0, np.int64)


def _runs(equal: list[int]) -> list[tuple[int, int]]:
    """Return the stretches of places of which each is equal to the next.

    >>> _runs([2, 3, 7])
    [(2, 5), (7, 9)]
    """
    runs: list[tuple[int, int]] = []
    for place in equal:
        if runs and runs[-1][1] == place + 1:
            runs[-1] = (runs[-1][0], place + 2)
        else:
            runs.append((place, place + 2))
    return runs


@lru_cache(1 << 16)  # the same yields come again with every tree of a comparison
def _yield_place(text: str) -> tuple[int, int, str]:
    """Return what yields are sorted by.

    >>> _yield_place("2-4,6")
    (2, -4, '2-4,6')
    """
    parts = parse_yield(text)
    return parts[0][0], -sum(last - first + 1 for first, last in parts), text


def _rank(column: Strings, key: Callable[[str], Any]) -> NDArray[np.int64]:
    """Return the place of each row's text in the order of some key."""
    ordered = sorted(range(len(column.vocabulary)), key=lambda i: key(column.vocabulary[i]))
    rank = np.empty(len(ordered), np.int64)
    rank[ordered] = np.arange(len(ordered))
    return rank[column.codes] if len(rank) else np.empty(0, np.int64)
