"""The same work in one process and in many."""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commonground.engine import Processes, Serial, engine_for, workers
from commonground.errors import InputError, LostProcessError, MissingExtraError, UsageError


def square(number):
    return number * number


def refuse_three(number):
    if number == 3:
        raise InputError("a.conllu", 3, "three")
    return number


def refuse(error):
    raise error


def process(_):
    return os.getpid()


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_items(jobs):
    assert list(engine_for(jobs).map(square, range(50))) == [n * n for n in range(50)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_first_error_ends_the_work(jobs):
    results = engine_for(jobs).map(refuse_three, range(10))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(InputError, match=r"^a.conllu:3: three$"):
        next(results)


@pytest.mark.parametrize(
    "error", [InputError("a", 1, "b"), UsageError("c"), MissingExtraError("a .zst file", "zstd")]
)
def test_every_error_comes_back_from_another_process(error):
    with pytest.raises(type(error), match=re.escape(str(error))):
        list(engine_for(2).map(refuse, [error, error]))


@pytest.mark.parametrize("jobs", [1, 2])
def test_nothing_is_taken_far_ahead_of_the_results(jobs):
    taken = itertools.count()
    results = engine_for(jobs).map(square, (next(taken) for _ in itertools.repeat(None)))
    assert list(itertools.islice(results, 5)) == [0, 1, 4, 9, 16]
    results.close()
    assert next(taken) <= 12


@pytest.mark.parametrize("items", [[], [1]])
def test_little_work_is_done_in_this_process(items):
    assert list(engine_for(4).map(process, items)) == [os.getpid()] * len(items)


def test_much_work_is_done_by_others():
    assert os.getpid() not in list(engine_for(2).map(process, range(4)))


def test_no_jobs_are_as_many_as_cores():
    assert workers(0) >= 1


def test_fewer_jobs_than_none_make_no_sense():
    with pytest.raises(ValueError, match="-1 jobs"):
        workers(-1)


def folder_of(_):
    return str(Path.cwd())


def test_others_work_in_the_folder_of_this_process(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert set(Processes(2).map(folder_of, range(4))) == {str(tmp_path)}


def test_the_engine_for_one_job_is_this_process():
    assert engine_for(1) == Serial()
    assert engine_for(3) == Processes(3)
    assert engine_for(3).workers == 3


def vanish(_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_killed_is_told_about():
    with pytest.raises(LostProcessError, match="lack of memory"):
        list(Processes(2).map(vanish, range(4)))


# ── the end of all processes ─────────────────────────────────────────────────────────────────────


def announce_and_wait(number):
    os.write(1, f"at work {number}\n".encode())
    time.sleep(120)


def started_workers():
    """Start a process with two workers of its own, and wait until they are at work.

    Everything that it starts inherits its standard error, which ends only when all of them did.
    """
    called = "import test_engine as t; list(t.Processes(2).map(t.announce_and_wait, range(9)))"
    program = f"""
import sys
from commonground import cli
cli._run = lambda _: exec({called!r})
sys.exit(cli.main(["check"]))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parent,
        process_group=0,
        text=True,
    )
    assert {process.stdout.readline() for _ in range(2)} == {"at work 0\n", "at work 1\n"}
    return process


def test_no_process_outlives_a_terminated_one():
    process = started_workers()
    process.terminate()
    assert process.communicate(timeout=20) == ("", "")
    assert process.returncode == 143


def test_no_process_outlives_a_killed_one():
    process = started_workers()
    process.kill()
    _, stderr = process.communicate(timeout=20)  # the resource tracker may say what it cleans up
    assert "Traceback" not in stderr
    assert process.returncode == -signal.SIGKILL


def test_an_interrupt_of_all_processes_is_silent():
    process = started_workers()
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=20) == ("", "")
    assert process.returncode == 130
