"""The parts of speech and the relations of the hub: those of Universal Dependencies, version 2."""

from __future__ import annotations

import numpy as np

from commonground.corpus import Dependencies

__all__ = [
    "NEAREST",
    "PARTS",
    "RELATIONS",
    "SUBTYPES",
    "TAGS",
    "are_mostly_relations",
    "relations_among",
]

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

_DOCUMENTED = {
    "acl": (
        "adv attr cleft cmp cont crel dpct fixed inf nmlz pred ptcp relat relcl subj tmod tonp"
    ),
    "advcl": (
        "abs advers caus ccomp cleft cmp cntf compar concess cond consec conv coord "
        "coverb dpct emph fin lcl manner objective pred purp quote relcl seq sim speech "
        "svc tcl"
    ),
    "advmod": (
        "adj arg cmp cop deg det df dir emph fixed lmod loc locy mode neg nmlz obl q "
        "que tfrom tlocy tmod to tto verb"
    ),
    "amod": "att attlvc cmp flat nmlz",
    "appos": "nmod trans",
    "aux": (
        "aff aspect caus clitic cnd ex exhort fut hab imp neg opt part pass perf pot q sub tense"
    ),
    "case": "acc adv aff det gen loc pred sim voc",
    "cc": "nc preconj",
    "ccomp": "cleft iobj lo obj obl pmod poss pred purp quote rel relcl reported ro speech",
    "clf": "det",
    "compound": (
        "a adj affix amod apr atov coord dir ext idiom lvc name nn pred preverb pron "
        "prt quant redup smixut svc verbnoun vmod vo vsc vv z"
    ),
    "conj": "expl extend q redup svc",
    "cop": "emph expl locat outer own",
    "csubj": "asubj caus cleft cop outer pass pred quote relcl reported vsubj",
    "dep": ("aff agr alt ana aux comp conj cop der emo flat infl mark mod pos redup repeat ss"),
    "det": "adj clf nmlz noun numgov nummod pmod poss predet pron rel",
    "discourse": "conn emo enunc filler intj participant q sp",
    "dislocated": "advcl agent ccomp cleft csubj mod nsubj obj obl subj vo",
    "expl": "comp impers pass poss pv rel subj",
    "flat": (
        "abs date dist foreign frac goeswith gov name num number range redup reparandum "
        "repeat sibl time title vv"
    ),
    "iobj": "agent appl cs instrument lo patient po poss ro",
    "mark": "adv advmod aff int pcomp plur prt q rel sim",
    "nmod": (
        "agent appos arg att attlvc attr bahuv cau cmp comp desc det flat gen gobj gov "
        "gsubj iobj lmod name nisba nmlz npmod obj obl part poss pre pred prp quote "
        "redup relat spec subj tmod unmarked"
    ),
    "nsubj": (
        "advmod aff agent bfoc caus cleft contrast cop expl ifoc instrument lfoc lvc nc "
        "nn obj outer pass patient periph pred situation xsubj"
    ),
    "nummod": "det entity flat gov",
    "obj": "advmod advneg agent appl cau caus infx instrument lvc obl patient periph",
    "obl": (
        "about adj adv agent appl arg benef cau cmp cmpr comp dat depict final float "
        "goal grad inst instr iobj lmod lvc manner mod nisba npmod obj orphan own path "
        "patient pmod poss prep pronmod sentcon smod soc source subj tmod unmarked verb "
        "with"
    ),
    "orphan": "missing nsubjobj nsubjobl objobl",
    "parataxis": (
        "appos conj deletion discourse dislocated hashtag insert mod newsent nsubj obj "
        "parenth quoter rel rep reporting restart rt sentence shared speaker speech "
        "trans url"
    ),
    "vocative": "cl mention",
    "xcomp": "adj advmod cleft desid dir ds lo obj pred relcl result subj vcomp",
}

SUBTYPES = {label: frozenset(text.split()) for label, text in _DOCUMENTED.items()}
"""The subtypes that the documentation of Universal Dependencies has for one language at least.

They were read off universaldependencies.org in 2026.
"""


def are_mostly_relations(corpus: Dependencies) -> bool:
    """Tell whether at least half of the labels of trees are those of UD.

    >>> from commonground.formats import read
    >>> are_mostly_relations(read("example:ud"))
    True
    """
    known, labels = relations_among(corpus)
    return 2 * known >= labels


def relations_among(corpus: Dependencies) -> tuple[int, int]:
    """Return how many labels of trees are those of UD, and how many labels there are.

    >>> relations_among(Dependencies.of([(["So", "what"], [2, 0], ["advmod:emph", "HED"])]))
    (1, 2)
    """
    counts = np.bincount(corpus.deprel.codes, minlength=corpus.deprel.distinct).tolist()
    known = labels = 0
    for label, count in zip(corpus.deprel.vocabulary, counts, strict=True):
        labels += count if label != "_" else 0
        known += count if label.partition(":")[0] in RELATIONS else 0
    return known, labels
