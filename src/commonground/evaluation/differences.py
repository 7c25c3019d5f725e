"""Where two analyses of the same words really differ: by construction, or by any property.

A word has the property that it has in the first analysis. With constructions, one edge is not
enough: where the first analysis hangs *in* on *Rome* and the second one *Rome* on *in*, the heads
of both words differ because of the adposition, but only the edge above *in* is that of one. So a
word with another head whose own edge lies in no construction has that of another word where it was
turned with it: of the word below it, or beside it, on which the second analysis hangs it (*she* on
*has* in *she has come*); or of its head, if that hangs on the word, or beside it, in the second
analysis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies, Strings
from commonground.errors import UsageError
from commonground.metrics.by import property_of
from commonground.metrics.dependencies.comparison import Comparison

__all__ = ["NONE", "Differences", "ValueDifference", "differences"]

EXAMPLES = 5
"""Maximum number of examples of each value."""

NONE = "–"
"""The value of words that have none."""

_HIGHEST = 6
"""Number of edges upwards within which turned edges are looked for."""


@dataclass(frozen=True, slots=True)
class ValueDifference:
    """The words with a value: how many, how many of them have other `heads`, or only other labels.

    `examples` are words whose heads differ (or else labels): sentence, place in it, and form.
    """

    value: str
    words: int
    heads: int
    labels: int
    examples: tuple[tuple[str, int, str], ...]

    @property
    def share(self) -> float:
        """The share of the words with other heads."""
        return self.heads / self.words if self.words else 0.0


@dataclass(frozen=True, slots=True)
class Differences:
    """Where the analysis `other` differs from the analysis `one`, by a property."""

    one: str
    other: str
    by: str
    rows: tuple[ValueDifference, ...]

    @property
    def heads(self) -> int:
        """How many heads differ."""
        return sum(row.heads for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as JSON has them."""
        return {
            "one": self.one,
            "other": self.other,
            "by": self.by,
            "rows": [
                {
                    "value": row.value,
                    "words": row.words,
                    "heads": row.heads,
                    "labels": row.labels,
                    "examples": [
                        {"sentence": sentence, "word": place, "form": form}
                        for sentence, place, form in row.examples
                    ],
                }
                for row in self.rows
            ],
        }


def differences(one: str, other: str, pair: Comparison, by: str = "construction") -> Differences:
    """Count the words with other heads, and those with the same head and other labels.

    Most differences come first, and words without any value last.

    >>> from commonground.corpus import Strings
    >>> from commonground.evaluation.evaluate import evaluate
    >>> words, tags = "go to Rome".split(), Strings.of(["VERB", "ADP", "PROPN"])
    >>> ud = Dependencies.of([(words, [0, 3, 1], ["root", "case", "obl"])])
    >>> ud = ud.replace("words", upos=tags)
    >>> sud = Dependencies.of([(words, [0, 1, 2], ["root", "udep", "comp"])])
    >>> pair = evaluate(ud, {"sud": sud}, metrics=["uas"]).systems[0].comparison
    >>> [(row.value, row.words, row.heads) for row in differences("ud", "sud", pair).rows]
    [('adposition', 2, 2), ('–', 1, 0)]
    """
    if not isinstance(pair, Comparison):
        raise UsageError("differences can be shown only between dependencies")
    names = property_of(pair.gold, "words", by, pair.settings)
    codes = names.codes[pair.gold_row]
    if by == "construction":
        codes = _turned(names, pair)
    scored = pair.gold_scored[pair.gold_row]
    heads = ~pair.same_head & scored
    labels = ~pair.same_label & scored & ~heads
    rows = [
        ValueDifference(
            name,
            int(here.sum()),
            int((heads & here).sum()),
            int((labels & here).sum()),
            _examples(pair, heads & here, labels & here),
        )
        for code, name in enumerate(names.vocabulary)
        if (here := scored & (codes == code)).any()
    ]
    rows.sort(key=lambda row: (row.value == NONE, -row.heads, -row.labels, -row.words, row.value))
    return Differences(one, other, by, tuple(rows))


def _turned(names: Strings, pair: Comparison) -> NDArray[np.int32]:
    """Return the construction of each word, also of those whose heads differ because of one."""
    none = names.vocabulary.index(NONE) if NONE in names.vocabulary else -1
    code, above, word = names.codes, pair.gold_head, pair.gold_row
    codes = code[word].copy()
    there = np.full(len(above), -1)  # the head of each word in the other analysis
    there[word] = pair.chosen_head
    head, old = there[word], above[word]

    def mark(flags: NDArray[np.bool_], because: NDArray[np.int64]) -> None:
        open_ = flags & (codes == none) & ~pair.same_head & (because >= 0)
        codes[open_] = code[because[open_]]

    lower = head
    for _ in range(_HIGHEST):  # on a word below
        lower = np.where(lower >= 0, above[lower], -1)
        mark((lower >= 0) & (lower == word), head)
    mark((head >= 0) & (above[head] == old), head)  # on a sister that has become the head
    down = np.where(old >= 0, there[old], -1)
    mark((down == word) | ((down >= 0) & (down == head)), old)  # the same, the other way around
    return codes


def _examples(
    pair: Comparison, heads: NDArray[np.bool_], labels: NDArray[np.bool_]
) -> tuple[tuple[str, int, str], ...]:
    rows = pair.gold_row[heads if heads.any() else labels][:EXAMPLES]
    gold: Dependencies = pair.gold
    sentence, place = gold.words.sentence_of_row(), gold.words.row_in_sentence()
    ids = gold.sent_id
    return tuple((ids[int(sentence[row])], int(place[row]) + 1, gold.form[row]) for row in rows)
