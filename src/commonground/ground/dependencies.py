"""Dependency trees as function trees.

Every word gives a node over its subtree, labelled with its incoming arc; a word with dependents
gives also a node over itself alone, for the head: labelled ``hd`` (Tsarfaty et al. 2012) or with
the wildcard ``*`` (2011). An arc without a label (``_``) and a word without a head give a node
without labels (2012, §3.2: what has no specification shares nothing).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Functions, Strings, Table
from commonground.corpus.arrange import TreeError, extents
from commonground.corpus.functions import canonical
from commonground.corpus.strings import Vocabulary
from commonground.errors import InputError
from commonground.ground.yields import yields_of
from commonground.kernels import load

__all__ = ["HEAD", "WILDCARD", "dependency_functions", "labels_of_arcs"]

Numbers = NDArray[np.int64]

HEAD, WILDCARD = "hd", "*"


def dependency_functions(
    corpus: Dependencies, head: str = HEAD, labels: tuple[Strings, Strings] | None = None
) -> Functions:
    """Return the function trees of dependency trees.

    Instead of the labels of the arcs and of `head`, there can be other `labels`, for the subtree of
    each word and for each word by itself.

    >>> loves = Dependencies.of([(["John", "loves", "Mary"], [2, 0, 2], ["sbj", "root", "obj"])])
    >>> tree = dependency_functions(loves)
    >>> list(zip(tree.yields, tree.label))
    [('1-3', 'root'), ('1', 'sbj'), ('2', 'hd'), ('3', 'obj')]
    """
    words = corpus.words
    place = words.row_in_sentence()
    own = Table(words.offsets, parent=place.astype(np.int32))
    above = Table(words.offsets, parent=np.maximum(corpus.head, 0) - 1)
    try:
        spans = extents(own, above)
    except TreeError as error:
        raise _no_tree(corpus, int(error.circular[0])) from error
    broken = np.flatnonzero(~spans.continuous)
    phrase = yields_of(spans.first + 1, spans.last + 1, _scattered(corpus, broken))
    heads = np.flatnonzero(spans.words > 1)
    word = yields_of(place[heads] + 1, place[heads] + 1, {})
    if labels is None:
        arcs, alone = labels_of_arcs(corpus), Strings.constant(head, len(heads))
    else:
        arcs, alone = labels[0], labels[1][heads]
    rows = np.concatenate([np.arange(words.rows), heads])
    order = np.argsort(rows, kind="stable")
    nodes = Table(
        words.offsets + np.concatenate([[0], np.cumsum(spans.words > 1)])[words.offsets],
        yields=Strings.concatenate([phrase, word])[order],
        label=Strings.concatenate([arcs, alone])[order],
    )
    extent = (
        np.concatenate([spans.first, place[heads]])[order] + 1,
        np.concatenate([spans.words, np.ones(len(heads), np.int64)])[order],
    )
    forms = Table(words.offsets, form=corpus.form)
    return Functions(
        {
            "words": forms,
            "nodes": canonical(nodes, extent),
            "sentences": corpus.tables["sentences"],
            "origin": corpus.tables["origin"],
        }
    )


def labels_of_arcs(corpus: Dependencies) -> Strings:
    """Return the labels of the arcs, the empty string where there is no label or no arc."""
    labels = corpus.deprel.map(lambda text: "" if text == "_" else text)
    missing = corpus.head < 0
    if not missing.any():
        return labels
    vocabulary = Vocabulary()
    codes = labels.codes_in(vocabulary)
    return Strings(np.where(missing, vocabulary[""], codes).astype(np.int32), tuple(vocabulary))


def _scattered(corpus: Dependencies, broken: Numbers) -> dict[int, str]:
    """Return the yields of the subtrees that are not continuous."""
    if not len(broken):
        return {}
    texts = load("subtrees").yield_texts(corpus.offsets, corpus.head, broken)
    return dict(zip(broken.tolist(), texts, strict=True))


def _no_tree(corpus: Dependencies, row: int) -> InputError:
    sentence = int(np.searchsorted(corpus.offsets, row, side="right")) - 1
    path = corpus.tables["origin"].strings("path")[sentence]
    line = int(corpus.lines_of_words()[row])
    return InputError(path, line, "this word is on a cycle; a function tree needs a tree")
