r"""The derivations (``.auto``) of CCGbank and of CCG parsers, which are read, not written.

A sentence is a line ``ID=wsj_0001.2 PARSER=GOLD NUMPARSE=1`` and a line with its derivation. A node
is ``(<T S[dcl] 0 2> …)``: its category, which of its parts is the head, and how many there are. A
word is ``(<L N/N NNP NNP Pierre N_73/N_73>)``: its category, two tags, the word, and the category
with the slots of its arguments. Categories are the labels of phrases and the tags of words, so that
the accuracy of tags is that of supertags; the first of the two tags is the feature of a word. A
sentence without a derivation has no words. Hockenmaier, J., and Steedman, M. (2005), CCGbank:
User's Manual.

>>> from commonground.formats import read_text
>>> birds, sing = r"(<L NP NNS NNS Birds NP>)", r"(<L S[dcl]\NP VBP VBP sing S[dcl]\NP_1>)"
>>> corpus = read_text(f"ID=a.1\n(<T S[dcl] 1 2> {birds} {sing} )\n")
>>> corpus.form.tolist(), corpus.tag.tolist(), corpus.label.tolist(), corpus.sent_id.tolist()
(['Birds', 'sing'], ['NP', 'S[dcl]\\NP'], ['S[dcl]'], ['a.1'])
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from commonground.corpus import Constituents, Strings
from commonground.errors import Problem, quoted
from commonground.formats.codecs.brackets import tables_and_failures
from commonground.formats.format import Format, FormatOptions
from commonground.formats.notation.escapes import LABELS, WORDS
from commonground.formats.notation.line_reader import problems_among, sound, text_lines
from commonground.plurals import number_of

__all__ = ["FORMAT"]

_ID = re.compile(r"ID=([^\s,]+)")
_PIECE = re.compile(
    r" *(?:\(<T ([^\s<>]+) [0-9]{1,9} ([1-9][0-9]{0,8})>"
    r"|\(<L ([^\s<>]+) (\S+) \S+ (\S+) [^\s<>]+>\)"
    r"|(\)))"
)


@dataclass
class _Derivation:
    """A sentence: its line, its id, its tree in brackets, and the tags of its words."""

    line: int
    sent_id: str = ""
    tree: str = "()"
    tags: list[str] = field(default_factory=list)


def looks_like(start: str) -> float:
    """Tell from the first lines how likely a file is of derivations: by how they begin."""
    rows = [row for row in start.split("\n") if row.strip() and not _ID.match(row)]
    return 1.0 if rows and rows[0].startswith(("(<T ", "(<L ")) else 0.0


def _find(data: bytes) -> Iterator[_Derivation | Problem]:
    """Find the sentences, and what is wrong."""
    lines, wrong = text_lines(data)
    yield from wrong
    waiting: _Derivation | None = None
    for number, line in enumerate(lines, 1):
        if told := _ID.match(line):
            if waiting:
                yield waiting
            waiting = _Derivation(number, told[1])
        elif line.strip():
            derivation = waiting or _Derivation(number)
            message = _read(line, derivation)
            yield Problem(number, message) if message else derivation
            waiting = None
    if waiting:
        yield waiting


def _read(line: str, derivation: _Derivation) -> str:
    """Read a derivation, and return what is wrong with it, if anything."""
    parts: list[str] = []
    missing: list[int] = []  # how many parts each open node still needs
    place = 0
    while place < len(line):
        piece = _PIECE.match(line, place)
        if not piece:
            expected = "(<T CATEGORY HEAD PARTS>, (<L CATEGORY TAG TAG WORD CATEGORY>) or )"
            return f"{quoted(line[place:].strip(), 20)}; {expected} is expected"
        if place and not missing:
            return "more than one tree; a line has one"
        place = piece.end()
        category, number, supertag, tag, word, closing = piece.groups()
        if closing:
            if not missing or missing.pop():
                return "a node has fewer parts than it tells"
            parts.append(")")
            continue
        if missing and not missing[-1]:
            return "a node has more parts than it tells"
        if missing:
            missing[-1] -= 1
        if category:
            missing.append(int(number))
            parts.append(f"({LABELS.written(category)} ")
        else:
            derivation.tags.append(tag)
            parts.append(f"({LABELS.written(supertag)} {WORDS.written(WORDS.read(word))})")
    derivation.tree = "".join(parts)
    if missing:
        return f"{number_of(len(missing), 'bracket is', 'brackets are')} not closed"
    return ""


def read(data: bytes, path: str, line: int, options: FormatOptions) -> Constituents:  # noqa: ARG001  # as in all formats
    """Read a whole file."""
    derivations = sound(_find(data), path, line)
    text = "".join(f"{each.tree}\n" for each in derivations)
    tables, _, _ = tables_and_failures(text.encode(), WORDS, b"(_ _)")
    tags = Strings.of(tag for each in derivations for tag in each.tags)
    tables["words"] = tables["words"].replace(feats=tags)
    comments = [f"# sent_id = {each.sent_id}" if each.sent_id else "" for each in derivations]
    lines = np.array([each.line for each in derivations], np.int64) + (line - 1)
    return Constituents(tables, comments=comments, path=path, lines=lines)


def problems(data: bytes, options: FormatOptions) -> Iterator[Problem]:  # noqa: ARG001  # as in all formats
    """Find everything that is wrong."""
    return problems_among(_find(data))


def cut(block: bytes) -> int:
    """Cut before the last id."""
    return block.rfind(b"\nID=") + 1


FORMAT = Format(
    name="ccg",
    title="CCGbank (derivations)",
    corpus=Constituents,
    looks_like=looks_like,
    read=read,
    problems=problems,
    cut=cut,
    aliases=("ccg-derivations",),
)
