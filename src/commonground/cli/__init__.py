"""The command ``commonground``: one small module per verb.

A verb parses its arguments, calls the API and prints what it returns. What all verbs share is here
(errors become one line and an exit code, whatever the verb), in :mod:`options` and in
:mod:`output`. Nothing but click is imported before it is known which verb is wanted.

Exit codes: 0 done, 1 a threshold was missed, 2 bad usage or bad input, 130 interrupted,
143 terminated.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from threading import current_thread, main_thread
from types import ModuleType
from typing import Any

import click

from commonground.errors import (
    CommonGroundError,
    FileWarning,
    InputError,
    OverwrittenInputError,
)
from commonground.plugins import Plugin, PluginWarning, installed, plugins
from commonground.plurals import number_of

__all__ = ["COMPLETION", "TASKS", "VERBS", "main"]

atexit.register(gc.freeze)  # cycles need not be looked for in memory that is about to be given back

COMPLETION = "_COMMONGROUND_COMPLETE"
"""The environment variable by which a shell asks for completions."""

TASKS = {
    "Score parsers": {
        "evaluate": "Score parses against a gold standard.",
        "trial": "Try systems on raw text, with a gold standard or without.",
        "test": "Test whether systems differ, from saved results.",
        "phenomena": "Score parsers on hard constructions.",
    },
    "Compare across treebanks, schemes and frameworks": {
        "compare": "Compare parsers that were trained on different treebanks.",
        "agreement": "Measure how far analyses of the same words agree.",
        "generalize": "Find what treebanks of the same text agree on.",
        "unify": "Merge treebanks of the same text.",
        "subsumes": "Test whether one treebank is more general than another.",
        "labels": "Find which labels of different inventories are the same.",
        "label-unify": "Add the labels of other treebanks to the nodes of one.",
    },
    "Look at trees and results": {
        "info": "Describe what is in treebanks and models.",
        "view": "Show the trees of sentences.",
        "search": "Find a pattern in treebanks, and count what matches.",
        "report": "Make an HTML report from saved results.",
        "plot": "Plot a saved result as a figure for papers.",
        "serve": "Browse the results in a folder on a local page.",
    },
    "Check and change treebanks": {
        "check": "List everything that is wrong with files.",
        "overlap": "Find sentences of a test set that stand in training data.",
        "errors": "List probable annotation errors, with reasons and proposals.",
        "apply": "Carry out a patch, or what was decided on a sheet.",
        "diff": "Say what has changed between two versions of a treebank.",
        "merge": "Merge the changes that two files make to the same treebank.",
        "convert": "Convert a treebank to another format.",
        "transform": "Rewrite a treebank in another annotation scheme.",
        "schemes": "Show annotation schemes and where they differ.",
        "structures": "Count the words in structures whose head is disputed.",
        "flip": "Reverse edges of a given kind.",
        "projectivize": "Make trees projective, reversibly.",
    },
    "Train and run parsers": {
        "parsers": "Show the parsers that can be trained, and install some.",
        "train": "Train a parser on a treebank.",
        "clusters": "Make clusters of words from raw text, for 'train --clusters'.",
        "parse": "Parse files with a trained model.",
        "tag": "Tag files with a trained model.",
        "validate": "Train a parser several times to see how its scores vary.",
        "align": "Align the words of sentences and their translations.",
        "project": "Project trees to another language over word alignments.",
        "dmv": "Reverse edges of a DMV model, and find which to reverse.",
    },
    "Run studies": {
        "demo": "Run the bundled example, end to end.",
        "experiment": "Run a whole study from a recipe, and resume it.",
        "task": "Hold a shared task, from the data to the board.",
    },
    "Set up the shell": {
        "completion": "Print a shell completion script.",
    },
}
"""The verbs by what people want to do, each with the first sentence of its help.

