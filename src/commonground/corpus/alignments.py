"""Word alignments of sentence pairs in columns."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from commonground.corpus.corpus import Corpus, numbers_column, own_table
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table

__all__ = ["Alignments"]


class Alignments(Corpus):
    """Word alignments.

    ``links``: a row per link between the words ``source`` and ``target`` of a sentence pair,
    counted from 0; ``sure`` is 1, or 0 for a link that is only possible.

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
