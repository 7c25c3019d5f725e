"""Treebanks as columns: dependencies, constituents, relations, word alignments."""

from commonground.corpus.alignments import Alignments
from commonground.corpus.constituents import Constituents
from commonground.corpus.corpus import Corpus, Sentence
from commonground.corpus.dependencies import Dependencies
from commonground.corpus.functions import Functions
from commonground.corpus.relations import Relations
from commonground.corpus.strings import Strings
from commonground.corpus.table import Table

__all__ = [
    "Alignments",
    "Constituents",
    "Corpus",
    "Dependencies",
    "Functions",
    "Relations",
    "Sentence",
    "Strings",
    "Table",
]
