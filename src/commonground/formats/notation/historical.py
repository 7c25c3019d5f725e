r"""Historical corpora in the style of the Penn ones, whose brackets differ in five ways.

- An ``(ID …)`` stands beside each tree: ``( (IP-MAT …) (ID EIRIKS,.789))``. It becomes a comment.
- What is not there is the only thing in its phrase, ``(NP-SBJ *con*)`` and ``(C 0)``, and so are
  remarks, ``(CODE {COM:sic})``. It is read as the trace that it is, ``(NP-SBJ (-NONE- *con*))``.
- In some of them words are told with their lemmas, ``(N-N bók-bók)``: all, most, or nothing but
  punctuation, ``(, ,-,)``. A hyphen of the text is ``<dash/>`` there.
- Words of which one is written as the end of the other have a ``$`` where they were parted:
  ``(N-A frásögn$) (D-A $ina)``.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Strings, Table
from commonground.formats.codecs.brackets import without_rows

__all__ = ["with_ids", "with_traces", "with_words"]

_EMPTY = re.compile(
    rb"\((?!-NONE-|NUM)([^\s()]+)([ \t]+)(\*[^\s()]*|0)\)|\((CODE)([ \t]+)([^\s()]+)\)"
)
_MANY = 2 / 3
"""Where so many words have a dash inside, it stands before a lemma; no text has so many hyphens."""
_DASH = "<dash/>"
_SIGN = re.compile(r"([^\w-]+)-\1")
"""Punctuation that is told with its lemma."""


def with_traces(data: bytes) -> bytes:
    r"""Put traces and remarks into a bracket of their own.

    >>> with_traces(b"(IP (NP-SBJ *con*) (C 0) (NUM 0) (N-N tree-tree))")
    b'(IP (NP-SBJ (-NONE- *con*)) (C (-NONE- 0)) (NUM 0) (N-N tree-tree))'
    """
    return _EMPTY.sub(rb"(\1\4\2\5(-NONE- \3\6))", data)


def with_ids(
    tables: dict[str, Table], comments: list[str] | None, lines: NDArray[np.int64]
) -> tuple[dict[str, Table], list[str] | None, NDArray[np.int64]]:
    """Make the ids beside trees comments."""
    words, nodes = tables["words"], tables["nodes"]
    tags = words.strings("tag")
    many = np.flatnonzero(words.lengths > 1)
    last = words.offsets[many + 1] - 1
    outer = (nodes.strings("label")[nodes.offsets[many]] == "") & (words["parent"][last] == 0)
    is_id = outer & (tags[last] == "ID")
    many, last = many[is_id], last[is_id]
    told = list(comments) if comments else [""] * len(lines)
    forms = words.strings("form")[last].tolist()
    for sentence, sent_id in zip(many.tolist(), forms, strict=True):
        if "# sent_id" not in told[sentence]:
            told[sentence] = "\n".join(filter(None, [told[sentence], f"# sent_id = {sent_id}"]))
    gone = np.zeros(words.offsets[-1], np.bool_)
    gone[last] = True
    return {**tables, "words": without_rows(words, gone)}, told, lines


def with_words(words: Table) -> Table:
    """Return words without their lemmas and marks: as they stand in the text."""
    parted = _with_lemmas(words)
    forms = _whole(parted.strings("form").tolist(), parted.offsets.tolist())
    if _DASH in "".join(parted.strings("form").vocabulary):
        forms = [form.replace(_DASH, "-") for form in forms]
    return parted.replace(form=Strings.of(forms))


def _with_lemmas(words: Table) -> Table:
    """Part words from their lemmas: all where most have one, else only punctuation."""
    forms, traces = words.strings("form"), words.strings("tag").where("-NONE-".__eq__)
    told = forms.where(lambda text: "-" in text[1:-1]) & ~traces
    escaped = any(_DASH in text for text in forms.vocabulary)
    signs = forms.where(lambda text: not any(map(str.isalnum, text)))
    if not escaped and (told & ~signs).sum() < max(1, _MANY * (~traces & ~signs).sum()):
        told &= forms.where(lambda text: _SIGN.fullmatch(text) is not None)
    if not told.any():
        return words
    columns = [
        Strings.of(
            _parted(form)[part] if lemma else (form, "_")[part]
            for form, lemma in zip(forms.tolist(), told.tolist(), strict=True)
        )
        for part in (0, 1)
    ]
    return words.replace(form=columns[0], lemma=columns[1])


def _whole(forms: list[str], ends: list[int]) -> list[str]:
    """Return words without the marks of those that are written as one.

    >>> _whole(["frásögn$", "$ina", "US$"], [0, 3])
    ['frásögn', 'ina', 'US$']
    """
    if not any(form.startswith("$") for form in forms):
        return forms
    words = forms.copy()
    for start, stop in pairwise(ends):
        for place in range(start, stop - 1):
            one, other = forms[place], forms[place + 1]
            if one.endswith("$") and other.startswith("$") and min(len(one), len(other)) > 1:
                words[place] = words[place][:-1]
                words[place + 1] = words[place + 1][1:]
    return [form or whole for form, whole in zip(words, forms, strict=True)]


def _parted(text: str) -> tuple[str, str]:
    """Return a word and its lemma.

    >>> _parted("bækur-bók"), _parted("---")
    (('bækur', 'bók'), ('-', '-'))
    """
    at = text.rindex("-", 1, len(text) - 1)
    return text[:at], text[at + 1 :]
