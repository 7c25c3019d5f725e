"""Corpora from what people have in memory: lists of heads, and objects of other packages.

spaCy, Stanza, NLTK, conllu, pyconll and udapi are known; none of them is imported.

The packages are recognised by the modules that objects come from; only their documented attributes
are used. A string with a newline is the content of a file (what UDPipe returns), one without is a
path.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from numbers import Integral
from typing import Any

from commonground.corpus import Corpus, Dependencies
from commonground.errors import UsageError
from commonground.formats.registry import read_text
from commonground.formats.storage.folders import read

__all__ = ["as_corpus"]


def as_corpus(source: Any, *, format: str | None = None, partial: bool = False) -> Corpus:
    r"""Return a corpus: itself, read from a path or a text, or made of another package's objects.

    A sentence can be a list of heads (0 is the root), or heads and labels, or words, heads, labels:

    >>> as_corpus("1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n")
    Dependencies(1 words, 1 sentences)
    >>> as_corpus([[2, 0], ([2, 0], ["nsubj", "root"])]).deprel.tolist()
    ['_', '_', 'nsubj', 'root']
    """
    if isinstance(source, Corpus):
        return source
    if isinstance(source, str) and "\n" in source:
        return read_text(source, format, partial=partial)
    if isinstance(source, str | os.PathLike):
        return read(source, format, partial=partial)
    several = _package(source) not in _TEXTS and isinstance(source, Iterable)
    items = list(source) if several else [source]
    if several and items and all(map(_is_plain, items)):
        return Dependencies.of([_plain_sentence(item) for item in items])
    package = _package(items[0]) if items else ""
    if package not in _TEXTS or any(_package(item) != package for item in items):
        known = (
            "a corpus, a path, CoNLL-U text, a list of heads for each sentence, or objects of "
            "spaCy, Stanza, NLTK, conllu, pyconll or udapi"
        )
        raise UsageError(f"{type(source).__name__} is not a treebank; give {known}")
    graphs = [hasattr(item, "nodes") and hasattr(item, "get_by_address") for item in items]
    text, format_name = _GRAPHS if all(graphs) else _TEXTS[package]
    return read_text("".join(line for item in items for line in text(item)), format_name)


def _is_plain(item: Any) -> bool:
    """Tell whether something is a sentence in lists: heads, perhaps labels, perhaps words."""
    if _are(item, Integral):
        return True
    if not isinstance(item, Sequence) or isinstance(item, str) or not 2 <= len(item) <= 3:
        return False
    *words, heads, labels = item
    return _are(heads, Integral) and all(_are(each, str) for each in (*words, labels))


def _are(values: Any, kind: type) -> bool:
    """Tell whether something is a list (or an array) of values of a kind."""
    if isinstance(values, str) or not isinstance(values, Iterable) or _package(values):
        return False
    listed = list(values)
    return bool(listed) and all(isinstance(each, kind) for each in listed)


def _plain_sentence(item: Any) -> tuple[list[str], list[int], list[str]]:
    if _are(item, Integral):
        item = (item, ["_"] * len(item))
    *words, heads, labels = item
    forms = list(words[0]) if words else [f"w{place}" for place in range(1, len(heads) + 1)]
    if not len(forms) == len(heads) == len(labels):
        raise UsageError(f"{len(heads)} heads, {len(labels)} labels and {len(forms)} words")
    wrong = [int(head) for head in heads if not 0 <= head <= len(heads)]
    if wrong:
        raise UsageError(f"a head is {wrong[0]}; the sentence has {len(heads)} words")
    return forms, [int(head) for head in heads], list(labels)


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
    try:
        sentences = list(doc.sents)
    except ValueError as error:  # E030: nobody has said where they begin
        message = "a spaCy Doc has no sentences; its pipeline needs a parser or a sentencizer"
        raise UsageError(message) from error
    for sentence in sentences:
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


def _conllu(thing: Any) -> Iterator[str]:
    """Write a TokenList of conllu, a TokenTree, or a list of them."""
    if hasattr(thing, "serialize"):
        yield thing.serialize()
    elif hasattr(thing, "to_list"):
        yield thing.to_list().serialize()
    else:
        for each in thing:
            yield from _conllu(each)


def _pyconll(thing: Any) -> Iterator[str]:
    """Write a sentence of pyconll, or all sentences of a treebank."""
    yield thing.conll().rstrip("\n") + "\n\n"


def _udapi(thing: Any) -> Iterator[str]:
    """Write a tree of udapi, a bundle of trees, or a document."""
    if hasattr(thing, "bundles"):
        trees = [tree for bundle in thing.bundles for tree in bundle.trees]
    else:
        trees = list(thing.trees) if hasattr(thing, "trees") else [thing]
    for tree in trees:
        if tree.sent_id:
            yield f"# sent_id = {tree.sent_id}\n"
        if tree.text:
            yield f"# text = {tree.text}\n"
        first = {token.words[0].ord: token for token in tree.multiword_tokens}
        for node in tree.descendants:
            if token := first.get(node.ord):
                yield _row(token.ord_range, token.form, *("",) * 7, token.misc)
            yield _row(
                *(node.ord, node.form, node.lemma, node.upos, node.xpos, node.feats),
                *(node.parent.ord, node.deprel, node.raw_deps, node.misc),
            )
        yield "\n"


_GRAPHS = (_nltk_graph, "conllu")

_TEXTS: dict[str, tuple[Callable[[Any], Iterator[str]], str]] = {
    "spacy": (_spacy, "conllu"),
    "stanza": (_stanza, "conllu"),
    "nltk": (_nltk, "brackets"),
    "conllu": (_conllu, "conllu"),
    "pyconll": (_pyconll, "conllu"),
    "udapi": (_udapi, "conllu"),
}
"""How the objects of each package are written, and in which format."""
