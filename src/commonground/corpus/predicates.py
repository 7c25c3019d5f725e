"""Predicates and their arguments, in the columns that CoNLL-2008 and -2009 have for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from commonground.corpus.corpus import Corpus
from commonground.corpus.dependencies import Dependencies
from commonground.errors import InputError
from commonground.plurals import number_of

__all__ = ["Propositions", "propositions"]

_NOTHING = frozenset({"", "_", "-"})
"""Chinese files of 2009 have a hyphen."""


class Propositions(NamedTuple):
    """The predicates of a sentence with their senses (``_`` if unknown), and their arguments.

    Words are numbers from 0; arguments are ``(predicate, argument, label)``.
    """

    senses: dict[int, str]
    arguments: list[tuple[int, int, str]]


def propositions(corpus: Corpus) -> Iterator[Propositions] | None:
    """Return what each sentence says about predicates; None if there are no columns for it.

    Words are predicates if ``pred`` is not ``_``, or ``fillpred`` is ``Y``. A word that is an
    argument of a predicate twice has ``A0|A1``.

    >>> from commonground.corpus import Strings
    >>> birds = Dependencies.of([(["Birds", "sing"], [2, 0], ["SBJ", "ROOT"])])
    >>> propositions(birds) is None
    True
    >>> columns = {"pred": Strings.of(["_", "sing.01"]), "apreds": Strings.of(["A0", "_"])}
    >>> words = birds.words.replace(**columns)
    >>> list(propositions(Dependencies({**birds.tables, "words": words})))
    [Propositions(senses={1: 'sing.01'}, arguments=[(1, 0, 'A0')])]
    """
    if not isinstance(corpus, Dependencies) or not {"pred", "apreds"} <= set(corpus.words.columns):
        return None
    return _propositions(corpus)


def _propositions(corpus: Dependencies) -> Iterator[Propositions]:
    words = corpus.words
    senses, fields = words.strings("pred").tolist(), words.strings("apreds").tolist()
    fill = words.strings("fillpred").tolist() if "fillpred" in words else senses
    for number, (start, end) in enumerate(pairwise(corpus.offsets.tolist())):
        own = {
            place: "_" if senses[row] in _NOTHING else senses[row]
            for place, row in enumerate(range(start, end))
            if senses[row] not in _NOTHING or fill[row] == "Y"
        }
        arguments = []
        predicates, texts = list(own), fields[start:end]
        separator = _separator(texts, len(predicates))
        for place, text in enumerate(texts):
            labels = text.split(separator)
            if len(labels) != len(predicates) and text not in _NOTHING:
                raise _uneven(corpus, number, place, len(labels), len(predicates))
            arguments += [
                (predicate, place, label)
                for predicate, every in zip(predicates, labels, strict=False)
                if every not in _NOTHING
                for label in sorted({*every.split("|")})
            ]
        yield Propositions(own, arguments)


def _separator(texts: Sequence[str], predicates: int) -> str:
    """Return what stands between the columns: in CoNLL-U Plus, where they are one, ``|``."""
    return "\t" if predicates == 1 or any("\t" in text for text in texts) else "|"


def _uneven(
    corpus: Dependencies, sentence: int, place: int, columns: int, predicates: int
) -> InputError:
    message = (
        f"word {place + 1} of the sentence has {number_of(columns, 'column')} of arguments; "
        f"{predicates} expected, one for each predicate"
    )
    path, line = (corpus[sentence].column(name, "origin")[0] for name in ("path", "line"))
    return InputError(path, int(line), message)
