"""A file of dependencies in, changed ones out, piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from commonground.corpus import Corpus, Dependencies
from commonground.errors import UsageError
from commonground.formats.convert import convert
from commonground.formats.storage.files import STANDARD, shown

__all__ = ["Change", "rewrite_file"]

Change = Callable[[Iterable[Dependencies]], Iterable[Dependencies]]
"""What is done with the pieces of a file."""


def rewrite_file(
    change: Change,
    source: str,
    target: str,
    *,
    target_format: str | None = None,
    watch: Callable[[int], None] = lambda _: None,
    **reading: Any,
) -> None:
    """Read dependencies, change them, and write them; `watch` is told the sentences of each piece.

    Standard output is CoNLL-U unless another format is named.
    """

    def dependencies(pieces: Iterable[Corpus]) -> Iterator[Dependencies]:
        for piece in pieces:
            if not isinstance(piece, Dependencies):
                raise UsageError(
                    f"{shown(source)} has {piece.kind}; only dependencies can be changed"
                )
            yield piece

    convert(
        source,
        target,
        target_format=target_format or ("conllu" if target == STANDARD else None),
        change=lambda pieces: change(dependencies(pieces)),
        watch=lambda piece: watch(len(piece)),
        **reading,
    )
