"""The installed command, called the way people call it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "commonground"]


def run(*arguments, stdin=b"", cwd=None, **environment):
    """Run the command; the result has its returncode, and stdout and stderr as text."""
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
    """Run a line as a help text prints it, in a shell; the result is as that of `run`."""
    called = line.replace("commonground ", f"{shlex.join(COMMAND)} ")
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", called],
        capture_output=True,
        cwd=cwd,
        text=True,
        check=False,
    )


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
