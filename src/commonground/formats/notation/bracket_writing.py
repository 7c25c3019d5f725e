"""Trees written as brackets, a tree on a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Strings, Table
from commonground.corpus.arrange import extents
from commonground.errors import UsageError
from commonground.formats.notation.escapes import LABELS, WORDS, Escapes

__all__ = ["bracketed", "escaped", "write"]

Rows = NDArray[np.int64]

_CHUNK = 5000


def write(corpus: Constituents) -> Iterator[bytes]:
    """Return the bytes of a file with one tree per line, some thousand trees at a time."""
    for chunk in escaped(corpus, WORDS).chunks(_CHUNK):
        before = [f"{comments}\n" if comments else "" for comments in chunk.comments]
        yield bracketed(chunk, before, ["\n"] * len(chunk)).encode()


def escaped(corpus: Constituents, escapes: Escapes) -> Constituents:
    """Return a corpus with texts as they are written; labels get their edges and features."""
    words, nodes = corpus.words, corpus.nodes
    forms = words.strings("form").map(lambda form: escapes.written(form) or "_")
    return Constituents(
        {
            **corpus.tables,
            "words": words.replace(form=forms, tag=_labels(words, "tag")),
            "nodes": nodes.replace(label=_labels(nodes, "label")),
        }
    )


def _labels(table: Table, name: str) -> Strings:
    labels, edges, feats = (table.strings(c).map(LABELS.written) for c in (name, "edge", "feats"))
    if all(set(column.vocabulary) <= {"_"} for column in (edges, feats)):
        return labels
    return Strings.of(map(_label, labels, edges, feats))


def _label(label: str, edge: str, feats: str) -> str:
    if edge != "_" and label != "-NONE-":  # a trace could not be told from a word otherwise
        label = f"{label}-{edge}"
    return f"{label}##{feats}##" if feats != "_" else label


def bracketed(corpus: Constituents, before: Sequence[str], after: Sequence[str]) -> str:
    """Return the trees of a corpus with some text before and after each of them.

    The texts of the corpus must be escaped. What brackets cannot show, such as a phrase with a gap,
    is a :class:`UsageError`.
    """
    shape = _Shape.of(corpus)
    words, nodes = corpus.words, corpus.nodes
    bare = _bare(corpus, shape)
    node_lead, word_lead = _leads(corpus, shape)
    tags = np.array(
        [[f"{lead}({tag} " for tag in corpus.tag.vocabulary] for lead in _LEADS], object
    )
    labels = np.array([[f"{lead}({x}" for x in corpus.label.vocabulary] for lead in _LEADS], object)
    # A node is one piece; a word is three: its tag, its form, and the closing brackets after it.
    sentences = np.arange(len(corpus))
    start = 3 * words.offsets[:-1] + nodes.offsets[:-1] + 2 * sentences
    end = 3 * words.offsets[1:] + nodes.offsets[1:] + 2 * sentences + 1
    node = 3 * shape.first + np.arange(nodes.rows) + 2 * nodes.sentence_of_row() + 1
    word = 3 * np.arange(words.rows) + shape.opened + 2 * words.sentence_of_row() + 1
    pieces = np.empty(3 * words.rows + nodes.rows + 2 * len(corpus), object)
    outer = shape.several | (words.lengths == 0)  # a sentence without a tree is ()
    pieces[start] = np.array(before, object) + np.where(outer, "(", "").astype(object)
    pieces[end] = np.where(outer, ")", "").astype(object) + np.array(after, object)
    pieces[node] = labels[node_lead, corpus.label.codes]
    pieces[word] = tags[word_lead, corpus.tag.codes]
    pieces[word[bare]] = np.array(_LEADS, object)[word_lead[bare]]
    pieces[word + 1] = np.array(corpus.form.vocabulary, object)[corpus.form.codes]
    pieces[word + 2] = _repeated(")", shape.closed + ~bare)
    return "".join(pieces.tolist())


@dataclass(frozen=True, slots=True)
class _Shape:
    """The trees of a corpus as rows of its columns.

    Per node its first and last word and the node `above` it (-1 at the top); per word its `parent`,
    how many nodes are `opened` up to it, in all, and how many are `closed` after it; per sentence
    whether there are `several` trees, so that they need an outer bracket.
    """

    first: Rows
    last: Rows
    above: Rows
    parent: Rows
    opened: Rows
    closed: Rows
    several: NDArray[np.bool_]

    @classmethod
    def of(cls, corpus: Constituents) -> _Shape:
        """Return the shape of trees that brackets can show."""
        words, nodes = corpus.words, corpus.nodes
        spans = extents(words, nodes)
        if nodes.lengths[words.lengths == 0].any():
            name = corpus[int(np.argmin(words.lengths))].sent_id
            raise UsageError(f"sentence {name} has a phrase without words")
        if not spans.continuous.all():
            name = corpus[int(nodes.sentence_of_row()[np.argmin(spans.continuous)])].sent_id
            raise UsageError(
                f"sentence {name} has a phrase with a gap; write it as discbracket or export"
            )
        start = np.repeat(words.offsets[:-1], nodes.lengths)
        above, parent = nodes.numbers("parent"), words.numbers("parent")
        tops = np.bincount(nodes.sentence_of_row()[above < 0], minlength=len(corpus))
        tops += np.bincount(words.sentence_of_row()[parent < 0], minlength=len(corpus))
        return cls(
            spans.first + start,
            spans.last + start,
            np.where(above < 0, -1, above + np.repeat(nodes.offsets[:-1], nodes.lengths)),
            np.where(parent < 0, -1, parent + np.repeat(nodes.offsets[:-1], words.lengths)),
            np.searchsorted(spans.first + start, np.arange(words.rows), "right"),
            np.bincount(spans.last + start, minlength=words.rows),
            tops > 1,
        )


def _bare(corpus: Constituents, shape: _Shape) -> NDArray[np.bool_]:
    """Return which words stand without brackets: those without a tag, where it can be read back."""
    untagged = corpus.tag.where(lambda tag: not tag)
    if not untagged.any():
        return untagged
    children = np.bincount(shape.above + 1, minlength=corpus.nodes.rows + 1)
    children += np.bincount(shape.parent + 1, minlength=corpus.nodes.rows + 1)
    fit = (children > 1) & np.concatenate([[False], corpus.label.where(bool)])
    return np.asarray(untagged & fit[shape.parent + 1])


_LEADS = ("", " ")
"""What leads to a bracket: nothing at the top, if there is one tree."""


def _leads(corpus: Constituents, shape: _Shape) -> tuple[Rows, Rows]:
    """Return which of the texts leads to each node and word."""
    nodes, words = corpus.nodes.sentence_of_row(), corpus.words.sentence_of_row()
    node = (shape.above >= 0) | shape.several[nodes]
    word = (shape.parent >= 0) | shape.several[words]
    return node.astype(np.int64), word.astype(np.int64)


def _repeated(text: str, times: Rows) -> NDArray[np.object_]:
    """Return the text so many times in each row; each distinct number makes one string."""
    used = np.flatnonzero(np.bincount(times))
    table = np.empty(int(times.max(initial=0)) + 1, object)
    table[used] = [text * number for number in used.tolist()]
    return np.asarray(table[times])
