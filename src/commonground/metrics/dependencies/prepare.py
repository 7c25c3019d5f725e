"""Make a gold standard and a parse fit: the same sentences, or a clear word about what differs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Dependencies
from commonground.corpus.strings import Vocabulary
from commonground.errors import InputError
from commonground.kernels import load
from commonground.metrics.dependencies.comparison import Comparison
from commonground.metrics.mismatch import REALIGN, equally_many, mismatch, path_of
from commonground.metrics.settings import Settings
from commonground.tokens import align_words, spelled_out

__all__ = ["compared", "differing_sentences", "longer_sentences"]


def compared(
    gold: Dependencies, system: Dependencies, settings: Settings
) -> tuple[Comparison, tuple[str, ...]]:
    """Return the comparison of two treebanks, and the ids of the sentences that were skipped."""
    if settings.trees:
        for side in (gold, system):
            _refuse_no_trees(side, settings)
    skipped: tuple[str, ...] = ()
    same_words = settings.on_mismatch != "realign"
    if same_words:
        differing = longer_sentences if settings.any_forms else differing_sentences
        different = differing(gold, system)
        if different.any():
            gold, system = spelled_out(gold), spelled_out(system)
            different = differing(gold, system)
        if different.any():
            first = int(np.flatnonzero(different)[0])
            if settings.on_mismatch == "fail":
                one, two = gold[first].column("form"), system[first].column("form")
                works = "".join(one) == "".join(two)
                raise mismatch(gold, system, first, one, two, REALIGN if works else "")
            skipped = tuple(gold.sent_id[different].tolist())
            gold, system = gold[~different], system[~different]
    paired = align_words(gold, system, same_words=same_words)
    return Comparison(gold, system, paired, settings), skipped


def _refuse_no_trees(corpus: Dependencies, settings: Settings) -> None:
    """Raise an error for the first sentence with a cycle, or without exactly one root."""
    counted = load("columns").counted
    roots = counted(corpus.head == 0, corpus.offsets)
    circular = counted(load("trees").cycles(corpus.head, corpus.offsets), corpus.offsets)
    bad = np.flatnonzero((roots != 1) | (circular > 0))
    if len(bad):
        place = int(bad[0])
        what = "a cycle" if circular[place] else f"{roots[place]} roots"
        raise InputError(
            path_of(corpus),
            corpus[place].line,
            f"sentence {corpus[place].sent_id} has {what}; {settings.name} scores trees with one "
            "root only",
        )


def differing_sentences(gold: Corpus, system: Corpus) -> NDArray[np.bool_]:
    """Tell which sentences do not have the same words on both sides."""
    longer = longer_sentences(gold, system)
    if not longer.any():
        differs = ~np.equal(*_codes(gold, system))
        sentence = gold.tables["words"].sentence_of_row()
        return np.bincount(sentence[differs], minlength=len(gold)) > 0
    same = np.flatnonzero(~longer)
    different = longer.copy()
    different[same] = differing_sentences(gold.take(same), system.take(same))
    return different


def longer_sentences(gold: Corpus, system: Corpus) -> NDArray[np.bool_]:
    """Tell which sentences do not have equally many words on both sides."""
    equally_many(gold, system)
    one, two = gold.tables["words"], system.tables["words"]
    return np.asarray(one.lengths != two.lengths)


def _codes(gold: Corpus, system: Corpus) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    one, two = (side.tables["words"].strings("form") for side in (gold, system))
    if one.vocabulary == two.vocabulary:
        return one.codes, two.codes
    vocabulary = Vocabulary()
    return one.codes_in(vocabulary), two.codes_in(vocabulary)
