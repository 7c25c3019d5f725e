"""The parts of speech and the relations of the hub: those of Universal Dependencies, version 2."""

from __future__ import annotations

__all__ = ["NEAREST", "PARTS", "RELATIONS", "TAGS"]

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

NEAREST = {
    "acl": "nmod",
    "advcl": "obl",
    "advmod": "obl",
    "amod": "nmod",
    "appos": "nmod",
    "aux": "dep",
    "case": "dep",
    "cc": "dep",
    "ccomp": "obj",
    "clf": "nummod",
    "compound": "nmod",
    "conj": "dep",
    "cop": "aux",
    "csubj": "nsubj",
    "det": "nmod",
    "discourse": "advmod",
    "dislocated": "parataxis",
    "expl": "nsubj",
    "iobj": "obj",
    "list": "parataxis",
    "mark": "case",
    "nmod": "dep",
    "nsubj": "dep",
    "nummod": "amod",
    "obj": "dep",
    "obl": "nmod",
    "orphan": "dep",
    "parataxis": "dep",
    "punct": "dep",
    "reparandum": "parataxis",
    "root": "dep",
    "vocative": "discourse",
    "xcomp": "ccomp",
}
"""The relation that comes nearest to one that a scheme has no label for."""

PARTS = ("flat", "fixed", "goeswith")
"""Relations between the parts of one expression; where a scheme has no label, they keep theirs."""
