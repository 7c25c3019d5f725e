"""Treebanks as columns: dependencies, constituents, relations, graphs, word alignments."""

from commonground.corpus.alignments import Alignments
from commonground.corpus.constituents import Constituents
from commonground.corpus.corpus import Corpus, Sentence
from commonground.corpus.dependencies import Dependencies
from commonground.corpus.functions import Functions
from commonground.corpus.graphs import Graphs
from commonground.corpus.relations import Relations
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table

__all__ = [
    "Alignments",
    "Constituents",
    "Corpus",
    "Dependencies",
    "Functions",
    "Graphs",
    "Relations",
    "Sentence",
    "Strings",
    "Table",
]
