"""Brackets of Floresta Sintá(c)tica, which differ in three ways (Afonso et al. 2002).

- The function of a phrase or a word stands before its form, ``(SUBJ+np (H+n casa))``. It becomes
  the label of its edge.
- Punctuation is its own tag, ``(,)``. Some trees are not closed.
- The id of a sentence stands in the comment above it, ``#2 CP1-2 O 7 e Meio …``.
"""

from __future__ import annotations

import re

from commonground.corpus import Strings, Table

__all__ = ["is_floresta", "mended", "with_functions", "with_ids"]

_FUNCTION = re.compile(r"([A-Z?<>][A-Z<>?-]*)\+(\S+)")
_SIGN = re.compile(rb"\(([^\s()A-Za-z0-9]+)\)")
_ID = re.compile(r"^#[0-9]+ ([A-Z]+[0-9]+-[0-9]+)(?= |$)", re.MULTILINE)
_FIRST = re.compile(
    rb"^#[0-9]+ [A-Z]+[0-9]+-[0-9]+ [^\n]*\n\((?:STA|UTT|QUE|CMD|EXC)\+", re.MULTILINE
)
"""What sentences are: a statement, an utterance, a question, a command, an exclamation."""


def mended(data: bytes) -> bytes:
    r"""Give punctuation a tag, and close trees before the comment of the next one.

    >>> mended(b"#1 CP1-1 Casa,\n(STA+np (H+n casa) (,)\n#2 CP1-2 E\n(STA+conj-c e)")
    b'#1 CP1-1 Casa,\n(STA+np (H+n casa) (pu ,))\n#2 CP1-2 E\n(STA+conj-c e)'
    """
    lines = data.split(b"\n")
    depth, last = 0, -1
    for number, line in enumerate([*lines, b"#1 "]):
        if not line.startswith(b"#"):
            depth += line.count(b"(") - line.count(b")")
            last = number if line.strip() else last
        elif line[1:2].isdigit():
            if last >= 0 and depth > 0:
                lines[last] += b")" * depth
            depth, last = 0, -1
    return b"\n".join(line if line.startswith(b"#") else _SIGN.sub(_tagged, line) for line in lines)


def _tagged(sign: re.Match[bytes]) -> bytes:
    """Return punctuation with a tag; braces stand for the brackets of the text."""
    return b"(pu %s)" % _BRACKETS.get(sign[1], sign[1])


_BRACKETS = {b"{": b"-LRB-", b"}": b"-RRB-"}


def with_ids(comments: list[str] | None) -> list[str] | None:
    """Make the ids in comments those of the sentences."""
    if comments is None:
        return None
    return [_ID.sub(r"# sent_id = \1\n\g<0>", text) for text in comments]


def is_floresta(data: bytes) -> bool:
    r"""Tell whether a file has trees of Floresta, by what its sentences are.

    >>> is_floresta(b"#1 CP1-1 Casa.\n(UTT+n casa)"), is_floresta(b"(S (N dogs))")
    (True, False)
    """
    return _FIRST.search(data) is not None


def with_functions(tables: dict[str, Table]) -> dict[str, Table]:
    """Return trees with functions as labels of edges."""
    changed = dict(tables)
    for name, column in (("nodes", "label"), ("words", "tag")):
        texts = tables[name].strings(column)
        edges, forms = (texts.map(_part) for _part in (_edge, _form))
        columns: dict[str, Strings] = {column: forms, "edge": edges}
        changed[name] = tables[name].replace(**columns)
    return changed


def _edge(text: str) -> str:
    parts = _FUNCTION.fullmatch(text)
    return parts[1] if parts else "_"


def _form(text: str) -> str:
    parts = _FUNCTION.fullmatch(text)
    return parts[2] if parts else text.replace("{", "?")  # a broken one is no projection
