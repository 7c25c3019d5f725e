"""The texts of the sentences of gold standards, for tables that name sentences by their ids."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.evaluation.pairs import Pair
from commonground.evaluation.read_options import ReadOptions
from commonground.formats import read
from commonground.formats.storage.files import STANDARD

__all__ = ["sentence_texts"]


def sentence_texts(pairs: Sequence[Pair], reading: ReadOptions) -> dict[str, str]:
    """Return the texts of the gold standards of pairs of files, by the ids that results have.

    Standard input is not there a second time.

    >>> sentence_texts([Pair("example:ud", "example:ud-parse", "mine")], ReadOptions())["cg-04"]
    'The tide having turned, the fishermen rowed toward the harbor.'
    """
    golds = {pair.gold: pair.name for pair in pairs if pair.gold != STANDARD}
    return {
        f"{name}:{sentence.sent_id}" if name else sentence.sent_id: sentence.text
        for path, name in golds.items()
        for sentence in read(path, reading.format, partial=reading.partial)
    }
