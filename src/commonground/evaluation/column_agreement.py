"""How far two annotators agree in each column: lemmas, tags, every feature, heads and labels.

For n words with the values a and b in the two analyses, p(v) and q(v) the shares of a value in
either of them, and r = (p + q) / 2:

    observed  Aₒ = share of words with a = b
    κ         (Aₒ − Aₑ) / (1 − Aₑ),  Aₑ = Σ p(v)·q(v)                      (Cohen 1960)
    α         1 − (1 − Aₒ) / (1 − Aₑ),  1 − Aₑ = 2n/(2n − 1) · (1 − Σ r(v)²)   (Krippendorff 2004)

The value of a head is how far away it is and on which side, the root being a value of its own;
that of a feature that a word does not have is another one. Where both analyses have the same value
everywhere, chance would agree, too: κ and α are undefined.

Intervals are those of the normal distribution. Their standard error is that of κ (and α) as a
function of sums over sentences, made linear (the infinitesimal jackknife), because the words of a
sentence are not annotated independently of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Strings
from commonground.corpus.strings import Vocabulary
from commonground.metrics.dependencies.comparison import ROOT, UNKNOWN, Comparison
from commonground.metrics.dependencies.enhanced import elas

__all__ = ["ChanceCorrected", "ColumnAgreement", "column_agreement"]

CONFUSED = 5
"""How many pairs of values are kept for each column."""

_Z = 1.959963984540054  # of an interval at 95 %


@dataclass(frozen=True, slots=True)
class ChanceCorrected:
    """A coefficient with its interval at 95 %."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ColumnAgreement:
    """The agreement of two analyses in one column.

    `words` are those that have a value in one of them at least (of enhanced graphs, the arcs), and
    `observed` is the share of *all* words (of arcs, F1) in which they agree. `confused` are the
    most frequent pairs of different values.
    """

    one: str
    other: str
    column: str
    words: int
    observed: float
    kappa: ChanceCorrected | None = None
    alpha: ChanceCorrected | None = None
    confused: tuple[tuple[str, str, int], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as JSON has them."""
        return {
            "one": self.one,
            "other": self.other,
            "column": self.column,
            "words": self.words,
            "observed": self.observed,
            **{
                name: None
                if each is None
                else {"value": each.value, "interval": [each.low, each.high]}
                for name, each in (("kappa", self.kappa), ("alpha", self.alpha))
            },
            "confused": [
                {"one": one, "other": other, "words": words} for one, other, words in self.confused
            ],
        }


def column_agreement(one: str, other: str, pair: Comparison) -> Iterator[ColumnAgreement]:
    """Yield the agreement in each column that one of the analyses has.

    >>> from commonground.corpus import Dependencies
    >>> from commonground.evaluation.evaluate import evaluate
    >>> gold = Dependencies.of([("a b c d".split(), [2, 0, 2, 2], ["x", "r", "x", "y"])])
    >>> tagged = gold.replace("words", upos=Strings.of(["N", "V", "N", "N"]))
    >>> again = gold.replace("words", upos=Strings.of(["N", "V", "N", "V"]))
    >>> pair = evaluate(tagged, {"again": again}, metrics=["uas"]).systems[0].comparison
    >>> tags = next(column_agreement("one", "two", pair))
    >>> tags.column, tags.observed, round(tags.kappa.value, 3), round(tags.alpha.value, 3)
    ('upos', 0.75, 0.5, 0.533)
    >>> tags.confused
    (('N', 'V', 1),)
    """
    for name, gold, system in _columns(pair):
        vocabulary = Vocabulary()
        codes = (
            gold.codes_in(vocabulary)[pair.gold_at],
            system.codes_in(vocabulary)[pair.system_at],
        )
        texts = list(vocabulary)
        yield _agreement(one, other, name, codes, texts, pair)
    yield _heads(one, other, pair)
    graphs = [side.words.strings("deps") for side in (pair.gold, pair.system)]
    if all(column.where(_given).any() for column in graphs):
        totals = elas(pair).counts.totals
        size = totals["gold"] + totals["system"]
        yield ColumnAgreement(one, other, "enhanced", size, 2 * totals["correct"] / max(size, 1))


def _given(text: str) -> bool:
    return text not in ("_", "")


def _columns(pair: Comparison) -> Iterator[tuple[str, Strings, Strings]]:
    """Yield the columns of texts of both sides that have values, features one by one."""
    sides = (pair.gold.words, pair.system.words)
    for name in ("lemma", "upos", "xpos", "feats"):
        one, two = (side.strings(name) for side in sides)
        if not (one.where(_given).any() or two.where(_given).any()):
            continue
        yield name, one, two
        if name == "feats":
            texts = {*one.vocabulary, *two.vocabulary}
            for feature in sorted({name for text in texts for name in _features(text)}):
                value = partial(_feature, feature)
                yield f"feats.{feature}", one.map(value), two.map(value)
    label = pair.settings.label
    yield "deprel", pair.gold.deprel.map(label), pair.system.deprel.map(label)


def _features(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split("|"))
    return {name: value for name, equals, value in pairs if equals}


def _feature(name: str, text: str) -> str:
    return _features(text).get(name, "_")


def _heads(one: str, other: str, pair: Comparison) -> ColumnAgreement:
    rows = pair.gold_row
    ends = [pair.gold_head[pair.gold_at], pair.chosen_head]
    # The head may be a word that the other side does not have: no value equals this one.
    nothing = np.iinfo(np.int64).max
    away = [
        np.where(end == ROOT, 0, np.where(end == UNKNOWN, nothing - side, end - rows))
        for side, end in enumerate(ends)
    ]
    values, codes = np.unique(np.concatenate(away), return_inverse=True)
    names = [_distance(int(value)) for value in values]
    both = codes[: len(rows)], codes[len(rows) :]
    return _agreement(one, other, "head", both, names, pair)


def _distance(value: int) -> str:
    return "root" if value == 0 else f"{value:+d}" if abs(value) < 1 << 40 else "–"


def _agreement(
    one: str,
    other: str,
    column: str,
    codes: tuple[NDArray[np.integer], NDArray[np.integer]],
    texts: list[str],
    pair: Comparison,
) -> ColumnAgreement:
    scored = pair.gold_scored[pair.gold_at]
    first, second = (each[scored] for each in codes)
    sentence = pair.gold.words.sentence_of_row()[pair.gold_at][scored]
    same = first == second
    given = np.array([_given(text) for text in texts], np.bool_)
    n = len(same)
    if not n:
        return ColumnAgreement(one, other, column, 0, 0.0)
    p, q = (np.bincount(each, minlength=len(texts)) / n for each in (first, second))
    r = (p + q) / 2
    differing = Counter(zip(first[~same].tolist(), second[~same].tolist(), strict=True))
    return ColumnAgreement(
        one,
        other,
        column,
        int((given[first] | given[second]).sum()) if column != "head" else n,
        float(same.mean()),
        _corrected(same, float(p @ q), q[first] + p[second], sentence, 1.0),
        _corrected(same, float(r @ r), r[first] + r[second], sentence, 2 * n / (2 * n - 1)),
        tuple(
            (texts[a], texts[b], count)
            for (a, b), count in sorted(differing.items(), key=lambda each: (-each[1], each[0]))
        )[:CONFUSED],
    )


def _corrected(
    same: NDArray[np.bool_],
    expected: float,
    slope: NDArray[np.float64],
    sentence: NDArray[np.integer],
    small: float,
) -> ChanceCorrected | None:
    """Return 1 − (1 − Aₒ) / (small · (1 − Aₑ)) with its interval; `slope` is n·∂Aₑ of each word."""
    n, disagreement = len(same), small * (1 - expected)
    if disagreement < 1e-12:
        return None
    observed = float(same.mean())
    value = 1 - (1 - observed) / disagreement
    of_word = ((same - observed) - small * (1 - value) * (slope - 2 * expected)) / disagreement / n
    _, place = np.unique(sentence, return_inverse=True)
    of_sentence = np.bincount(place, of_word)
    units = len(of_sentence)
    error = float(np.sqrt((of_sentence**2).sum() * units / max(units - 1, 1)))
    return ChanceCorrected(value, value - _Z * error, min(1.0, value + _Z * error))
