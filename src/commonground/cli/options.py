"""What the verbs have in common on the command line."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from pathlib import Path, PurePath
from typing import Any, TypeVar

import click

from commonground.cli.output_files import OUTPUT, OUTPUT_OR_FOLDER, OutputPath, checked_outputs
from commonground.errors import UsageError
from commonground.report.tables import FORMATS

__all__ = [
    "INPUT",
    "SAFE_CELLS",
    "SIGNATURE",
    "broken_files_option",
    "encoding_option",
    "flag_of",
    "format_alone_option",
    "format_option",
    "listing_options",
    "named",
    "output_options",
    "partial_option",
    "renamed_option",
    "repair_option",
    "report_options",
    "run_options",
    "signature_option",
    "source_and_target",
]

Function = TypeVar("Function", bound=Callable[..., Any])


class InputPath(click.Path):
    """A file to be read, which must not be written by mistake."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name of the file, and note it."""
        from commonground.formats.storage.files import note_input

        path = super().convert(value, param, ctx)
        note_input(str(path))
        return path


class Renamed(click.Option):
    """An option with former names that still work, and that nothing shows any more.

    One name has one meaning over all verbs; where two verbs used a name for different things, one
    of them has another name now.
    """

    def __init__(self, *args: Any, former: Sequence[str] = (), **attributes: Any) -> None:
        self.former = tuple(former)
        super().__init__(*args, **attributes)

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Tell the parser all names, while help and completion know the present ones."""
        opts, secondary = self.opts, self.secondary_opts
        names = [name.split("/") for name in self.former]
        self.opts = [*opts, *(first for first, *_ in names)]
        self.secondary_opts = [*secondary, *(other for _, *others in names for other in others)]
        try:
            super().add_to_parser(parser, ctx)
        finally:
            self.opts, self.secondary_opts = opts, secondary


def renamed_option(*names: str, former: Sequence[str], **attributes: Any) -> Callable[[Any], Any]:
    """Return an option whose former names still work, but are not shown."""
    return click.option(*names, cls=Renamed, former=former, **attributes)


SAFE_CELLS = "commonground.safe_cells"
"""Where a context remembers whether cells are to be no formulas."""

INPUT = InputPath()
"""A file to be read; what its name means (``-``, ``example:ud``) is the reader's business."""


def _use_encoding(context: click.Context, _: click.Parameter, name: str | None) -> None:
    """Read all files of this command in an encoding."""
    if name is None:
        return
    from commonground.formats.storage.encodings import ENCODING, set_encoding

    _restore_at_end(context, ENCODING)
    set_encoding(name)


def _use_broken_files(context: click.Context, _: click.Parameter, way: str | None) -> None:
    """Leave files of folders out that cannot be read, or not, in this command."""
    if way is None:
        return
    from commonground.formats.storage.folders import BROKEN_FILES

    _restore_at_end(context, BROKEN_FILES)
    os.environ[BROKEN_FILES] = way


def _restore_at_end(context: click.Context, variable: str) -> None:
    """Give an environment variable the value again that it has now, when a command is over."""
    before = os.environ.get(variable)

    def restore() -> None:
        os.environ.pop(variable, None)
        if before is not None:
            os.environ[variable] = before

    context.call_on_close(restore)


broken_files_option = click.option(
    "--broken-files",
    type=click.Choice(["fail", "skip"]),
    expose_value=False,
    is_eager=True,
    callback=_use_broken_files,
    help="What to do with files of a folder that cannot be read: fail (the default), or skip them, "
    "with a warning.",
)

encoding_option = click.option(
    "--encoding",
    metavar="NAME",
    expose_value=False,
    is_eager=True,
    callback=_use_encoding,
    help="The encoding of the files, such as latin-1; by default UTF-8, or guessed with a warning.",
)


format_alone_option = click.option(
    "--format",
    "input_format",
    metavar="NAME",
    help="The format of the files; detected from their content by default.",
)
"""The option of verbs whose ``--encoding`` is something else."""


def format_option(function: Function) -> Function:
    """Add ``--format`` and ``--encoding``."""
    return format_alone_option(encoding_option(function))


