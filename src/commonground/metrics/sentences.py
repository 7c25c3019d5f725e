"""Which sentences the counts of a system are about."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from commonground.corpus import Corpus
from commonground.corpus.documents import documents

__all__ = ["Sentences"]


@dataclass(frozen=True, slots=True)
class Sentences:
    """The ids of sentences, in the order of the counts, and their documents, where known."""

    ids: tuple[str, ...]
    documents: tuple[str, ...] = ()

    @classmethod
    def of(cls, gold: Corpus, left: int | None = None, skipped: Sequence[str] = ()) -> Sentences:
        """Return the sentences of a gold standard, without those that were `skipped`.

        Where so many are `left` as there were, none was taken out: what was skipped has no counts
        then, but a place. Ids and documents are those of the whole gold standard, where a sentence
        without an id is called by its number and documents are known by where they begin.

        >>> from commonground import read
        >>> Sentences.of(read("example:ud"), 63, ["cg-02"]).ids[:2]
        ('cg-01', 'cg-03')
        """
        ids = gold.sent_id.tolist()
        named = documents(gold)
        places = range(len(ids)) if left in (None, len(ids)) else _kept(ids, skipped)
        return cls(
            tuple(ids[place] for place in places),
            tuple(named[place] for place in places) if named is not None else (),
        )

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


def _kept(ids: Sequence[str], skipped: Sequence[str]) -> list[int]:
    """Return the places of the ids that were not skipped; `skipped` are in the order of the ids."""
    rest = deque(skipped)
    places = []
    for place, name in enumerate(ids):
        if rest and name == rest[0]:
            rest.popleft()
        else:
            places.append(place)
    return places
