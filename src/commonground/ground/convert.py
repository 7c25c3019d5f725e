"""From one format to another, to function trees as well."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection

from commonground.corpus import Alignments, Corpus, Functions
from commonground.formats import convert as between_formats
from commonground.ground.dependencies import HEAD
from commonground.ground.functions import functions_of

__all__ = ["convert"]


def convert(  # options, by name
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    partial: bool = False,
    enhanced: bool = False,
    head: str = HEAD,
    functions: Collection[str] | None = None,
    watch: Callable[[Corpus], None] = lambda _: None,
) -> None:
    """Read a treebank from one file and write it to another in another format.

    The content of `source` and the suffix of `target` tell the formats that are not named. Formats
    that hold the same kind of corpus can be converted into each other. Dependencies can be written
    as relations, and everything but alignments as function trees, with `enhanced` those of the
    enhanced graph; `head` and `functions` are as in :func:`commonground.functions_of`. `watch` is
    called with each piece after it was read.
    """

    def function_trees(piece: Corpus) -> Functions | None:
        if isinstance(piece, Alignments):
            return None
        return functions_of(piece, head=head, functions=functions, enhanced=enhanced)

    between_formats.convert(
        source,
        target,
        source_format=source_format,
        target_format=target_format,
        partial=partial,
        enhanced=enhanced,
        watch=watch,
        ways={Functions: function_trees},
    )
