"""One alignment of two: from each target word to a source word, and the other way round."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Alignments, Table
from commonground.errors import UsageError
from commonground.kernels import load
from commonground.kernels import word_alignment as plain

__all__ = ["DEFAULT", "WAYS", "links_of", "symmetrise", "way_of"]

Places = NDArray[np.int32]

WAYS = {
    "forward": "each target word with its source word, as the model from source to target has it",
    "backward": "each source word with its target word, as the model from target to source has it",
    "intersection": "the links that both directions have",
    "union": "the links that either direction has",
    "grow-diag": "the intersection, and from the union what is next to a link and has a word "
    "without one",
    "grow-diag-final": "then also links with a word without one",
    "grow-diag-final-and": "then also links between two words without one",
}
"""How the two directions become one alignment, and what it has."""

DEFAULT = "grow-diag-final-and"

_KERNEL = {
    "intersection": plain.INTERSECTION,
    "union": plain.UNION,
    "grow-diag": plain.GROW_DIAG,
    "grow-diag-final": plain.FINAL,
    "grow-diag-final-and": plain.FINAL_AND,
}


def way_of(name: str) -> str:
    """Return a way by its name, or refuse a name that is none."""
    if name not in WAYS:
        raise UsageError(f"there is no way {name!r} to symmetrise; there are {', '.join(WAYS)}")
    return name


def links_of(forward: Places, backward: Places, source: Table, target: Table, way: str) -> Table:
    """Return the table of links, given for each word the place of the word that it is linked to.

    `forward` has the source place of each target word, `backward` the target place of each source
    word; -1 is none.
    """
    if way in _KERNEL:
        columns = load("word_alignment").symmetrise(
            forward, target.offsets, backward, source.offsets, _KERNEL[way]
        )
        return Table(columns[2], source=columns[0], target=columns[1])
    links, side = (forward, target) if way == "forward" else (backward, source)
    linked = links >= 0
    ends = np.concatenate([[0], np.cumsum(linked)])[side.offsets]
    here = side.row_in_sentence()[linked].astype(np.int32)
    there = links[linked]
    if way == "backward":
        return Table(ends, source=here, target=there)
    sentence = side.sentence_of_row()[linked]
    order = np.lexsort((here, there, sentence))
    return Table(ends, source=there[order], target=here[order])


def symmetrise(forward: Alignments, backward: Alignments, way: str = DEFAULT) -> Alignments:
    r"""Make one alignment of two, such as GIZA++ makes for the two directions.

    `forward` links each target word at most once, `backward` each source word; both have source and
    target the same way round.

    >>> from commonground.formats import read_text, write_text
    >>> one, two = read_text("0-0 0-1", "pharaoh"), read_text("0-0 1-1", "pharaoh")
    >>> write_text(symmetrise(one, two, "intersection"), "pharaoh")
    '0-0\n'
    >>> write_text(symmetrise(one, two, "grow-diag"), "pharaoh")
    '0-0 0-1 1-1\n'
    """
    way_of(way)
    if len(forward) != len(backward):
        raise UsageError(
            f"{len(forward):,} pairs forward, but {len(backward):,} backward; alignments of the "
            "same pairs are needed"
        )
    sides = [
        Table(np.concatenate([[0], np.cumsum(_lengths(forward, backward, name))]))
        for name in ("source", "target")
    ]
    ahead = _places(forward, "target", "source", sides[1])
    back = _places(backward, "source", "target", sides[0])
    tables = {**forward.tables, "links": links_of(ahead, back, sides[0], sides[1], way)}
    return Alignments(tables)


def _lengths(one: Alignments, two: Alignments, side: str) -> NDArray[np.int64]:
    """Return how many words each sentence has at least, to judge by the links."""
    lengths = np.zeros(len(one), np.int64)
    for corpus in (one, two):
        places = corpus.links.numbers(side)
        np.maximum.at(lengths, corpus.links.sentence_of_row(), places.astype(np.int64) + 1)
        lengths = np.maximum(lengths, corpus.tables[f"{side}_words"].lengths)
    return lengths


def _places(corpus: Alignments, own: str, other: str, words: Table) -> Places:
    """Return for each word of a side the place of the word that it is linked to."""
    rows = words.offsets[corpus.links.sentence_of_row()] + corpus.links.numbers(own)
    places = np.full(words.rows, -1, np.int32)
    if len(np.unique(rows)) < len(rows):
        direction = "forward" if own == "target" else "backward"
        raise UsageError(
            f"a {own} word is linked twice in the alignment {direction}; of two directions, one "
            "links each target word at most once, the other each source word"
        )
    places[rows] = corpus.links.numbers(other)
    return places
