"""Dependencies that are no trees: a parse is told about, a gold standard is refused."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies
from commonground.errors import InputError
from commonground.kernels import load

__all__ = ["no_trees", "refuse_cycles"]

Flags = NDArray[np.bool_]


def no_trees(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    """Return the ids of sentences in which no word is the root, and of others with a cycle.

    Without a root, and if all words have a head, there is always a cycle; a sentence with words
    whose heads are unknown may have a root all the same.

    >>> loop = Dependencies.of([(["a", "b"], [2, 1], ["x", "y"]), (["c"], [0], ["root"])])
    >>> no_trees(loop)
    {'rootless': ('1',)}
    """
    if not isinstance(corpus, Dependencies):
        return {}
    rootless = _rootless(corpus)
    found = {"cycles": _cyclic(corpus) & ~rootless, "rootless": rootless}
    return {
        what: tuple(corpus.sent_id[which].tolist()) for what, which in found.items() if which.any()
    }


def refuse_cycles(gold: Corpus) -> None:
    """Raise an error for the first sentence of a gold standard with a cycle."""
    if not isinstance(gold, Dependencies):
        return
    bad = np.flatnonzero(_cyclic(gold))
    if len(bad):
        sentence = gold[int(bad[0])]
        paths = gold.tables["origin"].strings("path")
        raise InputError(
            paths[sentence.place],
            sentence.line,
            f"sentence {sentence.sent_id} has a cycle; a gold standard has trees",
        )


def _cyclic(corpus: Dependencies) -> Flags:
    on_cycle = load("trees").cycles(corpus.head, corpus.offsets)
    if not on_cycle.any():
        return np.zeros(len(corpus), np.bool_)
    sentence = corpus.words.sentence_of_row()
    return np.bincount(sentence[on_cycle], minlength=len(corpus)) > 0


def _rootless(corpus: Dependencies) -> Flags:
    unclear = corpus.head <= 0  # a root, or unknown
    rooted = np.add.reduceat(np.append(unclear, 0), corpus.offsets[:-1]) if len(corpus) else unclear
    return (rooted == 0) & (np.diff(corpus.offsets) > 0)
