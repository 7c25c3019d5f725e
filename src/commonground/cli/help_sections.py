"""Long pages of help: options under headings, and lists that are made when they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import click

__all__ = ["ListingOption", "SectionedCommand"]

_REST = "Other options"


class SectionedCommand(click.Command):
    """A command whose help has the options that people use most first, and the others by topic.

    `sections` has the options of each heading, as they are written on the command line; options
    that are in none come last.
    """

    def __init__(
        self, *args: Any, sections: Mapping[str, Sequence[str]] | None = None, **attributes: Any
    ) -> None:
        super().__init__(*args, **attributes)
        self.sections = dict(sections or {})

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, section by section."""
        records = {
            parameter.opts[-1]: record
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option)
            and (record := parameter.get_help_record(ctx)) is not None
        }
        placed = {flag for flags in self.sections.values() for flag in flags}
        rest = [flag for flag in records if flag not in placed]
        for heading, flags in {**self.sections, _REST: rest}.items():
            rows = [records[flag] for flag in flags if flag in records]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


class ListingOption(click.Option):
    """An option whose help has a list, in place of ``{}``, that is made when the help is shown.

    What is listed need not be imported before.
    """

    def __init__(self, *args: Any, listed: Callable[[], Iterable[str]], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.listed = listed

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help."""
        record = super().get_help_record(ctx)
        return record and (record[0], record[1].format(", ".join(self.listed())))
