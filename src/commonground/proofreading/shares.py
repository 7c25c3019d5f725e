"""How usual something is: the share of words alike in one respect that are alike in another.

A question asks for a `target` (columns of a word and its arc) among the words that have the same
`contexts`, from the most general to the most specific. The share is smoothed from one context to
the next, and the word itself is left out,

    p_k = (n_k(target) − 1 + α p_{k−1}) / (n_k − 1 + α),

where n_k counts the words with the same k-th context. Its negative logarithm says how surprising
the word is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.proofreading.arc_columns import ArcColumns, Codes, combined

__all__ = ["QUESTIONS", "Answer", "Question", "answer"]

ALPHA = 2.0


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every word: how usual its `target` is in its `contexts`."""

    name: str
    target: tuple[str, ...]
    contexts: tuple[tuple[str, ...], ...]


_TAGS = ("upos", "head.upos", "direction")

QUESTIONS = (
    Question("label by tags", ("deprel",), (("upos",), _TAGS)),
    Question("label by lemma", ("deprel",), (("upos",), _TAGS, (*_TAGS, "lemma"))),
    Question("label by both lemmas", ("deprel",),
             (("upos",), _TAGS, (*_TAGS, "lemma", "head.lemma"))),
    Question("label by head and case", ("deprel",),
             (("upos",), _TAGS, (*_TAGS, "head.lemma"), (*_TAGS, "head.lemma", "case.lemma"))),
    Question("label by features", ("deprel",),
             (("upos",), _TAGS, (*_TAGS, "feats", "xpos"),
              (*_TAGS, "feats", "xpos", "head.feats"))),
    Question("label by construction", ("deprel",),
             (("upos",), _TAGS, (*_TAGS, "case.lemma", "mark.lemma", "children"),
              (*_TAGS, "case.lemma", "mark.lemma", "children", "lemma"))),
    Question("label by neighbours", ("deprel",),
             (("upos",), _TAGS, (*_TAGS, "previous.upos", "next.upos"),
              (*_TAGS, "previous.form", "next.form"))),
    Question("head by lemma", ("head.upos", "direction"),
             (("deprel",), ("deprel", "upos"), ("deprel", "upos", "lemma"))),
    Question("head by features", ("head.upos", "direction"),
             (("deprel",), ("deprel", "upos"), ("deprel", "upos", "feats", "xpos"))),
    Question("head's label", ("head.deprel",),
             (("deprel",), ("deprel", "upos", "direction"), ("deprel", *_TAGS))),
    Question("distance", ("offset",),
             (("deprel",), ("deprel", "upos"), ("deprel", "upos", "previous.upos", "next.upos"))),
    Question("arc by three words", ("offset", "deprel"),
             (("upos",), ("upos", "previous.upos", "next.upos"),
              ("form", "previous.form", "next.form"))),
    Question("arc by next word", ("offset", "deprel"),
             (("upos",), ("upos", "next.upos"), ("form", "next.form"))),
    Question("arc by previous word", ("offset", "deprel"),
             (("upos",), ("upos", "previous.upos"), ("form", "previous.form"))),
    Question("tag by form", ("upos",), (("form",),)),
    Question("features by form", ("feats",),
             (("upos",), ("upos", "xpos"), ("upos", "xpos", "form"))),
)  # fmt: skip
"""What is asked of every word."""


@dataclass(frozen=True)
class Answer:
    """How surprising each word is, and the counts behind it.

    In the most specific context that other words have, `alike` of `among` others have the same
    target; `level` says which context that is.
    """

    question: Question
    surprisal: NDArray[np.float64]
    alike: Codes
    among: Codes
    level: Codes

    def text(self, columns: ArcColumns, row: int) -> str:
        """Say it of one word in a line."""
        names = self.question.contexts[int(self.level[row])]
        have = ", ".join(columns[name].text(row) for name in self.question.target)
        given = ", ".join(columns[name].text(row) for name in names)
        return (
            f"{int(self.alike[row]):,} of {int(self.among[row]):,} others with {given} have {have}"
        )


def answer(question: Question, columns: ArcColumns) -> Answer:
    """Answer a question for all words of a treebank.

    >>> from commonground.corpus import Dependencies
    >>> words = ["a", "b", "a", "b", "a", "b"]
    >>> labels = ["x", "root", "x", "y", "z", "y"]
    >>> corpus = Dependencies.of([(words, [2, 0, 2, 2, 2, 2], labels)])
    >>> asked = Question("label", ("deprel",), (("form",),))
    >>> reply = answer(asked, ArcColumns(corpus))
    >>> reply.alike.tolist()[:3], reply.among.tolist()[:3]
    ([1, 0, 1], [2, 2, 2])
    """
    target = columns.codes(question.target)
    size = len(target)
    share = (np.bincount(target)[target] - 0.5) / (
        size - 1 + 0.5 * (int(target.max(initial=0)) + 1)
    )
    alike = among = level = np.zeros(size, np.int64)
    for number, names in enumerate(question.contexts):
        context = columns.codes(names)
        both = combined([context, target])
        same = np.bincount(both)[both] - 1
        others = np.bincount(context)[context] - 1
        share = (same + ALPHA * share) / (others + ALPHA)
        told = others > 0
        alike, among = np.where(told, same, alike), np.where(told, others, among)
        level = np.where(told, number, level)
    return Answer(question, -np.log(share), alike, among, level)