``cli/verbs/VERB.py`` has its ``command``; a module has ``_`` where the verb has ``-``.
"""

VERBS = {verb: line for verbs in TASKS.values() for verb, line in verbs.items()}
"""All verbs of this package, each with the first sentence of its help."""

_ADDED = "From other packages"
"""The heading over the verbs that other packages add."""

DONE, BAD, INTERRUPTED, PIPE_CLOSED, TERMINATED = 0, 2, 130, 141, 143
"""Exit codes: bad usage or input is 2; the last ones are 128 + the signal, as shells count."""


class Terminated(BaseException):
    """Somebody asked this process to end (SIGTERM); like an interrupt, it cleans up on its way."""


def _module(verb: str) -> ModuleType:
    return import_module(f"commonground.cli.verbs.{verb.replace('-', '_')}")


def _added() -> dict[str, click.Command]:
    """Return the verbs that other packages add."""
    return {plugin.name: plugin.value for plugin in _verb_plugins()}


def _verb_plugins() -> tuple[Plugin, ...]:
    return plugins("verbs", _refusal, VERBS)


def _refusal(plugin: Plugin) -> str:
    """Say why something is no verb that can be added."""
    if isinstance(plugin.value, click.Command):
        return ""
    return f"it is of the type {type(plugin.value).__name__}, not click.Command"


class Verbs(click.Group):
    """A group of commands whose modules are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Return the names of the verbs."""
        return [*VERBS, *_added()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command of a verb."""
        if cmd_name not in VERBS:
            return _added().get(cmd_name)
        command: click.Command = _module(cmd_name).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb, or the one that it was meant to be."""
        if args[0] not in VERBS and not args[0].startswith("-") and args[0] not in _added():
            from difflib import get_close_matches

            known = self.list_commands(ctx)
            near = get_close_matches(args[0], known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(known))}"
            raise click.UsageError(f"there is no verb {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the verbs by task, without importing any of this package."""
        packages = {plugin.name: plugin.package for plugin in _verb_plugins()}
        lines = {
            name: f"{command.get_short_help_str(_WIDTH)} ({packages[name]})"
            for name, command in _added().items()
        }
        width = max(map(len, [*VERBS, *lines]))
        for task, verbs in {**TASKS, _ADDED: lines}.items():
            if verbs:
                with formatter.section(task):
                    formatter.write_dl([(f"{name:{width}}", line) for name, line in verbs.items()])


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001  # click's signature
    if not wanted:
        return
    from commonground import __version__, kernels

    if kernels.in_use() == "compiled":
        kind = "compiled kernels"
    elif kernels.built():
        kind = "plain Python kernels: selected by COMMONGROUND_KERNELS"
    else:
        kind = "plain Python kernels: no C compiler was found at installation"
    click.echo(f"commonground {__version__} ({kind})")
    for package, added in installed().items():
        click.echo(f"{package} ({', '.join(added)})")
    ctx.exit()


