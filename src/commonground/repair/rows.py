"""Drafts from the lines of a CoNLL-U file that somebody has not quite mastered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from commonground.errors import quoted
from commonground.formats.codecs.conllu import TITLES
from commonground.plurals import number_of
from commonground.repair.columns import DEPREL, FORM, HEAD, ID, arranged, header_of, is_number
from commonground.repair.defects import Defect
from commonground.repair.drafts import Draft, Draftings, DraftToken, DraftWord, with_tree_defects
from commonground.repair.heads import places_by_form, resolved_head
from commonground.repair.row_fields import fields_of, is_fence, is_rule

__all__ = ["drafts_of_rows"]

_WORD = re.compile(r"([0-9]{1,9})[.)]?")
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_EMPTY = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}")


class _Row(NamedTuple):
    """A row: its line, its ten columns, and the number that its ID is (-1: none)."""

    line: int
    columns: list[str]
    number: int


@dataclass(slots=True)
class _Sentence:
    """The sentence at hand."""

    comments: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    rows: list[_Row] = field(default_factory=list)
    specials: list[tuple[int, _Row]] = field(default_factory=list)
    defects: list[Defect] = field(default_factory=list)
    gap: int = 0  # the line of a blank line after its last row
    header: dict[int, int] | None = None

    @property
    def last(self) -> int:
        return self.rows[-1].number if self.rows else 0


def drafts_of_rows(text: str) -> Draftings:  # noqa: C901  # one case for each kind of line
    r"""Return the drafts in a text, and the defects that belong to none.

    >>> made = drafts_of_rows("Sure!\n```\n1\tHi\thi\tINTJ\t_\t_\t2\troot\t_\t_\n```\n")
    >>> [defect.kind for defect in made.defects], [d.kind for d in made.drafts[0].defects]
    (['prose', 'fence', 'fence'], ['head-range'])
    """
    drafts: list[Draft] = []
    outside: list[Defect] = []
    now = _Sentence()

    def finish(header: dict[int, int] | None = None) -> None:
        nonlocal now
        if now.rows:
            drafts.append(_draft(now))
        now = _Sentence(header=header)

    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.removesuffix("\r")
        if not line.strip():
            now.gap = now.gap or (number if now.rows else 0)
        elif is_fence(line):
            outside.append(Defect("fence", number, f"a code fence: {quoted(line.strip(), 20)}"))
            now.gap = now.gap or (number if now.rows else 0)
        elif line.lstrip().startswith("#"):
            if now.gap:
                finish(now.header)
            if not line.startswith("#"):
                message = "white space before a comment"
                now.defects.append(Defect("separators", number, message))
            now.comments.append(line.strip())
            now.lines.append(line)
        elif is_rule(line):
            continue
        else:
            fields = fields_of(line, now.last + 1)
            header = header_of(fields.fields) if fields else None
            if fields is None:
                outside.append(Defect("prose", number, f"no row of a tree: {quoted(line.strip())}"))
            elif header is not None:
                outside.append(Defect("prose", number, "names of columns"))
                finish(header if len(fields.fields) != len(TITLES) else None)
            else:
                now = _with_row(now, number, line, fields.fields, tabs=fields.tabs, finish=drafts)
    finish()
    return Draftings(tuple(drafts), tuple(outside))


def _with_row(
    now: _Sentence, number: int, line: str, fields: list[str], *, tabs: bool, finish: list[Draft]
) -> _Sentence:
    """Add a row to the sentence at hand, or to a new one where it begins one."""
    defects = (
        [] if tabs else [Defect("separators", number, "columns are not separated by tabs alone")]
    )
    columns, wrong = _columns(fields, number, now.header)
    defects += wrong
    text = columns[ID]
    special = bool(_RANGE.fullmatch(text) or _EMPTY.fullmatch(text))
    match = _WORD.fullmatch(text)
    stated = int(match[1]) if match else -1
    begins = _number_that_begins(text)
    row = _Row(number, columns, stated)
    if now.rows and (now.gap or begins <= 1):
        goes_on = begins == now.last + 1 and begins > 1
        twice = not now.gap and row.columns[:2] == now.rows[-1].columns[:2]
        if not goes_on and not twice and (now.gap or begins in (0, 1)):
            missing = not now.gap
            finish.append(_draft(now))
            now = _Sentence(header=now.header)
            if missing:
                message = f"ID is {text} again; a blank line must come before a new sentence"
                now.defects.append(Defect("blank-line", number, message))
        elif goes_on:
            now.defects.append(Defect("blank-line", now.gap, "a blank line inside a sentence"))
    now.gap = 0
    now.defects += defects
    now.lines.append(line)
    if special:
        now.specials.append((len(now.rows), row))
        return now
    if now.rows and stated == now.last and columns[FORM] == now.rows[-1].columns[FORM]:
        message = f"word {stated} {quoted(columns[FORM])} stands there twice"
        now.defects.append(Defect("doubled-word", number, message))
        return now
    if stated != now.last + 1 or str(stated) != text:
        message = f"ID is {quoted(text)}; {now.last + 1} is expected"
        now.defects.append(Defect("id", number, message))
    now.rows.append(row if stated >= 0 else row._replace(number=now.last + 1))
    return now


def _number_that_begins(text: str) -> int:
    """Return the number of the word that a row is about, or that is next; -1 for none."""
    if match := _WORD.fullmatch(text):
        return int(match[1])
    if match := _RANGE.fullmatch(text):
        return int(match[1])
    return -1


def _columns(
    fields: list[str], line: int, header: dict[int, int] | None
) -> tuple[list[str], list[Defect]]:
    """Return the ten columns of a row, and what is wrong with their number or order."""
    width = len(TITLES)
    if len(fields) == width:
        columns = [field or "_" for field in fields]
        if not is_number(columns[HEAD]) and is_number(columns[DEPREL]):
            columns[HEAD], columns[DEPREL] = columns[DEPREL], columns[HEAD]
            return columns, [Defect("columns", line, "HEAD and DEPREL are exchanged")]
        return columns, []
    message = f"{number_of(len(fields), 'column')}; {width} are expected"
    return arranged(fields, header), [Defect("columns", line, message)]


# ── from rows to a draft ─────────────────────────────────────────────────────────────────────────


def _draft(sentence: _Sentence) -> Draft:
    rows = sentence.rows
    forms = [row.columns[FORM] for row in rows]
    by_form = places_by_form(forms)
    places: dict[int, int] = {}
    for place, row in enumerate(rows, 1):
        places.setdefault(row.number, place)
    texts = [row.columns[HEAD] for row in rows]
    if rows[0].number == 0:
        texts, places = _from_zero(rows, texts)
    defects = list(sentence.defects)
    words = []
    for row, text in zip(rows, texts, strict=True):
        head, wanted, defect = resolved_head(text, row.line, places, by_form)
        defects += [defect] if defect else []
        c = row.columns
        words.append(
            DraftWord(
                *(c[1], c[2], c[3], c[4], c[5], head, c[7], c[8], c[9]),
                number=row.number,
                wanted=wanted,
                line=row.line,
            )
        )
    tokens, wrong = _tokens(sentence.specials, places)
    defects += [*wrong, *with_tree_defects(tuple(words))]
    kept = not defects
    return Draft(
        tuple(words),
        tuple(sentence.comments),
        tokens,
        tuple(sorted(defects, key=lambda defect: defect.line)),
        "\n".join(sentence.lines) + "\n" if kept else "",
        rows[0].line,
    )


def _from_zero(rows: Sequence[_Row], texts: list[str]) -> tuple[list[str], dict[int, int]]:
    """Return heads and places of words that are counted from 0.

    Where a word is labelled as the root and has the head 0, heads are counted from 1 all the same.
    """
    roots = [text for row, text in zip(rows, texts, strict=True) if row.columns[DEPREL] == "root"]
    if "0" in roots and "-1" not in texts:
        return texts, {place: place for place in range(1, len(rows) + 1)}
    counted = []
    for row, text in zip(rows, texts, strict=True):
        own = text == str(row.number) and row.columns[DEPREL] == "root"
        if text == "-1" or own:
            counted.append("0")
        else:
            counted.append(str(int(text) + 1) if is_number(text) else text)
    return counted, {row.number + 1: place for place, row in reversed(list(enumerate(rows, 1)))}


def _tokens(
    specials: Sequence[tuple[int, _Row]], places: dict[int, int]
) -> tuple[tuple[DraftToken, ...], list[Defect]]:
    """Return the multiword tokens that fit the words, and what is wrong with others."""
    tokens: list[DraftToken] = []
    defects: list[Defect] = []
    for before, row in specials:
        match = _RANGE.fullmatch(row.columns[ID])
        if not match:
            continue  # empty nodes stay only where the sentence stays as it is
        first, last = (places.get(int(text), 0) for text in match.groups())
        covered = tokens[-1].last if tokens else 0
        if first == before + 1 and first <= last and first > covered:
            tokens.append(DraftToken(first, last, tuple(row.columns[1:])))
        else:
            message = f"multiword token {quoted(row.columns[ID])} does not fit the words"
            defects.append(Defect("token", row.line, message))
    return tuple(tokens), defects
