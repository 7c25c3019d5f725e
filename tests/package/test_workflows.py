"""The workflows, the Makefile and the test of the wheels name what is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")

pytestmark = pytest.mark.skipif(not WORKFLOWS, reason="not in a clone")


def jobs(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]


def commands(path):
    """All that a workflow runs."""
    return [step["run"] for job in jobs(path).values() for step in job["steps"] if "run" in step]


def missing(text):
    """The paths of the project that a text names and that are not there."""
    named = re.findall(
        r"(?<![\w/.-])(?:(?:tests|src|docs|fuzz|benchmarks)/[\w./-]+|[\w-]+\.(?:md|toml))", text
    )
    return [name for name in named if not (ROOT / name).exists()]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_path_target_and_extra_of_a_workflow_is_there(path):
    targets = set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE))
    for text in commands(path):
        assert missing(text) == []
        assert set(re.findall(r"\bmake ([\w-]+)", text)) <= targets
        for extras in re.findall(r"\.\[([\w,-]+)\]", text):
            assert set(extras.split(",")) <= set(PROJECT["project"]["optional-dependencies"])


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_job_waits_for_jobs_of_its_workflow_and_every_step_does_something(path):
    named = jobs(path)
    for job in named.values():
        assert set(job.get("needs", [])) <= set(named)
        assert all(("uses" in step) != ("run" in step) for step in job["steps"])


def test_every_python_that_the_package_names_is_tested_and_gets_wheels():
    prefix = "Programming Language :: Python :: 3."
    classifiers = PROJECT["project"]["classifiers"]
    named = [each.removeprefix(prefix) for each in classifiers if each.startswith(prefix)]
    matrix = jobs(ROOT / ".github/workflows/tests.yml")["test"]["strategy"]["matrix"]
    assert matrix["python"] == [f"3.{minor}" for minor in named]
    wheels = PROJECT["tool"]["cibuildwheel"]["build"].split()
    assert wheels == [f"cp3{minor}-*" for minor in named]


def test_what_the_wheels_are_tested_with_is_there():
    settings = PROJECT["tool"]["cibuildwheel"]
    assert missing(settings["test-command"]) == []
    assert all((ROOT / name).exists() for name in settings["test-sources"])
    assert set(PROJECT["tool"]["pytest"]["ini_options"]["pythonpath"]) == {"tests/support"}


def test_every_program_of_the_makefile_is_there():
    assert missing(re.sub(r"(?m)^#.*", "", MAKEFILE)) == []


def test_a_path_that_is_not_there_is_named():
    assert missing("pytest tests/nowhere tests/kernels OTHER.md") == ["tests/nowhere", "OTHER.md"]
