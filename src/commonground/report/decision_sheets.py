"""Sheets (tables of tab-separated values) on which people decide, written and read back.

A sheet goes through spreadsheets, which quote cells, turn what looks like a number into another
one, and run what looks like a formula. So a cell that would be one begins with an apostrophe, and
only the decision, another value, and a key of letters are read back. A sheet that was saved with
commas or semicolons is read as well.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from commonground.errors import InputError
from commonground.evaluation.construction_groups import Question
from commonground.formats.disagreement import Choice, Disagreement, unfit
from commonground.formats.patch import ColumnChange, Patch, SentencePatch
from commonground.proofreading.suspects import AnnotationErrors
from commonground.report.visible import visible

__all__ = [
    "Sheet",
    "accepted",
    "adjudication_sheet",
    "decided_sheet",
    "decisions",
    "errors_sheet",
    "keys_of",
    "made_decisions",
    "read_sheet",
]

_ADJUDICATION = ("decision", "other value", "key")
_ERRORS = ("decision", "sentence", "word", "form", "head", "deprel", "new head", "new deprel")
_ACCEPT, _DECISIONS = "accept", ("accept", "reject", "skip", "")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet that was read: where, its titles, and each row's line and cells by their titles."""

    path: str
    titles: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str]], ...]

    @property
    def annotators(self) -> tuple[str, ...]:
        """The annotators of a sheet of disagreements; none are of one of probable errors."""
        titles = self.titles
        if not {*_ADJUDICATION, "form", "text"} <= set(titles):
            return ()
        return titles[titles.index("form") + 1 : titles.index("text")]


def keys_of(sheet: Sheet) -> tuple[str, ...]:
    """Return what each row is about: a disagreement's key, or a word with what is proposed."""
    if sheet.annotators:
        return tuple(cells["key"].strip() for _, cells in sheet.rows)
    _require(sheet)
    titles = ("sentence", "word", "new head", "new deprel")
    return tuple("\t".join(cells[title] for title in titles) for _, cells in sheet.rows)


def made_decisions(sheet: Sheet) -> dict[str, str]:
    r"""Return the decisions on a sheet, by the keys of its rows; a value of one's own after ``=``.

    >>> text = "decision\tother value\tkey\tform\tann\tben\ttext\n\tX\tab\tit\tY\tZ\t\n"
    >>> made_decisions(read_sheet(text, "a.tsv"))
    {'ab': '=X'}
    """
    made = {}
    for key, (_, cells) in zip(keys_of(sheet), sheet.rows, strict=True):
        other = cells.get("other value", "").strip() if sheet.annotators else ""
        made[key] = f"={other}" if other else cells["decision"].strip()
    return {key: decision for key, decision in made.items() if decision}


def decided_sheet(sheet: Sheet, decisions: Mapping[str, str]) -> str:
    """Return a sheet with decisions, as :func:`made_decisions` reads them back."""
    rows = []
    for key, (_, cells) in zip(keys_of(sheet), sheet.rows, strict=True):
        decision = decisions.get(key, "")
        own = decision[:1] == "="
        new = {"decision": "" if own else decision, "other value": decision[1:] if own else ""}
        rows.append([(cells | new)[title] for title in sheet.titles])
    return _table([sheet.titles, *rows])


# ── disagreements of annotators ──────────────────────────────────────────────────────────────────


def adjudication_sheet(
    questions: Sequence[Question], names: Sequence[str], decided: Mapping[str, str] | None = None
) -> str:
    """Return the sheet of disagreements between annotators of these names."""
    titles = (*_ADJUDICATION, "column", "construction", "sentence", "word", "form", *names, "text")
    rows = (
        ((decided or {}).get(each.key, ""), "", each.key, each.column, question.construction,
         each.sentence, each.word, each.form, *each.values, question.text)
        for question in questions
        for each in [question.disagreement]
    )  # fmt: skip
    return _table([titles, *rows])


