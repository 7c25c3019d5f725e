"""Word alignment: which words of a sentence and of its translation belong together.

:func:`align` links the words of sentence pairs with a hidden Markov model of our own, which needs
nothing but the text, with eflomal, where that is installed, or by the vectors of an encoder.
"""

from commonground.alignment.aligner import ALIGNERS, AlignedBitext, align
from commonground.alignment.bitext import Bitext, read_bitext, read_links, read_words
from commonground.alignment.choice import chosen_settings
from commonground.alignment.embeddings import EmbeddingSettings
from commonground.alignment.model import AlignerSettings, AlignmentModel, read_model
from commonground.alignment.symmetrisation import WAYS, symmetrise

__all__ = [
    "ALIGNERS",
    "WAYS",
    "AlignedBitext",
    "AlignerSettings",
    "AlignmentModel",
    "Bitext",
    "EmbeddingSettings",
    "align",
    "chosen_settings",
    "read_bitext",
    "read_links",
    "read_model",
    "read_words",
    "symmetrise",
]
