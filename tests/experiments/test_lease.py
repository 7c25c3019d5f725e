"""Several runs of one study: on one machine, in two containers, on two machines."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest
from command import write

from commonground.experiments import lease as leases
from commonground.experiments.lease import Watcher, acquired, holder_of
from commonground.experiments.store import Store


@pytest.fixture
def short(monkeypatch):
    """Leases that are over after a fraction of a second."""
    monkeypatch.setenv("COMMONGROUND_LEASE", "0.3")


def elsewhere(path, process=1, machine="another machine"):
    """Write a lease as a run on another machine would."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{'ab' * 8}\n{machine}\n{process}\n1\n{'0' * 20}\n")


def test_one_of_two_gets_a_lease_and_the_other_one_when_it_is_given_back(tmp_path):
    first = acquired(tmp_path / "a")
    assert acquired(tmp_path / "a") is None
    assert first.is_held()
    first.release()
    assert list(tmp_path.iterdir()) == []
    second = acquired(tmp_path / "a")
    assert second is not None
    second.release()


def test_of_many_who_want_a_lease_at_once_one_gets_it(tmp_path):
    got, ready = [], threading.Barrier(8)

    def want():
        ready.wait()
        got.append(acquired(tmp_path / "a"))

    threads = [threading.Thread(target=want) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    held = [lease for lease in got if lease]
    assert len(held) == 1
    held[0].release()


@pytest.mark.long
def test_a_lease_that_is_renewed_does_not_run_out(tmp_path, short):
    lease, watcher = acquired(tmp_path / "a"), Watcher()
    end = time.monotonic() + 1
    while time.monotonic() < end:
        assert watcher.expired(tmp_path / "a") == ""
        time.sleep(0.05)
    assert lease.is_held()
    lease.release()


@pytest.mark.long
def test_a_lease_of_another_machine_is_taken_over_when_it_is_not_renewed_and_not_before(
    tmp_path, short
):
    path, watcher = tmp_path / "a", Watcher()
    elsewhere(path)
    assert acquired(path) is None  # whether that process is alive nobody can see from here
    assert watcher.expired(path) == ""
    time.sleep(0.4)
    owner = watcher.expired(path)
    assert owner == "ab" * 8
    lease = acquired(path, owner)
    assert lease is not None
    assert acquired(path, owner) is None  # it has one successor
    lease.release()


def test_a_lease_of_a_process_that_is_gone_is_taken_over_at_once(tmp_path):
    elsewhere(tmp_path / "a", process=2**22 + 1, machine=leases._machine())
    lease = acquired(tmp_path / "a")
    assert lease is not None
    lease.release()


def test_the_number_of_a_process_that_was_used_again_is_no_living_owner(tmp_path):
    elsewhere(tmp_path / "a", process=os.getpid(), machine=leases._machine())  # started at 1
    assert holder_of(tmp_path / "a").is_gone()


def test_who_was_asleep_for_too_long_does_not_disturb_the_one_who_took_over(tmp_path, short):
    store = Store(tmp_path)
    with store.lease("ab" * 32) as sleeper:
        sleeper._over.set()  # it is stopped, and renews nothing
        sleeper._renewing.join()
        with store.making("ab" * 32, {}, sleeper) as folder:
            (folder / "result").write_text("late")
            other = acquired(sleeper.path, sleeper.owner)
            with store.making("ab" * 32, {}, other) as theirs:
                (theirs / "result").write_text("in time")
        assert (store.place("ab" * 32) / "result").read_text() == "in time"
        assert not sleeper.is_held()
    assert other.is_held()
    other.release()


def test_what_a_run_elsewhere_is_making_is_not_swept_up(tmp_path):
    """Whatever its process is called here: that number means nothing."""
    store = Store(tmp_path)
    elsewhere(store.lease_file("cd" * 32), process=2**22 + 1)
    for owner in ("ab" * 8, "cd" * 8):
        (tmp_path / f".making-{owner}-x").mkdir()
    store.sweep()
    assert [path.name for path in tmp_path.glob(".making-*")] == [f".making-{'ab' * 8}-x"]


# ── two runs ─────────────────────────────────────────────────────────────────────────────────────

RUN = """
import json, sys, time
from pathlib import Path
from commonground.experiments import planned, run_experiment, steps
from commonground.experiments.recipe import recipe_of
from commonground.experiments.steps.kind import StepKind
from commonground.experiments.steps.values import whole

folder, name, seconds = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])

def wait(values, target):
    with open(folder / "log", "a") as log:
        log.write(f"{values['number']} {name}\\n")
    (folder / f"begun-{name}").touch()
    time.sleep(seconds)
    (target / "result.json").write_text(json.dumps(values["number"]))

steps.KINDS["wait"] = StepKind("wait", "Wait", wait, (), {"number": whole(0)})
text = 'title = "x"\\n[matrix]\\nn = [1, 2, 3, 4, 5, 6]\\n[steps.w]\\ndo = "wait"\\nnumber = "{n}"\\n'
plan = planned(recipe_of(text, "r.toml"))
print(json.dumps([each.state for each in run_experiment(plan, folder / "study").values()]))
"""

APART = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]


def can_be_apart():
    try:
        return subprocess.run([*APART, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.fixture(params=["one namespace", "two namespaces"])
def begin(request, tmp_path):
    """Return what begins a run: both where processes see each other, or each where it sees none."""
    apart = request.param == "two namespaces"
    if apart and not can_be_apart():
        pytest.skip("PID namespaces cannot be made here")
    script = write(tmp_path / "run.py", RUN)
    begun = []

    def beginning(name, seconds):
        process = subprocess.Popen(
            [*(APART if apart else []), sys.executable, script, tmp_path, name, str(seconds)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "COMMONGROUND_LEASE": "2"},
            start_new_session=True,
        )
        begun.append(process)
        return process

    yield beginning
    for process in begun:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def done(process):
    return json.loads(process.communicate(timeout=60)[0])


def log_of(tmp_path):
    lines = (tmp_path / "log").read_text().splitlines()
    return [tuple(line.split()) for line in lines]


@pytest.mark.long
def test_two_runs_take_different_steps_and_each_step_is_done_once(begin, tmp_path):
    processes = [begin(name, 0.3) for name in "ab"]
    assert [len(done(process)) for process in processes] == [6, 6]
    numbers = Counter(number for number, _ in log_of(tmp_path))
    assert set(numbers) == set("123456")
    assert set(numbers.values()) == {1}
    assert {name for _, name in log_of(tmp_path)} == set("ab")


@pytest.mark.long
def test_a_run_that_is_killed_loses_one_step_to_the_other_and_nothing_else(begin, tmp_path):
    killed = begin("a", 0.4)
    while not (tmp_path / "begun-a").exists():
        time.sleep(0.02)
    other = begin("b", 0.05)
    time.sleep(0.2)
    os.killpg(killed.pid, signal.SIGKILL)
    assert all(state in ("done", "kept") for state in done(other))
    numbers = Counter(number for number, _ in log_of(tmp_path))
    assert set(numbers) == set("123456")
    twice = [number for number, count in numbers.items() if count > 1]
    assert len(twice) <= 1  # the one that was killed in the middle of its step
    assert not list((tmp_path / "study" / "store").glob(".making-*"))
    assert not list((tmp_path / "study" / "store" / "locks").iterdir())
