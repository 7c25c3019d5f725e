"""Dependencies that are no trees: a parse is told about, a gold standard refused or left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies
from commonground.errors import InputError, setting
from commonground.kernels import load
from commonground.metrics.settings import Settings

__all__ = ["cyclic_sentences", "not_trees", "refused_cycle", "without_cycles"]

Flags = NDArray[np.bool_]
Ids = tuple[str, ...]


def not_trees(corpus: Corpus) -> dict[str, Ids]:
    """Return the ids of sentences in which no word is the root, and of others with a cycle.

    Without a root, and if all words have a head, there is always a cycle; a sentence with words
    whose heads are unknown may have a root all the same.

    >>> loop = Dependencies.of([(["a", "b"], [2, 1], ["x", "y"]), (["c"], [0], ["root"])])
    >>> not_trees(loop)
    {'rootless': ('1',)}
    """
    if not isinstance(corpus, Dependencies):
        return {}
    rootless = _rootless(corpus)
    masks = {"cycles": cyclic_sentences(corpus) & ~rootless, "rootless": rootless}
    return {
        what: tuple(corpus.sent_id[which].tolist()) for what, which in masks.items() if which.any()
    }


def without_cycles(gold: Corpus, system: Corpus, settings: Settings) -> tuple[Corpus, Corpus, Ids]:
    """Return both sides without the sentences whose gold heads run in a circle, and their ids.

    They are left out only where sentences that do not fit are (``skip``); the first of them is an
    error otherwise. Where the sides have equally many sentences they belong together by their
    order, by their ids if not.

    >>> circle, tree = (["a", "b"], [2, 1], ["x", "y"]), (["c"], [0], ["root"])
    >>> both = Dependencies.of([circle, tree])
    >>> gold, _, left_out = without_cycles(both, both, Settings(on_mismatch="skip"))
    >>> len(gold), left_out
    (1, ('1',))
    """
    if not isinstance(gold, Dependencies):
        return gold, system, ()
    bad = cyclic_sentences(gold)
    if not bad.any():
        return gold, system, ()
    if settings.on_mismatch != "skip":
        raise refused_cycle(gold, int(np.flatnonzero(bad)[0]))
    gone = gold.sent_id[bad].tolist()
    also = bad if len(gold) == len(system) else np.isin(system.sent_id.tolist(), gone)
    return gold.take(~bad), system.take(~also), tuple(gone)


def refused_cycle(gold: Dependencies, place: int) -> InputError:
    """Return the error for a sentence of a gold standard that has a cycle."""
    sentence = gold[place]
    return InputError(
        gold.tables["origin"].strings("path")[sentence.place],
        sentence.line,
        f"sentence {sentence.sent_id} has a cycle; a gold standard must have trees, and "
        f"{setting('on_mismatch', 'skip')} leaves out others",
    )


def cyclic_sentences(corpus: Dependencies) -> Flags:
    """Tell which sentences have heads that run in a circle."""
    on_cycle = load("trees").cycles(corpus.head, corpus.offsets)
    if not on_cycle.any():
        return np.zeros(len(corpus), np.bool_)
    sentence = corpus.words.sentence_of_row()
    return np.bincount(sentence[on_cycle], minlength=len(corpus)) > 0


def _rootless(corpus: Dependencies) -> Flags:
    unclear = corpus.head <= 0  # a root, or unknown
    rooted = np.add.reduceat(np.append(unclear, 0), corpus.offsets[:-1]) if len(corpus) else unclear
    return (rooted == 0) & (np.diff(corpus.offsets) > 0)
