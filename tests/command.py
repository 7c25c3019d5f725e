"""The command, called the way people call it: mostly in this process, which is ten times as fast.

A process of its own is used where that makes a difference: other processes are started, or Python
itself reads the environment. `run_apart` and `run_line_apart` always use one.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

from commonground.cli import main

COMMAND = [sys.executable, "-m", "commonground"]
_HERE = ("COMMONGROUND_", "NO_COLOR", "TERM", "COLUMNS", "_COMMONGROUND_", "COMP_")
"""The environment that is read when a command runs; the rest is read when Python starts."""


def run(*arguments, stdin=b"", cwd=None, **environment):
    """Run the command; the result has its returncode, and stdout and stderr as text."""
    if "--jobs" in arguments or "-j" in arguments:  # other processes remember how this one began
        return run_apart(*arguments, stdin=stdin, cwd=cwd, **environment)
    if not all(name.startswith(_HERE) for name in environment):
        return run_apart(*arguments, stdin=stdin, cwd=cwd, **environment)
    return _run_here(list(map(str, arguments)), stdin, cwd, environment)


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
    """Run a line as a help text prints it, with its pipes; the result is as that of `run`."""
    commands = _commands(line)
    if not commands:
        return run_line_apart(line, cwd)
    done = [run(*commands[0], cwd=cwd)]
    for arguments in commands[1:]:
        done.append(run(*arguments, cwd=cwd, stdin=done[-1].stdout.encode()))
    code = next((each.returncode for each in reversed(done) if each.returncode), 0)
    stderr = "".join(each.stderr for each in done)
    return subprocess.CompletedProcess(line, code, done[-1].stdout, stderr)


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


def _commands(line):
    """Return the arguments of each command in a line; none if a shell would see more in it."""
    reader = shlex.shlex(line, posix=True, punctuation_chars=True)
    reader.whitespace_split = True
    words = list(reader)
    starts = [0, *(place + 1 for place, word in enumerate(words) if word == "|"), len(words) + 1]
    commands = [words[a : b - 1] for a, b in itertools.pairwise(starts)]
    shell = any(set(word) <= set("<>&;|()") for words in commands for word in words)
    if shell or set(line) & set("*?[$`~{\\#"):
        return []
    named = all(words[:1] == ["commonground"] for words in commands)
    return [words[1:] for words in commands] if named else []


def _run_here(arguments, stdin, cwd, environment):
    streams = {
        "stdin": io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)), "utf-8"),
        "stdout": io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True),
        "stderr": io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True),
    }
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
    written = (streams[name].buffer.getvalue().decode() for name in ("stdout", "stderr"))
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
