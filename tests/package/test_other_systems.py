"""Windows and macOS: the program does its work where calls of POSIX and Linux are not there.

They are hidden from Python here, which shows that nothing depends on them; it does not show how
those systems behave otherwise (paths, files that are open). The workflow of tests runs there.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command import write

HIDDEN = """
import builtins, os, signal, sys

for name in ("fcntl", "resource", "termios", "pty", "pwd", "grp"):
    sys.modules[name] = None  # an import raises ImportError
for name in (
    "fork", "forkpty", "sched_getaffinity", "getuid", "geteuid", "mkfifo", "killpg", "setsid",
    "O_CLOEXEC", "O_NONBLOCK",
):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP", "SIGKILL", "SIGALRM", "SIGPROF", "pthread_sigmask", "setitimer", "sigwait"):
    if hasattr(signal, name):
        delattr(signal, name)
_open = builtins.open

def no_proc(file, *arguments, **options):
    if isinstance(file, (str, os.PathLike)) and os.fspath(file).startswith("/proc"):
        raise FileNotFoundError(2, "No such file or directory", file)
    return _open(file, *arguments, **options)

builtins.open = no_proc
"""

RUN = """
if __name__ == "__main__":
    from commonground.cli import main
    sys.exit(main())
"""

STUDY = """title = "x"
[inputs]
t = "example:ud"
[steps.gold]
do = "part"
of = "t"
part = "test"
every = 4
"""


@pytest.fixture
def elsewhere(tmp_path):
    """Run a command in a Python without these calls."""
    script = write(tmp_path / "elsewhere.py", HIDDEN + RUN)

    def run(*words):
        return subprocess.run(
            [sys.executable, script, *map(str, words)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
        )

    return run


@pytest.mark.long
@pytest.mark.parametrize(
    "line",
    [
        "evaluate example:ud example:ud-parse",
        "compare a=example:ud:example:ud-parse b=example:ptb:example:ptb-parse",
        "convert example:ud out.conllu",
        "view example:ud",
        "train example:ud -o out.model --set iterations=1 --gold-tags --quiet",
        "evaluate example:ud a=example:ud-parse b=example:ud --test shuffle --iterations 100",
    ],
    ids=lambda line: line.split()[0],
)
def test_verbs_do_without_calls_of_posix(elsewhere, line):
    done = elsewhere(*line.split())
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
def test_a_study_is_run_and_resumed_without_proc_and_locks(elsewhere, tmp_path):
    recipe = write(tmp_path / "r.toml", STUDY)
    for state in ("done", "kept"):
        done = elsewhere(
            *("experiment", "run", recipe, "--into", "study", "--output-format", "json")
        )
        assert done.returncode == 0, done.stderr
        assert [step["state"] for step in json.loads(done.stdout)["steps"]] == [state]
    assert not list((tmp_path / "study" / "store" / "locks").iterdir())


@pytest.mark.long
def test_several_processes_are_started_without_fork(tmp_path):
    """What spawns takes the place of what forks."""
    script = write(
        tmp_path / "spawned.py",
        "import multiprocessing\n"
        "multiprocessing.get_all_start_methods = lambda: ['spawn']\n"
        "from commonground.engine import Processes\n"
        "if __name__ == '__main__':\n"
        "    print(list(Processes(2).map(abs, [-1, -2, -3])))\n",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("[1, 2, 3]")


def test_every_call_of_posix_in_the_package_is_one_that_is_asked_for_first():
    """A list of all places; a new one has to be looked at, and gets a test above."""
    names = ("os.fork", "fcntl", "import resource", "SIGHUP", "os.kill", "os.getuid", "os.uname")
    source = Path(__file__).parents[2] / "src" / "commonground"
    places = {
        (path.relative_to(source).as_posix(), name)
        for path in source.rglob("*.py")
        for name in names
        if name in path.read_text(encoding="utf-8")
    }
    assert places == {
        ("experiments/lease.py", "os.kill"),  # behind os.name == "posix"
        ("serve/limits.py", "import resource"),  # behind an ImportError
    }
