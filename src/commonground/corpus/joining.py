"""Neighbouring sentences as one: what one treebank has as several, another may have as one.

The trees of the sentences stand side by side in the new one, whatever was at the top of each is at
the top: a dependency tree has several roots, constituents have several phrases without a parent.
"""

from __future__ import annotations

from functools import singledispatch
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.constituents import Constituents
from commonground.corpus.corpus import Corpus
from commonground.corpus.dependencies import Dependencies
from commonground.corpus.deps import arcs_in
from commonground.corpus.functions import Functions, parse_yield
from commonground.corpus.relations import Relations
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table
from commonground.errors import UsageError

__all__ = ["joined_sentences"]

Numbers = NDArray[np.int64]
Trees = TypeVar("Trees", bound=Corpus)


def joined_sentences(corpus: Trees, starts: Numbers) -> Trees:
    """Put sentences together, each run of them that begins with one of the places `starts`.

    The first start is 0. A new sentence has the comments of the first of its sentences, and the
    ids of all, joined by ``+``.

    >>> two = Dependencies.of([(["Hi"], [0], ["root"]), (["You", "there"], [0, 1], ["root", "x"])])
    >>> one = joined_sentences(two, np.array([0]))
    >>> one.form.tolist(), one.head.tolist(), one.sent_id.tolist()
    (['Hi', 'You', 'there'], [0, 0, 2], ['1+2'])
    """
    if len(starts) == len(corpus):
        return corpus
    first = np.repeat(starts, np.diff(starts, append=len(corpus)))
    joint = {
        name: Table(table.offsets[np.append(starts, len(corpus))], **table.columns)
        for name, table in _shifted(corpus, first).items()
    }
    each = np.arange(len(starts) + 1)
    origin = corpus.tables["origin"]
    joint["sentences"] = Table(each, comments=_comments(corpus, starts))
    joint["origin"] = Table(
        each, **{name: column[starts] for name, column in origin.columns.items()}
    )
    return type(corpus)(joint)


def _comments(corpus: Corpus, starts: Numbers) -> Strings:
    """Return the comments of each run: those of its first sentence, with the ids of all."""
    ids, comments = corpus.sent_id.tolist(), corpus.comments.tolist()
    joined = []
    for start, stop in zip(starts.tolist(), [*starts.tolist()[1:], len(corpus)], strict=True):
        if stop - start == 1:
            joined.append(comments[start])
            continue
        kept = [line for line in comments[start].split("\n") if line and not _is_id(line)]
        joined.append("\n".join([*kept, f"# sent_id = {'+'.join(ids[start:stop])}"]))
    return Strings.of(joined)


def _is_id(line: str) -> bool:
    return line.lstrip("# \t").partition("=")[0].strip() in ("sent_id", "text")


# ── what points at words and nodes ───────────────────────────────────────────────────────────────


def _before(table: Table, first: Numbers) -> Numbers:
    """Return how many rows of its run stand before each sentence."""
    return np.asarray(table.offsets[:-1] - table.offsets[first])


def _moved(table: Table, name: str, shift: Numbers, least: int) -> NDArray[np.int32]:
    """Return a column of places that begin with `least`, moved by the shift of their sentence."""
    column = table.numbers(name)
    by = shift[table.sentence_of_row()]
    return np.where(column < least, column, column + by).astype(column.dtype)


@singledispatch
def _shifted(corpus: Corpus, first: Numbers) -> dict[str, Table]:
    """Return the tables of a corpus, with all places counted from the first sentence of the run."""
    del first
    raise UsageError(f"sentences of {corpus.kind} cannot be put together")


