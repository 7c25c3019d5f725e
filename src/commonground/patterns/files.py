"""Files searched for a pattern: of any size, in one process or many."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from commonground.corpus import Corpus
from commonground.engine import Jobs, engine_for
from commonground.formats.format import FormatOptions
from commonground.formats.registry import write
from commonground.formats.storage.files import STANDARD
from commonground.formats.storage.pieces import Piece, pieces_of
from commonground.patterns.occurrences import (
    Occurrences,
    OccurrencesTotal,
    PieceOccurrences,
    Query,
)

__all__ = ["search_files"]

SIZE = 1 << 21
"""About so many bytes are read at once: of more, the arrays leave larger gaps in memory."""

LARGE = 1 << 26
"""Of several files, those with fewer bytes are cut by the process that searches them.

Who cuts has to look at every byte: that is a third of the work, and no more than a few processes
can live on what one cuts.
"""

Task = tuple[int, str | Piece, int]
"""A file or a piece of it, the place of the file, and how many examples are still of use."""


def search_files(
    paths: Sequence[str | os.PathLike[str]],
    query: Query,
    *,
    save_as: str | None = None,
    format: str | None = None,
    jobs: Jobs = 1,
    watch: Callable[[int], None] = lambda _: None,
) -> Occurrences:
    """Search files piece by piece; the result does not depend on `jobs`.

    `save_as` names a file for the sentences that match, marked if the query says so. `watch` is
    told the number of sentences that are done.

    >>> search_files(["example:ud"], Query.of("V -[obj]-> N; N << V")).matches
    4
    """
    names = [os.fspath(path) for path in paths]
    # No other process can read the standard input of this one.
    engine = engine_for(1 if STANDARD in names else jobs)
    apart = engine.workers > 1 and len(names) > 1 and not query.marks
    total = OccurrencesTotal(query)

    def tasks() -> Iterator[Task]:
        for place, name in enumerate(names):
            if apart and _is_small(name):
                yield place, name, total.room
                continue
            for piece in pieces_of(name, format, SIZE, held=engine.workers == 1):
                yield place, piece, total.room

    def marked() -> Iterator[Corpus]:
        for part in engine.map(partial(_answer, query, format, SIZE), tasks()):
            total.add(part)
            watch(part.sentences)
            if part.marked is not None:
                yield part.marked

    if save_as is None:
        for _ in marked():
            pass
    else:
        write(marked(), save_as)
    return total.occurrences()


def _is_small(path: str) -> bool:
    """Tell whether a file is there, and not too large for one process."""
    try:
        return Path(path).stat().st_size < LARGE
    except OSError:  # an example, or no file: reading will tell
        return False


def _answer(query: Query, format: str | None, size: int, task: Task) -> PieceOccurrences:
    place, source, room = task
    if isinstance(source, Piece):
        corpus = source.read(FormatOptions(partial=True, parts=True, columns=query.columns))
        return query.answer(source.path, corpus, place=place, room=room)
    total = OccurrencesTotal(query)
    for piece in pieces_of(source, format, size, held=True):
        total.add(_answer(query, format, size, (place, piece, min(room, total.room))))
    return total.part()
