"""CoNLL-U, the format of Universal Dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.corpus import Dependencies
from commonground.errors import Problem
from commonground.formats import conll
from commonground.formats.format import Format, Options, blank_line_cut

__all__ = ["FORMAT", "LAYOUT"]

TITLES = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
LAYOUT = conll.Layout(TITLES, tuple(title.lower() for title in TITLES), specials=True)
_ROW = re.compile(r"\d+(?:[-.]\d+)?\t(?:[^\t\n]*\t){8}[^\t\n]*")
_UNIVERSAL = re.compile(
    r"ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB|X|_"
)


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file is CoNLL-U: ten columns, universal tags."""
    rows = [row for row in start.split("\n") if row and not row.startswith("#")]
    whole = [row for row in rows if _ROW.fullmatch(row)]
    if not whole or len(whole) < len(rows) - 1:  # the last one may be cut
        return 0.0
    if any(row.split("\t", 1)[0].find(mark) > 0 for row in whole for mark in "-."):
        return 1.0
    universal = sum(1 for row in whole if _UNIVERSAL.fullmatch(row.split("\t")[3]))
    comments = any(line.startswith(("# sent_id", "# text", "# newdoc")) for line in start.split("\n"))
    return 1.0 if comments else 0.5 + 0.4 * universal / len(whole)


def read(data: bytes, path: str, line: int, options: Options) -> Dependencies:
    """Read a whole file."""
    return conll.read(data, path, line, options, LAYOUT)


def problems(data: bytes, options: Options) -> Iterator[Problem]:
    """Find everything that is wrong with the lines of a file."""
    return conll.problems(data, options, LAYOUT)


def write(corpus: Dependencies) -> Iterator[bytes]:
    """Return the bytes of a file, piece by piece."""
    return conll.write(corpus, LAYOUT)


FORMAT = Format(
    name="conllu",
    title="CoNLL-U (Universal Dependencies)",
    corpus=Dependencies,
    suffixes=(".conllu",),
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=blank_line_cut,
    write=write,
    aliases=("conll-u", "ud"),
)
