"""What all tests share."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Python keeps what it compiles, also where the environment says that it should not: the tests start
# hundreds of processes, and to compile is half of what most of them do.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

pytest_plugins = ["doctest_files", "chromium"]

SHARED = Path(__file__).parents[2] / "shared"

settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=20
)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=2000)
settings.register_profile("quick", parent=settings.get_profile("default"), max_examples=4)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_addoption(parser):
    """Add ``--quick``: what a change is tried with while it is written."""
    parser.addoption(
        "--quick", action="store_true", help="few examples, no other data, no other processes"
    )


SLOW = ("shared", "latex", "browser", "page")
"""Fixtures that only long tests use."""

_SLOW_FILES = (
    *("test_readme.py", "test_damaged_files.py", "test_interrupted_writes.py"),
    *("test_cli_streams.py", "test_engine.py", "test_statistics_calibration.py"),
    *(
        "test_report_browser.py",
        "test_site.py",
        "test_notebooks.py",
        "test_streaming.py",
        "test_plots.py",
        "test_drawing_golden.py",
    ),
    *("test_cli_main.py", "test_cli_plot.py", "test_cli_info.py", "test_cli_significance.py"),
    *("test_cli_test_verb.py", "test_cli_intervals.py", "test_cluster.py", "test_drawing.py"),
    *("test_experiments.py", "test_extremes.py", "test_integrations.py", "test_outside_parsers.py"),
    *("test_report.py", "test_report_sources.py", "test_robustness.py", "test_serve.py"),
    *("test_statistics_bootstrap.py", "test_statistics_power.py", "test_resource_limits.py"),
)


def pytest_configure(config):
    """Let interrupts work: where the tests run in the background, commands would ignore them."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("--quick"):
        settings.load_profile("quick")


def pytest_ignore_collect(collection_path, config):
    """Leave out the slowest files without even importing them, where the loop is to be quick."""
    return True if config.getoption("--quick") and collection_path.name in _SLOW_FILES else None


def pytest_collection_modifyitems(config, items):
    """Leave out the tests on what is not there: the real treebanks, or LaTeX with its packages.

    Where the loop is to be quick, those that are marked as long are left out as well.
    """
    quick = config.getoption("--quick")
    absent = {"shared"} if not SHARED.is_dir() else set()
    absent |= {"latex"} if not _has_latex() else set()
    absent |= set(SLOW) if quick else set()
    kept, without = [], []
    for item in items:
        needs = absent & set(getattr(item, "fixturenames", ()))
        left_out = needs or (quick and item.get_closest_marker("long"))
        (without if left_out else kept).append(item)
    config.hook.pytest_deselected(items=without)
    items[:] = kept


def _has_latex():
    if not shutil.which("pdflatex"):
        return False
    wanted = ["tikz-dependency.sty", "forest.sty", "environ.sty"]
    known = subprocess.run(["kpsewhich", *wanted], capture_output=True, check=False)
    return known.stdout.count(b"\n") == len(wanted)


@pytest.fixture(scope="session")
def latex():
    """The program that sets LaTeX; its packages for trees are hundreds of megabytes."""
    return shutil.which("pdflatex")


@pytest.fixture(scope="session")
def shared():
    """The folder with real treebanks and the answers of other programs."""
    return SHARED


def _without_plots():
    """Make pages as where matplotlib is missing: its import takes longer than most pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "matplotlib", None)
        yield


without_plots = pytest.fixture(_without_plots)
module_without_plots = pytest.fixture(_without_plots, scope="module")


@pytest.fixture(params=["python", "compiled"])
def kernels(request, monkeypatch):
    """Run the test with both kinds of kernels; the compiled ones where they were built."""
    from commonground.kernels import built

    if request.param == "compiled" and not built():
        pytest.skip("the kernels were not compiled")
    monkeypatch.setenv("COMMONGROUND_KERNELS", request.param)
    return request.param


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """Where continuous integration runs, everything is there, so that a skipped test is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
