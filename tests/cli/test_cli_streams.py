"""The command on terminals and in pipes, full disks, interruptions."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command import COMMAND, assert_silent_success, run, run_line

SENTENCE = "1\tHi\thi\tINTJ\tUH\t_\t0\troot\t_\t_\n\n"
VERB_LINES = [
    ["info", "example:ud"],
    ["view", "example:ud"],
    ["convert", "example:ud", "-", "--to", "conllu"],
]


@pytest.mark.parametrize("line", VERB_LINES, ids=lambda line: line[0])
def test_a_reader_that_goes_away_is_no_error(line):
    process = subprocess.Popen([*COMMAND, *line], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 141


def test_an_interruption_leaves_nothing_and_says_nothing(tmp_path):
    target = tmp_path / "out.conllu"
    process = subprocess.Popen(
        [*COMMAND, "convert", "-", target, "--from", "conllu"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not list(tmp_path.iterdir()):  # until it writes, and waits for more to read
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate()
    assert (process.returncode, stdout, stderr) == (130, b"", b"")
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_of_many_processes_says_nothing(tmp_path):
    pipes = [tmp_path / "one", tmp_path / "two"]
    for pipe in pipes:
        os.mkfifo(pipe)
    process = subprocess.Popen(
        [*COMMAND, "check", "--jobs", "2", *pipes],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    writers = [pipe.open("wb") for pipe in pipes]  # once the workers have opened them for reading
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate()
    for writer in writers:
        writer.close()
    assert (process.returncode, stdout, stderr) == (130, b"", b"")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_named_pipe_is_hashed_while_it_is_read(tmp_path, jobs):
    pipe, content = tmp_path / "pipe", SENTENCE.encode()
    os.mkfifo(pipe)
    file = tmp_path / "gold.conllu"
    file.write_bytes(content)
    line = ["evaluate", file, pipe, "--output-format", "json", "--jobs", jobs]
    process = subprocess.Popen([*COMMAND, *line], stdout=subprocess.PIPE)
    with pipe.open("wb") as writer:
        writer.write(content)
    stdout, _ = process.communicate(timeout=30)
    known = hashlib.sha256(content).hexdigest()
    assert json.loads(stdout)["request"]["inputs"] == {str(file): known, str(pipe): known}


def test_the_output_of_another_command_is_hashed_while_it_is_read(tmp_path):
    file = tmp_path / "gold.conllu"
    file.write_text(SENTENCE)
    line = f"commonground evaluate {file} <(cat {file}) --output-format json"
    inputs = json.loads(run_line(line, tmp_path).stdout)["request"]["inputs"]
    assert set(inputs.values()) == {hashlib.sha256(SENTENCE.encode()).hexdigest()}


def test_output_is_utf8_whatever_the_terminal_claims(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(SENTENCE.replace("Hi", "Grüße"), encoding="utf-8")
    done = run("view", path, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert_silent_success(done)
    assert "Grüße" in done.stdout


def test_a_full_disk_is_one_line():
    if not Path("/dev/full").exists():
        return
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "info", "example:ud"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.decode() == "standard output: cannot be written: No space left on device\n"


def test_closed_streams_are_no_error(tmp_path):
    done = run_line("commonground info example:ud >&-", tmp_path)
    assert_silent_success(done)
    done = run_line("commonground info nothing 2>&-", tmp_path)
    assert done.returncode == 2
    done = run_line("commonground info - --format conllu <&-", tmp_path)
    assert_silent_success(done)


def on_terminal(*arguments, columns=80, **environment):
    """What the command shows on a terminal so many columns wide."""
    pty = pytest.importorskip("pty")
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm", "COLUMNS": str(columns)} | environment,
    )
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):  # the end, where there is no terminal any more
        while part := os.read(controller, 1 << 16):
            shown += part
    os.close(controller)
    assert process.wait() == 0
    return shown.decode()


def test_a_terminal_shows_colours_unless_they_are_not_wanted():
    assert "\x1b[" in on_terminal("view", "example:ud", "--first", "1")
    assert "\x1b[" not in on_terminal("view", "example:ud", "--first", "1", NO_COLOR="1")
    assert "\x1b[" not in on_terminal("view", "example:ud", "--first", "1", TERM="dumb")


def test_a_table_fits_on_the_terminal():
    line = ["info", *["example:ud"] * 6, "--sample", "0", "--quiet"]
    shown = on_terminal(*line, columns=60, NO_COLOR="1")
    assert max(map(len, shown.splitlines())) <= 60


def test_long_work_shows_a_bar_on_a_terminal_unless_it_should_be_quiet():
    line = ["check", "example:ud", "example:ud"]
    assert "2/2" in on_terminal(*line)
    assert "2/2" not in on_terminal(*line, "--quiet")


def test_the_title_of_a_recipe_is_text_for_a_terminal_not_markup(tmp_path):
    recipe = tmp_path / "r.toml"
    recipe.write_text(
        'title = "a [/b] \\u001b]0;c\\u0007"\ninputs.ud = "example:ud"\n'
        '[steps.gold]\ndo = "part"\nof = "ud"\nevery = 4\npart = "train"\n'
    )
    shown = on_terminal("experiment", "run", recipe, "--into", tmp_path / "study")
    assert r"a [/b] \x1b]0;c\x07" in shown
