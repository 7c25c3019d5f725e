"""Constituent trees in columns, continuous or not, with functions, traces and secondary edges."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from commonground.corpus.corpus import Corpus, numbers_column, own_table, strings_column
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table

__all__ = ["NODE_COLUMNS", "WORD_COLUMNS", "Constituents"]

WORD_COLUMNS = ("form", "tag", "lemma", "feats", "edge", "parent")
NODE_COLUMNS = ("label", "feats", "edge", "parent")


class Constituents(Corpus):
    """A constituency treebank.

    ``words``: a row per terminal, traces (tag ``-NONE-``) included: ``form``, ``tag`` (the label of
    the preterminal as the file has it, with its function tags; the empty string where the word
    stands in its phrase without one), ``lemma``, ``feats``, ``edge`` (the label of the edge to the
    parent, ``_`` where the format has none) and ``parent``, a row of ``nodes`` counted from the
    first node of the sentence, or -1 at the top.

    ``nodes``: a row per phrase: ``label`` as the file has it (``NP-SBJ-1``), ``feats``, ``edge``
    and ``parent``, a row of ``nodes`` in the sentence or -1 at the top. The order is canonical: a
    parent stands before its children, and siblings stand in the order of their first words. Every
    node has at least one word below it. So the two columns ``parent`` are the whole tree, whether
    its yields are continuous or not, and equal trees have equal columns.

    ``secondary``: a row per secondary edge, from the node ``parent`` to the word ``word`` or the
    node ``node`` (the other one of the two is -1), with its ``label``.
    """

    __slots__ = ()

    kind: ClassVar[str] = "constituents"
    required: ClassVar[dict[str, tuple[str, ...]]] = {
        "words": WORD_COLUMNS,
        "nodes": NODE_COLUMNS,
        "secondary": ("parent", "word", "node", "label"),
    }

    words = own_table("A row per terminal, traces included.")
    nodes = own_table("A row per phrase.")
    secondary = own_table("A row per secondary edge.")
    form = strings_column("words", "The words.")
    tag = strings_column("words", "The tags, as the file has them.")
    label = strings_column("nodes", "The labels of the phrases, as the file has them.")
    parent = numbers_column("nodes", "The parent of each phrase in its sentence, -1 at the top.")

    @classmethod
    def completed(cls, tables: dict[str, Table]) -> dict[str, Table]:
        """Return the tables with the columns and secondary edges added that a format has not."""
        words, nodes = tables["words"], tables["nodes"]
        no_word, no_node = Strings.constant("_", words.rows), Strings.constant("_", nodes.rows)
        none, number = np.zeros(words.sentences + 1, np.int64), np.empty(0, np.int32)
        edges = Table(none, parent=number, word=number, node=number, label=Strings.of([]))
        return {
            "secondary": edges,
            **tables,
            "words": words.completed(lemma=no_word, feats=no_word, edge=no_word),
            "nodes": nodes.completed(feats=no_node, edge=no_node),
        }

    @property
    def traces(self) -> NDArray[np.bool_]:
        """Which terminals are traces and not words of the text."""
        return self.words.strings("tag").where(lambda tag: tag == "-NONE-")
