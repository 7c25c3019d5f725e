"""Treebanks as NLTK has them: trees of constituents, and dependency graphs.

The other way there is nothing to do: :func:`commonground.evaluate` and all other functions take
lists of ``nltk.Tree`` and ``nltk.DependencyGraph`` as treebanks.
"""

from __future__ import annotations

from typing import Any

from commonground.corpus import Constituents, Corpus, Dependencies
from commonground.errors import MissingExtraError, UsageError
from commonground.formats.objects import as_corpus
from commonground.formats.registry import write_text

__all__ = ["to_nltk"]


def to_nltk(source: Any) -> list[Any]:
    """Return the sentences of a treebank as ``nltk.Tree`` or ``nltk.DependencyGraph``.

    >>> to_nltk("example:ptb")[0].label()
    'S'
    >>> to_nltk("example:ud")[0].root["word"]
    'kept'
    """
    corpus = as_corpus(source)
    if isinstance(corpus, Dependencies):
        return [_graph(sentence.alone) for sentence in corpus]
    if isinstance(corpus, Constituents):
        return [_tree(sentence.alone) for sentence in corpus]
    raise UsageError(f"NLTK has trees and dependency graphs, and none for {corpus.kind}")


def _tree(sentence: Corpus) -> Any:
    tree = _nltk().Tree.fromstring(write_text(sentence, "brackets"))
    return tree[0] if len(tree) == 1 and not tree.label() else tree


def _graph(sentence: Corpus) -> Any:
    words = write_text(sentence, "conllx")  # no comments, no multiword tokens
    roots = {row.split("\t")[7] for row in words.splitlines() if row.split("\t")[6:7] == ["0"]}
    return _nltk().DependencyGraph(words, top_relation_label=next(iter(roots), "ROOT"))


def _nltk() -> Any:
    try:
        import nltk  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("to_nltk", "nltk") from error
    return nltk