partial_option = click.option(
    "--partial", is_flag=True, help="Allow words without a head (partial trees)."
)

repair_option = click.option(
    "--repair",
    type=click.Choice(["right-branching", "open"]),
    help="Mend what language models, students or broken exports write to the nearest trees; words "
    "without a head hang on the one before (right-branching) or stay without one (open).",
)

partial_anyway = click.option("--partial", is_flag=True, hidden=True, expose_value=False)
"""The same of a verb that only looks at trees: these may be partial without it."""

source_and_target = (
    click.argument("source", metavar="IN", type=INPUT),
    click.argument("target", metavar="OUT", type=OUTPUT_OR_FOLDER),
    click.option(
        "--format",
        "source_format",
        metavar="NAME",
        help="The format of IN; detected from its content by default.",
    ),
    renamed_option(
        "--target-format",
        former=["--to"],
        metavar="NAME",
        help="The format of OUT; by default chosen by its suffix, or CoNLL-U on standard output.",
    ),
)
"""The arguments IN and OUT, and their formats."""


def flag_of(command: click.Command, name: str) -> str:
    """Return how an option of a command is written."""
    return next(option.opts[0] for option in command.params if option.name == name)


def named(arguments: Sequence[str], what: str) -> dict[str, str]:
    """Return files by their names: of NAME=FILE the first part, of FILE the whole.

    >>> named(["mine=a.conllu", "b.conllu"], "parses")
    {'mine': 'a.conllu', 'b.conllu': 'b.conllu'}
    """
    from commonground.formats.storage.files import note_input

    files: dict[str, str] = {}
    for text in arguments:
        name, equals, path = text.partition("=")
        if not equals or not name or Path(text).exists() or _is_named(text):
            name, path = text, text
        if not path:
            raise UsageError(f"{text!r} does not name a file; write NAME=FILE")
        note_input(path)
        if name in files:
            raise UsageError(f"two {what} are called {name}; write NAME=FILE to rename one")
        files[name] = path
    return files


def _is_named(text: str) -> bool:
    """Tell whether a text with = is a system, such as ``command:'parser --model=a'``."""
    if not re.match("[a-z]+:", text):
        return False
    from commonground.parsers.systems import is_named

    return is_named(text)


SUFFIXES = {
    ".json": "json",
    ".tsv": "tsv",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
}
"""The output formats that the name of a file stands for, unless another one is given."""


def output_options(function: Function) -> Function:
    """Add ``--output-format``, ``-o`` and ``--safe-cells``."""
    return _output_options(_output_option(), SUFFIXES)(function)


def listing_options(function: Function) -> Function:
    """Add the same for a verb that draws: what a drawing can be is no format of tables."""
    tables = {suffix: SUFFIXES[suffix] for suffix in (".json", ".tsv", ".md")}
    return _output_options(_output_option(OUTPUT_OR_FOLDER), tables)(function)


def _output_option(kind: OutputPath = OUTPUT) -> Callable[[Any], Any]:
    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        type=kind,
        default="-",
        help="Write the result to FILE, completely or not at all.",
    )


def report_options(function: Function) -> Function:
    """Add ``--output-format``, ``--report-file`` and ``--safe-cells``, for verbs that write OUT."""
    return _output_options(
        renamed_option(
            "--report-file",
            "output",
            former=["-o", "--output"],
            metavar="FILE",
            type=OUTPUT,
            default="-",
            help="Write the report to FILE, completely or not at all.",
        ),
        SUFFIXES,
    )(function)


def _output_options(
    file: Callable[[Any], Any], suffixes: Mapping[str, str]
) -> Callable[[Function], Function]:
    return _all(
        click.option(
            "--output-format",
            type=click.Choice(FORMATS),
            default="text",
            callback=lambda context, option, given: _format(context, option, given, suffixes),
            help="The output format.  [default: by the suffix of the output file, or text]",
        ),
        file,
        click.option(
            "--safe-cells",
            is_flag=True,
            expose_value=False,
            callback=lambda context, _, wanted: context.meta.update({SAFE_CELLS: wanted}),
            help="Put ' before cells that a spreadsheet would read as formulas (= + - @).",
        ),
    )


