"""Word alignments of sentence pairs in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.corpus import Corpus, numbers_column
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table

__all__ = ["Alignments"]


class Alignments(Corpus):
    """Word alignments.

    ``links``: a row per link between the words ``source`` and ``target`` of a sentence pair,
    counted from 0; ``sure`` is 1, or 0 for a link that is only possible.

    ``source_words`` and ``target_words``: the words (``form``), where the format tells them.
    """

    __slots__ = ()

    kind: ClassVar[str] = "alignments"
    main: ClassVar[str] = "links"
    required: ClassVar[dict[str, tuple[str, ...]]] = {
        "links": ("source", "target", "sure"),
        "source_words": ("form",),
        "target_words": ("form",),
    }

    source = numbers_column("links", "The source word of each link, from 0.")
    target = numbers_column("links", "The target word of each link, from 0.")

    def __init__(
        self,
        tables: dict[str, Table],
        *,
        comments: Sequence[str] | None = None,
        path: str = "<memory>",
        lines: NDArray[np.integer] | None = None,
    ) -> None:
        """Make alignments of their links; tables and columns that are absent are added."""
        links = tables["links"]
        nothing = Table(np.zeros(links.sentences + 1, np.int64), form=Strings.of([]))
        sure = np.ones(links.rows, np.int32)
        super().__init__(
            {
                "source_words": nothing,
                "target_words": nothing,
                **tables,
                "links": Table(links.offsets, **{"sure": sure, **links.columns}),
            },
            comments=comments,
            path=path,
            lines=lines,
        )

    @property
    def links(self) -> Table:
        """A row per link."""
        return self.tables["links"]
