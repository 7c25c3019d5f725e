"""Where tokens, words and sentences stand in the characters of the text.

The text of a treebank is what its tokens spell, without white space: multiword tokens by their own
form, the words inside them not at all. Two treebanks of the same text have the same characters,
however they cut them into tokens and sentences.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.corpus.strings import Vocabulary
from commonground.corpus.table import places_in_runs
from commonground.errors import InputError

__all__ = ["Spans", "spans_of"]

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Spans:
    """The characters of tokens, words and sentences, each from `start` to before `end`.

    A word inside a multiword token has the characters of the whole token.
    """

    text: str
    token_start: Numbers
    token_end: Numbers
    word_start: Numbers
    word_end: Numbers
    multiword: NDArray[np.bool_]
    sentence_start: Numbers
    sentence_end: Numbers


def without_spaces(form: str) -> str:
    r"""Return a form without its white space (Unicode's space separators).

    >>> without_spaces("10\N{NO-BREAK SPACE}000")
    '10000'
    """
    if form.isascii():
        return form.replace(" ", "")
    return "".join(character for character in form if unicodedata.category(character) != "Zs")


def spans_of(corpus: Dependencies) -> Spans:
    """Return where everything stands in the characters of the text.

    >>> corpus = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> spans = spans_of(corpus)
    >>> spans.text, spans.word_start.tolist(), spans.word_end.tolist()
    ('Birdssing', [0, 5], [5, 9])
    """
    words, tokens = corpus.words, corpus.tokens
    sentence = tokens.sentence_of_row()
    first = words.offsets[sentence] + tokens.numbers("first") - 1
    last = words.offsets[sentence] + tokens.numbers("last") - 1
    token_of_word = np.full(words.rows, -1)
    inside = np.repeat(first, last - first + 1) + places_in_runs(last - first + 1)
    token_of_word[inside] = np.repeat(np.arange(tokens.rows), last - first + 1)
    multiword = token_of_word >= 0

    # One column of surface tokens: a word, or the multiword token in place of its first word.
    surface = np.ones(words.rows, np.bool_)
    surface[multiword] = False
    surface[first] = True
    vocabulary = Vocabulary()
    codes = words.strings("form").map(without_spaces).codes_in(vocabulary).copy()
    codes[first] = tokens.strings("form").map(without_spaces).codes_in(vocabulary)
    forms = Strings(codes[surface], tuple(vocabulary))
    lengths = forms.values(len)
    if not lengths.all():
        raise _without_characters(corpus, int(np.flatnonzero(surface)[lengths.argmin()]))
    token_end = np.cumsum(lengths)
    token_start = token_end - lengths

    place = np.cumsum(surface) - 1  # of the token that each word belongs to
    bounds = np.concatenate([token_start, token_end[-1:], [0]])[: len(token_start) + 1]
    tokens_before = np.concatenate([[0], np.cumsum(surface)])[words.offsets]
    return Spans(
        text="".join(forms.tolist()),
        token_start=token_start,
        token_end=token_end,
        word_start=token_start[place],
        word_end=token_end[place],
        multiword=multiword,
        sentence_start=bounds[tokens_before[:-1]],
        sentence_end=bounds[tokens_before[1:]],
    )


def _without_characters(corpus: Dependencies, row: int) -> InputError:
    sentence = int(np.searchsorted(corpus.offsets, row, side="right")) - 1
    path = corpus.tables["origin"].strings("path")[sentence]
    line = int(corpus.lines_of_words()[row])
    message = f"a word of sentence {sentence + 1} is only white space, and has no place in the text"
    return InputError(path, line, message)
