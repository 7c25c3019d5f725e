r"""Historical corpora in the style of the Penn ones, whose brackets differ in three ways.

- An ``(ID …)`` stands beside each tree: ``( (IP-MAT …) (ID EIRIKS,.789))``. It becomes a comment.
- What is not there is the only thing in its phrase, ``(NP-SBJ *con*)`` and ``(C 0)``, and so are
  remarks, ``(CODE {COM:sic})``. It is read as the trace that it is, ``(NP-SBJ (-NONE- *con*))``.
- In some of them each word is told with its lemma, ``(N-N bók-bók)``.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Strings, Table
from commonground.formats.codecs.brackets import without_rows

__all__ = ["with_ids", "with_lemmas", "with_traces"]

_EMPTY = re.compile(
    rb"\((?!-NONE-|NUM)([^\s()]+)([ \t]+)(\*[^\s()]*|0)\)|\((CODE)([ \t]+)([^\s()]+)\)"
)
_MOST = 0.95
"""The share of words that must be told with a lemma; some are blackened or broken off."""


def with_traces(data: bytes) -> bytes:
    r"""Put traces and remarks into a bracket of their own.

    >>> with_traces(b"(IP (NP-SBJ *con*) (C 0) (NUM 0) (N-N tree-tree))")
    b'(IP (NP-SBJ (-NONE- *con*)) (C (-NONE- 0)) (NUM 0) (N-N tree-tree))'
    """
    return _EMPTY.sub(rb"(\1\4\2\5(-NONE- \3\6))", data)


def with_ids(
    found: dict[str, Table], comments: list[str] | None, lines: NDArray[np.int64]
) -> tuple[dict[str, Table], list[str] | None, NDArray[np.int64]]:
    """Make the ids beside trees comments."""
    words, nodes = found["words"], found["nodes"]
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
    return {**found, "words": without_rows(words, gone)}, told, lines


def with_lemmas(words: Table) -> Table:
    """Part words from their lemmas, where (nearly) all that are no traces are told with one."""
    forms, traces = words.strings("form"), words.strings("tag").where("-NONE-".__eq__)
    told = forms.where(lambda text: "-" in text[1:-1]) & ~traces
    if not told.any() or told.sum() < _MOST * (~traces).sum():
        return words
    columns = [
        Strings.of(
            _parted(form)[part] if lemma else (form, "_")[part]
            for form, lemma in zip(forms.tolist(), told.tolist(), strict=True)
        )
        for part in (0, 1)
    ]
    return words.replace(form=columns[0], lemma=columns[1])


def _parted(text: str) -> tuple[str, str]:
    """Return a word and its lemma.

    >>> _parted("bækur-bók"), _parted("---")
    (('bækur', 'bók'), ('-', '-'))
    """
    at = text.rindex("-", 1, len(text) - 1)
    return text[:at], text[at + 1 :]
