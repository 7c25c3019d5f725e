"""CoNLL-U, the format of Universal Dependencies."""

from __future__ import annotations

import re

from commonground.formats.notation import conll

__all__ = ["COLUMNS_LINE", "FORMAT", "TITLES"]

TITLES = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
COLUMNS_LINE = re.compile(r"#\s*global\.columns\s*=\s*(.*)")
_ROW = r"\d+(?:[-.]\d+)?\t(?:[^\t\n]*\t){8}[^\t\n]*"
_SPECIAL = re.compile(r"^\d+[-.]\d+\t|^# (?:sent_id|text|newdoc|newpar)\b", re.MULTILINE)
_UNIVERSAL = re.compile(
    r"ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB|X|_"
)


def looks_like(start: str) -> float:
    """Tell how likely a file is CoNLL-U: ten columns, and what CoNLL-X has not."""
    if not conll.rows_match(_ROW, start):
        return 0.0
    if header := COLUMNS_LINE.match(start):
        return float(tuple(header.group(1).split()) == TITLES)
    if _SPECIAL.search(start):
        return 1.0
    rows = [row.split("\t") for row in start.split("\n") if row and not row.startswith("#")]
    universal = [
        bool(_UNIVERSAL.fullmatch(row[3]) and ("=" in row[5] or row[5] == "_"))
        for row in rows
        if len(row) == len(TITLES)
    ]
    return 0.5 + 0.4 * sum(universal) / len(universal)


FORMAT = conll.member(
    conll.Layout(TITLES, tuple(title.lower() for title in TITLES), specials=True, comments=True),
    _ROW,
    1.0,
    name="conllu",
    title="CoNLL-U (Universal Dependencies)",
    looks_like=looks_like,
    aliases=("conll-u", "ud"),
)