def decisions(sheet: Sheet, asked: Sequence[Disagreement]) -> dict[str, Choice]:
    """Return what was decided, by the keys of disagreements; rows without a decision are left."""
    known = {each.key: each for each in asked}
    path, names = sheet.path, sheet.annotators
    made: dict[str, Choice] = {}
    for line, cells in sheet.rows:
        decision, other = cells.get("decision", "").strip(), cells.get("other value", "").strip()
        if not decision and not other:
            continue
        key = cells.get("key", "").strip()
        question = known.get(key)
        if question is None:
            raise InputError(
                path, line, f"no disagreement has the key {key!r}; the files are not those of the "
                "sheet, or have changed: make a new sheet",
            )  # fmt: skip
        if decision and other:
            raise InputError(path, line, "both an annotator and another value; one of them is")
        if decision and decision not in names:
            raise InputError(
                path, line, f"decision is {decision!r}; {', '.join(names)} are the annotators, and "
                "another value stands in the column beside it",
            )  # fmt: skip
        if other and (why := unfit(question, other)):
            raise InputError(path, line, why)
        choice = Choice(names.index(decision)) if decision else Choice(value=other)
        if made.setdefault(key, choice) != choice:
            raise InputError(path, line, f"the key {key!r} comes again, with another decision")
    return made


# ── probable errors ──────────────────────────────────────────────────────────────────────────────


def errors_sheet(errors: AnnotationErrors) -> str:
    """Return the sheet to decide on all suspects."""
    rows: list[Sequence[str]] = [(*_ERRORS, "doubt", "sure", "reasons", "text")]
    for each in errors.suspects:
        new = (str(each.new_head), each.new_deprel) if each.proposed else ("", "")
        because = "; ".join(reason.text for reason in each.reasons)
        rows.append(
            ("", each.sentence, str(each.word), each.form, str(each.head), each.deprel, *new,
             f"{each.doubt:.3f}", f"{each.sure:.3f}", because, each.text)
        )  # fmt: skip
    return _table(rows)


def accepted(sheet: Sheet) -> Patch:
    """Return the proposals that were accepted in a sheet of probable errors."""
    chosen: dict[str, list[ColumnChange]] = {}
    _require(sheet)
    for line, cells in sheet.rows:
        decision = cells["decision"].strip()
        if decision not in _DECISIONS:
            known = "accept, reject and skip are decisions"
            raise InputError(sheet.path, line, f"decision is {decision!r}; {known}")
        if decision != _ACCEPT:
            continue
        if not cells["new head"]:
            raise InputError(sheet.path, line, "accepted, but there is no proposal")
        pairs = (("HEAD", "head", "new head"), ("DEPREL", "deprel", "new deprel"))
        chosen.setdefault(cells["sentence"], []).extend(
            ColumnChange(cells["word"], column, cells[old], cells[new])
            for column, old, new in pairs
            if cells[old] != cells[new]
        )
    return Patch(tuple(SentencePatch(name, tuple(some)) for name, some in chosen.items()))


def _require(sheet: Sheet) -> None:
    missing = [title for title in _ERRORS if title not in sheet.titles]
    if missing:
        raise InputError(sheet.path, 1, f"there is no column {missing[0]!r}")


# ── tables ───────────────────────────────────────────────────────────────────────────────────────

_FORMULA = ("=", "+", "-", "@")


def _table(rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerows([_cell(each) for each in row] for row in rows)
    return text.getvalue()


def _cell(text: str) -> str:
    shown = visible(text)
    return f"'{shown}" if shown[:1] in _FORMULA else shown


def read_sheet(text: str, path: str) -> Sheet:
    r"""Return a sheet.

    >>> read_sheet("decision;sentence\naccept;s1\n", "a.csv").rows
    ((2, {'decision': 'accept', 'sentence': 's1'}),)
    """
    text = text.removeprefix("\ufeff")
    separator = text.removeprefix('"').removeprefix("decision").removeprefix('"')[:1]
    if "decision" not in text[:9] or separator not in ("\t", ",", ";"):
        raise InputError(path, 1, "this is no patch and no sheet; its first column is 'decision'")
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    try:
        titles = tuple(map(_uncelled, next(reader)))
        rows = tuple(
            (reader.line_num, dict(zip_longest(titles, map(_uncelled, cells), fillvalue="")))
            for cells in reader
            if any(cells)
        )
    except csv.Error as error:
        raise InputError(path, reader.line_num, f"the sheet cannot be read: {error}") from error
    return Sheet(path, titles, rows)


def _uncelled(text: str) -> str:
    return text[1:] if text[:1] == "'" and text[1:2] in _FORMULA else text
