"""Which node of a pattern a word is: what scores are restricted to, or broken down by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from commonground.corpus import Corpus, Dependencies, Strings
from commonground.errors import UsageError
from commonground.patterns.grew import from_grew, is_grew
from commonground.patterns.language import Pattern, parse_pattern
from commonground.patterns.search import find

__all__ = ["NONE", "matching", "naming_pattern", "node_of_word", "read_pattern"]

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
    codes = np.zeros(corpus.words.rows, np.int64)
    for place, name in enumerate(pattern.names):
        codes[matches.rows[name]] |= 1 << place
    found, places = np.unique(codes, return_inverse=True)
    return Strings(places.astype(np.int32), [_named(code, pattern) for code in found.tolist()])


def _named(code: int, pattern: Pattern) -> str:
    """Return the names of the nodes whose bits are set."""
    return "+".join(name for i, name in enumerate(pattern.names) if code >> i & 1) or NONE


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
