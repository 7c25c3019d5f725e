"""Which node of a pattern a word is: what scores are restricted to, or broken down by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies, Strings
from commonground.errors import UsageError
from commonground.patterns.grew import from_grew, is_grew
from commonground.patterns.language import Pattern, parse_pattern
from commonground.patterns.search import find

__all__ = ["NONE", "matching", "naming_pattern", "node_of_word", "node_sets", "read_pattern"]

NONE = "–"
"""What a word is that is no node of any match."""


def read_pattern(text: str) -> Pattern:
    """Read a pattern, or a request of Grew-match.

    >>> read_pattern("pattern { V -[obj]-> N }").text
    'V -[=obj]-> N'
    """
    return parse_pattern(from_grew(text) if is_grew(text) else text)


def naming_pattern(text: str) -> Pattern:
    """Read a pattern that names a node, since its words are asked for.

    >>> naming_pattern("* -[obj]-> *")
    Traceback (most recent call last):
    commonground.errors.UsageError: the pattern '* -[obj]-> *' names no node; name the words that \
are meant, as in '* -[obj]-> N'
    """
    pattern = read_pattern(text)
    if not pattern.names:
        example = "as in '* -[obj]-> N'"
        raise UsageError(
            f"the pattern {text!r} names no node; name the words that are meant, {example}"
        )
    return pattern


def node_of_word(corpus: Dependencies, text: str) -> Strings:
    """Return the node that each word is in any match of a pattern, ``V+N`` for two of them.

    Nodes without a name (``*``, ``[upos=VERB]``) are context: their words are ``–``, as are those
    without a match.

    >>> birds = Dependencies.of([(["Birds", "sing", "songs"], [2, 0, 2], ["nsubj", "root", "obj"])])
    >>> node_of_word(birds, "V -[obj]-> N").tolist(), node_of_word(birds, "* -[obj]-> N").tolist()
    (['–', 'V', 'N'], ['–', '–', 'N'])
    """
    pattern = naming_pattern(text)
    matches = find(pattern, corpus)
    rows, sets, which = node_sets({name: matches.rows[name] for name in pattern.names})
    codes = np.zeros(corpus.words.rows, np.int32)
    codes[rows] = which + 1
    return Strings(codes, [NONE, *map("+".join, sets)])


def node_sets(
    rows: Mapping[str, NDArray[np.int64]],
) -> tuple[NDArray[np.int64], list[tuple[str, ...]], NDArray[np.int64]]:
    """Return the rows that are any node, the sets of nodes that there are, and which each row is.

    >>> node_sets({"V": np.array([1, 1, 4]), "N": np.array([4, 7, 7])})
    (array([1, 4, 7]), [('V',), ('N',), ('V', 'N')], array([0, 2, 1]))
    """
    all_rows = np.unique(np.concatenate(list(rows.values())))
    sets: list[tuple[str, ...]] = [()]
    which = np.zeros(len(all_rows), np.int64)
    for name, some in rows.items():
        here = np.zeros(len(all_rows), np.bool_)
        here[np.searchsorted(all_rows, some)] = True
        found, which = np.unique(which + here * len(sets), return_inverse=True)
        both = [*sets, *((*each, name) for each in sets)]
        sets = [both[place] for place in found.tolist()]
    return all_rows, sets, which


def matching(pieces: Iterable[Corpus], text: str | None) -> Iterator[Corpus]:
    """Return the sentences that match a pattern, piece by piece; all of them without a pattern.

    >>> birds = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"]), (["Yes"], [0], ["root"])])
    >>> [len(piece) for piece in matching([birds], "deprel=nsubj")]
    [1]
    """  # noqa: E501  # the value of the doctest
    if text is None:
        yield from pieces
        return
    pattern = read_pattern(text)
    for piece in pieces:
        yield piece.take(find(pattern, piece).sentences)