def _print_all_help(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001  # click's signature
    if not wanted:
        return
    click.echo("\n\n".join(_all_help(ctx.command, ctx)))
    ctx.exit()


def _all_help(command: click.Command, context: click.Context) -> Iterator[str]:
    """Return the help of a command and of all below it."""
    yield command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if below := command.get_command(context, name):
                inner = click.Context(below, context, name, max_content_width=_WIDTH)
                yield from _all_help(below, inner)


_WIDTH = 100
"""The width of a page of help that is not shown at once."""


@click.group(
    cls=Verbs,
    name="commonground",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="'commonground VERB --help' explains a verb, with examples.",
    options_metavar="",
    subcommand_metavar="VERB …",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and which kernels are in use.",
)
@click.option(
    "--help-all",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_all_help,
    help="Show the help of all verbs on one page, and exit.",
)
def commands() -> None:
    """Compare syntactic parsers across treebanks, schemes and frameworks.

    Files may be compressed (.gz, .xz, .zst); - is standard input or output. example:ud and
    example:ptb are a bundled example: the same sentences as dependencies and as constituents.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; an error is one line on standard error."""
    _replace_closed_streams()
    # Matrices are small here, and threads that wait for each other would take longer than the work.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(100_000, 50, 50)  # imports and columns make many objects, and hardly a cycle
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL and current_thread() is main_thread():
        signal.signal(signal.SIGTERM, _terminate)
    try:
        with _warnings_as_remarks():
            _run(list(sys.argv[1:] if arguments is None else arguments))
    except click.exceptions.Exit as done:
        code = done.exit_code
    except BrokenPipeError:
        # Nobody reads on; what is still in the buffer must not raise again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = PIPE_CLOSED
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # who cannot wait for the end may press again
        code = INTERRUPTED
    except Terminated:
        code = TERMINATED
    except (click.ClickException, CommonGroundError, OSError) as error:
        _say(" ".join(_line(error).splitlines()))
        code = BAD
    except MemoryError:
        _say("commonground: not enough memory")
        code = BAD
    else:
        code = DONE
    return code


_TOLD = (PluginWarning, FileWarning)
"""Warnings that are said in a line, as all remarks."""


@contextmanager
def _warnings_as_remarks() -> Iterator[None]:
    """Make a remark of each warning that users are to see."""
    show = warnings.showwarning
    seen: set[str] = set()  # of each piece of a file the same is said
    told: Counter[str] = Counter()  # and of many files

    def shown(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
        if not issubclass(category, _TOLD):
            show(message, category, *rest, **more)
            return
        what = getattr(message, "what", str(message))
        context = click.get_current_context(silent=True)
        quiet = context is not None and context.params.get("quiet")
        if quiet or str(message) in seen:
            return
        seen.add(str(message))
        told[what] += 1
        if told[what] == 1:
            _say(str(message))

    with warnings.catch_warnings():
        for category in _TOLD:
            warnings.simplefilter("always", category)
        warnings.showwarning = shown
        try:
            yield
        finally:
            for what, times in told.items():
                if times > 1:
                    _say(f"{number_of(times - 1, 'other file')}: {what}")


def _say(line: str) -> None:
    from commonground.cli.remarks import remark

    remark(line)


def _terminate(number: int, _: object) -> None:
    signal.signal(number, signal.SIG_DFL)
    raise Terminated


def _replace_closed_streams() -> None:
    """Read and write nothing where the caller closed standard input or output (``>&-``)."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # stays


def _run(arguments: list[str]) -> None:
    completion = os.environ.get(COMPLETION)
    if completion:
        from click.shell_completion import shell_complete

        shell_complete(commands, {}, "commonground", COMPLETION, completion)
        return
    if not arguments:
        click.echo(commands.get_help(click.Context(commands, info_name="commonground")), err=True)
        raise click.exceptions.Exit(BAD)
    try:
        with commands.make_context("commonground", arguments) as context:
            commands.invoke(context)
    finally:
        if files := sys.modules.get("commonground.formats.storage.files"):
            files.guard_inputs(wanted=False)


_PLAIN_WORDS = {
    "is not a valid integer range": "is not a whole number",
    "is not a valid float range": "is not a number",
}
"""What click says of a text in place of a number, and what it means."""


def _line(error: Exception) -> str:
    """Return the one line that tells about an error."""
    if isinstance(error, click.ClickException):
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "commonground"
        message = " ".join(error.format_message().rstrip(".").split("\n\t"))  # lists of choices
        for theirs, plain in _PLAIN_WORDS.items():
            message = message.replace(theirs, plain)
        return f"{path}: {message} (see {path} --help)"
    if isinstance(error, OSError):
        return f"{error.filename or 'commonground'}: {error.strerror or error}"
    if isinstance(error, OverwrittenInputError):
        return f"commonground: {error}; --overwrite allows it"
    return str(error) if isinstance(error, InputError) else f"commonground: {error}"
