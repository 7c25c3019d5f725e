"""Probable annotation errors, as a table."""

from __future__ import annotations

from commonground.grid import Column, Grid
from commonground.plurals import number_of
from commonground.proofreading.suspects import AnnotationErrors, Suspect
from commonground.report.visible import visible

__all__ = ["grids"]


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
    if not errors.words:
        lead = "No sentence has changed."
    note = f"{len(errors) - len(shown):,} more; the result as JSON, a page or a sheet has all."
    notes = [note] if len(errors) > len(shown) else []
    return [Grid.of("Probable errors", columns, rows, notes, signature=errors.signature, lead=lead)]


def _proposal(each: Suspect) -> str:
    return f"{visible(each.new_deprel)} of {each.new_head}" if each.proposed else ""
