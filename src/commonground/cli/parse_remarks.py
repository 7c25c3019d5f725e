"""What ``evaluate`` says about parses on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from commonground.cli.output import on_terminal
from commonground.cli.remarks import remark
from commonground.cli.significance import parts
from commonground.errors import UsageError
from commonground.plurals import number_of

if TYPE_CHECKING:
    from commonground.evaluation.scores import Evaluation

__all__ = ["refuse_nothing", "warn_about_parses"]


def warn_about_parses(evaluation: Evaluation, *, quiet: bool) -> None:
    """Say on standard error what is odd about parses, unless a table on the screen says it."""
    from commonground.evaluation.notes import all_note_lines

    systems = () if quiet or _told_by_the_table() else evaluation.systems
    for line in all_note_lines([(system.name, system.noted) for system in systems]):
        remark(line)
    for system in systems:
        if system.other_scheme:
            remark(system.other_scheme.line(system.name))
        if system.repairs:
            remark(system.repairs.line(system.name))


def _told_by_the_table() -> bool:
    """Tell whether the notes stand below a table on the same screen."""
    context = click.get_current_context()
    shown = parts(context.params["tables"])
    return (
        context.params["output_format"] == "text"
        and on_terminal(context.params["output"])
        and not context.params["style"]
        and (not shown or "scores" in shown)
    )


def refuse_nothing(evaluation: Evaluation) -> None:
    """Raise an error where the filters, or skipped sentences, have left nothing to score."""
    for system in evaluation.systems:
        if all(score.empty for score in system.scores.values()):
            count = number_of(len(system.skipped), "sentence was", "sentences were")
            skipped = f": {count} left out" if system.skipped else ""
            raise UsageError(f"{system.name}: there is nothing left to score{skipped}")
