"""Corpora from what people have in memory: spaCy, Stanza, UDPipe and NLTK, none of them imported.

The packages are recognised by the modules that objects come from; only their documented attributes
are used. A string with a newline is the content of a file (what UDPipe returns), one without is a
path.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from commonground.corpus import Corpus
from commonground.errors import UsageError
from commonground.formats.registry import read_text
from commonground.formats.storage.folders import read

__all__ = ["as_corpus"]


def as_corpus(source: Any, *, format: str | None = None, partial: bool = False) -> Corpus:
    r"""Return a corpus: itself, read from a path or a text, or made of another package's objects.

    >>> as_corpus("1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n")
    Dependencies(1 words, 1 sentences)
    """
    if isinstance(source, Corpus):
        return source
    if isinstance(source, str) and "\n" in source:
        return read_text(source, format, partial=partial)
    if isinstance(source, str | os.PathLike):
        return read(source, format, partial=partial)
    several = _package(source) not in _TEXTS and isinstance(source, Iterable)
    items = list(source) if several else [source]
    package = _package(items[0]) if items else ""
    if package not in _TEXTS or any(_package(item) != package for item in items):
        known = "a corpus, a path, CoNLL-U text, spaCy Docs, Stanza documents or NLTK trees"
        raise UsageError(f"{type(source).__name__} is not a treebank; give {known}")
    graphs = [hasattr(item, "nodes") and hasattr(item, "get_by_address") for item in items]
    text, format_name = _GRAPHS if all(graphs) else _TEXTS[package]
    return read_text("".join(line for item in items for line in text(item)), format_name)


def _package(thing: Any) -> str:
    """Return the top-level package that the class of an object comes from."""
    return next(
        (
            name
            for name in (base.__module__.partition(".")[0] for base in type(thing).__mro__)
            if name in _TEXTS
        ),
        "",
    )


def _row(*fields: object) -> str:
    texts = ("_" if field in (None, "") else str(field) for field in fields)
    return "\t".join(" ".join(text.split()) or "_" for text in texts) + "\n"


def _spacy(doc: Any) -> Iterator[str]:
    """Write a spaCy Doc as CoNLL-U; tokens of white space are left out."""
    for sentence in doc.sents:
        tokens = [token for token in sentence if not token.is_space]
        place = {token.i: number for number, token in enumerate(tokens, 1)}
        for token in tokens:
            head = token.head
            while head.i not in place and head.head.i != head.i:
                head = head.head
            number = 0 if head.i == token.i else place.get(head.i, 0)
            yield _row(
                *(place[token.i], token.text, token.lemma_, token.pos_, token.tag_),
                *(str(token.morph), number, token.dep_, "", ""),
            )
        yield "\n" if tokens else ""


def _stanza(document: Any) -> Iterator[str]:
    """Write a Stanza document as CoNLL-U."""
    for sentence in document.sentences:
        for token in sentence.tokens:
            if len(token.id) > 1:
                yield _row(f"{token.id[0]}-{token.id[-1]}", token.text, *("" for _ in range(8)))
            for word in token.words:
                yield _row(
                    *(word.id, word.text, word.lemma, word.upos, word.xpos, word.feats),
                    *(word.head, word.deprel, "", ""),
                )
        yield "\n"


_ESCAPED = {"(": "-LRB-", ")": "-RRB-"}


def _nltk(tree: Any) -> Iterator[str]:
    """Write an NLTK tree in brackets."""
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        if node is None:
            yield ")"
        elif hasattr(node, "label"):
            yield f" ({node.label()}"
            stack += [None, *reversed(list(node))]
        else:
            yield " " + _ESCAPED.get(str(node), str(node))
    yield "\n"


def _nltk_graph(graph: Any) -> Iterator[str]:
    """Write an NLTK dependency graph as CoNLL-U."""
    for address in sorted(graph.nodes):
        node = graph.nodes[address]
        if address and node["word"] is not None:
            feats = node["feats"] if node["feats"] not in ("", "_", None) else ""
            yield _row(
                *(address, node["word"], node["lemma"], node["ctag"], node["tag"], feats),
                *(node["head"], node["rel"], "", ""),
            )
    yield "\n"


_GRAPHS = (_nltk_graph, "conllu")

_TEXTS: dict[str, tuple[Callable[[Any], Iterator[str]], str]] = {
    "spacy": (_spacy, "conllu"),
    "stanza": (_stanza, "conllu"),
    "nltk": (_nltk, "brackets"),
}
"""How the objects of each package are written, and in which format."""
