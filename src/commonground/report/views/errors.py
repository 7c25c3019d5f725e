"""Probable annotation errors, as a table."""

from __future__ import annotations

from commonground.grid import Column, Grid
from commonground.plurals import number_of
from commonground.proofreading.suspects import AnnotationErrors, Suspect
from commonground.report.visible import visible

__all__ = ["grids", "sheet_text"]


def grids(errors: AnnotationErrors, *, top: int = 20) -> list[Grid]:
    """Return a table of the `top` suspects, the most doubtful first."""
    shown = errors.suspects[:top]
    columns = (
        "sentence", Column("word", "right"), "form", "annotated", "proposed",
        Column("doubt", "right", 2), "because",
    )  # fmt: skip
    rows = (
        (visible(each.sentence), each.word, visible(each.form),
         f"{visible(each.deprel)} of {each.head}", _proposal(each), each.doubt,
         visible("; ".join(reason.text for reason in each.reasons[:2])))
        for each in shown
    )  # fmt: skip
    lead = (
        f"{number_of(len(errors), 'word')} of {errors.words:,} to look at, the most doubtful first."
    )
    note = f"{len(errors) - len(shown):,} more; the result as JSON, a page or a sheet has all."
    notes = [note] if len(errors) > len(shown) else []
    return [Grid.of("Probable errors", columns, rows, notes, signature=errors.signature, lead=lead)]


def sheet_text(errors: AnnotationErrors) -> str:
    """Return a table to decide on all suspects: tab-separated, with an empty column in front.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.
    """
    titles = ("decision", "sentence", "word", "form", "head", "deprel", "new head", "new deprel",
              "doubt", "sure", "reasons", "text")  # fmt: skip
    rows = [titles]
    for each in errors.suspects:
        new = (str(each.new_head), each.new_deprel) if each.proposed else ("", "")
        because = "; ".join(reason.text for reason in each.reasons)
        rows.append(
            ("", each.sentence, str(each.word), each.form, str(each.head), each.deprel, *new,
             f"{each.doubt:.3f}", f"{each.sure:.3f}", because, each.text)
        )  # fmt: skip
    return "".join("\t".join(map(_cell, row)) + "\n" for row in rows)


def _cell(text: str) -> str:
    shown = visible(text)
    return f"'{shown}" if shown[:1] in ("=", "+", "-", "@") else shown


def _proposal(each: Suspect) -> str:
    return f"{visible(each.new_deprel)} of {each.new_head}" if each.proposed else ""
