"""Which sentences the counts of a system are about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus, Strings
from commonground.corpus.documents import documents_named, openings

__all__ = ["Headings", "Sentences"]


@dataclass(frozen=True, slots=True)
class Sentences:
    """The ids of sentences, in the order of the counts, and their documents, where known."""

    ids: tuple[str, ...]
    documents: tuple[str, ...] = ()

    @classmethod
    def joined(cls, parts: Iterable[tuple[str, Sentences]]) -> Sentences:
        """Put sentences of several files together; a file that names no documents is one.

        >>> Sentences.joined([("a", Sentences(("1", "2"))), ("b", Sentences(("1",), ("x",)))])
        Sentences(ids=('a:1', 'a:2', 'b:1'), documents=('a', 'a', 'b:x'))
        """
        ids: list[str] = []
        names: list[str] = []
        for file, part in parts:
            ids += [f"{file}:{each}" for each in part.ids]
            names += [f"{file}:{each}" for each in part.documents] or [file] * len(part.ids)
        return cls(tuple(ids), tuple(names))

    def to_json(self) -> dict[str, list[str]]:
        """Return the ids, and the documents where they are known, as JSON has them."""
        found = {"sentences": list(self.ids)}
        return {**found, "documents": list(self.documents)} if self.documents else found


@dataclass(frozen=True, slots=True)
class Headings:
    """What the sentences of a gold standard say about themselves, and which of them have counts.

    Documents are known by where they begin, and ids name documents only if all of them do. So the
    pieces of a gold standard are put together first, with the sentences that were left out.
    """

    ids: Strings
    openings: Strings
    paths: Strings
    kept: NDArray[np.bool_]

    @classmethod
    def of(cls, gold: Corpus, kept: Corpus) -> Self:
        """Return those of a gold standard of which some sentences were `kept`; it is numbered."""
        paths = gold.tables["origin"].strings("path")
        return cls(gold.sent_id, openings(gold), paths, np.isin(gold.numbers, kept.numbers))

    @classmethod
    def joined(cls, parts: Sequence[Headings]) -> Self:
        """Put the pieces of a gold standard together."""
        return cls(
            Strings.concatenate([part.ids for part in parts]),
            Strings.concatenate([part.openings for part in parts]),
            Strings.concatenate([part.paths for part in parts]),
            np.concatenate([part.kept for part in parts]),
        )

    def sentences(self) -> Sentences:
        """Return the sentences that have counts.

        >>> from commonground import read
        >>> gold = read("example:ud").numbered()
        >>> Headings.of(gold, gold[2:]).sentences().ids[:2]
        ('cg-03', 'cg-04')
        """
        named = documents_named(self.openings, self.paths, self.ids)
        return Sentences(
            tuple(self.ids[self.kept]), tuple(named[self.kept]) if named is not None else ()
        )
