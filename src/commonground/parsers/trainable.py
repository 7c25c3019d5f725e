"""What a parser can be trained on, and what is said of the rest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from commonground.corpus import Constituents, Corpus, Dependencies
from commonground.corpus.shape import cyclic
from commonground.corpus.stripping import strip
from commonground.errors import InputError, UsageError, setting
from commonground.parsers.confidence import confidences
from commonground.parsers.parser import Parser
from commonground.plurals import number_of

__all__ = ["bracketed", "file_of", "of_kind", "trainable"]


def file_of(corpus: Corpus, sentence: int = 0) -> str:
    """Return the file of a sentence."""
    return corpus.tables["origin"].strings("path")[sentence] if len(corpus) else "the treebank"


def of_kind(corpus: Corpus, parser: str, kind: type[Corpus]) -> Corpus:
    """Return a corpus for a parser of this kind, or refuse it."""
    if not isinstance(corpus, kind):
        raise UsageError(f"{file_of(corpus)} has {corpus.kind}, but {parser} is for {kind.kind}")
    if isinstance(corpus, Constituents) and corpus.traces.any():
        # A tagger that has seen traces would take words for some.
        return strip(corpus, ["traces"])
    return corpus


def bracketed(corpus: Corpus, kind: type[Corpus]) -> Corpus:
    """Return dependencies as trees without phrases, where a parser is for constituents."""
    if not isinstance(corpus, Dependencies) or kind is not Constituents:
        return corpus
    from commonground.conversion.to_constituents import to_constituents  # noqa: PLC0415  # rarely

    first = np.zeros(len(corpus.head), np.bool_)
    first[corpus.words.offsets[:-1][corpus.words.lengths > 0]] = True
    return to_constituents(corpus.replace("words", head=np.where(first, 0, 1).astype(np.int32)))[0]


def trainable(corpus: Corpus, kind: Parser, weights: str = "") -> Corpus:
    """Return a corpus that a parser can be trained on: what it has not, or not right, is told.

    `weights` names the entry of MISC that says how much heads count.
    """
    if weights:
        if not kind.weighted:
            raise UsageError(
                f"{kind.name} cannot learn from weighted heads; arc-eager, arc-hybrid, mst, "
                f"stacked and ensemble can, or leave {setting('weights')} out"
            )
        assert isinstance(corpus, Dependencies)
        confidences(corpus, weights)
    traces = isinstance(corpus, Constituents) and bool(corpus.traces.all())
    if traces or not corpus.tables["words"].rows:
        raise InputError(file_of(corpus), 0, "there is nothing to learn from: it has no words")
    if isinstance(corpus, Dependencies) and kind.trees:
        for problem in _problems(corpus, kind):
            raise problem
    return corpus


def _problems(corpus: Dependencies, kind: Parser) -> Iterator[InputError]:
    cycles = np.flatnonzero(cyclic(corpus))
    if len(cycles):
        where = int(cycles[0])
        others = (
            f", and so are those of {number_of(len(cycles) - 1, 'other')}"
            if len(cycles) > 1
            else ""
        )
        yield InputError(
            file_of(corpus, where),
            int(corpus.lines[where]),
            f"the heads of this sentence are a cycle{others}; a tree is needed",
        )
    known = corpus.head >= 0
    if not known.any():
        yield InputError(file_of(corpus), 0, "there is nothing to learn from: no word has a head")
    if not known.all() and not kind.partial:
        row = int(np.flatnonzero(~known)[0])
        yield InputError(
            file_of(corpus, int(corpus.words.sentence_of_row()[row])),
            int(corpus.lines_of_words()[row]),
            f"this word has no head, and {kind.name} cannot learn from partial trees; arc-eager, "
            f"arc-hybrid and mst can, and projection with {setting('guide')} gives all words heads",
        )
