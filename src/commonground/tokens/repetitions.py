"""Sentences that stand twice in a treebank, or in two of its files, exactly or nearly."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from commonground.corpus import Corpus, Dependencies
from commonground.errors import Problem
from commonground.tokens.near_duplicates import repeated
from commonground.tokens.sentences import surface_tokens

__all__ = ["FEWEST", "KINDS", "repetitions"]

FEWEST = 5
"""Shorter sentences ("Thanks a lot!") are repeated in earnest."""

KINDS = {
    "duplicate": "a sentence that stands twice counts twice, and leaks between splits",
    "duplicate-differs": "the same sentence has two analyses, of which one may be wrong",
    "near-duplicate": "nearly the same sentence leaks between splits",
}
"""The kinds of warnings, and why."""


def repetitions(
    corpora: Mapping[str, Corpus], threshold: float = 0.7, seed: int = 0
) -> dict[str, list[Problem]]:
    """Return the sentences of each corpus that are like an earlier one, in it or in another.

    They are told by their ids, not by their lines, so that a baseline knows them again.

    >>> birds = ("Birds sing all day long".split(), [2, 0, 4, 2, 4], list("abcde"))
    >>> found = repetitions({"a": Dependencies.of([birds]), "b": Dependencies.of([birds])})
    >>> [problem.message for problem in found["b"]]
    ["warning (duplicate): as sentence 1 of a: 'birds sing all day long'"]
    """
    places: list[tuple[str, int, Corpus, int]] = []
    sentences = []
    for path, corpus in corpora.items():
        lines = corpus.lines.tolist()
        for number, words in enumerate(surface_tokens(corpus)):
            if len(words) >= FEWEST:
                places.append((path, lines[number], corpus, number))
                sentences.append(words)
    found: dict[str, list[Problem]] = {path: [] for path in corpora}
    for place, words, twin in zip(
        places, sentences, repeated(sentences, threshold, seed), strict=True
    ):
        if twin is None:
            continue
        other = places[twin.place]
        kind = "near-duplicate"
        if twin.exact:
            kind = "duplicate" if _analysis(place) == _analysis(other) else "duplicate-differs"
        name = other[2].sent_id[other[3]]
        where, text = (
            f"sentence {name or other[3] + 1} of {PurePath(other[0]).name}",
            " ".join(words),
        )
        found[place[0]].append(
            Problem(place[1], f"warning ({kind}): as {where}: {text!r}", kind, warning=True)
        )
    return found


def _analysis(place: tuple[str, int, Corpus, int]) -> object:
    """Return what two sentences with the same words may differ in."""
    corpus, number = place[2], place[3]
    if not isinstance(corpus, Dependencies):
        return None
    sentence = corpus[number]
    columns = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps")
    return [list(sentence.column(name, "words")) for name in columns]