@_shifted.register
def _(corpus: Dependencies, first: Numbers) -> dict[str, Table]:
    shift = _before(corpus.words, first)
    tokens = corpus.tokens.replace(
        first=_moved(corpus.tokens, "first", shift, 1), last=_moved(corpus.tokens, "last", shift, 1)
    )
    later = _later_empties(corpus, shift)
    deps = _moved_deps(corpus.words, shift, later)
    words = corpus.words.replace(head=_moved(corpus.words, "head", shift, 1), deps=deps)
    empties, sentence = corpus.empties, corpus.empties.sentence_of_row()
    major, minor = empties.numbers("major"), empties.numbers("minor")
    empties = empties.replace(
        major=(major + shift[sentence]).astype(np.int32),
        minor=np.where(major == 0, minor + later[sentence], minor).astype(np.int32),
        head=_moved(empties, "head", shift, 1),
        deps=_moved_deps(empties, shift, later),
    )
    return {**corpus.tables, "words": words, "tokens": tokens, "empties": empties}


def _later_empties(corpus: Dependencies, shift: Numbers) -> Numbers:
    """Return how many empty nodes stand at the very end of the sentence before, within the run."""
    sentence = corpus.empties.sentence_of_row()
    at_end = corpus.empties.numbers("major") == corpus.words.lengths[sentence]
    counts = np.bincount(sentence[at_end], minlength=len(corpus))
    return np.where(shift > 0, np.concatenate([[0], counts[:-1]]), 0).astype(np.int64)


def _moved_deps(table: Table, shift: Numbers, later: Numbers) -> Strings:
    column = table.strings("deps")
    if not column.where(lambda text: text != "_").any():
        return column
    sentence = table.sentence_of_row().tolist()
    return Strings.of(
        _moved_arcs(text, int(shift[place]), int(later[place]))
        for text, place in zip(column.tolist(), sentence, strict=True)
    )


def _moved_arcs(text: str, shift: int, later: int) -> str:
    """Return a text of DEPS with its heads moved.

    >>> _moved_arcs("0:root|2:conj|0.1:dep", 5, 1)
    '0:root|7:conj|5.2:dep'
    """
    arcs = arcs_in(text)
    if not shift or None in arcs:
        return text
    moved_arcs = []
    for arc in arcs:
        assert arc is not None
        minor = arc.minor + (later if arc.minor and not arc.major else 0)
        is_root = not (arc.major or arc.minor)
        head = "0" if is_root else str(arc.major + shift) + (f".{minor}" if minor else "")
        moved_arcs.append(f"{head}:{arc.label}")
    return "|".join(moved_arcs) or text


@_shifted.register
def _(corpus: Constituents, first: Numbers) -> dict[str, Table]:
    words, nodes = _before(corpus.words, first), _before(corpus.nodes, first)
    edges = corpus.secondary
    return {
        **corpus.tables,
        "words": corpus.words.replace(parent=_moved(corpus.words, "parent", nodes, 0)),
        "nodes": corpus.nodes.replace(parent=_moved(corpus.nodes, "parent", nodes, 0)),
        "secondary": edges.replace(
            parent=_moved(edges, "parent", nodes, 0),
            node=_moved(edges, "node", nodes, 0),
            word=_moved(edges, "word", words, 0),
        ),
    }


@_shifted.register
def _(corpus: Functions, first: Numbers) -> dict[str, Table]:
    shift = _before(corpus.words, first)[corpus.nodes.sentence_of_row()].tolist()
    yields = Strings.of(
        _moved_yield(text, by) for text, by in zip(corpus.yields.tolist(), shift, strict=True)
    )
    return {**corpus.tables, "nodes": corpus.nodes.replace(yields=yields)}


def _moved_yield(text: str, by: int) -> str:
    """Return a yield that is moved.

    >>> _moved_yield("1-2,4", 3)
    '4-5,7'
    """
    if not by:
        return text
    parts = ((first + by, last + by) for first, last in parse_yield(text))
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


@_shifted.register
def _(corpus: Relations, first: Numbers) -> dict[str, Table]:
    words, nodes = _before(corpus.words, first), _before(corpus.nodes, first)
    return {
        **corpus.tables,
        "nodes": corpus.nodes.replace(
            first=_moved(corpus.nodes, "first", words, 1),
            last=_moved(corpus.nodes, "last", words, 1),
        ),
        "relations": corpus.relations.replace(
            head=_moved(corpus.relations, "head", nodes, 0),
            dependent=_moved(corpus.relations, "dependent", nodes, 0),
        ),
    }
