"""Verbs that change the trees of a treebank: IN, OUT, and what is done with each piece."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from commonground.cli.options import partial_option, source_and_target
from commonground.cli.output import progress
from commonground.errors import UsageError

if TYPE_CHECKING:
    from commonground.corpus import Corpus, Dependencies

__all__ = ["refuse_one_file", "rewrite", "rewriting_options"]

Function = TypeVar("Function", bound=Callable[..., Any])


def rewriting_options(function: Function) -> Function:
    """Add IN and OUT and the options about them; the verb gets them by name."""
    options = (*source_and_target, partial_option)
    return reduce(lambda f, option: option(f), reversed(options), function)


def refuse_one_file(target: str, output: str) -> None:
    """Refuse to write the trees and what was done with them to the same file."""
    if target != "-" and Path(target) == Path(output):
        raise UsageError(
            f"OUT and --report-file are both {target}; the trees and what was done need two files"
        )


def rewrite(
    change: Callable[[Iterable[Dependencies]], Iterable[Dependencies]],
    source: str,
    target: str,
    *,
    quiet: bool,
    target_format: str | None,
    **reading: Any,
) -> None:
    """Read dependencies, change them, and write them, piece by piece, with a progress bar.

    Standard output is CoNLL-U unless another format is named.
    """
    from commonground.corpus import Dependencies  # noqa: PLC0415  # not for --help
    from commonground.formats.convert import convert  # noqa: PLC0415
    from commonground.formats.files import shown  # noqa: PLC0415

    def dependencies(pieces: Iterable[Corpus]) -> Iterator[Dependencies]:
        for piece in pieces:
            if not isinstance(piece, Dependencies):
                raise UsageError(
                    f"{shown(source)} has {piece.kind}; only dependencies can be changed"
                )
            yield piece

    silent = quiet or (target == "-" and sys.stdout.isatty())
    with progress("sentences", quiet=silent) as advance:
        convert(
            source,
            target,
            target_format=target_format or ("conllu" if target == "-" else None),
            change=lambda pieces: change(dependencies(pieces)),
            watch=lambda piece: advance(len(piece)),
            **reading,
        )
