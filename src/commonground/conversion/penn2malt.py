"""The labels of Penn2Malt for dependencies from Penn trees.

Let C be a phrase, H its head child and D another child. The arc from the head of H to the head of D
gets the first label that fits (Nivre & Scholz 2004; Nivre 2006, section 4.2):

    D is a punctuation mark                    P
    D has the function SBJ                     SUB
    D has the function PRD                     PRD
    C is VP, D is an NP without functions      OBJ
    C is VP, SQ or SINV, D is VP               VC
    C is SBAR, D is S                          SBAR
    C is VP, S, SQ, SINV or SBAR               VMOD
    C is NP, NAC, NX, NML or WHNP              NMOD
    C is ADJP, ADVP, QP, WHADJP, WHADVP, JJP   AMOD
    C is PP or WHPP                            PMOD
    anything else                              DEP

The word that heads the sentence is the ROOT. Subjects and objects are known under the names that
Universal Dependencies give them as well (``NP-nsubj``).

Head rules that know coordination (those of Collins) have two more labels, CC for a conjunction
after the head of its phrase, and COORD for the conjuncts that follow it.
"""

from __future__ import annotations

import numpy as np

from commonground.conversion.forest import Arcs, Forest, Items
from commonground.conversion.heads import PUNCTUATION, numbered
from commonground.corpus import Strings

__all__ = ["coordination_labels", "labels", "penn2malt_label"]

_SUBJECT = frozenset({"SBJ", "nsubj", "csubj"})
_OBJECT = frozenset({"OBJ", "obj", "iobj"})
_BY_PHRASE = {
    **dict.fromkeys(("VP", "S", "SQ", "SINV", "SBAR"), "VMOD"),
    **dict.fromkeys(("NP", "NAC", "NX", "NML", "WHNP"), "NMOD"),
    **dict.fromkeys(("ADJP", "ADVP", "QP", "WHADJP", "WHADVP", "JJP"), "AMOD"),
    **dict.fromkeys(("PP", "WHPP"), "PMOD"),
}


def penn2malt_label(phrase: str, dependent: str, function: str) -> str:  # noqa: PLR0911  # one per rule
    """Return the label of a child of a phrase, given its category and its functions.

    >>> penn2malt_label("S", "NP", "SBJ"), penn2malt_label("VP", "NP", "")
    ('SUB', 'OBJ')
    >>> penn2malt_label("VP", "NP", "TMP"), penn2malt_label("VP", "VP", "")
    ('VMOD', 'VC')
    """
    functions = {part.partition(":")[0] for part in function.split("-") if part}
    if dependent in PUNCTUATION:
        return "P"
    if functions & _SUBJECT:
        return "SUB"
    if "PRD" in functions:
        return "PRD"
    if phrase == "VP" and dependent == "NP" and functions <= _OBJECT:
        return "OBJ"
    if phrase in ("VP", "SQ", "SINV") and dependent == "VP":
        return "VC"
    if phrase == "SBAR" and dependent == "S":
        return "SBAR"
    return _BY_PHRASE.get(phrase, "DEP")


def labels(forest: Forest, arcs: Arcs) -> Strings:
    """Return the label of each word's arc, the empty string for traces."""
    item = np.maximum(arcs.item, 0)
    root = arcs.head == -1
    above = np.maximum(forest.parent[item], 0)
    categories, functions = forest.category.vocabulary, forest.function.vocabulary
    category = forest.category.codes.astype(np.int64)
    kind = (category[above] * len(categories) + category[item]) * len(functions)
    kinds, which = numbered(kind + forest.function.codes[item])
    texts = ["", "ROOT"]
    for number in kinds.tolist():
        pair, function = divmod(number, max(len(functions), 1))
        phrase, dependent = divmod(pair, max(len(categories), 1))
        texts.append(
            penn2malt_label(categories[phrase], categories[dependent], functions[function])
        )
    code = np.where(arcs.head == -2, 0, np.where(root, 1, which + 2))
    return Strings.of(texts)[code] if len(code) else Strings.of([])


def coordination_labels(forest: Forest, arcs: Arcs, head: Items, plain: Strings) -> Strings:
    """Return labels with CC and COORD for conjunctions and conjuncts that follow the head.

    A conjunct follows a conjunction, or it is of the head's category and stands before one.
    """
    children, category = forest.children, forest.category
    above = np.maximum(forest.parent, 0)
    place, top = children.place, children.place[np.maximum(head[above], 0)]
    inside = (forest.parent >= 0) & (head[above] >= 0) & (place > top)
    conjunction = category.where(("CC", "CONJP").__contains__) & inside
    mark = category.where(PUNCTUATION.__contains__)
    last = np.full(len(forest), -1, np.int64)
    items = np.flatnonzero(conjunction)
    np.maximum.at(last, forest.parent[items], place[items])
    before = children.order[np.maximum(children.start[above] + place - 1, 0)]
    alike = category.codes == category.codes[np.maximum(head[above], 0)]
    conjunct = inside & ~conjunction & ~mark & (last[above] >= 0)
    conjunct &= conjunction[before] | (alike & (place < last[above]))
    conjunction &= last[above] < children.count[above] - 1
    item = np.maximum(arcs.item, 0)
    texts = Strings.concatenate([plain, Strings.of(["CC", "COORD"])])
    codes = texts.codes[: len(plain)].copy()
    there = arcs.head >= 0
    codes[there & conjunction[item]] = texts.codes[-2]
    codes[there & conjunct[item]] = texts.codes[-1]
    return Strings(codes, texts.vocabulary)
