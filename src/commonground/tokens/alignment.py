"""Which words of two treebanks are the same word of the text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.corpus.strings import Vocabulary
from commonground.corpus.table import places_in_runs, same_column
from commonground.errors import InputError, going_on
from commonground.kernels import load
from commonground.tokens.spans import Spans, spans_of, without_spaces

__all__ = ["WordAlignment", "align_words"]

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WordAlignment:
    """The pairs of words that are the same, as rows of both treebanks.

    `sentence_of_system` is the gold sentence in which each system word begins. `same_tokens` and
    `same_sentences` tell for each gold token and gold sentence whether the system has one with the
    same characters; `gold_tokens` and `system_tokens` count the tokens of each gold sentence,
    `system_sentences` the system sentences that begin in it. The sides are `identical` when each
    word is paired with the one in the same row.
    """

    gold: Numbers
    system: Numbers
    sentence_of_system: Numbers
    gold_tokens: Numbers
    system_tokens: Numbers
    same_tokens: Numbers
    system_sentences: Numbers
    same_sentences: Numbers
    identical: bool = False


def align_words(
    gold: Dependencies, system: Dependencies, *, same_words: bool = False
) -> WordAlignment:
    """Pair the words of two treebanks of one text over its characters.

    As in the CoNLL 2018 scorer: words that are tokens of their own are the same when they have the
    same characters; words in or around multiword tokens are paired by the longest common
    subsequence of their forms, whatever their case. With `same_words`, each sentence has the same
    words on both sides, which are then paired one by one even if the texts differ: one side may
    lack multiword tokens, or spell them in another way.

    >>> one = Dependencies.of([(["can", "not"], [0, 1], ["root", "advmod"])])
    >>> two = Dependencies.of([(["cannot"], [0], ["root"])])
    >>> align_words(one, one).system.tolist(), align_words(one, two).system.tolist()
    ([0, 1], [])
    """
    if same_tokenisation(gold, system):
        return _one_by_one(gold, system, _tokens(gold))
    one, two = spans_of(gold), spans_of(system)
    if same_words and one.text != two.text:
        return _one_by_one(gold, system, _tokens_in_common(gold, system))
    if one.text != two.text:
        raise _different_texts(gold, system, one, two)
    forms = Vocabulary()
    gold_rows, system_rows = load("pairing").pair_words(
        (one.word_start, one.word_end, one.multiword, _forms(gold, one, forms)),
        (two.word_start, two.word_end, two.multiword, _forms(system, two, forms)),
    )
    return WordAlignment(
        gold=gold_rows,
        system=system_rows,
        sentence_of_system=_sentence_at(one, two.word_start),
        gold_tokens=_count(_sentence_at(one, one.token_start), len(gold)),
        system_tokens=_count(_sentence_at(one, two.token_start), len(gold)),
        same_tokens=_count(
            _sentence_at(
                one,
                one.token_start[
                    _same(one.token_start, one.token_end, two.token_start, two.token_end)
                ],
            ),
            len(gold),
        ),
        system_sentences=_count(_sentence_at(one, two.sentence_start), len(gold)),
        same_sentences=_same(
            one.sentence_start, one.sentence_end, two.sentence_start, two.sentence_end
        ).astype(np.int64),
    )


def same_tokenisation(gold: Dependencies, system: Dependencies) -> bool:
    """Tell whether two treebanks have the same words, multiword tokens and sentences."""
    return (
        np.array_equal(gold.offsets, system.offsets)
        and np.array_equal(gold.tokens.offsets, system.tokens.offsets)
        and gold.form == system.form
        and all(same_column(gold.tokens[n], system.tokens[n]) for n in ("first", "last", "form"))
    )


def _one_by_one(gold: Dependencies, system: Dependencies, same_tokens: Numbers) -> WordAlignment:
    rows, sentence = np.arange(gold.words.rows), gold.words.sentence_of_row()
    ones = np.ones(len(gold), np.int64)
    tokens = _tokens(gold), _tokens(system)
    return WordAlignment(rows, rows, sentence, *tokens, same_tokens, ones, ones, identical=True)


def _tokens(corpus: Dependencies) -> Numbers:
    """Count the tokens of each sentence."""
    inside = corpus.tokens.numbers("last") - corpus.tokens.numbers("first")
    joined = np.bincount(corpus.tokens.sentence_of_row(), inside, minlength=len(corpus))
    return corpus.words.lengths - joined.astype(np.int64)


def _tokens_in_common(gold: Dependencies, system: Dependencies) -> Numbers:
    """Count the tokens of each sentence that have the same words and the same form."""
    forms = Vocabulary()
    one, two = (_last_word_and_form(side, forms) for side in (gold, system))
    same = (one == two).all(axis=0) & (one[0] > 0)
    return _count(gold.words.sentence_of_row()[same], len(gold))


def _last_word_and_form(corpus: Dependencies, forms: Vocabulary) -> Numbers:
    """Return the last word and the form of the token that begins with each word, or 0 and 0."""
    tokens = corpus.tokens
    before = corpus.offsets[tokens.sentence_of_row()] - 1
    first, last = tokens.numbers("first"), tokens.numbers("last")
    both = np.stack([corpus.words.row_in_sentence() + 1, corpus.form.codes_in(forms)])
    length = last - first + 1
    both[:, np.repeat(before + first, length) + places_in_runs(length)] = 0
    both[:, before + first] = last, tokens.strings("form").codes_in(forms)
    return both


def _forms(corpus: Dependencies, spans: Spans, vocabulary: Vocabulary) -> Numbers:
    """Return numbers for the forms; case never counts, white space only in multiword tokens."""
    lowered = corpus.form.map(str.lower)
    stripped = lowered.map(without_spaces)
    codes = np.where(spans.multiword, lowered.codes_in(vocabulary), stripped.codes_in(vocabulary))
    return codes.astype(np.int64)


def _sentence_at(spans: Spans, characters: Numbers) -> Numbers:
    """Return the sentence in which each character stands."""
    return np.searchsorted(spans.sentence_start, characters, side="right") - 1


def _count(sentences: Numbers, length: int) -> Numbers:
    return np.bincount(sentences, minlength=length).astype(np.int64)


def _same(
    start: Numbers, end: Numbers, other_start: Numbers, other_end: Numbers
) -> NDArray[np.bool_]:
    """Tell which spans are among the other ones."""
    place = np.searchsorted(other_start, start)
    place = np.minimum(place, max(len(other_start) - 1, 0))
    if not len(other_start):
        return np.zeros(len(start), np.bool_)
    return (other_start[place] == start) & (other_end[place] == end)


def _different_texts(
    gold: Dependencies, system: Dependencies, one: Spans, two: Spans
) -> InputError:
    at = next((i for i, (a, b) in enumerate(zip(one.text, two.text, strict=False)) if a != b), -1)
    at = min(len(one.text), len(two.text)) if at < 0 else at
    line, path = _line_at(system, two, at)
    gold_line, gold_path = _line_at(gold, one, at)
    place = f"the gold standard ({gold_path}:{gold_line})"
    return InputError(path, line, f"the text {going_on(two.text[at:], one.text[at:], place)}")


def _line_at(corpus: Dependencies, spans: Spans, character: int) -> tuple[int, str]:
    if not corpus.words.rows:
        return 1, "<empty>"
    word = min(int(np.searchsorted(spans.word_end, character, side="right")), corpus.words.rows - 1)
    sentence = int(np.searchsorted(corpus.offsets, word, side="right")) - 1
    path = corpus.tables["origin"].strings("path")[sentence]
    return int(corpus.lines_of_words()[word]), path
