"""Which sentences the counts of a system are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress
from typing import Self

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Corpus
from commonground.corpus.documents import Said, documents_named, said_by
from commonground.streamed_json import ListInParts, whole

__all__ = ["Headings", "Sentences", "SentencesInParts"]


@dataclass(frozen=True)
class Sentences:
    """The ids of sentences, in the order of the counts, and their documents, where known."""

    ids: tuple[str, ...]
    documents: tuple[str, ...] = ()

    @property
    def ids_in_parts(self) -> Iterator[Sequence[str]]:
        """The ids part by part, which is all at once unless they come in parts."""
        return iter([self.ids])

    @property
    def documents_in_parts(self) -> Iterator[Sequence[str]]:
        """The documents part by part, nothing where they are not known."""
        return iter([self.documents])

    def to_json(self) -> dict[str, list[str]]:
        """Return the ids, and the documents where they are known, as JSON has them."""
        lists: dict[str, list[str]] = whole(self.json_in_parts())
        return lists

    def json_in_parts(self) -> dict[str, ListInParts]:
        """Return the same in parts."""
        lists = {"sentences": ListInParts(lambda: self.ids_in_parts)}
        if any(self.documents_in_parts):
            lists["documents"] = ListInParts(lambda: self.documents_in_parts)
        return lists


class SentencesInParts(Sentences):
    """Sentences of files with some names, whose headings come in parts; a file alone has no name.

    They are put together when somebody asks for them.
    """

    def __init__(self, files: Sequence[tuple[str, Iterable[Headings]]]) -> None:
        self.__dict__["_files"] = files

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids as a whole."""
        return tuple(chain.from_iterable(self.ids_in_parts))

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The documents as a whole."""
        return tuple(chain.from_iterable(self.documents_in_parts))

    @property
    def ids_in_parts(self) -> Iterator[Sequence[str]]:
        """The ids part by part."""
        for file, headings in self.__dict__["_files"]:
            for each in headings:
                yield _in_file(file, each.ids[each.kept])

    @property
    def documents_in_parts(self) -> Iterator[Sequence[str]]:
        """The documents part by part; a file of several that names none is one."""
        for file, headings in self.__dict__["_files"]:
            named = documents_named(headings)
            if named is not None:
                for each, names in zip(headings, named, strict=True):
                    yield _in_file(file, compress(names, each.kept.tolist()))
            elif file:
                yield from ([file] * int(each.kept.sum()) for each in headings)


def _in_file(file: str, names: Iterable[str]) -> list[str]:
    return [f"{file}:{name}" for name in names] if file else list(names)


@dataclass(frozen=True, slots=True)
class Headings(Said):
    """What the sentences of a gold standard say about themselves, and which of them have counts.

    Documents are known by where they begin, and ids name documents only if all of them do. So the
    pieces of a gold standard are taken together, with the sentences that were left out.
    """

    kept: NDArray[np.bool_]

    @classmethod
    def of(cls, gold: Corpus, kept: Corpus) -> Self:
        """Return those of a gold standard of which some sentences were `kept`; it is numbered."""
        return cls(*said_by(gold), np.isin(gold.numbers, kept.numbers))
