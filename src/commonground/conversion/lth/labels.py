"""The label of each arc, from functions, categories and the words around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.conversion.forest import ROOT, Arcs, Flags, Items, lexical_heads
from commonground.conversion.heads import numbered
from commonground.conversion.lth.conventions import LthConventions
from commonground.conversion.lth.draft import Draft
from commonground.conversion.lth.verbs import is_copula, is_going

__all__ = ["Context", "label_of", "labels", "root_labels"]

_MARKS = frozenset(", . : `` '' -LRB- -RRB- ( )".split())
_VERBAL = frozenset({"VP", "S", "SQ", "SINV", "SBAR"})
_NOMINAL = frozenset({"NP", "NAC", "NX", "WHNP", "NML"})
_ADJECTIVAL = frozenset({"ADJP", "ADVP", "WHADJP", "WHADVP", "JJP"})
_SENTENCES = {"S": "ROOT-S", "SINV": "ROOT-S", "SBARQ": "ROOT-SBARQ", "SQ": "ROOT-SQ"}


@dataclass(frozen=True, slots=True)
class Context:
    """What the label of an arc depends on: the item D that hangs, in the phrase C with the head H.

    `tag` is the tag of the word that heads D, `phrase` the category of C, `head` that of H,
    `head_tag` and `head_verb` (``copula``, ``going`` or nothing) are about the word that heads C.
    """

    function: str
    category: str
    tag: str
    phrase: str
    head: str
    head_tag: str
    head_verb: str = ""
    conjunct: bool = False
    after: bool = True
    word: bool = False


def label_of(arc: Context, conventions: LthConventions) -> str:  # noqa: PLR0911  # one per rule
    """Return the label of an arc; that of a conjunction is CC.

    >>> default = LthConventions()
    >>> label_of(Context("", "VP", "VB", "VP", "MD", "MD"), default)
    'VC'
    >>> label_of(Context("", "VP", "VB", "VP", "TO", "TO"), default)
    'IM'
    >>> label_of(Context("", "NNP", "NNP", "NP", "NNP", "NNP", word=True), default)
    'NAME'
    """
    if arc.function:
        return arc.function
    if arc.category in ("CC", "CONJP"):
        return "CC"
    if arc.tag in _MARKS:
        return "P"
    if arc.conjunct or arc.head in ("CC", "CONJP", ",", ":"):
        return "COORD"
    if arc.category == "VP" and arc.phrase in ("VP", "SQ", "SINV"):
        return "IM" if conventions.infinitive and arc.head_tag == "TO" else "VC"
    if arc.category == "S" and arc.head_verb:
        return "VC"
    if arc.phrase in _VERBAL:
        return _verbal(arc, conventions)
    if arc.phrase in _NOMINAL:
        return _nominal(arc)
    if arc.phrase in _ADJECTIVAL:
        return "AMOD"
    return "PMOD" if arc.phrase in ("PP", "WHPP") else "DEP"


def _verbal(arc: Context, conventions: LthConventions) -> str:  # noqa: PLR0911  # one per rule
    if not conventions.subordinator and arc.phrase == "SBAR" and _subordinator(arc):
        return "SUB"
    if arc.tag.startswith("RB") or arc.tag == "RP":
        return "ADV"
    if arc.head_verb == "copula" and arc.category in ("ADJP", "NP") and arc.after:
        return "PRD"
    if arc.tag == "TO" and not conventions.infinitive:
        return "IM"
    if conventions.relative and arc.head.startswith("W"):
        return "SUB"
    if conventions.subordinator and arc.head_tag in ("IN", "RB", "DT"):
        return "SUB"
    return "VMOD"


def _subordinator(arc: Context) -> bool:
    return arc.category == "PREP" or (arc.word and arc.tag in ("IN", "TO"))


def _nominal(arc: Context) -> str:
    if arc.tag == "POS":
        return "SUFFIX"
    if arc.word and arc.tag.startswith("NNP") and arc.head_tag.startswith("NNP"):
        return "NAME"
    return "NMOD"


def labels(draft: Draft, arcs: Arcs, coordination: Flags, conventions: LthConventions) -> list[str]:
    """Return the label of each word's arc, as precise as the treebank is; traces have ``""``."""
    forest = draft.forest
    lexical = lexical_heads(forest, draft.head)
    item = np.maximum(arcs.item, 0)
    above = np.maximum(draft.parent[item], 0)
    # A phrase of nothing but traces has no head: -1.
    inner, upper = draft.head[above], lexical[above]
    headed = upper >= 0
    verb = (is_copula(draft)[upper] * 1 + is_going(draft)[upper] * 2) * headed
    place = draft.children.place[item]
    flags = (coordination[above] & (place > 0)) * 4 + (upper < np.arange(draft.words)) * 2
    code = _combined(
        draft.function.codes[item],
        draft.category.codes[item],
        draft.category.codes[: draft.words],
        draft.category.codes[above],
        np.where(inner >= 0, draft.category.codes[inner], len(draft.category.vocabulary)),
        np.where(headed, draft.category.codes[upper], len(draft.category.vocabulary)),
        verb,
        flags + (item < draft.words),
    )
    distinct, which = numbered(code)
    sample = np.zeros(len(distinct), np.int64)
    sample[which] = np.arange(draft.words)
    category, function = draft.category, draft.function
    texts = []
    for word in sample.tolist():
        at, over = int(item[word]), int(above[word])
        context = Context(
            function[at],
            category[at],
            category[word],
            category[over],
            category[int(inner[word])] if inner[word] >= 0 else "",
            category[int(upper[word])] if headed[word] else "",
            ("", "copula", "going")[int(verb[word])],
            bool(flags[word] & 4),
            bool(flags[word] & 2),
            at < draft.words,
        )
        texts.append(label_of(context, conventions))
    return [texts[number] for number in which.tolist()]


def root_labels(draft: Draft, arcs: Arcs) -> dict[int, str]:
    """Return the label of each word that heads a sentence, by the kind of sentence."""
    labelled = {}
    for word in np.flatnonzero(arcs.head == -1).tolist():
        item = int(arcs.item[word])
        while item >= draft.words and draft.category[item] in (ROOT, "ROOT", "TOP", "S1"):
            item = int(draft.head[item])
        if draft.category[item] == "UCP":
            marks = draft.punctuation
            item = next((c for c in draft.children.of(item) if not marks[c]), item)
        labelled[word] = _SENTENCES.get(draft.category[item], "FRAG-ROOT")
    return labelled


def _combined(*columns: NDArray[np.integer]) -> Items:
    """Return one number per row, the same for rows that are equal in all columns."""
    code = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        code = numbered(code * (int(column.max(initial=0)) + 1) + column)[1]
    return code
