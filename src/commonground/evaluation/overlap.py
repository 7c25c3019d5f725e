"""Sentences of a test set that stand in training data, exactly or nearly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, ClassVar, Self

import msgspec

from commonground.corpus import Corpus
from commonground.corpus.fingerprint import fingerprint
from commonground.evaluation.decoding import Count, decoded
from commonground.evaluation.result import MEMORY, Result
from commonground.evaluation.signature import signature
from commonground.tokens.near_duplicates import duplicates
from commonground.tokens.sentences import surface_tokens

__all__ = ["Duplicate", "Overlap", "overlap"]


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A sentence of the test set, and the one of the training data that it is like."""

    sent_id: str
    words: int
    exact: bool
    similarity: float
    train: str
    train_sent_id: str
    text: str
    train_text: str


@dataclass(frozen=True, repr=False)
class Overlap(Result):
    """Which sentences of a test set stand in training data; the other ones are `clean`."""

    kind: ClassVar[str] = "overlap"
    verb: ClassVar[str] = "overlap"

    signature: str
    test_name: str
    train: tuple[str, ...]
    sentences: int
    words: int
    duplicates: tuple[Duplicate, ...]
    clean: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"Overlap({len(self.duplicates):,} of {self.sentences:,} sentences)"

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "kind": self.kind, "signature": self.signature, "test": self.test_name,
            "train": list(self.train), "sentences": self.sentences, "words": self.words,
            "duplicates": [asdict(each) for each in self.duplicates],
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Self:
        """Return the overlap that JSON holds."""
        saved = decoded(data, _OverlapJson, path)
        rows = tuple(Duplicate(**msgspec.structs.asdict(each)) for each in saved.duplicates)
        return cls(saved.signature, saved.test, saved.train, saved.sentences, saved.words, rows)


class _DuplicateJson(msgspec.Struct, frozen=True):
    sent_id: str
    words: Count
    exact: bool
    similarity: Annotated[float, msgspec.Meta(ge=0, le=1)]
    train: str
    train_sent_id: str
    text: str
    train_text: str


class _OverlapJson(msgspec.Struct, frozen=True):
    signature: str
    test: str
    train: tuple[str, ...]
    sentences: Count
    words: Count
    duplicates: tuple[_DuplicateJson, ...]


def overlap(
    train: Mapping[str, Corpus], test: Corpus, name: str = MEMORY, *,
    threshold: float = 0.7, seed: int = 0,
) -> Overlap:  # fmt: skip
    """Find the sentences of a treebank that stand in others, given by name.

    >>> from commonground import read
    >>> overlap({"train": read("example:ud")}, read("example:ud-parse"), "test")
    Overlap(64 of 64 sentences)
    """
    others = [sentence for corpus in train.values() for sentence in surface_tokens(corpus)]
    places = [(path, each) for path, corpus in train.items() for each in corpus.sent_id.tolist()]
    sentences, names = surface_tokens(test), test.sent_id.tolist()
    leaks = duplicates(sentences, others, threshold, seed)
    rows = tuple(
        Duplicate(
            names[number], len(sentences[number]), leak.exact, leak.similarity,
            *places[leak.place], " ".join(sentences[number]), " ".join(others[leak.place]),
        )
        for number, leak in enumerate(leaks) if leak
    )  # fmt: skip
    golds = [fingerprint(corpus) for corpus in (test, *train.values())]
    return Overlap(
        signature(golds=golds, threshold=threshold, seed=seed), name, tuple(train),
        len(sentences), sum(map(len, sentences)), rows,
        tuple(number for number, leak in enumerate(leaks) if leak is None),
    )  # fmt: skip
