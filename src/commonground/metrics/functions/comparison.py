"""Gold standards and parses as function trees: of their own kind, or made of something else.

Whatever is compared, dependencies, constituents or function trees, :func:`function_trees` are what
TedEval looks at: trees over the words that count, in one numbering for both sides.
"""

from __future__ import annotations

from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Functions
from commonground.errors import UsageError, setting
from commonground.ground.functions import to_functions
from commonground.ground.renumber import renumbered
from commonground.metrics.constituents.brackets import BracketComparison
from commonground.metrics.dependencies.comparison import Comparison
from commonground.metrics.dependencies.prepare import differing_sentences
from commonground.metrics.mismatch import mismatch
from commonground.metrics.once_per_comparison import once_per_comparison
from commonground.metrics.scope import in_scope, punctuation
from commonground.metrics.settings import Settings

__all__ = ["FunctionComparison", "TreeComparison", "compared", "function_trees"]

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


class FunctionComparison:
    """A gold standard and a parse that are function trees of the same words."""

    def __init__(self, gold: Functions, system: Functions, settings: Settings) -> None:
        self.gold = gold
        self.system = system
        self.settings = settings


TreeComparison = Comparison | BracketComparison | FunctionComparison
"""What function trees can be made of."""


def compared(
    gold: Functions, system: Functions, settings: Settings
) -> tuple[FunctionComparison, tuple[str, ...]]:
    """Return the comparison of function trees, and the ids of the sentences that were skipped."""
    if settings.on_mismatch == "realign":
        raise UsageError(
            f"function trees cannot be realigned; {setting('on_mismatch')} can be fail or skip"
        )
    if settings.punctuation == "tag":
        raise UsageError(
            f"function trees have no tags; {setting('punctuation')} can be keep or unicode"
        )
    skipped: tuple[str, ...] = ()
    different = differing_sentences(gold, system)
    if different.any():
        if settings.on_mismatch == "fail":
            place = int(np.flatnonzero(different)[0])
            one, two = (side[place].column("form") for side in (gold, system))
            raise mismatch(gold, system, place, one, two)
        skipped = tuple(gold.sent_id[different].tolist())
        gold, system = gold[~different], system[~different]
    return FunctionComparison(gold, system, settings), skipped


@once_per_comparison
def function_trees(pair: TreeComparison) -> tuple[Functions, Functions]:
    """Return the function trees of gold standard and parse, over the words that count."""
    return _function_trees(pair)


@singledispatch
def _function_trees(pair: object) -> tuple[Functions, Functions]:
    raise UsageError(f"there is no TedEval for {type(pair).__name__}")


@_function_trees.register
def _(pair: Comparison) -> tuple[Functions, Functions]:
    gold, system = to_functions(pair.gold), to_functions(pair.system)
    if pair.same_words:
        return gold, system
    one, two = pair.gold_scored, pair.system_scored
    sentence = gold.words.sentence_of_row()
    number = _numbered(one, gold.words.offsets)
    theirs = np.zeros(len(two), np.int64)
    # Words that the gold standard does not have get numbers that no gold word has.
    theirs[two] = int(number.max(initial=0)) + 1 + np.arange(np.count_nonzero(two))
    theirs[pair.system_row] = number[pair.gold_row]
    home = pair.alignment.sentence_of_system.copy()
    home[pair.system_row] = sentence[pair.gold_row]
    model = _shortened(gold, one)
    return renumbered(gold, model, sentence, number), renumbered(system, model, home, theirs)


@_function_trees.register
def _(pair: BracketComparison) -> tuple[Functions, Functions]:
    corpora = pair.analyses
    names = pair.settings.function_nodes
    trees = [to_functions(corpus, function_nodes=names) for corpus in corpora]
    counted = [
        ((times > 0) & pair.scored_sentences[corpus.words.sentence_of_row()])[~corpus.traces]
        for corpus, times in zip(corpora, (pair.gold_times, pair.system_times), strict=True)
    ]
    return _on_counted_words(trees[0], trees[1], counted[0], counted[1])


@_function_trees.register
def _(pair: FunctionComparison) -> tuple[Functions, Functions]:
    gold, settings = pair.gold, pair.settings
    kept = ~punctuation(settings, gold.form)
    counted = in_scope(settings, kept, gold.words.offsets)
    return _on_counted_words(gold, pair.system, counted, counted)


def _on_counted_words(
    gold: Functions, system: Functions, one: Flags, two: Flags
) -> tuple[Functions, Functions]:
    if one.all() and two.all():
        return gold, system
    model = _shortened(gold, one)
    trees = [
        renumbered(
            tree, model, tree.words.sentence_of_row(), _numbered(counted, tree.words.offsets)
        )
        for tree, counted in ((gold, one), (system, two))
    ]
    return trees[0], trees[1]


def _numbered(counted: Flags, offsets: Numbers) -> Numbers:
    """Return numbers from 1 for the words of each sentence that count, and 0 for the others."""
    before = np.concatenate([[0], np.cumsum(counted)])
    number = before[1:] - np.repeat(before[offsets[:-1]], np.diff(offsets))
    return np.where(counted, number, 0)


def _shortened(corpus: Functions, counted: Flags) -> Functions:
    """Return the sentences with only the words that count, and without nodes."""
    words = corpus.words
    offsets = np.concatenate([[0], np.cumsum(counted)])[words.offsets]
    nothing = np.zeros(len(offsets), np.int64)
    empty = np.empty(0, np.int64)
    nodes = type(words)(nothing, yields=corpus.yields[empty], label=corpus.label[empty])
    shorter = type(words)(offsets, form=corpus.form[np.flatnonzero(counted)])
    return Functions({**corpus.tables, "words": shorter, "nodes": nodes})
