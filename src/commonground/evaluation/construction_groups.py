"""Disagreements of annotators in the order in which they are best decided: like beside like.

Sentences of which the words or the ends differ come first, since whole analyses hang on them; then
arcs, by the construction that the first annotator sees there; then all other columns, by the values
that are confused. Of these groups, the largest comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.formats import read
from commonground.formats.adjudication import disagreements
from commonground.formats.disagreement import COMMENTS, ENDS, LINE, SENTENCES, WORDS, Disagreement
from commonground.formats.registry import detect
from commonground.formats.storage.files import unpacked_bytes
from commonground.metrics.by import property_of
from commonground.metrics.settings import Settings

__all__ = ["Question", "grouped", "questions_of"]

_ARCS = ("HEAD", "DEPREL", "HEAD:DEPREL")
_ORDER = (
    *(SENTENCES, WORDS, LINE), *_ARCS[:1], *("DEPS", "UPOS", "XPOS", "FEATS", "LEMMA", "FORM"),
    *("MISC", COMMENTS, ENDS),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """A disagreement, the construction that it is about, and the text of its sentence."""

    disagreement: Disagreement
    construction: str
    text: str


def questions_of(paths: Mapping[str, str]) -> list[Question]:
    """Return what annotators of CoNLL-U files disagree about, as :func:`grouped` has it."""
    data = {name: unpacked_bytes(path) for name, path in paths.items()}
    first = read(next(iter(paths.values())))
    for name, path in paths.items():
        if detect(data[name], path).name != "conllu" or not isinstance(first, Dependencies):
            raise UsageError(f"{path} is no CoNLL-U; disagreements are listed of such files")
    assert isinstance(first, Dependencies)
    return grouped(disagreements(data), first)


def grouped(asked: Sequence[Disagreement], first: Dependencies) -> list[Question]:
    """Return disagreements by what they are about; `first` is the first annotation."""
    ids = first.sent_id.tolist()
    places = {name: place for place, name in enumerate(ids)}
    places |= {f"#{place}": place - 1 for place in range(1, len(first) + 1)}
    names = property_of(first, "words", "construction", Settings()).tolist()
    questions = []
    for each in asked:
        place = places.get(each.sentence, -1)
        name = ""
        if place >= 0 and each.word.isdigit():
            row = int(first.offsets[place]) + int(each.word) - 1
            name = names[row] if row < int(first.offsets[place + 1]) else ""
        text = first[place].text if place >= 0 else ""
        questions.append(Question(each, name, text))
    size = Counter(map(_group, questions))
    order = {id(each): number for number, each in enumerate(questions)}
    return sorted(
        questions,
        key=lambda each: (
            _rank(each.disagreement.column), -size[_group(each)], _group(each),
            each.disagreement.values, order[id(each)],
        ),
    )  # fmt: skip


def _rank(column: str) -> int:
    """Return how early a column comes; those of the arc come together.

    >>> _rank("HEAD:DEPREL") == _rank("DEPREL") < _rank("FEATS Case")
    True
    """
    name = _ARCS[0] if column in _ARCS else column
    return _ORDER.index(name if name in _ORDER else name.partition(" ")[0])


def _group(question: Question) -> tuple[str, ...]:
    each = question.disagreement
    if each.column in _ARCS:
        return "HEAD", question.construction
    return each.column, *sorted(set(each.values))
