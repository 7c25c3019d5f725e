"""A word of an example: where it stands in the text, and what the two sides say about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonground.corpus import Dependencies, Sentence
from commonground.report.visible import visible

__all__ = ["remark", "stretch"]


def stretch(text: str, forms: Sequence[str], word: int) -> tuple[int, int] | None:
    """Return where a word (1 is the first) stands in a text; None where it is not found.

    The places are those in the text as it is shown.

    >>> stretch("Don't stop", ["Do", "n't", "stop"], 3)
    (6, 10)
    """
    at = 0
    for number, form in enumerate(forms, 1):
        place = text.find(form, at)
        if number == word:
            if place < 0:
                return None
            first = len(visible(text[:place])) if place else 0
            return first, first + len(visible(form))
        at = place + len(form) if place >= 0 else at
    return None


def remark(gold: Sentence[Any], parse: Sentence[Any], word: int) -> str:
    """Return what gold standard and parse say about a word.

    >>> birds = Dependencies.of([(["Birds", "sing"], [2, 0], ["nsubj", "root"])])
    >>> other = Dependencies.of([(["Birds", "sing"], [0, 1], ["root", "dep"])])
    >>> remark(birds[0], other[0], 1)
    'gold: nsubj of sing; parse: root'
    """
    both = isinstance(gold.corpus, Dependencies) and isinstance(parse.corpus, Dependencies)
    if not both or not 1 <= word <= min(len(gold), len(parse)):
        return f"word {word}"
    return f"gold: {_arc(gold, word)}; parse: {_arc(parse, word)}"


def _arc(sentence: Sentence[Any], word: int) -> str:
    words = sentence.corpus.words
    first = int(words.offsets[sentence.place]) - 1
    head, label = int(words.numbers("head")[first + word]), words.strings("deprel")[first + word]
    return f"{label} of {words.strings('form')[first + head]}" if head > 0 else label
