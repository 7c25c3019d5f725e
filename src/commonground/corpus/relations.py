"""Relations between words in columns: typed dependencies, grammatical relations, f-structures."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from commonground.corpus.corpus import Corpus, numbers_column, own_table, strings_column
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table

__all__ = ["Relations"]


class Relations(Corpus):
    """A bank of relations.

    ``nodes``: what relations hold between, a row each, in the order in which the relations mention
    them: its ``text`` as written, without its position, and ``first`` and ``last``, the words that
    it stands for (from 1, however the file counts; both 0 for the root, -1 where it stands for no
    word). Formats with more to say about a node add columns (``lemma``, ``tag``, ``number``,
    ``copy``).

    ``relations``: a row per relation in the order of the file: its ``label``, its ``head`` and its
    ``dependent`` (rows of ``nodes`` in the sentence, or -1 for none), its ``subtype`` (the further
    slot that some schemes have before the head, such as ``that`` in ``(cmod that a_1 b_2)``, or the
    type of the predicate) and its ``value`` (what follows, such as the initial function of a
    passive subject, or the atom that an f-structure feature has instead of a dependent); ``_`` is
    nothing.

    ``words``: the words of the sentence (``form``, ``tag``, ``lemma``) if the format has them;
    otherwise no rows. The positions of nodes count the words as the parser saw them, which differ
    if it tokenised the text differently.
    """

    __slots__ = ()

    kind: ClassVar[str] = "relations"
    required: ClassVar[dict[str, tuple[str, ...]]] = {
        "words": ("form", "tag", "lemma"),
        "nodes": ("text", "first", "last"),
        "relations": ("label", "head", "dependent", "subtype", "value"),
    }

    words = own_table("A row per word, if the format has words.")
    nodes = own_table("A row per node.")
    relations = own_table("A row per relation.")
    form = strings_column("words", "The words, if the format has them.")
    label = strings_column("relations", "The label of each relation.")
    head = numbers_column("relations", "The head of each relation: a node of its sentence, or -1.")
    dependent = numbers_column("relations", "The dependent: a node of its sentence, or -1.")

    @classmethod
    def completed(cls, tables: dict[str, Table]) -> dict[str, Table]:
        """Return the tables with the words and the columns added that a format does not have."""
        relations = tables["relations"]
        empty = Table(np.zeros(relations.sentences + 1, np.int64), form=Strings.of([]))
        words = tables.get("words", empty)
        no_word, nothing = Strings.constant("_", words.rows), Strings.constant("_", relations.rows)
        return {
            **tables,
            "words": words.completed(tag=no_word, lemma=no_word),
            "relations": relations.completed(subtype=nothing, value=nothing),
        }
