"""The parts of speech and the relations of the hub: those of Universal Dependencies, version 2."""

from __future__ import annotations

__all__ = ["RELATIONS", "TAGS"]

TAGS = tuple(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
)
"""The 17 parts of speech."""

RELATIONS = tuple(
    "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse "
    "dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis "
    "punct reparandum root vocative xcomp".split()
)
"""The 37 relations; labels may have subtypes (``nmod:poss``)."""
