"""Kills, full disks, vanishing files, read-only folders, two writers: old, new, or nothing."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from pathlib import Path
from random import Random

import pytest

from command import COMMAND, assert_refused, run, write

TRIALS = int(os.environ.get("COMMONGROUND_TRIALS", "3"))
"""How often each verb is killed; `COMMONGROUND_TRIALS=100` takes an hour."""

WRITING = {
    "convert": ["convert", "example:ud", "OUT.conllx"],
    "transform": ["transform", "example:ud", "OUT.conllu", "--from", "ud", "--to", "sud"],
    "projectivize": ["projectivize", "example:ud", "OUT.conllu"],
    "evaluate": ["evaluate", "example:ud", "example:ud-parse", "-o", "OUT.json", "--output-format", "json"],
    "compare": ["compare", "a=example:ud:example:ud-parse", "b=example:ptb:example:ptb-parse", "-o", "OUT.json", "--output-format", "json"],
    "generalize": ["generalize", "example:ud", "example:ptb", "-o", "OUT.functions"],
    "view": ["view", "example:ud", "--all", "-o", "OUT.svg"],
    "info": ["info", "example:ud", "-o", "OUT.txt"],
}  # fmt: skip


def line_of(verb, folder):
    return [word.replace("OUT", str(folder / "out")) for word in WRITING[verb]]


def target_of(folder):
    return [path for path in folder.iterdir() if path.name.startswith("out.")]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What each verb writes when nothing happens to it."""
    found = {}
    for verb in WRITING:
        folder = tmp_path_factory.mktemp(verb)
        assert run(*line_of(verb, folder)).returncode == 0
        (path,) = target_of(folder)
        found[verb] = path.name, path.read_bytes()
    return found


def normal(data, folder):
    """A result without the folder in its command."""
    return data.replace(str(folder).encode(), b"")


@pytest.mark.parametrize("verb", WRITING)
def test_a_killed_verb_leaves_the_old_file_or_the_new_one(verb, outputs, tmp_path):
    name, new = outputs[verb]
    random = Random(verb)
    for trial in range(TRIALS):
        target = tmp_path / name
        target.write_bytes(b"old")
        process = subprocess.Popen(
            [*COMMAND, *line_of(verb, tmp_path)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if trial:
            time.sleep(random.uniform(0, 1.5))
        else:
            deadline = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < deadline:
                if any(path.name.startswith(".out") for path in tmp_path.iterdir()):
                    break  # it is writing just now
        process.kill()
        process.wait(timeout=60)
        assert target.read_bytes() in (b"old", new) or len(target.read_bytes()) == len(new)
        for path in tmp_path.iterdir():  # what a killed process could not remove is hidden
            assert path == target or path.name.startswith(".")


@pytest.mark.parametrize("verb", WRITING)
def test_a_full_disk_leaves_the_old_file(verb, outputs, tmp_path):
    """The limit on the size of files stands for the disk."""
    name, new = outputs[verb]
    (tmp_path / name).write_bytes(b"old")
    most = min(100, len(new) // 2)

    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    done = subprocess.run(
        [*COMMAND, *line_of(verb, tmp_path)],
        preexec_fn=limited,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert_refused(done, "File too large")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == b"old"


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/proc").exists(), reason="root writes anywhere")
@pytest.mark.parametrize("verb", WRITING)
def test_a_folder_that_is_not_there_is_one_line(verb, tmp_path):
    done = run(*line_of(verb, tmp_path / "nowhere"))
    assert_refused(done, "cannot be written: No such file or directory")


def test_a_folder_in_which_nothing_can_be_written_is_one_line(outputs):
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


def test_two_writers_leave_one_whole_file(outputs, tmp_path):
    name, new = outputs["convert"]
    line = [*COMMAND, *line_of("convert", tmp_path)]
    processes = [subprocess.Popen(line, stderr=subprocess.PIPE) for _ in range(2)]
    assert [process.wait(timeout=120) for process in processes] == [0, 0]
    for process in processes:
        process.stderr.close()
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == new