def _format(
    context: click.Context, option: click.Parameter, given: str, suffixes: Mapping[str, str]
) -> str:
    """Return the output format: the one that was given, or that of the file that is written.

    Options that were not given are looked at after those that were, so that the file is known.
    """
    name = str(option.name)
    source = context.get_parameter_source(name)
    path = PurePath(context.params.get("output") or "-")
    told = suffixes.get(path.suffix.lower())
    if source is click.core.ParameterSource.COMMANDLINE or told is None:
        return given
    # What is saved with a result is a command that makes it again, wherever it is written to.
    context.set_parameter_source(name, click.core.ParameterSource.COMMANDLINE)
    return told


signature_option = click.option(
    "--signature",
    type=click.Choice(["short", "full"]),
    default="short",
    show_default=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({SIGNATURE: value}),
    help="Show in signatures only the settings that differ from the defaults, or all of them.",
)

SIGNATURE = "commonground.signature"
"""Where the context of a command says how signatures are shown."""


def run_options(*used: str) -> Callable[[Function], Function]:
    """Add ``--jobs``, ``--seed``, ``--quiet`` and ``--overwrite``.

    Every verb accepts them, so that scripts can give them to all alike; a verb gets, and its help
    shows, those that it has a use for.
    """
    return _all(
        *(_engine_options() if "jobs" in used else ()),
        *(
            click.option(
                *_SHORT.get(name, ()),
                f"--{name}",
                **_RUN[name],
                expose_value=name in used,
                hidden=name not in used,
            )
            for name in _RUN
        ),
        checked_outputs,
    )


_RUN: dict[str, dict[str, Any]] = {
    "jobs": {
        "type": click.IntRange(min=0),
        "default": 1,
        "show_default": True,
        "metavar": "N",
        "help": "Use N processes (0: one per core); the result stays the same.",
        "callback": lambda context, _, jobs: _engine(context, jobs),
    },
    "seed": {
        "type": int,
        "default": 0,
        "show_default": True,
        "metavar": "N",
        "help": "The random seed.",
    },
    "quiet": {"is_flag": True, "help": "Hide the progress bar and the remarks on standard error."},
    "overwrite": {
        "is_flag": True,
        "is_eager": True,  # before the inputs are noted
        "callback": lambda _, __, allowed: _guard(allowed=allowed),
        "help": "Allow an input file to be overwritten.",
    },
}


_SHORT = {"quiet": ("-q",)}

_ENGINE, _SCHEDULER = "commonground.engine", "commonground.scheduler"


def _engine_options() -> tuple[Callable[[Any], Any], ...]:
    """Return the options that put another engine in the place of processes."""

    def noted(key: str) -> Callable[[click.Context, click.Parameter, Any], None]:
        return lambda context, _, value: context.meta.__setitem__(key, value)

    common: dict[str, Any] = {"expose_value": False, "is_eager": True}
    return (
        click.option(
            "--engine",
            type=click.Choice(["processes", "serial", "dask"]),
            default="processes",
            callback=noted(_ENGINE),
            help="Work in several processes, in this one only, or on a Dask cluster.",
            **common,
        ),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            callback=noted(_SCHEDULER),
            help="The Dask cluster to use; without it, --engine dask starts a local one.",
            **common,
        ),
    )


def _engine(context: click.Context, jobs: int) -> Any:
    """Return how many processes are asked for, or another engine."""
    wanted, scheduler = context.meta.get(_ENGINE), context.meta.get(_SCHEDULER)
    if scheduler and wanted != "dask":
        raise UsageError("--scheduler has no effect without --engine dask")
    if wanted == "dask":
        from commonground.engine import Dask

        return Dask(scheduler or "", jobs)
    return 1 if wanted == "serial" else jobs


def _guard(*, allowed: bool) -> None:
    from commonground.formats.storage.files import guard_inputs

    guard_inputs(wanted=not allowed)


def _all(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    return lambda function: reduce(lambda f, option: option(f), reversed(options), function)
