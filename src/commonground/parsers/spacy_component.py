"""A component for spaCy that parses with a model of this package.

Where spaCy is installed it knows the factory by its name:

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("commonground", config={"model": "ud.model"})

Sentences that are marked are parsed one by one, a document without any as one sentence. Tokens of
white space hang on the word before them. Heads and labels are set, and where the model has a
tagger, tags, morphology and lemmas too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.corpus.table import Table
from commonground.errors import UsageError
from commonground.parsers.trained import TrainedParser, load_parser

__all__ = ["Component", "make"]


class Component:
    """Parses documents of spaCy."""

    def __init__(self, trained: TrainedParser) -> None:
        if trained.kind is not Dependencies or trained.name == "tagger":
            raise UsageError(f"spaCy's documents have dependencies, and {trained.name} makes none")
        self.trained = trained

    def __call__(self, doc: Any) -> Any:
        """Parse a document in place, and return it."""
        sentences = [words for words in _sentences(doc) if words]
        if not sentences:
            return doc
        parsed = self.trained.parse(_corpus(doc, sentences))
        heads, labels = list(range(len(doc))), ["dep"] * len(doc)
        for number, words in enumerate(sentences):
            tree = parsed[number]
            for word, head, label in zip(words, tree.head.tolist(), tree.deprel, strict=True):
                heads[word] = words[head - 1] if head else word
                labels[word] = "ROOT" if label == "root" else label
            if self.trained.tagger is not None:
                _tag(doc, words, tree)
        for token in doc:
            if token.is_space and len(doc) > 1:
                heads[token.i] = _beside(doc, token.i)
        _set_tree(doc, heads, labels)
        return doc


def _sentences(doc: Any) -> Iterator[list[int]]:
    """Return the places of the words of each sentence, without white space."""
    marked = doc.has_annotation("SENT_START")
    for span in doc.sents if marked else [doc[:]]:
        yield [token.i for token in span if not token.is_space]


def _corpus(doc: Any, sentences: Sequence[Sequence[int]]) -> Dependencies:
    tokens = [doc[place] for words in sentences for place in words]
    offsets = [0]
    for words in sentences:
        offsets.append(offsets[-1] + len(words))
    columns = {
        "form": [token.text for token in tokens],
        "lemma": [token.lemma_ or "_" for token in tokens],
        "upos": [token.pos_ or "_" for token in tokens],
        "xpos": [token.tag_ or "_" for token in tokens],
        "feats": [str(token.morph) or "_" for token in tokens],
    }
    table = Table(offsets, **{name: Strings.of(texts) for name, texts in columns.items()})
    return Dependencies({"words": table})


def _tag(doc: Any, words: Sequence[int], tree: Any) -> None:
    rows = zip(words, tree.upos, tree.xpos, tree.feats, tree.lemma, strict=True)
    for word, upos, xpos, feats, lemma in rows:
        token = doc[word]
        if upos != "_":
            token.pos_ = upos
        if xpos != "_":
            token.tag_ = xpos
        token.set_morph(None if feats == "_" else feats)
        if lemma != "_":
            token.lemma_ = lemma


def _beside(doc: Any, place: int) -> int:
    """Return the word on which white space hangs: the last one before it, else the next one."""
    for other in (*range(place - 1, -1, -1), *range(place + 1, len(doc))):
        if not doc[other].is_space:
            return other
    return place


def _set_tree(doc: Any, heads: Sequence[int], labels: Sequence[str]) -> None:
    """Set all heads at once, so that no half-made tree is ever seen."""
    from spacy.attrs import DEP, HEAD  # noqa: PLC0415  # an extra

    rows = [
        (np.uint64((head - place) & 0xFFFFFFFFFFFFFFFF), doc.vocab.strings.add(label))
        for place, (head, label) in enumerate(zip(heads, labels, strict=True))
    ]
    doc.from_array([HEAD, DEP], np.array(rows, np.uint64))


def make(nlp: Any, name: str, model: str) -> Component:  # noqa: ARG001  # spaCy's signature
    """Return the component for a model file."""
    return Component(load_parser(model))


def __getattr__(name: str) -> Any:
    """Register the component when spaCy asks for it, which loads the entry point ``component``."""
    if name != "component":
        raise AttributeError(name)
    from spacy.language import Language  # noqa: PLC0415  # an extra

    return Language.factory("commonground", func=make)
