"""The same work on a Dask cluster: the same bytes, also where a worker is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec

import pytest
from command import assert_refused, run, write

from commonground.engine import Dask, _client, _result
from commonground.errors import LostProcessError

if find_spec("distributed") is None:  # to import it takes a second, also where no test needs it
    pytest.skip("there is no Dask", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as result:
        yield result
        _client(Dask(result.scheduler_address)).close()
        _client.cache_clear()


def slow(number):
    time.sleep(0.05)
    return number * number


def suicidal(path):
    """The first process to come here is lost; what it was doing is done by another."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return "done"
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


def test_results_come_in_order(cluster):
    engine = Dask(cluster.scheduler_address)
    assert list(engine.map(slow, range(7))) == [n * n for n in range(7)]
    assert engine.workers == 2


def test_an_error_ends_the_work_as_it_would_in_a_loop(cluster):
    with pytest.raises(ZeroDivisionError):
        list(Dask(cluster.scheduler_address).map((1).__truediv__, [1, 0, 2]))


def test_evaluate_writes_the_same_bytes_on_a_cluster(cluster, tmp_path):
    options = ["--metrics", "las,ned", "--output-format", "json", "-o"]
    folder = tmp_path / "gold"
    folder.mkdir()
    for part in range(3):
        run("convert", "example:ud", folder / f"{part}.conllu")
    there = ["--engine", "dask", "--scheduler", cluster.scheduler_address]
    one = run("evaluate", folder, folder, *options, tmp_path / "one.json")
    two = run("evaluate", folder, folder, *options, tmp_path / "two.json", *there)
    assert one.returncode == two.returncode == 0, two.stderr
    texts = [(tmp_path / name).read_text() for name in ("one.json", "two.json")]
    assert texts[0].replace("one.json", "") == texts[1].replace("two.json", "")


def test_what_a_lost_worker_was_doing_is_done_by_another(cluster, tmp_path):
    engine = Dask(cluster.scheduler_address)
    assert list(engine.map(suicidal, [str(tmp_path / "gone")] * 3)) == ["done"] * 3


class Nobody:
    """A cluster without workers, and work that nobody does."""

    def nthreads(self):
        return {}

    def add_done_callback(self, function):
        """Never call it."""


def test_nobody_waits_for_ever_for_a_cluster_without_workers(monkeypatch):
    monkeypatch.setattr("commonground.engine._GLANCE", 0.01)
    monkeypatch.setattr("commonground.engine._PATIENCE", 0.05)
    with pytest.raises(LostProcessError):
        _result(Nobody(), Nobody())


def test_a_scheduler_needs_its_engine():
    done = run("evaluate", "example:ud", "example:ud", "--scheduler", "tcp://127.0.0.1:1")
    assert_refused(done, "--scheduler has no effect without --engine dask")


INTERRUPTED = """
import sys, time
from commonground.engine import Dask

if __name__ == "__main__":
    try:
        for _ in Dask("", 1).map(time.sleep, [0.0, 60.0]):
            print("ready", flush=True)
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="groups of processes")
def test_ctrl_c_ends_a_local_cluster_without_a_word(tmp_path):
    """A terminal sends it to all processes of the group; only the first one is to hear it."""
    script = write(tmp_path / "wait.py", INTERRUPTED)
    process = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout.readline() == "ready\n"
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, told) == (130, "")
