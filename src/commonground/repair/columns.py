"""Which field of a row is which column, where their number is not right.

Fields keep their order, and columns may be missing: the best way to put the one into the other is
found by dynamic programming, by how well each text fits each column.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from commonground.corpus.wellformed import UNIVERSAL
from commonground.formats.codecs.conllu import TITLES

__all__ = ["HEAD", "arranged", "header_of", "is_number"]

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)

_NUMBER = re.compile(r"-1|0|[1-9][0-9]{0,8}")
_ID = re.compile(r"[0-9]{1,9}(?:[-.][0-9]{1,9})?[.)]?")
_FEATURES = re.compile(r"[A-Z0-9][\w\[\]]*=[^|=]+(?:\|[A-Z0-9][\w\[\]]*=[^|=]+)*")
_ARCS = re.compile(r"[0-9.]+:[^|]+(?:\|[0-9.]+:[^|]+)*")
_NOTES = re.compile(r"\w+=[^|]*(?:\|.*)?")
_LABEL = re.compile(r"[a-z]+(?::[a-z:]+)?")
_LABELS = frozenset(
    "acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse "
    "dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis "
    "punct reparandum root vocative xcomp comp mod subj udep unk".split()
)
_WITHOUT = (-1.0, -3.0, 0.0, 0.0, 0.0, 0.0, -1.0, -0.5, 0.0, 0.0)
"""What it costs that a column is missing."""
_LEFT_OUT = -1.0
_NOTHING = 0.3
"""How well ``_`` fits a column that may be empty."""


def is_number(text: str) -> bool:
    """Tell whether a text can be a head.

    >>> is_number("12"), is_number("_"), is_number("the")
    (True, False, False)
    """
    return bool(_NUMBER.fullmatch(text))


def header_of(fields: Sequence[str]) -> dict[int, int] | None:
    """Return which column each field of a heading names; None where the row is no heading.

    >>> header_of(["ID", "Form", "Head", "Deprel"])
    {0: 0, 1: 1, 2: 6, 3: 7}
    """
    names = [_NAMES.get(field.strip("*` ").lower()) for field in fields]
    known = {place: name for place, name in enumerate(names) if name is not None}
    if FORM not in known.values() or len(known) < min(3, len(fields)) or len(known) < 2:
        return None
    return known


_NAMES = {
    **{title.lower(): place for place, title in enumerate(TITLES)},
    "word": FORM,
    "token": FORM,
    "text": FORM,
    "pos": UPOS,
    "tag": XPOS,
    "relation": DEPREL,
    "#": ID,
    "index": ID,
    "no": ID,
    "features": FEATS,
    "label": DEPREL,
    "dep": DEPREL,
}


def arranged(fields: Sequence[str], named: Mapping[int, int] | None = None) -> list[str]:
    """Return the ten columns of a row, given its fields, and perhaps which columns they are.

    >>> arranged(["1", "The", "DET", "2", "det"])
    ['1', 'The', '_', 'DET', '_', '_', '2', 'det', '_', '_']
    >>> arranged(["1", "The", "the", "DET", "DT", "_", "2", "det"])[6:]
    ['2', 'det', '_', '_']
    """
    columns = ["_"] * len(TITLES)
    if named is not None:
        for place, column in named.items():
            if place < len(fields):
                columns[column] = fields[place] or "_"
        return columns
    for column, field in enumerate(_assigned(fields[:_MOST])):
        if field is not None:
            columns[column] = fields[field] or "_"
    return columns


_MOST = 64
"""Of more fields only so many are looked at."""


def _assigned(fields: Sequence[str]) -> list[int | None]:
    """Return for each column the place of its field, by the best sum of how well they fit."""
    width = len(TITLES)
    best: list[list[tuple[float, str]]] = [
        [(0.0, "")] * (width + 1) for _ in range(len(fields) + 1)
    ]
    for row in range(len(fields) + 1):
        for column in range(width + 1):
            ways = []
            if row and column:
                fit = _fit(fields[row - 1], column - 1)
                ways.append((best[row - 1][column - 1][0] + fit, "both"))
            if column:
                ways.append((best[row][column - 1][0] + _WITHOUT[column - 1], "column"))
            if row:
                ways.append((best[row - 1][column][0] + _LEFT_OUT, "field"))
            if ways:
                best[row][column] = max(ways, key=lambda way: way[0])
    assigned: list[int | None] = [None] * width
    row, column = len(fields), width
    while row or column:
        way = best[row][column][1]
        row, column = row - (way != "column"), column - (way != "field")
        if way == "both":
            assigned[column] = row
    return assigned


def _fit(text: str, column: int) -> float:  # noqa: PLR0911  # one answer for each column
    """Tell how well a text fits a column."""
    nothing = text in ("_", "")
    if column == ID:
        return 3.0 if _ID.fullmatch(text) else -5.0
    if column == FORM:
        return 1.0 if text else -3.0
    if column == LEMMA:
        return 0.5 if text else -1.0
    if nothing:
        return _NOTHING
    if column == XPOS:
        return 0.4 if not text.islower() and not is_number(text) else -0.5
    if column == DEPREL:
        known = text.partition(":")[0] in _LABELS
        return 3.0 if known else 1.0 if _LABEL.fullmatch(text) else -0.2
    wanted = {
        UPOS: text in UNIVERSAL,
        FEATS: bool(_FEATURES.fullmatch(text)),
        HEAD: is_number(text),
        DEPS: bool(_ARCS.fullmatch(text)),
        MISC: bool(_NOTES.fullmatch(text)),
    }[column]
    return 3.0 if wanted else -2.5
