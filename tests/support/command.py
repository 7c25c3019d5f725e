"""The command, called the way people call it: mostly in this process, which is ten times as fast.

A process of its own is used where that makes a difference: Python itself reads the environment, or
workers would have to know of it. `run_apart` and `run_line_apart` always use one. Workers are forked
by one server for all commands, which has imported what they need.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import re
import shlex
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from unittest import mock

from commonground.cli import main

COMMAND = [sys.executable, "-m", "commonground"]
_HERE = ("COMMONGROUND_", "NO_COLOR", "TERM", "COLUMNS", "_COMMONGROUND_", "COMP_")
"""The environment that is read when a command runs; the rest is read when Python starts."""

_WORKERS_NEED = (
    *("commonground.cli.output", "commonground.evaluation.run", "commonground.experiments.run"),
    *("commonground.parsers.files", "commonground.schemes.files", "commonground.statistics.pairs"),
)
"""The modules whose functions are run in other processes."""


def run(*arguments, stdin=b"", cwd=None, merged=False, **environment):
    """Run the command; the result has its returncode, and stdout and stderr as text.

    If they are to be `merged`, all is in stdout.
    """
    if "--jobs" in arguments or "-j" in arguments:
        if environment or "COMMONGROUND_KERNELS" in os.environ:  # the server began without it
            return run_apart(*arguments, stdin=stdin, cwd=cwd, **environment)
        start_server()
    if not all(name.startswith(_HERE) for name in environment):
        return run_apart(*arguments, stdin=stdin, cwd=cwd, **environment)
    return _run_here(list(map(str, arguments)), stdin, cwd, environment, merged=merged)


@cache
def start_server():
    """Start what forks the workers of all commands, if there is such a thing on this machine."""
    if "forkserver" in multiprocessing.get_all_start_methods():
        from multiprocessing.forkserver import ensure_running

        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["__main__", *_WORKERS_NEED])
        ensure_running()


def run_apart(*arguments, stdin=b"", cwd=None, **environment):
    """Run the command in a process of its own; the result is as that of `run`."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=os.environ | environment,
        check=False,
    )
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    return done


def run_line(line, cwd):
    """Run a line as a page prints it; the result is as that of `run`.

    The command itself runs in this process; other programs, and what only a shell understands, do
    in a shell.
    """
    steps = _split(line, (";", "&&"))
    if any(_needs_a_shell(stage) for step in steps for stage in _split(step, ("|",))):
        return run_line_apart(line, cwd)
    outcomes = []
    for step in steps:
        outcomes.append(_run_pipe(_split(step, ("|",)), cwd))
        if outcomes[-1].returncode:
            break
    shown = ("".join(getattr(each, name) for each in outcomes) for name in ("stdout", "stderr"))
    return subprocess.CompletedProcess(line, outcomes[-1].returncode, *shown)


def _run_pipe(stages, cwd):
    """Run the commands of a pipe; its code is that of the last one that fails, as by pipefail."""
    done = [_run_stage(stages[0], cwd, b"")]
    for stage in stages[1:]:
        done.append(_run_stage(stage, cwd, done[-1].stdout.encode()))
    code = next((each.returncode for each in reversed(done) if each.returncode), 0)
    stderr = "".join(each.stderr for each in done)
    return subprocess.CompletedProcess(stages, code, done[-1].stdout, stderr)


def _run_stage(stage, cwd, stdin):
    if not stage.startswith("commonground "):
        done = subprocess.run(["bash", "-c", stage], input=stdin, capture_output=True, cwd=cwd)  # noqa: PLW1510
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        return done
    arguments = shlex.split(stage.removesuffix(" 2>&1"))[1:]
    return run(*arguments, cwd=cwd, stdin=stdin, merged=stage.endswith(" 2>&1"))


def _needs_a_shell(stage):
    """Tell whether a command is no single one, or has something in it that a shell replaces."""
    if stage.startswith(("for ", "do ", "done")) or "||" in stage:
        return True
    if not stage.startswith("commonground "):
        return "commonground" in stage
    if stage.endswith(" 2>&1") and "--jobs" in stage:
        return True
    plain = re.sub(r"'[^']*'|\"[^\"$`]*\"", "", stage.removesuffix(" 2>&1"))
    return bool(set(plain) & set("*?[$`~{\\#<>&(\"'"))


def _split(line, marks):
    """Split a line at marks of a shell, where these are not quoted."""
    pattern = "|".join(map(re.escape, marks))
    if marks == ("|",):
        pattern = r"(?<!\|)\|(?!\|)"
    parts, start = [], 0
    for result in re.finditer(rf"'[^']*'|\"[^\"]*\"|({pattern})", line):
        if result[1]:
            parts.append(line[start : result.start()].strip())
            start = result.end()
    return [*parts, line[start:].strip()]


def run_line_apart(line, cwd):
    """Run a line as a help text prints it, in a shell; the result is as that of `run`."""
    called = line.replace("commonground ", f"{shlex.join(COMMAND)} ")
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", called],
        capture_output=True,
        cwd=cwd,
        text=True,
        check=False,
    )


def _run_here(arguments, stdin, cwd, environment, *, merged=False):
    streams = {
        "stdin": io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)), "utf-8"),
        "stdout": io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True),
        "stderr": io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True),
    }
    errors = streams["stderr"]
    if merged:
        streams["stderr"] = streams["stdout"]
    terminate = signal.getsignal(signal.SIGTERM)
    with (
        _replaced(streams),
        mock.patch.dict(os.environ, environment) if environment else contextlib.nullcontext(),
        contextlib.chdir(cwd) if cwd else contextlib.nullcontext(),
    ):
        try:
            code = main(arguments)
        finally:
            signal.signal(signal.SIGTERM, terminate)
    written = (each.buffer.getvalue().decode() for each in (streams["stdout"], errors))
    return subprocess.CompletedProcess(arguments, code, *written)


@contextlib.contextmanager
def _replaced(streams):
    before = {name: getattr(sys, name) for name in streams}
    try:
        for name, stream in streams.items():
            setattr(sys, name, stream)
        yield
    finally:
        for name, stream in before.items():
            setattr(sys, name, stream)


def assert_refused(done, message):
    """Exit code 2, nothing on standard output, and exactly one line on standard error."""
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    assert message in done.stderr


def assert_silent_success(done):
    """Exit code 0, and nothing on standard error."""
    assert done.returncode == 0, done
    assert done.stderr == ""


def write(path: Path, text: str) -> Path:
    """Write a file and return its path."""
    path.write_text(text, encoding="utf-8")
    return path
