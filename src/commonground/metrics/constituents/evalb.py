"""The parameters of evalb (Sekine & Collins 1997), and which words it compares.

A parameter file has a keyword and a value on each line; lines that begin with ``#`` are comments.

    DELETE_LABEL X            words with the tag X are left out of both trees, each by its own tags;
                              brackets with the label X do not count
    DELETE_LABEL_FOR_LENGTH X words with the tag X do not count when the length is told
    QUOTE_LABEL X             a quotation mark with the tag X that only one of the trees leaves out
                              is put back
    EQ_LABEL X Y, EQ_WORD X Y labels (tags) and words that are the same
    LABELED 0                 labels do not matter
    CUTOFF_LEN N              the second summary is about sentences of at most N words
    MAX_ERROR N               the program stops when more sentences than these cannot be compared
    DEBUG N                   print more; it changes no number, and is without effect here

Two more come from disco-dop (van Cranenburgh), which reads the same files:

    DELETE_WORD X             the word X is left out
    DISC_ONLY 1               only discontinuous brackets count

Parameters with one of these are used as by disco-dop: the tags of the gold standard decide which
words are left out of both trees, a sentence of which nothing is left counts, and DISC_ONLY leaves
sentences without discontinuous brackets out of the exact match.

Labels are cut at the first ``-`` or ``=``, tags are not. A sentence in which other words are left
of the two trees is an error; where nothing is left of the parse, it is skipped. Neither counts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents
from commonground.errors import InputError, quoted, utf8
from commonground.metrics.equivalence import Equivalence

__all__ = ["ERROR", "SKIPPED", "VALID", "Evalb", "kept_words", "per_sentence", "published"]

Numbers = NDArray[np.int64]
Pairs = tuple[tuple[str, str], ...]

VALID, ERROR, SKIPPED = 0, 1, 2
"""What evalb says about a sentence, in its column ``Stat.``"""

_QUOTES = frozenset(["'", '"', "/"])


@dataclass(frozen=True, slots=True)
class Evalb:
    """Parameters; the values without a file are those of evalb without one.

    >>> published("COLLINS").equal_labels
    (('ADVP', 'PRT'),)
    """

    debug: int = 0
    max_error: int = 10
    cutoff: int = 40
    labelled: bool = True
    discontinuous_only: bool = False
    delete: frozenset[str] = frozenset()
    delete_for_length: frozenset[str] = frozenset()
    delete_words: frozenset[str] = frozenset()
    quotes: frozenset[str] = frozenset()
    equal_labels: Pairs = ()
    equal_words: Pairs = ()
    name: str = field(default="", compare=False)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Evalb:
        """Read a parameter file."""
        name = os.fspath(path)
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise InputError(name, 0, error.strerror or "it cannot be read") from error
        return cls.of(utf8(data, name, "a parameter file of evalb is expected"), name)

    @classmethod
    def of(cls, text: str, path: str = "<memory>") -> Evalb:
        r"""Return the parameters that the text of a parameter file gives.

        >>> Evalb.of("LABELED 0\nDELETE_LABEL TOP\nEQ_LABEL ADVP PRT").equal_labels
        (('ADVP', 'PRT'),)
        """
        parameters = cls(name=Path(path).stem)
        for number, line in enumerate(text.split("\n"), 1):
            if line.startswith("#") or not line.strip():
                continue
            keyword, *values = line.split()
            if keyword not in _KEYWORDS:
                known = ", ".join(_KEYWORDS)
                raise InputError(path, number, f"keyword {quoted(keyword)}; there are {known}")
            name, expected, parse = _KEYWORDS[keyword]
            value = parse(values)
            if value is None:
                message = f"{keyword} has {quoted(' '.join(values))}; {expected} is expected"
                raise InputError(path, number, message)
            before = getattr(parameters, name)
            added = before | value if isinstance(value, frozenset) else value
            added = before + value if isinstance(value, tuple) else added
            parameters = replace(parameters, **{name: added})
        return parameters

    def signature(self) -> str:
        """Return all that the numbers depend on, in one word: the name of the file, and a checksum.

        >>> published("COLLINS").signature()
        'COLLINS-e49ce991'
        """
        content = [
            sorted(value) if isinstance(value, frozenset) else value
            for name, value in asdict(self).items()
            if name not in ("debug", "max_error", "cutoff", "name")
        ]
        return f"{self.name or 'parameters'}-{crc32(repr(content).encode()):08x}"

    @property
    def gold_decides(self) -> bool:
        """Whether the gold standard decides which words are left out of both trees.

        >>> Evalb.of("DELETE_WORD ;").gold_decides, Evalb.of("DELETE_LABEL ,").gold_decides
        (True, False)
        """
        return self.discontinuous_only or bool(self.delete_words)

    def label(self, text: str) -> str:
        """Return the label of a bracket as it is compared.

        >>> Evalb().label("NP-SBJ=2")
        'NP'
        """
        return text.partition("-")[0].partition("=")[0]

    def deleted_labels(self) -> frozenset[str]:
        r"""Return the labels of brackets that do not count: deleted ones, and what is like them.

        >>> sorted(Evalb.of("DELETE_LABEL TOP\nEQ_LABEL ROOT TOP").deleted_labels())
        ['ROOT', 'TOP']
        """
        alike = Equivalence(self.equal_labels)
        return self.delete.union(*map(alike.partners, self.delete))

    def kept(self, corpus: Constituents) -> Numbers:
        """Return 1 for each word that is compared, 0 for those that are left out."""
        compared = corpus.tag.values(lambda tag: tag not in self.delete)
        if self.delete_words:
            compared[corpus.form.where(self.delete_words.__contains__)] = 0
        return compared

    def length(self, corpus: Constituents) -> Numbers:
        """Return the length of each sentence."""
        gone = np.flatnonzero(corpus.tag.where(self.delete_for_length.__contains__))
        return corpus.words.lengths - np.diff(np.searchsorted(gone, corpus.words.offsets))


def _number(values: Sequence[str]) -> int | None:
    try:
        (value,) = values
        return int(value)
    except ValueError:
        return None


def _switch(values: Sequence[str]) -> bool | None:
    number = _number(values)
    return None if number is None else bool(number)


def _text(values: Sequence[str]) -> frozenset[str] | None:
    return frozenset(values) if len(values) == 1 else None


def _pair(values: Sequence[str]) -> Pairs | None:
    return ((values[0], values[1]),) if len(values) == 2 else None


_KEYWORDS: dict[str, tuple[str, str, Callable[[Sequence[str]], Any]]] = {
    "DEBUG": ("debug", "a number", _number),
    "MAX_ERROR": ("max_error", "a number", _number),
    "CUTOFF_LEN": ("cutoff", "a number", _number),
    "LABELED": ("labelled", "0 or 1", _switch),
    "DISC_ONLY": ("discontinuous_only", "0 or 1", _switch),
    "DELETE_LABEL": ("delete", "one label", _text),
    "DELETE_LABEL_FOR_LENGTH": ("delete_for_length", "one label", _text),
    "DELETE_WORD": ("delete_words", "one word", _text),
    "QUOTE_LABEL": ("quotes", "one label", _text),
    "EQ_LABEL": ("equal_labels", "a pair of labels", _pair),
    "EQ_WORD": ("equal_words", "a pair of words", _pair),
}


@cache
def published(name: str) -> Evalb:
    """Return the parameters that come with evalb: ``COLLINS`` or ``new``."""
    return Evalb.read(Path(__file__).parent / "parameters" / f"{name}.prm")


# ── words ────────────────────────────────────────────────────────────────────────────────────────


def kept_words(
    gold: Constituents, system: Constituents, parameters: Evalb
) -> tuple[Numbers, Numbers]:
    """Return how many times each word is compared: 0 for one that is left out, mostly 1 otherwise.

    Where one tree has more words left than the other, quotation marks that only one of them has
    left out are put back. As in evalb, it can happen that one is put back twice.
    """
    kept, other = parameters.kept(gold), parameters.kept(system)
    if parameters.gold_decides:
        equal = gold.words.lengths == system.words.lengths
        other[equal[system.words.sentence_of_row()]] = kept[equal[gold.words.sentence_of_row()]]
    if parameters.quotes:
        lengths, others = per_sentence(kept, gold), per_sentence(other, system)
        for place in np.flatnonzero((lengths != others) & (others > 0)).tolist():
            _put_back(
                _quotes(gold, kept, place, parameters),
                _quotes(system, other, place, parameters),
                kept,
                other,
            )
    return kept, other


def per_sentence(times: Numbers, corpus: Constituents) -> Numbers:
    """Return the sum over the words of each sentence."""
    before = np.concatenate([[0], np.cumsum(times)])
    return np.diff(before[corpus.words.offsets])


@dataclass(slots=True)
class _Quote:
    """A quotation mark: its row, how many words are left before it, and whether it is left out."""

    row: int
    before: int
    tag: str
    left_out: bool


def _quotes(corpus: Constituents, kept: Numbers, place: int, parameters: Evalb) -> list[_Quote]:
    first, last = corpus.words.offsets[place : place + 2].tolist()
    left = kept[first:last]
    before = np.cumsum(left) - left
    return [
        _Quote(row, int(before[row - first]), tag, not kept[row])
        for row, tag, form in zip(
            range(first, last), corpus.tag[first:last], corpus.form[first:last], strict=True
        )
        if tag in parameters.quotes and form in _QUOTES
    ]


def _put_back(gold: list[_Quote], system: list[_Quote], kept: Numbers, other: Numbers) -> None:
    """Put back what one side has left out and the other one has, at the same place."""
    for i, theirs in enumerate(system):
        before = theirs.before
        for j, ours in enumerate(gold):
            if ours.before != before or ours.tag == theirs.tag:
                continue
            if ours.left_out and not theirs.left_out:
                kept[ours.row] += 1
                _move(gold[j:])
            elif theirs.left_out and not ours.left_out:
                other[theirs.row] += 1
                _move(system[i:])


def _move(quotes: list[_Quote]) -> None:
    for quote in quotes:
        quote.before += 1
