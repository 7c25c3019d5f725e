"""Kills, full disks, vanishing files, read-only folders, two writers: old, new, or nothing."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from command import COMMAND, assert_refused, run, write
from writing_verbs import WRITING, ended, killed, start, whole, words_of

FEW = ("convert", "evaluate", "generalize", "view")
"""Verbs that write in different ways; fuzz/kill.py kills all of them, a hundred times each."""


def line_of(verb, folder):
    """The arguments of a verb that writes into another folder than its own."""
    name = WRITING[verb][0]
    return [str(folder / word) if word == name else word for word in words_of(verb, Path())]


@pytest.mark.parametrize("verb", FEW)
def test_a_killed_verb_leaves_the_old_file_or_the_new_one(verb, tmp_path):
    new, seconds = whole(verb, tmp_path)
    random = Random(verb)
    for _ in range(3):
        assert killed(verb, tmp_path, new, random.uniform(0, 1) * seconds) in ("old", "new")


@pytest.mark.parametrize("verb", WRITING)
def test_a_full_disk_leaves_the_old_file(verb, tmp_path):
    """The limit on the size of files stands for the disk."""
    words = words_of(verb, tmp_path)
    target = tmp_path / WRITING[verb][0]
    target.write_bytes(b"old")

    def limited():
        sys.dont_write_bytecode = True  # it would be cut off too
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))

    assert ended(start(words, tmp_path, limited)) == 2
    assert [path for path in tmp_path.iterdir() if path.name.startswith((".out", "out"))] == [
        target
    ]
    assert target.read_bytes() == b"old"


def test_a_full_disk_is_told_in_one_line(tmp_path):
    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    done = subprocess.run(
        [*COMMAND, *line_of("convert", tmp_path)],
        preexec_fn=limited,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert_refused(done, "File too large")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", FEW)
def test_a_folder_that_is_not_there_is_one_line(verb, tmp_path):
    done = run(*line_of(verb, tmp_path / "nowhere"))
    assert_refused(done, "cannot be written: No such file or directory")


def test_a_folder_in_which_nothing_can_be_written_is_one_line():
    folder = Path("/proc/self")  # even root cannot write there
    if not folder.is_dir():
        pytest.skip("there is no such folder")
    for verb in ("convert", "evaluate"):
        assert_refused(run(*line_of(verb, folder)), "cannot be written")


def test_a_file_that_vanishes_is_one_line(tmp_path):
    path = write(tmp_path / "a.conllu", "")
    path.unlink()
    for line in (
        ["info", path],
        ["evaluate", path, path],
        ["convert", path, tmp_path / "b.conllx"],
    ):
        assert_refused(run(*line), "a.conllu: ")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_vanishes_while_it_is_read_is_read_or_told(tmp_path):
    """Its content stays there for who has opened it; who comes too late gets one line."""
    new, _ = whole("convert", tmp_path)
    source = write(
        tmp_path / ".in.conllu", run("convert", "example:ud", "-", "--to", "conllu").stdout
    )
    process = start(["convert", source.name, "out.conllx"], tmp_path)
    source.unlink()
    code = ended(process)
    target = tmp_path / "out.conllx"
    assert (code, target.exists()) in ((0, True), (2, False))
    assert not target.exists() or target.read_bytes() == new


def test_two_writers_leave_one_whole_file(tmp_path):
    new, _ = whole("convert", tmp_path)
    processes = [start(words_of("convert", tmp_path), tmp_path) for _ in range(2)]
    assert [ended(process) for process in processes] == [0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["out.conllx"]
    assert (tmp_path / "out.conllx").read_bytes() == new


def test_nobody_reads_on_and_the_command_ends(tmp_path):
    """A closed pipe is no error to be told: exit code 141, as of other programs."""
    reading, writing = os.pipe()
    os.close(reading)

    def closed():
        os.dup2(writing, 1)

    process = start(["convert", "example:ud", "-", "--to", "conllx"], tmp_path, closed)
    os.close(writing)
    assert ended(process) in (141, 0)
    assert list(tmp_path.iterdir()) == []
