"""Word alignments of sentence pairs in columns."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.corpus import Corpus, numbers_column, own_table
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table

__all__ = ["Alignments"]


class Alignments(Corpus):
    """Word alignments.

    ``links``: a row per link between the words ``source`` and ``target`` of a sentence pair,
    counted from 0; ``sure`` is 1, or 0 for a link that is only possible. ``probability`` is there
    if the aligner or the file tells how probable links are.

    ``source_words`` and ``target_words``: the words (``form``), if the format has them.
    """

    __slots__ = ()

    kind: ClassVar[str] = "alignments"
    main: ClassVar[str] = "links"
    required: ClassVar[dict[str, tuple[str, ...]]] = {
        "links": ("source", "target", "sure"),
        "source_words": ("form",),
        "target_words": ("form",),
    }

    links = own_table("A row per link.")
    source = numbers_column("links", "The source word of each link, from 0.")
    target = numbers_column("links", "The target word of each link, from 0.")

    @property
    def probability(self) -> NDArray[np.float64] | None:
        """How probable each link is, from 0 to 1; None where nothing tells it.

        Links without it that were joined to others have -1 in the column, and are taken as sure.
        """
        column = self.links.columns.get("probability")
        return None if column is None else np.abs(np.asarray(column, np.float64))

    @classmethod
    def completed(cls, tables: dict[str, Table]) -> dict[str, Table]:
        """Return the tables with words and the sureness of links added where they are absent."""
        links = tables["links"]
        nothing = Table(np.zeros(links.sentences + 1, np.int64), form=Strings.of([]))
        return {
            "source_words": nothing,
            "target_words": nothing,
            **tables,
            "links": links.completed(sure=np.ones(links.rows, np.int32)),
        }
