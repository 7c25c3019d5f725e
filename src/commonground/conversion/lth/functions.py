"""Functions that the Penn Treebank leaves to be understood: objects, adverbials and others."""

from __future__ import annotations

import numpy as np

from commonground.conversion.forest import Flags, lexical_heads
from commonground.conversion.lth.draft import Draft
from commonground.conversion.lth.verbs import is_copula, is_going

__all__ = ["clean_functions", "infer_functions"]

_STRUCTURAL = ("HLN", "TTL", "NOM", "TPC", "UNF", "ETC", "IMP")
_CLAUSES = ("VP", "S", "SINV", "SQ", "SBARQ", "FRAG")
_NO_COMPLEMENT = ("as", "with", "for", "since", "because")


def clean_functions(draft: Draft, *, keep_closely_related: bool) -> None:
    """Take away the tags that say nothing about what a phrase does in its clause.

    CLR, which says that a phrase is closely related to its verb, is one more where clauses that
    belong to a verb have a label of their own (OPRD).
    """
    for function in _STRUCTURAL if keep_closely_related else (*_STRUCTURAL, "CLR"):
        draft.take_away(function)


def infer_functions(draft: Draft, *, indirect: str, extraposed: str) -> None:
    """Give functions to phrases that have none; the heads must be known.

    `indirect` and `extraposed` are the labels of the first of two objects, and of a clause that
    stands for an expletive.
    """
    above = np.maximum(draft.parent, 0)
    draft.give(draft.is_a("NP") & draft.has("BNF"), "")
    draft.give(draft.is_a("UCP")[above] & (draft.parent >= 0), "")
    draft.give([target for kind, _, target in draft.links if kind == "*EXP*"], extraposed)
    _objects(draft, indirect)
    for category in ("PRN", "PRT"):
        draft.give(draft.is_a(category) & draft.has("") & draft.phrase, category)
    logical = draft.has("LGS") & draft.phrase
    passive = draft.any_child(logical) & draft.has("") & draft.phrase & (draft.parent >= 0)
    draft.give(logical & passive[above], "")
    draft.give(passive, "LGS")
    moved = np.zeros(len(above), np.bool_)
    moved[[target for _, _, target in draft.links]] = True
    adverbial = draft.is_a("PP", "ADVP", "SBAR") & draft.phrase & draft.has("") & ~moved
    draft.give(adverbial & draft.is_a(*_CLAUSES)[above], "ADV")


def _objects(draft: Draft, indirect: str) -> None:
    """Give the objects of verbs their functions.

    One object is the OBJ. Of several, the first one is the indirect object if it is a noun phrase;
    if it is none, only noun phrases are objects beside it.
    """
    lexical = lexical_heads(draft.forest, draft.head)
    above = np.maximum(draft.parent, 0)
    verb = lexical[above]
    under_verb = draft.is_a("VP")[above] & (verb >= 0)
    under_verb &= ~is_copula(draft)[verb] & ~is_going(draft)[verb]
    candidate = _potential(draft) & under_verb & (draft.parent >= 0)
    place = draft.children.place
    first = place == draft.first_place(candidate)[above]
    several = (draft.count_children(candidate) > 1)[above]
    nominal = draft.is_a("NP")
    shifted = draft.any_child(candidate & first & nominal)[above] & several
    draft.give(candidate, "OBJ")
    draft.give(candidate & first & shifted, indirect)
    draft.give(candidate & ~first & ~shifted & ~nominal, "ADV")


def _potential(draft: Draft) -> Flags:
    """Tell which phrases can be objects where they have no function."""
    phrase = draft.phrase
    bare = phrase & draft.has("")
    bare[[target for kind, _, target in draft.links if kind in ("*ICH*", "*EXP*", "*RNR*")]] = False
    noun = draft.is_a("NP", "S", "SQ", "SINV", "SBARQ")
    children = draft.children
    first_word = np.maximum(draft.first_word, 0)
    begins = np.zeros(draft.words, np.bool_)
    begins[draft.corpus.words.offsets[:-1]] = True
    before, follows = np.maximum(first_word - 1, 0), ~begins[first_word]
    quoted = draft.is_a("``")[before] & follows
    only = np.zeros(len(phrase), np.int64)
    parents = np.flatnonzero(children.count)
    only[parents] = children.first(parents)
    linked = np.zeros(len(phrase), np.bool_)
    linked[[trace for _, trace, _ in draft.links]] = True
    question = draft.category.where(lambda name: name.startswith("W"))
    verbal = draft.category.where(lambda name: name.startswith("VB"))
    fragment = (children.count == 1) & (linked | question)[only]
    return bare & (
        noun
        | (draft.is_a("UCP") & draft.any_child(bare & noun))
        | (draft.is_a("INTJ") & (quoted | (verbal[before] & follows)))
        | (draft.is_a("FRAG") & (fragment | quoted))
        | (draft.is_a("SBAR") & ~draft.reads(*_NO_COMPLEMENT)[first_word] & ~_result(draft))
    )


def _result(draft: Draft) -> Flags:
    """Tell which clauses belong to a *so* beside them: *so old that it fell*."""
    first_word = np.maximum(draft.first_word, 0)
    above = np.maximum(draft.parent, 0)
    so = draft.is_a("ADVP") & draft.reads("so")[first_word] & draft.has("", "CLR")
    that = draft.reads("that")[first_word] | draft.is_a("-NONE-")[first_word]
    return that & draft.any_child(so)[above]
