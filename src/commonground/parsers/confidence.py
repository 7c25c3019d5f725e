"""How sure one is of heads in a treebank, and what parsers make of it.

A head can have a confidence from 0 to 1 in an entry of MISC (``Confidence=0.83``), whatever made
the tree: projection, several parsers that vote, an annotator in doubt. A parser that learns from
partial trees looks at a head, in each iteration, with this probability; in the others the head is
one that is not annotated. Over all iterations a head counts as much as one is sure of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.errors import InputError, UsageError, quoted
from commonground.random import stream

__all__ = ["CONFIDENCE", "confidences", "drawn_heads", "with_entry"]

CONFIDENCE = "Confidence"
"""The name of the entry in MISC that projection writes."""

_NONE = -1
_WRONG = -2
_UNIT = 1_000_000


def with_entry(misc: str, name: str, value: str) -> str:
    """Return the text of MISC with another entry at its end, or in the place of the same one.

    >>> with_entry("_", "Confidence", "0.5"), with_entry("Confidence=1|A=b", "Confidence", "0.5")
    ('Confidence=0.5', 'A=b|Confidence=0.5')
    """
    entries = [each for each in misc.split("|") if each not in ("", "_")]
    kept = [each for each in entries if not each.startswith(f"{name}=")]
    return "|".join([*kept, f"{name}={value}"])


def confidences(corpus: Dependencies, name: str = CONFIDENCE) -> NDArray[np.float64]:
    """Return the confidence in the head of each word, 1 where MISC has none.

    >>> trees = Dependencies.of([(["she", "sings"], [2, 0], ["nsubj", "root"])])
    >>> from commonground.corpus import Strings
    >>> confidences(trees.replace("words", misc=Strings.of(["Confidence=0.25", "_"]))).tolist()
    [0.25, 1.0]
    """
    found = corpus.misc.values(lambda misc: _millionths(misc, name))
    if (found == _WRONG).any():
        row = int(np.flatnonzero(found == _WRONG)[0])
        sentence = int(corpus.words.sentence_of_row()[row])
        raise InputError(
            corpus.tables["origin"].strings("path")[sentence],
            int(corpus.lines_of_words()[row]),
            f"{quoted(corpus.misc[row])} in MISC; {name}= is a number from 0 to 1",
        )
    if len(found) and (found == _NONE).all():
        raise UsageError(f"no word has {name}= in MISC, by which heads are to be weighted")
    return np.where(found == _NONE, 1.0, found / _UNIT)


def _millionths(misc: str, name: str) -> int:
    for entry in misc.split("|"):
        key, equals, value = entry.partition("=")
        if key == name and equals:
            try:
                share = float(value)
            except ValueError:
                return _WRONG
            return round(share * _UNIT) if 0 <= share <= 1 else _WRONG
    return _NONE


def drawn_heads(
    heads: NDArray[np.int32], weights: NDArray[np.float64] | None, seed: int, number: int
) -> NDArray[np.int32]:
    """Return the heads that are looked at in an iteration, -1 in the place of the others."""
    if weights is None:
        return heads
    draws = stream(seed, "confidence", number).random(len(heads))
    return np.where(draws < weights, heads, np.int32(-1)).astype(np.int32)
