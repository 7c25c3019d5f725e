"""Constituents from dependency trees, for those who must have brackets.

The projection of Collins, Hajič, Ramshaw & Tillmann (1999): a word that has dependents heads one
flat phrase, which holds the word itself and whatever each dependent heads, in the order of the
words; a word without dependents is nothing but itself. The category of a phrase follows from the
part of speech of its head (NOUN: NP, VERB: VP, …), its edge label is the label of the head's arc,
and the whole sentence is an S. So there are as few brackets as the dependencies allow.

Brackets have no gaps. An arc that crosses others is lifted until it does not
(:mod:`commonground.schemes.projectivity`), which is counted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents, Dependencies, Strings, Table
from commonground.corpus.arrange import TreeError, canonical
from commonground.corpus.table import offsets_of
from commonground.errors import InputError, UsageError
from commonground.schemes.projectivity import BASELINE, Moves, projectivize
from commonground.schemes.tags import universal_tag

__all__ = ["category", "to_constituents"]

_CATEGORIES = {
    "ADJ": "ADJP",
    "ADP": "PP",
    "ADV": "ADVP",
    "AUX": "VP",
    "INTJ": "INTJ",
    "NOUN": "NP",
    "NUM": "NP",
    "PRON": "NP",
    "PROPN": "NP",
    "SYM": "NP",
    "DET": "NP",
    "SCONJ": "SBAR",
    "VERB": "VP",
}


def category(tag: str) -> str:
    """Return the category of a phrase whose head has this part of speech.

    >>> category("NOUN"), category("ADP"), category("PUNCT")
    ('NP', 'PP', 'X')
    """
    return _CATEGORIES.get(tag, "X")


def to_constituents(corpus: Dependencies) -> tuple[Constituents, Moves]:
    """Return the projection of dependency trees, and how many arcs had to be lifted for it.

    >>> trees = Dependencies.of([(["The", "cat", "sleeps"], [2, 3, 0], ["det", "nsubj", "root"])])
    >>> tags = Strings.of(["DET", "NOUN", "VERB"])
    >>> brackets, moves = to_constituents(trees.replace("words", upos=tags))
    >>> brackets.label.tolist(), brackets.nodes.strings("edge").tolist(), moves.arcs
    (['S', 'NP'], ['_', 'nsubj'], 0)
    """
    if (corpus.head < 0).any():
        raise UsageError("a word without a head cannot head a phrase; complete trees are needed")
    flat, moves = projectivize(corpus, BASELINE)
    words = flat.words
    start = np.repeat(words.offsets[:-1], words.lengths)
    head = np.where(flat.head > 0, flat.head - 1 + start, -1)
    heads = np.zeros(words.rows, np.bool_)
    heads[head[head >= 0]] = True
    phrase = heads | (head < 0)
    sentence = words.sentence_of_row()
    offsets = offsets_of(np.bincount(sentence[phrase], minlength=len(corpus)))
    number = np.cumsum(phrase) - 1 - offsets[sentence]
    above = np.where(head < 0, -1, number[np.maximum(head, 0)])
    tags = _tags(flat)
    top = head[phrase] < 0
    nodes = Table(
        offsets,
        label=_except_at(top, "S", tags[phrase].map(category)),
        edge=_except_at(top, "_", flat.deprel[phrase]),
        parent=above[phrase].astype(np.int32),
    )
    terminals = Table(
        words.offsets,
        form=flat.form,
        tag=Strings.of(
            universal if own == "_" else own
            for own, universal in zip(flat.xpos.tolist(), flat.upos.tolist(), strict=True)
        ),
        lemma=flat.lemma,
        parent=np.where(phrase, number, above).astype(np.int32),
    )
    try:
        tables = canonical({"words": terminals, "nodes": nodes})
    except TreeError as error:
        place = int(nodes.sentence_of_row()[min(error.circular)])
        message = f"sentence {flat.sent_id[place]} has a cycle; trees are needed"
        path = corpus.tables["origin"].strings("path")[place]
        raise InputError(path, int(corpus.lines[place]), message) from error
    for name in ("sentences", "origin"):
        tables[name] = corpus.tables[name]
    return Constituents(tables), moves


def _except_at(top: NDArray[np.bool_], text: str, column: Strings) -> Strings:
    """Return a column of texts that has this `text` in the rows of nodes at the `top`."""
    pairs = zip(top.tolist(), column.tolist(), strict=True)
    return Strings.of(text if is_top else own for is_top, own in pairs)


def _tags(corpus: Dependencies) -> Strings:
    """Return the universal parts of speech, from the treebank's own tags where there are none."""
    upos = corpus.upos.tolist()
    if "_" not in upos:
        return corpus.upos
    own = corpus.xpos.map(universal_tag).tolist()
    return Strings.of(o if u == "_" else u for u, o in zip(upos, own, strict=True))
