"""Constituent trees without what a parser does not give: functions, traces, indices, and more."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.constituents import Constituents
from commonground.corpus.labels import split_label
from commonground.corpus.pruning import pruned
from commonground.corpus.punctuation import is_punctuation
from commonground.corpus.strings import Strings
from commonground.errors import UsageError

__all__ = ["PARTS", "strip", "without_functions"]

Flags = NDArray[np.bool_]

_INDEX = re.compile(r"(?<=\S)-\d+$")
_TOPS = frozenset(["", "ROOT", "S1", "TOP", "VROOT"])


def strip(corpus: Constituents, parts: Sequence[str]) -> Constituents:
    """Return the trees without some of their :data:`PARTS`, whatever the order of the names.

    - ``traces``: words tagged ``-NONE-``, and phrases over nothing else;
    - ``punctuation``: words all of whose characters are punctuation for Unicode;
    - ``functions``: dash tags (``NP-SBJ-1`` becomes ``NP-1``) and the labels of edges;
    - ``coindexation``: indices (``NP-SBJ-1``, ``NP=2`` and the trace ``*T*-1``);
    - ``unary``: phrases with the same words as the phrase right above them; the upper one stays,
      unless it only holds the sentence together (ROOT, TOP, no label).

    >>> from commonground.formats import read_text, write_text
    >>> tree = read_text("(S (NP-SBJ-1 (NP (NN rain))) (VP (VBZ falls) (NP (-NONE- *T*-1))))")
    >>> print(write_text(strip(tree, ["functions", "traces", "unary"]), "brackets"), end="")
    (S (NP-1 (NN rain)) (VP (VBZ falls)))
    """
    unknown = [name for name in parts if name not in PARTS]
    if unknown or not parts:
        what = f"there is no part {unknown[0]!r}" if unknown else "no part is named"
        raise UsageError(f"{what}; what can be stripped is {', '.join(PARTS)}")
    for name, without in PARTS.items():
        if name in parts:
            corpus = without(corpus)
    return corpus


def _without_traces(corpus: Constituents) -> Constituents:
    return _with_words(corpus, ~corpus.traces)


def _without_punctuation(corpus: Constituents) -> Constituents:
    return _with_words(corpus, ~corpus.form.where(is_punctuation) | corpus.traces)


def _with_words(corpus: Constituents, words: Flags) -> Constituents:
    if words.all():
        return corpus
    return pruned(corpus, words, np.ones(corpus.nodes.rows, np.bool_))


def _without_functions(corpus: Constituents) -> Constituents:
    bare = corpus.replace("nodes", edge=Strings.constant("_", corpus.nodes.rows))
    bare = bare.replace("words", edge=Strings.constant("_", corpus.words.rows))
    return _renamed(bare, without_functions)


def _without_indices(corpus: Constituents) -> Constituents:
    forms = corpus.form.tolist()
    for row in np.flatnonzero(corpus.traces).tolist():
        forms[row] = _INDEX.sub("", forms[row])
    bare = corpus.replace("words", form=Strings.of(forms)) if corpus.traces.any() else corpus
    return _renamed(bare, lambda text: _label(text, indices=False))


def _label(text: str, *, functions: bool = True, indices: bool = True) -> str:
    """Return a label without its functions, or without its indices.

    >>> _label("NP-SBJ-1=2", functions=False), _label("NP-SBJ-1=2", indices=False)
    ('NP-1=2', 'NP-SBJ')
    """
    parts = split_label(text)
    tags = parts.functions if functions else ()
    index = parts.index if indices else ""
    gap = f"={parts.gap}" if parts.gap and indices else ""
    return "-".join([parts.category, *tags, *filter(None, [index])]) + gap


def without_functions(label: str) -> str:
    """Return a label without its functions, but with its indices.

    >>> without_functions("NP-SBJ-1")
    'NP-1'
    """
    return _label(label, functions=False)


def _renamed(corpus: Constituents, label: Callable[[str], str]) -> Constituents:
    named = corpus.replace("nodes", label=corpus.label.map(label))
    return named.replace("words", tag=corpus.tag.map(label))


def _without_unary_chains(corpus: Constituents) -> Constituents:
    nodes, words = corpus.nodes, corpus.words
    start = np.repeat(nodes.offsets[:-1], nodes.lengths)
    up = np.where(corpus.parent < 0, -1, corpus.parent + start)
    above = words.numbers("parent")
    place = np.where(above < 0, -1, above + np.repeat(nodes.offsets[:-1], words.lengths))
    children = np.bincount(up[up >= 0], minlength=nodes.rows)
    children += np.bincount(place[place >= 0], minlength=nodes.rows)
    holds = corpus.label.where(lambda text: split_label(text).category in _TOPS)
    alone = (up >= 0) & (children[up] == 1) & ~holds[up]
    if not alone.any():
        return corpus
    return pruned(corpus, np.ones(words.rows, np.bool_), ~alone)


PARTS: dict[str, Callable[[Constituents], Constituents]] = {
    "traces": _without_traces,
    "punctuation": _without_punctuation,
    "functions": _without_functions,
    "coindexation": _without_indices,
    "unary": _without_unary_chains,
}
"""What can be stripped from constituent trees, in the order in which it is done."""
