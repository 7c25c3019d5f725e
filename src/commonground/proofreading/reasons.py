"""Why a word is doubted, in words: a line for each kind of evidence that speaks against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.proofreading.evidence import Evidence

__all__ = ["Reason", "reasons"]

MOST = 4
"""The most reasons that are given."""

_SURPRISING = 2.5
"""A surprisal worth telling: less than one in twelve."""


_ENOUGH = 5
"""How many other words are worth counting."""


@dataclass(frozen=True, slots=True)
class Reason:
    """What speaks against a word: the kind of evidence, and a line about it."""

    kind: str
    text: str


def reasons(
    evidence: Evidence, weighed: np.ndarray[Any, np.dtype[np.float64]], row: int
) -> tuple[Reason, ...]:
    """Return why a word is doubted; `weighed` is its evidence as the model weighs it."""
    share = dict(zip(evidence.names, weighed.tolist(), strict=True))
    given = [*_marks(evidence, row), *_parsers(evidence, row), *_nuclei(evidence, row)]
    if evidence.violated.strength[row] > 0:
        given.append(Reason("implication", evidence.violated.text(evidence.columns, row)))
    surprising = sorted(
        (
            name
            for name, reply in evidence.answers.items()
            if reply.surprisal[row] > _SURPRISING and reply.among[row] >= _ENOUGH
        ),
        key=lambda name: -share[name],
    )
    given += [
        Reason("rare", evidence.answers[name].text(evidence.columns, row)) for name in surprising
    ]
    return tuple(dict.fromkeys(given))[:MOST]  # two questions may have the same answer


def _word(evidence: Evidence, row: int, place: int) -> str:
    """Return a word of the same sentence with its place, or ROOT."""
    if place <= 0:
        return "ROOT"
    form = evidence.columns.corpus.form[int(evidence.columns.first[row]) + place - 1]
    return f"{form} ({place})"


def _marks(evidence: Evidence, row: int) -> Iterator[Reason]:
    head = int(evidence.marks[row])
    if head != evidence.columns.head[row]:
        where = _word(evidence, row, head)
        yield Reason("guideline", f"the guidelines of UD hang this mark on {where}")


def _parsers(evidence: Evidence, row: int) -> Iterator[Reason]:
    parses, columns = evidence.parses, evidence.columns
    arcs = list(zip(parses.head[row].tolist(), parses.label[row].tolist(), strict=True))
    own = (int(columns.head[row]), int(columns["deprel"].codes[row]))
    against = Counter(arc for arc in arcs if arc != own)
    if against:
        (head, label), votes = against.most_common(1)[0]
        other = sum(against.values()) - votes
        also = f", {other} something else" if other else ""
        yield Reason(
            "parsers",
            f"{votes} of {len(arcs)} parsers trained on other sentences have "
            f"{parses.labels[label]} of {_word(evidence, row, head)}{also}",
        )


def _nuclei(evidence: Evidence, row: int) -> Iterator[Reason]:
    columns = evidence.columns
    what, seen = max(evidence.nuclei.items(), key=lambda item: item[1].doubt[row])
    if seen.doubt[row] <= 0:
        return
    example = int(seen.example[row])
    sentence = columns.corpus[int(columns.sentence[example])]
    where = f"{sentence.sent_id}:{int(columns.place[example])}"
    label = int(seen.label[row])
    usual = (
        f"{columns['deprel'].texts[label]} of {_word(evidence, row, int(seen.head[row]))}"
        if label >= 0
        else "no arc between them"
    )
    yield Reason(
        "variation",
        f"the same {what}s have {usual} {int(seen.majority[row])} times (as in {where}), and the "
        f"arc that is here {int(seen.alike[row])} other times",
    )
